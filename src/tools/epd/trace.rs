//! What an engine says while it searches, and what of it counts: when the solution was found for good.

use std::time::Duration;

use super::goal::Goal;
use super::moves;
use super::report::{Attempt, Moment, Score, millis};
use crate::position::{Move, Position, notation};

/// A line of analysis.
#[derive(Clone, Debug, Default)]
pub struct Info {
    /// In plies.
    pub depth: u32,
    /// For the side to move.
    pub score: Option<Score>,
    /// Whether the score is a bound only.
    pub is_bound: bool,
    /// Nodes so far.
    pub nodes: u64,
    /// The principal variation; empty when the line has none.
    pub pv: Vec<Move>,
}

/// What has been said in one search.
#[derive(Debug)]
pub struct Trace<'a> {
    goal: &'a Goal,
    /// Stop when the solution has been held for so many iterations.
    patience: Option<u32>,
    /// The last line with moves.
    last: Info,
    /// The nodes of the last line that told them.
    nodes: u64,
    held: Option<Moment>,
    /// When a solution that was dropped again had been found.
    dropped: Option<Moment>,
    /// The deepest iteration that ended with the solution, and how many there were in a row.
    iterations: (u32, u32),
}

impl<'a> Trace<'a> {
    /// At the beginning of a search.
    pub fn new(goal: &'a Goal, patience: Option<u32>) -> Trace<'a> {
        Trace {
            goal,
            patience,
            last: Info::default(),
            nodes: 0,
            held: None,
            dropped: None,
            iterations: (0, 0),
        }
    }

    /// Takes in a line, so long after the search began. Says whether the search may stop.
    pub fn hear(&mut self, info: Info, elapsed: Duration) -> bool {
        self.nodes = self.nodes.max(info.nodes);
        let Some(&head) = info.pv.first() else {
            return false;
        };
        let moment = Moment {
            time_ms: millis(elapsed),
            depth: info.depth,
            nodes: self.nodes,
        };
        if self.goal.is_met(head, info.score.and_then(Score::mate)) {
            self.held.get_or_insert(moment);
            if !info.is_bound && info.depth > self.iterations.0 {
                self.iterations = (info.depth, self.iterations.1 + 1);
            }
        } else {
            self.dropped = self.held.take().or(self.dropped);
            self.iterations = (info.depth, 0);
        }
        self.last = info;
        self.patience
            .is_some_and(|patience| self.iterations.1 >= patience)
    }

    /// The search has ended with this move. Depth and nodes are those that were told last: other engines tell no more, and
    /// what is compared has to be the same for all.
    pub fn finish(mut self, position: &Position, best: Move, elapsed: Duration) -> Attempt {
        let nodes = self.nodes;
        let score = self.last.score;
        let solved = self.goal.is_met(best, score.and_then(Score::mate));
        if self.last.pv.first() != Some(&best) {
            // The answer came without a line that announces it.
            self.last.pv = vec![best];
            self.dropped = self.held.take().filter(|_| !solved).or(self.dropped);
        }
        let now = Moment {
            time_ms: millis(elapsed),
            depth: self.last.depth,
            nodes,
        };
        Attempt {
            solved,
            points: self.goal.points_of(best),
            uci: Some(notation::uci(position, best).to_string()),
            san: Some(moves::san(position, best)),
            score,
            depth: self.last.depth,
            nodes,
            time_ms: now.time_ms,
            found: if solved {
                self.held.or(Some(now))
            } else {
                self.held.or(self.dropped)
            },
            pv: moves::line(position, &self.last.pv),
            fault: None,
        }
    }
}
