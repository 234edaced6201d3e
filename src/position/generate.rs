//! Move generation in stages, and the legality test for packed moves.
//!
//! All generated moves are legal: pinned pieces stay on their line, moves in check end the check,
//! and the king avoids attacked squares.

use shakmaty::{Bitboard, CastlingSide, Color, Position as _, Rank, Role, Square, attacks};

use super::{Move, MoveKind, MoveList, Position, forward, pawn_attacks};

const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Knight, Role::Rook, Role::Bishop];

impl Position {
    /// Appends the legal captures and promotions (the noisy stage). In check, only those that end
    /// it.
    pub fn generate_noisy(&self, list: &mut MoveList) {
        let us = self.turn();
        let evasions = self.evasion_squares();
        let theirs = self.by_color(!us);
        self.generate_pieces(|_| theirs, evasions, list);
        self.generate_pawn_captures(evasions, list);
        self.generate_pawn_pushes(
            Bitboard::from_rank(us.relative_rank(Rank::Eighth)),
            evasions,
            list,
        );
        if let Some(to) = self.en_passant {
            for from in self.pieces(us, Role::Pawn) & attacks::pawn_attacks(!us, to) {
                if self.is_legal_en_passant(from, to) {
                    push(list, Move::en_passant(from, to));
                }
            }
        }
    }

    /// Appends the legal moves that neither capture nor promote (the quiet stage). In check, only
    /// those that end it.
    pub fn generate_quiets(&self, list: &mut MoveList) {
        let evasions = self.evasion_squares();
        let empty = !self.occupied();
        self.generate_pieces(|_| empty, evasions, list);
        self.generate_pawn_pushes(!Bitboard::BACKRANKS, evasions, list);
        for side in CastlingSide::ALL {
            if let Some(m) = self.legal_castling(side) {
                push(list, m);
            }
        }
    }

    /// Returns the legal moves that give check and neither capture nor promote.
    pub fn quiet_checks(&self) -> MoveList {
        let mut list = MoveList::new();
        let checks = self.checks();
        let evasions = self.evasion_squares();
        let empty = !self.occupied();
        self.generate_pieces(
            |from| empty & checks.candidates(self, from),
            evasions,
            &mut list,
        );
        let discovers = checks.discovers(self);
        let targets = if (discovers & self.pieces(self.turn(), Role::Pawn)).any() {
            Bitboard::FULL
        } else {
            checks.squares(Role::Pawn)
        };
        self.generate_pawn_pushes(targets & !Bitboard::BACKRANKS, evasions, &mut list);
        if discovers.any() {
            list.retain(|m| checks.contain(self, *m));
        }
        for side in CastlingSide::ALL {
            if let Some(m) = self.legal_castling(side).filter(|&m| self.gives_check(m)) {
                push(&mut list, m);
            }
        }
        list
    }

    /// Returns all legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate_noisy(&mut list);
        self.generate_quiets(&mut list);
        list
    }

    /// Returns whether the side to move has a legal move.
    pub fn has_legal_move(&self) -> bool {
        // King moves exist most often and are the cheapest to find.
        let us = self.turn();
        if (attacks::king_attacks(self.king(us)) & !self.by_color(us) & !self.threats.all).any() {
            return true;
        }
        !self.legal_moves().is_empty()
    }

    /// Returns the squares that end a check for pieces other than the king: all squares without a
    /// check; the checker and the squares up to it with one; none with two.
    #[inline]
    fn evasion_squares(&self) -> Bitboard {
        match self.checkers.single_square() {
            Some(checker) => attacks::between(self.king(self.turn()), checker).with(checker),
            None if self.checkers.is_empty() => Bitboard::FULL,
            None => Bitboard::EMPTY,
        }
    }

    /// Appends the moves of the pieces, from each square to its targets.
    #[inline]
    fn generate_pieces(
        &self,
        targets: impl Fn(Square) -> Bitboard,
        evasions: Bitboard,
        list: &mut MoveList,
    ) {
        let us = self.turn();
        let king = self.king(us);
        let occupied = self.occupied();
        let pinned = self.blockers(us);
        for to in attacks::king_attacks(king) & targets(king) & !self.threats.all {
            push(list, Move::normal(king, to));
        }
        if evasions.is_empty() {
            return;
        }
        // A pinned knight never moves.
        for from in self.pieces(us, Role::Knight) & !pinned {
            for to in attacks::knight_attacks(from) & evasions & targets(from) {
                push(list, Move::normal(from, to));
            }
        }
        let board = self.board();
        for from in board.bishops_and_queens() & self.by_color(us) {
            let line = if pinned.contains(from) {
                attacks::ray(king, from)
            } else {
                Bitboard::FULL
            };
            for to in attacks::bishop_attacks(from, occupied) & evasions & targets(from) & line {
                push(list, Move::normal(from, to));
            }
        }
        for from in board.rooks_and_queens() & self.by_color(us) {
            let line = if pinned.contains(from) {
                attacks::ray(king, from)
            } else {
                Bitboard::FULL
            };
            for to in attacks::rook_attacks(from, occupied) & evasions & targets(from) & line {
                push(list, Move::normal(from, to));
            }
        }
    }

    #[inline]
    fn generate_pawn_captures(&self, evasions: Bitboard, list: &mut MoveList) {
        let us = self.turn();
        let king = self.king(us);
        let pinned = self.blockers(us);
        let targets = self.by_color(!us) & evasions;
        // Most pawns attack nothing, so filter all of them at once first.
        let pawns = self.pieces(us, Role::Pawn) & pawn_attacks(!us, targets);
        for from in pawns {
            let mut squares = attacks::pawn_attacks(us, from) & targets;
            if pinned.contains(from) {
                squares &= attacks::ray(king, from);
            }
            for to in squares {
                push_pawn_move(list, from, to);
            }
        }
    }

    #[inline]
    fn generate_pawn_pushes(&self, targets: Bitboard, evasions: Bitboard, list: &mut MoveList) {
        let us = self.turn();
        let king = self.king(us);
        let empty = !self.occupied();
        let pinned = self.blockers(us);
        // A pinned pawn advances only along its king's file.
        let pawns = self.pieces(us, Role::Pawn) & (!pinned | Bitboard::from_file(king.file()));
        let single = forward(us, pawns) & empty;
        let double = forward(
            us,
            single & Bitboard::from_rank(us.relative_rank(Rank::Third)),
        ) & empty;
        for to in single & targets & evasions {
            push_pawn_move(list, back(us, to, 8), to);
        }
        for to in double & targets & evasions {
            push(list, Move::normal(back(us, to, 16), to));
        }
    }

    /// Returns the castling move to one side, if it is legal.
    fn legal_castling(&self, side: CastlingSide) -> Option<Move> {
        let us = self.turn();
        let castles = self.chess.castles();
        let rook = castles.rook(us, side)?;
        if self.in_check() || (castles.path(us, side) & self.occupied()).any() {
            return None;
        }
        let king = self.king(us);
        let king_to = side.king_to(us);
        let walk = attacks::between(king, king_to).with(king_to);
        if (walk & self.threats.all).any() {
            return None;
        }
        // In Chess960 the rook may have shielded the king from a rook or queen on the back rank.
        (!self.blockers(us).contains(rook)).then(|| Move::castling(king, rook))
    }

    /// Returns whether a pawn of the side to move on `from` may capture en passant on `to`.
    pub(super) fn is_legal_en_passant(&self, from: Square, to: Square) -> bool {
        let us = self.turn();
        if !attacks::pawn_attacks(us, from).contains(to) {
            return false;
        }
        // Two pawns leave their squares at once, which pin masks do not cover: test the resulting
        // board.
        let captured = Square::from_coords(to.file(), from.rank());
        let king = self.king(us);
        let occupied = self.occupied().without(from).without(captured).with(to);
        (self.board().attacks_to(king, !us, occupied) & !Bitboard::from_square(captured)).is_empty()
    }

    /// Returns whether a packed move, which may come from another position, is legal here.
    pub fn is_legal(&self, m: Move) -> bool {
        let us = self.turn();
        let (from, to) = (m.from(), m.to());
        let Some(piece) = self.piece_at(from).filter(|piece| piece.color == us) else {
            return false;
        };
        let king = self.king(us);
        match m.kind() {
            MoveKind::Castling => {
                return m.code() >> 12 & 3 == 0
                    && CastlingSide::ALL
                        .into_iter()
                        .any(|side| self.legal_castling(side) == Some(m));
            }
            MoveKind::EnPassant => {
                return m.code() >> 12 & 3 == 0
                    && piece.role == Role::Pawn
                    && self.en_passant == Some(to)
                    && self.is_legal_en_passant(from, to);
            }
            MoveKind::Normal if m.code() >> 12 & 3 != 0 => return false,
            _ => {}
        }
        if self.by_color(us).contains(to) {
            return false;
        }
        let last_rank = to.rank() == us.relative_rank(Rank::Eighth);
        if m.is_promotion() != (piece.role == Role::Pawn && last_rank) {
            return false;
        }
        let reaches = match piece.role {
            Role::King => {
                return attacks::king_attacks(from).contains(to) && !self.threats.all.contains(to);
            }
            Role::Pawn => self.pawn_reaches(from, to),
            _ => attacks::attacks(from, piece, self.occupied()).contains(to),
        };
        reaches
            && self.evasion_squares().contains(to)
            && (!self.blockers(us).contains(from) || attacks::ray(king, from).contains(to))
    }

    fn pawn_reaches(&self, from: Square, to: Square) -> bool {
        let us = self.turn();
        if attacks::pawn_attacks(us, from).contains(to) {
            return self.by_color(!us).contains(to);
        }
        let empty = !self.occupied();
        let single = forward(us, Bitboard::from_square(from)) & empty;
        let double = forward(
            us,
            single & Bitboard::from_rank(us.relative_rank(Rank::Third)),
        ) & empty;
        (single | double).contains(to)
    }
}

/// Returns the square `distance` (a multiple of 8) behind a pawn's target.
#[inline]
fn back(us: Color, to: Square, distance: u32) -> Square {
    Square::new(match us {
        Color::White => to.to_u32().saturating_sub(distance),
        Color::Black => (to.to_u32() + distance).min(63),
    })
}

#[inline]
fn push_pawn_move(list: &mut MoveList, from: Square, to: Square) {
    if Bitboard::BACKRANKS.contains(to) {
        for role in PROMOTIONS {
            push(list, Move::promotion(from, to, role));
        }
    } else {
        push(list, Move::normal(from, to));
    }
}

/// Appends a move. A full list, which no known position fills, drops it.
#[inline]
fn push(list: &mut MoveList, m: Move) {
    let _ = list.try_push(m);
}
