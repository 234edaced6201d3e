//! Histories: what worked elsewhere in the tree, for ordering moves and correcting evaluations.

use shakmaty::{Color, Role, Square};

use super::params;
use crate::position::{Move, NO_PIECE, Position, color_index, role_index};

/// A counter that is pulled towards a limit: each update moves it by the bonus less the share of the limit that it has
/// reached already ("gravity"), so it never leaves `-LIMIT ..= LIMIT` and forgets old evidence.
#[derive(Clone, Copy, Default)]
struct Cell<const LIMIT: i32>(i16);

impl<const LIMIT: i32> Cell<LIMIT> {
    #[inline]
    fn update(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-LIMIT, LIMIT);
        let value = i32::from(self.0);
        self.0 = (value + bonus - value * bonus.abs() / LIMIT) as i16;
    }

    #[inline]
    fn get(self) -> i32 {
        i32::from(self.0)
    }
}

/// The largest value of a move's history.
const MOVE_LIMIT: i32 = 8192;
/// The largest correction, in units of [`CORRECTION_GRAIN`].
const CORRECTION_LIMIT: i32 = 1024;
/// Units of a correction in a centipawn, times the 128 of the shares.
const CORRECTION_GRAIN: i32 = 128 * 10;
/// Rows of the pawn history.
const PAWN_ROWS: usize = 512;
/// Rows of each correction history and side.
const CORRECTION_ROWS: usize = 16_384;
/// Piece and target square, 12 * 64.
const PIECE_TO: usize = 768;

type MoveCell = Cell<MOVE_LIMIT>;
type CorrectionCell = Cell<CORRECTION_LIMIT>;

/// What was played at a ply, as an index into continuation tables: piece times 64 plus target square; or nothing, for
/// the root and after a null move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(u16);

impl PieceTo {
    /// Nothing was played.
    pub const NONE: PieceTo = PieceTo(PIECE_TO as u16);

    /// The piece and target square of a move that is legal in the position.
    #[inline]
    pub fn of(position: &Position, m: Move) -> PieceTo {
        let piece = position.piece_index_at(m.from()).min(NO_PIECE as usize - 1);
        PieceTo((piece * 64 + m.to().to_usize()) as u16)
    }

    /// The target square, unless nothing was played.
    #[inline]
    pub fn square(self) -> Option<Square> {
        (self != PieceTo::NONE).then(|| Square::new(u32::from(self.0) % 64))
    }

    #[inline]
    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The plies back that continuation histories look at.
pub const CONTINUATION_PLIES: [usize; 3] = [1, 2, 4];

/// The moves before the current one, as far as continuation histories look: one, two and four plies back.
pub type Continuation = [PieceTo; CONTINUATION_PLIES.len()];

/// A thread's histories. 3.5 MB, so it lives on the heap.
pub struct Histories {
    /// `[side][from attacked][to attacked][from][to]`
    quiet: Vec<MoveCell>,
    /// `[piece and target][captured role or none]`
    noisy: Vec<MoveCell>,
    /// `[earlier piece and target, or none][piece and target]`
    continuation: Vec<MoveCell>,
    /// `[pawn key][piece and target]`
    pawn: Vec<MoveCell>,
    /// `[pawns, minors, White's pieces, Black's pieces][side][key]`
    correction: Vec<CorrectionCell>,
    /// `[piece and target two plies back, or none][piece and target of the last move, or none]`
    continuation_correction: Vec<CorrectionCell>,
}

impl Default for Histories {
    fn default() -> Histories {
        Histories {
            quiet: vec![Cell(0); 2 * 4 * 64 * 64],
            noisy: vec![Cell(0); PIECE_TO * 7],
            continuation: vec![Cell(0); (PIECE_TO + 1) * PIECE_TO],
            pawn: vec![Cell(0); PAWN_ROWS * PIECE_TO],
            correction: vec![Cell(0); 4 * 2 * CORRECTION_ROWS],
            continuation_correction: vec![Cell(0); (PIECE_TO + 1) * (PIECE_TO + 1)],
        }
    }
}

impl Histories {
    /// Forgets everything.
    pub fn clear(&mut self) {
        for table in [
            &mut self.quiet,
            &mut self.noisy,
            &mut self.continuation,
            &mut self.pawn,
        ] {
            table.fill(Cell(0));
        }
        self.correction.fill(Cell(0));
        self.continuation_correction.fill(Cell(0));
    }

    #[inline]
    fn quiet_index(position: &Position, m: Move) -> usize {
        let attacked = position.threats().all;
        let side = color_index(position.turn());
        let threats =
            usize::from(attacked.contains(m.from())) << 1 | usize::from(attacked.contains(m.to()));
        (side * 4 + threats) << 12 | m.from().to_usize() << 6 | m.to().to_usize()
    }

    #[inline]
    fn noisy_index(position: &Position, m: Move) -> usize {
        let captured = position.captured(m).map_or(6, role_index);
        PieceTo::of(position, m).index() * 7 + captured
    }

    #[inline]
    fn pawn_index(position: &Position, m: Move) -> usize {
        let row = position.keys().pawns as usize % PAWN_ROWS;
        row * PIECE_TO + PieceTo::of(position, m).index()
    }

    #[inline]
    fn continuation_index(earlier: PieceTo, now: PieceTo) -> usize {
        earlier.index() * PIECE_TO + now.index()
    }

    /// How well a quiet move has done: in itself, and as an answer to the moves before.
    #[inline]
    pub fn quiet_score(&self, position: &Position, continuation: &Continuation, m: Move) -> i32 {
        self.quiet_parts(position, continuation, m)
            .into_iter()
            .sum()
    }

    #[inline]
    fn quiet_parts(&self, position: &Position, continuation: &Continuation, m: Move) -> [i32; 5] {
        let now = PieceTo::of(position, m);
        let follow =
            |earlier: PieceTo| self.continuation[Self::continuation_index(earlier, now)].get();
        [
            self.quiet[Self::quiet_index(position, m)].get(),
            follow(continuation[0]),
            follow(continuation[1]),
            follow(continuation[2]) / 2,
            self.pawn[Self::pawn_index(position, m)].get(),
        ]
    }

    /// How well a capture or promotion has done.
    #[inline]
    pub fn noisy_score(&self, position: &Position, m: Move) -> i32 {
        self.noisy[Self::noisy_index(position, m)].get()
    }

    /// Rewards (or, with a negative bonus, punishes) a quiet move.
    pub fn update_quiet(
        &mut self,
        position: &Position,
        continuation: &Continuation,
        m: Move,
        bonus: i32,
    ) {
        self.quiet[Self::quiet_index(position, m)].update(bonus);
        self.pawn[Self::pawn_index(position, m)].update(bonus);
        self.update_continuation(continuation, PieceTo::of(position, m), bonus);
    }

    /// Rewards a move as an answer to the moves before it.
    pub fn update_continuation(&mut self, continuation: &Continuation, now: PieceTo, bonus: i32) {
        for &earlier in continuation {
            self.continuation[Self::continuation_index(earlier, now)].update(bonus);
        }
    }

    /// Rewards (or punishes) a capture or promotion.
    pub fn update_noisy(&mut self, position: &Position, m: Move, bonus: i32) {
        self.noisy[Self::noisy_index(position, m)].update(bonus);
    }

    #[inline]
    fn correction_indices(position: &Position) -> [usize; 4] {
        let keys = position.keys();
        let side = color_index(position.turn());
        let index = |table: usize, key: u64| {
            (table * 2 + side) * CORRECTION_ROWS + key as usize % CORRECTION_ROWS
        };
        [
            index(0, keys.pawns),
            index(1, keys.minors),
            index(2, keys.non_pawns[color_index(Color::White)]),
            index(3, keys.non_pawns[color_index(Color::Black)]),
        ]
    }

    #[inline]
    fn continuation_correction_index(continuation: &Continuation) -> usize {
        continuation[1].index() * (PIECE_TO + 1) + continuation[0].index()
    }

    /// What searches of positions with the same pawns, pieces or last moves found the static evaluation to miss, in
    /// centipawns.
    #[inline]
    pub fn correction(&self, position: &Position, continuation: &Continuation) -> i32 {
        let [pawns, minors, white, black] =
            Self::correction_indices(position).map(|index| self.correction[index].get());
        let moves =
            self.continuation_correction[Self::continuation_correction_index(continuation)].get();
        (pawns * params::correction_pawn()
            + minors * params::correction_minor()
            + (white + black) * params::correction_non_pawn()
            + moves * params::correction_continuation())
            / CORRECTION_GRAIN
    }

    /// Learns from a search of this depth that missed the static evaluation by `error` centipawns.
    pub fn update_correction(
        &mut self,
        position: &Position,
        continuation: &Continuation,
        depth: i32,
        error: i32,
    ) {
        let bonus = (error * depth / 8).clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        for index in Self::correction_indices(position) {
            self.correction[index].update(bonus);
        }
        self.continuation_correction[Self::continuation_correction_index(continuation)]
            .update(bonus);
    }
}

/// The reward for a move that failed high at this depth.
pub fn bonus(depth: i32) -> i32 {
    (params::history_bonus_factor() * depth - params::history_bonus_offset())
        .clamp(0, params::history_bonus_max())
}

/// The punishment, as a positive number, for a move that was tried before the one that failed high at this depth.
pub fn malus(depth: i32) -> i32 {
    (params::history_malus_factor() * depth).clamp(0, params::history_malus_max())
}

/// Centipawns of a captured piece, for ordering and for bounds on what a capture can win. The king is never captured.
pub const fn capture_value(role: Role) -> i32 {
    crate::position::SEE_VALUES[role_index(role)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_stays_within_its_limit_and_forgets() {
        let mut cell = MoveCell::default();
        for _ in 0..1000 {
            cell.update(2000);
        }
        assert!(cell.get() <= MOVE_LIMIT && cell.get() > MOVE_LIMIT - 10);
        cell.update(-2000);
        assert!(
            cell.get() < MOVE_LIMIT - 3900,
            "the fall from the limit is steeper than the bonus"
        );
    }
}
