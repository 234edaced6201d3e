//! A cache of the terms that depend on pawns and kings alone, which seldom change from node to
//! node.

use shakmaty::{Bitboard, Color};

use super::pair::Pair;
use super::pawns;
use super::trace::{EvalTrace, NoTrace, Sum};
use super::view::View;
use super::{castling_rights, king};
use crate::position::{Position, color_index};

/// The number of entries: few enough for a core's own cache.
const ENTRIES: usize = 1 << 12;

/// The pawn structures and king shelters that a thread has met. The cache affects speed, not
/// values.
#[derive(Clone)]
pub struct PawnCache {
    entries: Box<[PawnEntry]>,
}

#[derive(Clone, Copy)]
struct PawnEntry {
    /// The key of the pawns ([`Keys::pawns`](crate::position::Keys::pawns)).
    pawns_key: u64,
    structure: Pair,
    passed: [Bitboard; 2],
    /// The kings and castling rights that the shelter belongs to.
    kings_key: u32,
    shelter: Pair,
}

/// An entry without pawns, and with a key that no kings have.
const EMPTY: PawnEntry = PawnEntry {
    pawns_key: 0,
    structure: Pair::ZERO,
    passed: [Bitboard::EMPTY; 2],
    kings_key: u32::MAX,
    shelter: Pair::ZERO,
};

/// The terms that depend on pawns, kings and castling rights alone.
#[derive(Clone, Copy)]
pub(super) struct PawnTerms {
    /// The value of structure and shelter for White.
    pub value: Pair,
    /// The passed pawns of each side, seen from that side.
    pub passed: [Bitboard; 2],
}

impl PawnCache {
    /// Creates an empty cache.
    pub fn new() -> PawnCache {
        PawnCache {
            entries: vec![EMPTY; ENTRIES].into_boxed_slice(),
        }
    }

    /// Returns the pawn terms from the cache, or computes and stores them.
    #[inline]
    pub(super) fn terms(&mut self, position: &Position, views: &[View; 2]) -> PawnTerms {
        let pawns_key = position.keys().pawns;
        let entry = &mut self.entries[pawns_key as usize % ENTRIES];
        if entry.pawns_key != pawns_key {
            let (structure, passed) = structure(views, &mut NoTrace);
            *entry = PawnEntry {
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

/// Computes the pawn terms without a cache.
pub(super) fn pawn_terms<T: EvalTrace>(
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

/// Returns the value of the pawn structure for White, and the passed pawns.
fn structure<T: EvalTrace>(views: &[View; 2], trace: &mut T) -> (Pair, [Bitboard; 2]) {
    let mut white = Sum::new(Color::White, trace);
    let white_passed = pawns::structure(&views[0], &mut white);
    let value = white.total;
    let mut black = Sum::new(Color::Black, trace);
    let black_passed = pawns::structure(&views[1], &mut black);
    (value - black.total, [white_passed, black_passed])
}

/// Returns the value of the kings' shelters for White.
fn shelter<T: EvalTrace>(position: &Position, views: &[View; 2], trace: &mut T) -> Pair {
    let [white, black] = [Color::White, Color::Black].map(|color| {
        let mut sum = Sum::new(color, trace);
        let view = &views[color_index(color)];
        king::shelter(view, castling_rights(position, color), &mut sum);
        sum.total
    });
    white - black
}

/// Returns a key of the kings' squares and the castling rights.
#[inline]
fn kings_key(position: &Position) -> u32 {
    [Color::White, Color::Black]
        .into_iter()
        .fold(0, |key, color| {
            let rights = castling_rights(position, color) as u32;
            (key << 8 | position.king(color).to_u32()) << 2 | rights
        })
}
