//! Entries of a book.

use shakmaty::{CastlingMode, CastlingSide, Role, Square};

use crate::position::{Move, Position};

/// The size of an entry in bytes.
pub const ENTRY_BYTES: usize = 16;

/// The promotion pieces in the order of their codes, which start at 1.
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// An entry: one book move of a position. In the file, all numbers are big-endian:
///
/// ```text
/// 0 .. 7   8 .. 9   10 .. 11   12 .. 15
/// key      move     weight     learn
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BookEntry {
    /// The position's [`key`](super::key).
    pub key: u64,
    /// The move as encoded by [`move_code`].
    pub code: u16,
    /// The frequency of the move relative to the position's other moves; 0 for never.
    pub weight: u16,
    /// A field for programs that learn.
    pub learn: u32,
}

impl BookEntry {
    /// Reads an entry. Any 16 bytes are an entry; [`find_move`] tells whether its move can be
    /// played.
    pub fn from_bytes(bytes: &[u8; ENTRY_BYTES]) -> BookEntry {
        let bits = u128::from_be_bytes(*bytes);
        // The casts extract the fields.
        BookEntry {
            key: (bits >> 64) as u64,
            code: (bits >> 48) as u16,
            weight: (bits >> 32) as u16,
            learn: bits as u32,
        }
    }

    /// Returns the entry as stored in a file.
    pub fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let bits = u128::from(self.key) << 64
            | u128::from(self.code) << 48
            | u128::from(self.weight) << 32
            | u128::from(self.learn);
        bits.to_be_bytes()
    }

    /// Returns whether some position allows the move: its squares differ and its promotion code
    /// exists.
    pub fn is_plausible(&self) -> bool {
        let promotion = usize::from(self.code >> 12);
        promotion <= PROMOTIONS.len() && self.code >> 6 & 63 != self.code & 63
    }
}

/// Encodes a move; castling is written as king takes rook:
///
/// ```text
/// 15   14 .. 12    11 .. 6   5 .. 0
/// 0    promotion   from      to
/// ```
///
/// Squares count from a1 = 0 over b1 = 1 to h8 = 63. Promotion is 0 for none, 1 knight, 2 bishop, 3
/// rook, 4 queen.
pub fn move_code(m: Move) -> u16 {
    let promotion = m.promotion_role().map_or(0, |role| {
        PROMOTIONS
            .iter()
            .zip(1_u16..)
            .find_map(|(&other, number)| (other == role).then_some(number))
            .unwrap_or(0)
    });
    promotion << 12 | u16::from(m.from()) << 6 | u16::from(m.to())
}

/// Decodes a legal move; returns `None` if there is none with this code. In standard chess,
/// castling may also be written as the king's two steps, as some programs do.
pub fn find_move(position: &Position, code: u16) -> Option<Move> {
    let moves = position.legal_moves();
    let written = |m: &&Move| move_code(**m) == code;
    let stepped = |m: &&Move| is_castling_in_steps(position, **m, code);
    let found = moves.iter().find(written);
    found.or_else(|| moves.iter().find(stepped)).copied()
}

fn is_castling_in_steps(position: &Position, m: Move, code: u16) -> bool {
    if !m.is_castling() || position.castling_mode() != CastlingMode::Standard {
        return false;
    }
    let side = CastlingSide::from_queen_side(m.to() < m.from());
    let to: Square = side.king_to(position.turn());
    code == u16::from(m.from()) << 6 | u16::from(to)
}
