//! How a running search, or one that has not begun, is told to stop.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The switchboard between whoever reads commands and the searches. Every `go` has a number, counted from 1; a stop is
/// meant for all searches up to a number, so it reaches one that is still waiting in the queue and never a later one.
#[derive(Debug, Default)]
pub struct Control {
    /// All searches up to this number are to stop.
    stopped: AtomicU64,
    /// The newest search whose pondering was a hit.
    hit: Mutex<Option<(u64, Instant)>>,
    changed: Condvar,
}

impl Control {
    /// Tells the searches numbered up to `go` to stop.
    pub fn stop(&self, go: u64) {
        let guard = self.lock();
        self.stopped.fetch_max(go, Ordering::Relaxed);
        drop(guard);
        self.changed.notify_all();
    }

    /// Tells search `go` that the move it ponders on was played at this moment.
    pub fn ponderhit(&self, go: u64, at: Instant) {
        let mut guard = self.lock();
        if guard.is_none_or(|(newest, _)| newest < go) {
            *guard = Some((go, at));
        }
        drop(guard);
        self.changed.notify_all();
    }

    /// Whether search `go` is to stop.
    #[inline]
    pub fn is_stopped(&self, go: u64) -> bool {
        self.stopped.load(Ordering::Relaxed) >= go
    }

    /// When the move that search `go` ponders on was played, if it was.
    pub fn ponderhit_time(&self, go: u64) -> Option<Instant> {
        self.lock()
            .filter(|&(number, _)| number == go)
            .map(|(_, at)| at)
    }

    /// Blocks until search `go` is told to stop or, if `ponderhit_counts`, its move was played.
    pub fn wait(&self, go: u64, ponderhit_counts: bool) {
        let mut guard = self.lock();
        let is_hit = |hit: Option<(u64, Instant)>| hit.is_some_and(|(number, _)| number == go);
        while !(self.is_stopped(go) || ponderhit_counts && is_hit(*guard)) {
            guard = self
                .changed
                .wait(guard)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<(u64, Instant)>> {
        self.hit.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// One `go`: its number and when it was read, which is when its clock started.
#[derive(Clone, Copy, Debug)]
pub struct Go<'a> {
    /// Where to look for stop and ponderhit.
    pub control: &'a Control,
    /// Its number, from 1.
    pub number: u64,
    /// When the command was read.
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
    /// Whether the search is to stop.
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
        assert_eq!(control.ponderhit_time(4), Some(now));
        assert_eq!(control.ponderhit_time(5), None);
        control.ponderhit(3, now);
        assert_eq!(control.ponderhit_time(4), Some(now));
        control.wait(4, true);
    }
}
