//! Time management: pure functions from the clock to a time budget, and from the progress of the
//! search to the share of it to use.

use std::time::Duration;

use super::limits::Clock;
use super::params;

/// The time budget of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Budget {
    /// The time for an average move. It is scaled by [`scale`] and checked between iterations.
    pub soft: Duration,
    /// The time that no move may exceed. It is checked within iterations.
    pub hard: Duration,
}

/// The share of the remaining time that no move exceeds.
const MAX_SHARE: f64 = 0.5;
/// The same share on the last move before the time control.
const MAX_SHARE_LAST_MOVE: f64 = 0.8;

/// The reserve in move overheads. A busy system sometimes suspends a process for longer than the
/// overhead allows.
const RESERVE_OVERHEADS: f64 = 4.0;
/// The maximum reserve as a share of the remaining time.
const MAX_RESERVE: f64 = 0.8;
/// The share of the reserve that a move may use.
const RESERVE_SHARE: f64 = 0.1;
/// The number of move overheads that the clock has to hold beyond the reserve, for all of the
/// increment to be used.
const LAGS_COVERED: f64 = 8.0;

/// Returns the budget for one move.
///
/// `overhead_ms` is the time that communication with the GUI may cost. It is taken off the clock
/// first, and once more for each move up to the time control, so a lag of this size on every move
/// does not lose on time, unless a game without a control goes on for long with an increment below
/// it. An engine that `ponders` plays some moves at once, so the others may take longer.
pub fn budget(clock: Clock, overhead_ms: u64, ponders: bool) -> Budget {
    // The least that a clock can show means that almost no time is left.
    let overhead = overhead_ms as f64;
    let safe = (clock.remaining_ms as f64 - overhead).max(1.0);
    let reserve = (overhead * RESERVE_OVERHEADS).min(safe * MAX_RESERVE);
    let spare = safe - reserve;
    let increment = (clock.increment_ms.max(0)) as f64;
    let horizon = f64::from(params::time_horizon());
    let moves_to_go = (clock.moves_to_go).map_or(horizon, |moves| f64::from(moves.clamp(1, 200)));
    let moves = moves_to_go.min(horizon + 6.0);
    let max_share = match clock.moves_to_go {
        Some(0 | 1) => MAX_SHARE_LAST_MOVE,
        _ => MAX_SHARE,
    };
    // The lag of the remaining moves, unless the increment makes up for it, cannot be used. If it
    // exceeds the remaining time, moves are played as fast as possible.
    let lag = (overhead - increment).max(0.0) * (moves_to_go - 1.0);
    let usable = (spare - lag).max(spare / (2.0 * moves));
    let largest = usable * max_share + reserve * RESERVE_SHARE;
    let timed = if ponders {
        (moves * share(params::time_ponder_share())).max(1.0)
    } else {
        moves
    };
    // The increment also pays for the lag: `lag` counts on all of it if it is smaller than the
    // overhead, and otherwise it does so when little else is left.
    let for_lag = if overhead > increment {
        increment
    } else {
        (overhead - spare / LAGS_COVERED).max(0.0)
    };
    let income = (increment - for_lag) * share(params::time_increment_share());
    let soft = (usable / timed + income).min(largest);
    let hard = (soft * share(params::time_hard_factor())).min(largest);
    Budget {
        soft: milliseconds(soft),
        hard: milliseconds(hard),
    }
}

fn milliseconds(ms: f64) -> Duration {
    Duration::from_micros((ms * 1000.0) as u64)
}

/// The statistics of an iteration that show how hard the choice of a move is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct IterationStats {
    /// The number of iterations since the best move last changed.
    pub stable_iterations: u32,
    /// The difference between the last iteration's score and the average of earlier ones, in
    /// centipawns.
    pub score_change: i32,
    /// The share of all nodes that were searched below the best move, 0 to 1.
    pub best_move_effort: f64,
}

/// Returns the share of the soft budget to use: less when the best move has been stable and took
/// most of the nodes, more when it changes or the score falls.
pub fn scale(stats: IterationStats) -> f64 {
    stability_factor(stats.stable_iterations)
        * score_factor(stats.score_change)
        * effort_factor(stats.best_move_effort)
}

fn stability_factor(stable_iterations: u32) -> f64 {
    let decrease = share(params::time_stability_step()) * f64::from(stable_iterations);
    (share(params::time_stability_base()) - decrease).max(share(params::time_stability_min()))
}

fn score_factor(score_change: i32) -> f64 {
    (1.0 - f64::from(score_change) / f64::from(params::time_score_scale())).clamp(
        share(params::time_score_min()),
        share(params::time_score_max()),
    )
}

fn effort_factor(best_move_effort: f64) -> f64 {
    let decrease = share(params::time_effort_slope()) * best_move_effort;
    (share(params::time_effort_base()) - decrease).clamp(
        share(params::time_effort_min()),
        share(params::time_effort_max()),
    )
}

/// Returns a share that is a number of 128ths.
fn share(parts: i32) -> f64 {
    f64::from(parts) / 128.0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(remaining_ms: i64, increment_ms: i64, moves_to_go: Option<u32>) -> Clock {
        Clock {
            remaining_ms,
            increment_ms,
            moves_to_go,
        }
    }

    /// Plays a game of `moves` moves that takes a limit of the budget and `lag` milliseconds for
    /// each move, and returns the least time left after a move, before the increment.
    fn least_left(
        limit: fn(Budget) -> Duration,
        (start, increment, control): (i64, i64, Option<u32>),
        overhead: u64,
        lag: i64,
        moves: u32,
        ponders: bool,
    ) -> f64 {
        let mut left = start as f64;
        let mut least = left;
        for number in 0..moves {
            let to_go = control.map(|control| control - number % control);
            let budget = budget(clock(left as i64, increment, to_go), overhead, ponders);
            assert!(budget.soft <= budget.hard);
            left -= limit(budget).as_secs_f64() * 1000.0 + lag as f64;
            least = least.min(left);
            left += increment as f64;
            if control.is_some_and(|control| (number + 1) % control == 0) {
                left += start as f64;
            }
        }
        least
    }

    #[test]
    fn no_clock_runs_out_even_at_the_hard_limit() {
        let hard = |budget: Budget| budget.hard;
        for (start, ponders) in [1_000, 5_000, 60_000, 3_600_000]
            .into_iter()
            .flat_map(|start| [(start, false), (start, true)])
        {
            for increment in [10, 50, 1_000] {
                let least = least_left(hard, (start, increment, None), 10, 5, 400, ponders);
                assert!(least > 0.0, "{start}+{increment}");
            }
            for control in [1, 2, 10, 40] {
                let least = least_left(hard, (start, 0, Some(control)), 10, 5, 200, ponders);
                assert!(least > 0.0, "{control} moves in {start}");
            }
        }
    }

    #[test]
    fn a_lag_of_the_overhead_on_every_move_loses_no_game() {
        let soft = |budget: Budget| budget.soft;
        for (time, lag) in [
            ((1_000, 10, None), 10),
            ((60_000, 100, None), 100),
            ((60_000, 1_000, None), 1_000),
            ((60_000, 1_500, None), 1_000),
            ((30_000, 0, Some(80)), 200),
            ((60_000, 0, Some(100)), 200),
            ((60_000, 100, Some(100)), 300),
            ((60_000, 100, Some(100)), 400),
            ((60_000, 500, Some(60)), 1_000),
            ((120_000, 1_000, Some(60)), 2_000),
        ] {
            let overhead = u64::try_from(lag).unwrap();
            for ponders in [false, true] {
                let least = least_left(soft, time, overhead, lag, 200, ponders);
                assert!(least > 0.0, "{time:?} {lag} {ponders} {least}");
            }
        }
    }

    #[test]
    fn a_game_without_increment_lasts() {
        // Sudden death with a lag on each move: a game of average length at the soft limit leaves
        // time.
        for (start, lag) in [(1_000.0, 3.0), (60_000.0, 9.0)] {
            let mut left: f64 = start;
            for _ in 0..80 {
                left -= budget(clock(left as i64, 0, None), 10, false)
                    .soft
                    .as_secs_f64()
                    * 1000.0
                    + lag;
            }
            assert!(left > 0.0, "{start} {left}");
        }
    }

    #[test]
    fn a_clock_that_has_run_out_is_played_as_almost_none_left() {
        for remaining in [0, -1, -5_000, i64::MIN] {
            let budget = budget(clock(remaining, 0, None), 10, false);
            assert!(budget.hard <= Duration::from_millis(1));
        }
        let last = budget(clock(10, 0, None), 10, false);
        assert!(last.hard <= Duration::from_millis(1));
    }

    #[test]
    fn absurd_clocks_do_not_overflow() {
        let budget = budget(
            clock(i64::MAX, i64::MAX, Some(u32::MAX)),
            u64::from(u32::MAX),
            false,
        );
        assert!(budget.hard >= budget.soft);
        assert!(budget.soft > Duration::from_secs(1_000_000));
    }

    #[test]
    fn one_second_is_shared_out_over_a_game() {
        let budget = budget(clock(1_000, 10, None), 10, false);
        assert!(
            budget.soft > Duration::from_millis(25) && budget.soft < Duration::from_millis(80),
            "{budget:?}"
        );
        assert!(budget.hard < Duration::from_millis(500));
    }

    #[test]
    fn who_ponders_takes_longer() {
        for to_go in [None, Some(1), Some(10)] {
            let [plain, pondering] =
                [false, true].map(|ponders| budget(clock(60_000, 0, to_go), 10, ponders));
            let expected = if to_go == Some(1) { 1.0 } else { 1.25 };
            let ratio = pondering.soft.div_duration_f64(plain.soft);
            assert!((ratio - expected).abs() < 0.01, "{to_go:?} {ratio}");
            assert!(pondering.hard < Duration::from_secs(50), "{pondering:?}");
        }
    }

    #[test]
    fn a_clear_move_takes_less_and_a_falling_score_more() {
        let stats = |stable_iterations, score_change, best_move_effort| IterationStats {
            stable_iterations,
            score_change,
            best_move_effort,
        };
        assert!(scale(stats(10, 0, 0.95)) < 0.6);
        assert!(scale(stats(0, -60, 0.3)) > 2.0);
        assert!(scale(stats(2, -60, 0.5)) > scale(stats(2, 60, 0.5)));
    }
}
