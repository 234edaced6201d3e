//! The moves that give check.

use shakmaty::{Bitboard, CastlingSide, Role, Square, attacks};

use super::{Move, MoveKind, Position, role_index};

impl Position {
    /// Returns the test for checking moves, for use on many moves of a position.
    #[inline]
    pub fn checks(&self) -> Checks {
        let (us, king) = (self.turn(), self.king(!self.turn()));
        let diagonal = attacks::bishop_attacks(king, self.occupied());
        let straight = attacks::rook_attacks(king, self.occupied());
        Checks {
            blockers: self.blockers(!us),
            squares: [
                attacks::pawn_attacks(!us, king),
                attacks::knight_attacks(king),
                diagonal,
                straight,
                diagonal | straight,
                Bitboard::EMPTY,
            ],
        }
    }

    /// Returns whether a legal move gives check.
    pub fn gives_check(&self, m: Move) -> bool {
        let (us, from, to) = (self.turn(), m.from(), m.to());
        let king = self.king(!us);
        match m.kind() {
            MoveKind::Castling => {
                let side = CastlingSide::from_queen_side(to < from);
                let occupied = self
                    .occupied()
                    .without(from)
                    .without(to)
                    .with(side.king_to(us))
                    .with(side.rook_to(us));
                attacks::rook_attacks(side.rook_to(us), occupied).contains(king)
            }
            MoveKind::EnPassant => {
                let captured = Square::from_coords(to.file(), from.rank());
                let occupied = self.occupied().without(from).without(captured).with(to);
                let board = self.board();
                attacks::pawn_attacks(us, to).contains(king)
                    || (attacks::rook_attacks(king, occupied)
                        & self.by_color(us)
                        & board.rooks_and_queens())
                    .any()
                    || (attacks::bishop_attacks(king, occupied)
                        & self.by_color(us)
                        & board.bishops_and_queens())
                    .any()
            }
            kind => {
                let Some(piece) = self.piece_at(from) else {
                    return false;
                };
                let role = if let MoveKind::Promotion(role) = kind {
                    role
                } else {
                    piece.role
                };
                let direct = role != Role::King
                    && attacks::attacks(to, role.of(us), self.occupied().without(from))
                        .contains(king);
                direct
                    || (self.blockers(!us).contains(from) && !attacks::ray(king, from).contains(to))
            }
        }
    }
}

/// The test for the checking moves of a position: the result of [`Position::gives_check`], from
/// squares computed once. Its methods take the position that it was made for.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    /// The pieces that discover a check when they leave their line.
    blockers: Bitboard,
    /// `[role]`: the squares from which a piece attacks the king. Its own old square does not
    /// matter: a slider that arrives along its line to the king would have attacked the king
    /// before.
    squares: [Bitboard; 6],
}

impl Checks {
    /// Returns the squares from which a piece of this kind attacks the king.
    #[inline]
    pub(super) const fn squares(&self, role: Role) -> Bitboard {
        self.squares[role_index(role)]
    }

    /// Returns the own pieces that discover a check when they leave their line.
    #[inline]
    pub(super) fn discovers(&self, position: &Position) -> Bitboard {
        self.blockers & position.by_color(position.turn())
    }

    /// Returns the squares on which a piece may give check; all squares if it may discover a
    /// check.
    #[inline]
    pub(super) fn candidates(&self, position: &Position, from: Square) -> Bitboard {
        if self.blockers.contains(from) {
            Bitboard::FULL
        } else {
            self.squares[position.piece_index_at(from) % 6]
        }
    }

    /// Returns whether a legal move gives check.
    #[inline]
    pub fn contain(&self, position: &Position, m: Move) -> bool {
        let (from, to) = (m.from(), m.to());
        if m.kind() != MoveKind::Normal || self.blockers.contains(from) {
            return position.gives_check(m);
        }
        self.squares[position.piece_index_at(from) % 6].contains(to)
    }
}
