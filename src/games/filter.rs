//! Which positions a static evaluation can be held to.

use super::format::ScoredMove;
use crate::position::Position;

/// Fewer men than these are known endings.
const MIN_MEN: usize = 4;

/// Why a position is not used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unusable {
    /// The first of a game: its search had another budget, and its score has been chosen.
    First,
    /// The side to move is in check.
    InCheck,
    /// The move played captures or promotes.
    Noisy,
    /// A mate or a tablebase result.
    Decided,
    /// Fewer than four men.
    FewMen,
}

/// Why a position of a game is not used, if so. Plies are counted from 0.
pub fn unusable(ply: usize, position: &Position, scored: ScoredMove) -> Option<Unusable> {
    if ply == 0 {
        Some(Unusable::First)
    } else if position.in_check() {
        Some(Unusable::InCheck)
    } else if position.is_noisy(scored.m) {
        Some(Unusable::Noisy)
    } else if scored.is_decisive() {
        Some(Unusable::Decided)
    } else if position.occupied().count() < MIN_MEN {
        Some(Unusable::FewMen)
    } else {
        None
    }
}

/// Whether nothing hangs and nothing is decided.
pub fn is_usable(ply: usize, position: &Position, scored: ScoredMove) -> bool {
    unusable(ply, position, scored).is_none()
}
