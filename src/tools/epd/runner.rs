//! A run: workers that solve positions, one engine after the other, and what they hand in.
//!
//! Searches may not wait inside of a work-stealing pool, so that every worker is a thread of its own.

use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::EpdError;
use super::builtin::Builtin;
use super::external::External;
use super::limits::SearchArgs;
use super::report::Attempt;
use super::solver::{EngineSpec, Failure, Interrupt, Solver};
use super::suite::Entry;
use crate::search::STACK_BYTES;

/// An engine that fails so many times in a row is not asked any more.
const LAST_CHANCE: u32 = 5;

/// What is to be done.
#[derive(Clone, Copy)]
pub struct Run<'a> {
    /// The positions.
    pub entries: &'a [&'a Entry],
    /// The engines.
    pub engines: &'a [EngineSpec],
    /// What each search may use.
    pub search: &'a SearchArgs,
    /// When an engine is taken for hung; by its limits if not given.
    pub timeout: Option<Duration>,
    /// Positions at once.
    pub jobs: usize,
    /// How the run is told to end.
    pub interrupt: &'a Interrupt,
}

/// What happens in a run. Engines and positions are numbered from 0.
#[derive(Debug)]
pub enum Event {
    /// An engine has told its name.
    Name(usize, String),
    /// An engine's user should know something.
    Note(usize, String),
    /// An engine has done with a position.
    Done {
        /// The engine.
        engine: usize,
        /// The position.
        entry: usize,
        /// What it made of it.
        attempt: Box<Attempt>,
    },
}

impl Run<'_> {
    /// Makes sure that there are such engines.
    ///
    /// # Errors
    /// When there is no such program, or an option of the engine in this program is of no use.
    pub fn check(&self) -> Result<(), EpdError> {
        for spec in self.engines {
            let checked = match &spec.command {
                None => Builtin::new(spec, self.search, self.interrupt).map(drop),
                Some(_) => External::new(spec, self.search, self.timeout, self.interrupt)
                    .and_then(|engine| engine.check()),
            };
            checked.map_err(|reason| EpdError::Engine {
                command: spec.describe(),
                reason,
            })?;
        }
        Ok(())
    }

    /// Solves all positions with all engines, and tells what happens as it happens.
    ///
    /// # Errors
    /// When the system refuses a thread.
    pub fn run(&self, mut tell: impl FnMut(Event)) -> std::io::Result<()> {
        let next = AtomicUsize::new(0);
        let failures: Vec<AtomicU32> = self.engines.iter().map(|_| AtomicU32::new(0)).collect();
        let (sender, events): (Sender<Event>, Receiver<Event>) = unbounded();
        thread::scope(|scope| {
            let mut started = Ok(());
            for number in 0..self.jobs.max(1) {
                let worker = Worker {
                    run: self,
                    next: &next,
                    failures: &failures,
                    events: sender.clone(),
                };
                let handle = thread::Builder::new()
                    .name(format!("epd-{number}"))
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || worker.work());
                if let Err(error) = handle {
                    self.interrupt.set();
                    started = Err(error);
                    break;
                }
            }
            drop(sender);
            events.into_iter().for_each(&mut tell);
            started
        })
    }
}

struct Worker<'a> {
    run: &'a Run<'a>,
    /// The next task: all positions for the first engine, then all for the second.
    next: &'a AtomicUsize,
    /// How many times in a row each engine has failed.
    failures: &'a [AtomicU32],
    events: Sender<Event>,
}

impl Worker<'_> {
    fn work(&self) {
        let mut current: Option<(usize, Box<dyn Solver + '_>)> = None;
        while !self.run.interrupt.is_set() {
            let task = self.next.fetch_add(1, Ordering::Relaxed);
            let count = self.run.entries.len().max(1);
            let (engine, entry) = (task / count, task % count);
            let (Some(spec), Some(problem), Some(failures)) = (
                self.run.engines.get(engine),
                self.run.entries.get(entry),
                self.failures.get(engine),
            ) else {
                return;
            };
            let attempt = if failures.load(Ordering::Relaxed) >= LAST_CHANCE {
                Err(Failure::Fault(format!(
                    "not asked any more after {LAST_CHANCE} failures in a row"
                )))
            } else {
                self.solve(&mut current, engine, spec, problem)
            };
            let attempt = match attempt {
                Ok(attempt) => {
                    failures.store(0, Ordering::Relaxed);
                    attempt
                }
                Err(Failure::Interrupted) => return,
                Err(Failure::Fault(fault)) => {
                    failures.fetch_add(1, Ordering::Relaxed);
                    Attempt {
                        points: problem.goal.max_points().map(|_| 0),
                        fault: Some(fault),
                        ..Attempt::default()
                    }
                }
            };
            self.tell(Event::Done {
                engine,
                entry,
                attempt: Box::new(attempt),
            });
        }
    }

    /// Solves with the engine at hand, or with a new one when it is another's turn.
    fn solve<'b>(
        &'b self,
        current: &mut Option<(usize, Box<dyn Solver + 'b>)>,
        engine: usize,
        spec: &'b EngineSpec,
        entry: &Entry,
    ) -> Result<Attempt, Failure> {
        if current.as_ref().is_none_or(|(number, _)| *number != engine) {
            // The old one ends before the new one begins: there may not be memory for both.
            *current = None;
            *current = Some((engine, self.solver(spec).map_err(Failure::Fault)?));
        }
        let Some((_, solver)) = current else {
            return Err(Failure::Interrupted);
        };
        let attempt = solver.solve(entry);
        if let Some(name) = solver.name() {
            self.tell(Event::Name(engine, name.to_owned()));
        }
        for note in solver.take_notes() {
            self.tell(Event::Note(engine, note));
        }
        attempt
    }

    fn solver<'b>(&'b self, spec: &'b EngineSpec) -> Result<Box<dyn Solver + 'b>, String> {
        let Run {
            search,
            timeout,
            interrupt,
            ..
        } = *self.run;
        Ok(match spec.command {
            None => Box::new(Builtin::new(spec, search, interrupt)?),
            Some(_) => Box::new(External::new(spec, search, timeout, interrupt)?),
        })
    }

    fn tell(&self, event: Event) {
        // The run is over when nobody listens.
        let _ = self.events.send(event);
    }
}
