//! Why a network could not be trained.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::eval::nnue::NetworkError;
use crate::games::GameError;

/// Why a network could not be trained.
#[derive(Debug, Error)]
pub enum TrainError {
    /// A file could not be read or written.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file of games ends within one.
    #[error("{path}: byte {offset}: the file ends within the game that begins here", path = path.display())]
    Cut {
        /// The file.
        path: PathBuf,
        /// Where the game begins.
        offset: u64,
    },
    /// A file of games holds something else, or is damaged.
    #[error("{path}: byte {offset}: {source}", path = path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// Where it is damaged.
        offset: u64,
        /// What is wrong there.
        source: GameError,
    },
    /// A folder was named that holds no file of games.
    #[error("{path}: no file ending in {extensions} in this folder", path = path.display(), extensions = super::data::EXTENSIONS.join(", "))]
    EmptyFolder {
        /// The folder.
        path: PathBuf,
    },
    /// No position is left to learn from.
    #[error("no position to learn from: {0}")]
    NoData(String),
    /// A checkpoint cannot be used.
    #[error("{path}: {why}", path = path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// There is a run in the folder, which would be lost.
    #[error("{path}: this run would be lost: go on with it with --resume, or begin another in another folder", path = .0.display())]
    Exists(PathBuf),
    /// A setting makes no sense.
    #[error("{0}")]
    Setting(String),
    /// The engine does not take the network.
    #[error("the network cannot be used: {0}")]
    Network(#[from] NetworkError),
    /// The teacher's file holds no network.
    #[error("{path}: {source}", path = path.display())]
    Teacher {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: NetworkError,
    },
    /// The threads could not be started.
    #[error("threads: {0}")]
    Threads(String),
}

impl TrainError {
    /// For `map_err` on what was done with a file.
    pub(super) fn io(path: &Path) -> impl FnOnce(io::Error) -> TrainError {
        let path = path.to_owned();
        move |source| TrainError::Io { path, source }
    }

    pub(super) fn checkpoint(path: &Path, why: impl Into<String>) -> TrainError {
        TrainError::Checkpoint {
            path: path.to_owned(),
            why: why.into(),
        }
    }
}
