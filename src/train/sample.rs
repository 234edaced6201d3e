//! A position as training keeps it in memory, and the inputs of the network that it switches on.

use shakmaty::{Bitboard, Board, Color, Piece, Role, Square};

use super::network::{FEATURES, Shape};
use crate::eval::nnue::king_bucket;
use crate::games::GameResult;
use crate::position::Position;

/// The most men that the data format has, and so the most inputs that are on at once.
pub const MAX_MEN: usize = 32;

/// In the place of half points.
const NO_RESULT: u8 = 3;

/// A position in 32 bytes, as the side to move sees it: for Black the board is turned upside down and the colours are
/// exchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Sample {
    /// A nibble for each man in the order of the squares, lowest first: pawn to king 0 .. 5, plus 8 for the opponent's.
    men: u128,
    /// The squares with a man.
    occupied: u64,
    /// Centipawns.
    score: i16,
    /// Half points: 0 lost, 1 drawn, 2 won; [`NO_RESULT`] when no game was played from here.
    result: u8,
    /// Where the kings stand, the side to move's first, each as its own side sees the board.
    kings: [u8; 2],
}

/// The inputs that a position switches on for one of the two sides.
#[derive(Clone, Copy, Debug)]
pub struct Active {
    count: u16,
    indices: [u16; MAX_MEN],
}

impl Active {
    /// No input.
    pub const NONE: Active = Active {
        count: 0,
        indices: [0; MAX_MEN],
    };

    /// The inputs.
    #[inline(always)]
    pub fn indices(&self) -> &[u16] {
        &self.indices[..usize::from(self.count).min(MAX_MEN)]
    }
}

/// Exchanges the left half of the board for the right one.
const MIRROR: u16 = 7;
/// Exchanges the first rank for the last.
const FLIP: u16 = 56;

/// What a side adds to its squares so that its own king is on the files a to d.
const fn mirror(king: u8) -> u16 {
    if king & 4 == 0 { 0 } else { MIRROR }
}

impl Sample {
    /// Packs a position with White's score in centipawns and, if a game was played from it, that game's result; `None` when
    /// it has more than 32 men.
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
        let mut board = [0_u8; 64];
        for square in position.occupied() {
            let piece = position.piece_at(square)?;
            let code = piece.role as u8 - 1 + if piece.color == us { 0 } else { 8 };
            *board.get_mut(usize::from(seen(square)))? = code + 1;
        }
        let (mut men, mut occupied, mut count) = (0, 0, 0);
        for (square, &code) in board.iter().enumerate().filter(|(_, code)| **code > 0) {
            if count == MAX_MEN {
                return None;
            }
            men |= u128::from(code - 1) << (4 * count);
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
            men,
            occupied,
            score,
            result: result.unwrap_or(NO_RESULT),
            kings: [
                seen(position.king(us)),
                seen(position.king(!us)) ^ FLIP as u8,
            ],
        })
    }

    /// The board, with the side to move as White.
    pub fn board(&self) -> Board {
        let mut board = Board::empty();
        let mut men = self.men;
        for square in Bitboard(self.occupied) {
            let color = Color::from_white(men & 8 == 0);
            if let Some(&role) = Role::ALL.get((men & 7) as usize) {
                board.set_piece_at(square, Piece { color, role });
            }
            men >>= 4;
        }
        board
    }

    /// Centipawns for the side to move.
    #[inline]
    pub const fn score(&self) -> i16 {
        self.score
    }

    /// Points of the side to move: 0, 0.5 or 1; `None` when no game was played from here.
    #[inline]
    pub fn result(&self) -> Option<f32> {
        (self.result != NO_RESULT).then(|| f32::from(self.result) * 0.5)
    }

    /// How many men there are.
    #[inline]
    pub const fn men(&self) -> usize {
        self.occupied.count_ones() as usize
    }

    /// The set of output weights that the position uses.
    #[inline]
    pub const fn bucket(&self, shape: Shape) -> usize {
        shape.bucket(self.men())
    }

    /// The inputs that are on, for the side to move and for the opponent.
    #[inline(always)]
    pub fn inputs(&self, shape: Shape) -> [Active; 2] {
        let first = self.kings.map(|king| match shape.king_buckets {
            1 => 0,
            _ => (king_bucket(Square::new(u32::from(king))) * FEATURES) as u16,
        });
        let mut lists = [Active::NONE; 2];
        let own_flip = mirror(self.kings[0]);
        let other_flip = FLIP ^ mirror(self.kings[1]);
        let (mut occupied, mut men, mut count) = (self.occupied, self.men, 0);
        while occupied != 0 && count < MAX_MEN {
            let square = occupied.trailing_zeros() as u16;
            let (role, theirs) = (men as u16 & 7, men as u16 >> 3 & 1);
            let side = FEATURES as u16 / 2;
            lists[0].indices[count] = first[0] + theirs * side + role * 64 + (square ^ own_flip);
            lists[1].indices[count] =
                first[1] + (1 - theirs) * side + role * 64 + (square ^ other_flip);
            occupied &= occupied - 1;
            men >>= 4;
            count += 1;
        }
        lists[0].count = count as u16;
        lists[1].count = count as u16;
        lists
    }

    /// A number that depends on everything in the sample.
    pub fn fingerprint(&self) -> u64 {
        let rest = u64::from(self.score as u16) << 8 | u64::from(self.result);
        [self.men as u64, (self.men >> 64) as u64, rest]
            .into_iter()
            .fold(self.occupied, |hash, word| {
                crate::random::mix(hash ^ word.rotate_left(17))
            })
    }
}
