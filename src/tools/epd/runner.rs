//! Runs all engines over all positions, on several worker threads.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Sender, unbounded};

use super::EpdError;
use super::report::{Attempt, micros};
use super::suite::SuitePosition;
use super::trace::Trace;
use crate::search::STACK_BYTES;
use crate::tools::ToolError;
use crate::tools::kit::args::EngineSpec;
use crate::tools::kit::engines::{EngineFailure, Query, SearchEngine, Setup};

/// The number of consecutive failures after which an engine is not used again.
const MAX_FAILURES: u32 = 5;

/// The engines, the positions to solve, and the settings of a run.
#[derive(Clone, Copy)]
pub struct SuiteRun<'a> {
    /// The positions.
    pub positions: &'a [&'a SuitePosition],
    /// The engines.
    pub engines: &'a [EngineSpec],
    /// The settings with which engines are started.
    pub setup: Setup<'a>,
    /// The number of iterations for which a solution must be kept before the search stops.
    pub stop_when_solved: Option<u32>,
    /// The number of workers.
    pub jobs: usize,
}

/// An event in a run. Engines and positions are numbered from 0.
#[derive(Debug)]
pub enum Event {
    /// An engine has sent its name.
    Name(usize, String),
    /// An engine has a message for the user.
    Note(usize, String),
    /// An engine has finished a position.
    Done {
        /// The engine.
        engine: usize,
        /// The position.
        position: usize,
        /// The result.
        attempt: Box<Attempt>,
    },
}

impl SuiteRun<'_> {
    /// Checks that the engines can be used.
    ///
    /// # Errors
    /// Fails when a program does not exist, an option of the engine in this program cannot be set,
    /// or there is not enough memory for the hash tables of all workers.
    pub fn check(&self) -> Result<(), EpdError> {
        let jobs = self.jobs.min(self.positions.len());
        for spec in self.engines {
            let checked = self.setup.check(spec, jobs);
            checked.map_err(|reason| EpdError::Engine {
                command: spec.to_string(),
                reason,
            })?;
        }
        Ok(())
    }

    /// Solves all positions with all engines, and passes events on as they occur.
    ///
    /// # Errors
    /// Fails when a thread cannot be started.
    pub fn run(&self, mut handle: impl FnMut(Event)) -> Result<(), ToolError> {
        let next = AtomicUsize::new(0);
        let failures: Vec<AtomicU32> = self.engines.iter().map(|_| AtomicU32::new(0)).collect();
        let (sender, events) = unbounded();
        thread::scope(|scope| {
            let mut started = Ok(());
            for number in 0..self.jobs {
                let worker = SuiteWorker {
                    run: self,
                    next: &next,
                    failures: &failures,
                    events: sender.clone(),
                };
                let spawned = thread::Builder::new()
                    .name(format!("epd-{number}"))
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || worker.work());
                if let Err(source) = spawned {
                    self.setup.interrupt.set();
                    started = Err(ToolError::Io {
                        what: "thread".to_owned(),
                        source,
                    });
                    break;
                }
            }
            drop(sender);
            events.into_iter().for_each(&mut handle);
            started
        })
    }
}

/// A worker, which solves one position after another.
struct SuiteWorker<'a> {
    run: &'a SuiteRun<'a>,
    /// The next task: first all positions for the first engine, then all for the second.
    next: &'a AtomicUsize,
    /// The number of consecutive failures of each engine.
    failures: &'a [AtomicU32],
    events: Sender<Event>,
}

/// The number of the engine that a worker is using, and the engine itself.
type Current<'a> = Option<(usize, Box<dyn SearchEngine + 'a>)>;

impl SuiteWorker<'_> {
    fn work(&self) {
        let mut current: Current<'_> = None;
        while !self.run.setup.interrupt.is_set() {
            let task = self.next.fetch_add(1, Ordering::Relaxed);
            let count = self.run.positions.len().max(1);
            let (engine, number) = (task / count, task % count);
            let (Some(spec), Some(position), Some(failures)) = (
                self.run.engines.get(engine),
                self.run.positions.get(number),
                self.failures.get(engine),
            ) else {
                return;
            };
            let attempt = if failures.load(Ordering::Relaxed) >= MAX_FAILURES {
                Err(EngineFailure::Fault(format!(
                    "not used again after {MAX_FAILURES} consecutive failures"
                )))
            } else {
                self.solve(&mut current, engine, spec, position)
            };
            let attempt = match attempt {
                Ok(attempt) => {
                    failures.store(0, Ordering::Relaxed);
                    attempt
                }
                Err(EngineFailure::Interrupted) => return,
                Err(EngineFailure::Fault(fault)) => {
                    failures.fetch_add(1, Ordering::Relaxed);
                    Attempt {
                        points: position.goal.max_points().map(|_| 0),
                        fault: Some(fault),
                        ..Attempt::default()
                    }
                }
            };
            self.send(Event::Done {
                engine,
                position: number,
                attempt: Box::new(attempt),
            });
        }
    }

    /// Solves a position. Starts the engine if the worker has been using another one.
    fn solve<'b>(
        &'b self,
        current: &mut Current<'b>,
        number: usize,
        spec: &'b EngineSpec,
        position: &SuitePosition,
    ) -> Result<Attempt, EngineFailure> {
        if current.as_ref().is_none_or(|(used, _)| *used != number) {
            // Stop the old engine before starting the new one: memory may not suffice for both.
            *current = None;
            let engine = self.run.setup.engine(spec).map_err(EngineFailure::Fault)?;
            *current = Some((number, engine));
        }
        let Some((_, engine)) = current else {
            return Err(EngineFailure::Interrupted);
        };
        let attempt = self.search(engine.as_mut(), position);
        if let Some(name) = engine.name() {
            self.send(Event::Name(number, name.to_owned()));
        }
        for note in engine.take_notes() {
            self.send(Event::Note(number, note));
        }
        attempt
    }

    fn search(
        &self,
        engine: &mut (dyn SearchEngine + '_),
        position: &SuitePosition,
    ) -> Result<Attempt, EngineFailure> {
        let start = &position.record.position;
        let mut trace = Trace::new(&position.goal, self.run.stop_when_solved);
        let began = Instant::now();
        engine.new_game()?;
        let preparation_us = micros(began.elapsed());
        let query = Query { start, moves: &[] };
        let answer = engine.search(query, &mut |info, elapsed| trace.hear(info, elapsed))?;
        let best = answer
            .best
            .ok_or_else(|| EngineFailure::Fault("there is no legal move".to_owned()))?;
        Ok(Attempt {
            preparation_us,
            ..trace.finish(start, best, answer)
        })
    }

    fn send(&self, event: Event) {
        // Nobody receives events once the run is over.
        let _ = self.events.send(event);
    }
}
