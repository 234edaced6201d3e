//! `quevedo datagen`: games of the engine against itself, which a network learns from.
//!
//! - [`mod@format`] and `reader`: the files, in the format that the community's trainers read;
//! - `recipe`, `adjudication`, `game`: how a game begins, goes on, and ends;
//! - `run_file`, `generate`: a run, which can be broken off at any moment and continued;
//! - `files`, `health`: looking at files, and putting them together;
//!
//! A game follows from the run's recipe and its own number and the engine, and from nothing else: with the
//! same seed it is the same game on any number of threads and any machine. Only the order in which games are written
//! depends on that. Runs with different seeds, on one machine or many, are put together by `merge`.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod adjudication;
pub(super) mod files;
mod game;
mod generate;
mod harvest;
mod health;
mod recipe;
mod run_file;

use std::io;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use thiserror::Error;

use super::ToolError;
use crate::games::{filter, format, reader};
use format::GameError;
use game::PlayError;
use recipe::Recipe;

/// Plays games against itself for a network to learn from, and looks after the files of them
///
/// A run can be broken off at any moment, and is continued by the same command.
#[derive(Clone, Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<FileCommand>,
    #[command(flatten)]
    target: Option<Target>,
    #[command(flatten)]
    recipe: Recipe,
}

/// What to do with files that are there.
#[derive(Clone, Debug, Subcommand)]
enum FileCommand {
    /// Show how many games and positions there are, and whether they look healthy
    Info(health::InfoArgs),
    /// Play through every game; says where the first fault is
    Verify(files::VerifyArgs),
    /// Put the games of files into a random order
    Shuffle(files::ShuffleArgs),
    /// Put the games of files into one file, each game once
    Merge(files::MergeArgs),
    /// Write quiet positions as text, FEN;RESULT;SCORE, for `fit weights`
    Export(files::ExportArgs),
    /// Make a suite of positions in which a shallow search and a deep one disagree
    Harvest(Box<harvest::HarvestArgs>),
}

/// How much to generate, and where to.
#[derive(Clone, Debug, clap::Args)]
pub struct Target {
    /// Stop when the file holds this many positions
    #[arg(long, value_name = "N")]
    pub positions: u64,
    /// The file that games are added to; it and its directory need not be there yet
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Stop when the file holds this many games, too
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// Games to play at once; as many as the machine has threads if not given
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
}

/// Why `datagen` came to nothing.
#[derive(Debug, Error)]
pub enum DatagenError {
    /// Something that all tools may meet.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// Neither a run nor a sub-command was asked for.
    #[error("--positions and --out, or a sub-command, expected; see quevedo help datagen")]
    Nothing,
    /// The engine cannot be used.
    #[error("engine: {0}")]
    Engine(String),
    /// A search of `harvest` failed.
    #[error("{epd}: {reason}")]
    Search {
        /// The position.
        epd: String,
        /// The reason.
        reason: String,
    },
    /// The engine failed.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// A game is not what it should be.
    #[error("{}: byte {offset}: game {number}: {error}", path.display())]
    BadGame {
        /// The file.
        path: PathBuf,
        /// Bytes from its beginning.
        offset: u64,
        /// The game's number in the file, from 1.
        number: u64,
        /// What is wrong.
        error: GameError,
    },
    /// The last game of a file is not complete.
    #[error("{}: byte {offset}: the last game has no end; datagen cuts it off when it goes on with the file", path.display())]
    Cut {
        /// The file.
        path: PathBuf,
        /// Where that game begins: bytes from the beginning of the file.
        offset: u64,
    },
    /// Two runs want to write to one file.
    #[error("{}: another process is generating into this file", .0.display())]
    InUse(PathBuf),
    /// It is not known which games are in the file.
    #[error("{}: {source}; it says which games have been played, and without it a run cannot go on: write to another file and merge", path.display())]
    NoRun {
        /// The file beside the games.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file beside the games makes no sense.
    #[error("{}: no next-game at its end: write to another file and merge", .0.display())]
    DamagedRun(PathBuf),
    /// The file was begun with another recipe.
    #[error("{}: the file was begun with {found:?}, not {asked:?}: write to another file and merge", path.display())]
    OtherRecipe {
        /// The file beside the games.
        path: PathBuf,
        /// What it says.
        found: String,
        /// What was asked for.
        asked: String,
    },
    /// The tablebases are not there.
    #[error("tablebases: {0}")]
    Tablebases(String),
    /// Signals cannot be caught.
    #[error(transparent)]
    Signals(#[from] ctrlc::Error),
}

impl DatagenError {
    fn io(path: &Path, source: io::Error) -> DatagenError {
        DatagenError::Tool(ToolError::Io {
            what: path.display().to_string(),
            source,
        })
    }

    fn bad_game(path: &Path, offset: u64, number: u64, error: GameError) -> DatagenError {
        DatagenError::BadGame {
            path: path.to_owned(),
            offset: offset + error.offset() as u64,
            number,
            error,
        }
    }
}

/// Runs the sub-command.
///
/// # Errors
/// When a file cannot be used or is damaged, or the engine fails.
pub fn run(args: &Args) -> Result<(), DatagenError> {
    match (&args.command, &args.target) {
        (None, Some(target)) => generate::run(target, &args.recipe),
        (None, None) => Err(DatagenError::Nothing),
        (Some(FileCommand::Info(args)), _) => health::run(args, &mut io::stdout()),
        (Some(FileCommand::Verify(args)), _) => files::verify(args, &mut io::stdout()),
        (Some(FileCommand::Shuffle(args)), _) => files::shuffle(args),
        (Some(FileCommand::Merge(args)), _) => files::merge(args),
        (Some(FileCommand::Export(args)), _) => files::export(args),
        (Some(FileCommand::Harvest(args)), _) => harvest::run(args, &mut io::stdout()),
    }
}

#[cfg(test)]
mod format_tests;
#[cfg(test)]
mod tests;
