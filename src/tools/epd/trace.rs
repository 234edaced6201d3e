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
            if !solved {
                self.dropped = self.held.take().or(self.dropped);
            }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::epd::record::Record;

    /// What comes of a search that announces moves at depths, in as many milliseconds, and then plays one.
    fn attempt(lines: &[(u32, &str)], best: &str) -> Attempt {
        let record =
            Record::parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;").unwrap();
        let goal = Goal::parse(&record).unwrap();
        let mut trace = Trace::new(&goal, None);
        for &(depth, text) in lines {
            trace.hear(
                info(&record.position, depth, text),
                Duration::from_millis(depth.into()),
            );
        }
        let best = moves::parse(&record.position, best).unwrap();
        trace.finish(&record.position, best, Duration::from_millis(100))
    }

    fn info(position: &Position, depth: u32, text: &str) -> Info {
        Info {
            depth,
            score: Some(Score::Cp(7)),
            nodes: u64::from(depth) * 10,
            pv: vec![moves::parse(position, text).unwrap()],
            ..Info::default()
        }
    }

    #[test]
    fn the_solution_counts_from_when_it_was_held() {
        let solved = attempt(&[(1, "e4"), (2, "d4"), (3, "e4"), (4, "e4")], "e4");
        let found = Moment {
            time_ms: 3,
            depth: 3,
            nodes: 30,
        };
        assert_eq!((solved.solved, solved.solution()), (true, Some(found)));
        assert_eq!((solved.depth, solved.nodes, solved.time_ms), (4, 40, 100));
    }

    #[test]
    fn a_solution_that_was_dropped_is_remembered() {
        let failed = attempt(&[(1, "e4"), (2, "e4"), (3, "d4")], "d4");
        assert_eq!((failed.solved, failed.solution()), (false, None));
        assert_eq!(failed.found.map(|moment| moment.time_ms), Some(1));
        assert_eq!(attempt(&[(1, "d4")], "d4").found, None);
    }

    #[test]
    fn an_answer_without_an_announcement_counts_from_its_own_time() {
        let solved = attempt(&[(1, "d4")], "e4");
        assert_eq!(solved.solution().map(|moment| moment.time_ms), Some(100));
        assert_eq!(solved.pv, ["e4"]);
        let failed = attempt(&[(1, "e4")], "d4");
        assert_eq!(
            (failed.solved, failed.found.map(|moment| moment.time_ms)),
            (false, Some(1))
        );
    }

    #[test]
    fn a_search_may_stop_when_it_has_held_the_solution() {
        let record =
            Record::parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;").unwrap();
        let goal = Goal::parse(&record).unwrap();
        let mut trace = Trace::new(&goal, Some(2));
        let mut hear = |depth, text, is_bound| {
            let info = Info {
                is_bound,
                ..info(&record.position, depth, text)
            };
            trace.hear(info, Duration::ZERO)
        };
        // Two lines of one iteration are one iteration, and a bound ends none.
        assert!(!hear(1, "e4", false) && !hear(1, "e4", false));
        assert!(!hear(2, "d4", false));
        assert!(!hear(3, "e4", false) && !hear(4, "e4", true));
        assert!(hear(4, "e4", false));
    }
}
