//! The engine in this program.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::limits::SearchArgs;
use super::report::{Attempt, Score};
use super::solver::{EngineSpec, Failure, Interrupt, Solver};
use super::suite::Entry;
use super::trace::{Info, Trace};
use crate::engine::{Engine, SearchResult};
use crate::position::Position;
use crate::position::repetition::KeyHistory;
use crate::score::Bound;
use crate::search::control::{Control, Go};
use crate::search::limits::Limits;
use crate::search::report::{AnalysisLine, Report};
use crate::uci::desk::Desk;
use crate::uci::options;
use crate::uci::output::Output;
use crate::uci::session::Session;
use crate::wdl::{centipawns, material};

/// What the engine in this program calls itself.
pub const NAME: &str = concat!("Quevedo ", env!("CARGO_PKG_VERSION"));

/// The engine in this program, with the options that it has under UCI.
pub struct Builtin<'a> {
    session: Session,
    search: &'a SearchArgs,
    interrupt: &'a Interrupt,
    control: Arc<Control>,
    /// The number of the search, which a stop refers to.
    number: u64,
}

impl<'a> Builtin<'a> {
    /// An engine with these options.
    ///
    /// # Errors
    /// When there is no memory for the hash table or the threads, or an option cannot be set.
    pub fn new(
        spec: &EngineSpec,
        search: &'a SearchArgs,
        interrupt: &'a Interrupt,
    ) -> Result<Builtin<'a>, String> {
        let hash = usize::try_from(search.hash).unwrap_or(usize::MAX);
        let engine = Engine::new(hash).map_err(|error| error.to_string())?;
        let desk = Arc::new(Desk::default());
        let output = Output::new(Box::new(io::sink()), desk.clone());
        let mut session = Session::new(engine, desk, Arc::new(output));
        session
            .engine
            .set_threads(usize::try_from(search.threads).unwrap_or(usize::MAX))
            .map_err(|error| error.to_string())?;
        for (name, value) in &spec.options {
            options::set(&mut session, name, Some(value)).map_err(|error| error.to_string())?;
        }
        Ok(Builtin {
            session,
            search,
            interrupt,
            control: interrupt.control(),
            number: 0,
        })
    }

    /// Searches a position as if it were the first; what was found, and how long it took. The calling thread searches, and
    /// needs [`STACK_BYTES`](crate::search::STACK_BYTES) of stack for that.
    ///
    /// # Errors
    /// When the run is to end or the search fails.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        report: &dyn Report,
    ) -> Result<(SearchResult, Duration), Failure> {
        let engine = &mut self.session.engine;
        engine.new_game();
        engine.set_line(position.clone(), KeyHistory::default());
        self.number += 1;
        let received = Instant::now();
        let go = Go {
            control: &self.control,
            number: self.number,
            received,
        };
        let outcome = catch_unwind(AssertUnwindSafe(|| engine.go(limits, go, report)));
        let elapsed = received.elapsed();
        if self.interrupt.is_set() {
            return Err(Failure::Interrupted);
        }
        let outcome = outcome.map_err(|_| Failure::Fault("the search failed".to_owned()))?;
        Ok((outcome, elapsed))
    }
}

impl Solver for Builtin<'_> {
    fn solve(&mut self, entry: &Entry) -> Result<Attempt, Failure> {
        let position = &entry.record.position;
        let listener = Listener {
            trace: Mutex::new(Trace::new(&entry.goal, self.search.stop_when_solved)),
            control: self.control.clone(),
            number: self.number + 1,
        };
        let limits = self.search.limits();
        let (outcome, elapsed) = self.search(position, &limits, &listener)?;
        let best = outcome
            .best_move
            .ok_or_else(|| Failure::Fault("there is no legal move".to_owned()))?;
        let trace = listener
            .trace
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        Ok(trace.finish(position, best, elapsed))
    }

    fn name(&self) -> Option<&str> {
        Some(NAME)
    }

    fn take_notes(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// Listens to one search.
struct Listener<'a> {
    trace: Mutex<Trace<'a>>,
    control: Arc<Control>,
    number: u64,
}

impl Report for Listener<'_> {
    fn line(&self, line: &AnalysisLine<'_>) {
        if line.multipv != 1 {
            return;
        }
        let score = line.score;
        let info = Info {
            depth: line.depth,
            score: Some(score.mate_distance().map_or_else(
                || Score::Cp(centipawns(score, material(line.root))),
                Score::Mate,
            )),
            is_bound: line.bound != Bound::Exact,
            nodes: line.nodes,
            pv: line.pv.to_vec(),
        };
        let mut trace = self.trace.lock().unwrap_or_else(PoisonError::into_inner);
        if trace.hear(info, line.elapsed) {
            self.control.stop(self.number);
        }
    }
}
