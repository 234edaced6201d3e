//! Evaluates the positions of a game.
//!
//! Each position is searched once: its evaluation counts after the move before it and before the
//! move after it. The search goes from the end of the game to its beginning. The hash table then
//! knows what follows, and the evaluations of neighbouring positions agree better.

use super::evaluation::Evaluation;
use crate::position::{Move, Position, notation};
use crate::tools::kit::engines::info::{InfoLine, UciScore};
use crate::tools::kit::engines::{EngineFailure, Query, SearchEngine};

/// The number of consecutive failures after which an engine is not used again.
const MAX_FAILURES: u32 = 5;

/// The analysis of a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Assessment {
    /// The evaluation; `None` when the side to move is mated.
    pub evaluation: Option<Evaluation>,
    /// The expected score of White, from 0 to 1.
    pub expectation: f64,
    /// The best line; empty when there is no legal move.
    pub best: Vec<Move>,
    /// The depth of the search in plies.
    pub depth: u32,
    /// The nodes of the search.
    pub nodes: u64,
}

/// Callbacks for the analysis of a game. Positions are numbered from 0.
pub trait Observer {
    /// Returns the assessment of a position that was analysed before.
    fn known(&self, _ply: usize, _position: &Position) -> Option<Assessment> {
        None
    }

    /// Returns whether games of which only some positions are known are analysed again.
    fn redoes_unfinished(&self) -> bool {
        false
    }

    /// A position has been searched.
    fn searched(&self, _ply: usize, _position: &Position, _assessment: &Assessment) {}

    /// A position is done, with or without an assessment.
    fn position_done(&self) {}

    /// The engine failed at a position.
    fn fault(&self, text: &str) {
        self.message(text);
    }

    /// The engine has a message for the user.
    fn message(&self, text: &str);
}

/// An engine that analyses games.
pub struct Analyst<'a> {
    engine: Box<dyn SearchEngine + 'a>,
    failures: u32,
}

impl Assessment {
    /// Returns the best line from this position in UCI notation.
    pub fn uci_line(&self, position: &Position) -> Vec<String> {
        let mut position = position.clone();
        let mut words = Vec::new();
        for &m in &self.best {
            words.push(notation::uci(&position, m).to_string());
            position = position.play(m);
        }
        words
    }
}

impl<'a> Analyst<'a> {
    /// Creates an analyst from an engine.
    pub fn new(engine: Box<dyn SearchEngine + 'a>) -> Analyst<'a> {
        Analyst {
            engine,
            failures: 0,
        }
    }

    /// Analyses all positions of a game, the first one included. The result does not depend on
    /// earlier games. Positions that the observer knows are not searched again, unless it wants an
    /// unfinished game to be redone. A position at which the engine crashes, hangs or answers
    /// nonsense has no assessment; the failure is reported.
    ///
    /// # Errors
    /// Fails when the run is interrupted, or the engine has failed too often in a row.
    pub fn analyse_game(
        &mut self,
        start: &Position,
        moves: &[Move],
        observer: &dyn Observer,
    ) -> Result<Vec<Option<Assessment>>, EngineFailure> {
        let mut positions = vec![start.clone()];
        for &m in moves {
            let next = positions.last().map(|position| position.play(m));
            positions.extend(next);
        }
        let known = known_assessments(&positions, observer);
        let mut is_new_game = true;
        let mut assessments = Vec::with_capacity(positions.len());
        for ((ply, position), known) in positions.iter().enumerate().zip(known).rev() {
            let query = Query {
                start,
                moves: moves.get(..ply).unwrap_or_default(),
            };
            if known.is_some() {
                assessments.push(known);
                observer.position_done();
                continue;
            }
            let assessment = self.search(query, position, is_new_game, observer);
            assessments.push(match assessment {
                Ok(assessment) => {
                    self.failures = 0;
                    is_new_game = false;
                    observer.searched(ply, position, &assessment);
                    Some(assessment)
                }
                Err(EngineFailure::Fault(reason)) => {
                    self.failures += 1;
                    observer.fault(&format!("ply {ply}: the engine failed: {reason}"));
                    if self.failures == MAX_FAILURES {
                        let reason =
                            format!("{MAX_FAILURES} consecutive failures, the last: {reason}");
                        return Err(EngineFailure::Fault(reason));
                    }
                    None
                }
                Err(failure) => return Err(failure),
            });
            for note in self.engine.take_notes() {
                observer.message(&note);
            }
            observer.position_done();
        }
        assessments.reverse();
        Ok(assessments)
    }

    fn search(
        &mut self,
        query: Query<'_>,
        position: &Position,
        is_new_game: bool,
        observer: &dyn Observer,
    ) -> Result<Assessment, EngineFailure> {
        if is_new_game {
            self.engine.new_game()?;
        }
        // The newest line with an exact score, the newest line, the newest score without a line,
        // and all principal variations.
        let (mut exact, mut newest, mut bare) = (None, None, None);
        let mut variations = Vec::new();
        let mut nodes = 0;
        let answer = self.engine.search(query, &mut |line: InfoLine, _| {
            nodes = nodes.max(line.nodes);
            if line.score.is_some() && line.pv.is_empty() {
                bare = Some(line);
            } else if line.score.is_some() {
                variations.push(line.pv.clone());
                let kept = if line.is_bound {
                    &mut newest
                } else {
                    newest = None;
                    &mut exact
                };
                *kept = Some(line);
            }
            false
        })?;
        if let Some(fault) = &answer.fault {
            observer.fault(&format!("ply {}: {fault}", query.moves.len()));
        }
        let line = exact.or(newest).or(bare).unwrap_or_else(|| InfoLine {
            score: answer.score,
            pv: answer.best.into_iter().collect(),
            ..InfoLine::default()
        });
        let score = line
            .score
            .ok_or_else(|| EngineFailure::Fault("it sent no score".to_owned()))?;
        if score == UciScore::Mate(0) {
            let fault = "it announced mate in 0 moves where there is none";
            return Err(EngineFailure::Fault(fault.to_owned()));
        }
        let evaluation = Evaluation::from_uci(score, position);
        // The last iteration may be incomplete and yet have changed the move.
        let begins = |pv: &Vec<Move>| answer.best.is_none_or(|best| pv.first() == Some(&best));
        let best = if begins(&line.pv) {
            line.pv
        } else {
            let same = variations.into_iter().rfind(begins);
            same.unwrap_or_else(|| answer.best.into_iter().collect())
        };
        Ok(Assessment {
            evaluation: Some(evaluation),
            expectation: evaluation.expectation(position),
            best,
            depth: line.depth,
            nodes,
        })
    }
}

/// Returns the assessments that need no search, by position: ends of the game, and positions that
/// the observer knows.
fn known_assessments(positions: &[Position], observer: &dyn Observer) -> Vec<Option<Assessment>> {
    let ends: Vec<_> = positions.iter().map(end_of_game).collect();
    let plies = ends.iter().cloned().zip(positions).enumerate();
    let known: Vec<_> = plies
        .map(|(ply, (end, position))| end.or_else(|| observer.known(ply, position)))
        .collect();
    let is_unfinished = known.iter().any(Option::is_none) && known != ends;
    if is_unfinished && observer.redoes_unfinished() {
        observer.message("analysed again from the start");
        ends
    } else {
        known
    }
}

/// Returns the assessment of a position where the rules end the game. Draws that have to be claimed
/// do not.
fn end_of_game(position: &Position) -> Option<Assessment> {
    let is_mate = !position.has_legal_move() && position.in_check();
    let is_draw = !position.has_legal_move() || position.is_insufficient_material();
    (is_mate || is_draw).then(|| Assessment {
        evaluation: (!is_mate).then_some(Evaluation::Centipawns(0)),
        expectation: match is_mate {
            true => position.turn().fold_wb(0.0, 1.0),
            false => 0.5,
        },
        best: Vec::new(),
        depth: 0,
        nodes: 0,
    })
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::thread;

    use super::*;
    use crate::position::notation::parse_uci;
    use crate::tools::kit::args::{EngineSpec, LimitArgs, ResourceArgs};
    use crate::tools::kit::engines::Setup;
    use crate::tools::kit::interrupt::Interrupt;

    #[derive(Default)]
    struct Count(Cell<usize>);

    impl Observer for Count {
        fn position_done(&self) {
            self.0.set(self.0.get() + 1);
        }

        fn message(&self, text: &str) {
            panic!("{text}");
        }
    }

    /// Analyses a game twice, on a thread with enough stack for a search.
    fn analyse(moves: &'static [&str], nodes: u64) -> Vec<Assessment> {
        let work = move || {
            let start = Position::initial();
            let mut position = start.clone();
            let mut line = Vec::new();
            for text in moves {
                let m = parse_uci(&position, text).unwrap();
                position = position.play(m);
                line.push(m);
            }
            let interrupt = Interrupt::default();
            let limits = LimitArgs {
                nodes: Some(nodes),
                ..LimitArgs::default()
            };
            let resources = ResourceArgs {
                threads: 1,
                hash: 1,
            };
            let setup = Setup {
                limits: &limits,
                resources: &resources,
                timeout: None,
                interrupt: &interrupt,
            };
            let spec = EngineSpec::default();
            let mut analyst = Analyst::new(setup.engine(&spec).unwrap());
            let done = Count::default();
            let first = analyst.analyse_game(&start, &line, &done).unwrap();
            assert_eq!(done.0.get(), line.len() + 1);
            // Earlier games do not matter.
            assert_eq!(
                analyst.analyse_game(&start, &line, &done),
                Ok(first.clone())
            );
            interrupt.set();
            let stopped = analyst.analyse_game(&start, &line, &done);
            assert_eq!(stopped, Err(EngineFailure::Interrupted));
            first.into_iter().map(Option::unwrap).collect()
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
        let assessments = analyse(&["f2f3", "e7e5", "g2g4", "d8h4"], 2_000);
        assert_eq!(assessments.len(), 5);
        assert_eq!(assessments[3].evaluation, Some(Evaluation::Mate(-1)));
        assert_eq!(
            (assessments[3].expectation, assessments[3].best.len()),
            (0.0, 1)
        );
        assert_eq!(
            (assessments[4].evaluation, assessments[4].expectation),
            (None, 0.0)
        );
        assert!(assessments[4].best.is_empty());
    }

    #[test]
    fn every_position_has_an_evaluation_however_short_the_search() {
        for assessment in analyse(&["e2e4", "e7e5"], 1) {
            let is_level = matches!(
                assessment.evaluation,
                Some(Evaluation::Centipawns(-300..=300))
            );
            assert!(is_level && !assessment.best.is_empty(), "{assessment:?}");
        }
    }
}
