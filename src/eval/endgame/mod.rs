//! Endgame knowledge: endings whose result is known, and how drawish the others are.
//!
//! | file | content |
//! |---|---|
//! | `known.rs` | endings against a lone king |
//! | `kpk.rs` | king and pawn against king, solved |
//! | `scale.rs` | the share of its value that a drawish ending keeps |

mod known;
mod kpk;
mod scale;

use shakmaty::{Bitboard, Role, Square};

use super::MAX_EVALUATION;
use super::classical::view::{View, distance};
use crate::position::Position;
use known::known_for_white;
pub(super) use scale::scale;

/// The scale of a position that is not drawish.
pub const FULL_SCALE: i32 = 64;

/// Returns the value of an ending against a lone king for the side to move, in centipawns, if its
/// result is known. The value grows as the win comes nearer, so that a shallow search finds the
/// way.
#[inline]
pub fn known_ending(position: &Position) -> Option<i32> {
    let value = known_for_white(position)?.clamp(-MAX_EVALUATION, MAX_EVALUATION);
    Some(position.turn().fold_wb(value, -value))
}

/// Builds the king and pawn bitbase now instead of in the first search that needs it.
pub(super) fn initialize() {
    kpk::initialize();
}

/// Returns whether all bishops stand on squares of one colour.
fn one_colour(bishops: Bitboard) -> bool {
    (bishops & Bitboard::LIGHT_SQUARES).is_empty() || (bishops & Bitboard::DARK_SQUARES).is_empty()
}

/// Returns whether the side has nothing but pawns on one rook file and bishops that do not control
/// their promotion square, and the enemy king holds that corner.
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
