//! Traces of the evaluation: none during play, every feature for `quevedo eval` and for the tuner.

use shakmaty::Color;

use super::pair::Pair;
use super::terms::{FEATURES, Table};
use crate::position::color_index;

/// A receiver of the evaluation's features.
pub trait EvalTrace {
    /// Records `count` occurrences of a feature for a side.
    fn record(&mut self, color: Color, feature: usize, count: i32);
}

/// A trace that records nothing and compiles to nothing.
pub struct NoTrace;

impl EvalTrace for NoTrace {
    #[inline]
    fn record(&mut self, _: Color, _: usize, _: i32) {}
}

/// A trace that counts every feature for each side.
pub struct Recorder {
    /// `[feature][color]`
    pub counts: Vec<[i32; 2]>,
}

impl Recorder {
    /// Creates a trace with all counts at zero.
    pub fn new() -> Recorder {
        Recorder {
            counts: vec![[0; 2]; FEATURES],
        }
    }
}

impl Default for Recorder {
    fn default() -> Recorder {
        Recorder::new()
    }
}

impl EvalTrace for Recorder {
    fn record(&mut self, color: Color, feature: usize, count: i32) {
        if let Some(counts) = self.counts.get_mut(feature) {
            counts[color_index(color)] += count;
        }
    }
}

/// A sum of weights for one side that reports to a trace.
pub(super) struct Sum<'a, T> {
    /// The sum so far.
    pub total: Pair,
    color: Color,
    trace: &'a mut T,
}

impl<'a, T: EvalTrace> Sum<'a, T> {
    /// Starts a sum at zero for this side.
    #[inline]
    pub fn new(color: Color, trace: &'a mut T) -> Sum<'a, T> {
        Sum {
            total: Pair::ZERO,
            color,
            trace,
        }
    }

    /// Adds an entry of a table. Indices beyond the end, which only composed positions reach,
    /// select the last entry.
    #[inline(always)]
    pub fn add<const N: usize>(&mut self, table: &Table<N>, index: usize) {
        self.add_times(table, index, 1);
    }

    /// Adds an entry of a table `count` times.
    #[inline(always)]
    pub fn add_times<const N: usize>(&mut self, table: &Table<N>, index: usize, count: i32) {
        let index = index.min(N - 1);
        self.total += table.weights[index] * count;
        self.trace.record(self.color, table.start + index, count);
    }

    /// Adds a precomputed sum of weights and records its features.
    #[inline(always)]
    pub fn add_prepared(&mut self, prepared: Pair, features: &[usize]) {
        self.total += prepared;
        for &feature in features {
            self.trace.record(self.color, feature, 1);
        }
    }
}
