//! Opening books in the Polyglot format.
//!
//! A book is a file of 16-byte entries, each with the key of a position, a move and its weight,
//! sorted by key. The key is the position's Zobrist hash with Polyglot's published values, which
//! shakmaty uses too.
//!
//! - [`entry`]: entries and the encoding of moves;
//! - [`file`](mod@file): books in files, embedded or in memory;
//! - [`play`]: the choice of a move to play.
//!
//! The format is described in Michel Van den Bergh, "The Polyglot book format".

#![deny(clippy::indexing_slicing)]

pub mod entry;
pub mod file;
pub mod play;
#[cfg(test)]
mod tests;

use shakmaty::zobrist::Zobrist64;
use shakmaty::{EnPassantMode, Position as _};

use crate::position::Position;

pub use entry::BookEntry;
pub use file::{Book, BookError, WeightedMove};

/// Returns the book key of a position. Unlike [`Position::key`] it includes the en passant square
/// whenever a pawn stands ready to capture, even if a pin forbids it.
pub fn key(position: &Position) -> u64 {
    position
        .chess()
        .zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal)
        .0
}
