//! The state that all threads of one search share.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::root_moves::{Candidates, RootMove};
use super::time::{self, Budget};
use super::{SearchOptions, SearchRequest};

/// Counters of one thread that the others read, on a cache line of their own.
#[derive(Debug, Default)]
#[repr(align(64))]
pub struct ThreadCounters {
    /// Nodes searched.
    pub nodes: AtomicU64,
    /// Tablebase hits.
    pub tbhits: AtomicU64,
}

/// The state that all threads of one search share.
pub struct SharedState<'a> {
    /// The request. Its skill is `None` unless the skill misses moves inside the tree.
    pub request: SearchRequest<'a>,
    /// The root moves to choose among, in the tablebases' order.
    pub root_moves: Vec<RootMove>,
    /// Number of probes by which the tablebases have ranked the root moves; `None` if they have not.
    pub ranking_probes: Option<u64>,
    /// Set when the search probes the tablebases.
    pub probe_tree: bool,
    /// The time budget, if there is a clock.
    pub budget: Option<Budget>,
    /// Set when pondering has used the soft budget: the search then ends at the ponderhit.
    pub overdue: AtomicBool,
    /// Set when the search has resumed an earlier one. Its first iteration is as long as that whole
    /// search or longer, and there is a move to play, so no iteration then runs beyond the soft
    /// budget.
    pub resumed: AtomicBool,
    /// Set when all threads are to end.
    pub stop: AtomicBool,
    /// The counters of each thread.
    pub counters: Vec<ThreadCounters>,
}

impl<'a> SharedState<'a> {
    /// Prepares a search with a number of threads.
    pub fn new(
        request: SearchRequest<'a>,
        candidates: Candidates,
        threads: usize,
    ) -> SharedState<'a> {
        let SearchOptions {
            move_overhead_ms,
            ponders,
            ..
        } = *request.options;
        SharedState {
            root_moves: candidates.moves,
            ranking_probes: candidates.ranking_probes,
            probe_tree: candidates.probe_tree,
            budget: request
                .limits
                .clock
                .map(|clock| time::budget(clock, move_overhead_ms, ponders)),
            overdue: AtomicBool::new(false),
            resumed: AtomicBool::new(false),
            stop: AtomicBool::new(false),
            counters: (0..threads).map(|_| ThreadCounters::default()).collect(),
            request,
        }
    }

    /// Returns the nodes over all threads.
    pub fn nodes(&self) -> u64 {
        self.counters
            .iter()
            .map(|counters| counters.nodes.load(Ordering::Relaxed))
            .sum()
    }

    /// Returns the tablebase hits over all threads.
    pub fn tbhits(&self) -> u64 {
        self.counters
            .iter()
            .map(|counters| counters.tbhits.load(Ordering::Relaxed))
            .sum()
    }

    /// Returns the time since the `go` command was read.
    pub fn elapsed(&self) -> Duration {
        self.request.go.received.elapsed()
    }

    /// Returns when the budget began to run: at the command, or at the ponderhit. `None` while
    /// pondering.
    fn clock_start(&self) -> Option<Instant> {
        let go = &self.request.go;
        if self.request.limits.ponder {
            go.control.ponderhit_time(go.number)
        } else {
            Some(go.received)
        }
    }

    /// Returns the used part of the budget; `None` while pondering. When nodes are the time, those
    /// of pondering count, too.
    fn time_used(&self) -> Option<Duration> {
        self.clock_start().map(|start| self.time_since(start))
    }

    /// Returns true until the pondered move has been played: no clock runs before that.
    pub fn is_pondering(&self) -> bool {
        self.clock_start().is_none()
    }

    /// Returns the time since the `go` command, that of pondering included.
    pub fn time_searched(&self) -> Duration {
        self.time_since(self.request.go.received)
    }

    /// Returns the time since `start`, or the time of the nodes searched when nodes are the time.
    fn time_since(&self, start: Instant) -> Duration {
        match self.request.options.nodes_per_ms {
            Some(rate) => Duration::from_micros(self.nodes().saturating_mul(1000) / rate),
            None => start.elapsed(),
        }
    }

    /// Returns whether the node limit is reached.
    pub fn node_limit_reached(&self) -> bool {
        let limit = self.request.limits.nodes;
        limit.is_some_and(|limit| self.nodes() >= limit)
    }

    /// Returns whether a command or the clock ends the search within an iteration.
    pub fn must_stop(&self) -> bool {
        let SearchRequest {
            go,
            limits,
            options,
            ..
        } = &self.request;
        if go.is_stopped() {
            return true;
        }
        let hard = self.budget.map(|budget| {
            if self.resumed.load(Ordering::Relaxed) {
                budget.soft
            } else {
                budget.hard
            }
        });
        if hard.is_none() && limits.movetime.is_none() {
            return false;
        }
        let overhead = Duration::from_millis(options.move_overhead_ms);
        let movetime = limits
            .movetime
            .map(|time| time.saturating_sub(overhead.min(time / 4)));
        self.time_used().is_some_and(|used| {
            self.overdue.load(Ordering::Relaxed)
                || hard.is_some_and(|hard| used >= hard)
                || movetime.is_some_and(|movetime| used >= movetime)
        })
    }
}
