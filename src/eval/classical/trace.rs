//! What the evaluation reports about itself: nothing during play, every feature for `quevedo eval` and for the tuner.

use shakmaty::Color;

use super::pair::Pair;
use super::terms::{FEATURES, Table};
use crate::position::color_index;

/// Listens to the evaluation.
pub trait Trace {
    /// A feature of `color`, counted `count` times.
    fn record(&mut self, color: Color, feature: usize, count: i32);
}

/// Listens to nothing and compiles to nothing.
pub struct NoTrace;

impl Trace for NoTrace {
    #[inline]
    fn record(&mut self, _: Color, _: usize, _: i32) {}
}

/// Counts every feature for each side.
pub struct Recorder {
    /// `[feature][color]`
    pub counts: Vec<[i32; 2]>,
}

impl Recorder {
    /// Nothing counted yet.
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

impl Trace for Recorder {
    fn record(&mut self, color: Color, feature: usize, count: i32) {
        if let Some(counts) = self.counts.get_mut(feature) {
            counts[color_index(color)] += count;
        }
    }
}

/// Adds up weights for one side, and tells the trace.
pub(super) struct Sum<'a, T> {
    /// What has been added up.
    pub total: Pair,
    color: Color,
    trace: &'a mut T,
}

impl<'a, T: Trace> Sum<'a, T> {
    /// Nothing yet, for the side of this colour.
    #[inline]
    pub fn new(color: Color, trace: &'a mut T) -> Sum<'a, T> {
        Sum {
            total: Pair::ZERO,
            color,
            trace,
        }
    }

    /// Adds one entry of a table. An index past the end, which only composed positions reach, means the last entry.
    #[inline(always)]
    pub fn add<const N: usize>(&mut self, table: &Table<N>, index: usize) {
        self.add_times(table, index, 1);
    }

    /// Adds one entry of a table `count` times.
    #[inline(always)]
    pub fn add_times<const N: usize>(&mut self, table: &Table<N>, index: usize, count: i32) {
        let index = index.min(N - 1);
        self.total += table.weights[index] * count;
        self.trace.record(self.color, table.start + index, count);
    }

    /// Adds a sum of weights that was prepared, and records what it consists of.
    #[inline(always)]
    pub fn add_prepared(&mut self, prepared: Pair, features: &[usize]) {
        self.total += prepared;
        for &feature in features {
            self.trace.record(self.color, feature, 1);
        }
    }
}
