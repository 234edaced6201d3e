//! The network's inputs: a man on a square, as each side sees it, and what a move changes about them.

use arrayvec::ArrayVec;
use shakmaty::{Board, CastlingSide, Color, Piece, Role, Square};

use crate::position::{Move, MoveKind, NO_PIECE, Position, color_index, piece_index};

/// Inputs of a perspective.
pub const FEATURES: usize = 768;

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
}

impl Perspective {
    /// The perspective of the side with this king.
    #[inline]
    pub const fn new(color: Color, king: Square) -> Perspective {
        Perspective {
            color,
            mirrored: is_mirrored(king),
        }
    }

    /// Whose perspective it is.
    #[inline]
    pub const fn color(self) -> Color {
        self.color
    }

    /// Whether the board is mirrored, since the own king stands on files e to h.
    #[inline]
    pub const fn is_mirrored(self) -> bool {
        self.mirrored
    }

    /// The input that a feature is, below [`FEATURES`].
    #[inline]
    pub const fn index(self, Feature(feature): Feature) -> usize {
        let flip = if self.mirrored { 7 } else { 0 };
        let index = match self.color {
            Color::White => feature ^ flip,
            Color::Black if feature < SIDE => (feature + SIDE) ^ 56 ^ flip,
            Color::Black => (feature - SIDE) ^ 56 ^ flip,
        };
        index as usize
    }
}

/// Whether a king on this square mirrors the board of its side.
#[inline]
pub const fn is_mirrored(king: Square) -> bool {
    king.to_usize() & 4 != 0
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
    /// By colour: the own king changes between files a to d and e to h, so that the perspective has to be built anew.
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
            let to = match m.kind() {
                MoveKind::Castling => castling_side(m).king_to(position.turn()),
                _ => to,
            };
            delta.turned[color_index(position.turn())] = is_mirrored(from) != is_mirrored(to);
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
