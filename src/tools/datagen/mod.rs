//! `quevedo datagen`: games of the engine against itself, which a network learns from.
//!
//! - [`format`]: the files, in the format that the community's trainers read;
//! - `openings`, `line`, `adjudication`, `game`: how a game begins, goes on, and ends;
//! - `run_file`, `generate`, `progress`: a run, which can be broken off at any moment and continued;
//! - `files`, `health`: looking at files, and putting them together;
//! - [`genfens`]: openings for other programs.
//!
//! A game follows from the run's seed and its own number, the settings and the engine, and from nothing else: with the
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
mod files;
mod filter;
pub mod format;
mod game;
mod generate;
pub mod genfens;
mod health;
mod line;
mod openings;
mod progress;
mod run_file;

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use thiserror::Error;

use super::ToolError;
use adjudication::Rules;
use format::GameError;
use game::PlayError;
use openings::OpeningRules;

/// Plays games against itself for a network to learn from, and looks after the files of them
///
/// A run can be broken off at any moment, and is continued by the same command.
#[derive(Clone, Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Args {
    #[command(subcommand)]
    command: Option<FileCommand>,
    #[command(flatten)]
    generate: Option<GenerateArgs>,
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
    /// Write quiet positions as text, FEN;RESULT;SCORE, for `tune`
    Export(files::ExportArgs),
}

/// What to generate.
#[derive(Clone, Debug, clap::Args)]
pub struct GenerateArgs {
    /// Stop when the file holds this many positions
    #[arg(long, value_name = "N")]
    pub positions: u64,
    /// The file that games are added to
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Nodes for each move; the iteration begun before is finished
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    /// Games to play at once; as many as the machine has threads if not given
    #[arg(long, value_name = "N")]
    pub threads: Option<usize>,
    /// What everything random follows from; runs that are to be merged have different ones
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Stop when the file holds this many games, too
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// How games begin
    #[command(flatten)]
    pub opening: OpeningRules,
    /// An opening whose score is larger than this many centipawns is thrown away
    #[arg(long, value_name = "CP", default_value_t = 500)]
    pub exit_score: u16,
    /// Nodes for the first move, and for that score
    #[arg(long, value_name = "N", default_value_t = 15_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub exit_nodes: u64,
    /// How games end
    #[command(flatten)]
    pub rules: Rules,
    /// Directories with Syzygy tablebases, which end games of few men
    #[arg(long, value_name = "PATH")]
    pub syzygy: Option<String>,
    /// The hash table of each game in play, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 4, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=65_536))]
    pub hash: usize,
}

impl GenerateArgs {
    /// What games depend on, a line for each, for the file beside the games.
    fn settings(&self) -> String {
        let (opening, rules) = (&self.opening, &self.rules);
        let mut text = String::new();
        // Writing to a String cannot fail.
        for (name, value) in [
            ("seed", self.seed),
            ("nodes", self.nodes),
            ("random-plies", opening.random_plies.into()),
            ("exit-score", self.exit_score.into()),
            ("exit-nodes", self.exit_nodes),
            ("win-score", rules.win_score.into()),
            ("win-plies", rules.win_plies.into()),
            ("draw-score", rules.draw_score.into()),
            ("draw-plies", rules.draw_plies.into()),
            ("draw-after", rules.draw_after.into()),
            ("max-plies", rules.max_plies.into()),
            ("hash", self.hash as u64),
        ] {
            let _ = writeln!(text, "{name} {value}");
        }
        let _ = writeln!(text, "chess960-share {}", opening.chess960_share);
        let syzygy = if self.syzygy.is_some() { "yes" } else { "no" };
        let _ = writeln!(text, "syzygy {syzygy}");
        text
    }
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
    /// The file was begun with other settings.
    #[error("{}: the file was begun with {found:?}, not {asked:?}: write to another file and merge", path.display())]
    OtherSettings {
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
    match (&args.command, &args.generate) {
        (None, Some(generate)) => generate::run(generate),
        (None, None) => Err(DatagenError::Nothing),
        (Some(FileCommand::Info(args)), _) => health::run(args, &mut io::stdout()),
        (Some(FileCommand::Verify(args)), _) => files::verify(args, &mut io::stdout()),
        (Some(FileCommand::Shuffle(args)), _) => files::shuffle(args),
        (Some(FileCommand::Merge(args)), _) => files::merge(args),
        (Some(FileCommand::Export(args)), _) => files::export(args),
    }
}

#[cfg(test)]
mod tests;
