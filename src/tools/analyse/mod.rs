//! `quevedo analyse`: annotates games with evaluations, better lines and marks, as PGN and as a
//! page to step through.
//!
//! - `analyst`: an engine evaluates each position of a game;
//! - `evaluation`, `annotate`: marks and better lines follow from the evaluations;
//! - `run`, `selection`, `output`, `journal`: a run, which can be interrupted at any moment and
//!   resumed;
//! - `shard`, `merge`: the parts of a run that is divided between machines;
//! - `move_comment`, `verdict`, `accuracy`, `openings`, `report`: what annotated PGN says;
//! - `documents`, `page`, `tables`: a page, JSON and tables;
//! - `fens`: a list of positions becomes a table.
//!
//! With a limit in nodes or depth and one thread for each search, the analysis of a game depends
//! only on the game and the engine, and not on the number of jobs. The rest of a game whose
//! analysis was interrupted is searched with an empty hash table, unless the whole game is analysed
//! again.

mod accuracy;
mod analyst;
mod annotate;
mod documents;
mod evaluation;
mod fens;
mod journal;
mod merge;
mod move_comment;
mod openings;
mod output;
mod page;
mod report;
mod run;
mod selection;
mod shard;
mod tables;
mod verdict;

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use thiserror::Error;

use super::kit::args::{EngineArgs, EngineSpec, LimitArgs, ResourceArgs, parse_seconds};
use super::kit::engines::NAME;
use super::kit::files::{is_standard, is_stream};
use super::kit::jobs::Shard;
use super::{Exit, ToolError};
use crate::pgn::reader::on_one_line;
use crate::plural::count;
use crate::tablebase::Tablebases;

use journal::Journal;

pub use annotate::{ShownLines, Style};
pub use documents::Documents;
pub use evaluation::Thresholds;
pub use fens::TableFormat;
pub use merge::AnalysisMergeArgs;

/// The time for each position when there is no limit, in milliseconds.
const DEFAULT_MOVETIME: u64 = 500;

/// The default hash table of each job, in MiB.
const DEFAULT_HASH: &str = "64";

/// Annotate the games of a PGN file with evaluations, better lines, and marks for mistakes
///
/// The marks follow from the expected score, which counts a win as 100 % and a draw as 50 %: a move
/// that loses 10 % is dubious (?!), 20 % a mistake (?), 30 % a blunder (??).
///
/// An interrupted run with --out resumes when the same command is given again, without --overwrite.
#[derive(Clone, Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
#[command(mut_arg("hash", |hash| hash.default_value(DEFAULT_HASH)))]
pub struct AnalyseArgs {
    #[command(subcommand)]
    command: Option<AnalyseCommand>,
    #[command(flatten)]
    analysis: AnalysisArgs,
}

/// Other work on analysed games.
#[derive(Clone, Debug, clap::Subcommand)]
enum AnalyseCommand {
    Merge(AnalysisMergeArgs),
}

/// The analysis of games.
#[derive(Clone, Debug, clap::Args)]
pub struct AnalysisArgs {
    /// The games; - for standard input
    #[arg(value_name = "GAMES.pgn")]
    pub input: Option<PathBuf>,
    /// Read a list of FENs, a line each, instead of games, and write a table: score, best move,
    /// line and nodes of each
    #[arg(long, conflicts_with_all = ["html", "csv", "moves", "json", "first", "games", "line_length", "lines", "strip"])]
    pub fens: bool,
    /// The format of the table
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = TableFormat::Csv, requires = "fens")]
    pub format: TableFormat,
    /// Write the annotated games to this file; - for standard output, which is the default. An
    /// existing file is continued; to pipes and devices it only writes
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The other files.
    #[command(flatten)]
    pub documents: Documents,
    /// Replace an existing file of games or positions
    #[arg(long)]
    pub overwrite: bool,
    /// When a run resumes, analyse unfinished games again from the start. With a limit in nodes or
    /// depth, the output then equals that of an uninterrupted run
    #[arg(long, conflicts_with_all = ["overwrite", "fens"])]
    pub redo_unfinished: bool,
    /// Start with this game, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub first: u64,
    /// Analyse at most this many games
    #[arg(long, value_name = "N")]
    pub games: Option<u64>,
    /// Analyse only every N-th game, starting with the I-th; `merge` combines the parts
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// The engine
    #[command(flatten)]
    pub engines: EngineArgs,
    /// The limits of each search; 500 ms if there is none
    #[command(flatten)]
    pub search: LimitArgs,
    /// Threads and memory of each engine
    #[command(flatten)]
    pub resources: ResourceArgs,
    /// Treat the engine as hung after this many seconds [default: 5 s more than --movetime; 600 s
    /// without it, for the engine in this program only with --mate alone]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub timeout: Option<Duration>,
    /// Directories with Syzygy tablebases
    #[arg(long, value_name = "PATH")]
    pub syzygy: Option<String>,
    /// The annotations
    #[command(flatten)]
    pub style: Style,
    /// Games to analyse at once [default: the processor's threads divided by --threads]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub jobs: Option<u32>,
}

/// Runs the sub-command.
///
/// # Errors
/// Fails when a file or the engine cannot be used, the run is interrupted, or a part of the work
/// could not be done. Everything else has been written then.
pub fn run(args: &AnalyseArgs, out: &mut dyn Write) -> Result<Exit, AnalyseError> {
    match &args.command {
        Some(AnalyseCommand::Merge(args)) => merge::run(args, out).map(|()| Exit::Done),
        None => run::run(&args.analysis, out),
    }
}

impl AnalysisArgs {
    /// Returns the path of the games.
    fn input(&self) -> &Path {
        self.input.as_deref().unwrap_or(Path::new("-"))
    }

    /// Returns the path of the output.
    fn out(&self) -> &Path {
        self.out.as_deref().unwrap_or(Path::new("-"))
    }

    /// Returns all files that are written.
    fn outputs(&self) -> Vec<PathBuf> {
        let out = match &self.out {
            None if self.documents.use_standard_output() => None,
            _ => Some(self.out()),
        };
        let mut files: Vec<_> = self
            .documents
            .and(out)
            .into_iter()
            .map(Path::to_owned)
            .collect();
        if !is_stream(self.out()) {
            files.push(Journal::path(self.out()));
        }
        files
    }

    fn limits(&self) -> LimitArgs {
        self.search.clone().or_movetime(DEFAULT_MOVETIME)
    }

    /// Returns the engine with all its options.
    fn engine_spec(&self) -> Result<EngineSpec, AnalyseError> {
        let [spec] = self.engines.0.as_slice() else {
            return Err(AnalyseError::SeveralEngines);
        };
        let mut spec = spec.clone();
        if let Some(path) = &self.syzygy {
            // Missing tables would otherwise be noticed only after a long run.
            if let (None, message) = Tablebases::load(path) {
                return Err(AnalyseError::Tablebases(message));
            }
            spec.options.push(("SyzygyPath".to_owned(), path.clone()));
        }
        Ok(spec)
    }

    /// Returns how to resume an interrupted run, as the end of a sentence. Streams cannot be
    /// resumed.
    fn advice(&self) -> &'static str {
        if is_stream(self.out()) {
            ""
        } else if self.overwrite {
            "; the same command without --overwrite resumes with the next position"
        } else {
            "; the same command resumes with the next position"
        }
    }

    /// Returns the value of the `Annotator` tag: the engine, its limits, and unusual settings.
    fn annotator(&self) -> String {
        let mut text = match self.engines.0.first() {
            Some(spec) if spec.command.is_some() => format!("{spec} in {NAME}"),
            _ => NAME.to_owned(),
        };
        let options = self.engines.0.iter().flat_map(|spec| &spec.options);
        for (name, value) in options {
            text.push_str(&format!(", {name}={value}"));
        }
        let limits = self.limits();
        for (limit, unit) in [
            (limits.depth.map(u64::from), "plies"),
            (limits.nodes, "nodes"),
            (limits.movetime, "ms"),
            (limits.mate.map(u64::from), "moves to mate"),
        ] {
            if let Some(limit) = limit {
                text.push_str(&format!(", {limit} {unit}"));
            }
        }
        let ResourceArgs { threads, hash } = self.resources;
        if hash.to_string() != DEFAULT_HASH {
            text.push_str(&format!(", {hash} MiB"));
        }
        if threads > 1 {
            text.push_str(&format!(", {threads} threads"));
        }
        if self.syzygy.is_some() {
            text.push_str(", tablebases");
        }
        text.push_str(&self.style.to_string());
        // As it will be read from a tag pair.
        on_one_line(&text)
    }
}

/// Errors returned by `analyse`.
#[derive(Debug, Error)]
pub enum AnalyseError {
    /// An error that several tools share.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// No file was named.
    #[error("expected a PGN file, or - for standard input; see quevedo help analyse")]
    NoFile,
    /// A file cannot be merged.
    #[error("{}: {reason}", path.display())]
    Part {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The merged parts are not all.
    #[error("{missing} of {} are missing, the first is {noun} {first} of shard {shard}", count(*total, noun))]
    MissingParts {
        /// `game` or `position`.
        noun: &'static str,
        /// The number of missing ones.
        missing: u64,
        /// Their number in the whole run.
        total: u64,
        /// The number of the first one.
        first: u64,
        /// Its shard.
        shard: Shard,
    },
    /// The output is not an analysis of these games.
    #[error("{}: {reason}: write to another file, or replace this one with --overwrite", path.display())]
    OtherGames {
        /// The file.
        path: PathBuf,
        /// The difference.
        reason: String,
    },
    /// The file is a list of positions.
    #[error("{}: expected games in PGN; --fens analyses a list of positions", .0.display())]
    NotGames(PathBuf),
    /// The engine cannot be used.
    #[error("--engine {command:?}: {reason}")]
    Engine {
        /// Its command.
        command: String,
        /// The reason.
        reason: String,
    },
    /// More than one engine was given.
    #[error("games are analysed by one engine; give --engine once")]
    SeveralEngines,
    /// The engine failed.
    #[error("game {number}: the engine failed: {reason}")]
    Search {
        /// The number of the game in the source, from 1.
        number: u64,
        /// The reason.
        reason: String,
    },
    /// The engine failed at a position of a list.
    #[error("line {number}: the engine failed: {reason}")]
    Line {
        /// The line of the list, from 1.
        number: u64,
        /// The reason.
        reason: String,
    },
    /// There are no tablebases.
    #[error("tablebases: {0}")]
    Tablebases(String),
    /// Lines of a list of FENs could not be read.
    #[error("{} could not be read", count(*.0, "line"))]
    UnreadLines(u64),
    /// The run was interrupted.
    #[error("interrupted after {}{advice}", count(*done, noun))]
    Interrupted {
        /// The games or positions in the output.
        done: u64,
        /// `game` or `position`.
        noun: &'static str,
        /// How to resume, where that is possible.
        advice: &'static str,
    },
    /// Signals cannot be handled.
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
