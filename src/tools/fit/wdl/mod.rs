//! `quevedo fit wdl`: fits the [model](crate::wdl::Model) of wins, draws and losses to self-play
//! games.
//!
//! - `histogram`: counts the results by score and material;
//! - `fit`: finds the most likely model;
//! - `calibration`: compares its predictions with the results;
//! - `source`: writes the model as Rust source.
//!
//! The scores are those of the search that played the games, so the chances are those between two
//! equal players at the nodes per move of the games.

mod calibration;
mod fit;
mod histogram;
mod source;

use std::io::Write;
use std::path::{Path, PathBuf};

use clap::Args;

use super::FitError;
use crate::games::RecordedGame;
use crate::plural::count;
use crate::tools::datagen::files::each_whole_game;
use crate::tools::kit::args::file_path;
use crate::tools::kit::files;
use crate::tools::kit::progress::say;
use crate::tools::kit::{IoContext as _, replace_file};
use crate::tools::{Exit, ToolError};
use calibration::Calibration;
use fit::Fitted;
use histogram::{Histogram, Selection};
use source::Origin;

/// Arguments of `fit wdl`.
#[derive(Args, Clone, Debug)]
pub struct WdlArgs {
    /// Files of games written by `datagen`
    #[arg(required = true, value_name = "GAMES")]
    pub games: Vec<PathBuf>,
    /// Use positions with a score of at most this many centipawns of the search, as the files have
    /// them, for either side
    #[arg(long, value_name = "CP", default_value_t = 1000, value_parser = clap::value_parser!(u16).range(100..=10_000))]
    pub max_score: u16,
    /// Use positions from this ply of the recorded game on, counted from 0
    #[arg(long, value_name = "PLY", default_value_t = 8)]
    pub from_ply: usize,
    /// Write the model, as Rust source, to src/wdl/model.rs in the current directory, or to another
    /// file; an existing one is replaced
    #[arg(long, value_name = "FILE", value_parser = file_path(), num_args = 0..=1, require_equals = true, default_missing_value = "src/wdl/model.rs")]
    pub write: Option<PathBuf>,
    /// The player of the games, for the comment in that file
    #[arg(long, value_name = "NAME", default_value = "Quevedo", value_parser = one_line)]
    pub of: String,
}

/// Parses a text that fits into a comment.
fn one_line(text: &str) -> Result<String, String> {
    if text.trim().is_empty() || text.chars().any(char::is_control) {
        return Err("expected a line of text".to_owned());
    }
    Ok(text.trim().to_owned())
}

/// Fits the model, writes it to its file, and prints it.
///
/// # Errors
/// Fails when games cannot be read, no model fits, or the model cannot be written.
pub fn run(args: &WdlArgs, out: &mut dyn Write) -> Result<Exit, FitError> {
    let inputs: Vec<&Path> = args.games.iter().map(PathBuf::as_path).collect();
    let outputs: Vec<&Path> = args.write.as_deref().into_iter().collect();
    // The model is shown even if its file cannot be written, but the games stay.
    if let Err(error @ ToolError::SameFile(_)) = files::check(&inputs, &outputs) {
        return Err(error.into());
    }
    let (histogram, exit) = read(args)?;
    let fitted = fit::fit(&histogram.cells())?;
    // The file and the output are written even if the other one fails.
    let written = args
        .write
        .as_ref()
        .map_or(Ok(()), |path| write_model(path, args, &histogram, &fitted));
    let calibration = Calibration::new(&histogram, &fitted);
    write!(out, "{calibration}").of_output()?;
    written.map(|()| exit)
}

/// Writes the model as Rust source.
fn write_model(
    path: &Path,
    args: &WdlArgs,
    histogram: &Histogram,
    fitted: &Fitted,
) -> Result<(), FitError> {
    let origin = Origin {
        games: histogram.games,
        positions: histogram.positions,
        of: &args.of,
    };
    let text = source::source(&fitted.model, &origin);
    replace_file(path, text.as_bytes())?;
    say(&format!("wrote {}", path.display()));
    Ok(())
}

/// Returns the counts of the games, and whether all could be read.
fn read(args: &WdlArgs) -> Result<(Histogram, Exit), FitError> {
    let mut histogram = Histogram::new(Selection {
        max_score: args.max_score,
        from_ply: args.from_ply,
    });
    let exit = each_whole_game(&args.games, |location, bytes| {
        RecordedGame::from_bytes(bytes)
            .and_then(|game| histogram.add(&game))
            .map_err(|error| location.fault(error))
    })?;
    if histogram.lots > 0 {
        let games = count(histogram.lots, "game");
        say(&format!("left out {games}, cut off and decided by lot"));
    }
    if histogram.positions == 0 {
        return Err(FitError::NoPositions {
            games: histogram.games,
            max_score: args.max_score,
            from_ply: args.from_ply,
        });
    }
    Ok((histogram, exit))
}

#[cfg(test)]
mod tests;
