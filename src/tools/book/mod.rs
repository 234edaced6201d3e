//! `quevedo book`: opening books in the Polyglot format.
//!
//! - `builder`: collects the moves of a book and writes it;
//! - `pgn`, `epd`, `lines`: the sources of `build`;
//! - `graph`: the positions of a book that can be reached from the initial position;
//! - `score_positions`, `scores`, `weigh`, `eval`: scores by search, and the weights that follow
//!   from them;
//! - `leaves`: the positions in which the book ends;
//! - `inspect`, `merge`: existing books.

mod build;
mod builder;
mod epd;
mod eval;
mod graph;
mod inspect;
mod leaves;
mod lines;
mod merge;
mod pgn;
mod score_positions;
mod scores;
mod weigh;

use std::io;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use thiserror::Error;

use super::ToolError;
use super::kit::atomic_write;
use super::kit::progress::say;
use crate::book::{Book, BookError};

/// Builds, inspects and merges opening books in the Polyglot format
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Debug, Subcommand)]
enum Command {
    /// Make a book from games (PGN), positions (EPD) and opening lines (TSV)
    Build(build::BuildArgs),
    /// Weigh the moves of a book by search and remove the bad ones
    Eval(eval::EvalArgs),
    /// Show the size and contents of a book
    Info(inspect::InfoArgs),
    /// Show the moves of a book in positions
    Probe(inspect::ProbeArgs),
    /// Merge books into one, sorted, with each move once
    Merge(merge::MergeArgs),
    /// Write every entry of a book as text
    Dump(inspect::DumpArgs),
    /// Check a book: size, order, and that each move is legal
    Verify(inspect::VerifyArgs),
    /// Search the leaves of a book, the positions in which it ends, or write them as openings for
    /// matches
    Leaves(leaves::LeavesArgs),
}

/// Errors returned by `book`.
#[derive(Debug, Error)]
pub enum BookToolError {
    /// An error that several tools share.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// A file is not a book.
    #[error("{}: {source}", path.display())]
    Book {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: BookError,
    },
    /// The embedded book cannot be used.
    #[error("the embedded book: {0}")]
    Embedded(BookError),
    /// Options contradict each other.
    #[error("{0}")]
    Usage(&'static str),
    /// The extension of a file is unknown.
    #[error("{}: expected a file of games (.pgn), positions (.epd) or opening lines (.tsv)", .0.display())]
    UnknownInput(PathBuf),
    /// A line of a text file cannot be parsed.
    #[error("{}: line {line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// The reason.
        reason: String,
    },
    /// The book would be empty.
    #[error("the book would be empty{0}")]
    NothingLeft(&'static str),
    /// A search failed.
    #[error("{fen}: {message}")]
    Search {
        /// The position.
        fen: String,
        /// The message of the search.
        message: String,
    },
    /// A book has faults.
    #[error("{}: {faults} faults", path.display())]
    Faults {
        /// The file.
        path: PathBuf,
        /// The number of faults.
        faults: usize,
    },
    /// A book ends in positions that are too good for one side.
    #[error("{bad} of {leaves} leaves are not within {within} centipawns")]
    UnbalancedLeaves {
        /// The number of such leaves.
        bad: usize,
        /// The number of leaves.
        leaves: usize,
        /// The bound.
        within: i32,
    },
}

impl BookToolError {
    fn io(path: &Path, source: io::Error) -> BookToolError {
        BookToolError::Tool(ToolError::file(path, source))
    }
}

/// Runs the sub-command.
///
/// # Errors
/// Fails when a file cannot be used or is damaged, or a search fails.
pub fn run(args: &Args) -> Result<(), BookToolError> {
    let out = &mut io::stdout();
    match &args.command {
        Command::Build(args) => build::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Info(args) => inspect::info(args, out),
        Command::Probe(args) => inspect::probe(args, io::stdin().lock(), out),
        Command::Merge(args) => merge::run(args),
        Command::Dump(args) => inspect::dump(args, out),
        Command::Verify(args) => inspect::verify(args, out),
        Command::Leaves(args) => leaves::run(args, out),
    }
}

/// Opens a book, or the embedded one without a path.
fn open(path: Option<&Path>) -> Result<Book, BookToolError> {
    match path {
        None => Book::embedded().map_err(BookToolError::Embedded),
        Some(path) => Book::open(path).map_err(|source| BookToolError::Book {
            path: path.to_owned(),
            source,
        }),
    }
}

/// Replaces a file, or leaves the existing one after a failure.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), BookToolError> {
    atomic_write::replace(path, bytes).map_err(|source| BookToolError::io(path, source))
}

#[cfg(test)]
mod tests;
