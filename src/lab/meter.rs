//! The limits that an algorithm is held to, and the counting of what it does.

use std::time::Instant;

use thiserror::Error;

use super::counters::Counters;

/// Why a search has no result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Halt {
    /// The time is up.
    #[error("out of time")]
    Time,
    /// More was to be stored than is allowed.
    #[error("out of memory")]
    Memory,
    /// The algorithm does not know what to do where chance decides.
    #[error("chance decides here, which the algorithm knows nothing about")]
    Chance,
}

/// How much an algorithm may use.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// When to give up.
    pub deadline: Option<Instant>,
    /// How much to store in tables and lists, in bytes.
    pub bytes: usize,
}

impl Default for Budget {
    /// Any amount of time, and 1 GiB.
    fn default() -> Budget {
        Budget {
            deadline: None,
            bytes: 1 << 30,
        }
    }
}

/// How many nodes are searched between two looks at the clock.
const NODES_BETWEEN_LOOKS: u64 = 256;

/// Counts what an algorithm does, and holds it to its limits.
#[derive(Clone, Debug, Default)]
pub struct Meter {
    /// What has been counted.
    pub counters: Counters,
    pub(super) budget: Budget,
    opened: u64,
}

impl Meter {
    /// Nothing counted yet.
    pub fn new(budget: Budget) -> Meter {
        Meter {
            budget,
            ..Meter::default()
        }
    }

    /// Another node is looked at.
    ///
    /// # Errors
    /// When the time is up.
    pub fn tick(&mut self) -> Result<(), Halt> {
        self.opened += 1;
        let is_late = |deadline| Instant::now() >= deadline;
        let looks = self.opened.is_multiple_of(NODES_BETWEEN_LOOKS);
        if looks && self.budget.deadline.is_some_and(is_late) {
            return Err(Halt::Time);
        }
        Ok(())
    }
}
