//! `quevedo tune`: fits the weights of the evaluation to the results of games.
//!
//! The evaluation is linear in its weights, so that this is logistic regression: each position is taken apart into features
//! once, and the weights follow the exact gradient of the likelihood of the results.
//!
//! Input is text, a position in a line, games separated by an empty line:
//!
//! ```text
//! FEN;RESULT[;SCORE]
//! ```
//!
//! RESULT is White's, 1.0, 0.5 or 0.0; SCORE is what a search found for White, in centipawns.
#![cfg_attr(
    not(test),
    deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)
)]

mod data;
mod fit;
mod initial;

use std::io;
use std::path::PathBuf;

use clap::Args;
use thiserror::Error;

use super::kit::progress::say;
use crate::eval::classical::{Pair, current_weights, s, weights_source};
use data::DataSet;
use fit::{Fit, Model, Settings};

/// What `quevedo tune` is asked.
#[derive(Args, Clone, Debug)]
pub struct TuneArgs {
    /// Files of positions: FEN;RESULT or FEN;RESULT;SCORE in each line, an empty line between games
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write the weights, as Rust source, to this file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true, default_missing_value = "src/eval/classical/weights.rs")]
    pub write: Option<PathBuf>,
    /// Start from the formulas rather than from the weights in the program
    #[arg(long)]
    pub from_formulas: bool,
    /// The share of the search's score, against the game's result, in what is fitted (0 to 1)
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, value_parser = share)]
    pub score_share: f64,
    /// The most times that all positions are gone through
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub epochs: usize,
    /// Stop after this many epochs in a row without progress on the games held out; each halves the rate
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub patience: usize,
    /// Positions in each step
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..))]
    pub batch: u32,
    /// The largest change of a weight in a step, in centipawns, at the start
    #[arg(long, value_name = "CP", default_value_t = 1.0)]
    pub rate: f64,
    /// How firmly weights are held where they start: 0.01 weighs about as much as a thousand positions
    #[arg(long, value_name = "L2", default_value_t = 0.01)]
    pub l2: f64,
    /// Chooses the games held out and the order of the positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// Reads a share from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("not a number from 0 to 1".to_owned()),
    }
}

/// Why there are no new weights.
#[derive(Debug, Error)]
pub enum TuneError {
    /// A file of positions cannot be read.
    #[error("{path}: line {line}: {source}")]
    Read {
        /// The file.
        path: String,
        /// The line that could not be read; 0 when the file could not be opened.
        line: usize,
        /// What the system says.
        source: io::Error,
    },
    /// There is nothing to learn from.
    #[error("no usable position in {files} files ({bad} bad lines)")]
    Empty {
        /// How many files there were.
        files: usize,
        /// How many lines were no positions.
        bad: usize,
    },
    /// The weights cannot be written.
    #[error("cannot write {path}: {source}")]
    Write {
        /// The file.
        path: String,
        /// What the system says.
        source: io::Error,
    },
}

/// Fits the weights and writes them.
///
/// # Errors
/// When a file cannot be read or written, or holds no position.
pub fn run(args: &TuneArgs) -> Result<(), TuneError> {
    let data = DataSet::read(&args.files, args.seed)?;
    say(&data.summary());
    if data.training.is_empty() {
        return Err(TuneError::Empty {
            files: args.files.len(),
            bad: data.bad_lines,
        });
    }
    let start = if args.from_formulas {
        initial::weights()
    } else {
        current_weights()
    };
    let start = Model::new(&start, args.score_share);
    let settings = Settings {
        epochs: args.epochs,
        patience: args.patience,
        batch: args.batch as usize,
        rate: args.rate,
        l2: args.l2,
        seed: args.seed,
    };
    let model = Fit::new(&data, start, settings).run(&mut say);
    let weights = rounded(&model);
    if let Some(path) = &args.write {
        std::fs::write(path, weights_source(&weights)).map_err(|source| TuneError::Write {
            path: path.display().to_string(),
            source,
        })?;
        say(&format!("wrote {}", path.display()));
    }
    Ok(())
}

/// The model's weights in whole centipawns.
fn rounded(model: &Model) -> Vec<Pair> {
    model
        .weights
        .chunks_exact(2)
        .map(|pair| s(pair[0].round() as i32, pair[1].round() as i32))
        .collect()
}

#[cfg(test)]
mod tests;
