//! `quevedo fit weights`: fits the weights of the hand-written evaluation to the results of games.
//!
//! The evaluation is linear in its weights, so this is logistic regression: each position is split
//! into features once, and the weights follow the exact gradient of the likelihood of the results.
//!
//! The input is text with one position per line and an empty line between games:
//!
//! ```text
//! FEN;RESULT[;SCORE]
//! ```
//!
//! RESULT is 1.0, 0.5 or 0.0 for White. SCORE is the search score for White in centipawns.

#![allow(clippy::indexing_slicing)] // Features and weights are numbered by the evaluation.

mod data;
mod initial;
mod regression;

use std::path::{Path, PathBuf};

use clap::Args;

use super::FitError;
use crate::eval::classical::{Pair, current_weights, s, weights_source};
use crate::games::openings::parse_share;
use crate::tools::Exit;
use crate::tools::kit::args::file_path;
use crate::tools::kit::progress::say;
use crate::tools::kit::{files, replace_file};
use data::PositionData;
use regression::{Fit, FitSettings, LinearModel};

/// Arguments of `fit weights`.
#[derive(Args, Clone, Debug)]
pub struct WeightsArgs {
    /// Files of positions: FEN;RESULT or FEN;RESULT;SCORE on each line, an empty line between games
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write the weights, as Rust source, to src/eval/classical/weights.rs in the current directory,
    /// or to another file; an existing one is replaced
    #[arg(long, value_name = "FILE", value_parser = file_path(), num_args = 0..=1, require_equals = true, default_missing_value = "src/eval/classical/weights.rs")]
    pub write: Option<PathBuf>,
    /// Start from the formulas rather than from the weights in the program
    #[arg(long)]
    pub from_formulas: bool,
    /// The share of the search score in the target, against the result of the game (0 to 1)
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = parse_share)]
    pub score_share: f64,
    #[command(flatten)]
    settings: FitSettings,
}

/// Fits the weights and writes them.
///
/// # Errors
/// Fails when a file cannot be read or written, or has no position.
pub fn run(args: &WeightsArgs) -> Result<Exit, FitError> {
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    let outputs: Vec<&Path> = args.write.as_deref().into_iter().collect();
    files::check(&inputs, &outputs)?;
    let data = PositionData::read(&args.files, args.settings.seed)?;
    say(&data.summary());
    if data.training.is_empty() {
        return Err(FitError::Empty {
            files: args.files.len(),
            bad: data.bad_lines,
        });
    }
    let start = if args.from_formulas {
        initial::weights()
    } else {
        current_weights()
    };
    let start = LinearModel::new(&start, args.score_share);
    let model = Fit::new(&data, start, &args.settings).run(&mut say);
    let weights = rounded(&model);
    if let Some(path) = &args.write {
        replace_file(path, weights_source(&weights).as_bytes())?;
        say(&format!("wrote {}", path.display()));
    }
    Ok(match data.bad_lines {
        0 => Exit::Done,
        _ => Exit::Incomplete,
    })
}

/// Returns the weights of the model in whole centipawns.
fn rounded(model: &LinearModel) -> Vec<Pair> {
    model
        .weights
        .chunks_exact(2)
        .map(|pair| s(pair[0].round() as i32, pair[1].round() as i32))
        .collect()
}

#[cfg(test)]
mod tests;
