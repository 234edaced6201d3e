//! What pawns and kings are worth, remembered: from node to node they seldom change.

use shakmaty::{Bitboard, Color};

use super::pair::Pair;
use super::pawns;
use super::trace::{NoTrace, Sum, Trace};
use super::view::View;
use super::{castling_rights, king};
use crate::position::{Position, color_index};

/// The entries of a cache: small enough to stay in a core's own memory.
const ENTRIES: usize = 1 << 12;

/// Remembers the pawn structures and king shelters that a thread has met. It changes how fast positions are evaluated, not
/// their value.
#[derive(Clone)]
pub struct PawnCache {
    entries: Box<[Entry]>,
}

#[derive(Clone, Copy)]
struct Entry {
    /// The pawns, by [`Keys::pawns`](crate::position::Keys::pawns).
    pawns_key: u64,
    structure: Pair,
    passed: [Bitboard; 2],
    /// The kings and castling rights for which the shelter is known.
    kings_key: u32,
    shelter: Pair,
}

/// No pawns and, an impossible key, no kings.
const EMPTY: Entry = Entry {
    pawns_key: 0,
    structure: Pair::ZERO,
    passed: [Bitboard::EMPTY; 2],
    kings_key: u32::MAX,
    shelter: Pair::ZERO,
};

/// What follows from pawns, kings and castling rights alone.
#[derive(Clone, Copy)]
pub(super) struct PawnTerms {
    /// Structure and shelter, for White.
    pub value: Pair,
    /// The passed pawns of each side, as it sees them.
    pub passed: [Bitboard; 2],
}

impl PawnCache {
    /// A cache that has met nothing.
    pub fn new() -> PawnCache {
        PawnCache {
            entries: vec![EMPTY; ENTRIES].into_boxed_slice(),
        }
    }

    /// Remembered or computed.
    #[inline]
    pub(super) fn terms(&mut self, position: &Position, views: &[View; 2]) -> PawnTerms {
        let pawns_key = position.keys().pawns;
        let entry = &mut self.entries[pawns_key as usize % ENTRIES];
        if entry.pawns_key != pawns_key {
            let (structure, passed) = structure(views, &mut NoTrace);
            *entry = Entry {
                pawns_key,
                structure,
                passed,
                ..EMPTY
            };
        }
        let kings_key = kings_key(position);
        if entry.kings_key != kings_key {
            entry.kings_key = kings_key;
            entry.shelter = shelter(position, views, &mut NoTrace);
        }
        PawnTerms {
            value: entry.structure + entry.shelter,
            passed: entry.passed,
        }
    }
}

impl Default for PawnCache {
    fn default() -> PawnCache {
        PawnCache::new()
    }
}

/// Computed, without a cache.
pub(super) fn pawn_terms<T: Trace>(
    position: &Position,
    views: &[View; 2],
    trace: &mut T,
) -> PawnTerms {
    let (structure, passed) = structure(views, trace);
    PawnTerms {
        value: structure + shelter(position, views, trace),
        passed,
    }
}

/// The pawn structure for White, and the passed pawns.
fn structure<T: Trace>(views: &[View; 2], trace: &mut T) -> (Pair, [Bitboard; 2]) {
    let mut white = Sum::new(Color::White, trace);
    let white_passed = pawns::structure(&views[0], &mut white);
    let value = white.total;
    let mut black = Sum::new(Color::Black, trace);
    let black_passed = pawns::structure(&views[1], &mut black);
    (value - black.total, [white_passed, black_passed])
}

/// The kings' shelters for White.
fn shelter<T: Trace>(position: &Position, views: &[View; 2], trace: &mut T) -> Pair {
    let [white, black] = [Color::White, Color::Black].map(|color| {
        let mut sum = Sum::new(color, trace);
        let view = &views[color_index(color)];
        king::shelter(view, castling_rights(position, color), &mut sum);
        sum.total
    });
    white - black
}

/// The kings' squares and the castling rights.
#[inline]
fn kings_key(position: &Position) -> u32 {
    [Color::White, Color::Black]
        .into_iter()
        .fold(0, |key, color| {
            let rights = castling_rights(position, color) as u32;
            (key << 8 | position.king(color).to_u32()) << 2 | rights
        })
}
