//! The tree below a node together with what a search did in it, for text, pictures and the page.

use thiserror::Error;

use super::game::{Game, Mover, Value, value_text};
use super::search::{Search, TreeNode, depth_below};
use super::table::Bounds;
use super::trace::{ValueBound, Visits};

/// The largest number of leaves of a tree that is shown. Larger ones cannot be read.
pub const MOST_LEAVES: usize = 400;

/// The tree is too large to be shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("the tree has more than {MOST_LEAVES} leaves: too many to show")]
pub struct TooLarge;

/// A node of the outline.
#[derive(Clone, Debug)]
pub struct OutlineNode {
    /// The node's [`TreeNode::path`].
    pub path: u64,
    /// The player who decides here.
    pub mover: Mover,
    /// The number of the parent; none for the root.
    pub parent: Option<usize>,
    /// The numbers of the children; empty for a leaf.
    pub children: Vec<usize>,
    /// The move that leads here, as text; empty for the root.
    pub via: String,
    /// The number of moves and throws between the root and this node.
    pub level: usize,
    /// The Dewey number, with children counted from 1; empty for the root.
    pub dewey: Vec<u32>,
    /// The visits of the search here; `None` if it never entered the node.
    pub visits: Option<Visits>,
    /// True if the search entered this node or, as Star2 does, one below it.
    pub is_reached: bool,
    /// True for a node beyond the depth limit, where quiescence and continuation search on.
    pub is_beyond: bool,
}

impl OutlineNode {
    /// Returns the value, bound or estimate that the search found, or the interval that it left,
    /// as text; empty if it found none.
    pub fn value_text(&self, unit: Value) -> String {
        let Some(visits) = &self.visits else {
            return String::new();
        };
        match (visits.value, visits.interval) {
            (Some(value), _) => format!("{}{}", visits.bound.sign(), value_text(value, unit)),
            (None, Some(Bounds { lower, upper })) if lower < upper => {
                format!("{}..{}", value_text(lower, unit), value_text(upper, unit))
            }
            (None, Some(Bounds { lower, .. })) => value_text(lower, unit),
            (None, None) => String::new(),
        }
    }

    /// Returns the Dewey number as text, `ε` for the root.
    pub fn dewey_text(&self) -> String {
        if self.dewey.is_empty() {
            return "ε".to_owned();
        }
        let numbers: Vec<String> = self.dewey.iter().map(u32::to_string).collect();
        numbers.join(".")
    }
}

/// Lists the nodes of a game's tree in preorder: the root is the first. Beyond the depth limit
/// there are only nodes that the search entered.
///
/// # Errors
/// Fails when there are too many leaves.
pub fn outline<G: Game>(
    search: &Search<'_, G>,
    root: &TreeNode<G>,
) -> Result<Vec<OutlineNode>, TooLarge> {
    let mut nodes = Vec::new();
    let mut leaves = MOST_LEAVES;
    let visits = search.trace().and_then(|trace| trace.at(root.path));
    let depth = visits.map_or(0, |visits| visits.depth);
    add(search, root, None, false, depth, &mut nodes, &mut leaves)?;
    // Children have larger numbers than their parents.
    for index in (0..nodes.len()).rev() {
        let Some(node) = nodes.get(index) else {
            continue;
        };
        if let (true, Some(parent)) = (node.is_reached, node.parent)
            && let Some(parent) = nodes.get_mut(parent)
        {
            parent.is_reached = true;
        }
    }
    Ok(nodes)
}

/// Adds a node, which the last pass over the root searched to this depth if at all, and those below
/// it.
fn add<G: Game>(
    search: &Search<'_, G>,
    node: &TreeNode<G>,
    parent: Option<usize>,
    is_beyond: bool,
    depth: u32,
    nodes: &mut Vec<OutlineNode>,
    leaves: &mut usize,
) -> Result<(), TooLarge> {
    let index = nodes.len();
    let visits_of = |node: &TreeNode<G>| search.trace()?.at(node.path).cloned();
    let mut visits = visits_of(node);
    if let Some(visits) = &mut visits
        && visits.depth < depth
        && !search.is_end(node)
    {
        visits.bound = ValueBound::Estimate;
    }
    let above = parent.and_then(|parent| nodes.get(parent));
    let mut dewey = above.map_or(Vec::new(), |above| above.dewey.clone());
    if let Some(above) = above {
        dewey.push(above.children.len() as u32);
    }
    nodes.push(OutlineNode {
        path: node.path,
        mover: search.player(node),
        parent,
        children: Vec::new(),
        via: String::new(),
        level: dewey.len(),
        dewey,
        is_reached: visits.is_some(),
        visits,
        is_beyond,
    });
    if search.is_end(node) {
        *leaves = leaves.checked_sub(1).ok_or(TooLarge)?;
        return Ok(());
    }
    let below = depth_below(depth, search.player(node) == Mover::Chance);
    for child in search.children(node) {
        let child_is_beyond = node.depth == 0;
        if child_is_beyond && visits_of(&child).is_none() {
            continue;
        }
        let number = nodes.len();
        if let Some(placed) = nodes.get_mut(index) {
            placed.children.push(number);
        }
        let parent = Some(index);
        add(
            search,
            &child,
            parent,
            child_is_beyond,
            below,
            nodes,
            leaves,
        )?;
        let m = child.via.as_ref();
        if let Some(placed) = nodes.get_mut(number) {
            placed.via = m.map_or(String::new(), |m| search.game().move_text(&node.state, m));
        }
    }
    if nodes.len() == index + 1 {
        *leaves = leaves.checked_sub(1).ok_or(TooLarge)?;
    }
    Ok(())
}
