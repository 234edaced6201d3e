//! `quevedo epd`: solves test suites with this engine or any other.
//!
//! ```text
//! files -> suite (record, goal, moves, pgn) -> runner: engines -> trace -> report
//! report -> summary, JSON, CSV, JUnit, HTML, annotated EPD;  JSON of shards -> merge -> the same
//! ```

mod annotate;
mod args;
mod comparison;
pub mod goal;
mod merge;
pub mod moves;
mod normalize;
mod page;
mod pgn;
pub mod record;
mod report;
mod runner;
mod solve;
pub mod suite;
mod summary;
mod tabular;
#[cfg(test)]
mod test_support;
mod trace;

use std::path::PathBuf;

use thiserror::Error;

use super::ToolError;
pub use args::EpdArgs;
pub use solve::run;

/// Errors returned by `epd`.
#[derive(Debug, Error)]
pub enum EpdError {
    /// An error common to several tools.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// No input file was given.
    #[error("expected an EPD file, or - for standard input; see quevedo help epd")]
    NoFile,
    /// None of the positions has a goal.
    #[error("nothing to solve in {0}")]
    NothingToSolve(String),
    /// An engine cannot be used.
    #[error("--engine {command:?}: {reason}")]
    Engine {
        /// The engine's command.
        command: String,
        /// The reason.
        reason: String,
    },
    /// A file cannot be merged.
    #[error("{}: {reason}", path.display())]
    Part {
        /// The file.
        path: PathBuf,
        /// The reason.
        reason: String,
    },
    /// The signal handler cannot be installed.
    #[error(transparent)]
    Signals(#[from] ctrlc::Error),
}
