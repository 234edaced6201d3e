//! The evaluations that a network can be distilled from.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use super::error::TrainError;
use crate::eval::nnue::Network;
use crate::regular_file;

/// The name of the hand-written evaluation.
const HAND_WRITTEN: &str = "hand-written";

/// The evaluation that values the positions around the games.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Teacher {
    /// The hand-written evaluation.
    #[default]
    HandWritten,
    /// The network in this file.
    Network(PathBuf),
}

impl Teacher {
    /// Loads the network, if the teacher is one.
    ///
    /// # Errors
    /// Fails when the network's file cannot be read or is not a network.
    pub(super) fn load(&self) -> Result<Option<Network>, TrainError> {
        match self {
            Teacher::HandWritten => Ok(None),
            Teacher::Network(path) => {
                let bytes = regular_file::read(path).map_err(TrainError::io(path))?;
                let network = Network::parse(&bytes).map_err(|source| TrainError::Teacher {
                    path: path.clone(),
                    source,
                })?;
                Ok(Some(network))
            }
        }
    }

    /// Returns whether a checkpoint, which stores settings as lines of text, can hold the name.
    pub(super) fn fits_a_line(&self) -> bool {
        match self {
            Teacher::HandWritten => true,
            Teacher::Network(path) => {
                let name = path.to_str().unwrap_or("\n");
                !name.is_empty() && !name.contains(['\n', '\r'])
            }
        }
    }
}

impl fmt::Display for Teacher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Teacher::HandWritten => f.write_str(HAND_WRITTEN),
            Teacher::Network(path) => path.display().fmt(f),
        }
    }
}

impl FromStr for Teacher {
    type Err = std::convert::Infallible;

    fn from_str(text: &str) -> Result<Teacher, Self::Err> {
        Ok(match text {
            HAND_WRITTEN => Teacher::HandWritten,
            path => Teacher::Network(PathBuf::from(path)),
        })
    }
}
