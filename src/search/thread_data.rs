//! The data that a search thread keeps between searches.

use std::fmt;

use super::history::{Histories, PieceTo, Slot};
use super::params;
use super::root_moves::Variation;
use crate::eval::classical::PawnCache;
use crate::eval::nnue::{AccumulatorStack, Network};
use crate::huge_pages::HugeBox;
use crate::position::Move;
use crate::score::MAX_PLY;

/// The part of a node that its descendants read.
#[derive(Clone, Copy, Debug)]
pub struct StackEntry {
    /// The move being searched, as an index into continuation tables.
    pub played: PieceTo,
    /// The slot of that move's own history; none for a null move.
    pub slot: Option<Slot>,
    /// The corrected static evaluation, unless in check.
    pub static_eval: Option<i32>,
    /// The correction that `static_eval` contains.
    pub correction: i32,
    /// The move that a singular search leaves out.
    pub excluded: Option<Move>,
    /// The number of beta cutoffs at this ply since the grandparent node was entered.
    pub cutoffs: u32,
    /// The number of double extensions on the path to this node.
    pub double_extensions: u32,
    /// The reduction of the move being searched, in plies.
    pub reduction: i32,
}

const EMPTY_ENTRY: StackEntry = StackEntry {
    played: PieceTo::NONE,
    slot: None,
    static_eval: None,
    correction: 0,
    excluded: None,
    cutoffs: 0,
    double_extensions: 0,
    reduction: 0,
};

/// Entries before the root, so that looking back needs no test.
pub(super) const STACK_OFFSET: usize = 6;

/// The data that a search thread keeps between searches. It is large, so it lives on the heap.
pub struct ThreadData {
    /// The histories.
    pub histories: HugeBox<Histories>,
    pub(super) pawn_cache: PawnCache,
    /// The accumulators, if a network evaluates.
    pub(super) accumulators: Option<AccumulatorStack>,
    pub(super) stack: Vec<StackEntry>,
    /// The principal variation found at each ply.
    pub(super) pv: Vec<Variation>,
    lmr_table: Vec<i32>,
    /// True when the histories need not be touched: the system has provided their memory, or a
    /// search has begun to learn.
    touched: bool,
}

impl fmt::Debug for ThreadData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ThreadData")
    }
}

impl ThreadData {
    /// Creates the data of a new thread. Call [`ThreadData::set_network`] when the network changes.
    pub fn new(network: Option<&Network>) -> ThreadData {
        ThreadData {
            histories: Histories::new(),
            pawn_cache: PawnCache::new(),
            accumulators: network.map(AccumulatorStack::new),
            stack: vec![EMPTY_ENTRY; MAX_PLY + STACK_OFFSET + 4],
            pv: vec![Variation::new(); MAX_PLY + 2],
            lmr_table: Vec::new(),
            touched: false,
        }
    }

    /// Has the system provide the memory of the histories now, and not in the first search. Only
    /// the first call takes time.
    pub fn touch(&mut self) {
        if !self.touched {
            self.clear_histories();
        }
    }

    /// Clears the histories.
    pub fn clear_histories(&mut self) {
        self.histories.clear();
        self.touched = true;
    }

    /// Prepares for searches with another network, or with none.
    pub fn set_network(&mut self, network: Option<&Network>) {
        self.accumulators = network.map(AccumulatorStack::new);
    }

    /// Prepares for a search.
    pub(super) fn reset(&mut self, network: Option<&Network>) {
        self.touched = true;
        self.stack.fill(EMPTY_ENTRY);
        if let (Some(accumulators), Some(network)) = (&mut self.accumulators, network) {
            accumulators.reset(network);
        }
        if self.lmr_table.is_empty() || cfg!(feature = "tuning") {
            self.lmr_table = lmr_table();
        }
    }

    /// Returns the tabulated part of a late move reduction, in 1024ths of a ply.
    #[inline]
    pub(super) fn base_reduction(&self, depth: i32, move_number: usize) -> i32 {
        let depth = (depth as usize).min(LMR_TABLE_SIZE - 1);
        self.lmr_table[depth * LMR_TABLE_SIZE + move_number.min(LMR_TABLE_SIZE - 1)]
    }
}

/// The depths and move numbers for which reductions are tabulated.
const LMR_TABLE_SIZE: usize = 64;

/// Computes the logarithmic part of late move reductions in 1024ths of a ply,
/// `[depth][move number]`.
fn lmr_table() -> Vec<i32> {
    let base = f64::from(params::lmr_base()) / 1024.0;
    let divisor = f64::from(params::lmr_divisor()) / 100.0;
    (0..LMR_TABLE_SIZE * LMR_TABLE_SIZE)
        .map(|index| {
            let depth = (index / LMR_TABLE_SIZE).max(1) as f64;
            let number = (index % LMR_TABLE_SIZE).max(1) as f64;
            ((base + depth.ln() * number.ln() / divisor) * 1024.0) as i32
        })
        .collect()
}
