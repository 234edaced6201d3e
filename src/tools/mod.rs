//! The sub-commands for people at a shell. Each has its clap arguments (`Args`) and a `run`.

pub mod analyse;
pub mod bench;
pub mod book;
pub mod datagen;
pub mod diagram;
pub mod epd;
pub mod eval;
mod files;
pub mod lab;
pub mod page;
pub mod perft;
mod progress;
mod split;
pub mod train;
pub mod tune;
pub mod wdl;
mod workers;

use std::io;

use thiserror::Error;

use crate::engine::MemoryError;
use crate::position::notation::FenError;

/// Why a sub-command came to nothing.
#[derive(Debug, Error)]
pub enum ToolError {
    /// A position was given that cannot be used.
    #[error("{fen:?}: {source}")]
    Fen {
        /// The text.
        fen: String,
        /// What is wrong with it.
        source: FenError,
    },
    /// Reading or writing failed. A closed pipe (`quevedo perft 5 | head -1`) ends up here too and is no failure.
    #[error("{what}: {source}")]
    Io {
        /// What was being read or written.
        what: String,
        /// What the system said.
        source: io::Error,
    },
    /// There is no memory for the hash table or the threads.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// A thread ended before its work was done.
    #[error("a worker thread failed")]
    Worker,
}

impl ToolError {
    /// For `map_err` on what goes to standard output.
    fn output(source: io::Error) -> ToolError {
        ToolError::Io {
            what: "output".to_owned(),
            source,
        }
    }
}

/// How many threads this machine runs at once.
fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
