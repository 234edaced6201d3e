//! What happened at each node of a search, for a drawing.

use std::collections::HashMap;

use super::game::Value;
use super::search::Window;

/// What happened at one node.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Visits {
    /// When the search came to it: the numbers of the visits among all visits, from 1.
    pub order: Vec<usize>,
    /// Alpha and beta at the last visit, as Max sees them.
    pub window: Option<Window>,
    /// The value, or the bound on it, that the last visit ended with.
    pub value: Option<Value>,
}

/// What happened at each node that a search came to, by [`Node::path`](super::search::Node::path).
#[derive(Clone, Debug, Default)]
pub struct Trace {
    visits: HashMap<u64, Visits>,
    count: usize,
}

impl Trace {
    /// The search comes to a node.
    pub(super) fn enter(&mut self, path: u64, window: Option<Window>) {
        self.count += 1;
        let visits = self.visits.entry(path).or_default();
        visits.order.push(self.count);
        visits.window = window;
    }

    /// The search leaves a node.
    pub(super) fn leave(&mut self, path: u64, value: Value) {
        self.visits.entry(path).or_default().value = Some(value);
    }

    /// What happened at a node; `None` if the search never came to it.
    pub fn at(&self, path: u64) -> Option<&Visits> {
        self.visits.get(&path)
    }
}
