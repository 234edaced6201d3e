//! Endings: those whose result is known, with a way to win them that a shallow search can follow, and how drawish the
//! others are.

use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::pair::Pair;
use super::view::{View, beside, count, distance, north, north_east, north_west, rank, south};
use super::weights::MATERIAL;
use super::{FULL_SCALE, NoTrace, kpk, linear, phase, tapered};
use crate::position::{Position, role_index};

/// What a won ending is worth beyond its material, in centipawns.
const KNOWN_WIN: i32 = 3_000;
/// What a won ending of king and pawn is worth: less than that of the queen to come.
const PAWN_WIN: i32 = 1_000;
/// What each step of the pawn is worth on top.
const PAWN_STEP: i32 = 40;
/// What each step of the lone king towards the edge is worth, by its distance from the edge: the last matter most.
const EDGE: [i32; 4] = [140, 80, 30, 0];
/// What each step of the two kings towards each other is worth.
const KINGS_STEP: i32 = 50;
/// What each square that the lone king can still walk to costs.
const CAGE_SQUARE: i32 = 10;
/// With bishop and knight: the same. On the way to the right corner the cage has to open for a while.
const CAGE_SQUARE_WITH_KNIGHT: i32 = 4;
/// With bishop and knight: what each step of the lone king towards a corner of the bishop's colour is worth.
const CORNER_STEP: i32 = 300;
/// With two bishops: what each step of the lone king away from the centre, towards any corner, is worth.
const CENTRE_STEP: i32 = 60;

/// The value for White of an ending with a lone king, in centipawns, if it is known; `None` leaves it to the terms.
#[inline]
pub(super) fn known(position: &Position) -> Option<i32> {
    let lone = |color| position.by_color(color).count() == 1;
    let value = match (lone(Color::White), lone(Color::Black)) {
        (false, false) => return None,
        (true, true) => 0,
        (false, true) => against_lone_king(position, Color::White)?,
        (true, false) => -against_lone_king(position, Color::Black)?,
    };
    Some(value)
}

/// The value for the side that has more than its king, in centipawns.
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
    let cage = Cage::around_enemy_king(&view);
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

/// What is won by shutting the lone king in where it can be mated: on the edge, with minor pieces in a corner, with one
/// bishop in a corner of its colour.
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

/// Where a lone king can go as long as nothing else moves.
struct Cage {
    /// How many squares it can walk to, with its own: shutting it in is what wins.
    squares: i32,
    in_check: bool,
}

impl Cage {
    fn around_enemy_king(view: &View) -> Cage {
        let attacked = attacked_through_king(view);
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

    /// Whether the lone king, on the move, has none.
    fn is_stalemate(&self) -> bool {
        self.squares == 1 && !self.in_check
    }
}

/// What the strong side attacks, also behind the lone king.
fn attacked_through_king(view: &View) -> Bitboard {
    let men = view.us;
    let mut attacked =
        attacks::king_attacks(view.king) | north_west(view.pawns()) | north_east(view.pawns());
    for square in view.ours(Role::Knight) {
        attacked |= attacks::knight_attacks(square);
    }
    for square in view.ours(Role::Bishop) | view.ours(Role::Queen) {
        attacked |= attacks::bishop_attacks(square, men);
    }
    for square in view.ours(Role::Rook) | view.ours(Role::Queen) {
        attacked |= attacks::rook_attacks(square, men);
    }
    attacked
}

/// Whether the pieces alone can force mate: a rook, a queen, bishops of both colours, bishop and knight, three knights.
fn can_mate(view: &View) -> bool {
    let (knights, bishops) = (view.ours(Role::Knight), view.ours(Role::Bishop));
    (view.ours(Role::Rook) | view.ours(Role::Queen)).any()
        || bishops.any() && (knights.any() || !one_colour(bishops))
        || knights.count() >= 3
}

/// What a king and a pawn achieve: looked up.
fn king_and_pawn(view: &View, pawn: Square, to_move: bool) -> i32 {
    if kpk::is_won(view.king, pawn, view.enemy_king, to_move) {
        PAWN_WIN + PAWN_STEP * rank(pawn) as i32
    } else {
        0
    }
}

/// The endgame value of a side's men.
fn material(view: &View) -> i32 {
    let mut value = Pair::ZERO;
    for role in [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
    ] {
        value += MATERIAL.weights[role_index(role)] * view.ours(role).count() as i32;
    }
    value.endgame()
}

/// Whether no two bishops stand on different colours.
fn one_colour(bishops: Bitboard) -> bool {
    (bishops & Bitboard::LIGHT_SQUARES).is_empty() || (bishops & Bitboard::DARK_SQUARES).is_empty()
}

/// How far a square is from the nearest edge, 0 to 3.
fn edge_distance(square: Square) -> usize {
    let (file, rank) = (square.to_usize() % 8, square.to_usize() / 8);
    file.min(7 - file).min(rank).min(7 - rank)
}

/// How many steps along files and ranks a square is from the four in the centre, 0 to 6.
fn centre_distance(square: Square) -> i32 {
    let (file, rank) = (square.to_usize() as i32 % 8, square.to_usize() as i32 / 8);
    6 - file.min(7 - file) - rank.min(7 - rank)
}

/// How far a king is from the diagonal's end that the bishop commands: 0 in such a corner, 7 on the long diagonal of the
/// other colour. The count of steps along the edge, so that it grows all the way from the wrong corner to the right one.
fn corner_distance(king: Square, bishops: Bitboard) -> i32 {
    let (file, rank) = (king.to_usize() as i32 % 8, king.to_usize() as i32 / 8);
    let file = if (bishops & Bitboard::LIGHT_SQUARES).any() {
        7 - file
    } else {
        file
    };
    // Now the corners are a1 and h8.
    7 - (7 - rank - file).abs()
}

/// Whether all that is left to win with is pawns on one rook's file, with bishops that do not reach the corner where they
/// promote, and the enemy king in that corner.
fn wrong_rook_pawn(view: &View) -> bool {
    let pawns = view.pawns();
    let bishops = view.ours(Role::Bishop);
    if view.us != pawns | bishops | view.ours(Role::King) || pawns.is_empty() {
        return false;
    }
    let corner = if pawns.is_subset(Bitboard(0x0101_0101_0101_0101)) {
        Square::A8
    } else if pawns.is_subset(Bitboard(0x8080_8080_8080_8080)) {
        Square::H8
    } else {
        return false;
    };
    let colour = if Bitboard::LIGHT_SQUARES.contains(corner) {
        Bitboard::LIGHT_SQUARES
    } else {
        Bitboard::DARK_SQUARES
    };
    (bishops & colour).is_empty() && distance(view.enemy_king, corner) <= 1
}

/// How much of its value a position keeps, in sixty-fourths: less where the side with the better `value` (for White) will
/// find it hard to win.
#[inline]
pub(super) fn scale(position: &Position, value: i32) -> i32 {
    let strong = if value > 0 {
        Color::White
    } else {
        Color::Black
    };
    let pawns = position.pieces(strong, Role::Pawn).count() as i32;
    let phase = phase(position);
    if phase > 12 && pawns >= 2 {
        return FULL_SCALE;
    }
    drawish(position, strong, pawns, phase)
}

/// The scale of a position with few pieces or pawns.
fn drawish(position: &Position, strong: Color, pawns: i32, phase: i32) -> i32 {
    let weak = !strong;
    let (strong_pieces, weak_pieces) = (piece_value(position, strong), piece_value(position, weak));
    let lead = strong_pieces - weak_pieces;
    if pawns == 0 && lead <= MINOR {
        // Without pawns a lead of a minor piece is seldom enough; without a rook it never is.
        return if strong_pieces < ROOK {
            0
        } else if weak_pieces <= MINOR {
            6
        } else {
            14
        };
    }
    if phase <= 4 && wrong_rook_pawn(&View::new(position, strong)) {
        return 0;
    }
    if pawns == 1 && weak_pieces > 0 && lead <= MINOR {
        // The weak side gives its last minor piece for the last pawn.
        let after_sacrifice = strong_pieces - weak_pieces + MINOR;
        if strong_pieces < ROOK || after_sacrifice <= MINOR && weak_pieces >= MINOR {
            return 26;
        }
    }
    if opposite_bishops(position) {
        let only_bishops = strong_pieces == MINOR && weak_pieces == MINOR;
        return if only_bishops {
            (12 + 6 * pawns).min(40)
        } else {
            (40 + 3 * pawns).min(FULL_SCALE)
        };
    }
    // The fewer pawns, the easier they are all exchanged.
    (44 + 5 * pawns).min(FULL_SCALE)
}

/// A knight or bishop, where endings are told apart.
const MINOR: i32 = 3;
/// A rook, where endings are told apart.
const ROOK: i32 = 5;
/// A queen, where endings are told apart.
const QUEEN: i32 = 9;

/// The value of a side's pieces, in units of a pawn.
fn piece_value(position: &Position, color: Color) -> i32 {
    let count = |role| position.pieces(color, role).count() as i32;
    MINOR * (count(Role::Knight) + count(Role::Bishop))
        + ROOK * count(Role::Rook)
        + QUEEN * count(Role::Queen)
}

/// Whether each side has one bishop, on different colours.
fn opposite_bishops(position: &Position) -> bool {
    let bishops = position.board().bishops();
    bishops.count() == 2
        && (bishops & position.by_color(Color::White)).count() == 1
        && !one_colour(bishops)
}
