//! The result of a search, collected from its reports.

use std::time::Duration;

use parking_lot::Mutex;
use thiserror::Error;

use crate::position::{Move, Position};
use crate::score::{Bound, Score};
use crate::search::SearchResult;
use crate::search::report::{AnalysisLine, Report};

/// A principal variation with its score, and the figures of the search when it was reported.
#[derive(Clone, PartialEq, Debug)]
pub struct PvLine {
    /// The line's rank among those of `MultiPV`, from 1.
    pub multipv: usize,
    /// Depth of the iteration in plies.
    pub depth: u32,
    /// Greatest depth reached, in plies.
    pub seldepth: u32,
    /// The score for the side to move.
    pub score: Score,
    /// Tells whether the score is exact or a bound.
    pub bound: Bound,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// The moves, all of them legal. Empty if the game is over.
    pub moves: Vec<Move>,
}

impl From<&AnalysisLine<'_>> for PvLine {
    fn from(line: &AnalysisLine<'_>) -> PvLine {
        PvLine {
            multipv: line.multipv,
            depth: line.depth,
            seldepth: line.seldepth,
            score: line.score,
            bound: line.bound,
            nodes: line.nodes,
            elapsed: line.elapsed,
            moves: legal_prefix(line.root, line.pv),
        }
    }
}

/// The result of a search.
#[derive(Clone, PartialEq, Debug)]
pub struct Analysis {
    /// The latest line of each rank, best first. A line with a bound appears only if its rank had
    /// no exact score of the same move before.
    pub lines: Vec<PvLine>,
    /// The move to play; `None` if there is no legal move.
    pub best_move: Option<Move>,
    /// The expected reply.
    pub ponder_move: Option<Move>,
    /// The score of the best move for the side to move; `None` for a book move, or if the search
    /// ended before any move had a score.
    pub score: Option<Score>,
    /// Tells whether the score is exact or a bound.
    pub bound: Bound,
    /// Nodes searched by all threads.
    pub nodes: u64,
    /// Time from the `go` to the result.
    pub elapsed: Duration,
    /// `true` if the search was told to stop before it reached a limit.
    pub stopped: bool,
    /// Messages for the user, such as the book's choice.
    pub messages: Vec<String>,
    /// Errors during the search. The best move is legal all the same.
    pub errors: Vec<String>,
}

/// A search failed: the first of its errors.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0}")]
pub struct SearchError(pub String);

impl Analysis {
    /// Returns this analysis if the search ran to its limits, and `None` if it was stopped.
    ///
    /// # Errors
    /// Returns the first error of the search, if there was one.
    pub fn completed(self) -> Result<Option<Analysis>, SearchError> {
        if self.stopped {
            return Ok(None);
        }
        match self.errors.first() {
            Some(error) => Err(SearchError(error.clone())),
            None => Ok(Some(self)),
        }
    }
}

/// A report that keeps what the search says and passes it on.
pub(super) struct AnalysisCollector<'a> {
    next: &'a dyn Report,
    collected: Mutex<Collected>,
}

#[derive(Default)]
struct Collected {
    lines: Vec<PvLine>,
    messages: Vec<String>,
    errors: Vec<String>,
}

impl<'a> AnalysisCollector<'a> {
    pub(super) fn new(next: &'a dyn Report) -> AnalysisCollector<'a> {
        AnalysisCollector {
            next,
            collected: Mutex::default(),
        }
    }

    /// Returns the analysis of a search with this result.
    pub(super) fn finish(self, result: SearchResult, elapsed: Duration, stopped: bool) -> Analysis {
        let collected = self.collected.into_inner();
        Analysis {
            lines: collected.lines,
            best_move: result.best_move,
            ponder_move: result.ponder_move,
            score: Some(result.score).filter(|score| score.raw().abs() < Score::INFINITE.raw()),
            bound: result.bound,
            nodes: result.nodes,
            elapsed,
            stopped,
            messages: collected.messages,
            errors: collected.errors,
        }
    }

    fn collect(&self, change: impl FnOnce(&mut Collected)) {
        change(&mut self.collected.lock());
    }
}

impl Report for AnalysisCollector<'_> {
    fn line(&self, line: &AnalysisLine<'_>) {
        self.next.line(line);
        self.collect(|collected| {
            let lines = &mut collected.lines;
            match lines.iter_mut().find(|old| old.multipv == line.multipv) {
                // A bound says less than the score before, but only of the same move.
                Some(old)
                    if old.bound == Bound::Exact
                        && line.bound != Bound::Exact
                        && old.moves.first() == line.pv.first() => {}
                Some(old) => *old = PvLine::from(line),
                None => {
                    let place = lines.partition_point(|old| old.multipv < line.multipv);
                    lines.insert(place, PvLine::from(line));
                }
            }
        });
    }

    fn current_move(&self, root: &Position, depth: u32, m: Move, number: usize) {
        self.next.current_move(root, depth, m, number);
    }

    fn message(&self, text: &str) {
        self.next.message(text);
        self.collect(|collected| collected.messages.push(text.to_owned()));
    }

    fn error(&self, text: &str) {
        self.next.error(text);
        self.collect(|collected| collected.errors.push(text.to_owned()));
    }
}

/// Returns the moves up to the first that is not legal. All of them are; but what is reported must
/// be true even if the search has a bug.
fn legal_prefix(root: &Position, moves: &[Move]) -> Vec<Move> {
    let mut position = root.clone();
    let mut play = |m: Move| {
        let is_legal = position.is_legal(m);
        if is_legal {
            position = position.play(m);
        }
        is_legal
    };
    moves.iter().copied().take_while(|&m| play(m)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::parse_uci;
    use crate::search::report::Silent;
    use crate::tt::TranspositionTable;

    #[test]
    fn a_bound_takes_the_place_of_another_moves_score_alone() {
        let root = Position::initial();
        let tt = TranspositionTable::new(1, None).unwrap();
        let collector = AnalysisCollector::new(&Silent);
        let say = |multipv, m, score, bound| {
            let pv = [parse_uci(&root, m).unwrap()];
            collector.line(&AnalysisLine {
                root: &root,
                depth: 1,
                seldepth: 1,
                multipv,
                score: Score::cp(score),
                bound,
                nodes: 1,
                elapsed: Duration::ZERO,
                tt: &tt,
                tbhits: 0,
                pv: &pv,
            });
            let lines = &collector.collected.lock().lines;
            let seen = lines.iter().map(|line| (line.moves[0], line.score.raw()));
            seen.map(|(m, score)| (format!("{m:?}"), score))
                .collect::<Vec<_>>()
        };
        let line = |m: &str, score| (m.to_owned(), score);
        say(1, "e2e4", 30, Bound::Exact);
        say(2, "d2d4", 20, Bound::Exact);
        // A bound on the score of the same move says less than the score.
        let lines = say(1, "e2e4", 50, Bound::Lower);
        assert_eq!(lines, [line("e2e4", 30), line("d2d4", 20)]);
        // The second line is another move's now, of which only a bound is known.
        let lines = say(2, "g1f3", 10, Bound::Upper);
        assert_eq!(lines, [line("e2e4", 30), line("g1f3", 10)]);
        let lines = say(2, "d2d4", 20, Bound::Exact);
        assert_eq!(lines, [line("e2e4", 30), line("d2d4", 20)]);
    }
}
