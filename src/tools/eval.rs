//! `quevedo eval`: explains the static evaluation.

use std::io::Write;

use super::ToolError;
use super::kit::IoContext as _;
use super::kit::args::{EvalFileArg, start_position};
use crate::engine::eval_file::network_of;
use crate::engine::explain::explain;

/// The arguments of `quevedo eval`.
#[derive(Clone, Debug, clap::Args)]
pub struct EvalArgs {
    /// Position to evaluate [default: the initial position]
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// The evaluation
    #[command(flatten)]
    pub network: EvalFileArg,
    /// Also show the hand-written evaluation term by term, for comparison
    #[arg(long)]
    pub compare: bool,
}

/// Prints the evaluation in use: first and last as a verdict, in between piece by piece or term by
/// term.
///
/// # Errors
/// Fails when the position is invalid, the network cannot be used, or the output cannot be written.
pub fn run(args: &EvalArgs, out: &mut dyn Write) -> Result<(), ToolError> {
    let position = start_position(args.fen.as_deref(), false)?;
    let network = network_of(&args.network.eval_file)?;
    let text = explain(network.as_ref(), &position, args.compare);
    out.write_all(text.as_bytes()).of_output()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bad_fen_is_named() {
        let args = EvalArgs {
            fen: Some("8/8/8 w".to_owned()),
            network: EvalFileArg::default(),
            compare: false,
        };
        let message =
            run(&args, &mut Vec::new()).map_or_else(|error| error.to_string(), |()| String::new());
        assert!(message.contains("8/8/8 w"), "{message:?}");
    }
}
