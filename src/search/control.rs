//! Stopping searches, both running and queued ones.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use parking_lot::{Condvar, Mutex};

/// The channel from the command reader to the searches. Every `go` has a number, counted from 1. A
/// stop applies to all searches up to a number, so it reaches a search that still waits in the
/// queue and never a later one.
#[derive(Debug, Default)]
pub struct Control {
    /// All searches up to this number are stopped.
    stopped: AtomicU64,
    /// The searches with a ponderhit, and its time. Those that have ended are forgotten.
    hits: Mutex<Vec<(u64, Instant)>>,
    changed: Condvar,
}

impl Control {
    /// Stops the searches numbered up to `go`.
    pub fn stop(&self, go: u64) {
        let guard = self.hits.lock();
        self.stopped.fetch_max(go, Ordering::Relaxed);
        drop(guard);
        self.changed.notify_all();
    }

    /// Records that the pondered move of search `go` was played at this time.
    pub fn ponderhit(&self, go: u64, at: Instant) {
        let mut hits = self.hits.lock();
        if !hits.iter().any(|&(number, _)| number == go) {
            hits.push((go, at));
        }
        drop(hits);
        self.changed.notify_all();
    }

    /// Returns whether search `go` is stopped.
    #[inline]
    pub fn is_stopped(&self, go: u64) -> bool {
        self.stopped.load(Ordering::Relaxed) >= go
    }

    /// Returns the time of the ponderhit of search `go`, if there was one. Searches run in the
    /// order of their numbers.
    pub fn ponderhit_time(&self, go: u64) -> Option<Instant> {
        let mut hits = self.hits.lock();
        hits.retain(|&(number, _)| number >= go);
        let hit = hits.iter().find(|&&(number, _)| number == go);
        hit.map(|&(_, at)| at)
    }

    /// Blocks until search `go` is stopped or, if `ponderhit_counts`, its pondered move was
    /// played.
    pub fn wait(&self, go: u64, ponderhit_counts: bool) {
        let mut hits = self.hits.lock();
        while !(self.is_stopped(go)
            || ponderhit_counts && hits.iter().any(|&(number, _)| number == go))
        {
            self.changed.wait(&mut hits);
        }
    }
}

/// One `go` command. Its clock started when it was read.
#[derive(Clone, Copy, Debug)]
pub struct Go<'a> {
    /// The source of stop and ponderhit.
    pub control: &'a Control,
    /// The number of the command, from 1.
    pub number: u64,
    /// The time when the command was read.
    pub received: Instant,
}

impl<'a> Go<'a> {
    /// Creates the first search of a control, which begins now.
    pub fn now(control: &'a Control) -> Go<'a> {
        Go {
            control,
            number: 1,
            received: Instant::now(),
        }
    }
    /// Returns whether the search is stopped.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.control.is_stopped(self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_reaches_earlier_searches_and_no_later_one() {
        let control = Control::default();
        control.stop(2);
        assert!(control.is_stopped(1) && control.is_stopped(2) && !control.is_stopped(3));
        control.stop(1);
        assert!(control.is_stopped(2));
        control.wait(2, false);
    }

    #[test]
    fn a_ponderhit_belongs_to_one_search() {
        let control = Control::default();
        let now = Instant::now();
        control.ponderhit(4, now);
        // A search that still waits in the queue, and a second hit of the same one.
        control.ponderhit(6, now);
        control.ponderhit(4, now + std::time::Duration::from_secs(1));
        control.ponderhit(3, now);
        control.wait(4, true);
        assert_eq!(control.ponderhit_time(4), Some(now));
        assert_eq!(control.ponderhit_time(5), None);
        assert_eq!(control.ponderhit_time(6), Some(now));
    }
}
