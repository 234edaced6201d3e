//! `quevedo datagen`: self-play games for the training of a network.
//!
//! - [`mod@format`] and `reader`: the files, in the format that the community's trainers read;
//! - `recipe`, `adjudication`, `game`: how a game begins, goes on, and ends;
//! - `run_file`, `generate`: a run, which can be broken off at any moment and continued;
//! - `files`, `health`: looking at files, and putting them together;
//! - `import`: games in PGN;
//! - `label`: labels for positions near those of games;
//! - `harvest`: positions that searches find hard.
//!
//! A game follows from the run's recipe and its own number and the engine, and from nothing else:
//! with the same seed it is the same game on any number of threads and any machine. Only the order
//! in which games are written depends on that. Runs with different seeds, on one machine or many,
//! are put together by `merge`.

mod adjudication;
pub(super) mod files;
mod game;
mod generate;
mod harvest;
mod health;
mod import;
mod label;
mod recipe;
mod run_file;

use std::io;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use thiserror::Error;

use super::{Exit, ToolError};
use crate::games::openings::OpeningError;
use crate::games::{filter, format, reader};
use crate::tools::kit::args::file_path;
use crate::train::TrainError;
use format::GameError;
pub use game::PlayError;
use recipe::Recipe;

/// Generate self-play games for training, and manage their files
///
/// Interrupted runs resume with the same command.
#[derive(Clone, Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct DatagenArgs {
    #[command(subcommand)]
    command: Option<FileCommand>,
    #[command(flatten)]
    target: Option<GenerationTarget>,
    #[command(flatten)]
    recipe: Recipe,
}

/// Work on existing files.
#[derive(Clone, Debug, Subcommand)]
enum FileCommand {
    /// Show statistics of games, and whether they suit training
    Info(files::GameFiles),
    /// Replay every game and report the first fault
    Verify(files::GameFiles),
    /// Write the games of files in random order
    Shuffle(files::ShuffleArgs),
    /// Merge files into one, with each game once and without damaged ones
    Merge(files::MergeGamesArgs),
    /// Write quiet positions as text, FEN;RESULT;SCORE, for `fit weights`
    Export(files::ExportArgs),
    /// Write positions and neighbours of theirs in binary records, for a teacher to label (`train
    /// --labels`)
    Pack(files::PackArgs),
    /// Search neighbours of positions of games, and write the scores as labels (`train --labels`)
    Label(label::LabelArgs),
    Import(import::ImportArgs),
    Harvest(Box<harvest::HarvestArgs>),
}

/// The amount of games to generate, and the output.
#[derive(Clone, Debug, clap::Args)]
pub struct GenerationTarget {
    /// Stop when the file has this many positions
    #[arg(long, value_name = "N")]
    pub positions: u64,
    /// The file to which games are added; it is created if necessary, with its directory
    #[arg(long, value_name = "FILE", value_parser = file_path())]
    pub out: PathBuf,
    /// Stop when the file has this many games
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// Games to play at once [default: the threads of the machine]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// Errors returned by `datagen`.
#[derive(Debug, Error)]
pub enum DatagenError {
    /// An error that several tools share.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// Neither a run nor a sub-command was requested, which the parser of the arguments refuses.
    #[error("expected --positions and --out, or a sub-command; see quevedo help datagen")]
    Nothing,
    /// A file does not hold a single complete game.
    #[error("{}: no game found: expected games in viriformat, as datagen writes them, not PGN", .0.display())]
    NotGames(PathBuf),
    /// No game of a PGN file has scores.
    #[error(
        "no game with scores found: expected a score and a depth in the comment of each move, as in {{+0.35/12}}"
    )]
    NoScores,
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
    /// A game is invalid.
    #[error("{}: byte {offset}: game {number}: {error}", path.display())]
    BadGame {
        /// The file.
        path: PathBuf,
        /// The offset in bytes.
        offset: u64,
        /// The number of the game in the file, from 1.
        number: u64,
        /// The reason.
        error: GameError,
    },
    /// The last game of a file is incomplete.
    #[error("{}: byte {offset}: the last game is incomplete; datagen removes it when it resumes the file", path.display())]
    Cut {
        /// The file.
        path: PathBuf,
        /// The offset of that game in bytes.
        offset: u64,
    },
    /// The file beside the games, which says which have been played, cannot be read.
    #[error("{}: {source}; without this file a run cannot resume; write to another file and merge", path.display())]
    NoRun {
        /// The file beside the games.
        path: PathBuf,
        /// The error of the system.
        source: io::Error,
    },
    /// The file beside the games is damaged.
    #[error("{}: no next-game at its end: write to another file and merge", .0.display())]
    DamagedRun(PathBuf),
    /// The file belongs to another recipe.
    #[error("{}: the file has {found:?}, not {asked:?}; write to another file and merge", path.display())]
    OtherRecipe {
        /// The file beside the games.
        path: PathBuf,
        /// The recipe of the file.
        found: String,
        /// The requested recipe.
        asked: String,
    },
    /// A file of labels is not one that the run can continue.
    #[error("{}: {why}; move these labels away", path.display())]
    OtherLabels {
        /// The file of labels.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// A line of the file of openings is not a position.
    #[error("{}: {error}", path.display())]
    Opening {
        /// The file.
        path: PathBuf,
        /// The line, and the reason.
        error: OpeningError,
    },
    /// A setting of the lambda-returns is out of range.
    #[error(transparent)]
    Setting(#[from] TrainError),
    /// The tablebases cannot be loaded.
    #[error("tablebases: {0}")]
    Tablebases(String),
    /// Signals cannot be handled.
    #[error(transparent)]
    Signals(#[from] ctrlc::Error),
}

impl DatagenError {
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
/// Fails when a file cannot be used or is damaged, or the engine fails.
pub fn run(args: &DatagenArgs) -> Result<Exit, DatagenError> {
    let command = match (&args.command, &args.target) {
        (Some(command), _) => command,
        (None, Some(target)) => return generate::run(target, &args.recipe),
        (None, None) => return Err(DatagenError::Nothing),
    };
    let out = &mut io::stdout();
    match command {
        FileCommand::Harvest(args) => harvest::run(args, out),
        FileCommand::Label(args) => label::run(args),
        FileCommand::Info(args) => health::run(args, out),
        FileCommand::Verify(args) => files::verify(args, out),
        FileCommand::Shuffle(args) => files::shuffle(args),
        FileCommand::Merge(args) => files::merge(args),
        FileCommand::Export(args) => files::export(args),
        FileCommand::Pack(args) => files::pack(args),
        FileCommand::Import(args) => import::run(args),
    }
}

#[cfg(test)]
mod tests;
