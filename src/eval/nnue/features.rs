//! The network's inputs: pieces on squares as each side sees them, and the changes that a move
//! makes.

use arrayvec::ArrayVec;
use shakmaty::{Board, CastlingSide, Color, Piece, Role, Square};

use super::format::{FEATURES, KING_BUCKETS};
use crate::position::{Move, MoveKind, NO_PIECE, Position, color_index, piece_index};

/// The number of inputs of a perspective.
pub const INPUTS: usize = KING_BUCKETS * FEATURES;

/// Returns the bucket of a king on this square, seen from its own side: castled or in a corner, in
/// the middle of the first rank, on the second rank, or beyond.
#[inline]
pub const fn king_bucket(king: Square) -> usize {
    match (king.to_usize() / 8, king.to_usize() % 8) {
        (0, 0 | 1 | 6 | 7) => 0,
        (0, _) => 1,
        (1, _) => 2,
        _ => 3,
    }
}

/// Half of the inputs: the pieces of one side.
const SIDE: u16 = 384;

/// A piece on a square, as White sees it with a king on files a to d.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Feature(u16);

impl Feature {
    /// Returns the feature of a piece on a square.
    #[inline]
    pub const fn new(piece: Piece, square: Square) -> Feature {
        Feature::of_index(piece_index(piece), square)
    }

    /// Returns the feature of the piece with this index ([`piece_index`]) on a square.
    #[inline]
    pub const fn of_index(piece: usize, square: Square) -> Feature {
        debug_assert!(piece < NO_PIECE as usize);
        Feature((piece * 64 + square.to_usize()) as u16)
    }
}

/// The board as one side sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perspective {
    color: Color,
    mirrored: bool,
    /// The first input of the king's bucket.
    first: u16,
}

impl Perspective {
    /// Creates the perspective of the side with this king.
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

    /// Returns the side whose perspective this is.
    #[inline]
    pub const fn color(self) -> Color {
        self.color
    }

    /// Returns an index below [`Perspective::COUNT`] that is unique to this perspective.
    #[inline]
    pub const fn number(self) -> usize {
        let bucket = self.first as usize / FEATURES;
        (bucket * 2 + self.mirrored as usize) * 2 + color_index(self.color)
    }

    /// The number of different perspectives.
    pub const COUNT: usize = KING_BUCKETS * 2 * 2;

    /// Returns the input, below [`INPUTS`], that a feature switches on.
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

/// The features that a move adds and removes, one or two of each.
#[derive(Clone, Copy, Debug, Default)]
pub struct Delta {
    /// The added features; `adds[1]` counts only if `two_adds`.
    pub adds: [Feature; 2],
    /// The removed features; `subs[1]` counts only if `two_subs`.
    pub subs: [Feature; 2],
    /// True for castling.
    pub two_adds: bool,
    /// True for captures and castling.
    pub two_subs: bool,
    /// For each color, true if its king changes its bucket or its half of the board. All inputs of
    /// that perspective change then.
    pub needs_refresh: [bool; 2],
}

impl Delta {
    /// Computes the changes that a legal move makes.
    pub fn new(position: &Position, m: Move) -> Delta {
        let mut delta = match m.kind() {
            MoveKind::Castling => Delta::castling(position, m),
            _ => Delta::apply_move(position, m),
        };
        let (from, to) = (m.from(), m.to());
        if position.king(position.turn()) == from {
            let us = position.turn();
            let to = match m.kind() {
                MoveKind::Castling => castling_side(m).king_to(us),
                _ => to,
            };
            delta.needs_refresh[color_index(us)] =
                Perspective::new(us, from) != Perspective::new(us, to);
        }
        delta
    }

    /// Moves king and rook; either may stay where it is.
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

    /// Makes any other move: one piece goes from one square to another.
    fn apply_move(position: &Position, m: Move) -> Delta {
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

/// Returns the side on which a castling move takes place.
#[inline]
fn castling_side(m: Move) -> CastlingSide {
    CastlingSide::from_queen_side(m.to() < m.from())
}

/// The diff between two boards, as inputs of one perspective.
#[derive(Debug, Default)]
pub struct FeatureDiff {
    /// The inputs that are on only in the second board.
    pub adds: ArrayVec<usize, 64>,
    /// The inputs that are on only in the first board.
    pub subs: ArrayVec<usize, 64>,
}

impl FeatureDiff {
    /// Computes the inputs that change from one board to another.
    pub fn new(from: &Board, to: &Board, perspective: Perspective) -> FeatureDiff {
        let mut diff = FeatureDiff::default();
        for color in Color::ALL {
            for role in Role::ALL {
                let piece = role.of(color);
                let (before, after) = (from.by_piece(piece), to.by_piece(piece));
                let input = |square| perspective.index(Feature::new(piece, square));
                for square in after & !before {
                    diff.adds.push(input(square));
                }
                for square in before & !after {
                    diff.subs.push(input(square));
                }
            }
        }
        diff
    }
}
