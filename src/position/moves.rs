//! Moves packed into 16 bits, and lists of them.

use std::fmt;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;
use shakmaty::{Role, Square};

/// The kind of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveKind {
    /// A piece moves to another square, with or without a capture.
    Normal,
    /// A pawn reaches the last rank.
    Promotion(Role),
    /// A pawn captures en passant.
    EnPassant,
    /// The king castles, encoded as king takes rook in all castling modes.
    Castling,
}

/// A move in 16 bits:
///
/// ```text
/// 15 14  13 12  11 .. 6  5 .. 0
/// kind   role   to       from
/// ```
///
/// `kind` is 0 normal, 1 promotion, 2 en passant, 3 castling; `role` is the promotion: 0 knight, 1
/// bishop, 2 rook, 3 queen. Castling is king takes rook. The code 0 (a1 to a1) is no move, so an
/// `Option<Move>` has 16 bits too.
///
/// A packed move does not identify its position; see [`super::Position::is_legal`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

    /// Creates a move that is neither castling, nor en passant, nor a promotion. `from` and `to`
    /// differ.
    #[inline]
    pub const fn normal(from: Square, to: Square) -> Move {
        Move::pack(0, from, to)
    }

    /// Creates a promotion to a knight, bishop, rook or queen.
    #[inline]
    pub const fn promotion(from: Square, to: Square, role: Role) -> Move {
        Move::pack(
            1 << 14 | (role as u16 - Role::Knight as u16) << 12,
            from,
            to,
        )
    }

    /// Creates an en passant capture.
    #[inline]
    pub const fn en_passant(from: Square, to: Square) -> Move {
        Move::pack(2 << 14, from, to)
    }

    /// Creates castling with the rook on `rook`.
    #[inline]
    pub const fn castling(king: Square, rook: Square) -> Move {
        Move::pack(3 << 14, king, rook)
    }

    #[inline]
    const fn pack(flags: u16, from: Square, to: Square) -> Move {
        match NonZeroU16::new(flags | (to as u16) << 6 | from as u16) {
            Some(code) => Move(code),
            // Callers never pass a1a1; a1b1 is a harmless substitute.
            None => Move(NonZeroU16::MIN),
        }
    }

    /// Packs shakmaty's form of a move.
    pub const fn from_shakmaty(m: shakmaty::Move) -> Move {
        match m {
            shakmaty::Move::Normal {
                from,
                to,
                promotion: None,
                ..
            } => Move::normal(from, to),
            shakmaty::Move::Normal {
                from,
                to,
                promotion: Some(role),
                ..
            } => Move::promotion(from, to, role),
            shakmaty::Move::EnPassant { from, to } => Move::en_passant(from, to),
            shakmaty::Move::Castle { king, rook } => Move::castling(king, rook),
            // Drops exist only in Crazyhouse. A move to its own square is never legal.
            shakmaty::Move::Put { to, .. } => Move::pack(0, to, to),
        }
    }

    /// Returns the move with a code, or `None` for code 0. The move may be illegal in every
    /// position.
    #[inline]
    pub const fn from_code(code: u16) -> Option<Move> {
        match NonZeroU16::new(code) {
            Some(code) => Some(Move(code)),
            None => None,
        }
    }

    /// Returns the 16 bits.
    #[inline]
    pub const fn code(self) -> u16 {
        self.0.get()
    }

    /// Returns the source square.
    #[inline]
    pub const fn from(self) -> Square {
        Square::new((self.0.get() & 63) as u32)
    }

    /// Returns the target square; for castling, the rook's square.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.0.get() >> 6 & 63) as u32)
    }

    /// Returns the kind of the move.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.0.get() >> 14 {
            0 => MoveKind::Normal,
            1 => MoveKind::Promotion(Move::PROMOTIONS[(self.0.get() >> 12 & 3) as usize]),
            2 => MoveKind::EnPassant,
            _ => MoveKind::Castling,
        }
    }

    /// Returns the piece that a pawn promotes to.
    #[inline]
    pub const fn promotion_role(self) -> Option<Role> {
        match self.kind() {
            MoveKind::Promotion(role) => Some(role),
            _ => None,
        }
    }

    /// Returns true for a promotion to a queen.
    #[inline]
    pub const fn is_queen_promotion(self) -> bool {
        self.0.get() >> 12 == 0b0111
    }

    /// Returns true for a promotion.
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.0.get() >> 14 == 1
    }

    /// Returns true for an en passant capture.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.0.get() >> 14 == 2
    }

    /// Returns true for castling.
    #[inline]
    pub const fn is_castling(self) -> bool {
        self.0.get() >> 14 == 3
    }
}

/// Writes the move as `e2e4`, `e7e8q` or, for castling, `e1h1`.
impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        self.promotion_role()
            .map_or(Ok(()), |role| write!(f, "{}", role.char()))
    }
}

/// The capacity of a move list. Composed positions reach 218 moves with the pieces of a game, and
/// more without that limit.
pub const MAX_MOVES: usize = 320;

/// A list of moves on the stack.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;
