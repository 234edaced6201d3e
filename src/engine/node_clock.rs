//! The clock of a game that runs in nodes instead of time.

use crate::search::limits::Limits;

/// The engine's clock in a game whose time is counted in nodes. The clock that the GUI shows knows
/// nothing of nodes, so it counts only once: at the first move.
#[derive(Clone, Copy, Debug, Default)]
pub struct NodeClock {
    /// The time left in milliseconds; `None` before the first search on a clock.
    remaining_ms: Option<i64>,
    /// The time of the first control, which each later one adds.
    control_ms: i64,
    /// The moves to the next control at the last search.
    moves_to_go: Option<u32>,
}

impl NodeClock {
    /// Returns the limits of the next search with what is left instead of the GUI's clock. Every
    /// search but the first adds the increment, and the first after a time control the time of the
    /// game's first control. Limits without a clock stay as they are.
    pub fn limits(&mut self, limits: &Limits) -> Limits {
        let mut limits = limits.clone();
        if let Some(clock) = &mut limits.clock {
            match self.remaining_ms {
                None => self.control_ms = clock.remaining_ms,
                Some(remaining) => {
                    let is_next_control =
                        self.moves_to_go == Some(1) || clock.moves_to_go > self.moves_to_go;
                    let added = if is_next_control { self.control_ms } else { 0 };
                    let added = added.saturating_add(clock.increment_ms);
                    clock.remaining_ms = remaining.saturating_add(added);
                }
            }
            self.moves_to_go = clock.moves_to_go;
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

    fn remaining(node_clock: &mut NodeClock, shown_ms: i64, moves_to_go: Option<u32>) -> i64 {
        let clock = Clock {
            remaining_ms: shown_ms,
            increment_ms: 10,
            moves_to_go,
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
        assert_eq!(remaining(&mut node_clock, 1000, None), 1000);
        node_clock.use_up(40);
        assert_eq!(remaining(&mut node_clock, 5000, None), 970);
        node_clock.use_up(u64::MAX);
        assert!(remaining(&mut node_clock, 5000, None) < 0);
        let unlimited = node_clock.limits(&Limits::default());
        assert_eq!(unlimited.clock, None);
    }

    #[test]
    fn a_time_control_adds_the_time_of_the_first() {
        let mut node_clock = NodeClock::default();
        let moves_to_go = [2, 1, 2, 1].map(Some);
        let left = moves_to_go.map(|moves| remaining(&mut node_clock, 1000, moves));
        assert_eq!(left, [1000, 1010, 2020, 2030]);
        let mut each_move = NodeClock::default();
        let left = [Some(1); 3].map(|moves| remaining(&mut each_move, 1000, moves));
        assert_eq!(left, [1000, 2010, 3020]);
    }
}
