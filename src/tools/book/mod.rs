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

use super::kit::progress::say;
use super::{Exit, ToolError};
use crate::book::{Book, BookError};
use crate::plural::count;

/// Builds, inspects and merges opening books in the Polyglot format
#[derive(Clone, Debug, clap::Args)]
pub struct BookArgs {
    #[command(subcommand)]
    command: BookCommand,
}

#[derive(Clone, Debug, Subcommand)]
enum BookCommand {
    /// Make a book from games (PGN), positions (EPD) and opening lines (TSV)
    Build(build::BuildArgs),
    /// Weigh the moves of a book by search and remove the bad ones
    Eval(eval::WeighArgs),
    /// Show the size and contents of a book
    Info(inspect::InspectArgs),
    /// Show the moves of a book in positions
    Probe(inspect::ProbeArgs),
    /// Merge books into one, sorted, with each move once
    Merge(merge::MergeBooksArgs),
    /// Write every entry of a book as text
    Dump(inspect::InspectArgs),
    /// Check a book: size, order, and that each move is legal
    Verify(inspect::InspectArgs),
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
    /// A file has nothing of what it should.
    #[error("{}: expected {expected}", path.display())]
    OtherKind {
        /// The file.
        path: PathBuf,
        /// The expected content.
        expected: &'static str,
    },
    /// A move to probe is not one.
    #[error("{fen}: {message}")]
    Move {
        /// The position.
        fen: String,
        /// The reason.
        message: String,
    },
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
    /// The input is empty or invalid.
    #[error("no game, position or line that could be read")]
    NothingFound,
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
    #[error("{}: {}", path.display(), count(*faults as u64, "fault"))]
    Faults {
        /// The file.
        path: PathBuf,
        /// The number of faults.
        faults: usize,
    },
    /// A book ends in positions that are too good for one side.
    #[error("{bad} of {} not within {within} centipawns", count(*.leaves, "leaf"))]
    UnbalancedLeaves {
        /// The number of such leaves.
        bad: usize,
        /// The number of leaves.
        leaves: usize,
        /// The bound.
        within: i32,
    },
}

/// Runs the sub-command.
///
/// # Errors
/// Fails when a file cannot be used or is damaged, or a search fails.
pub fn run(args: &BookArgs) -> Result<Exit, BookToolError> {
    let out = &mut io::stdout();
    match &args.command {
        BookCommand::Build(args) => return build::run(args),
        BookCommand::Eval(args) => eval::run(args),
        BookCommand::Info(args) => inspect::info(args, out),
        BookCommand::Probe(args) => return inspect::probe(args, io::stdin().lock(), out),
        BookCommand::Merge(args) => merge::run(args),
        BookCommand::Dump(args) => inspect::dump(args, out),
        BookCommand::Verify(args) => inspect::verify(args, out),
        BookCommand::Leaves(args) => leaves::run(args, out),
    }?;
    Ok(Exit::Done)
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

#[cfg(test)]
mod tests;
