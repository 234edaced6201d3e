//! Material and piece-square tables.

use shakmaty::{Bitboard, Role, Square};

use super::pair::Pair;
use super::terms::Table;
use super::trace::{EvalTrace, Sum};
use super::view::{View, edge_file};
use super::weights::{
    BISHOP_PAIR, BISHOP_SQUARE, KING_SQUARE, KNIGHT_SQUARE, MATERIAL, PAWN_SQUARE, QUEEN_SQUARE,
    ROOK_SQUARE,
};
use crate::position::role_index;

/// The precomputed sum of material and piece-square value, by piece and square.
static PLACED: [[Pair; 64]; 6] = [
    placed(&PAWN_SQUARE, MATERIAL.weights[0]),
    placed(&KNIGHT_SQUARE, MATERIAL.weights[1]),
    placed(&BISHOP_SQUARE, MATERIAL.weights[2]),
    placed(&ROOK_SQUARE, MATERIAL.weights[3]),
    placed(&QUEEN_SQUARE, MATERIAL.weights[4]),
    placed(&KING_SQUARE, Pair::ZERO),
];

const fn placed(table: &Table<32>, value: Pair) -> [Pair; 64] {
    let mut result = [Pair::ZERO; 64];
    let mut square = 0;
    while square < 64 {
        result[square] = value.plus(table.weights[folded(square)]);
        square += 1;
    }
    result
}

/// Returns the index into a piece-square table, in which the right half of the board mirrors the
/// left.
const fn folded(square: usize) -> usize {
    square / 8 * 4 + edge_file(square % 8)
}

/// The first feature of each piece-square table.
static SQUARE_FEATURES: [usize; 6] = [
    PAWN_SQUARE.start,
    KNIGHT_SQUARE.start,
    BISHOP_SQUARE.start,
    ROOK_SQUARE.start,
    QUEEN_SQUARE.start,
    KING_SQUARE.start,
];

/// Adds the value of a piece on its square.
#[inline(always)]
pub(super) fn place<T: EvalTrace>(sum: &mut Sum<'_, T>, role: Role, square: Square) {
    let kind = role_index(role);
    let square_feature = SQUARE_FEATURES[kind] + folded(square.to_usize());
    let prepared = PLACED[kind][square.to_usize()];
    if role == Role::King {
        sum.add_prepared(prepared, &[square_feature]);
    } else {
        sum.add_prepared(prepared, &[square_feature, MATERIAL.start + kind]);
    }
}

/// Adds the bishop pair: two bishops cover squares of both colours and are worth more than twice
/// one.
#[inline]
pub(super) fn bishop_pair<T: EvalTrace>(view: &View, sum: &mut Sum<'_, T>) {
    let bishops = view.ours(Role::Bishop);
    if (bishops & Bitboard::LIGHT_SQUARES).any() && (bishops & Bitboard::DARK_SQUARES).any() {
        sum.add(&BISHOP_PAIR, 0);
    }
}

/// Returns the endgame value of a side's material.
pub(in crate::eval) fn material(view: &View) -> i32 {
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
