//! A log of what a search did, for drawings, the page that steps through searches, and exercises.

use std::collections::HashMap;

use serde::Serialize;

use super::game::Value;
use super::search::Window;
use super::table::Bounds;

/// The relation of a value that a search returned to the node's true value. That of a heuristic is
/// what it concluded, and may be wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueBound {
    /// The value itself.
    #[default]
    Exact,
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
    /// A shallower search found this, with estimates in place of what it did not see.
    Estimate,
}

impl ValueBound {
    /// Returns the sign that stands before a bound or an estimate, and nothing before an exact
    /// value.
    pub fn sign(self) -> &'static str {
        match self {
            ValueBound::Exact => "",
            ValueBound::Lower => "≥",
            ValueBound::Upper => "≤",
            ValueBound::Estimate => "≈",
        }
    }

    /// Classifies a value, for Max, that a search with this window returned.
    pub fn of(value: Value, window: Option<Window>) -> ValueBound {
        match window {
            Some(window) if value <= window.alpha => ValueBound::Upper,
            Some(window) if value >= window.beta => ValueBound::Lower,
            _ => ValueBound::Exact,
        }
    }
}

/// The steps that algorithms log. Each one corresponds to a line of pseudocode.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Action {
    /// The search enters a node.
    Enter,
    /// The node is a leaf and is evaluated.
    Leaf,
    /// A child has returned: the best value and the window may have changed.
    Update,
    /// The remaining children are cut off.
    Cut,
    /// A table already holds what was asked.
    TableHit,
    /// The next child is searched with a null window.
    NullWindow,
    /// The child is searched again with a wider window.
    Research,
    /// Another pass over the whole tree begins (MTD).
    Pass,
    /// A state is taken from the list OPEN (SSS*).
    Select,
    /// The search leaves the node with a value.
    Leave,
}

/// A state on the list OPEN: Dewey number with children counted from 1, whether it is solved, and
/// its merit.
pub type OpenState = (Vec<u32>, bool, Value);

/// One step of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraceEvent {
    /// The node, by [`TreeNode::path`](super::search::TreeNode::path).
    pub path: u64,
    /// The kind of step.
    pub action: Action,
    /// Alpha and beta, as Max sees them, where the algorithm has them.
    pub window: Option<Window>,
    /// The value, for Max, that belongs to the step.
    pub value: Option<Value>,
    /// The relation of that value to the node's true value, where the step ends a visit.
    pub bound: ValueBound,
    /// The list OPEN, the next state first, where the algorithm has one.
    pub open: Vec<OpenState>,
}

/// A summary of everything that happened at one node.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Visits {
    /// The numbers of this node's visits among all visits of the search, from 1.
    pub order: Vec<usize>,
    /// Alpha and beta at the start of the last visit, as Max sees them.
    pub window: Option<Window>,
    /// The value with which the last visit ended. `None` if it never ended.
    pub value: Option<Value>,
    /// The relation of that value to the node's true value.
    pub bound: ValueBound,
    /// What B* knows about the value, for Max; none in other searches.
    pub interval: Option<Bounds>,
    /// The number of plies that the last visit was to search.
    pub depth: u32,
}

/// The log of a search, and a summary for each node that it entered.
#[derive(Clone, Debug, Default)]
pub struct SearchTrace {
    events: Vec<TraceEvent>,
    visits: HashMap<u64, Visits>,
    count: usize,
}

impl SearchTrace {
    pub(super) fn enter(&mut self, path: u64, window: Option<Window>, depth: u32) {
        self.begin(path, window, depth);
        self.log(path, Action::Enter, window, None);
    }

    pub(super) fn leaf(&mut self, path: u64, value: Value) {
        self.end(path, Action::Leaf, None, value, ValueBound::Exact);
    }

    pub(super) fn table_hit(
        &mut self,
        path: u64,
        window: Window,
        value: Value,
        bound: ValueBound,
        depth: u32,
    ) {
        self.begin(path, Some(window), depth);
        self.end(path, Action::TableHit, Some(window), value, bound);
    }

    /// Without a bound, it follows from the window.
    pub(super) fn leave(&mut self, path: u64, value: Value, bound: Option<ValueBound>) {
        let window = self.visits.get(&path).and_then(|visits| visits.window);
        let bound = bound.unwrap_or_else(|| ValueBound::of(value, window));
        self.end(path, Action::Leave, window, value, bound);
    }

    pub(super) fn narrow(&mut self, path: u64, interval: Bounds) {
        self.visits.entry(path).or_default().interval = Some(interval);
    }

    /// Returns to a node after other searches that began there.
    pub(super) fn resume(&mut self, path: u64, window: Option<Window>, depth: u32) {
        let visits = self.visits.entry(path).or_default();
        visits.window = window;
        visits.depth = depth;
    }

    fn begin(&mut self, path: u64, window: Option<Window>, depth: u32) {
        self.count += 1;
        let visits = self.visits.entry(path).or_default();
        visits.order.push(self.count);
        self.resume(path, window, depth);
    }

    fn end(
        &mut self,
        path: u64,
        action: Action,
        window: Option<Window>,
        value: Value,
        bound: ValueBound,
    ) {
        let visits = self.visits.entry(path).or_default();
        visits.value = Some(value);
        visits.bound = bound;
        self.log(path, action, window, Some(value));
        if let Some(event) = self.events.last_mut() {
            event.bound = bound;
        }
    }

    pub(super) fn log(
        &mut self,
        path: u64,
        action: Action,
        window: Option<Window>,
        value: Option<Value>,
    ) {
        self.events.push(TraceEvent {
            path,
            action,
            window,
            value,
            bound: ValueBound::Exact,
            open: Vec::new(),
        });
    }

    pub(super) fn select(&mut self, path: u64, merit: Value, open: Vec<OpenState>) {
        self.log(path, Action::Select, None, Some(merit));
        if let Some(event) = self.events.last_mut() {
            event.open = open;
        }
    }

    /// Returns what happened at a node, or `None` if the search never entered it.
    pub fn at(&self, path: u64) -> Option<&Visits> {
        self.visits.get(&path)
    }

    /// Returns all steps in their order.
    pub fn events(&self) -> &[TraceEvent] {
        &self.events
    }
}
