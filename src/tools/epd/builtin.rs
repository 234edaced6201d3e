//! The engine in this program.

use std::sync::{Arc, Mutex, PoisonError};

use super::limits::SearchArgs;
use super::report::{Attempt, Score};
use super::solver::{EngineSpec, Failure, Interrupt, Solver};
use super::suite::Entry;
use super::trace::{Info, Trace};
use crate::engine::{Analysis, AnalysisLine, Control, GameState, Go, Limits, Report, Searcher};
use crate::position::Position;
use crate::score::Bound;
use crate::wdl::{centipawns, material};

/// What the engine in this program calls itself.
pub const NAME: &str = concat!("Quevedo ", env!("CARGO_PKG_VERSION"));

/// The engine in this program, with the options that it has under UCI.
pub struct Builtin<'a> {
    searcher: Searcher,
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
        let mut searcher = Searcher::new(hash).map_err(|error| error.to_string())?;
        searcher
            .set_threads(usize::try_from(search.threads).unwrap_or(usize::MAX))
            .map_err(|error| error.to_string())?;
        for (name, value) in &spec.options {
            let set = searcher.set_option(name, Some(value));
            set.map_err(|error| error.to_string())?;
        }
        Ok(Builtin {
            searcher,
            search,
            interrupt,
            control: interrupt.control(),
            number: 0,
        })
    }

    /// Searches a position in a new game. The calling thread searches and needs
    /// [`STACK_BYTES`](crate::search::STACK_BYTES) of stack.
    ///
    /// # Errors
    /// Returns an error if the run was interrupted or the search failed.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        report: &dyn Report,
    ) -> Result<Analysis, Failure> {
        self.searcher.new_game();
        self.number += 1;
        let go = Go {
            number: self.number,
            ..Go::now(&self.control)
        };
        let game = GameState::new(position.clone());
        let analysis = self.searcher.search(&game, limits, go, report);
        if self.interrupt.is_set() {
            return Err(Failure::Interrupted);
        }
        match analysis.errors.first() {
            Some(error) => Err(Failure::Fault(error.clone())),
            None => Ok(analysis),
        }
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
        let analysis = self.search(position, &limits, &listener)?;
        let best = analysis
            .best_move
            .ok_or_else(|| Failure::Fault("there is no legal move".to_owned()))?;
        let trace = listener
            .trace
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        Ok(trace.finish(position, best, analysis.elapsed))
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
