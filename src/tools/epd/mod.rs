//! `quevedo epd`: solves test suites with this engine or any other.
//!
//! ```text
//! files -> suite (record, goal, moves, pgn) -> runner: builtin | external (process, info) -> trace -> report
//! report -> summary, JSON, CSV, JUnit, HTML, annotated EPD;  JSON of shards -> merge -> the same
//! ```

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

mod args;
mod builtin;
mod external;
pub mod goal;
mod info;
mod limits;
pub mod moves;
mod pgn;
mod process;
mod progress;
pub mod record;
mod report;
mod run;
mod runner;
mod solver;
pub mod suite;
mod summary;
mod trace;

use thiserror::Error;

use super::ToolError;
pub use args::Args;
pub use run::run;

/// Why `epd` came to nothing.
#[derive(Debug, Error)]
pub enum EpdError {
    /// Something that all tools may meet.
    #[error(transparent)]
    Tool(#[from] ToolError),
    /// No file was named.
    #[error("an EPD file, or - for standard input, expected; see quevedo help epd")]
    NoFile,
    /// There is nothing to solve.
    #[error("nothing to solve in {0}")]
    NothingToSolve(String),
    /// Signals cannot be caught.
    #[error(transparent)]
    Signals(#[from] ctrlc::Error),
}
