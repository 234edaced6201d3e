//! Opening books in the Polyglot format, which every GUI and tool knows.
//!
//! A book is a file of 16-byte entries, sorted by key: the key of a position, a move, its weight. A key is the position's
//! Zobrist hash with the values that Polyglot was published with, which are shakmaty's too.
//!
//! - [`entry`]: one entry, and moves as a book writes them;
//! - [`file`](mod@file): a book that is there, mapped, embedded or in memory;
//! - [`play`]: the choice of a move to play.
//!
//! The format: Michel Van den Bergh, "The Polyglot book format".

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

pub mod entry;
pub mod file;
pub mod play;
#[cfg(test)]
mod tests;

use shakmaty::zobrist::Zobrist64;
use shakmaty::{EnPassantMode, Position as _};

use crate::position::Position;

pub use entry::Entry;
pub use file::{Book, BookError, WeightedMove};

/// The key under which a book has a position. Unlike [`Position::key`] it counts an en passant square whenever a pawn
/// stands ready to capture there, even if a pin forbids it.
pub fn key(position: &Position) -> u64 {
    position
        .chess()
        .zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal)
        .0
}
