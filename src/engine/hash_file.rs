//! Errors of saving and loading the hash table.

use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::tt::SavedTableError;

/// Errors of saving and loading the hash table.
#[derive(Debug, Error)]
pub enum HashFileError {
    /// No file was named.
    #[error("set HashFile first")]
    Unnamed,
    /// The file cannot be used.
    #[error("{}: {source}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: SavedTableError,
    },
}

impl HashFileError {
    /// Returns the path unless it is empty.
    pub(super) fn path_of(path: &Path) -> Result<&Path, HashFileError> {
        match path.as_os_str().is_empty() {
            true => Err(HashFileError::Unnamed),
            false => Ok(path),
        }
    }

    /// Creates the error of a file.
    pub(super) fn of(path: &Path, error: impl Into<SavedTableError>) -> HashFileError {
        HashFileError::File {
            path: path.to_owned(),
            source: error.into(),
        }
    }
}
