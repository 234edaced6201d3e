//! `quevedo lab`: the classical game-tree algorithms side by side, on small games and on chess.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod algorithm_args;
mod compare;
mod demo;
mod game_args;
mod growth;
mod play;
mod solve;
#[cfg(test)]
mod tests;
mod tree;

use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use clap::Subcommand;
use serde::Serialize;
use thiserror::Error;

use crate::lab::drawing::tree::TooLarge;
use crate::lab::games::eight_puzzle::PuzzleError;
use crate::lab::games::explicit::TreeError;
use crate::lab::search::Halt;
use crate::position::notation::FenError;

/// Compares the classical game-tree algorithms, on small games and on chess
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: LabCommand,
}

#[derive(Clone, Debug, Subcommand)]
enum LabCommand {
    /// Run algorithms on one position and show what each of them did
    Compare(compare::CompareArgs),
    /// Show what a game is worth, and how it is played best
    Solve(solve::SolveArgs),
    /// Play a small game against an algorithm, here in the terminal
    Play(play::PlayArgs),
    /// Draw a game's tree and what an algorithm did in it
    Tree(tree::TreeArgs),
    /// Show how the number of leaves grows with the depth
    Growth(growth::GrowthArgs),
    /// Show a lesson: what scale, chance and cooperation do
    Demo(demo::DemoArgs),
    /// List the algorithms, with their Spanish names
    Algorithms(algorithm_args::ListArgs),
}

/// Why `lab` came to nothing.
#[derive(Debug, Error)]
pub enum LabError {
    /// Arguments that do not go together or mean nothing.
    #[error("{0}")]
    Usage(String),
    /// The text is not a position.
    #[error("--fen {fen:?}: {source}")]
    Fen {
        /// What was given.
        fen: String,
        /// What is wrong with it.
        source: FenError,
    },
    /// A file is no tree.
    #[error("{}: {source}", path.display())]
    Tree {
        /// The file.
        path: PathBuf,
        /// What is wrong with it, and where.
        source: TreeError,
    },
    /// The text is no puzzle.
    #[error("--tiles {tiles:?}: {source}")]
    Puzzle {
        /// What was given.
        tiles: String,
        /// What is wrong with it.
        source: PuzzleError,
    },
    /// There is too much to draw.
    #[error("{0}; give a smaller --depth")]
    TooLarge(#[from] TooLarge),
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// An algorithm did not come to an end.
    #[error("{algorithm}: {halt}; give a smaller --depth, or more --seconds or --memory")]
    Halt {
        /// Its name.
        algorithm: &'static str,
        /// Why.
        halt: Halt,
    },
    /// The output cannot be written to.
    #[error("output: {0}")]
    Output(#[from] io::Error),
}

impl LabError {
    /// Whether what was asked for makes no sense, rather than that it failed.
    pub fn is_bad_usage(&self) -> bool {
        matches!(
            self,
            LabError::Usage(_)
                | LabError::Fen { .. }
                | LabError::Tree { .. }
                | LabError::Puzzle { .. }
                | LabError::TooLarge(_)
        )
    }
}

/// Whether exact algorithms have found the same.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// They have, or there was nothing to compare.
    Agreement,
    /// They have not, which is an error in one of them.
    Disagreement,
}

/// Runs the sub-command.
///
/// # Errors
/// When what is asked for makes no sense, takes too much, or cannot be read or written.
pub fn run(args: &Args, input: &mut dyn BufRead, out: &mut dyn Write) -> Result<Verdict, LabError> {
    match &args.command {
        LabCommand::Compare(args) => return compare::run(args, out),
        LabCommand::Solve(args) => solve::run(args, out)?,
        LabCommand::Play(args) => play::run(args, input, out)?,
        LabCommand::Tree(args) => tree::run(args, out)?,
        LabCommand::Growth(args) => growth::run(args, out)?,
        LabCommand::Demo(args) => demo::run(args, out)?,
        LabCommand::Algorithms(args) => algorithm_args::list(args, out)?,
    }
    Ok(Verdict::Agreement)
}

/// Writes a value as JSON.
fn print_json(out: &mut dyn Write, value: &impl Serialize) -> Result<(), LabError> {
    let text = serde_json::to_string_pretty(value).map_err(io::Error::from)?;
    writeln!(out, "{text}")?;
    Ok(())
}

/// Writes a table: the first column to the left, the others to the right, the last, which may be long, as it is.
fn print_table(out: &mut dyn Write, rows: &[Vec<String>]) -> Result<(), LabError> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let width = width(column);
            line += &match column {
                0 => format!("{cell:<width$}"),
                _ if column + 1 == columns => format!("  {cell}"),
                _ => format!("  {cell:>width$}"),
            };
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// Writes a picture to a file, or to the output if the file is called `-`.
fn write_picture(out: &mut dyn Write, path: &Path, picture: &str) -> Result<(), LabError> {
    if path.as_os_str() == "-" {
        out.write_all(picture.as_bytes())?;
        return Ok(());
    }
    std::fs::write(path, picture).map_err(|source| LabError::File {
        path: path.to_owned(),
        source,
    })
}
