//! Knights, bishops, rooks and queens: mobility, and their placement relative to pawns and kings.
//!
//! Each piece's attacks are computed here, once, and kept for threats and king safety.

use shakmaty::{Bitboard, Rank, Role, Square, attacks};

use super::king::KingAttack;
use super::material::place;
use super::terms::Table;
use super::trace::{EvalTrace, Sum};
use super::view::{Attacks, View, beside, count, file_fill, north, south, south_both, south_fill};
use super::weights::{
    BAD_BISHOP, BISHOP_MOBILITY, BISHOP_OUTPOST, BLOCKED_BISHOP, KING_GUARD, KNIGHT_MOBILITY,
    KNIGHT_OUTPOST, MINOR_BEHIND_PAWN, QUEEN_EXPOSED, QUEEN_MOBILITY, ROOK_FILE, ROOK_MOBILITY,
    ROOK_SEVENTH, ROOK_TRAPPED,
};

const CENTRE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);
const OUTPOST_RANKS: Bitboard = Bitboard(0x0000_ffff_ff00_0000);
const LOW_RANKS: Bitboard = Bitboard(0x0000_0000_00ff_ff00);

/// The information needed to evaluate a side's pieces.
pub(super) struct PieceTerms<'a> {
    /// The pieces on the board, seen from the side.
    pub view: &'a View,
    /// The side's attacks computed so far.
    pub attacks: Attacks,
    /// The attack on the enemy king computed so far.
    pub king_attack: KingAttack,
    /// The mobility area: squares that no enemy pawn attacks and that neither the king nor a pawn
    /// that is unlikely to move occupies.
    area: Bitboard,
    /// Squares that no enemy pawn attacks or can ever attack.
    quiet: Bitboard,
}

impl<'a> PieceTerms<'a> {
    /// Starts with the attacks of pawns and king.
    #[inline]
    pub fn new(view: &'a View) -> PieceTerms<'a> {
        let attacks = Attacks::new(view);
        let enemy_attacks = south_both(view.enemy_pawns());
        let stuck = view.pawns() & (south(view.occupied()) | LOW_RANKS);
        // An enemy pawn that advances attacks the squares beside and below each step.
        let reachable = south_fill(enemy_attacks);
        PieceTerms {
            view,
            king_attack: KingAttack::new(view),
            attacks,
            area: !(enemy_attacks | stuck | view.ours(Role::King)),
            quiet: !reachable,
        }
    }

    /// Evaluates all pieces.
    #[inline]
    pub fn evaluate<T: EvalTrace>(&mut self, can_castle: bool, sum: &mut Sum<'_, T>) {
        self.knights(sum);
        self.bishops(sum);
        self.minors(sum);
        self.rooks(can_castle, sum);
        self.rook_files(sum);
        self.queens(sum);
    }

    /// Records a piece's attacks, restricted by a pin, and evaluates the number of safe squares
    /// among them: a mobile piece defends and attacks more, and the first few squares matter most.
    #[inline(always)]
    fn mobility<T: EvalTrace, const N: usize>(
        &mut self,
        (role, square): (Role, Square),
        reach: Bitboard,
        table: &Table<N>,
        sum: &mut Sum<'_, T>,
    ) -> Bitboard {
        let reach = if self.view.pinned.contains(square) {
            reach & attacks::ray(self.view.king, square)
        } else {
            reach
        };
        self.attacks.include(role, reach);
        self.king_attack.include(role, reach, sum);
        place(sum, role, square);
        sum.add(table, (reach & self.area).count());
        reach
    }

    fn knights<T: EvalTrace>(&mut self, sum: &mut Sum<'_, T>) {
        let within_reach = OUTPOST_RANKS & self.quiet & self.attacks.by(Role::Pawn) & !self.view.us;
        for square in self.view.ours(Role::Knight) {
            let reach = attacks::knight_attacks(square);
            let reach = self.mobility((Role::Knight, square), reach, &KNIGHT_MOBILITY, sum);
            if (reach & within_reach).any() {
                sum.add(&KNIGHT_OUTPOST, 2);
            }
        }
    }

    fn bishops<T: EvalTrace>(&mut self, sum: &mut Sum<'_, T>) {
        let view = self.view;
        // A queen on the same diagonal supports the bishop rather than blocking it.
        let occupied = view.occupied() ^ view.ours(Role::Queen);
        let closed = (view.pawns() & south(view.occupied()) & CENTRE_FILES).count();
        let pawns = [Bitboard::DARK_SQUARES, Bitboard::LIGHT_SQUARES]
            .map(|colour| (view.pawns() & colour).count());
        for square in view.ours(Role::Bishop) {
            let reach = attacks::bishop_attacks(square, occupied);
            self.mobility((Role::Bishop, square), reach, &BISHOP_MOBILITY, sum);
            // Pawns on the bishop's colour obstruct it for the rest of the game, more so behind a
            // closed centre.
            let obstacles = pawns[usize::from(Bitboard::LIGHT_SQUARES.contains(square))];
            sum.add(&BAD_BISHOP, obstacles);
            sum.add_times(&BLOCKED_BISHOP, 0, (obstacles * closed / 4) as i32);
        }
    }

    /// Evaluates the placement of knights and bishops: on outposts, from which no pawn can drive
    /// them; behind a pawn, which shields them; near the king, whose squares they defend.
    #[inline]
    fn minors<T: EvalTrace>(&self, sum: &mut Sum<'_, T>) {
        let view = self.view;
        let (knights, bishops) = (view.ours(Role::Knight), view.ours(Role::Bishop));
        let outposts = OUTPOST_RANKS & self.quiet;
        let supported = self.attacks.by(Role::Pawn);
        sum.add_times(&KNIGHT_OUTPOST, 0, count(knights & outposts & supported));
        sum.add_times(&KNIGHT_OUTPOST, 1, count(knights & outposts & !supported));
        sum.add_times(&BISHOP_OUTPOST, 0, count(bishops & outposts & supported));
        sum.add_times(&BISHOP_OUTPOST, 1, count(bishops & outposts & !supported));
        let shielded = south(view.pawns() | view.enemy_pawns());
        sum.add_times(&MINOR_BEHIND_PAWN, 0, count(knights & shielded));
        sum.add_times(&MINOR_BEHIND_PAWN, 1, count(bishops & shielded));
        let one_step = self.attacks.by(Role::King);
        let wide = one_step | beside(one_step);
        let two_steps = wide | north(wide) | south(wide);
        sum.add_times(&KING_GUARD, 0, count(knights & two_steps));
        sum.add_times(&KING_GUARD, 1, count(bishops & two_steps));
    }

    fn rooks<T: EvalTrace>(&mut self, can_castle: bool, sum: &mut Sum<'_, T>) {
        let view = self.view;
        // Rooks and queens on one line support each other.
        let occupied = view.occupied() ^ view.ours(Role::Queen) ^ view.ours(Role::Rook);
        for square in view.ours(Role::Rook) {
            let reach = attacks::rook_attacks(square, occupied);
            let reach = self.mobility((Role::Rook, square), reach, &ROOK_MOBILITY, sum);
            if self.shut_in(square) && (reach & self.area).count() <= 3 {
                sum.add(&ROOK_TRAPPED, usize::from(!can_castle));
            }
        }
    }

    /// Evaluates rooks on files without pawns of the side, and on the seventh rank, where they
    /// attack pawns from the side.
    #[inline]
    fn rook_files<T: EvalTrace>(&self, sum: &mut Sum<'_, T>) {
        let view = self.view;
        let rooks = view.ours(Role::Rook) & !file_fill(view.pawns());
        let closed = file_fill(view.enemy_pawns());
        sum.add_times(&ROOK_FILE, 0, count(rooks & closed));
        sum.add_times(&ROOK_FILE, 1, count(rooks & !closed));
        let seventh = Bitboard::from_rank(Rank::Seventh);
        if (view.enemy_pawns() & seventh).any() || view.enemy_king.rank() == Rank::Eighth {
            sum.add_times(&ROOK_SEVENTH, 0, count(view.ours(Role::Rook) & seventh));
        }
    }

    /// Returns whether the king stands between this rook and the centre on the first rank.
    fn shut_in(&self, rook: Square) -> bool {
        let (king, file) = (self.view.king, u32::from(rook.file()));
        let king_file = u32::from(king.file());
        rook.rank() == Rank::First
            && king.rank() == Rank::First
            && (king_file < 4) == (file < king_file)
    }

    fn queens<T: EvalTrace>(&mut self, sum: &mut Sum<'_, T>) {
        let view = self.view;
        let occupied = view.occupied();
        for square in view.ours(Role::Queen) {
            let reach = attacks::queen_attacks(square, occupied);
            self.mobility((Role::Queen, square), reach, &QUEEN_MOBILITY, sum);
            if self.exposed(square, occupied) {
                sum.add(&QUEEN_EXPOSED, 0);
            }
        }
    }

    /// Returns whether a single piece stands between the queen and an enemy rook or bishop: it may
    /// be pinned, or leave with tempo.
    fn exposed(&self, queen: Square, occupied: Bitboard) -> bool {
        let snipers = attacks::rook_attacks(queen, Bitboard::EMPTY) & self.view.theirs(Role::Rook)
            | attacks::bishop_attacks(queen, Bitboard::EMPTY) & self.view.theirs(Role::Bishop);
        snipers
            .into_iter()
            .any(|sniper| (attacks::between(queen, sniper) & occupied).count() == 1)
    }
}
