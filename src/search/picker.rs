//! The order in which a node tries its moves, generated in stages so that a cut-off saves the rest.

use std::hint::select_unpredictable;

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Role};

use super::history::{Continuation, Histories, capture_value};
use super::params;
use crate::position::{MAX_MOVES, Move, MoveList, Position};

/// What comes next.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The hash table's move.
    Table,
    /// Generate captures and promotions.
    GenerateNoisy,
    /// Captures and promotions that do not lose material.
    GoodNoisy,
    /// Generate the other moves.
    GenerateQuiets,
    /// The other moves, by safety and history, best first.
    Quiets,
    /// Captures and promotions that lose material.
    BadNoisy,
    /// Generate the quiet moves that give check.
    GenerateChecks,
    /// Quiet moves that give check, where the others are left out.
    Checks,
    /// Nothing is left.
    Done,
}

/// What the picker orders moves by.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// The node's position.
    pub position: &'a Position,
    /// The thread's histories.
    pub histories: &'a Histories,
    /// The moves that led here.
    pub continuation: &'a Continuation,
}

#[derive(Clone, Copy)]
struct Scored {
    m: Move,
    /// What of the score is safety, not history.
    safety: i16,
    score: i32,
}

/// Hands out the legal moves of one node, each once.
pub struct Picker {
    stage: Stage,
    table_move: Option<Move>,
    /// Noisy moves: the exchange has to be worth this many centipawns for a move to be good. `None` lets the move's own
    /// score lower the bar.
    threshold: Option<i32>,
    quiets: bool,
    checks: bool,
    /// `[..bad_end]` losing captures, put aside; `[cursor..]` moves still to come.
    list: ArrayVec<Scored, MAX_MOVES>,
    bad_end: usize,
    cursor: usize,
    /// The history score of the move handed out last, if ordering needed it.
    history: Option<i32>,
}

impl Picker {
    /// All moves, the table's first. `table_move` has to be legal.
    pub fn all(table_move: Option<Move>) -> Picker {
        Picker::new(table_move, None, true)
    }

    /// Captures and promotions only; with `threshold`, only those that win as many centipawns.
    pub fn noisy(table_move: Option<Move>, threshold: Option<i32>) -> Picker {
        Picker::new(table_move, threshold, false)
    }

    /// Captures and promotions that lose nothing, then the quiet moves that give check.
    pub fn noisy_and_checks(table_move: Option<Move>) -> Picker {
        Picker {
            checks: true,
            ..Picker::noisy(table_move, Some(0))
        }
    }

    fn new(table_move: Option<Move>, threshold: Option<i32>, quiets: bool) -> Picker {
        Picker {
            stage: Stage::Table,
            table_move,
            threshold,
            quiets,
            checks: false,
            list: ArrayVec::new(),
            bad_end: 0,
            cursor: 0,
            history: None,
        }
    }

    /// The quiet history of the last move, if it is a quiet one that was ordered by it.
    #[inline]
    pub const fn history(&self) -> Option<i32> {
        self.history
    }

    /// The stage that the last move came from.
    #[inline]
    pub const fn stage(&self) -> Stage {
        self.stage
    }

    /// Gives up the quiet moves that have not come yet.
    #[inline]
    pub fn skip_quiets(&mut self) {
        self.quiets = false;
    }

    /// The next move.
    pub fn next(&mut self, context: Context<'_>) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::GenerateNoisy;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(context);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    while let Some(Scored { m, score, .. }) = self.take_best() {
                        let threshold = self
                            .threshold
                            .unwrap_or(-score / params::good_noisy_divisor());
                        if !is_underpromotion(m) && context.position.see_ge(m, threshold) {
                            return Some(m);
                        }
                        self.put_aside(m);
                    }
                    if self.threshold.is_some() {
                        self.stage = if self.checks {
                            Stage::GenerateChecks
                        } else {
                            Stage::Done
                        };
                    } else if self.quiets {
                        self.stage = Stage::GenerateQuiets;
                    } else {
                        self.begin_bad_noisy();
                    }
                }
                Stage::GenerateQuiets => {
                    self.stage = Stage::Quiets;
                    if self.quiets {
                        let mut moves = MoveList::new();
                        context.position.generate_quiets(&mut moves);
                        self.score_quiets(context, &moves);
                    }
                }
                Stage::Quiets => {
                    if self.quiets
                        && let Some(Scored { m, safety, score }) = self.take_best()
                    {
                        self.history = Some(score - i32::from(safety));
                        return Some(m);
                    }
                    self.history = None;
                    self.begin_bad_noisy();
                }
                Stage::BadNoisy => match self.list.get(self.cursor) {
                    Some(&Scored { m, .. }) => {
                        self.cursor += 1;
                        return Some(m);
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::GenerateChecks => {
                    self.stage = Stage::Checks;
                    self.score_quiets(context, &context.position.quiet_checks());
                }
                Stage::Checks => match self.take_best() {
                    Some(Scored { m, .. }) => return Some(m),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// Takes the best of the moves still to come: a selection sort, of which most nodes need only the first steps.
    #[inline]
    fn take_best(&mut self) -> Option<Scored> {
        let rest = self.list.get_mut(self.cursor..)?;
        let (mut best, mut score) = (0, rest.first()?.score);
        for (index, scored) in rest.iter().enumerate().skip(1) {
            // No branch: which of two random scores is higher cannot be predicted.
            let is_better = scored.score > score;
            best = select_unpredictable(is_better, index, best);
            score = select_unpredictable(is_better, scored.score, score);
        }
        rest.swap(0, best);
        self.cursor += 1;
        Some(rest[0])
    }

    /// Returns to the losing captures, which come in the order in which they were put aside, best first.
    fn begin_bad_noisy(&mut self) {
        self.stage = Stage::BadNoisy;
        self.list.truncate(self.bad_end);
        self.cursor = 0;
    }

    fn put_aside(&mut self, m: Move) {
        // There is room: the move itself was taken from beyond `bad_end`.
        if let Some(slot) = self.list.get_mut(self.bad_end) {
            *slot = Scored {
                m,
                safety: 0,
                score: 0,
            };
            self.bad_end += 1;
        }
    }

    fn generate_noisy(&mut self, context: Context<'_>) {
        let mut moves = MoveList::new();
        context.position.generate_noisy(&mut moves);
        for &m in &moves {
            if Some(m) != self.table_move {
                let score = noisy_score(context, m);
                let _ = self.list.try_push(Scored {
                    m,
                    safety: 0,
                    score,
                });
            }
        }
    }

    #[inline]
    fn score_quiets(&mut self, context: Context<'_>, moves: &[Move]) {
        let histories = context
            .histories
            .quiets(context.position, context.continuation);
        let safety = Safety::new(context.position);
        for &m in moves {
            if Some(m) != self.table_move {
                let safety = safety.of(m);
                let score = histories.score(m) + i32::from(safety);
                let _ = self.list.try_push(Scored { m, safety, score });
            }
        }
    }
}

/// What a quiet move's place in the order gains when it takes a piece away from an attack by lesser men, and loses when it
/// takes it into one: known before any history is.
struct Safety<'a> {
    position: &'a Position,
    /// `[role]`: the squares attacked by lesser men, and what they count.
    attacked: [(Bitboard, i16); 6],
}

impl Safety<'_> {
    #[inline]
    fn new(position: &Position) -> Safety<'_> {
        let threats = position.threats();
        let attacked = [
            (Bitboard::EMPTY, 0),
            (threats.by_pawns, params::safety_pawn() as i16),
            (threats.by_pawns, params::safety_pawn() as i16),
            (threats.by_minors, params::safety_minor() as i16),
            (threats.by_rooks, params::safety_rook() as i16),
            (Bitboard::EMPTY, 0),
        ];
        Safety { position, attacked }
    }

    #[inline]
    fn of(&self, m: Move) -> i16 {
        let (squares, weight) = self.attacked[self.position.piece_index_at(m.from()) % 6];
        weight * (i16::from(squares.contains(m.from())) - i16::from(squares.contains(m.to())))
    }
}

/// Most valuable victim first, corrected by what has worked.
#[inline]
fn noisy_score(context: Context<'_>, m: Move) -> i32 {
    let victim = context.position.captured(m).map_or(0, capture_value);
    let promotion = if m.is_queen_promotion() {
        capture_value(Role::Queen)
    } else {
        0
    };
    (victim + promotion) * params::noisy_victim_weight() / 8
        + context.histories.noisy_score(context.position, m)
}

/// A promotion to anything but a queen is tried last: it is hardly ever better.
#[inline]
fn is_underpromotion(m: Move) -> bool {
    m.is_promotion() && !m.is_queen_promotion()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::parse_fen;
    use crate::search::history::PieceTo;

    fn drain(position: &Position, mut picker: Picker) -> Vec<Move> {
        let histories = Histories::default();
        let context = Context {
            position,
            histories: &histories,
            continuation: &[PieceTo::NONE; 3],
        };
        std::iter::from_fn(|| picker.next(context)).collect()
    }

    #[test]
    fn every_legal_move_comes_once_whatever_the_table_says() {
        for line in include_str!("../../epd-suites/perft-standard.epd").lines() {
            let fen = line
                .split_whitespace()
                .take(4)
                .collect::<Vec<_>>()
                .join(" ");
            let position = parse_fen(&fen, false).unwrap().position;
            let legal = position.legal_moves();
            for table_move in legal.iter().copied().map(Some).chain([None]) {
                let picked = drain(&position, Picker::all(table_move));
                let mut sorted: Vec<u16> = picked.iter().map(|m| m.code()).collect();
                sorted.sort_unstable();
                let mut expected: Vec<u16> = legal.iter().map(|m| m.code()).collect();
                expected.sort_unstable();
                assert_eq!(sorted, expected, "{fen}");
                if table_move.is_some() {
                    assert_eq!(picked.first().copied(), table_move);
                }
            }
            let noisy = drain(&position, Picker::noisy(None, None));
            assert_eq!(
                noisy.len(),
                legal.iter().filter(|&&m| position.is_noisy(m)).count()
            );
        }
    }

    #[test]
    fn the_best_capture_comes_first_and_a_losing_one_last() {
        // exd5 wins a queen; Qxa7 loses one for a pawn.
        let position = parse_fen("r5k1/p7/8/3q4/4P3/8/8/Q5K1 w - - 0 1", false)
            .unwrap()
            .position;
        let picked = drain(&position, Picker::all(None));
        assert_eq!(format!("{:?}", picked[0]), "e4d5");
        assert_eq!(format!("{:?}", picked[picked.len() - 1]), "a1a7");
        let winning = drain(&position, Picker::noisy(None, Some(100)));
        assert_eq!(winning.len(), 1);
    }

    #[test]
    fn quiescence_tries_good_captures_then_checks() {
        // exd5 wins a queen, Qxa7 loses one; the queen can also give checks.
        let position = parse_fen("r5k1/p7/8/3q4/4P3/8/8/Q5K1 w - - 0 1", false)
            .unwrap()
            .position;
        let picked = drain(&position, Picker::noisy_and_checks(None));
        assert_eq!(format!("{:?}", picked[0]), "e4d5");
        assert!(picked.iter().all(|m| format!("{m:?}") != "a1a7"));
        let checks: Vec<_> = position
            .legal_moves()
            .into_iter()
            .filter(|&m| !position.is_noisy(m) && position.gives_check(m))
            .collect();
        assert!(!checks.is_empty());
        assert_eq!(picked.len(), 1 + checks.len());
        assert!(checks.iter().all(|m| picked.contains(m)));
    }

    #[test]
    fn without_history_a_piece_leaves_an_attack_first_and_enters_one_last() {
        // The pawn attacks the queen, the bishop controls squares that the rook can go to.
        let position = parse_fen("6k1/3b4/8/8/2p5/3Q4/8/R6K w - - 0 1", false)
            .unwrap()
            .position;
        let picked = drain(&position, Picker::all(None));
        let threats = position.threats();
        let is_queen = |m: &Move| position.role_at(m.from()) == Some(Role::Queen);
        let escapes = |m: &Move| is_queen(m) && !threats.by_rooks.contains(m.to());
        let enters = |m: &Move| !is_queen(m) && threats.by_minors.contains(m.to());
        let quiets: Vec<Move> = picked
            .into_iter()
            .filter(|&m| !position.is_noisy(m))
            .collect();
        let count = quiets.iter().filter(|m| escapes(m)).count();
        assert!(
            count > 5 && quiets[..count].iter().all(escapes),
            "{quiets:?}"
        );
        let entering = quiets.iter().filter(|m| enters(m)).count();
        let first_entering = quiets.len() - entering;
        assert!(
            entering > 0 && quiets[first_entering..].iter().all(enters),
            "{quiets:?}"
        );
    }
}
