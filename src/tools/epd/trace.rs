//! Follows a search to see when the solution was found for good.

use std::time::Duration;

use super::goal::Goal;
use super::moves;
use super::report::{Attempt, Moment, micros};
use crate::position::{Move, Position, notation};
use crate::tools::kit::engines::SearchAnswer;
use crate::tools::kit::engines::info::{InfoLine, UciScore};

/// The course of one search.
#[derive(Debug)]
pub struct Trace<'a> {
    goal: &'a Goal,
    /// The number of iterations for which the solution must be kept before the search may stop.
    patience: Option<u32>,
    /// The last line with moves.
    last: InfoLine,
    /// The highest node count so far.
    nodes: u64,
    /// The moment since which the solution has been kept.
    kept: Option<Moment>,
    /// The moment at which the last dropped solution had been found.
    dropped: Option<Moment>,
    /// The solution has been kept for long enough. Lines that arrive before the engine stops no
    /// longer count.
    is_settled: bool,
    /// The depth of the last iteration that ended with the solution, and the number of such
    /// iterations in a row.
    iterations: (u32, u32),
}

impl<'a> Trace<'a> {
    /// Starts a search.
    pub fn new(goal: &'a Goal, patience: Option<u32>) -> Trace<'a> {
        Trace {
            goal,
            patience,
            last: InfoLine::default(),
            nodes: 0,
            kept: None,
            dropped: None,
            is_settled: false,
            iterations: (0, 0),
        }
    }

    /// Records a line and the time since the start of the search. Returns whether the search may
    /// stop.
    pub fn hear(&mut self, mut info: InfoLine, elapsed: Duration) -> bool {
        if self.is_settled {
            return true;
        }
        self.nodes = self.nodes.max(info.nodes);
        if info.pv.is_empty() {
            if info.score.is_none() {
                return false;
            }
            // A score alone is that of the line before.
            info.pv.clone_from(&self.last.pv);
        }
        let Some(&head) = info.pv.first() else {
            self.last = info;
            return false;
        };
        let moment = Moment {
            time_us: micros(elapsed),
            depth: info.depth,
            nodes: self.nodes,
        };
        if self.goal.is_met(head, info.score.and_then(UciScore::mate)) {
            self.kept.get_or_insert(moment);
            if !info.is_bound && info.depth > self.iterations.0 {
                self.iterations = (info.depth, self.iterations.1 + 1);
            }
        } else {
            self.dropped = self.kept.take().or(self.dropped);
            self.iterations = (info.depth, 0);
        }
        self.last = info;
        self.is_settled = self
            .patience
            .is_some_and(|patience| self.iterations.1 >= patience);
        self.is_settled
    }

    /// Ends the search with the best move of the answer.
    ///
    /// Takes depth and nodes from the last line, because other engines report nothing later and all
    /// engines must be measured alike. A solution that was kept for long enough is the answer, even
    /// if the engine has changed its mind since.
    pub fn finish(mut self, position: &Position, best: Move, answer: SearchAnswer) -> Attempt {
        let settled = self.last.pv.first().copied().filter(|_| self.is_settled);
        let best = settled.unwrap_or(best);
        let nodes = self.nodes;
        let score = self.last.score;
        let solved = self.goal.is_met(best, score.and_then(UciScore::mate));
        if self.last.pv.first() != Some(&best) {
            // No line announced the answer.
            self.last.pv = vec![best];
            if !solved {
                self.dropped = self.kept.take().or(self.dropped);
            }
        }
        let now = Moment {
            time_us: micros(answer.elapsed),
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
            time_us: now.time_us,
            preparation_us: 0,
            found: if solved {
                self.kept.or(Some(now))
            } else {
                self.kept.or(self.dropped)
            },
            pv: moves::line(position, &self.last.pv),
            fault: answer.fault,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::epd::record::Record;

    /// Returns the result of a search that announces moves at certain depths and then plays one.
    /// Each line arrives after as many microseconds as its depth.
    fn attempt(lines: &[(u32, &str)], best: &str) -> Attempt {
        let record =
            Record::parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;").unwrap();
        let goal = Goal::parse(&record).unwrap();
        let mut trace = Trace::new(&goal, None);
        for &(depth, text) in lines {
            trace.hear(
                info(&record.position, depth, text),
                Duration::from_micros(depth.into()),
            );
        }
        let best = notation::parse_move(&record.position, best).unwrap();
        trace.finish(&record.position, best, answer(best, 100))
    }

    fn answer(best: Move, micros: u64) -> SearchAnswer {
        SearchAnswer {
            best: Some(best),
            score: None,
            elapsed: Duration::from_micros(micros),
            fault: None,
        }
    }

    fn info(position: &Position, depth: u32, text: &str) -> InfoLine {
        InfoLine {
            depth,
            score: Some(UciScore::Cp(7)),
            nodes: u64::from(depth) * 10,
            pv: vec![notation::parse_move(position, text).unwrap()],
            ..InfoLine::default()
        }
    }

    #[test]
    fn the_solution_counts_from_when_it_was_kept() {
        let solved = attempt(&[(1, "e4"), (2, "d4"), (3, "e4"), (4, "e4")], "e4");
        let found = Moment {
            time_us: 3,
            depth: 3,
            nodes: 30,
        };
        assert_eq!((solved.solved, solved.solution()), (true, Some(found)));
        assert_eq!((solved.depth, solved.nodes, solved.time_us), (4, 40, 100));
    }

    #[test]
    fn a_solution_that_was_dropped_is_remembered() {
        let failed = attempt(&[(1, "e4"), (2, "e4"), (3, "d4")], "d4");
        assert_eq!((failed.solved, failed.solution()), (false, None));
        assert_eq!(failed.found.map(|moment| moment.time_us), Some(1));
        assert_eq!(attempt(&[(1, "d4")], "d4").found, None);
    }

    #[test]
    fn a_score_without_a_line_is_that_of_the_line_before() {
        let record =
            Record::parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;").unwrap();
        let goal = Goal::parse(&record).unwrap();
        let mut trace = Trace::new(&goal, None);
        let bare = |depth, cp| InfoLine {
            pv: Vec::new(),
            score: Some(UciScore::Cp(cp)),
            ..info(&record.position, depth, "e4")
        };
        trace.hear(bare(1, 1), Duration::from_micros(1));
        trace.hear(info(&record.position, 2, "e4"), Duration::from_micros(2));
        trace.hear(bare(3, 3), Duration::from_micros(3));
        let e4 = notation::parse_move(&record.position, "e4").unwrap();
        let attempt = trace.finish(&record.position, e4, answer(e4, 100));
        assert_eq!((attempt.score, attempt.depth), (Some(UciScore::Cp(3)), 3));
        assert_eq!(attempt.pv, ["e4"]);
        assert_eq!(attempt.found.map(|moment| moment.time_us), Some(2));
    }

    #[test]
    fn an_answer_without_an_announcement_counts_from_its_own_time() {
        let solved = attempt(&[(1, "d4")], "e4");
        assert_eq!(solved.solution().map(|moment| moment.time_us), Some(100));
        assert_eq!(solved.pv, ["e4"]);
        let failed = attempt(&[(1, "e4")], "d4");
        assert_eq!(
            (failed.solved, failed.found.map(|moment| moment.time_us)),
            (false, Some(1))
        );
    }

    #[test]
    fn a_search_may_stop_when_it_has_kept_the_solution() {
        let record =
            Record::parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;").unwrap();
        let goal = Goal::parse(&record).unwrap();
        let mut trace = Trace::new(&goal, Some(2));
        let mut hear = |depth, text, is_bound| {
            let info = InfoLine {
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
        assert!(hear(5, "d4", false));
        let d4 = notation::parse_move(&record.position, "d4").unwrap();
        let attempt = trace.finish(&record.position, d4, answer(d4, 0));
        assert!(attempt.solved);
        assert_eq!((attempt.san.as_deref(), attempt.depth), (Some("e4"), 4));
    }
}
