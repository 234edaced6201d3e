//! `quevedo epd`: solves test suites with this engine or any other.
//!
//! ```text
//! files -> suite (record, goal, moves, pgn) -> runner: builtin | external (process, info) -> trace -> report
//! report -> summary, JSON, CSV, JUnit, HTML, annotated EPD;  JSON of shards -> merge -> the same
//! recorded games -> harvest: builtin -> a new suite
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

mod annotate;
mod args;
mod builtin;
mod external;
pub mod goal;
mod harvest;
mod html;
mod info;
mod limits;
mod merge;
pub mod moves;
mod normalize;
mod pgn;
mod process;
pub mod record;
mod report;
mod runner;
mod solve;
mod solver;
pub mod suite;
mod summary;
mod tabular;
mod trace;

use std::path::PathBuf;

use thiserror::Error;

use super::ToolError;
use super::datagen::DatagenError;
pub use args::Args;
pub use solve::run;

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
    /// An engine cannot be used.
    #[error("--engine {command:?}: {reason}")]
    Engine {
        /// Its command.
        command: String,
        /// What is wrong with it.
        reason: String,
    },
    /// Recorded games cannot be read.
    #[error(transparent)]
    Games(#[from] DatagenError),
    /// The engine in this program failed.
    #[error("{epd}: {reason}")]
    Search {
        /// The position.
        epd: String,
        /// What happened.
        reason: String,
    },
    /// A file cannot be merged.
    #[error("{}: {reason}", path.display())]
    Part {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Signals cannot be caught.
    #[error(transparent)]
    Signals(#[from] ctrlc::Error),
}
