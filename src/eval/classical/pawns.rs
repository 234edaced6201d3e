//! Pawn structure and passed pawns. Bitboards find the structure for all pawns at once; only passed
//! pawns are evaluated one by one.

use shakmaty::{Bitboard, Role, Square};

use super::material::place;
use super::trace::{EvalTrace, Sum};
use super::view::{
    Attacks, View, beside, count, distance, file_fill, north, north_east, north_fill, north_west,
    rank, south, south_both, south_fill,
};
use super::weights::{
    BACKWARD_PAWN, CANDIDATE_PAWN, DOUBLED_PAWN, ISOLATED_PAWN, PASSED_BLOCKED, PASSED_CONNECTED,
    PASSED_ENEMY_KING, PASSED_FREE_PATH, PASSED_OWN_KING, PASSED_PAWN, PASSED_ROOK_BEHIND,
    PASSED_SAFE_STEP, PASSED_UNSTOPPABLE, PHALANX_PAWN, SUPPORTED_PAWN,
};

/// Evaluates the pawn structure and returns the passed pawns.
#[inline]
pub(super) fn structure<T: EvalTrace>(view: &View, sum: &mut Sum<'_, T>) -> Bitboard {
    let (ours, theirs) = (view.pawns(), view.enemy_pawns());
    for square in ours {
        place(sum, Role::Pawn, square);
    }
    let behind_ours = south_fill(south(ours));
    let before_theirs = south_fill(south(theirs));
    // Pawns with an enemy pawn ahead on their file.
    let opposed = ours & before_theirs;

    isolated_and_doubled(ours, behind_ours, opposed, sum);
    backward(ours, theirs, opposed, sum);
    connected(ours, sum);

    let passed = ours & !(before_theirs | beside(before_theirs)) & !behind_ours;
    let free_file = ours & !before_theirs & !behind_ours & !passed;
    candidates(free_file, ours, theirs, sum);
    passed
}

/// Evaluates isolated pawns, which only pieces can defend and whose front square is a hole, and
/// doubled pawns, which advance slowly and block their twin.
#[inline]
fn isolated_and_doubled<T: EvalTrace>(
    ours: Bitboard,
    behind_ours: Bitboard,
    opposed: Bitboard,
    sum: &mut Sum<'_, T>,
) {
    let isolated = ours & !beside(file_fill(ours));
    sum.add_times(&ISOLATED_PAWN, 0, count(isolated & opposed));
    sum.add_times(&ISOLATED_PAWN, 1, count(isolated & !opposed));
    let doubled = ours & behind_ours;
    let directly = ours & south(ours);
    sum.add_times(&DOUBLED_PAWN, 0, count(doubled & !directly));
    sum.add_times(&DOUBLED_PAWN, 1, count(directly));
}

/// Evaluates backward pawns: all their neighbours have advanced past them, and they would be
/// captured if they followed.
#[inline]
fn backward<T: EvalTrace>(
    ours: Bitboard,
    theirs: Bitboard,
    opposed: Bitboard,
    sum: &mut Sum<'_, T>,
) {
    // Squares that pawns of the side can come to defend.
    let defendable = beside(north_fill(ours));
    let has_neighbours = beside(file_fill(ours));
    let attacked_step = south(south_both(theirs));
    let backward = ours & has_neighbours & !defendable & attacked_step;
    sum.add_times(&BACKWARD_PAWN, 0, count(backward & opposed));
    sum.add_times(&BACKWARD_PAWN, 1, count(backward & !opposed));
}

/// Evaluates phalanxes, which control the squares ahead, and defended pawns. Both gain with every
/// rank.
#[inline]
fn connected<T: EvalTrace>(ours: Bitboard, sum: &mut Sum<'_, T>) {
    for square in ours & beside(ours) {
        sum.add(&PHALANX_PAWN, rank(square));
    }
    for square in ours & (north_west(ours) | north_east(ours)) {
        sum.add(&SUPPORTED_PAWN, rank(square));
    }
}

/// Evaluates candidates: pawns on a free file with at least as many helpers beside or behind as the
/// enemy has guards ahead.
#[inline]
fn candidates<T: EvalTrace>(
    free_file: Bitboard,
    ours: Bitboard,
    theirs: Bitboard,
    sum: &mut Sum<'_, T>,
) {
    for square in free_file {
        let file = north_fill(Bitboard::from_square(square));
        let guards = beside(north(file)) & theirs;
        let helpers = beside(south_fill(Bitboard::from_square(square))) & ours;
        if helpers.count() >= guards.count() {
            sum.add(&CANDIDATE_PAWN, rank(square));
        }
    }
}

/// The information needed to evaluate passed pawns.
pub(super) struct PassedPawns<'a> {
    pub view: &'a View,
    pub ours: &'a Attacks,
    pub theirs: &'a Attacks,
    /// True if the side is to move.
    pub to_move: bool,
}

impl PassedPawns<'_> {
    /// Evaluates the passed pawns: they gain with every rank, most of all if nothing blocks or
    /// attacks their path.
    #[inline]
    pub fn evaluate<T: EvalTrace>(&self, passed: Bitboard, sum: &mut Sum<'_, T>) {
        let firm = beside(self.view.pawns()) | self.ours.by(Role::Pawn);
        for square in passed {
            let rank = rank(square);
            sum.add(&PASSED_PAWN, rank);
            if firm.contains(square) {
                sum.add(&PASSED_CONNECTED, rank);
            }
            if rank >= 3 {
                self.advanced(square, sum);
            }
            self.race(square, sum);
        }
    }

    /// Evaluates the path of a pawn beyond the middle of the board and the pieces near it.
    fn advanced<T: EvalTrace>(&self, square: Square, sum: &mut Sum<'_, T>) {
        let view = self.view;
        let rank = rank(square);
        let step = north(Bitboard::from_square(square));
        let way = north_fill(step);
        let danger = self.theirs.all | view.them;
        if (step & view.them).any() {
            sum.add(&PASSED_BLOCKED, rank);
        } else if (step & (danger | view.us)).is_empty() {
            sum.add(&PASSED_SAFE_STEP, rank);
        }
        if (way & (danger | view.us)).is_empty() {
            sum.add(&PASSED_FREE_PATH, rank);
        }
        if let Some(step) = step.first() {
            let times = rank as i32 - 2;
            sum.add_times(&PASSED_OWN_KING, distance(view.king, step), times);
            sum.add_times(&PASSED_ENEMY_KING, distance(view.enemy_king, step), times);
        }
        let behind = south_fill(south(Bitboard::from_square(square)));
        if (behind & view.ours(Role::Rook)).any() {
            sum.add(&PASSED_ROOK_BEHIND, 0);
        }
        if (behind & view.theirs(Role::Rook)).any() {
            sum.add(&PASSED_ROOK_BEHIND, 1);
        }
    }

    /// Applies the rule of the square: an enemy without pieces must reach the pawn in time.
    fn race<T: EvalTrace>(&self, square: Square, sum: &mut Sum<'_, T>) {
        let view = self.view;
        let pieces = view.them & !view.enemy_pawns() & !view.theirs(Role::King);
        if pieces.any() {
            return;
        }
        let way = north_fill(north(Bitboard::from_square(square)));
        if (way & view.occupied()).any() {
            return;
        }
        let Some(goal) = way.last() else { return };
        // The first step from the second rank is a double one.
        let steps = 7 - rank(square).max(2);
        let enemy_steps = distance(view.enemy_king, goal);
        if enemy_steps > steps + usize::from(!self.to_move) {
            sum.add(&PASSED_UNSTOPPABLE, 0);
        }
    }
}
