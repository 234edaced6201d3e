//! Scaling of drawish endings.

use shakmaty::{Color, Role};

use super::{FULL_SCALE, one_colour, wrong_rook_pawn};
use crate::eval::classical::phase;
use crate::eval::classical::view::View;
use crate::position::Position;

/// Returns the share of its value that a position keeps, in sixty-fourths: less if the side that
/// `value` (for White) prefers will find it hard to win.
#[inline]
pub(in crate::eval) fn scale(position: &Position, value: i32) -> i32 {
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

/// Returns the scale of a position with few pieces or pawns.
fn drawish(position: &Position, strong: Color, pawns: i32, phase: i32) -> i32 {
    let weak = !strong;
    let (strong_pieces, weak_pieces) = (piece_value(position, strong), piece_value(position, weak));
    let lead = strong_pieces - weak_pieces;
    if pawns == 0 && lead <= MINOR {
        // Without pawns, a lead of a minor piece seldom wins, and never without a rook.
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
        // The weak side can give its last minor piece for the last pawn.
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
    // The fewer the pawns, the easier it is to exchange them all.
    (44 + 5 * pawns).min(FULL_SCALE)
}

/// The value of a knight or bishop in this module.
const MINOR: i32 = 3;
/// The value of a rook in this module.
const ROOK: i32 = 5;
/// The value of a queen in this module.
const QUEEN: i32 = 9;

/// Returns the value of a side's pieces, in pawns.
fn piece_value(position: &Position, color: Color) -> i32 {
    let count = |role| position.pieces(color, role).count() as i32;
    MINOR * (count(Role::Knight) + count(Role::Bishop))
        + ROOK * count(Role::Rook)
        + QUEEN * count(Role::Queen)
}

/// Returns whether each side has one bishop and they stand on different colours.
fn opposite_bishops(position: &Position) -> bool {
    let bishops = position.board().bishops();
    bishops.count() == 2
        && (bishops & position.by_color(Color::White)).count() == 1
        && !one_colour(bishops)
}
