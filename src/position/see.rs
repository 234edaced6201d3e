//! Static exchange evaluation: the material result of a sequence of captures on one square.

use shakmaty::{Bitboard, Board, Color, Role, Square, attacks};

use super::{Move, MoveKind, Position, color_index, role_index};

/// The value of a piece in an exchange in centipawns, `[role]`. The king is never captured.
pub const SEE_VALUES: [i32; 6] = [100, 300, 300, 500, 900, 0];

impl Position {
    /// Returns true when the exchange that a legal move starts on its target square wins at least
    /// `threshold` centipawns. Both sides capture with their least valuable piece and stop when a
    /// capture does not pay.
    ///
    /// Pinned pieces take part only along their pin, or once the pinning piece has left. Castling
    /// exchanges nothing.
    pub fn see_ge(&self, m: Move, threshold: i32) -> bool {
        if m.is_castling() {
            return threshold <= 0;
        }
        let (from, to) = (m.from(), m.to());
        let Some(mover) = self.role_at(from) else {
            return threshold <= 0;
        };
        let mut occupied = self.occupied().without(from).with(to);

        // The immediate gain, and the piece on the square afterwards.
        let mut gain = self
            .captured(m)
            .map_or(0, |role| SEE_VALUES[role_index(role)]);
        let mut standing = SEE_VALUES[role_index(mover)];
        match m.kind() {
            MoveKind::Promotion(role) => {
                let promoted = SEE_VALUES[role_index(role)];
                gain += promoted - SEE_VALUES[role_index(Role::Pawn)];
                standing = promoted;
            }
            MoveKind::EnPassant => occupied.discard(Square::from_coords(to.file(), from.rank())),
            _ => {}
        }
        let mut balance = gain - threshold;
        if balance < 0 {
            return false; // even keeping everything is not enough
        }
        balance -= standing;
        if balance >= 0 {
            return true; // even losing the piece is not too much
        }

        let exchange = Exchange {
            board: self.board(),
            square: to,
            blockers: [Color::White, Color::Black].map(|color| self.blockers(color)),
        };
        exchange.loser(occupied, !self.turn(), balance) != self.turn()
    }
}

/// Returns true when the side to which the piece on a square does not belong wins material by
/// capturing it, in its turn. Pins are ignored, and so are promotions.
pub fn is_won_by_exchange(board: &Board, square: Square) -> bool {
    let Some(piece) = board.piece_at(square) else {
        return false;
    };
    let exchange = Exchange {
        board,
        square,
        blockers: [Bitboard::EMPTY; 2],
    };
    let balance = -SEE_VALUES[role_index(piece.role)];
    exchange.loser(board.occupied(), !piece.color, balance) == piece.color
}

/// Captures on one square.
struct Exchange<'a> {
    board: &'a Board,
    square: Square,
    /// For each color, the pieces that may not leave the line to their king.
    blockers: [Bitboard; 2],
}

impl Exchange<'_> {
    /// Returns the side that loses when both capture with their least valuable piece and stop when a
    /// capture does not pay: the one that would have to capture next, and cannot or need not.
    ///
    /// `side` captures first. `balance` is what the other side has won so far, in centipawns, if it
    /// loses the piece on the square.
    #[inline]
    fn loser(&self, mut occupied: Bitboard, mut side: Color, mut balance: i32) -> Color {
        let diagonal = self.board.bishops_and_queens();
        let straight = self.board.rooks_and_queens();
        let mut attackers = self.attackers(occupied);
        loop {
            attackers &= occupied;
            let mut ours = attackers & self.board.by_color(side);
            // A pinned piece cannot leave its pin while the pinning piece remains.
            for square in self.blockers[color_index(side)] & ours {
                let king = self.board.king_of(side).unwrap_or(square);
                let line = attacks::ray(king, square);
                if !line.contains(self.square)
                    && (line & occupied & self.board.by_color(!side) & (diagonal | straight)).any()
                {
                    ours.discard(square);
                }
            }
            let Some((role, square)) = self.least_valuable(ours) else {
                return side;
            };
            occupied.discard(square);
            if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
                attackers |= attacks::bishop_attacks(self.square, occupied) & diagonal;
            }
            if matches!(role, Role::Rook | Role::Queen) {
                attackers |= attacks::rook_attacks(self.square, occupied) & straight;
            }
            // From the other side's point of view, assuming that the capturing piece is lost.
            balance = -balance - 1 - SEE_VALUES[role_index(role)];
            if balance >= 0 {
                // The king may capture only an undefended piece.
                let is_defended = (attackers & occupied & self.board.by_color(!side)).any();
                return if role == Role::King && is_defended {
                    side
                } else {
                    !side
                };
            }
            side = !side;
        }
    }

    /// Returns the pieces of both sides that attack the square.
    #[inline]
    fn attackers(&self, occupied: Bitboard) -> Bitboard {
        let (board, square) = (self.board, self.square);
        (attacks::rook_attacks(square, occupied) & board.rooks_and_queens())
            | (attacks::bishop_attacks(square, occupied) & board.bishops_and_queens())
            | (attacks::knight_attacks(square) & board.knights())
            | (attacks::king_attacks(square) & board.kings())
            | (attacks::pawn_attacks(Color::Black, square) & board.white() & board.pawns())
            | (attacks::pawn_attacks(Color::White, square) & board.black() & board.pawns())
    }

    #[inline]
    fn least_valuable(&self, candidates: Bitboard) -> Option<(Role, Square)> {
        super::ROLES
            .into_iter()
            .find_map(|role| Some((role, (candidates & self.board.by_role(role)).first()?)))
    }
}
