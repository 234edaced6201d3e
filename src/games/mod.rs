//! Recorded games for training a network: the file format and the selection of positions.

#![deny(clippy::indexing_slicing)]

pub mod filter;
pub mod format;
pub mod openings;
pub mod reader;
pub mod state;

pub use filter::Unusable;
pub use format::{GameError, GameResult, RecordedGame, ScoredMove};
pub use reader::{ReadError, Reader};
pub use state::{GameState, GameStateError};
