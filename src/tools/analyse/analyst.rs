//! The engine at work on one game.
//!
//! Each position is searched once: its evaluation is that after the move before and that before the move after. The
//! search goes from the end of the game to its beginning, so that the hash table knows what is to come, and the
//! evaluations of neighbouring positions contradict each other less.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::evaluation::Evaluation;
use crate::engine::{Engine, SearchResult};
use crate::position::repetition::KeyHistory;
use crate::position::{Move, Position};
use crate::score::{Bound, Score};
use crate::search::control::{Control, Go};
use crate::search::limits::Limits;
use crate::search::report::{AnalysisLine, Report};
use crate::tools::eval;

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
    engine: Engine,
    limits: Limits,
    control: &'a Control,
}

/// What a search has said.
#[derive(Debug, Default)]
struct Notes {
    /// The newest line whose score is no mere bound, and the newest one at all.
    exact: Option<(Score, Vec<Move>)>,
    any: Option<(Score, Vec<Move>)>,
    complaint: Option<String>,
}

impl Report for Mutex<Notes> {
    fn line(&self, line: &AnalysisLine<'_>) {
        if line.multipv != 1 {
            return;
        }
        let said = (line.score, line.pv.to_vec());
        let mut notes = self.lock().unwrap_or_else(PoisonError::into_inner);
        if line.bound == Bound::Exact {
            notes.exact = Some(said.clone());
        }
        notes.any = Some(said);
    }

    fn message(&self, text: &str) {
        let mut notes = self.lock().unwrap_or_else(PoisonError::into_inner);
        notes.complaint.get_or_insert_with(|| text.to_owned());
    }
}

impl<'a> Analyst<'a> {
    /// An analyst that the control stops.
    pub fn new(engine: Engine, limits: Limits, control: &'a Control) -> Analyst<'a> {
        Analyst {
            engine,
            limits,
            control,
        }
    }

    /// Examines the positions of a game, and says `done` after each of them. What it finds depends on nothing that it
    /// has seen before. `None` when it was told to stop.
    ///
    /// # Errors
    /// What the engine said when it failed.
    pub fn examine(
        &mut self,
        positions: &[Position],
        done: &dyn Fn(),
    ) -> Result<Option<Vec<Finding>>, String> {
        self.engine.new_game();
        let mut stacks = Vec::with_capacity(positions.len());
        let mut keys = KeyHistory::default();
        for position in positions {
            if position.halfmoves() == 0 {
                // Nothing before a capture or a pawn move comes again.
                keys.clear();
            }
            stacks.push(keys.clone());
            keys.push(position);
        }
        let mut findings = Vec::with_capacity(positions.len());
        for (position, keys) in positions.iter().zip(stacks).rev() {
            let Some(finding) = self.look_at(position, keys)? else {
                return Ok(None);
            };
            findings.push(finding);
            done();
        }
        findings.reverse();
        Ok(Some(findings))
    }

    fn look_at(
        &mut self,
        position: &Position,
        keys: KeyHistory,
    ) -> Result<Option<Finding>, String> {
        if let Some(finding) = end_of_game(position) {
            return Ok(Some(finding));
        }
        let notes = Mutex::new(Notes::default());
        let go = Go {
            control: self.control,
            number: 1,
            received: Instant::now(),
        };
        self.engine.set_line(position.clone(), keys);
        let outcome = self.engine.go(&self.limits, go, &notes);
        if go.is_stopped() {
            return Ok(None);
        }
        let notes = notes.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(complaint) = notes.complaint {
            return Err(complaint);
        }
        let (score, best) = notes
            .exact
            .or(notes.any)
            .unwrap_or_else(|| bare_move(&self.engine, outcome));
        let evaluation = Evaluation::new(score, position);
        Ok(Some(Finding {
            evaluation,
            expectation: evaluation.map_or(0.5, |evaluation| evaluation.expectation(position)),
            best: legal_part(position, best),
        }))
    }
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

/// For a search that ended before it had a line. One that has not even scored a move knows no more than the evaluation.
fn bare_move(engine: &Engine, outcome: SearchResult) -> (Score, Vec<Move>) {
    let is_scored = outcome.score.raw().abs() < Score::INFINITE.raw();
    let score = if is_scored {
        outcome.score
    } else {
        eval::value(engine.network(), engine.position())
    };
    (score, outcome.best_move.into_iter().collect())
}

/// The moves as far as they are legal. They all are; but what is written has to be true whatever happens.
fn legal_part(position: &Position, moves: Vec<Move>) -> Vec<Move> {
    let mut position = position.clone();
    moves
        .into_iter()
        .take_while(|&m| {
            let is_legal = position.is_legal(m);
            if is_legal {
                position = position.play(m);
            }
            is_legal
        })
        .collect()
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
            let mut analyst = Analyst::new(Engine::new(1).unwrap(), limits, &control);
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
