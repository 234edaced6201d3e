//! Endings against a lone king: their results, and values that lead a shallow search to the win.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::{kpk, one_colour, wrong_rook_pawn};
use crate::eval::classical::material::material;
use crate::eval::classical::trace::NoTrace;
use crate::eval::classical::view::{
    View, beside, count, distance, north, north_east, north_west, rank, south,
};
use crate::eval::classical::{linear, phase, tapered};
use crate::position::Position;

/// The value of a won ending beyond its material, in centipawns.
const KNOWN_WIN: i32 = 3_000;
/// The value of a won king and pawn ending: less than that of the queen to come.
const PAWN_WIN: i32 = 1_000;
/// The bonus for each step that the pawn has advanced.
const PAWN_STEP: i32 = 40;
/// The bonus for driving the lone king towards the edge, by its distance from the edge. The last
/// steps matter most.
const EDGE: [i32; 4] = [140, 80, 30, 0];
/// The bonus for each step of the two kings towards each other.
const KINGS_STEP: i32 = 50;
/// The cost of each square that the lone king can still reach.
const CAGE_SQUARE: i32 = 10;
/// The same with bishop and knight: on the way to the right corner the cage has to open for a
/// while.
const CAGE_SQUARE_WITH_KNIGHT: i32 = 4;
/// With bishop and knight, the bonus for each step of the lone king towards a corner of the
/// bishop's colour.
const CORNER_STEP: i32 = 300;
/// With two bishops, the bonus for each step of the lone king away from the centre, towards any
/// corner.
const CENTRE_STEP: i32 = 60;

/// Returns the value for White, in centipawns, of an ending with a lone king whose result is known.
#[inline]
pub(super) fn known_for_white(position: &Position) -> Option<i32> {
    let lone = |color| position.by_color(color).count() == 1;
    let value = match (lone(Color::White), lone(Color::Black)) {
        (false, false) => return None,
        (true, true) => 0,
        (false, true) => against_lone_king(position, Color::White)?,
        (true, false) => -against_lone_king(position, Color::Black)?,
    };
    Some(value)
}

/// Returns the value for the side that has more than its king, in centipawns.
fn against_lone_king(position: &Position, strong: Color) -> Option<i32> {
    let view = View::new(position, strong);
    let pawns = view.pawns();
    let pieces = view.us & !pawns & !view.ours(Role::King);
    if !can_mate(&view) {
        if pieces.is_empty() && pawns.count() == 1 {
            let to_move = position.turn() == strong;
            return Some(king_and_pawn(&view, pawns.first()?, to_move));
        }
        if pawns.is_empty() || wrong_rook_pawn(&view) {
            return Some(0);
        }
        return None;
    }
    let attacked = attacked_through_king(&view);
    let is_hanging = attacks::king_attacks(view.enemy_king) & view.us & !attacked;
    if position.turn() != strong && is_hanging.any() {
        return None;
    }
    let cage = Cage::around_enemy_king(&view, attacked);
    if position.turn() != strong && cage.is_stalemate() {
        return Some(0);
    }
    let mut value = KNOWN_WIN + KINGS_STEP * (7 - distance(view.king, view.enemy_king) as i32);
    if pawns.is_empty() {
        value += material(&view);
    } else {
        let all = tapered(linear(position, &mut NoTrace), phase(position));
        value += if strong == Color::White { all } else { -all };
    }
    Some(value + drive(&view, cage.squares))
}

/// Returns the bonus for driving the lone king to where it can be mated: to the edge, with minor
/// pieces into a corner, with a single bishop into a corner of its colour.
fn drive(view: &View, cage: i32) -> i32 {
    let king = view.enemy_king;
    if (view.ours(Role::Rook) | view.ours(Role::Queen)).any() {
        EDGE[edge_distance(king)] - CAGE_SQUARE * cage
    } else if view.ours(Role::Bishop).any() && one_colour(view.ours(Role::Bishop)) {
        let steps = 7 - corner_distance(king, view.ours(Role::Bishop));
        CORNER_STEP * steps - CAGE_SQUARE_WITH_KNIGHT * cage
    } else {
        CENTRE_STEP * centre_distance(king) - CAGE_SQUARE * cage
    }
}

/// The squares that a lone king can reach while nothing else moves.
struct Cage {
    /// The number of these squares, its own included. The win comes from making them fewer.
    squares: i32,
    in_check: bool,
}

impl Cage {
    fn around_enemy_king(view: &View, attacked: Bitboard) -> Cage {
        let mut cage = Bitboard::from_square(view.enemy_king);
        let in_check = (cage & attacked).any();
        loop {
            let wide = cage | beside(cage);
            let wider = cage | (wide | north(wide) | south(wide)) & !attacked;
            if wider == cage {
                return Cage {
                    squares: count(cage),
                    in_check,
                };
            }
            cage = wider;
        }
    }

    /// Returns whether the lone king, to move, is stalemated.
    fn is_stalemate(&self) -> bool {
        self.squares == 1 && !self.in_check
    }
}

/// Returns the squares that the strong side attacks, including those behind the lone king.
fn attacked_through_king(view: &View) -> Bitboard {
    let own = view.us;
    let mut attacked =
        attacks::king_attacks(view.king) | north_west(view.pawns()) | north_east(view.pawns());
    for square in view.ours(Role::Knight) {
        attacked |= attacks::knight_attacks(square);
    }
    for square in view.ours(Role::Bishop) | view.ours(Role::Queen) {
        attacked |= attacks::bishop_attacks(square, own);
    }
    for square in view.ours(Role::Rook) | view.ours(Role::Queen) {
        attacked |= attacks::rook_attacks(square, own);
    }
    attacked
}

/// Returns whether the pieces alone can force mate: a rook, a queen, bishops of both colours, a
/// bishop and a knight, or three knights.
fn can_mate(view: &View) -> bool {
    let (knights, bishops) = (view.ours(Role::Knight), view.ours(Role::Bishop));
    (view.ours(Role::Rook) | view.ours(Role::Queen)).any()
        || bishops.any() && (knights.any() || !one_colour(bishops))
        || knights.count() >= 3
}

/// Looks up the value of king and pawn against king.
fn king_and_pawn(view: &View, pawn: Square, to_move: bool) -> i32 {
    if kpk::is_won(view.king, pawn, view.enemy_king, to_move) {
        PAWN_WIN + PAWN_STEP * rank(pawn) as i32
    } else {
        0
    }
}

/// Returns the distance from the nearest edge, 0 to 3.
fn edge_distance(square: Square) -> usize {
    let (file, rank) = (square.to_usize() % 8, square.to_usize() / 8);
    file.min(7 - file).min(rank).min(7 - rank)
}

/// Returns the number of steps along files and ranks to the nearest of the four central squares, 0
/// to 6.
fn centre_distance(square: Square) -> i32 {
    let (file, rank) = (square.to_usize() as i32 % 8, square.to_usize() as i32 / 8);
    6 - file.min(7 - file) - rank.min(7 - rank)
}

/// Returns the distance from the nearest corner that the bishop commands: 0 in such a corner, 7 on
/// the long diagonal of the other colour. It counts steps along the edge, so that it falls steadily
/// on the way from the wrong corner to the right one.
fn corner_distance(king: Square, bishops: Bitboard) -> i32 {
    let (file, rank) = (king.to_usize() as i32 % 8, king.to_usize() as i32 / 8);
    let file = if (bishops & Bitboard::LIGHT_SQUARES).any() {
        7 - file
    } else {
        file
    };
    // The bishop's corners are a1 and h8 now.
    7 - (7 - rank - file).abs()
}
