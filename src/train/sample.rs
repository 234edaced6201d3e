//! Positions as kept in memory for training, and the inputs that they activate.

use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};

use super::network::Shape;
use crate::eval::nnue::{BoardInputs, FEATURES, MARKS, king_bucket};
use crate::games::GameResult;
use crate::position::Position;

/// The maximum number of pieces in the data format.
const MAX_PIECES: usize = 32;

/// The maximum number of active inputs: one for a piece, and one for each of its marks.
const MAX_ACTIVE: usize = (1 + MARKS) * MAX_PIECES;

/// The value of the result field without a result.
const NO_RESULT: u8 = 3;

/// A position in 48 bytes from the point of view of the side to move: for Black the board is
/// flipped and colours are exchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// A nibble for each piece in the order of the squares, lowest first: pawn to king 0 .. 5, plus
    /// 8 for the opponent's. The first half has those of the first 16 pieces.
    pieces: [u64; 2],
    /// The occupied squares.
    occupied: u64,
    /// A nibble for each piece in the same order, with a bit for each of its marks.
    marks: [u64; 2],
    /// The score in centipawns.
    score: i16,
    /// The result in half points: 0 lost, 1 drawn, 2 won; [`NO_RESULT`] if no game was played from
    /// the position.
    result: u8,
    /// The squares of the kings, the side to move's first, each seen from its own side.
    kings: [u8; 2],
}

/// The inputs that a position activates for one of the two sides.
#[derive(Clone, Copy, Debug)]
pub struct Active {
    count: u16,
    indices: [u16; MAX_ACTIVE],
}

impl Active {
    /// No active inputs.
    pub const NONE: Active = Active {
        count: 0,
        indices: [0; MAX_ACTIVE],
    };

    /// Returns the active inputs.
    #[inline(always)]
    pub fn indices(&self) -> &[u16] {
        &self.indices[..usize::from(self.count).min(MAX_ACTIVE)]
    }

    #[inline(always)]
    fn push(&mut self, index: u16) {
        self.indices[usize::from(self.count) % MAX_ACTIVE] = index;
        self.count += 1;
    }
}

/// Splits 32 nibbles, so that a sample needs no more than the alignment of 64 bits.
const fn halves(nibbles: u128) -> [u64; 2] {
    [nibbles as u64, (nibbles >> 64) as u64]
}

/// Joins what [`halves`] has split.
#[inline(always)]
const fn whole([low, high]: [u64; 2]) -> u128 {
    (high as u128) << 64 | low as u128
}

/// Flips files: XORed with a square.
const MIRROR: u16 = 7;
/// Flips ranks: XORed with a square.
const FLIP: u16 = 56;

/// Returns the flip that brings a side's king to files a to d.
const fn mirror(king: u8) -> u16 {
    if king & 4 == 0 { 0 } else { MIRROR }
}

impl Sample {
    /// Packs a position with White's score in centipawns and the result of the game played from it,
    /// if any. Returns `None` for more than 32 pieces.
    pub fn new(
        position: &Position,
        white_score: i16,
        result: Option<GameResult>,
    ) -> Option<Sample> {
        let us = position.turn();
        let seen = |square: Square| match us {
            Color::White => square as u8,
            Color::Black => square as u8 ^ FLIP as u8,
        };
        let marks = *BoardInputs::of_position(position, true).marks();
        let mut board = [None; 64];
        for square in position.occupied() {
            let piece = position.piece_at(square)?;
            let code = piece.role as u8 - 1 + if piece.color == us { 0 } else { 8 };
            *board.get_mut(usize::from(seen(square)))? = Some((code, marks.of(square)));
        }
        let (mut pieces, mut nibbles, mut occupied, mut count) = (0_u128, 0_u128, 0, 0);
        for (square, (code, marks)) in board
            .iter()
            .enumerate()
            .filter_map(|(i, piece)| Some((i, (*piece)?)))
        {
            if count == MAX_PIECES {
                return None;
            }
            pieces |= u128::from(code) << (4 * count);
            nibbles |= u128::from(marks) << (4 * count);
            occupied |= 1 << square;
            count += 1;
        }
        let (score, result) = match us {
            Color::White => (white_score, result.map(|result| result as u8)),
            Color::Black => (
                white_score.saturating_neg(),
                result.map(|result| 2 - result as u8),
            ),
        };
        Some(Sample {
            pieces: halves(pieces),
            occupied,
            marks: halves(nibbles),
            score,
            result: result.unwrap_or(NO_RESULT),
            kings: [
                seen(position.king(us)),
                seen(position.king(!us)) ^ FLIP as u8,
            ],
        })
    }

    /// Returns the board with the side to move as White.
    pub fn board(&self) -> Board {
        let mut board = Board::empty();
        let mut pieces = whole(self.pieces);
        for square in Bitboard(self.occupied) {
            let color = Color::from_white(pieces & 8 == 0);
            if let Some(&role) = Role::ALL.get((pieces & 7) as usize) {
                board.set_piece_at(square, Piece { color, role });
            }
            pieces >>= 4;
        }
        board
    }

    /// Returns the score for the side to move, in centipawns.
    #[inline]
    pub const fn score(&self) -> i16 {
        self.score
    }

    /// Returns the same position with another score for the side to move, in centipawns.
    pub const fn with_score(self, score: i16) -> Sample {
        Sample { score, ..self }
    }

    /// Returns the points of the side to move: 0, 0.5 or 1. Returns `None` if no game was played
    /// from the position.
    #[inline]
    pub fn result(&self) -> Option<f32> {
        (self.result != NO_RESULT).then(|| f32::from(self.result) * 0.5)
    }

    /// Returns the number of pieces, pawns and kings included.
    #[inline]
    pub const fn piece_count(&self) -> usize {
        self.occupied.count_ones() as usize
    }

    /// Returns the position's output bucket.
    #[inline]
    pub const fn bucket(&self, shape: Shape) -> usize {
        shape.bucket(self.piece_count())
    }

    /// Returns the active inputs for the side to move and for the opponent.
    #[inline(always)]
    pub fn inputs(&self, shape: Shape) -> [Active; 2] {
        let first = self.kings.map(|king| match shape.king_buckets {
            1 => 0,
            _ => (king_bucket(Square::new(u32::from(king))) * FEATURES) as u16,
        });
        let mut marks = if shape.has_marks {
            whole(self.marks)
        } else {
            0
        };
        let mut lists = [Active::NONE; 2];
        let own_flip = mirror(self.kings[0]);
        let other_flip = FLIP ^ mirror(self.kings[1]);
        let (mut occupied, mut pieces) = (self.occupied, whole(self.pieces));
        while occupied != 0 {
            let square = occupied.trailing_zeros() as u16;
            let (role, theirs) = (pieces as u16 & 7, pieces as u16 >> 3 & 1);
            let side = FEATURES as u16 / 2;
            let features = [
                theirs * side + role * 64 + (square ^ own_flip),
                (1 - theirs) * side + role * 64 + (square ^ other_flip),
            ];
            for ((list, first), feature) in lists.iter_mut().zip(first).zip(features) {
                list.push(first + feature);
                let mut nibble = marks as u16 & 15;
                while nibble != 0 {
                    let set = shape.king_buckets as u16 + nibble.trailing_zeros() as u16;
                    list.push(set * FEATURES as u16 + feature);
                    nibble &= nibble - 1;
                }
            }
            occupied &= occupied - 1;
            pieces >>= 4;
            marks >>= 4;
        }
        lists
    }

    /// Returns a hash of the whole sample.
    pub fn fingerprint(&self) -> u64 {
        let rest = u64::from(self.score as u16) << 8 | u64::from(self.result);
        [self.pieces[0], self.pieces[1], rest]
            .into_iter()
            .fold(self.occupied, |hash, word| {
                crate::random::mix(hash ^ word.rotate_left(17))
            })
    }
}
