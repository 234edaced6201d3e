//! `quevedo eval`: the static evaluation, explained.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use clap::Args;
use thiserror::Error;

use crate::engine::{EvalFileError, network_of};
use crate::eval;
use crate::eval::nnue::Network;
use crate::position::Position;
use crate::position::notation::{FenError, parse_fen};
use crate::score::Score;
use crate::wdl::{Wdl, centipawns, material, wdl};

/// What `quevedo eval` is asked.
#[derive(Args, Clone, Debug)]
pub struct EvalArgs {
    /// The position to evaluate; the initial position without it
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Another network than that of the program, or `hand-written` for none
    #[arg(
        long,
        value_name = "FILE",
        default_value = "",
        hide_default_value = true
    )]
    pub eval_file: String,
}

/// Why there is no evaluation.
#[derive(Debug, Error)]
pub enum EvalError {
    /// The text is not a position.
    #[error("--fen {fen:?}: {source}")]
    Fen {
        /// What was given.
        fen: String,
        /// What is wrong with it.
        source: FenError,
    },
    /// The network cannot be used.
    #[error(transparent)]
    EvalFile(#[from] EvalFileError),
    /// Standard output cannot be written to.
    #[error("cannot write the evaluation: {0}")]
    Output(#[from] io::Error),
}

/// Prints what the network makes of the position man by man, and the hand-written evaluation term by term.
///
/// # Errors
/// When the FEN is not one of a legal position, the network cannot be used, or standard output is closed.
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

/// The static evaluation of a position for the side to move, by the network if there is one.
pub fn value(network: Option<&Network>, position: &Position) -> Score {
    Score::cp(match (eval::known_ending(position), network) {
        (None, Some(network)) => network.evaluate(position),
        _ => eval::evaluate(position),
    })
}

/// What the network, if there is one, and the hand-written evaluation make of a position, in the pawns that the search
/// counts in, and at the end how such a value would be shown by a search.
pub fn explain(network: Option<&Network>, position: &Position) -> String {
    let (score, material) = (value(network, position), material(position));
    let Wdl { win, draw, loss } = wdl(score, material);
    let mut text = eval::explain(network, position);
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "\nThe pawns above are those that the search counts in. A search that ended here would show {:+.2} for the side to\n\
         move: chances to win {:.1} %, draw {:.1} %, lose {:.1} % (+1.00 wins every second game)",
        f64::from(centipawns(score, material)) / 100.0,
        f64::from(win) / 10.0,
        f64::from(draw) / 10.0,
        f64::from(loss) / 10.0,
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_what_a_search_would_show() {
        // A queen more, and a known ending.
        for (text, sign) in [
            ("4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQK3 w - - 0 1", "+"),
            ("4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQK3 b - - 0 1", "-"),
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "+"),
        ] {
            let position = parse_fen(text, false).unwrap().position;
            let text = explain(None, &position);
            let shown = format!("would show {sign}");
            assert!(text.contains(&shown), "{text}");
        }
        let drawn = parse_fen("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", false).unwrap();
        let text = explain(None, &drawn.position);
        assert!(text.contains("would show +0.00"), "{text}");
    }

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
