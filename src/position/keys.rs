//! Zobrist keys of positions, and of the parts of positions that index histories.

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{CastlingSide, Color, Piece, Position as _, Role, Square};

use super::{Move, NO_PIECE, Position, color_index, piece_of_index};

/// The Zobrist keys of a position and of parts of it. The parts index correction histories.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Keys {
    /// The key of the position: pieces, side to move, castling rights, and en passant when a
    /// capture is legal. Move counters are not part of it. The constants are Polyglot's.
    pub zobrist: u64,
    /// Pawns of both colours.
    pub pawns: u64,
    /// Knights, bishops and kings of both colours.
    pub minors: u64,
    /// Everything but pawns, `[color]` (see [`color_index`]).
    pub non_pawns: [u64; 2],
}

impl Keys {
    /// Adds or removes a piece.
    #[inline]
    pub(super) fn toggle(&mut self, square: Square, piece: Piece) {
        let key = Zobrist64::zobrist_for_piece(square, piece).0;
        self.zobrist ^= key;
        match piece.role {
            Role::Pawn => self.pawns ^= key,
            role => {
                self.non_pawns[color_index(piece.color)] ^= key;
                if matches!(role, Role::Knight | Role::Bishop | Role::King) {
                    self.minors ^= key;
                }
            }
        }
    }
}

impl Position {
    /// Computes the keys from the pieces, for new positions and to verify the incremental keys.
    pub fn keys_from_scratch(&self) -> Keys {
        let mut keys = Keys::default();
        for (square, piece) in self.board() {
            keys.toggle(square, piece);
        }
        keys.zobrist ^= self.state_key();
        keys
    }

    /// Returns the part of the position's key that does not come from pieces.
    #[inline]
    pub(super) fn state_key(&self) -> u64 {
        let mut key = self.castling_key();
        if self.turn() == Color::White {
            key ^= Zobrist64::zobrist_for_white_turn().0;
        }
        if let Some(square) = self.en_passant {
            key ^= Zobrist64::zobrist_for_en_passant_file(square.file()).0;
        }
        key
    }

    fn castling_key(&self) -> u64 {
        let castles = self.chess.castles();
        let mut key = 0;
        if castles.any() {
            for color in Color::ALL {
                for side in CastlingSide::ALL {
                    if castles.has(color, side) {
                        key ^= Zobrist64::zobrist_for_castling_right(color, side).0;
                    }
                }
            }
        }
        key
    }

    /// Returns the key after a move, apart from castling rights and en passant. It is good enough
    /// for prefetching.
    #[inline]
    pub fn key_after(&self, m: Move) -> u64 {
        let (from, to) = (m.from(), m.to());
        let mut key = self.keys.zobrist ^ Zobrist64::zobrist_for_white_turn().0;
        let index = self.mailbox[from.to_usize()];
        if index != NO_PIECE {
            let piece = piece_of_index(index);
            key ^= Zobrist64::zobrist_for_piece(from, piece).0
                ^ Zobrist64::zobrist_for_piece(to, piece).0;
        }
        let captured = self.mailbox[to.to_usize()];
        if captured != NO_PIECE {
            key ^= Zobrist64::zobrist_for_piece(to, piece_of_index(captured)).0;
        }
        key
    }
}
