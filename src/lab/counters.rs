//! The counters of a run.

use serde::Serialize;

/// The counters of a run, the same for every algorithm.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct NodeCounts {
    /// Interior nodes entered, with repetitions.
    pub interior: u64,
    /// Leaves evaluated, with repetitions.
    pub leaves: u64,
    /// Different leaves evaluated. A leaf is identified by the moves that lead to it.
    pub distinct_leaves: u64,
    /// Leaves evaluated at the depth limit, where the game does not end.
    pub cut_off: u64,
    /// Cut-offs: nodes whose remaining children were not searched.
    pub cutoffs: u64,
    /// Nodes that a table made it unnecessary to search.
    pub table_hits: u64,
    /// The largest number of entries in tables and lists at one time. The stack is not counted.
    pub stored_entries: usize,
    /// The size of those entries, in bytes.
    pub stored_bytes: usize,
}
