//! Trees written out as text.
//!
//! ```text
//! # A comment goes to the end of its line.
//! max(min(3 12 8) min(2 4 6) min(14 5 2))
//! ```
//!
//! A node is a number, or the player who moves there and the children in brackets: `max(..)`,
//! `min(..)` or `chance(..)`. Without a name, `(..)` belongs to the opponent of the player above,
//! and the root to Max. A label may stand before a node, as in `B:min(..)`. Before the bracket may
//! stand `@4.5`, the estimate where a search is cut off (0 if not given), or `@-2..5`, a
//! pessimistic and an optimistic estimate; and `!`, which marks estimates that cannot be trusted.
//! Below `chance`, `3*` before a child makes it three times as likely as one without. Numbers have
//! at most three decimals, after a point.

use crate::lab::game::{Game, Mover, Value, value_text};
use crate::lab::language::Language;

use super::explicit_parser;

pub use explicit_parser::TreeError;

/// The units of a value of one: values are thousandths.
pub const UNIT: Value = 1_000;
/// The longest text of a position, in characters.
const LONGEST_TEXT: usize = 200;

/// A node of the tree.
#[derive(Clone, Debug)]
pub(super) struct ParsedNode {
    pub player: Mover,
    /// The nodes below; none for a leaf.
    pub children: Vec<usize>,
    /// A leaf's value, or the estimate of another node.
    pub value: Value,
    pub is_quiet: bool,
    /// The weight among its siblings, below a chance node.
    pub weight: u32,
    /// The name in the file.
    pub label: Option<String>,
    /// A pessimistic and an optimistic estimate.
    pub bounds: Option<(Value, Value)>,
}

/// A game that is a tree. Positions are numbers of nodes, moves numbers of children, from 0.
#[derive(Clone, Debug)]
pub struct ExplicitTree {
    nodes: Vec<ParsedNode>,
    range: (Value, Value),
    /// The range of the leaves.
    utility_range: (Value, Value),
    has_chance: bool,
}

impl ExplicitTree {
    /// Parses a tree.
    ///
    /// # Errors
    /// Names the line and column where the text is not a tree.
    pub fn parse(text: &str) -> Result<ExplicitTree, TreeError> {
        let nodes = explicit_parser::parse(text)?;
        let leaves = nodes.iter().filter(|node| node.children.is_empty());
        Ok(ExplicitTree {
            range: range_of(nodes.iter()),
            utility_range: range_of(leaves),
            has_chance: nodes.iter().any(|node| node.player == Mover::Chance),
            nodes,
        })
    }

    /// Writes the tree below a node, as far as it fits on a line.
    fn text_of(&self, index: usize) -> String {
        let mut text = String::new();
        self.write(index, &mut text);
        if text.chars().count() > LONGEST_TEXT {
            text = text.chars().take(LONGEST_TEXT).chain(['…']).collect();
        }
        text
    }

    fn write(&self, index: usize, text: &mut String) {
        let Some(node) = self.node(index) else {
            return;
        };
        if text.len() > LONGEST_TEXT {
            return;
        }
        if let Some(label) = &node.label {
            *text += &format!("{label}:");
        }
        if node.children.is_empty() {
            *text += &value_text(node.value, UNIT);
            return;
        }
        *text += match node.player {
            Mover::Max => "max",
            Mover::Min => "min",
            Mover::Chance => "chance",
        };
        let number = |value| value_text(value, UNIT);
        match node.bounds {
            Some((lower, upper)) => *text += &format!("@{}..{}", number(lower), number(upper)),
            // An estimate of 0 need not be written.
            None if node.value == 0 => {}
            None => *text += &format!("@{}", number(node.value)),
        }
        if !node.is_quiet {
            *text += "!";
        }
        *text += "(";
        for (number, child) in node.children.iter().enumerate() {
            if number > 0 {
                *text += " ";
            }
            match self.node(*child).map_or(1, |child| child.weight) {
                1 => {}
                weight => *text += &format!("{weight}*"),
            }
            self.write(*child, text);
        }
        *text += ")";
    }

    fn node(&self, index: usize) -> Option<&ParsedNode> {
        self.nodes.get(index)
    }
}

/// Returns the smallest and the largest value of nodes.
fn range_of<'n>(nodes: impl Iterator<Item = &'n ParsedNode> + Clone) -> (Value, Value) {
    let values = nodes.map(|node| node.value);
    (values.clone().min().unwrap_or(0), values.max().unwrap_or(0))
}

impl Game for ExplicitTree {
    type State = usize;
    type Move = usize;

    fn start(&self) -> usize {
        0
    }

    fn player(&self, state: &usize) -> Mover {
        self.node(*state).map_or(Mover::Max, |node| node.player)
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

    fn utility_range(&self) -> (Value, Value) {
        self.utility_range
    }

    /// Writes the label of the child, or its number from 1 if it has none.
    fn move_text(&self, state: &usize, child: &usize) -> String {
        let below = self.node(self.apply(state, child));
        let label = below.and_then(|node| node.label.clone());
        label.unwrap_or_else(|| (child + 1).to_string())
    }

    fn state_text(&self, state: &usize, _language: Language) -> String {
        self.text_of(*state)
    }

    fn draw(&self) -> Option<Value> {
        None
    }

    fn bounds(&self, state: &usize) -> (Value, Value) {
        match self.node(*state) {
            Some(node) if node.children.is_empty() => (node.value, node.value),
            node => node.and_then(|node| node.bounds).unwrap_or(self.range),
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_of_a_tree_is_that_tree() {
        for text in [
            "max(min(3 12 8) min(2 4 6))",
            "max(min@4(-5 -3) min@-2.5(2 3))",
            "max(A:min@-2..5(1 2) B:chance!(3*1 2))",
            "min@1!(max(1 2) 7)",
        ] {
            let tree = ExplicitTree::parse(text).unwrap();
            assert_eq!(tree.state_text(&tree.start(), Language::English), text);
        }
        let tree = ExplicitTree::parse("((1 2) @0(3))").unwrap();
        assert_eq!(tree.text_of(0), "max(min(1 2) min(3))");
    }
}
