//! The evaluation networks that the option `EvalFile` names.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::eval::nnue::{Network, NetworkError};
use crate::regular_file;

/// The value of the option `EvalFile` that selects the hand-written evaluation.
pub const HAND_WRITTEN: &str = "hand-written";

/// Errors of loading a network. The previous network stays in use.
#[derive(Debug, Error)]
pub enum EvalFileError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The file is not a network, or not one that this engine supports.
    #[error("{}: {source}", path.display())]
    Network {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: NetworkError,
    },
}

/// Returns the network that a value of the option `EvalFile` selects: the embedded network if it is
/// empty, none if it is [`HAND_WRITTEN`], otherwise the network in this file.
///
/// # Errors
/// Fails when the file cannot be read or is not a supported network.
pub fn network_of(eval_file: impl AsRef<Path>) -> Result<Option<Network>, EvalFileError> {
    let path = eval_file.as_ref();
    match path.to_str() {
        Some("") => Ok(Some(Network::embedded())),
        Some(HAND_WRITTEN) => Ok(None),
        _ => read_network(path).map(Some),
    }
}

fn read_network(path: &Path) -> Result<Network, EvalFileError> {
    let bytes = regular_file::read(path).map_err(|source| EvalFileError::Read {
        path: path.to_owned(),
        source,
    })?;
    Network::parse(&bytes).map_err(|source| EvalFileError::Network {
        path: path.to_owned(),
        source,
    })
}
