//! The part of a quiet move's order that is not history.

use shakmaty::Bitboard;

use crate::position::{Checks, Move, Position};
use crate::search::params;

/// The bonus of quiet moves that give check or take a piece out of an attack by less valuable
/// pieces, and the malus of those that move one into such an attack. Unlike histories it works from
/// the first node.
pub(super) struct QuietBonus<'a> {
    position: &'a Position,
    pub checks: Checks,
    /// `[role]`: the squares attacked by less valuable pieces, and the bonus.
    attacked: [(Bitboard, i16); 6],
}

impl QuietBonus<'_> {
    /// Looks up what the bonus of each move of a position depends on.
    #[inline]
    pub fn new(position: &Position) -> QuietBonus<'_> {
        let threats = position.threats();
        let attacked = [
            (Bitboard::EMPTY, 0),
            (threats.by_pawns, params::escape_pawn() as i16),
            (threats.by_pawns, params::escape_pawn() as i16),
            (threats.by_minors_or_less(), params::escape_minor() as i16),
            (threats.by_rooks_or_less(), params::escape_rook() as i16),
            (Bitboard::EMPTY, 0),
        ];
        QuietBonus {
            position,
            checks: position.checks(),
            attacked,
        }
    }

    /// Returns the bonus of a move.
    #[inline]
    pub fn of(&self, m: Move) -> i16 {
        let (squares, weight) = self.attacked[self.position.piece_index_at(m.from()) % 6];
        let escape =
            weight * (i16::from(squares.contains(m.from())) - i16::from(squares.contains(m.to())));
        let check = i16::from(self.checks.contain(self.position, m)) * params::check_bonus() as i16;
        escape.saturating_add(check)
    }
}
