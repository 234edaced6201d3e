//! The engine without an interface: searches, options, and the jobs that UCI and the tools share.
//!
//! - [`Searcher`]: owns the hash table, the evaluation network, tablebases, opening book and
//!   threads, and searches positions;
//! - [`Analysis`]: the result of a search;
//! - [`options`]: the table of options and how each takes effect;
//! - [`eval_file`]: loads the networks that the option `EvalFile` names;
//! - [`mod@bench`], [`perft`], [`genfens`], [`explain`]: benchmark, move-path counts, random
//!   openings, the evaluation explained.
//!
//! Nothing here reads standard input or writes standard output: a [`Report`] receives what a search
//! has to say while it runs, and a [`Control`] stops it.
//!
//! ```
//! use quevedo::engine::{Control, GameState, Go, Limits, Searcher, Silent};
//!
//! let mut searcher = Searcher::new(16)?; // 16 MiB of hash table
//! searcher.set_option("MultiPV", Some("2"))?;
//! let game = GameState::parse(None, ["e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6"])?;
//! let limits = Limits { depth: Some(6), ..Limits::default() };
//! let analysis = searcher.search(&game, &limits, Go::now(&Control::default()), &Silent);
//! let best = analysis.best_move.expect("the game is not over");
//! assert_eq!(quevedo::position::notation::uci(&game.position, best).to_string(), "h5f7");
//! assert_eq!(analysis.score.and_then(|score| score.mate_distance()), Some(1));
//! assert_eq!(analysis.lines.len(), 2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(clippy::indexing_slicing)]

mod analysis;
pub mod bench;
pub mod eval_file;
pub mod explain;
pub mod genfens;
mod hash_file;
mod node_clock;
pub mod options;
pub mod perft;
mod searcher;
#[cfg(test)]
mod tests;

use std::any::Any;

pub use crate::games::{GameState, GameStateError};
pub use crate::memory::MemoryError;
pub use crate::search::control::{Control, Go};
pub use crate::search::limits::{Clock, Limits};
pub use crate::search::report::{AnalysisLine, Report, Silent};
pub use analysis::{Analysis, PvLine, SearchError};
pub use eval_file::EvalFileError;
pub use hash_file::HashFileError;
pub use options::{FrontEnd, OptionError};
pub use searcher::Searcher;

/// Returns the message of a caught panic, for the user.
pub(crate) fn panic_message(payload: &(dyn Any + Send)) -> String {
    let text = payload
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    format!("internal error, please report it: {text}")
}

/// Returns the beginning of a text, for a message.
pub(crate) fn shorten(text: &str) -> String {
    const LENGTH: usize = 80;
    let mut short: String = text.chars().take(LENGTH).collect();
    if short.len() < text.len() {
        short.push_str("..");
    }
    short
}

/// Parses a decimal number with an optional sign. A number that is too large becomes the largest.
pub(crate) fn parse_saturating(text: &str) -> Option<i64> {
    let (digits, limit) = match text.strip_prefix('-') {
        Some(digits) => (digits, i64::MIN),
        None => (text.strip_prefix('+').unwrap_or(text), i64::MAX),
    };
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().unwrap_or(limit))
}
