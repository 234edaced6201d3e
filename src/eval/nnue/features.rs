//! The network's inputs: a man on a square, as each side sees it, and what a move changes about them.

use arrayvec::ArrayVec;
use shakmaty::{Board, CastlingSide, Color, Piece, Role, Square};

use crate::position::{Move, MoveKind, NO_PIECE, Position, color_index, piece_index};

/// Inputs of a perspective whose king stays in one bucket.
pub const FEATURES: usize = 768;

/// Sets of input weights, by where the own king stands.
pub const KING_BUCKETS: usize = 4;

/// All inputs of a perspective.
pub const INPUTS: usize = KING_BUCKETS * FEATURES;

/// The set of input weights for a side whose king stands on this square, as the side itself sees the board: castled or in a
/// corner, in the middle of the first rank, on the second, or beyond.
#[inline]
pub const fn king_bucket(king: Square) -> usize {
    match (king.to_usize() / 8, king.to_usize() % 8) {
        (0, 0 | 1 | 6 | 7) => 0,
        (0, _) => 1,
        (1, _) => 2,
        _ => 3,
    }
}

/// Half of the inputs: the men of one side.
const SIDE: u16 = 384;

/// A man on a square, as White sees it with a king on files a to d.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Feature(u16);

impl Feature {
    /// A piece on a square.
    #[inline]
    pub const fn new(piece: Piece, square: Square) -> Feature {
        Feature::of_index(piece_index(piece), square)
    }

    /// The piece with this index ([`piece_index`]) on a square.
    #[inline]
    pub const fn of_index(piece: usize, square: Square) -> Feature {
        debug_assert!(piece < NO_PIECE as usize);
        Feature((piece * 64 + square.to_usize()) as u16)
    }
}

/// How one side sees the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perspective {
    color: Color,
    mirrored: bool,
    /// Where the inputs of the own king's bucket begin.
    first: u16,
}

impl Perspective {
    /// The perspective of the side with this king.
    #[inline]
    pub const fn new(color: Color, king: Square) -> Perspective {
        let seen = match color {
            Color::White => king,
            Color::Black => king.flip_vertical(),
        };
        Perspective {
            color,
            mirrored: king.to_usize() & 4 != 0,
            first: (king_bucket(seen) * FEATURES) as u16,
        }
    }

    /// Whose perspective it is.
    #[inline]
    pub const fn color(self) -> Color {
        self.color
    }

    /// A number that tells it from the other [`Perspective::COUNT`] - 1.
    #[inline]
    pub const fn number(self) -> usize {
        let bucket = self.first as usize / FEATURES;
        (bucket * 2 + self.mirrored as usize) * 2 + color_index(self.color)
    }

    /// How many perspectives there are.
    pub const COUNT: usize = KING_BUCKETS * 2 * 2;

    /// The input that a feature is, below [`INPUTS`].
    #[inline]
    pub const fn index(self, Feature(feature): Feature) -> usize {
        let flip = if self.mirrored { 7 } else { 0 };
        let index = match self.color {
            Color::White => feature ^ flip,
            Color::Black if feature < SIDE => (feature + SIDE) ^ 56 ^ flip,
            Color::Black => (feature - SIDE) ^ 56 ^ flip,
        };
        (self.first + index) as usize
    }
}

/// What a move changes: one or two features appear, one or two disappear.
#[derive(Clone, Copy, Debug, Default)]
pub struct Delta {
    /// What appears; `adds[1]` only when `two_adds`.
    pub adds: [Feature; 2],
    /// What disappears; `subs[1]` only when `two_subs`.
    pub subs: [Feature; 2],
    /// Castling.
    pub two_adds: bool,
    /// Captures and castling.
    pub two_subs: bool,
    /// By colour: the own king comes to another bucket or to the other half of the board, so that all inputs change.
    pub turned: [bool; 2],
}

impl Delta {
    /// What a legal move changes.
    pub fn new(position: &Position, m: Move) -> Delta {
        let mut delta = match m.kind() {
            MoveKind::Castling => Delta::castling(position, m),
            _ => Delta::carry(position, m),
        };
        let (from, to) = (m.from(), m.to());
        if position.king(position.turn()) == from {
            let us = position.turn();
            let to = match m.kind() {
                MoveKind::Castling => castling_side(m).king_to(us),
                _ => to,
            };
            delta.turned[color_index(us)] = Perspective::new(us, from) != Perspective::new(us, to);
        }
        delta
    }

    /// King and rook change places, or either stays where it is.
    fn castling(position: &Position, m: Move) -> Delta {
        let us = position.turn();
        let side = castling_side(m);
        Delta {
            adds: [
                Feature::new(us.king(), side.king_to(us)),
                Feature::new(us.rook(), side.rook_to(us)),
            ],
            subs: [
                Feature::new(us.king(), m.from()),
                Feature::new(us.rook(), m.to()),
            ],
            two_adds: true,
            two_subs: true,
            ..Delta::default()
        }
    }

    /// All other moves: a piece goes from one square to another.
    fn carry(position: &Position, m: Move) -> Delta {
        let (from, to) = (m.from(), m.to());
        let moved = position.piece_index_at(from);
        let arrived = match m.kind() {
            MoveKind::Promotion(role) => piece_index(role.of(position.turn())),
            _ => moved,
        };
        let taken_on = match m.kind() {
            MoveKind::EnPassant => Square::from_coords(to.file(), from.rank()),
            _ => to,
        };
        let mut delta = Delta::default();
        delta.adds[0] = Feature::of_index(arrived, to);
        delta.subs[0] = Feature::of_index(moved, from);
        let taken = position.piece_index_at(taken_on);
        if taken != NO_PIECE as usize {
            delta.subs[1] = Feature::of_index(taken, taken_on);
            delta.two_subs = true;
        }
        delta
    }
}

/// To which side a castling move goes.
#[inline]
fn castling_side(m: Move) -> CastlingSide {
    CastlingSide::from_queen_side(m.to() < m.from())
}

/// What makes one board of another, as a side sees it.
#[derive(Debug, Default)]
pub struct Difference {
    /// The inputs that appear.
    pub adds: ArrayVec<usize, 64>,
    /// The inputs that disappear.
    pub subs: ArrayVec<usize, 64>,
}

impl Difference {
    /// What makes `to` of `from`.
    pub fn new(from: &Board, to: &Board, perspective: Perspective) -> Difference {
        let mut difference = Difference::default();
        for color in Color::ALL {
            for role in Role::ALL {
                let piece = role.of(color);
                let (before, after) = (from.by_piece(piece), to.by_piece(piece));
                let input = |square| perspective.index(Feature::new(piece, square));
                for square in after & !before {
                    difference.adds.push(input(square));
                }
                for square in before & !after {
                    difference.subs.push(input(square));
                }
            }
        }
        difference
    }
}
