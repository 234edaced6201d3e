//! Threats and space.

use shakmaty::{Bitboard, Rank, Role, attacks};

use super::trace::{EvalTrace, Sum};
use super::view::{Attacks, View, count, north, north_east, north_west, south_fill};
use super::weights::{
    HANGING, PAWN_PUSH_THREAT, QUEEN_HARASSED, RESTRICTED, SPACE, THREAT_BY_KING, THREAT_BY_MINOR,
    THREAT_BY_PAWN, THREAT_BY_ROOK,
};

/// The kinds of pieces whose threats are counted.
const TARGETS: [Role; 5] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
];

/// Evaluates attacks on pieces that are worth more than their attacker or poorly defended: they
/// cost time or material.
#[inline]
pub(super) fn threats<T: EvalTrace>(
    view: &View,
    ours: &Attacks,
    theirs: &Attacks,
    sum: &mut Sum<'_, T>,
) {
    let firm = theirs.by(Role::Pawn) | theirs.twice & !ours.twice;
    let weak = view.them & ours.all & !firm;
    let pieces = view.them & !view.enemy_pawns() & !view.theirs(Role::King);

    let safe = !theirs.all | ours.all;
    by_pawns(view, pieces, safe, theirs, sum);

    let minors = ours.by(Role::Knight) | ours.by(Role::Bishop);
    on_each(view, minors & (weak | pieces), sum, &THREAT_BY_MINOR);
    let by_rooks = ours.by(Role::Rook) & (weak | view.theirs(Role::Queen));
    on_each(view, by_rooks, sum, &THREAT_BY_ROOK);

    if (ours.by(Role::King) & weak).any() {
        sum.add(&THREAT_BY_KING, 0);
    }
    let hanging = weak & (!theirs.all | pieces & ours.twice);
    sum.add_times(&HANGING, 0, count(hanging));
    let restricted = ours.all & theirs.all & !firm & !view.occupied();
    sum.add_times(&RESTRICTED, 0, count(restricted));
    harassment(view, ours, theirs, sum);
}

/// Evaluates attacks by pawns, the cheapest attackers, and pawn moves that would attack.
#[inline]
fn by_pawns<T: EvalTrace>(
    view: &View,
    pieces: Bitboard,
    safe: Bitboard,
    theirs: &Attacks,
    sum: &mut Sum<'_, T>,
) {
    let attackers = view.pawns() & safe;
    let attacked = (north_west(attackers) | north_east(attackers)) & pieces;
    on_each(view, attacked, sum, &THREAT_BY_PAWN);

    let empty = !view.occupied();
    let single = north(view.pawns()) & empty;
    let double = north(single & Bitboard::from_rank(Rank::Third)) & empty;
    let steps = (single | double) & safe & !theirs.by(Role::Pawn);
    let targets = (north_west(steps) | north_east(steps)) & pieces & !attacked;
    sum.add_times(&PAWN_PUSH_THREAT, 0, count(targets));
}

/// Counts attacked pieces by kind.
#[inline]
fn on_each<T: EvalTrace>(
    view: &View,
    attacked: Bitboard,
    sum: &mut Sum<'_, T>,
    table: &super::terms::Table<5>,
) {
    if attacked.is_empty() {
        return;
    }
    for (kind, role) in TARGETS.into_iter().enumerate() {
        sum.add_times(table, kind, count(attacked & view.theirs(role)));
    }
}

/// Evaluates moves that would attack the queen from a safe square.
#[inline]
fn harassment<T: EvalTrace>(view: &View, ours: &Attacks, theirs: &Attacks, sum: &mut Sum<'_, T>) {
    let Some(queen) = view.theirs(Role::Queen).single_square() else {
        return;
    };
    let safe = !view.us & !theirs.by(Role::Pawn) & (!theirs.all | ours.twice);
    let knight = attacks::knight_attacks(queen) & ours.by(Role::Knight) & safe;
    let occupied = view.occupied();
    let slider = attacks::bishop_attacks(queen, occupied) & ours.by(Role::Bishop)
        | attacks::rook_attacks(queen, occupied) & ours.by(Role::Rook);
    sum.add_times(&QUEEN_HARASSED, 0, count(knight));
    sum.add_times(&QUEEN_HARASSED, 1, count(slider & safe & ours.twice));
}

/// Evaluates the room behind the side's centre pawns, which is worth more with many pieces.
#[inline]
pub(super) fn space<T: EvalTrace>(view: &View, theirs: &Attacks, sum: &mut Sum<'_, T>) {
    const AREA: Bitboard = Bitboard(0x0000_0000_3c3c_3c00);
    let safe = AREA & !view.pawns() & !theirs.by(Role::Pawn);
    let behind = south_fill(view.pawns()) & safe & !theirs.all;
    let pieces = (view.us & !view.pawns()).count();
    let squares = safe.count() + behind.count();
    sum.add_times(&SPACE, 0, (squares * pieces / 8) as i32);
}
