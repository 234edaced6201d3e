//! A position as one side sees it.
//!
//! Every term is written once, for a side that moves up the board from its first rank. For Black
//! the board is flipped, so that a term cannot treat the colours differently.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use crate::position::{Position, role_index};

/// The pieces on the board as one side sees them.
pub(in crate::eval) struct View {
    ours: [Bitboard; 6],
    theirs: [Bitboard; 6],
    /// The side's pieces, pawns and king included.
    pub us: Bitboard,
    /// The enemy's pieces, pawns and king included.
    pub them: Bitboard,
    /// The side's king.
    pub king: Square,
    /// The enemy king.
    pub enemy_king: Square,
    /// The side's pieces that are pinned to the king.
    pub pinned: Bitboard,
}

impl View {
    /// Creates the view of one side.
    #[inline]
    pub fn new(position: &Position, color: Color) -> View {
        let board = position.board();
        let turn = |squares: Bitboard| match color {
            Color::White => squares,
            Color::Black => squares.flip_vertical(),
        };
        let us = turn(board.by_color(color));
        let them = turn(board.by_color(!color));
        let roles = [
            turn(board.pawns()),
            turn(board.knights()),
            turn(board.bishops()),
            turn(board.rooks()),
            turn(board.queens()),
            turn(board.kings()),
        ];
        let ours = roles.map(|squares| squares & us);
        let theirs = roles.map(|squares| squares & them);
        View {
            king: ours[5].first().unwrap_or(Square::A1),
            enemy_king: theirs[5].first().unwrap_or(Square::A1),
            pinned: turn(position.blockers(color)) & us,
            ours,
            theirs,
            us,
            them,
        }
    }

    /// Returns the side's pieces of one kind.
    #[inline(always)]
    pub fn ours(&self, role: Role) -> Bitboard {
        self.ours[role_index(role)]
    }

    /// Returns the enemy's pieces of one kind.
    #[inline(always)]
    pub fn theirs(&self, role: Role) -> Bitboard {
        self.theirs[role_index(role)]
    }

    /// Returns all occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.us | self.them
    }

    /// Returns the side's pawns.
    #[inline(always)]
    pub fn pawns(&self) -> Bitboard {
        self.ours(Role::Pawn)
    }

    /// Returns the enemy's pawns.
    #[inline(always)]
    pub fn enemy_pawns(&self) -> Bitboard {
        self.theirs(Role::Pawn)
    }
}

/// A side's attacks, seen from that side or from its enemy.
#[derive(Clone, Copy)]
pub(in crate::eval) struct Attacks {
    by: [Bitboard; 6],
    /// All attacked squares.
    pub all: Bitboard,
    /// The squares attacked at least twice.
    pub twice: Bitboard,
}

impl Attacks {
    /// Starts with the attacks of pawns and king.
    #[inline]
    pub fn new(view: &View) -> Attacks {
        let (left, right) = (north_west(view.pawns()), north_east(view.pawns()));
        let king = attacks::king_attacks(view.king);
        let pawns = left | right;
        Attacks {
            by: [
                pawns,
                Bitboard::EMPTY,
                Bitboard::EMPTY,
                Bitboard::EMPTY,
                Bitboard::EMPTY,
                king,
            ],
            all: pawns | king,
            twice: left & right | pawns & king,
        }
    }

    /// Adds the attacks of a piece.
    #[inline(always)]
    pub fn include(&mut self, role: Role, reach: Bitboard) {
        self.by[role_index(role)] |= reach;
        self.twice |= self.all & reach;
        self.all |= reach;
    }

    /// Returns the attacks of the pieces of one kind.
    #[inline(always)]
    pub fn by(&self, role: Role) -> Bitboard {
        self.by[role_index(role)]
    }

    /// Returns the same attacks seen from the other side.
    #[inline]
    pub fn flipped(&self) -> Attacks {
        Attacks {
            by: self.by.map(Bitboard::flip_vertical),
            all: self.all.flip_vertical(),
            twice: self.twice.flip_vertical(),
        }
    }
}

const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Shifts squares one step up the board.
#[inline(always)]
pub(in crate::eval) const fn north(squares: Bitboard) -> Bitboard {
    Bitboard(squares.0 << 8)
}

/// Shifts squares one step down the board.
#[inline(always)]
pub(in crate::eval) const fn south(squares: Bitboard) -> Bitboard {
    Bitboard(squares.0 >> 8)
}

/// Returns the squares directly to the left and right.
#[inline(always)]
pub(in crate::eval) const fn beside(squares: Bitboard) -> Bitboard {
    Bitboard((squares.0 & NOT_A) >> 1 | (squares.0 & NOT_H) << 1)
}

/// Shifts squares one step up and to the left.
#[inline(always)]
pub(in crate::eval) const fn north_west(squares: Bitboard) -> Bitboard {
    Bitboard((squares.0 & NOT_A) << 7)
}

/// Shifts squares one step up and to the right.
#[inline(always)]
pub(in crate::eval) const fn north_east(squares: Bitboard) -> Bitboard {
    Bitboard((squares.0 & NOT_H) << 9)
}

/// Returns the squares that enemy pawns attack, which is downwards.
#[inline(always)]
pub(in crate::eval) const fn south_both(squares: Bitboard) -> Bitboard {
    Bitboard((squares.0 & NOT_A) >> 9 | (squares.0 & NOT_H) >> 7)
}

/// Returns the squares and all squares above them on their files.
#[inline(always)]
pub(in crate::eval) const fn north_fill(squares: Bitboard) -> Bitboard {
    let mut fill = squares.0;
    fill |= fill << 8;
    fill |= fill << 16;
    fill |= fill << 32;
    Bitboard(fill)
}

/// Returns the squares and all squares below them on their files.
#[inline(always)]
pub(in crate::eval) const fn south_fill(squares: Bitboard) -> Bitboard {
    let mut fill = squares.0;
    fill |= fill >> 8;
    fill |= fill >> 16;
    fill |= fill >> 32;
    Bitboard(fill)
}

/// Returns the whole files of the squares.
#[inline(always)]
pub(in crate::eval) const fn file_fill(squares: Bitboard) -> Bitboard {
    north_fill(south_fill(squares))
}

/// Counts squares in the type that traces use.
#[inline(always)]
pub(in crate::eval) fn count(squares: Bitboard) -> i32 {
    squares.count() as i32
}

/// Returns the rank, 0 to 7.
#[inline(always)]
pub(in crate::eval) const fn rank(square: Square) -> usize {
    square.to_usize() >> 3
}

/// Returns the file's distance from the edge of the board, 0 to 3.
#[inline(always)]
pub(in crate::eval) const fn edge_file(file: usize) -> usize {
    if file < 4 { file } else { 7 - file }
}

/// Returns the number of king moves from one square to another.
#[inline(always)]
pub(in crate::eval) fn distance(a: Square, b: Square) -> usize {
    a.distance(b) as usize
}
