//! King safety: the king's shelter and the attack on the enemy king.

use shakmaty::{Bitboard, Role, attacks};

use super::trace::{EvalTrace, Sum};
use super::view::{Attacks, View, beside, count, edge_file, north, rank, south};
use super::weights::{
    CASTLING, KING_DANGER, KING_PAWN_DISTANCE, KING_RING, SAFE_CHECK, SHELTER, SHELTER_KING_FILE,
    STORM, STORM_BLOCKED,
};

/// Units of danger for a knight, bishop, rook or queen that attacks squares around the king. A
/// queen needs only one helper to mate; a rook is strong on open lines, where weak squares add to
/// the danger.
const ATTACKER_UNITS: [i32; 4] = [4, 3, 4, 5];
/// Units for each square around the king that a piece attacks.
const RING_UNITS: i32 = 1;
/// Units for each square around the king that is attacked, and defended by king or queen at most.
const WEAK_UNITS: i32 = 3;
/// Units for a safe check by a knight, bishop, rook or queen. Rook and queen checks are often mate.
const CHECK_UNITS: [i32; 4] = [7, 4, 8, 7];
/// Units for each piece that a pin keeps from defending.
const PINNED_UNITS: i32 = 2;
/// Units subtracted from an attack without a queen.
const NO_QUEEN_UNITS: i32 = 14;
/// Units for each step in the danger table.
const UNITS_A_STEP: i32 = 2;

/// A side's attack on the enemy king.
pub(super) struct KingAttack {
    /// The squares around the king and the row in front of them.
    ring: Bitboard,
    units: i32,
    attackers: i32,
}

impl KingAttack {
    /// Creates an attack without attackers.
    #[inline]
    pub fn new(view: &View) -> KingAttack {
        let beside_king = attacks::king_attacks(view.enemy_king);
        KingAttack {
            ring: beside_king | south(beside_king),
            units: 0,
            attackers: 0,
        }
    }

    /// Adds a piece that attacks these squares.
    #[inline(always)]
    pub fn include<T: EvalTrace>(&mut self, role: Role, reach: Bitboard, sum: &mut Sum<'_, T>) {
        let squares = count(reach & self.ring);
        let kind = piece_kind(role);
        // Branches here would often be mispredicted.
        let attacks = i32::from(squares > 0);
        self.attackers += attacks;
        self.units += ATTACKER_UNITS[kind] * attacks + squares * RING_UNITS;
        sum.add_times(&KING_RING, kind, squares);
    }

    /// Evaluates the attack once all attacks of both sides are known. Attackers reinforce each
    /// other, so their units index a table.
    #[inline]
    pub fn evaluate<T: EvalTrace>(
        &self,
        view: &View,
        ours: &Attacks,
        theirs: &Attacks,
        sum: &mut Sum<'_, T>,
    ) {
        let mut units = self.units + self.checks(view, ours, theirs, sum);
        if self.attackers + view.ours(Role::Queen).count() as i32 <= 1 {
            return;
        }
        let guarded = theirs.twice | !(theirs.by(Role::King) | theirs.by(Role::Queen)) & theirs.all;
        let weak = attacks::king_attacks(view.enemy_king) & ours.all & !guarded;
        units += weak.count() as i32 * WEAK_UNITS;
        if view.ours(Role::Queen).is_empty() {
            units -= NO_QUEEN_UNITS;
        }
        sum.add(&KING_DANGER, (units.max(0) / UNITS_A_STEP) as usize);
    }

    /// Evaluates safe checks: those on squares where the checking piece cannot simply be captured.
    #[inline]
    fn checks<T: EvalTrace>(
        &self,
        view: &View,
        ours: &Attacks,
        theirs: &Attacks,
        sum: &mut Sum<'_, T>,
    ) -> i32 {
        let king = view.enemy_king;
        // Safe squares are not attacked, or attacked by the king alone while the side attacks them
        // twice.
        let others = theirs.twice | theirs.all & !theirs.by(Role::King);
        let safe = !view.us & (!theirs.all | ours.twice & !others);
        // The queen blocks no line: it can move.
        let occupied = view.occupied() ^ view.theirs(Role::Queen);
        let straight = attacks::rook_attacks(king, occupied) & safe;
        let diagonal = attacks::bishop_attacks(king, occupied) & safe;
        let checks = [
            attacks::knight_attacks(king) & safe & ours.by(Role::Knight),
            diagonal & ours.by(Role::Bishop),
            straight & ours.by(Role::Rook),
            (straight | diagonal) & ours.by(Role::Queen),
        ];
        let mut units = 0;
        for (kind, squares) in checks.into_iter().enumerate() {
            if squares.any() {
                units += CHECK_UNITS[kind];
                sum.add(&SAFE_CHECK, kind);
            }
        }
        units
    }

    /// Counts the enemy's pinned pieces, which only the enemy's view knows.
    #[inline]
    pub fn include_pinned(&mut self, pinned: Bitboard) {
        self.units += pinned.count() as i32 * PINNED_UNITS;
    }
}

/// Returns 0 to 3 for knight, bishop, rook and queen.
#[inline(always)]
const fn piece_kind(role: Role) -> usize {
    match role {
        Role::Bishop => 1,
        Role::Rook => 2,
        Role::Queen => 3,
        _ => 0,
    }
}

/// Evaluates the king's shelter: the side's pawns near the king keep lines closed, and enemy pawns
/// that approach open them.
#[inline]
pub(super) fn shelter<T: EvalTrace>(view: &View, castling_rights: usize, sum: &mut Sum<'_, T>) {
    let king = view.king;
    let king_rank = rank(king);
    let king_file = king.to_usize() % 8;
    // A king on the edge file is treated as one file further in.
    let centre = king_file.clamp(1, 6);
    let ahead = Bitboard(!0 << (8 * king_rank));
    for file in centre - 1..=centre + 1 {
        let squares = ahead & Bitboard(0x0101_0101_0101_0101 << file);
        let ours = (squares & view.pawns()).first().map_or(0, rank);
        let theirs = (squares & view.enemy_pawns()).first().map_or(0, rank);
        let line = edge_file(file) * 8;
        sum.add(&SHELTER, line + ours);
        if file == king_file {
            sum.add(&SHELTER_KING_FILE, ours);
        }
        sum.add(&STORM, line + theirs);
        if theirs > 0 && ours + 1 == theirs {
            sum.add(&STORM_BLOCKED, theirs);
        }
    }
    sum.add(&CASTLING, castling_rights);
    let pawns = view.pawns() | view.enemy_pawns();
    sum.add(&KING_PAWN_DISTANCE, nearest(view, pawns));
}

/// Returns the king's distance from the nearest of some squares; 0 if there are none.
#[inline]
fn nearest(view: &View, squares: Bitboard) -> usize {
    if squares.is_empty() {
        return 0;
    }
    let mut near = Bitboard::from_square(view.king);
    let mut steps = 0;
    while (near & squares).is_empty() && steps < 7 {
        let wide = near | beside(near);
        near = wide | north(wide) | south(wide);
        steps += 1;
    }
    steps
}
