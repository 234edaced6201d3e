//! A transposition table without a size limit.

use std::collections::HashMap;

use super::game::{Game, INFINITY, Value};
use super::search::{Halt, Search, TreeNode};

/// Bounds on the value of a node for Max.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// The value is at least this.
    pub lower: Value,
    /// The value is at most this.
    pub upper: Value,
}

impl Bounds {
    /// The bounds of a value about which nothing is known.
    pub const UNKNOWN: Bounds = Bounds {
        lower: -INFINITY,
        upper: INFINITY,
    };
}

/// A table of bounds by position and remaining depth, leaves included.
pub struct BoundTable<G: Game> {
    bounds: HashMap<(G::State, u32), Bounds>,
}

impl<G: Game> Default for BoundTable<G> {
    fn default() -> BoundTable<G> {
        BoundTable {
            bounds: HashMap::new(),
        }
    }
}

impl<G: Game> BoundTable<G> {
    /// Returns the bounds of a node.
    pub fn get(&self, node: &TreeNode<G>) -> Option<Bounds> {
        // The key is owned, so that a look-up costs a copy of the state.
        self.bounds.get(&(node.state.clone(), node.depth)).copied()
    }

    /// Adds bounds that a search has found.
    ///
    /// # Errors
    /// Fails when the memory limit is reached.
    pub fn put(
        &mut self,
        search: &mut Search<'_, G>,
        node: &TreeNode<G>,
        found: Bounds,
    ) -> Result<(), Halt> {
        let known = self
            .bounds
            .entry((node.state.clone(), node.depth))
            .or_insert(Bounds::UNKNOWN);
        known.lower = known.lower.max(found.lower);
        known.upper = known.upper.min(found.upper);
        search.stored(self.bounds.len(), size_of::<((G::State, u32), Bounds)>())
    }
}
