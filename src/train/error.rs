//! The errors of training.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::atomic_write;
use crate::eval::nnue::NetworkError;
use crate::games::GameError;

/// The reasons for which training fails.
#[derive(Debug, Error)]
pub enum TrainError {
    /// A file could not be read or written.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
    /// A game file does not hold a single complete game.
    #[error("{path}: no game found: expected games in viriformat, as datagen writes them, not PGN", path = .0.display())]
    NotGames(PathBuf),
    /// A game file ends within a game.
    #[error("{path}: byte {offset}: truncated game", path = path.display())]
    Cut {
        /// The file.
        path: PathBuf,
        /// The offset of the incomplete game.
        offset: u64,
    },
    /// A game file is damaged or holds something else.
    #[error("{path}: byte {offset}: {source}", path = path.display())]
    Game {
        /// The file.
        path: PathBuf,
        /// The offset of the damage.
        offset: u64,
        /// The reason.
        source: GameError,
    },
    /// A file of labels does not belong to the games beside it.
    #[error(
        "{path}: labels of {labels} positions with {neighbours} neighbours each, but the games have {positions} positions",
        path = path.display()
    )]
    Labels {
        /// The file of labels.
        path: PathBuf,
        /// The number of positions with labels.
        labels: usize,
        /// The number of positions of the games, or of those read before the labels ran out.
        positions: usize,
        /// The setting `neighbours`, by which the labels were counted.
        neighbours: usize,
    },
    /// A file of labels ends within a position's.
    #[error(
        "{path}: truncated labels, or another number of neighbours than {neighbours}",
        path = path.display()
    )]
    CutLabels {
        /// The file of labels.
        path: PathBuf,
        /// The setting `neighbours`, by which the labels were counted.
        neighbours: usize,
    },
    /// A folder contains no game files.
    #[error("{path}: this folder has no file ending in {extensions}", path = path.display(), extensions = super::data::EXTENSIONS.join(", "))]
    EmptyFolder {
        /// The folder.
        path: PathBuf,
    },
    /// A game file was given twice.
    #[error("{path}: this file is given twice", path = .0.display())]
    Twice(PathBuf),
    /// No training positions are left.
    #[error("no training positions: {0}")]
    NoData(String),
    /// A checkpoint cannot be used.
    #[error("{path}: {why}", path = path.display())]
    Checkpoint {
        /// The file.
        path: PathBuf,
        /// The reason.
        why: String,
    },
    /// The folder already contains a run.
    #[error("{path}: the folder already contains a run: continue it with --resume, or choose another folder", path = .0.display())]
    Exists(PathBuf),
    /// The loss or a parameter is no longer a finite number. The last checkpoint is from before.
    #[error(
        "step {0}: the training diverged: the loss or a weight is not a number; lower the rate"
    )]
    Diverged(u64),
    /// Another run has the folder.
    #[error("{path}: another run writes to this folder", path = .0.display())]
    InUse(PathBuf),
    /// A setting is out of range.
    #[error("{0}")]
    Setting(String),
    /// The engine refuses the network.
    #[error("the network is unusable: {0}")]
    Network(#[from] NetworkError),
    /// The teacher's file is not a network.
    #[error("{path}: {source}", path = path.display())]
    Teacher {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: NetworkError,
    },
    /// The threads could not be started.
    #[error("cannot start threads: {0}")]
    Threads(String),
}

impl TrainError {
    /// Returns a function for `map_err` that adds the path.
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

/// Replaces a file as a whole, so that it is complete at all times.
///
/// # Errors
/// Fails when the file cannot be written.
pub(super) fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    atomic_write::replace(path, bytes).map_err(TrainError::io(path))
}
