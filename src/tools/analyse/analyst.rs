//! The engine at work on one game.
//!
//! Each position is searched once: its evaluation is that after the move before and that before the move after. The
//! search goes from the end of the game to its beginning, so that the hash table knows what is to come, and the
//! evaluations of neighbouring positions contradict each other less.

use super::evaluation::Evaluation;
use crate::engine::explain::static_eval;
use crate::engine::{Control, GameState, Go, Limits, SearchError, Searcher, Silent};
use crate::position::repetition::KeyHistory;
use crate::position::{Move, Position};

/// What is known about a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// Its evaluation; `None` when the side to move is mated.
    pub evaluation: Option<Evaluation>,
    /// What White can expect, from 0 to 1.
    pub expectation: f64,
    /// The best line; empty when there is no legal move.
    pub best: Vec<Move>,
}

/// An engine and how long it may think.
#[derive(Debug)]
pub struct Analyst<'a> {
    searcher: Searcher,
    limits: Limits,
    control: &'a Control,
}

impl<'a> Analyst<'a> {
    /// An analyst that the control stops.
    pub fn new(searcher: Searcher, limits: Limits, control: &'a Control) -> Analyst<'a> {
        Analyst {
            searcher,
            limits,
            control,
        }
    }

    /// Examines the positions of a game, and says `done` after each of them. What it finds depends on nothing that it
    /// has seen before. `None` when it was told to stop.
    ///
    /// # Errors
    /// Returns an error if a search fails.
    pub fn examine(
        &mut self,
        positions: &[Position],
        done: &dyn Fn(),
    ) -> Result<Option<Vec<Finding>>, SearchError> {
        self.searcher.new_game();
        let mut findings = Vec::with_capacity(positions.len());
        for game in game_states(positions).iter().rev() {
            let Some(finding) = self.look_at(game)? else {
                return Ok(None);
            };
            findings.push(finding);
            done();
        }
        findings.reverse();
        Ok(Some(findings))
    }

    fn look_at(&mut self, game: &GameState) -> Result<Option<Finding>, SearchError> {
        let position = &game.position;
        if let Some(finding) = end_of_game(position) {
            return Ok(Some(finding));
        }
        let go = Go::now(self.control);
        let analysis = self.searcher.search(game, &self.limits, go, &Silent);
        let Some(analysis) = analysis.completed()? else {
            return Ok(None);
        };
        let (score, best) = match analysis.lines.into_iter().next() {
            Some(line) => (line.score, line.moves),
            // The search ended before it had a line; without a score it knows no more than the evaluation.
            None => (
                analysis
                    .score
                    .unwrap_or_else(|| static_eval(self.searcher.network(), position)),
                analysis.best_move.into_iter().collect(),
            ),
        };
        let evaluation = Evaluation::new(score, position);
        Ok(Some(Finding {
            evaluation,
            expectation: evaluation.map_or(0.5, |evaluation| evaluation.expectation(position)),
            best,
        }))
    }
}

/// Returns each position of a game with its history.
fn game_states(positions: &[Position]) -> Vec<GameState> {
    let mut keys = KeyHistory::default();
    let states = positions.iter().enumerate().map(|(ply, position)| {
        if position.halfmoves() == 0 {
            // Nothing before a capture or a pawn move can be repeated.
            keys.clear();
        }
        let state = GameState {
            position: position.clone(),
            keys: keys.clone(),
            ply,
        };
        keys.push(position);
        state
    });
    states.collect()
}

/// The result where the rules end the game. Draws that have to be claimed do not.
fn end_of_game(position: &Position) -> Option<Finding> {
    let is_mate = !position.has_legal_move() && position.in_check();
    let is_draw = !position.has_legal_move() || position.is_insufficient_material();
    if is_mate {
        Some(Finding {
            evaluation: None,
            expectation: position.turn().fold_wb(0.0, 1.0),
            best: Vec::new(),
        })
    } else {
        is_draw.then_some(Finding {
            evaluation: Some(Evaluation::Centipawns(0)),
            expectation: 0.5,
            best: Vec::new(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::parse_uci;
    use std::cell::Cell;
    use std::thread;

    /// Searches need more stack than a test has.
    fn examine(moves: &[&str], nodes: u64) -> Vec<Finding> {
        let mut positions = vec![Position::initial()];
        for text in moves {
            let position = &positions[positions.len() - 1];
            let next = position.play(parse_uci(position, text).unwrap());
            positions.push(next);
        }
        let work = move || {
            let control = Control::default();
            let limits = Limits {
                nodes: Some(nodes),
                ..Limits::default()
            };
            let mut analyst = Analyst::new(Searcher::new(1).unwrap(), limits, &control);
            let done = Cell::new(0);
            let count = || done.set(done.get() + 1);
            let first = analyst.examine(&positions, &count).unwrap().unwrap();
            assert_eq!(done.get(), positions.len());
            // What it has seen before does not matter.
            let second = analyst.examine(&positions, &count).unwrap().unwrap();
            assert_eq!(first, second);
            control.stop(1);
            assert_eq!(analyst.examine(&positions, &count), Ok(None));
            first
        };
        thread::Builder::new()
            .stack_size(crate::search::STACK_BYTES)
            .spawn(work)
            .unwrap()
            .join()
            .unwrap()
    }

    #[test]
    fn mates_are_seen_and_a_mated_king_has_no_evaluation() {
        let findings = examine(&["f2f3", "e7e5", "g2g4", "d8h4"], 2_000);
        assert_eq!(findings.len(), 5);
        assert_eq!(findings[3].evaluation, Some(Evaluation::Mate(-1)));
        assert_eq!((findings[3].expectation, findings[3].best.len()), (0.0, 1));
        assert_eq!(
            (findings[4].evaluation, findings[4].expectation),
            (None, 0.0)
        );
        assert!(findings[4].best.is_empty());
    }

    #[test]
    fn every_position_gets_an_evaluation_however_short_the_search() {
        let findings = examine(&["e2e4", "e7e5"], 1);
        for finding in &findings {
            let evaluation = finding.evaluation;
            let is_level = matches!(evaluation, Some(Evaluation::Centipawns(-150..=150)));
            assert!(is_level && !finding.best.is_empty(), "{finding:?}");
        }
    }
}
