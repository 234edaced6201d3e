//! Histories: statistics from other nodes of the tree, for ordering moves and correcting
//! evaluations.

mod update;

use shakmaty::{Bitboard, Color, Role, Square};

use super::params;
use crate::huge_pages::{HugeBox, Plain};
use crate::position::{Move, NO_PIECE, Position, color_index, role_index};
use crate::processor::prefetch;

pub(super) use update::SearchedMoves;

/// A counter with gravity: each update adds the bonus and takes off the share of the bonus that the
/// counter has of its limit. The value stays within `-LIMIT ..= LIMIT` and forgets old evidence.
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

/// The maximum of a move's history.
const MOVE_LIMIT: i32 = 8192;
/// The maximum of a correction, before weighting.
const CORRECTION_LIMIT: i32 = 1024;
/// The divisor of weighted corrections: a tenth of a centipawn, times the 128 of the weights.
const CORRECTION_GRAIN: i32 = 128 * 10;
/// The number of rows of the pawn history.
const PAWN_ROWS: usize = 512;
/// The number of rows of each correction history, for each side.
const CORRECTION_ROWS: usize = 16_384;
/// The combinations of piece and target square, 12 * 64.
const PIECE_TO: usize = 768;
/// The number of cells in a cache line.
const LINE: usize = 64 / size_of::<MoveCell>();

type MoveCell = Cell<MOVE_LIMIT>;
type CorrectionCell = Cell<CORRECTION_LIMIT>;

/// The move played at a ply as an index into continuation tables, piece times 64 plus target
/// square, or [`PieceTo::NONE`] before the root and after a null move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceTo(u16);

impl PieceTo {
    /// No move.
    pub const NONE: PieceTo = PieceTo(PIECE_TO as u16);

    /// Returns the piece and target square of a legal move.
    #[inline]
    pub fn of(position: &Position, m: Move) -> PieceTo {
        let piece = position.piece_index_at(m.from()).min(NO_PIECE as usize - 1);
        PieceTo((piece * 64 + m.to().to_usize()) as u16)
    }

    /// Returns the target square, unless there is no move.
    #[inline]
    pub fn square(self) -> Option<Square> {
        (self != PieceTo::NONE).then(|| Square::new(u32::from(self.0) % 64))
    }

    #[inline]
    const fn is_pawn(self) -> bool {
        self.index() / 64 % 6 == Role::Pawn as usize - 1
    }

    #[inline]
    const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The index of a move's own history: see [`Histories::slot`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// Of a quiet move.
    Quiet(u32),
    /// Of a capture or promotion.
    Noisy(u32),
}

/// The distances of the earlier moves that continuation histories use, in plies.
pub const CONTINUATION_PLIES: [usize; 3] = [1, 2, 4];

/// The earlier moves that continuation histories use: one, two and four plies back.
pub type Continuation = [PieceTo; CONTINUATION_PLIES.len()];

/// Indexed by source and target square.
type FromToRow = [MoveCell; 64 * 64];
/// Indexed by piece and target square.
type PieceToRow = [MoveCell; PIECE_TO];

/// The histories of a thread: 4.7 MB of plain numbers.
pub struct Histories {
    /// `[side][from attacked, to attacked][from, to]`
    quiet: [[FromToRow; 4]; 2],
    /// `[piece and target][captured role or none]`
    noisy: [MoveCell; PIECE_TO * 7],
    /// `[earlier piece and target, or none][piece and target]`
    continuation: [PieceToRow; PIECE_TO + 1],
    /// `[pawn key][piece and target]`
    pawn: [PieceToRow; PAWN_ROWS],
    /// `[pawns, minors, White's pieces, Black's pieces][side][key]`
    correction: [CorrectionCell; 4 * 2 * CORRECTION_ROWS],
    /// `[two or four plies back][piece and target there, or none][piece and target of the last
    /// move, or none]`
    continuation_correction: [CorrectionCell; 2 * (PIECE_TO + 1) * (PIECE_TO + 1)],
}

// SAFETY: the tables consist of 16-bit numbers.
unsafe impl Plain for Histories {}

impl Histories {
    /// Creates empty tables.
    pub fn new() -> HugeBox<Histories> {
        HugeBox::zeroed()
    }

    /// Clears all tables.
    pub fn clear(&mut self) {
        self.quiet.fill([[Cell(0); 64 * 64]; 4]);
        self.noisy.fill(Cell(0));
        self.continuation.fill([Cell(0); PIECE_TO]);
        self.pawn.fill([Cell(0); PIECE_TO]);
        self.correction.fill(Cell(0));
        self.continuation_correction.fill(Cell(0));
    }

    #[inline]
    fn noisy_index(position: &Position, m: Move) -> usize {
        let captured = position.captured(m).map_or(6, role_index);
        PieceTo::of(position, m).index() * 7 + captured
    }

    #[inline]
    fn pawn_row(position: &Position) -> usize {
        position.keys().pawns as usize % PAWN_ROWS
    }

    /// Returns the rows of the histories that the quiet moves of a position use.
    #[inline]
    pub fn quiets<'a>(
        &'a self,
        position: &'a Position,
        continuation: &Continuation,
    ) -> QuietHistories<'a> {
        QuietHistories {
            position,
            attacked: position.threats().all,
            quiet: &self.quiet[color_index(position.turn())],
            continuation: continuation.map(|earlier| &self.continuation[earlier.index()]),
            pawn: &self.pawn[Self::pawn_row(position)],
        }
    }

    /// Prefetches the cells of the side to move in the rows of [`Histories::quiets`] by piece and
    /// target square: 48 cache lines of tables that are larger than the fast caches.
    #[inline]
    pub fn prefetch_quiets(&self, position: &Position, continuation: &Continuation) {
        let own = color_index(position.turn()) * (PIECE_TO / 2);
        let rows = continuation.map(|earlier| &self.continuation[earlier.index()]);
        let pawn = &self.pawn[Self::pawn_row(position)];
        for index in (own..own + PIECE_TO / 2).step_by(LINE) {
            for row in rows.into_iter().chain([pawn]) {
                prefetch(&row[index]);
            }
        }
    }

    /// Returns the history of a capture or promotion.
    #[inline]
    pub fn noisy_score(&self, position: &Position, m: Move) -> i32 {
        self.noisy[Self::noisy_index(position, m)].get()
    }

    /// Returns the index of a move's own history, which stays valid when the position is gone.
    #[inline]
    pub fn slot(position: &Position, m: Move) -> Slot {
        if position.is_noisy(m) {
            return Slot::Noisy(Self::noisy_index(position, m) as u32);
        }
        let row = color_index(position.turn()) * 4 + threats_index(position.threats().all, m);
        Slot::Quiet((row * (64 * 64) + from_to_index(m)) as u32)
    }

    /// Rewards a move, or punishes it with a negative bonus, in its own history only.
    #[inline]
    pub fn update_slot(&mut self, slot: Slot, bonus: i32) {
        match slot {
            Slot::Quiet(index) => {
                self.quiet.as_flattened_mut().as_flattened_mut()[index as usize].update(bonus);
            }
            Slot::Noisy(index) => self.noisy[index as usize].update(bonus),
        }
    }

    /// Rewards a quiet move, or punishes it with a negative bonus, in all histories.
    pub fn update_quiet(
        &mut self,
        position: &Position,
        continuation: &Continuation,
        m: Move,
        bonus: i32,
    ) {
        let now = PieceTo::of(position, m);
        self.update_slot(Self::slot(position, m), bonus);
        self.pawn[Self::pawn_row(position)][now.index()].update(bonus);
        self.update_continuation(continuation, now, bonus);
    }

    /// Rewards the move that led to a position, or punishes it with a negative bonus, in the pawn
    /// history. Null moves are left out, and pawns, whose moves have changed the row.
    pub fn update_pawn(&mut self, position: &Position, played: PieceTo, bonus: i32) {
        if played != PieceTo::NONE && !played.is_pawn() {
            self.pawn[Self::pawn_row(position)][played.index()].update(bonus);
        }
    }

    /// Rewards a move as a continuation of earlier moves.
    pub fn update_continuation(&mut self, continuation: &Continuation, now: PieceTo, bonus: i32) {
        for &earlier in continuation {
            self.continuation[earlier.index()][now.index()].update(bonus);
        }
    }

    /// Rewards a capture or promotion, or punishes it with a negative bonus.
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
    fn continuation_correction_indices(continuation: &Continuation) -> [usize; 2] {
        let [last, second, fourth] = continuation.map(PieceTo::index);
        [second, PIECE_TO + 1 + fourth].map(|earlier| earlier * (PIECE_TO + 1) + last)
    }

    /// Prefetches the cells that [`Histories::correction`] reads.
    #[inline]
    pub fn prefetch_correction(&self, position: &Position, continuation: &Continuation) {
        for index in Self::correction_indices(position) {
            prefetch(&self.correction[index]);
        }
        for index in Self::continuation_correction_indices(continuation) {
            prefetch(&self.continuation_correction[index]);
        }
    }

    /// Returns the correction of the static evaluation in centipawns: the mean error that searches
    /// found in positions with the same pawns, pieces or last moves.
    #[inline]
    pub fn correction(&self, position: &Position, continuation: &Continuation) -> i32 {
        let [pawns, minors, white, black] =
            Self::correction_indices(position).map(|index| self.correction[index].get());
        let [second, fourth] = Self::continuation_correction_indices(continuation)
            .map(|index| self.continuation_correction[index].get());
        (pawns * params::correction_pawn()
            + minors * params::correction_minor()
            + (white + black) * params::correction_non_pawn()
            + second * params::correction_continuation()
            + fourth * params::correction_continuation_fourth())
            / CORRECTION_GRAIN
    }

    /// Learns that a search of this depth differs from the static evaluation by `error` centipawns.
    pub fn add_correction(
        &mut self,
        position: &Position,
        continuation: &Continuation,
        depth: i32,
        error: i32,
    ) {
        let bonus = (error * depth * params::correction_rate() / 128)
            .clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        for index in Self::correction_indices(position) {
            self.correction[index].update(bonus);
        }
        for index in Self::continuation_correction_indices(continuation) {
            self.continuation_correction[index].update(bonus);
        }
    }
}

/// The rows of the histories that the quiet moves of one node share, looked up once.
pub struct QuietHistories<'a> {
    position: &'a Position,
    attacked: Bitboard,
    quiet: &'a [FromToRow; 4],
    continuation: [&'a PieceToRow; CONTINUATION_PLIES.len()],
    pawn: &'a PieceToRow,
}

impl QuietHistories<'_> {
    /// Returns the history of a quiet move: its own, and as a continuation of earlier moves.
    #[inline]
    pub fn score(&self, m: Move) -> i32 {
        let now = PieceTo::of(self.position, m).index();
        let [last, second, fourth] = self.continuation.map(|row| row[now].get());
        let quiet = self.quiet[threats_index(self.attacked, m)][from_to_index(m)].get();
        (quiet * params::history_weight_quiet()
            + last * params::history_weight_last()
            + second * params::history_weight_second()
            + fourth * params::history_weight_fourth()
            + self.pawn[now].get() * params::history_weight_pawn())
            / 128
    }
}

/// Returns whether a move leaves an attacked square and whether it enters one, as a number below 4.
#[inline]
fn threats_index(attacked: Bitboard, m: Move) -> usize {
    usize::from(attacked.contains(m.from())) << 1 | usize::from(attacked.contains(m.to()))
}

#[inline]
fn from_to_index(m: Move) -> usize {
    m.from().to_usize() << 6 | m.to().to_usize()
}

/// Returns the bonus for a move that failed high at a depth.
pub fn bonus(depth: i32) -> i32 {
    (params::history_bonus_factor() * depth - params::history_bonus_offset())
        .clamp(0, params::history_bonus_max())
}

/// Returns the malus, a positive number, for a move searched before the one that failed high.
pub fn malus(depth: i32) -> i32 {
    (params::history_malus_factor() * depth).clamp(0, params::history_malus_max())
}

/// Returns the value of a captured piece in centipawns, for move ordering and for bounds on what a
/// capture can win. The king is never captured.
pub const fn capture_value(role: Role) -> i32 {
    crate::position::SEE_VALUES[role_index(role)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pawn_history_of_the_last_move_leaves_out_pawns_and_null_moves() {
        let position = Position::initial();
        let played = |from, to| PieceTo::of(&position, Move::normal(from, to));
        let knight = played(Square::G1, Square::F3);
        let pawn = played(Square::E2, Square::E4);
        let mut histories = Histories::new();
        for last in [knight, pawn, PieceTo::NONE] {
            histories.update_pawn(&position, last, 500);
        }
        let row = &histories.pawn[Histories::pawn_row(&position)];
        assert!(row[knight.index()].get() > 0);
        assert_eq!(row[pawn.index()].get(), 0);
    }

    #[test]
    fn a_correction_belongs_to_the_moves_two_and_four_plies_back() {
        let position = Position::initial();
        let [last, second, fourth, other] = [1, 2, 3, 4].map(PieceTo);
        let mut histories = Histories::new();
        histories.add_correction(&position, &[last, second, fourth], 8, 200);
        let correction = |moves| histories.correction(&position, &moves);
        let neither = correction([last, other, other]);
        for one in [[last, second, other], [last, other, fourth]] {
            assert!(correction(one) > neither);
            assert!(correction(one) < correction([last, second, fourth]));
        }
        assert_eq!(correction([other, second, fourth]), neither);
    }

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
