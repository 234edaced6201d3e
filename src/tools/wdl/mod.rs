//! `quevedo wdl`: fits the [model](crate::wdl::Model) of wins, draws and losses to games of the engine against itself.
//!
//! - `histogram`: how often each score, with each amount of material on the board, went with each result;
//! - `fit`: the most likely model;
//! - `judge`: what it says beside what was seen;
//! - `source`: the model as a file of the program.
//!
//! A score is taken for what it was at the time, by the search that made it: the chances are those between two equal players
//! at the games' nodes a move.
#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod fit;
mod histogram;
mod judge;
mod source;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use thiserror::Error;

use super::ToolError;
use super::datagen::DatagenError;
use super::datagen::files::each_whole_game;
use super::kit::progress::say;
use crate::games::Game;
use fit::Fitted;
use histogram::{Histogram, Selection};
use source::Origin;

/// What `quevedo wdl` is asked.
#[derive(Args, Clone, Debug)]
pub struct WdlArgs {
    /// Files of games as `datagen` writes them
    #[arg(required = true, value_name = "GAMES")]
    pub games: Vec<PathBuf>,
    /// Use positions with a score of at most this many centipawns for either side
    #[arg(long, value_name = "CP", default_value_t = 1000, value_parser = clap::value_parser!(u16).range(100..=10_000))]
    pub max_score: u16,
    /// Use positions from this ply of the recorded game on, counted from 0
    #[arg(long, value_name = "PLY", default_value_t = 8)]
    pub from_ply: usize,
    /// Write the model, as Rust source, to this file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "src/wdl/model.rs")]
    pub write: Option<PathBuf>,
    /// What played the games, for the comment in that file
    #[arg(long, value_name = "WHAT", default_value = "Quevedo", value_parser = one_line)]
    pub of: String,
}

/// Reads a text that can stand in a comment.
fn one_line(text: &str) -> Result<String, String> {
    if text.trim().is_empty() || text.chars().any(char::is_control) {
        return Err("a line of text expected".to_owned());
    }
    Ok(text.trim().to_owned())
}

/// Why there is no model.
#[derive(Debug, Error)]
pub enum WdlError {
    /// Something that all tools may meet.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// The games cannot be read.
    #[error(transparent)]
    Games(#[from] DatagenError),
    /// There are no games.
    #[error("no game in {0} file(s)")]
    NoGames(usize),
    /// No position can be used.
    #[error(
        "{games} games, but no position with a score within {max_score} cp from ply {from_ply} on"
    )]
    NoPositions {
        /// How many games there are.
        games: u64,
        /// The bound that was asked for.
        max_score: u16,
        /// The ply that was asked for.
        from_ply: usize,
    },
    /// A model of three results cannot be fitted to two.
    #[error("games won, drawn and lost by the side ahead are needed; none was {0}")]
    NoSuchResult(&'static str),
    /// Nothing fits.
    #[error("no model fits: {0}; more games, or others, are needed")]
    NoFit(String),
}

/// Fits the model, writes it and shows it.
///
/// # Errors
/// When games cannot be read, nothing fits them, or the model cannot be written.
pub fn run(args: &WdlArgs, out: &mut dyn Write) -> Result<(), WdlError> {
    let histogram = read(args)?;
    let fitted = fit::fit(&histogram.cells())?;
    // Whoever reads the output may be gone, and the file may not be writable: each is done whatever becomes of the other.
    let written = args
        .write
        .as_ref()
        .map_or(Ok(()), |path| write_model(path, args, &histogram, &fitted));
    write!(out, "{}", judge::Judgement::new(&histogram, &fitted)).map_err(ToolError::output)?;
    written
}

/// Writes the model as a file of the program.
fn write_model(
    path: &Path,
    args: &WdlArgs,
    histogram: &Histogram,
    fitted: &Fitted,
) -> Result<(), WdlError> {
    let origin = Origin {
        games: histogram.games,
        positions: histogram.positions,
        of: &args.of,
    };
    std::fs::write(path, source::source(&fitted.model, &origin)).map_err(|source| {
        ToolError::Io {
            what: path.display().to_string(),
            source,
        }
    })?;
    say(&format!("wrote {}", path.display()));
    Ok(())
}

fn read(args: &WdlArgs) -> Result<Histogram, WdlError> {
    let mut histogram = Histogram::new(Selection {
        max_score: args.max_score,
        from_ply: args.from_ply,
    });
    each_whole_game(&args.games, |place, bytes| {
        Game::from_bytes(bytes)
            .and_then(|game| histogram.add(&game))
            .map_err(|error| place.fault(error))
    })?;
    if histogram.games == 0 {
        return Err(WdlError::NoGames(args.games.len()));
    }
    if histogram.positions == 0 {
        return Err(WdlError::NoPositions {
            games: histogram.games,
            max_score: args.max_score,
            from_ply: args.from_ply,
        });
    }
    Ok(histogram)
}

#[cfg(test)]
mod tests;
