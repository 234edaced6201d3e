//! Staged move ordering: moves are generated in stages, so that a cutoff saves the later ones.

mod quiet_bonus;
mod ranked_moves;

use arrayvec::ArrayVec;
use shakmaty::Role;

use super::history::{Continuation, Histories, capture_value};
use super::params;
use crate::position::{Checks, MAX_MOVES, Move, MoveList, Position};
use quiet_bonus::QuietBonus;
use ranked_moves::{RankedMove, RankedMoves};

/// The next step of a picker.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Stage {
    /// The TT move.
    TtMove,
    /// Generate captures and promotions.
    GenerateNoisy,
    /// Captures and promotions that do not lose material.
    GoodNoisy,
    /// Generate the other moves.
    GenerateQuiets,
    /// The other moves by bonus and history, best first.
    Quiets,
    /// Captures and promotions that lose material.
    BadNoisy,
    /// Generate the quiet moves that give check.
    GenerateChecks,
    /// The quiet moves that give check, in quiescence.
    Checks,
    /// No move is left.
    Done,
}

/// The inputs of move ordering.
#[derive(Clone, Copy)]
pub struct PickerContext<'a> {
    /// The node's position.
    pub position: &'a Position,
    /// The thread's histories.
    pub histories: &'a Histories,
    /// The earlier moves of the line.
    pub continuation: &'a Continuation,
}

/// Yields the legal moves of one node, each once.
pub struct MovePicker {
    stage: Stage,
    tt_move: Option<Move>,
    /// The exchange value in centipawns from which a noisy move is good. With `None` the threshold
    /// depends on the move's score.
    threshold: Option<i32>,
    quiets: bool,
    checks: bool,
    /// The remaining moves of the stage.
    moves: RankedMoves,
    /// Losing captures for later.
    bad_noisy: ArrayVec<Move, MAX_MOVES>,
    /// The number of them that have been returned.
    bad_returned: usize,
    /// The history of the last move, if ordering needed it.
    history: Option<i32>,
    /// The test for checks, if ordering needed it.
    checks_given: Option<Checks>,
}

impl MovePicker {
    /// Creates a picker of all moves, `tt_move` first, which has to be legal.
    pub fn all(tt_move: Option<Move>) -> MovePicker {
        MovePicker::new(tt_move, None, true)
    }

    /// Creates a picker of captures and promotions. With `threshold` it yields only those that win
    /// at least that many centipawns, and no underpromotion but `tt_move`.
    pub fn noisy(tt_move: Option<Move>, threshold: Option<i32>) -> MovePicker {
        MovePicker::new(tt_move, threshold, false)
    }

    /// Creates a picker of captures and promotions that lose nothing, without underpromotions but
    /// `tt_move`, followed by the quiet moves that give check.
    pub fn noisy_and_checks(tt_move: Option<Move>) -> MovePicker {
        MovePicker {
            checks: true,
            ..MovePicker::noisy(tt_move, Some(0))
        }
    }

    fn new(tt_move: Option<Move>, threshold: Option<i32>, quiets: bool) -> MovePicker {
        MovePicker {
            stage: Stage::TtMove,
            tt_move,
            threshold,
            quiets,
            checks: false,
            moves: RankedMoves::new(),
            bad_noisy: ArrayVec::new(),
            bad_returned: 0,
            history: None,
            checks_given: None,
        }
    }

    /// Returns the history of the last move, if it is a quiet move that was ordered by it.
    #[inline]
    pub const fn history(&self) -> Option<i32> {
        self.history
    }

    /// Returns whether a legal move gives check.
    #[inline]
    pub fn gives_check(&self, position: &Position, m: Move) -> bool {
        match &self.checks_given {
            Some(checks) => checks.contain(position, m),
            None => position.gives_check(m),
        }
    }

    /// Returns the stage of the last move; behind the TT move, the next stage.
    #[inline]
    pub const fn stage(&self) -> Stage {
        self.stage
    }

    /// Skips the remaining quiet moves.
    #[inline]
    pub fn skip_quiets(&mut self) {
        self.quiets = false;
    }

    /// Returns the next move.
    pub fn next(&mut self, context: PickerContext<'_>) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateNoisy;
                    if self.tt_move.is_some() {
                        return self.tt_move;
                    }
                }
                Stage::GenerateNoisy => {
                    self.generate_noisy(context);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => {
                    while let Some((RankedMove { m, .. }, score)) = self.moves.take_best() {
                        let threshold = self
                            .threshold
                            .unwrap_or(-score / params::good_noisy_divisor());
                        if !is_underpromotion(m) && context.position.see_ge(m, threshold) {
                            return Some(m);
                        }
                        let _ = self.bad_noisy.try_push(m);
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
                        self.stage = Stage::BadNoisy;
                    }
                }
                Stage::GenerateQuiets => {
                    self.stage = Stage::Quiets;
                    // First, so that memory is read while the moves are generated.
                    let histories = context.histories;
                    histories.prefetch_quiets(context.position, context.continuation);
                    let mut moves = MoveList::new();
                    context.position.generate_quiets(&mut moves);
                    self.score_quiets(context, &moves);
                }
                Stage::Quiets => {
                    if self.quiets
                        && let Some((RankedMove { m, bonus }, score)) = self.moves.take_best()
                    {
                        self.history = Some(score - i32::from(bonus));
                        return Some(m);
                    }
                    self.history = None;
                    self.stage = Stage::BadNoisy;
                }
                Stage::BadNoisy => match self.bad_noisy.get(self.bad_returned) {
                    Some(&m) => {
                        self.bad_returned += 1;
                        return Some(m);
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::GenerateChecks => {
                    self.stage = Stage::Checks;
                    self.score_quiets(context, &context.position.quiet_checks());
                }
                Stage::Checks => match self.moves.take_best() {
                    Some((RankedMove { m, .. }, _)) => return Some(m),
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    fn generate_noisy(&mut self, context: PickerContext<'_>) {
        let mut moves = MoveList::new();
        context.position.generate_noisy(&mut moves);
        for &m in &moves {
            if Some(m) != self.tt_move {
                self.moves.push(m, 0, noisy_score(context, m));
            }
        }
        self.moves.fill_row();
    }

    #[inline]
    fn score_quiets(&mut self, context: PickerContext<'_>, moves: &[Move]) {
        let histories = context
            .histories
            .quiets(context.position, context.continuation);
        let bonus = QuietBonus::new(context.position);
        self.checks_given = Some(bonus.checks);
        self.moves.clear();
        for &m in moves {
            if Some(m) != self.tt_move {
                let bonus = bonus.of(m);
                let score = histories.score(m) + i32::from(bonus);
                self.moves.push(m, bonus, score);
            }
        }
        self.moves.fill_row();
    }
}

/// Returns the order of a noisy move: the most valuable victim first, adjusted by history.
#[inline]
fn noisy_score(context: PickerContext<'_>, m: Move) -> i32 {
    let victim = context.position.captured(m).map_or(0, capture_value);
    let promotion = if m.is_queen_promotion() {
        capture_value(Role::Queen)
    } else {
        0
    };
    (victim + promotion) * params::noisy_victim_weight() / 128
        + context.histories.noisy_score(context.position, m)
}

/// Returns true for a promotion to anything but a queen. It is hardly ever better, so it comes
/// last.
#[inline]
fn is_underpromotion(m: Move) -> bool {
    m.is_promotion() && !m.is_queen_promotion()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::parse_fen;
    use crate::search::history::PieceTo;

    fn drain(position: &Position, mut picker: MovePicker) -> Vec<Move> {
        let histories = Histories::new();
        let context = PickerContext {
            position,
            histories: &histories,
            continuation: &[PieceTo::NONE; 3],
        };
        std::iter::from_fn(|| picker.next(context)).collect()
    }

    #[test]
    fn every_legal_move_comes_once_with_any_tt_move() {
        for line in include_str!("../../epd-suites/perft-standard.epd").lines() {
            let fen = line
                .split_whitespace()
                .take(4)
                .collect::<Vec<_>>()
                .join(" ");
            let position = parse_fen(&fen, false).unwrap().position;
            let legal = position.legal_moves();
            for tt_move in legal.iter().copied().map(Some).chain([None]) {
                let picked = drain(&position, MovePicker::all(tt_move));
                let mut sorted: Vec<u16> = picked.iter().map(|m| m.code()).collect();
                sorted.sort_unstable();
                let mut expected: Vec<u16> = legal.iter().map(|m| m.code()).collect();
                expected.sort_unstable();
                assert_eq!(sorted, expected, "{fen}");
                if tt_move.is_some() {
                    assert_eq!(picked.first().copied(), tt_move);
                }
            }
            let noisy = drain(&position, MovePicker::noisy(None, None));
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
        let picked = drain(&position, MovePicker::all(None));
        assert_eq!(format!("{:?}", picked[0]), "e4d5");
        assert_eq!(format!("{:?}", picked[picked.len() - 1]), "a1a7");
        let winning = drain(&position, MovePicker::noisy(None, Some(100)));
        assert_eq!(winning.len(), 1);
    }

    #[test]
    fn quiescence_tries_good_captures_then_checks() {
        // exd5 wins a queen, Qxa7 loses one; the queen can also give checks.
        let position = parse_fen("r5k1/p7/8/3q4/4P3/8/8/Q5K1 w - - 0 1", false)
            .unwrap()
            .position;
        let picked = drain(&position, MovePicker::noisy_and_checks(None));
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
    fn without_history_a_check_comes_first() {
        let position = parse_fen("6k1/5ppp/8/8/8/8/8/R6K w - - 0 1", false)
            .unwrap()
            .position;
        let picked = drain(&position, MovePicker::all(None));
        assert_eq!(format!("{:?}", picked[0]), "a1a8");
    }

    #[test]
    fn without_history_a_piece_leaves_an_attack_first_and_enters_one_last() {
        // The pawn attacks the queen, the bishop controls squares that the rook can go to.
        let position = parse_fen("6k1/3b4/8/8/2p5/3Q4/8/R6K w - - 0 1", false)
            .unwrap()
            .position;
        let picked = drain(&position, MovePicker::all(None));
        let threats = position.threats();
        let is_queen = |m: &Move| position.role_at(m.from()) == Some(Role::Queen);
        let escapes = |m: &Move| is_queen(m) && !threats.by_rooks_or_less().contains(m.to());
        let enters = |m: &Move| !is_queen(m) && threats.by_minors_or_less().contains(m.to());
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
