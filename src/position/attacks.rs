//! Attacked squares and pins.

use shakmaty::{Bitboard, Color, Role, attacks};

use super::Position;

/// The squares attacked by the side not to move, looking through the king of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Threats {
    /// By any piece.
    pub all: Bitboard,
    /// By pawns.
    pub by_pawns: Bitboard,
    /// By pawns, knights and bishops.
    pub by_minors: Bitboard,
    /// By pawns, knights, bishops and rooks.
    pub by_rooks: Bitboard,
}

impl Position {
    /// Returns the pieces that are the only ones between a king and an enemy slider.
    pub(super) fn slider_blockers(&self, color: Color) -> Bitboard {
        let board = self.board();
        let king = self.king(color);
        let snipers = board.by_color(!color)
            & ((attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens())
                | (attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens()));
        let mut blockers = Bitboard::EMPTY;
        for sniper in snipers {
            let between = attacks::between(king, sniper) & board.occupied();
            if !between.more_than_one() {
                blockers |= between;
            }
        }
        blockers
    }

    /// Returns the squares that one side attacks.
    pub(super) fn attacks_of(&self, color: Color) -> Threats {
        let board = self.board();
        let occupied = board.occupied().without(self.king(!color));
        let by_pawns = pawn_attacks(color, self.pieces(color, Role::Pawn));
        let mut by_minors = by_pawns;
        for square in self.pieces(color, Role::Knight) {
            by_minors |= attacks::knight_attacks(square);
        }
        for square in self.pieces(color, Role::Bishop) {
            by_minors |= attacks::bishop_attacks(square, occupied);
        }
        let mut by_rooks = by_minors;
        for square in self.pieces(color, Role::Rook) {
            by_rooks |= attacks::rook_attacks(square, occupied);
        }
        let mut all = by_rooks | attacks::king_attacks(self.king(color));
        for square in self.pieces(color, Role::Queen) {
            all |= attacks::queen_attacks(square, occupied);
        }
        Threats {
            all,
            by_pawns,
            by_minors,
            by_rooks,
        }
    }
}

/// Returns the squares that pawns of one side attack.
#[inline]
pub const fn pawn_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    Bitboard(match color {
        Color::White => (pawns.0 & NOT_A) << 7 | (pawns.0 & NOT_H) << 9,
        Color::Black => (pawns.0 & NOT_A) >> 9 | (pawns.0 & NOT_H) >> 7,
    })
}

/// Returns the squares one step ahead of each square, seen from one side.
#[inline]
pub const fn forward(color: Color, squares: Bitboard) -> Bitboard {
    Bitboard(match color {
        Color::White => squares.0 << 8,
        Color::Black => squares.0 >> 8,
    })
}
