//! A table of what is known about positions, without limit of size.

use std::collections::HashMap;

use super::game::{Game, INFINITY, Value};
use super::search::{Halt, Node, Search};

/// What is known about the value of a node, for Max: it is at least `lower` and at most `upper`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// At least this.
    pub lower: Value,
    /// At most this.
    pub upper: Value,
}

impl Bounds {
    /// Nothing is known.
    pub const UNKNOWN: Bounds = Bounds {
        lower: -INFINITY,
        upper: INFINITY,
    };
}

/// A table of bounds by position and remaining depth. Leaves are kept in it, too.
pub struct Table<G: Game> {
    bounds: HashMap<(G::State, u32), Bounds>,
}

impl<G: Game> Default for Table<G> {
    fn default() -> Table<G> {
        Table {
            bounds: HashMap::new(),
        }
    }
}

impl<G: Game> Table<G> {
    /// What is known about a node.
    pub fn get(&self, node: &Node<G>) -> Option<Bounds> {
        // The key is owned, and a copy of the state is what asking costs.
        self.bounds.get(&(node.state.clone(), node.depth)).copied()
    }

    /// Adds what a search has found out.
    ///
    /// # Errors
    /// When there is no memory left for it.
    pub fn put(
        &mut self,
        search: &mut Search<'_, G>,
        node: &Node<G>,
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
