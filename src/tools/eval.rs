//! `quevedo eval`: the static evaluation, explained.

use std::io::{self, Write as _};

use clap::Args;
use thiserror::Error;

use crate::eval;
use crate::eval::nnue;
use crate::position::Position;
use crate::position::notation::{FenError, parse_fen};

/// What `quevedo eval` is asked.
#[derive(Args, Clone, Debug)]
pub struct EvalArgs {
    /// The position to evaluate; the initial position without it
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
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
    /// Standard output cannot be written to.
    #[error("cannot write the evaluation: {0}")]
    Output(#[from] io::Error),
}

/// Prints what the network makes of the position, and the hand-written evaluation term by term.
///
/// # Errors
/// When the FEN is not one of a legal position, or standard output is closed.
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
    io::stdout()
        .lock()
        .write_all(eval::explain(&nnue::embedded(), &position).as_bytes())?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_fen_is_named() {
        let args = EvalArgs {
            fen: Some("8/8/8 w".to_owned()),
        };
        let message = run(&args).map_or_else(|error| error.to_string(), |()| String::new());
        assert!(message.contains("8/8/8 w"), "{message:?}");
    }
}
