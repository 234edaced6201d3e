//! `quevedo analyse`: games of a PGN file with evaluations, better lines and marks, as PGN and as a page to step through.
//!
//! - `analyst`: the engine evaluates each position of a game once;
//! - `evaluation`, `annotate`: what that says about the moves;
//! - `page`: annotated PGN text becomes a page;
//! - `run`, `output`: a run, which can be broken off at any moment and continued.
//!
//! With a limit in nodes or depth and one thread for each search, a game's analysis follows from the game and the engine
//! alone: on any number of games at once, and continued or not, the output is the same.

mod analyst;
mod annotate;
mod evaluation;
mod output;
mod page;
mod run;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

use super::ToolError;
use crate::search::limits::Limits;

pub use annotate::{Lines, Style};
pub use evaluation::Thresholds;
pub use run::run;

/// How long to think about each position when no limit is given, in milliseconds.
const DEFAULT_MOVETIME: u64 = 500;

/// The hash table of each game in work, in MiB.
const DEFAULT_HASH: usize = 64;

/// Annotates the games of a PGN file with evaluations, better lines, and marks for mistakes
///
/// A move is marked by what it gives away of what its side could expect from the game, where a win counts 100 %, a draw
/// half of that, and the chances follow from the evaluation: 10 % is dubious (?!), 20 % a mistake (?), 30 % a blunder (??).
///
/// A run with --out that was broken off goes on where it stopped when the same command is given again, without --overwrite.
#[derive(Clone, Debug, clap::Args)]
pub struct AnalyseArgs {
    /// The games; - for standard input
    #[arg(value_name = "GAMES.pgn")]
    pub input: PathBuf,
    /// Where the annotated games go; - for standard output. A file that is there already is gone on with
    #[arg(long, value_name = "FILE", default_value = "-")]
    pub out: PathBuf,
    /// Write a page to step through the games, too; it works from the file and needs no network
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Replace the file that is there already
    #[arg(long)]
    pub overwrite: bool,
    /// Begin with this game, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub first: u64,
    /// Analyse at most so many games
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// How each position is searched
    #[command(flatten)]
    pub search: SearchArgs,
    /// What is written
    #[command(flatten)]
    pub style: Style,
    /// Games to analyse at once; as many as the machine has threads for if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
}

/// How each position is searched.
#[derive(Clone, Debug, clap::Args)]
pub struct SearchArgs {
    /// Milliseconds for each position; 500 if no limit is given
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    pub movetime: Option<u64>,
    /// Nodes for each position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Depth for each position, in plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// Search threads for each game; more than one is of use when there are fewer games than cores
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// The hash table of each game in work, in MiB
    #[arg(long, value_name = "MIB", default_value_t = DEFAULT_HASH, value_parser = clap::builder::RangedU64ValueParser::<usize>::new().range(1..=1_048_576))]
    pub hash: usize,
    /// Directories with Syzygy tablebases
    #[arg(long, value_name = "PATH")]
    pub syzygy: Option<String>,
}

impl SearchArgs {
    fn movetime(&self) -> Option<u64> {
        let has_other = self.nodes.is_some() || self.depth.is_some();
        self.movetime.or((!has_other).then_some(DEFAULT_MOVETIME))
    }

    fn limits(&self) -> Limits {
        Limits {
            movetime: self.movetime().map(Duration::from_millis),
            nodes: self.nodes,
            depth: self.depth,
            ..Limits::default()
        }
    }
}

impl AnalyseArgs {
    /// How to go on with a run that was broken off, as the end of a sentence. Nothing is known of what has gone to standard
    /// output.
    fn advice(&self) -> &'static str {
        if is_standard(&self.out) {
            ""
        } else if self.overwrite {
            "; the same command without --overwrite goes on with the next one"
        } else {
            "; the same command goes on with the next one"
        }
    }

    /// Who annotated the games and how, as the `Annotator` tag says it.
    fn annotator(&self) -> String {
        let search = &self.search;
        let mut text = concat!("Quevedo ", env!("CARGO_PKG_VERSION")).to_owned();
        for (limit, unit) in [
            (search.depth.map(u64::from), "plies"),
            (search.nodes, "nodes"),
            (search.movetime(), "ms"),
        ] {
            if let Some(limit) = limit {
                text.push_str(&format!(", {limit} {unit}"));
            }
        }
        if search.hash != DEFAULT_HASH {
            text.push_str(&format!(", {} MiB", search.hash));
        }
        if search.threads > 1 {
            text.push_str(&format!(", {} threads", search.threads));
        }
        if search.syzygy.is_some() {
            text.push_str(", tablebases");
        }
        text.push_str(&self.style.to_string());
        text
    }
}

/// Why `analyse` came to nothing.
#[derive(Debug, Error)]
pub enum AnalyseError {
    /// Something that all tools may meet.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// A file is to be two things at once.
    #[error("{}: input, output and page have to be different files", .0.display())]
    SameFile(PathBuf),
    /// Two runs want to write to one file.
    #[error("{}: another process is writing to this file", .0.display())]
    InUse(PathBuf),
    /// The output holds something else than the analysis of these games.
    #[error("{}: {reason}: write to another file, or replace this one with --overwrite", path.display())]
    OtherGames {
        /// The file.
        path: PathBuf,
        /// What is in it.
        reason: String,
    },
    /// The engine failed.
    #[error("game {number}: the search failed: {message}")]
    Search {
        /// The game's number in the source, from 1.
        number: u64,
        /// What the engine said.
        message: String,
    },
    /// The tablebases are not there.
    #[error("tablebases: {0}")]
    Tablebases(String),
    /// It was told to stop.
    #[error("broken off after {done} games{advice}")]
    BrokenOff {
        /// Games in the output.
        done: u64,
        /// How to go on with it, where that can be done.
        advice: &'static str,
    },
    /// Signals cannot be caught.
    #[error(transparent)]
    Signals(#[from] ctrlc::Error),
}

impl AnalyseError {
    fn io(path: &Path, source: io::Error) -> AnalyseError {
        let what = if is_standard(path) {
            "standard input or output".to_owned()
        } else {
            path.display().to_string()
        };
        AnalyseError::Tool(ToolError::Io { what, source })
    }
}

/// Whether a path stands for standard input or output.
fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}
