//! Static exchange evaluation: the material result of a sequence of captures on one square.

use shakmaty::{Bitboard, Role, Square, attacks};

use super::{Move, MoveKind, Position, role_index};

/// The value of a piece in an exchange in centipawns, `[role]`. The king is never captured.
pub const SEE_VALUES: [i32; 6] = [100, 300, 300, 500, 900, 0];

impl Position {
    /// Returns whether the exchange that a legal move starts on its target square wins at least
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
        let is_reached = self.threats.all.contains(to) || self.threats.all.contains(from);
        if !is_reached && !m.is_en_passant() {
            return true; // nothing recaptures, not even through the square that the move leaves
        }

        let board = self.board();
        let diagonal = board.bishops_and_queens();
        let straight = board.rooks_and_queens();
        let mut attackers = self.attackers(to, occupied);
        let mut side = !self.turn();
        loop {
            attackers &= occupied;
            let mut ours = attackers & self.by_color(side);
            // A pinned piece cannot leave its pin while the pinning piece remains.
            for square in self.blockers(side) & ours {
                let line = attacks::ray(self.king(side), square);
                if !line.contains(to)
                    && (line & occupied & self.by_color(!side) & (diagonal | straight)).any()
                {
                    ours.discard(square);
                }
            }
            let Some((role, square)) = self.least_valuable(ours) else {
                break;
            };
            occupied.discard(square);
            if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
                attackers |= attacks::bishop_attacks(to, occupied) & diagonal;
            }
            if matches!(role, Role::Rook | Role::Queen) {
                attackers |= attacks::rook_attacks(to, occupied) & straight;
            }
            side = !side;
            // From the other side's point of view, assuming that the capturing piece is lost.
            balance = -balance - 1 - SEE_VALUES[role_index(role)];
            if balance >= 0 {
                // The king may capture only an undefended piece.
                if role == Role::King && (attackers & occupied & self.by_color(side)).any() {
                    side = !side;
                }
                break;
            }
        }
        // The side that would have to capture next, and cannot or does not need to, has lost the
        // exchange.
        side != self.turn()
    }

    /// Returns the pieces of both sides that attack a square.
    fn attackers(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let board = self.board();
        (attacks::rook_attacks(square, occupied) & board.rooks_and_queens())
            | (attacks::bishop_attacks(square, occupied) & board.bishops_and_queens())
            | (attacks::knight_attacks(square) & board.knights())
            | (attacks::king_attacks(square) & board.kings())
            | (attacks::pawn_attacks(shakmaty::Color::Black, square)
                & board.white()
                & board.pawns())
            | (attacks::pawn_attacks(shakmaty::Color::White, square)
                & board.black()
                & board.pawns())
    }

    fn least_valuable(&self, candidates: Bitboard) -> Option<(Role, Square)> {
        super::ROLES
            .into_iter()
            .find_map(|role| Some((role, (candidates & self.board().by_role(role)).first()?)))
    }
}
