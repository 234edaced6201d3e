//! Games as they are recorded for a network to learn from: the format of the files, and which positions are of use.

#![deny(clippy::indexing_slicing)]

pub mod filter;
pub mod format;
pub mod openings;
pub mod reader;
pub mod state;

pub use filter::Unusable;
pub use format::{Game, GameError, GameResult, ScoredMove};
pub use reader::{ReadError, Reader};
pub use state::{GameState, GameStateError};
