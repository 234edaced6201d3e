//! Iterative deepening with aspiration windows: depth after depth, each ordered by the one before.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::node::{Root, SearchMode};
use super::params;
use super::report::AnalysisLine;
use super::root::{self, RootMove};
use super::time::Progress;
use super::worker::{Stopped, Worker};
use crate::position::Move;
use crate::score::{Bound, MAX_PLY, Score};

/// Bounds are worth showing only when an iteration takes long.
const CHATTY_AFTER: Duration = Duration::from_secs(3);
/// A window wider than this is opened completely, in centipawns.
const WIDEST_WINDOW: i32 = 600;
/// A position with a single legal move gets this share of the time.
const FORCED_MOVE_SHARE: f64 = 0.1;

/// What the main thread remembers from iteration to iteration, to manage its time.
#[derive(Default)]
struct History {
    best: Option<Move>,
    stable_iterations: u32,
    average_score: Option<i32>,
}

impl Worker<'_> {
    /// Deepens until a limit is reached. The root moves are then in order, best first.
    pub fn iterate<P: SearchMode>(&mut self) {
        let limits = self.shared.limits;
        let last_depth = limits
            .depth
            .unwrap_or(u32::MAX)
            .clamp(1, MAX_PLY as u32 - 1) as i32;
        let mut history = History::default();
        self.start_polling();
        for depth in 1..=last_depth {
            if self.search_to_depth::<P>(depth).is_err() {
                break;
            }
            self.completed_depth = depth;
            self.start_polling();
            if self.id == 0 && self.is_done(&mut history) {
                break;
            }
        }
        self.publish();
    }

    /// One iteration: a line of analysis after the other.
    fn search_to_depth<P: SearchMode>(&mut self, depth: i32) -> Result<(), Stopped> {
        self.root_depth = depth;
        let lines = self.shared.options.multipv.clamp(1, self.root_moves.len());
        // What is to be shown of lines that this iteration does not come to.
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
            // Moves of one tablebase rank compete with each other only.
            let rank = self.root_moves[line].rank;
            let first = self
                .root_moves
                .iter()
                .take_while(|root_move| root_move.rank > rank)
                .count();
            let group = self
                .root_moves
                .iter()
                .filter(|root_move| root_move.rank == rank)
                .count();
            self.root_range = (line, first + group);
            self.seldepth = 0;
            let result = self.search_line::<P>(line, depth);
            root::sort(&mut self.root_moves[line..first + group]);
            if result.is_ok() {
                root::sort(&mut self.root_moves[first..=line]);
            } else {
                for root_move in &mut self.root_moves[line..lines] {
                    root_move.doubt_loss();
                }
            }
            if self.id == 0 {
                if result.is_ok() {
                    // Each line that is done changes the order of those before it, which is of interest when it took long.
                    if line + 1 == lines {
                        self.report_lines(0..lines);
                    } else if self.shared.elapsed() > CHATTY_AFTER {
                        self.report_lines(first..line + 1);
                    }
                } else {
                    self.report_broken_off(lines, &before);
                }
            }
            result?;
        }
        Ok(())
    }

    /// Searches the best of the root moves that are left, in a window around its last score that is widened until the
    /// score lies inside.
    fn search_line<P: SearchMode>(&mut self, line: usize, depth: i32) -> Result<(), Stopped> {
        let expected = self.root_moves[line].previous_score;
        let mut delta = params::aspiration_delta();
        let (mut alpha, mut beta) = (-Score::INFINITE, Score::INFINITE);
        if depth >= params::aspiration_min_depth() && !expected.is_decisive() {
            alpha = expected - delta;
            beta = expected + delta;
        }
        let mut fail_highs = 0;
        loop {
            let reduced = if P::EXACT {
                depth
            } else {
                (depth - fail_highs).max(1)
            };
            let score = self.search::<Root<P>>(self.shared.root, 0, reduced, alpha, beta, false)?;
            let (from, to) = self.root_range;
            root::sort(&mut self.root_moves[from..to]);
            if score > alpha && score < beta {
                return Ok(());
            }
            if self.id == 0
                && self.shared.options.multipv == 1
                && self.shared.elapsed() > CHATTY_AFTER
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
            delta += delta / 2;
            if delta > WIDEST_WINDOW || score.is_decisive() {
                alpha = -Score::INFINITE;
                beta = Score::INFINITE;
            }
            alpha = alpha.max(-Score::INFINITE);
            beta = beta.min(Score::INFINITE);
        }
    }

    /// Whether, after a complete iteration, another one is not wanted.
    fn is_done(&mut self, history: &mut History) -> bool {
        let limits = self.shared.limits;
        let best = &self.root_moves[0];
        let (m, score) = (best.m, best.score);
        if let (Some(wanted), Some(distance)) = (limits.mate, score.mate_distance())
            && distance > 0
            && distance <= wanted.min(i32::MAX as u32) as i32
        {
            return true;
        }
        if limits.soft_nodes.is_some_and(|nodes| self.nodes() >= nodes) {
            return true;
        }
        history.stable_iterations = if history.best == Some(m) {
            history.stable_iterations + 1
        } else {
            0
        };
        history.best = Some(m);
        let average = history.average_score.unwrap_or(score.raw());
        let progress = Progress {
            stable_iterations: history.stable_iterations,
            score_change: (score.raw() - average).clamp(-1000, 1000),
            best_move_effort: best.nodes as f64 / self.nodes().max(1) as f64,
        };
        history.average_score = Some((average + score.raw()) / 2);
        let Some(mut soft) = self.soft_limit(progress) else {
            return false;
        };
        if self.root_moves.len() == 1 {
            soft = soft.mul_f64(FORCED_MOVE_SHARE);
        }
        match self.shared.time_used() {
            Some(used) => used >= soft,
            None => {
                let is_overdue = self.shared.elapsed() >= soft;
                self.shared.overdue.store(is_overdue, Ordering::Relaxed);
                false
            }
        }
    }

    /// Whether the search of the current line is to look at a root move: not if an earlier line or the tablebases have
    /// taken it out.
    pub(super) fn is_searched_root_move(&self, m: Move) -> bool {
        let (from, to) = self.root_range;
        self.root_moves[from..to]
            .iter()
            .any(|root_move| root_move.m == m)
    }

    /// Says what root move is being searched.
    pub(super) fn report_current_move(&self, m: Move, number: usize) {
        let number = number + self.root_range.0;
        let depth = self.root_depth as u32;
        self.shared
            .report
            .current_move(self.shared.root, depth, m, number);
    }

    /// Records the result of a root move.
    pub(super) fn update_root_move(
        &mut self,
        m: Move,
        score: Score,
        nodes_before: u64,
        number: usize,
        alpha: Score,
        beta: Score,
    ) {
        let nodes = self.nodes() - nodes_before;
        let seldepth = self.seldepth as u32;
        let (from, to) = self.root_range;
        let Some(index) = self.root_moves[from..to]
            .iter()
            .position(|root_move| root_move.m == m)
        else {
            return;
        };
        let (root_moves, rest) = self.root_moves_and_pv(1);
        let root_move = &mut root_moves[from + index];
        root_move.nodes += nodes;
        if number == 1 || score > alpha {
            root_move.score = score;
            root_move.seldepth = seldepth;
            root_move.bound = if score >= beta {
                Bound::Lower
            } else if score <= alpha {
                Bound::Upper
            } else {
                Bound::Exact
            };
            root_move.pv.clear();
            root_move.pv.push(m);
            let _ = root_move
                .pv
                .try_extend_from_slice(&rest[..rest.len().min(root_move.pv.remaining_capacity())]);
        } else {
            // No better than the best: all that is known is a bound.
            root_move.score = -Score::INFINITE;
        }
    }

    /// Reports lines of analysis, by rank from 0.
    fn report_lines(&self, lines: std::ops::Range<usize>) {
        self.publish();
        for index in lines {
            report_line(self, &self.root_moves[index], index, self.root_depth);
        }
    }

    /// Reports the lines as an iteration leaves them that was broken off: all of them, since each that is done has changed
    /// the order, so that the first one is the move that is played, and none is of a move that another one has. A move that
    /// the iteration has not come to, or has found no better than another, stands there as it did after the one before.
    fn report_broken_off(&self, lines: usize, before: &[RootMove]) {
        // Nothing has changed since the last iteration was reported.
        if self.root_moves[0].score == -Score::INFINITE {
            return;
        }
        self.publish();
        for (index, root_move) in self.root_moves[..lines].iter().enumerate() {
            if root_move.score != -Score::INFINITE {
                report_line(self, root_move, index, self.root_depth);
            } else if let Some(last) = before
                .iter()
                .find(|last| last.m == root_move.m && last.score != -Score::INFINITE)
            {
                report_line(self, last, index, self.root_depth - 1);
            }
        }
    }
}

/// Reports one line of analysis: what an iteration of this depth found.
fn report_line(worker: &Worker<'_>, root_move: &RootMove, index: usize, depth: i32) {
    let shared = worker.shared;
    shared.report.line(&AnalysisLine {
        root: shared.root,
        depth: depth.max(1) as u32,
        seldepth: root_move.seldepth,
        multipv: index + 1,
        score: root_move.shown_score(),
        bound: root_move.shown_bound(),
        nodes: shared.nodes(),
        elapsed: shared.elapsed(),
        tt: shared.tt,
        tbhits: shared.tbhits(),
        pv: &root_move.pv,
    });
}
