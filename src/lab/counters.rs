//! What an algorithm did.

use serde::Serialize;

/// What every algorithm counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Counters {
    /// Interior nodes gone through, each as often as it was.
    pub interior: u64,
    /// Leaves evaluated, each as often as it was.
    pub leaves: u64,
    /// Different leaves evaluated. Leaves are told apart by the way to them.
    pub distinct_leaves: u64,
    /// Leaves evaluated, among them, because of the depth and not because the game ends there.
    pub cut_off: u64,
    /// How often the remaining children of a node were not looked at.
    pub cutoffs: u64,
    /// How often a table knew what was needed.
    pub table_hits: u64,
    /// The largest number of entries in tables and lists at one time. What the recursion needs is not counted.
    pub stored_entries: usize,
    /// The size of those entries, in bytes.
    pub stored_bytes: usize,
}
