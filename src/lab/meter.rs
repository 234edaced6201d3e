//! The limits of a run, and its counters.

use std::time::Instant;

use thiserror::Error;

use super::counters::NodeCounts;
use super::language::Language;

/// The reason why a search has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Halt {
    /// The time is up.
    #[error("out of time")]
    Time,
    /// The memory limit is reached.
    #[error("out of memory")]
    Memory,
    /// The algorithm cannot search games with chance.
    #[error("the algorithm cannot search games with chance")]
    Chance,
}

/// The limits of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunLimits {
    /// The time at which the run ends.
    pub deadline: Option<Instant>,
    /// The largest size of tables, lists and the set of leaves, in bytes.
    pub bytes: usize,
}

impl Halt {
    /// Returns the message in a language.
    pub fn text(self, language: Language) -> String {
        let spanish = match self {
            Halt::Time => "se acabó el tiempo",
            Halt::Memory => "se acabó la memoria",
            Halt::Chance => "el algoritmo no sabe buscar en juegos con azar",
        };
        language.pick(self.to_string(), spanish.to_owned())
    }
}

impl Default for RunLimits {
    /// Sets no time limit, and a memory limit of 1 GiB.
    fn default() -> RunLimits {
        RunLimits {
            deadline: None,
            bytes: 1 << 30,
        }
    }
}

/// The number of nodes between two checks of the clock.
const NODES_BETWEEN_CHECKS: u64 = 256;

/// Counts what a run does, and stops it at its limits.
#[derive(Clone, Debug, Default)]
pub struct Meter {
    /// The counters.
    pub counters: NodeCounts,
    pub(super) limits: RunLimits,
    opened: u64,
}

impl Meter {
    /// Starts to count.
    pub fn new(limits: RunLimits) -> Meter {
        Meter {
            limits,
            ..Meter::default()
        }
    }

    /// Counts a node.
    ///
    /// # Errors
    /// Fails when the time is up.
    pub fn tick(&mut self) -> Result<(), Halt> {
        self.opened += 1;
        let is_late = |deadline| Instant::now() >= deadline;
        let is_check = self.opened.is_multiple_of(NODES_BETWEEN_CHECKS);
        if is_check && self.limits.deadline.is_some_and(is_late) {
            return Err(Halt::Time);
        }
        Ok(())
    }
}
