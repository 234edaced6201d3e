//! Selects the positions from which a static evaluation can be learnt.

use super::format::ScoredMove;
use crate::position::Position;

/// The least number of pieces. Endgames with fewer are known.
const MIN_PIECES: u32 = 4;

/// The reason why a position is not used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unusable {
    /// The first position of a game: its search has another node limit, and its score selected the
    /// opening.
    First,
    /// The side to move is in check.
    InCheck,
    /// The move played is a capture or promotion.
    Noisy,
    /// The score is a mate or a tablebase result.
    Decided,
    /// There are fewer than four pieces.
    FewMen,
}

/// Returns the reason why a position of a game is not used, or `None` if it is. Plies are counted
/// from 0.
pub fn unusable(ply: usize, position: &Position, scored: ScoredMove) -> Option<Unusable> {
    if ply == 0 {
        Some(Unusable::First)
    } else if position.in_check() {
        Some(Unusable::InCheck)
    } else if position.is_noisy(scored.m) {
        Some(Unusable::Noisy)
    } else if scored.is_decisive() {
        Some(Unusable::Decided)
    } else if position.piece_count() < MIN_PIECES {
        Some(Unusable::FewMen)
    } else {
        None
    }
}

/// Returns whether a position is quiet and undecided.
pub fn is_usable(ply: usize, position: &Position, scored: ScoredMove) -> bool {
    unusable(ply, position, scored).is_none()
}
