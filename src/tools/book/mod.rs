//! `quevedo book`: opening books in the Polyglot format.
//!
//! - `draft`: a book that is being made, and how it is written;
//! - `pgn`, `epd`, `lines`: what it is made from; `build` puts them together;
//! - `graph`: the positions of a book that play from the initial position reaches;
//! - `judge`, `scores`, `weigh`: what the search says about each of them, and the weights that follow;
//! - `exits`: where the book leaves a game;
//! - `look`, `merge`: books that are there.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod build;
mod draft;
mod epd;
mod eval;
mod exits;
mod graph;
mod judge;
mod lines;
mod look;
mod merge;
mod pgn;
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

/// Makes opening books in the Polyglot format, and looks after them
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Clone, Debug, Subcommand)]
enum Command {
    /// Make a book from games (PGN), positions (EPD) and opening lines (TSV)
    Build(build::BuildArgs),
    /// Weigh the moves of a book by search, and leave out the bad ones
    Eval(eval::EvalArgs),
    /// Show what is in a book
    Info(look::InfoArgs),
    /// Show the moves that a book has for positions
    Probe(look::ProbeArgs),
    /// Put books together into one, sorted, each move once
    Merge(merge::MergeArgs),
    /// Write every entry of a book as text
    Dump(look::DumpArgs),
    /// Check a book: size, order, and that each move is legal
    Verify(look::VerifyArgs),
    /// Search the positions in which the book leaves the game, and write them as openings for matches
    Exits(exits::ExitsArgs),
    /// Write opening lines in the form that book/lines.tsv has
    Lines(lines::LinesArgs),
}

/// Why `book` came to nothing.
#[derive(Debug, Error)]
pub enum BookToolError {
    /// Something that all tools may meet.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// A file is no book.
    #[error("{}: {source}", path.display())]
    Book {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: BookError,
    },
    /// The program carries no book.
    #[error("the embedded book: {0}")]
    Embedded(BookError),
    /// Options that do not go together.
    #[error("{0}")]
    Usage(&'static str),
    /// It is not known what a file holds.
    #[error("{}: a file of games (.pgn), positions (.epd) or opening lines (.tsv) expected", .0.display())]
    UnknownInput(PathBuf),
    /// A line of text makes no sense.
    #[error("{}: line {line}: {reason}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line's number, from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// Nothing is left to write.
    #[error("no move is left: there is no book to write{0}")]
    NothingLeft(&'static str),
    /// A search failed.
    #[error("{fen}: {message}")]
    Search {
        /// Where.
        fen: String,
        /// What it said.
        message: String,
    },
    /// A book has faults.
    #[error("{}: {faults} faults", path.display())]
    Faults {
        /// The file.
        path: PathBuf,
        /// How many.
        faults: usize,
    },
    /// A book leaves games in positions that one side likes too much.
    #[error("{bad} of {exits} exits are not within {within} centipawns")]
    BadExits {
        /// How many of them.
        bad: usize,
        /// How many there are.
        exits: usize,
        /// The bound.
        within: i32,
    },
}

impl BookToolError {
    fn io(path: &Path, source: io::Error) -> BookToolError {
        BookToolError::Tool(ToolError::Io {
            what: path.display().to_string(),
            source,
        })
    }
}

/// Runs the sub-command.
///
/// # Errors
/// When a file cannot be used or is damaged, or a search fails.
pub fn run(args: &Args) -> Result<(), BookToolError> {
    let out = &mut io::stdout();
    match &args.command {
        Command::Build(args) => build::run(args),
        Command::Eval(args) => eval::run(args),
        Command::Info(args) => look::info(args, out),
        Command::Probe(args) => look::probe(args, io::stdin().lock(), out),
        Command::Merge(args) => merge::run(args),
        Command::Dump(args) => look::dump(args, out),
        Command::Verify(args) => look::verify(args, out),
        Command::Exits(args) => exits::run(args, out),
        Command::Lines(args) => lines::run(args),
    }
}

/// Opens a book; the embedded one when there is no path.
fn open(path: Option<&Path>) -> Result<Book, BookToolError> {
    match path {
        None => Book::embedded().map_err(BookToolError::Embedded),
        Some(path) => Book::open(path).map_err(|source| BookToolError::Book {
            path: path.to_owned(),
            source,
        }),
    }
}

/// Writes a whole file, or leaves the one that is there.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), BookToolError> {
    atomic_write::replace(path, bytes).map_err(|source| BookToolError::io(path, source))
}

#[cfg(test)]
mod tests;
