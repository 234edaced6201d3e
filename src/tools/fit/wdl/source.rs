//! Writes the model as Rust source.

use crate::wdl::Model;

/// The data that a model was fitted to.
#[derive(Clone, Copy, Debug)]
pub struct Origin<'a> {
    /// The number of games.
    pub games: u64,
    /// The number of positions.
    pub positions: u64,
    /// The player of the games.
    pub of: &'a str,
}

/// Returns the Rust source of `src/wdl/model.rs`.
pub fn source(model: &Model, origin: &Origin<'_>) -> String {
    format!(
        "//! The numbers of the model of wins, draws and losses.\n\
         //!\n\
         //! Written by `quevedo fit wdl`; fitted to {} games of {}\n\
         //! ({} positions).\n\
         \n\
         use super::Model;\n\
         \n\
         /// The model of this engine.\n\
         pub(super) static MODEL: Model = Model {{\n    \
             least: {},\n    \
             most: {},\n    \
             a: [{}],\n    \
             b: [{}],\n\
         }};\n",
        origin.games,
        origin.of,
        origin.positions,
        model.least,
        model.most,
        terms_text(&model.a),
        terms_text(&model.b),
    )
}

/// Returns the coefficients of a polynomial, as they are written.
pub fn terms_text(terms: &[f64]) -> String {
    let terms: Vec<String> = terms.iter().map(|term| format!("{term:.3}")).collect();
    terms.join(", ")
}
