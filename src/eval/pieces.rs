//! Knights, bishops, rooks and queens: mobility, and where they stand with regard to pawns and kings.
//!
//! Each piece's attack set is computed here, once; what threats and king safety need of it is kept.

use shakmaty::{Bitboard, Rank, Role, Square, attacks};

use super::king::KingAttack;
use super::material::place;
use super::terms::Table;
use super::trace::{Sum, Trace};
use super::view::{Attacks, View, distance, north, south, south_both, south_fill};
use super::weights::{
    BAD_BISHOP, BISHOP_MOBILITY, BISHOP_OUTPOST, BLOCKED_BISHOP, KNIGHT_MOBILITY, KNIGHT_OUTPOST,
    MINOR_BEHIND_PAWN, MINOR_KING_DISTANCE, QUEEN_EXPOSED, QUEEN_MOBILITY, ROOK_FILE,
    ROOK_MOBILITY, ROOK_SEVENTH, ROOK_TRAPPED,
};

const CENTRE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);
const OUTPOST_RANKS: Bitboard = Bitboard(0x0000_ffff_ff00_0000);
const LOW_RANKS: Bitboard = Bitboard(0x0000_0000_00ff_ff00);

/// What all pieces of a side are judged by.
pub(super) struct Pieces<'a> {
    /// The men.
    pub view: &'a View,
    /// What the side attacks, as far as it has been computed.
    pub attacks: Attacks,
    /// The attack on the enemy king, as far as it has been computed.
    pub king_attack: KingAttack,
    /// Squares that count as mobility: not attacked by an enemy pawn, not the king's, and not a pawn's that is unlikely
    /// to leave.
    area: Bitboard,
    /// Squares that no enemy pawn attacks or ever will.
    quiet: Bitboard,
}

impl<'a> Pieces<'a> {
    /// Pawns and king are known; the pieces follow.
    #[inline]
    pub fn new(view: &'a View) -> Pieces<'a> {
        let attacks = Attacks::new(view);
        let enemy_attacks = south_both(view.enemy_pawns());
        let stuck = view.pawns() & (south(view.occupied()) | LOW_RANKS);
        // Wherever an enemy pawn goes on its file, it attacks the squares beside and below.
        let reachable = south_fill(enemy_attacks);
        Pieces {
            view,
            king_attack: KingAttack::new(view),
            attacks,
            area: !(enemy_attacks | stuck | view.ours(Role::King)),
            quiet: !reachable,
        }
    }

    /// Evaluates all pieces.
    #[inline]
    pub fn evaluate<T: Trace>(&mut self, can_castle: bool, sum: &mut Sum<'_, T>) {
        self.knights(sum);
        self.bishops(sum);
        self.rooks(can_castle, sum);
        self.queens(sum);
    }

    /// Notes what a piece attacks, as far as a pin leaves it free, and counts the safe squares among it: a piece that can
    /// go to many places defends and attacks more, and the first few squares matter most.
    #[inline(always)]
    fn mobility<T: Trace, const N: usize>(
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

    fn knights<T: Trace>(&mut self, sum: &mut Sum<'_, T>) {
        for square in self.view.ours(Role::Knight) {
            let reach = attacks::knight_attacks(square);
            let reach = self.mobility((Role::Knight, square), reach, &KNIGHT_MOBILITY, sum);
            self.minor(square, 0, sum);
            let outposts = OUTPOST_RANKS & self.quiet;
            let supported = outposts & self.attacks.by(Role::Pawn);
            if supported.contains(square) {
                sum.add(&KNIGHT_OUTPOST, 0);
            } else if outposts.contains(square) {
                sum.add(&KNIGHT_OUTPOST, 1);
            } else if (reach & supported & !self.view.us).any() {
                sum.add(&KNIGHT_OUTPOST, 2);
            }
        }
    }

    fn bishops<T: Trace>(&mut self, sum: &mut Sum<'_, T>) {
        let view = self.view;
        // What moves on the same diagonal stands behind the bishop, not in its way.
        let occupied = view.occupied() ^ view.ours(Role::Queen);
        for square in view.ours(Role::Bishop) {
            let reach = attacks::bishop_attacks(square, occupied);
            self.mobility((Role::Bishop, square), reach, &BISHOP_MOBILITY, sum);
            self.minor(square, 1, sum);
            if (OUTPOST_RANKS & self.quiet).contains(square) {
                let supported = self.attacks.by(Role::Pawn).contains(square);
                sum.add(&BISHOP_OUTPOST, usize::from(!supported));
            }
            let own_colour = if Bitboard::LIGHT_SQUARES.contains(square) {
                Bitboard::LIGHT_SQUARES
            } else {
                Bitboard::DARK_SQUARES
            };
            // Pawns on the bishop's colour are in its way for the rest of the game, the more so behind a closed centre.
            let obstacles = (view.pawns() & own_colour).count();
            let closed = view.pawns() & south(view.occupied()) & CENTRE_FILES;
            sum.add(&BAD_BISHOP, obstacles);
            sum.add_times(&BLOCKED_BISHOP, 0, (obstacles * closed.count() / 4) as i32);
        }
    }

    /// What knights and bishops have in common.
    #[inline(always)]
    fn minor<T: Trace>(&mut self, square: Square, kind: usize, sum: &mut Sum<'_, T>) {
        let ahead = north(Bitboard::from_square(square));
        if (ahead & (self.view.pawns() | self.view.enemy_pawns())).any() {
            sum.add(&MINOR_BEHIND_PAWN, kind);
        }
        sum.add(&MINOR_KING_DISTANCE, distance(square, self.view.king));
    }

    fn rooks<T: Trace>(&mut self, can_castle: bool, sum: &mut Sum<'_, T>) {
        let view = self.view;
        let occupied = view.occupied() ^ view.ours(Role::Queen) ^ view.ours(Role::Rook);
        for square in view.ours(Role::Rook) {
            let reach = attacks::rook_attacks(square, occupied);
            let reach = self.mobility((Role::Rook, square), reach, &ROOK_MOBILITY, sum);
            let file = Bitboard::from_file(square.file());
            if (file & view.pawns()).is_empty() {
                let open = (file & view.enemy_pawns()).is_empty();
                sum.add(&ROOK_FILE, usize::from(open));
            } else if (reach & self.area).count() <= 3 && self.shut_in(square) {
                sum.add(&ROOK_TRAPPED, usize::from(!can_castle));
            }
            let seventh = Bitboard::from_rank(Rank::Seventh);
            if square.rank() == Rank::Seventh
                && ((view.enemy_pawns() & seventh).any() || view.enemy_king.rank() == Rank::Eighth)
            {
                sum.add(&ROOK_SEVENTH, 0);
            }
        }
    }

    /// Whether the own king stands between this rook and the centre on the first rank.
    fn shut_in(&self, rook: Square) -> bool {
        let (king, file) = (self.view.king, u32::from(rook.file()));
        let king_file = u32::from(king.file());
        rook.rank() == Rank::First
            && king.rank() == Rank::First
            && (king_file < 4) == (file < king_file)
    }

    fn queens<T: Trace>(&mut self, sum: &mut Sum<'_, T>) {
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

    /// Whether one man alone stands between the queen and an enemy rook or bishop: it may be pinned, or leave with gain
    /// of time.
    fn exposed(&self, queen: Square, occupied: Bitboard) -> bool {
        let snipers = attacks::rook_attacks(queen, Bitboard::EMPTY) & self.view.theirs(Role::Rook)
            | attacks::bishop_attacks(queen, Bitboard::EMPTY) & self.view.theirs(Role::Bishop);
        snipers
            .into_iter()
            .any(|sniper| (attacks::between(queen, sniper) & occupied).count() == 1)
    }
}
