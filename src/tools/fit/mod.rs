//! `quevedo fit`: fits numbers of the program to the results of games.
//!
//! - [`weights`]: the weights of the hand-written evaluation;
//! - [`wdl`]: the meaning of a score, as chances to win, draw and lose.

pub mod wdl;
pub mod weights;

use std::io::Write;

use thiserror::Error;

use super::datagen::DatagenError;
use super::{Exit, ToolError};
use crate::plural::count;

/// Fits numbers of the program to the results of games
#[derive(Clone, Debug, clap::Args)]
pub struct FitArgs {
    #[command(subcommand)]
    command: FitCommand,
}

/// The numbers to fit.
#[derive(Clone, Debug, clap::Subcommand)]
enum FitCommand {
    /// Fit the weights of the hand-written evaluation
    Weights(weights::WeightsArgs),
    /// Fit the meaning of a score: the chances to win, draw and lose, the size of a pawn in UCI
    /// output, and the scale K of the trainer
    Wdl(wdl::WdlArgs),
}

/// Errors returned by `fit`.
#[derive(Debug, Error)]
pub enum FitError {
    /// An error that several tools share.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// The games cannot be read.
    #[error(transparent)]
    Games(#[from] DatagenError),
    /// A file of positions has none that can be used.
    #[error("no usable position in {} ({})", count(*.files as u64, "file"), count(*.bad as u64, "bad line"))]
    Empty {
        /// The number of files.
        files: usize,
        /// The number of lines that are not positions.
        bad: usize,
    },
    /// No position of the games can be used.
    #[error(
        "{}, but no position with a score within {max_score} cp from ply {from_ply} on",
        count(*.games, "game")
    )]
    NoPositions {
        /// The number of games.
        games: u64,
        /// The bound of the score.
        max_score: u16,
        /// The first ply.
        from_ply: usize,
    },
    /// A model of three results cannot be fitted to two.
    #[error("the side ahead must have won, drawn and lost games; none was {0}")]
    NoSuchResult(&'static str),
    /// No model fits.
    #[error("no model fits: {0}; use more games, or different ones")]
    NoFit(String),
}

/// Runs the sub-command.
///
/// # Errors
/// Fails when a file cannot be read or written, or the data do not suffice for the fit.
pub fn run(args: &FitArgs, out: &mut dyn Write) -> Result<Exit, FitError> {
    match &args.command {
        FitCommand::Weights(args) => weights::run(args),
        FitCommand::Wdl(args) => wdl::run(args, out),
    }
}
