//! The clock of a game that runs in nodes instead of time.

use crate::search::limits::Limits;

/// What is left on the engine's clock in a game whose time is counted in nodes. The clock that the GUI shows
/// knows nothing of nodes, so it counts only once: at the first move.
#[derive(Clone, Copy, Debug, Default)]
pub struct NodeClock {
    /// In milliseconds; `None` before the first search on a clock.
    remaining_ms: Option<i64>,
}

impl NodeClock {
    /// Returns the limits of the next search with what is left instead of the GUI's clock. Every search
    /// but the first adds the increment. Limits without a clock stay as they are.
    pub fn limits(&mut self, limits: &Limits) -> Limits {
        let mut limits = limits.clone();
        if let Some(clock) = &mut limits.clock {
            if let Some(remaining) = self.remaining_ms {
                clock.remaining_ms = remaining.saturating_add(clock.increment_ms);
            }
            self.remaining_ms = Some(clock.remaining_ms);
        }
        limits
    }

    /// Takes what a search on this clock has used off it.
    pub fn use_up(&mut self, milliseconds: u64) {
        let used = i64::try_from(milliseconds).unwrap_or(i64::MAX);
        self.remaining_ms = self
            .remaining_ms
            .map(|remaining| remaining.saturating_sub(used));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::limits::Clock;

    fn remaining(node_clock: &mut NodeClock, shown_ms: i64) -> i64 {
        let clock = Clock {
            remaining_ms: shown_ms,
            increment_ms: 10,
            moves_to_go: None,
        };
        let limits = Limits {
            clock: Some(clock),
            ..Limits::default()
        };
        node_clock.limits(&limits).clock.unwrap().remaining_ms
    }

    #[test]
    fn only_the_first_clock_of_a_game_counts() {
        let mut node_clock = NodeClock::default();
        assert_eq!(remaining(&mut node_clock, 1000), 1000);
        node_clock.use_up(40);
        assert_eq!(remaining(&mut node_clock, 5000), 970);
        node_clock.use_up(u64::MAX);
        assert!(remaining(&mut node_clock, 5000) < 0);
        let unlimited = node_clock.limits(&Limits::default());
        assert_eq!(unlimited.clock, None);
    }
}
