//! Iterative deepening with aspiration windows: one depth after another, each using the move order
//! of the one before.

use std::ops::Range;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::IterationResult;
use super::node::{Root, SearchMode};
use super::params;
use super::report::AnalysisLine;
use super::root_moves::{self, RootMove};
use super::time::IterationStats;
use super::worker::{Stopped, Worker};
use crate::position::Move;
use crate::score::{Bound, MAX_PLY, Score};

/// The search time after which bounds and unfinished lines are reported too.
const VERBOSE_AFTER: Duration = Duration::from_secs(3);
/// The share of the time budget for a position with a single legal move.
const FORCED_MOVE_SHARE: f64 = 0.1;
/// The most time after which a single legal move is searched no deeper.
const FORCED_MOVE_TIME: Duration = Duration::from_millis(500);

/// The main thread's record of earlier iterations, used for time management.
#[derive(Default)]
struct IterationHistory {
    best_move: Option<Move>,
    stable_iterations: u32,
    average_score: Option<i32>,
}

impl Worker<'_> {
    /// Searches deeper and deeper until a limit is reached. Leaves the root moves sorted, best
    /// first.
    pub fn iterate<M: SearchMode>(&mut self) {
        let limits = self.shared.request.limits;
        let last_depth = limits
            .depth
            .unwrap_or(u32::MAX)
            .clamp(1, MAX_PLY as u32 - 1) as i32;
        let mut history = IterationHistory::default();
        let begun = self.poll();
        if !M::EXACT {
            self.resume(last_depth);
        }
        let mut is_done = begun.is_err() || self.completed.is_some() && self.is_done(&mut history);
        while !is_done && self.completed_depth() < last_depth {
            let depth = self.completed_depth() + 1;
            if self.search_iteration::<M>(depth).is_err() {
                break;
            }
            self.complete_iteration();
            is_done = self.poll().is_err() || self.is_done(&mut history);
        }
        self.publish();
    }

    /// Returns the last completed depth in plies, or 0 without one.
    fn completed_depth(&self) -> i32 {
        self.completed.map_or(0, |completed| completed.depth)
    }

    /// Records that the current iteration is complete.
    pub(super) fn complete_iteration(&mut self) {
        let best = &self.root_moves[0];
        self.completed = Some(IterationResult {
            best_move: best.m,
            score: best.shown_score(),
            bound: best.shown_bound(),
            depth: self.root_depth,
        });
    }

    /// Searches one iteration: every line of analysis in turn.
    fn search_iteration<M: SearchMode>(&mut self, depth: i32) -> Result<(), Stopped> {
        self.root_depth = depth;
        let multipv = self.shared.request.options.multipv;
        let lines = multipv.clamp(1, self.root_moves.len());
        // Lines that this iteration does not reach are reported as they were.
        let before = if self.id == 0 && lines > 1 {
            self.root_moves.clone()
        } else {
            Vec::new()
        };
        for root_move in &mut self.root_moves {
            root_move.previous_score = root_move.score;
            root_move.score = -Score::INFINITE;
        }
        for line in 0..lines {
            // Moves compete only with moves of the same tablebase rank.
            let rank = self.root_moves[line].tb_rank;
            let first = self
                .root_moves
                .iter()
                .take_while(|root_move| root_move.tb_rank > rank)
                .count();
            let group = self
                .root_moves
                .iter()
                .filter(|root_move| root_move.tb_rank == rank)
                .count();
            self.root_range = (line, first + group);
            self.seldepth = 0;
            let result = self.search_line::<M>(line, depth);
            root_moves::sort(&mut self.root_moves[line..first + group]);
            if result.is_ok() {
                root_moves::sort(&mut self.root_moves[first..=line]);
            } else {
                self.take_back_fail_low(line);
                for root_move in &mut self.root_moves[line..lines] {
                    root_move.doubt_loss();
                }
                // What the line has found may still be better than the lines before it.
                let found = &self.root_moves[line];
                if found.is_scored() && found.bound == Bound::Exact {
                    root_moves::sort(&mut self.root_moves[first..=line]);
                }
            }
            if self.id == 0 {
                if result.is_ok() {
                    // Each finished line reorders the others, which matters when it took long.
                    if line + 1 == lines {
                        self.report_lines(0..lines);
                    } else if self.shared.elapsed() > VERBOSE_AFTER {
                        self.report_unfinished(lines, &before);
                    }
                } else {
                    self.report_unfinished(lines, &before);
                }
            }
            result?;
        }
        Ok(())
    }

    /// Searches the best of the remaining root moves, in a window around its last score that is
    /// widened until it contains the score.
    fn search_line<M: SearchMode>(&mut self, line: usize, depth: i32) -> Result<(), Stopped> {
        let expected = self.root_moves[line].previous_score;
        self.optimism = optimism(expected);
        let mut delta = params::aspiration_delta();
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth >= params::aspiration_min_depth() && !expected.is_decisive() {
            alpha = expected - delta;
            beta = expected + delta;
        }
        let mut fail_highs = 0;
        loop {
            let reduced = if M::EXACT {
                depth
            } else {
                (depth - fail_highs).max(1)
            };
            let root = self.shared.request.root;
            self.stack_mut(1).cutoffs = 0;
            self.before_fail_low = None;
            let score = self.search::<Root<M>>(root, 0, reduced, alpha, beta, false)?;
            let (first, last) = self.root_range;
            root_moves::sort(&mut self.root_moves[first..last]);
            if score > alpha && score < beta {
                return Ok(());
            }
            if score <= alpha {
                // The bound of all moves, below which the first one may be by itself.
                self.root_moves[first].score = score;
            }
            if self.id == 0
                && self.shared.request.options.multipv == 1
                && self.shared.elapsed() > VERBOSE_AFTER
            {
                self.report_lines(line..line + 1);
            }
            if score <= alpha {
                beta = Score::from_raw((alpha.raw() + beta.raw()) / 2);
                alpha = score - delta;
                fail_highs = 0;
            } else {
                beta = score + delta;
                fail_highs += i32::from(!score.is_decisive());
            }
            delta += delta * params::aspiration_growth() / 128;
            if delta > params::aspiration_max_delta() || score.is_decisive() {
                alpha = -Score::INFINITE;
                beta = Score::INFINITE;
            }
            alpha = alpha.max(-Score::INFINITE);
            beta = beta.min(Score::INFINITE);
        }
    }

    /// Decides, after a complete iteration, that no further one is to start. The other threads
    /// leave that to the main thread.
    fn is_done(&mut self, history: &mut IterationHistory) -> bool {
        if self.id != 0 {
            return false;
        }
        let limits = self.shared.request.limits;
        let best = &self.root_moves[0];
        let (m, score) = (best.m, best.score);
        if let (Some(wanted), Some(distance)) = (limits.mate, score.mate_distance())
            && distance != 0
            && distance.unsigned_abs() <= wanted
        {
            return true;
        }
        let root = self.shared.request.root;
        let soft_nodes = limits
            .noisy_soft_nodes
            .filter(|_| !root.is_quiet(m))
            .or(limits.soft_nodes);
        if soft_nodes.is_some_and(|nodes| self.nodes() >= nodes) {
            return true;
        }
        history.stable_iterations = if history.best_move == Some(m) {
            history.stable_iterations + 1
        } else {
            0
        };
        history.best_move = Some(m);
        let average = history.average_score.unwrap_or(score.raw());
        let stats = IterationStats {
            stable_iterations: history.stable_iterations,
            score_change: (score.raw() - average).clamp(-1000, 1000),
            best_move_effort: best.nodes as f64 / self.nodes().max(1) as f64,
        };
        history.average_score = Some((average + score.raw()) / 2);
        let Some(mut soft) = self.soft_limit(stats) else {
            return false;
        };
        if self.root_moves.len() == 1 {
            soft = soft.mul_f64(FORCED_MOVE_SHARE).min(FORCED_MOVE_TIME);
        }
        // The time of pondering counts, too: what was found on the opponent's clock need not be paid
        // for again.
        let is_overdue = self.shared.time_searched() >= soft;
        if self.shared.is_pondering() {
            self.shared.overdue.store(is_overdue, Ordering::Relaxed);
            return false;
        }
        is_overdue
    }

    /// Reports lines of analysis, by rank from 0.
    pub(super) fn report_lines(&self, lines: Range<usize>) {
        self.publish();
        for index in lines {
            report_line(self, &self.root_moves[index], index, self.root_depth);
        }
    }

    /// Reports all lines of an iteration that is not finished. Each finished line has changed the
    /// order, so reporting all of them keeps the first line the move that would be played, and no
    /// move appears twice. A move that the iteration did not reach, or did not prove the best,
    /// keeps its line of the iteration before.
    fn report_unfinished(&self, lines: usize, before: &[RootMove]) {
        self.publish();
        for (index, root_move) in self.root_moves[..lines].iter().enumerate() {
            if root_move.is_scored() {
                report_line(self, root_move, index, self.root_depth);
            } else if lines == 1 {
                // Nothing has changed since the last iteration but the nodes and the time.
                if root_move.previous_score != -Score::INFINITE {
                    report_line(self, root_move, index, self.root_depth - 1);
                }
            } else if let Some(last) = before
                .iter()
                .find(|last| last.m == root_move.m && last.is_scored())
            {
                report_line(self, last, index, self.root_depth - 1);
            }
        }
    }
}

/// Returns what the evaluation moves in favour of the side to move at the root, which expects this
/// score, in centipawns: the side that stands better should avoid draws. After Stockfish's
/// optimism.
fn optimism(expected: Score) -> i32 {
    if expected.is_decisive() {
        return 0;
    }
    let score = expected.raw();
    params::optimism() * score / (score.abs() + params::optimism_half_score())
}

/// Reports one line of analysis found by an iteration of this depth.
fn report_line(worker: &Worker<'_>, root_move: &RootMove, index: usize, depth: i32) {
    let shared = worker.shared;
    let request = &shared.request;
    request.report.line(&AnalysisLine {
        root: request.root,
        depth: depth.max(1) as u32,
        seldepth: root_move.seldepth,
        multipv: index + 1,
        score: root_move.shown_score(),
        bound: root_move.shown_bound(),
        nodes: shared.nodes(),
        elapsed: shared.elapsed(),
        tt: request.tt,
        tbhits: shared.tbhits(),
        pv: &root_move.pv,
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn optimism_follows_the_score_and_ignores_mates() {
        assert_eq!(optimism(Score::DRAW), 0);
        assert!(optimism(Score::cp(300)) > optimism(Score::cp(30)));
        assert_eq!(optimism(Score::cp(-80)), -optimism(Score::cp(80)));
        assert!(optimism(Score::cp(5000)) <= params::optimism());
        assert_eq!(optimism(Score::mate_in(5)), 0);
        assert_eq!(optimism(-Score::INFINITE), 0);
    }
}
