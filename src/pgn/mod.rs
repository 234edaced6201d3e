//! Games in PGN (Portable Game Notation): reading, the model, and writing.
//!
//! - [`splitter`]: cuts a stream into the texts of its games, so that a fault in one cannot spoil
//!   the next;
//! - [`reader`], `builder`, `movetext`: parse a text into a [`PgnGame`];
//! - [`game`]: tag pairs, moves, comments, marks and variations;
//! - [`writer`]: writes a game in the export format.

#![deny(clippy::indexing_slicing)]

mod builder;
pub mod game;
mod movetext;
pub mod reader;
pub mod splitter;
pub mod writer;

pub use game::{AnnotatedMove, PgnGame, PgnVariation, move_number};
pub use reader::PgnReader;
pub use splitter::{PgnSplitter, RawGame};
pub use writer::{tag_pairs, to_pgn};
