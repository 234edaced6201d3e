//! Selects the positions from which a static evaluation can be learnt.

use std::collections::HashSet;

use super::format::ScoredMove;
use crate::position::Position;

/// The least number of pieces. Endgames with fewer are known.
pub const MIN_PIECES: u32 = 4;

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
    FewPieces,
    /// The position has occurred before in the game.
    Repeated,
}

/// The filter for the positions of one game, which are passed to it in order.
#[derive(Debug, Default)]
pub struct Filter {
    seen: HashSet<u64>,
}

impl Filter {
    /// Returns the reason why a position of the game is not used, or `None` if it is. Plies are
    /// counted from 0.
    pub fn unusable(
        &mut self,
        ply: usize,
        position: &Position,
        scored: ScoredMove,
    ) -> Option<Unusable> {
        let is_new = self.seen.insert(position.key());
        if ply == 0 {
            Some(Unusable::First)
        } else if position.in_check() {
            Some(Unusable::InCheck)
        } else if position.is_noisy(scored.m) {
            Some(Unusable::Noisy)
        } else if scored.is_decisive() {
            Some(Unusable::Decided)
        } else if position.piece_count() < MIN_PIECES {
            Some(Unusable::FewPieces)
        } else if !is_new {
            Some(Unusable::Repeated)
        } else {
            None
        }
    }

    /// Returns whether the next position of the game is used.
    pub fn is_usable(&mut self, ply: usize, position: &Position, scored: ScoredMove) -> bool {
        self.unusable(ply, position, scored).is_none()
    }
}
