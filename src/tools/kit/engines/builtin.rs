//! The engine in this program.

use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use super::info::{InfoLine, UciScore};
use super::{
    EngineFailure, Query, SEARCH_PATIENCE, SearchAnswer, SearchEngine, Setup, late_answer,
};
use crate::engine::explain::static_eval;
use crate::engine::{Analysis, AnalysisLine, Control, GameState, Go, Limits, Report, Searcher};
use crate::position::Position;
use crate::score::{Bound, Score};
use crate::tools::kit::args::EngineSpec;
use crate::wdl::{centipawns, material};

/// The name and version of the engine in this program.
pub const NAME: &str = concat!("Quevedo ", env!("CARGO_PKG_VERSION"));

/// The engine in this program, with its UCI options.
pub struct Builtin {
    searcher: Searcher,
    limits: Limits,
    /// The time after which a search is stopped and counts as failed.
    patience: Option<Duration>,
    control: Arc<Control>,
    /// The number of the last search, which a stop refers to.
    number: u64,
}

impl Builtin {
    /// Creates an engine.
    ///
    /// # Errors
    /// Fails when there is not enough memory, or an option cannot be set.
    pub fn new(spec: &EngineSpec, setup: Setup<'_>) -> Result<Builtin, String> {
        let size = |number: u32| usize::try_from(number).unwrap_or(usize::MAX);
        let hash = size(setup.resources.hash);
        let mut searcher = Searcher::new(hash).map_err(|error| error.to_string())?;
        searcher
            .set_threads(size(setup.resources.threads))
            .map_err(|error| error.to_string())?;
        // Nothing lies between this engine and the clock, so a search takes all of its time.
        searcher.options_mut().move_overhead_ms = 0;
        for (name, value) in &spec.options {
            let set = searcher.set_option(name, Some(value));
            set.map_err(|error| error.to_string())?;
        }
        let limits = setup.limits.limits();
        // A search that reaches a depth or a number of nodes is not hung, but one for a mate that
        // is not there never ends.
        let may_hang =
            limits.movetime.is_none() && limits.nodes.is_none() && limits.depth.is_none();
        let patience = setup.timeout.or(may_hang.then_some(SEARCH_PATIENCE));
        Ok(Builtin {
            searcher,
            limits,
            patience,
            control: setup.interrupt.control(),
            number: 0,
        })
    }

    /// Searches a position. The calling thread searches and needs
    /// [`STACK_BYTES`](crate::search::STACK_BYTES) of stack.
    ///
    /// # Errors
    /// Fails when the run is interrupted or the search fails.
    pub fn analyse(
        &mut self,
        game: &GameState,
        limits: &Limits,
        report: &dyn Report,
    ) -> Result<Analysis, EngineFailure> {
        self.number += 1;
        let go = Go {
            number: self.number,
            ..Go::now(&self.control)
        };
        let analysis = self.searcher.search(game, limits, go, report);
        if self.control.is_stopped(u64::MAX) {
            return Err(EngineFailure::Interrupted);
        }
        match analysis.errors.first() {
            Some(error) => Err(EngineFailure::Fault(error.clone())),
            None => Ok(analysis),
        }
    }
}

impl SearchEngine for Builtin {
    fn new_game(&mut self) -> Result<(), EngineFailure> {
        self.searcher.new_game();
        Ok(())
    }

    fn search(
        &mut self,
        query: Query<'_>,
        hear: &mut (dyn FnMut(InfoLine, Duration) -> bool + Send),
    ) -> Result<SearchAnswer, EngineFailure> {
        let mut game = GameState::new(query.start.clone());
        for &m in query.moves {
            game.play(m);
        }
        let control = self.control.clone();
        let listener = Listener {
            hear: Mutex::new(hear),
            control: &control,
            number: self.number + 1,
        };
        let mut limits = self.limits.clone();
        let patience = self
            .patience
            .filter(|patience| limits.movetime.is_none_or(|time| *patience < time));
        limits.movetime = patience.or(limits.movetime);
        let analysis = self.analyse(&game, &limits, &listener)?;
        let late = patience.filter(|patience| analysis.elapsed >= *patience);
        let score = analysis
            .score
            .unwrap_or_else(|| static_eval(self.searcher.network(), &game.position));
        Ok(SearchAnswer {
            best: analysis.best_move,
            score: Some(shown(score, &game.position)),
            elapsed: analysis.elapsed,
            fault: late.map(late_answer),
        })
    }

    fn name(&self) -> Option<&str> {
        Some(NAME)
    }
}

/// Converts a score into what UCI output shows for it.
fn shown(score: Score, position: &Position) -> UciScore {
    let in_centipawns = || UciScore::Cp(centipawns(score, material(position)));
    score
        .mate_distance()
        .map_or_else(in_centipawns, UciScore::Mate)
}

/// Passes on the lines of one search.
struct Listener<'a> {
    hear: Mutex<&'a mut (dyn FnMut(InfoLine, Duration) -> bool + Send)>,
    control: &'a Control,
    number: u64,
}

impl Report for Listener<'_> {
    fn line(&self, line: &AnalysisLine<'_>) {
        if line.multipv != 1 {
            return;
        }
        let info = InfoLine {
            depth: line.depth,
            score: Some(shown(line.score, line.root)),
            is_bound: line.bound != Bound::Exact,
            nodes: line.nodes,
            pv: line.pv.to_vec(),
        };
        let mut hear = self.hear.lock();
        if hear(info, line.elapsed) {
            self.control.stop(self.number);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::search::STACK_BYTES;
    use crate::tools::kit::args::{LimitArgs, ResourceArgs};
    use crate::tools::kit::interrupt::Interrupt;

    /// Returns the answer to a search of the initial position.
    fn answer(limits: &LimitArgs, timeout: Option<Duration>) -> SearchAnswer {
        let resources = ResourceArgs {
            threads: 1,
            hash: 1,
        };
        let setup = Setup {
            limits,
            resources: &resources,
            timeout,
            interrupt: &Interrupt::default(),
        };
        let mut engine = Builtin::new(&EngineSpec::default(), setup).expect("an engine");
        let position = Position::initial();
        let query = Query {
            start: &position,
            moves: &[],
        };
        thread::scope(|scope| {
            let search = || engine.search(query, &mut |_, _| false).expect("an answer");
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            let thread = thread.spawn_scoped(scope, search).expect("a thread");
            thread.join().expect("a search")
        })
    }

    #[test]
    fn a_search_takes_all_of_its_time() {
        let answer = answer(&LimitArgs::default().or_movetime(60), None);
        assert!(answer.elapsed >= Duration::from_millis(60), "{answer:?}");
        assert_eq!(answer.fault, None);
    }

    #[test]
    fn a_search_that_would_not_end_is_stopped() {
        let mate = LimitArgs {
            mate: Some(2),
            ..LimitArgs::default()
        };
        let timeout = Some(Duration::from_millis(60));
        let late = answer(&mate, timeout);
        assert!(late.best.is_some());
        assert!(late.fault.unwrap().starts_with("no answer in 0.06 s"));
        let limited = LimitArgs {
            movetime: Some(20),
            ..mate
        };
        assert_eq!(answer(&limited, timeout).fault, None);
    }
}
