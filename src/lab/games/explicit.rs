//! Trees written out as text.
//!
//! ```text
//! # A comment goes to the end of its line.
//! max(min(3 12 8) min(2 4 6) min(14 5 2))
//! ```
//!
//! A node is a number, or the player who moves there and the children in brackets: `max(..)`, `min(..)` or `chance(..)`.
//! Without a name, `(..)` belongs to the opponent of the player above, and the root to Max. Before the bracket may stand
//! `@4.5`, what the node looks to be worth where a search is cut off (0 if not given), and `!`, which says that these looks cannot
//! be trusted. Below `chance`, `3*` before a child makes it three times as likely as one without. Numbers have at most
//! three decimals.

use crate::lab::game::{Game, Player, Value};

use super::explicit_parser;

pub use explicit_parser::TreeError;

/// The units of a value of one: values are thousandths.
pub const UNIT: Value = 1_000;

/// A node of the tree.
#[derive(Clone, Debug)]
pub(super) struct TreeNode {
    pub player: Player,
    /// The nodes below; none for a leaf.
    pub children: Vec<usize>,
    /// A leaf's value, or what another node looks to be worth.
    pub value: Value,
    pub is_quiet: bool,
    /// Against the siblings', below a chance node.
    pub weight: u32,
}

/// A game that is a tree. Positions are numbers of nodes, moves numbers of children, from 0.
#[derive(Clone, Debug)]
pub struct ExplicitTree {
    nodes: Vec<TreeNode>,
    range: (Value, Value),
    has_chance: bool,
}

impl ExplicitTree {
    /// Reads a tree.
    ///
    /// # Errors
    /// Says in which line and column the text is no tree.
    pub fn parse(text: &str) -> Result<ExplicitTree, TreeError> {
        let nodes = explicit_parser::parse(text)?;
        let values = || nodes.iter().map(|node| node.value);
        Ok(ExplicitTree {
            range: (values().min().unwrap_or(0), values().max().unwrap_or(0)),
            has_chance: nodes.iter().any(|node| node.player == Player::Chance),
            nodes,
        })
    }

    fn node(&self, index: usize) -> Option<&TreeNode> {
        self.nodes.get(index)
    }
}

impl Game for ExplicitTree {
    type State = usize;
    type Move = usize;

    fn start(&self) -> usize {
        0
    }

    fn player(&self, state: &usize) -> Player {
        self.node(*state).map_or(Player::Max, |node| node.player)
    }

    fn moves(&self, state: &usize) -> Vec<usize> {
        (0..self.node(*state).map_or(0, |node| node.children.len())).collect()
    }

    fn apply(&self, state: &usize, child: &usize) -> usize {
        let child = self.node(*state).and_then(|node| node.children.get(*child));
        child.copied().unwrap_or(*state)
    }

    fn utility(&self, state: &usize) -> Option<Value> {
        let node = self.node(*state)?;
        node.children.is_empty().then_some(node.value)
    }

    fn evaluate(&self, state: &usize) -> Value {
        self.node(*state).map_or(0, |node| node.value)
    }

    fn range(&self) -> (Value, Value) {
        self.range
    }

    fn move_text(&self, _state: &usize, child: &usize) -> String {
        (child + 1).to_string()
    }

    fn state_text(&self, state: &usize) -> String {
        format!("node {state}")
    }

    fn unit(&self) -> Value {
        UNIT
    }

    fn has_chance(&self) -> bool {
        self.has_chance
    }

    fn weight(&self, state: &usize, child: &usize) -> u32 {
        self.node(self.apply(state, child))
            .map_or(1, |node| node.weight)
    }

    fn is_quiet(&self, state: &usize) -> bool {
        self.node(*state).is_none_or(|node| node.is_quiet)
    }

    fn noisy_moves(&self, state: &usize) -> Vec<usize> {
        if self.is_quiet(state) {
            Vec::new()
        } else {
            self.moves(state)
        }
    }
}
