//! Engines that search positions: the one in this program, and any other that speaks UCI.

mod builtin;
mod external;
pub mod info;
mod process;

use std::time::Duration;

pub use builtin::{Builtin, NAME};
pub use external::External;
use info::{InfoLine, UciScore};

use super::args::{EngineSpec, LimitArgs, ResourceArgs};
use super::interrupt::Interrupt;
use crate::memory::{self, MEBIBYTE};
use crate::plural::count;
use crate::position::{Move, Position};

/// The time for a search that nothing else limits.
const SEARCH_PATIENCE: Duration = Duration::from_secs(600);

/// The reason why a search has no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum EngineFailure {
    /// The run is to end.
    Interrupted,
    /// The engine crashed, hung, or answered nonsense. It is restarted for the next search.
    Fault(String),
}

/// A position to search, with the moves that led to it.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// The position that the moves start from.
    pub start: &'a Position,
    /// The moves that lead to the position to search. Repetitions are counted from them.
    pub moves: &'a [Move],
}

/// The answer to a query.
#[derive(Clone, PartialEq, Debug)]
pub struct SearchAnswer {
    /// The best move; `None` where there is no legal move.
    pub best: Option<Move>,
    /// The score, for engines that know one without having announced a line.
    pub score: Option<UciScore>,
    /// The time from the start of the search to the answer.
    pub elapsed: Duration,
    /// Something that was wrong with the search although it was answered.
    pub fault: Option<String>,
}

/// Describes the fault of an engine that had to be stopped.
fn late_answer(patience: Duration) -> String {
    let seconds = patience.as_secs_f32();
    format!("no answer in {seconds} s, only after stop")
}

/// An engine that searches positions.
pub trait SearchEngine: Send {
    /// Forgets everything about earlier searches.
    ///
    /// # Errors
    /// Fails when the run is to end or the engine does not answer.
    fn new_game(&mut self) -> Result<(), EngineFailure>;

    /// Searches a position. `hear` receives each line about the best move with the time since the
    /// start; the search stops when it returns true.
    ///
    /// The calling thread may search, which needs [`STACK_BYTES`](crate::search::STACK_BYTES) of
    /// stack.
    ///
    /// # Errors
    /// Fails when the run is to end or the engine gives no valid answer.
    fn search(
        &mut self,
        query: Query<'_>,
        hear: &mut (dyn FnMut(InfoLine, Duration) -> bool + Send),
    ) -> Result<SearchAnswer, EngineFailure>;

    /// Returns the name of the engine, once it is known.
    fn name(&self) -> Option<&str>;

    /// Returns the messages for the user since the last call.
    fn take_notes(&mut self) -> Vec<String> {
        Vec::new()
    }
}

/// How engines are started.
#[derive(Clone, Copy)]
pub struct Setup<'a> {
    /// The limits of each search.
    pub limits: &'a LimitArgs,
    /// Threads and memory.
    pub resources: &'a ResourceArgs,
    /// The time after which an engine counts as hung; derived from the limits if `None`.
    pub timeout: Option<Duration>,
    /// Ends all searches.
    pub interrupt: &'a Interrupt,
}

impl<'a> Setup<'a> {
    /// Returns an engine. External engines are started when they are needed.
    ///
    /// # Errors
    /// Fails when there is not enough memory, or an option of the engine in this program cannot be
    /// set.
    pub fn engine(self, spec: &'a EngineSpec) -> Result<Box<dyn SearchEngine + 'a>, String> {
        Ok(match spec.command {
            None => Box::new(Builtin::new(spec, self)?),
            Some(_) => Box::new(External::new(spec, self)?),
        })
    }

    /// Checks that an engine exists and its options can be set, as far as that is known before it
    /// is needed, and that there is memory for the hash tables of all jobs.
    ///
    /// # Errors
    /// Fails when there is no such program, the engine in this program has no such option, or there
    /// is not enough memory.
    pub fn check(self, spec: &EngineSpec, jobs: usize) -> Result<(), String> {
        match spec.command {
            None => Builtin::new(spec, self).map(drop),
            Some(_) => External::new(spec, self).and_then(|engine| engine.check()),
        }?;
        let hash = self.hash(spec);
        // Each table fits alone, and memory is used only when the search fills it: together they
        // would end the process later.
        match memory::available().map(|bytes| bytes / MEBIBYTE) {
            Some(available) if hash.saturating_mul(jobs) > available => Err(format!(
                "there is no memory for {} with a hash table of {hash} MiB each: {available} MiB are available",
                count(jobs, "job")
            )),
            _ => Ok(()),
        }
    }

    /// Returns the size of the hash table of an engine in MiB.
    fn hash(self, spec: &EngineSpec) -> usize {
        let mut options = spec.options.iter().rev();
        options
            .find(|(name, _)| name.eq_ignore_ascii_case("Hash"))
            .and_then(|(_, value)| value.parse().ok())
            .unwrap_or_else(|| usize::try_from(self.resources.hash).unwrap_or(usize::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(any(target_os = "linux", target_os = "macos", windows))]
    fn the_hash_tables_of_all_jobs_have_to_fit() {
        let available = memory::available().unwrap() / MEBIBYTE;
        let most = u32::try_from(available * 2 / 3).unwrap();
        let check = |hash: u32, options: Vec<(String, String)>, jobs| {
            let resources = ResourceArgs { threads: 1, hash };
            let setup = Setup {
                limits: &LimitArgs::default(),
                resources: &resources,
                timeout: None,
                interrupt: &Interrupt::default(),
            };
            let spec = EngineSpec {
                options,
                ..EngineSpec::default()
            };
            setup.check(&spec, jobs)
        };
        assert_eq!(check(most, Vec::new(), 1), Ok(()));
        assert_eq!(check(1, Vec::new(), 2), Ok(()));
        let hash = vec![("hash".to_owned(), most.to_string())];
        for error in [check(most, Vec::new(), 2), check(1, hash, 2)] {
            let error = error.unwrap_err();
            let expected = format!("2 jobs with a hash table of {most} MiB each: ");
            assert!(error.contains(&expected), "{error}");
        }
    }
}
