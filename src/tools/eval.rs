//! `quevedo eval`: explains the static evaluation.

use std::io::{self, Write as _};

use clap::Args;
use thiserror::Error;

use crate::engine::eval_file::{EvalFileError, network_of};
use crate::engine::explain::explain;
use crate::position::Position;
use crate::position::notation::{FenError, parse_fen};

/// The arguments of `quevedo eval`.
#[derive(Args, Clone, Debug)]
pub struct EvalArgs {
    /// Position to evaluate [default: the initial position]
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Network file to evaluate with instead of the embedded network; `hand-written` for none
    #[arg(
        long,
        value_name = "FILE",
        default_value = "",
        hide_default_value = true
    )]
    pub eval_file: String,
}

/// Errors of `quevedo eval`.
#[derive(Debug, Error)]
pub enum EvalError {
    /// The position is invalid.
    #[error("--fen {fen:?}: {source}")]
    Fen {
        /// The text.
        fen: String,
        /// The reason.
        source: FenError,
    },
    /// The network cannot be used.
    #[error(transparent)]
    EvalFile(#[from] EvalFileError),
    /// Standard output cannot be written to.
    #[error("cannot write the evaluation: {0}")]
    Output(#[from] io::Error),
}

/// Prints the network's evaluation piece by piece and the hand-written evaluation term by term.
///
/// # Errors
/// Returns an error if the position is invalid, the network cannot be used, or standard output is
/// closed.
pub fn run(args: &EvalArgs) -> Result<(), EvalError> {
    let position = match &args.fen {
        None => Position::initial(),
        Some(fen) => {
            parse_fen(fen, false)
                .map_err(|source| EvalError::Fen {
                    fen: fen.clone(),
                    source,
                })?
                .position
        }
    };
    let network = network_of(&args.eval_file)?;
    io::stdout()
        .lock()
        .write_all(explain(network.as_ref(), &position).as_bytes())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_fen_is_named() {
        let args = EvalArgs {
            fen: Some("8/8/8 w".to_owned()),
            eval_file: String::new(),
        };
        let message = run(&args).map_or_else(|error| error.to_string(), |()| String::new());
        assert!(message.contains("8/8/8 w"), "{message:?}");
    }
}
