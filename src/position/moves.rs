//! Moves packed into 16 bits, and lists of them.

use std::fmt;
use std::num::NonZeroU16;

use arrayvec::ArrayVec;
use shakmaty::{Role, Square};

/// What a move does beyond carrying a piece from one square to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveKind {
    /// A piece goes from one square to another, capturing what stands there.
    Normal,
    /// A pawn reaches the last rank.
    Promotion(Role),
    /// A pawn captures en passant.
    EnPassant,
    /// The king takes its own rook, which is how castling is written in all kinds of chess.
    Castling,
}

/// A move in 16 bits:
///
/// ```text
/// 15 14  13 12  11 .. 6  5 .. 0
/// kind   role   to       from
/// ```
///
/// `kind` is 0 normal, 1 promotion, 2 en passant, 3 castling; `role` is the promotion: 0 knight, 1 bishop, 2 rook,
/// 3 queen. Castling is king takes rook. The code 0 (a1 to a1) is no move, so an `Option<Move>` has 16 bits too.
///
/// A packed move says nothing about the position that it belongs to; see [`super::Position::is_legal`].
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

impl Move {
    const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

    /// A move that is neither castling, nor en passant, nor a promotion. `from` and `to` differ.
    #[inline]
    pub const fn normal(from: Square, to: Square) -> Move {
        Move::pack(0, from, to)
    }

    /// A promotion to a knight, bishop, rook or queen.
    #[inline]
    pub const fn promotion(from: Square, to: Square, role: Role) -> Move {
        Move::pack(
            1 << 14 | (role as u16 - Role::Knight as u16) << 12,
            from,
            to,
        )
    }

    /// A capture en passant.
    #[inline]
    pub const fn en_passant(from: Square, to: Square) -> Move {
        Move::pack(2 << 14, from, to)
    }

    /// Castling with the rook on `rook`.
    #[inline]
    pub const fn castling(king: Square, rook: Square) -> Move {
        Move::pack(3 << 14, king, rook)
    }

    #[inline]
    const fn pack(flags: u16, from: Square, to: Square) -> Move {
        match NonZeroU16::new(flags | (to as u16) << 6 | from as u16) {
            Some(code) => Move(code),
            // a1a1 is never asked for; a1b1 is a harmless stand-in.
            None => Move(NonZeroU16::MIN),
        }
    }

    /// Packs a move of shakmaty's.
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
            // Drops belong to Crazyhouse; a piece cannot go to where it stands, so this is never legal.
            shakmaty::Move::Put { to, .. } => Move::pack(0, to, to),
        }
    }

    /// The move with this code, if it is a move at all; the position decides whether it is legal.
    #[inline]
    pub const fn from_code(code: u16) -> Option<Move> {
        match NonZeroU16::new(code) {
            Some(code) => Some(Move(code)),
            None => None,
        }
    }

    /// The 16 bits.
    #[inline]
    pub const fn code(self) -> u16 {
        self.0.get()
    }

    /// Where the moving piece comes from.
    #[inline]
    pub const fn from(self) -> Square {
        Square::new((self.0.get() & 63) as u32)
    }

    /// Where the moving piece goes; for castling, where the rook stands.
    #[inline]
    pub const fn to(self) -> Square {
        Square::new((self.0.get() >> 6 & 63) as u32)
    }

    /// What kind of move this is.
    #[inline]
    pub const fn kind(self) -> MoveKind {
        match self.0.get() >> 14 {
            0 => MoveKind::Normal,
            1 => MoveKind::Promotion(Move::PROMOTIONS[(self.0.get() >> 12 & 3) as usize]),
            2 => MoveKind::EnPassant,
            _ => MoveKind::Castling,
        }
    }

    /// The piece that a promoted pawn becomes.
    #[inline]
    pub const fn promotion_role(self) -> Option<Role> {
        match self.kind() {
            MoveKind::Promotion(role) => Some(role),
            _ => None,
        }
    }

    /// Whether a pawn becomes a queen.
    #[inline]
    pub const fn is_queen_promotion(self) -> bool {
        self.0.get() >> 12 == 0b0111
    }

    /// Whether a pawn promotes.
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.0.get() >> 14 == 1
    }

    /// Whether this is a capture en passant.
    #[inline]
    pub const fn is_en_passant(self) -> bool {
        self.0.get() >> 14 == 2
    }

    /// Whether this is castling.
    #[inline]
    pub const fn is_castling(self) -> bool {
        self.0.get() >> 14 == 3
    }
}

/// The move as `e2e4`, `e7e8q` or, castling, `e1h1`.
impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.from(), self.to())?;
        self.promotion_role()
            .map_or(Ok(()), |role| write!(f, "{}", role.char()))
    }
}

/// The most legal moves that a list holds: composed positions reach 218 with the men of a game and more without.
pub const MAX_MOVES: usize = 320;

/// A list of moves on the stack.
pub type MoveList = ArrayVec<Move, MAX_MOVES>;
