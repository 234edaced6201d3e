//! Where the nodes of a drawn tree go: leaves side by side, parents above the middle of their children.

use crate::lab::game::{Game, Player};
use crate::lab::search::{Node, Search};

/// The width that a leaf takes, in pixels.
const LEAF_WIDTH: f64 = 46.0;
/// The width that another node takes at least, with what is written beside it.
const INTERIOR_WIDTH: f64 = 136.0;

/// A node with its place.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub path: u64,
    pub player: Player,
    /// The nodes below, by number; empty for a leaf.
    pub children: Vec<usize>,
    /// The move that leads here, as text.
    pub via: String,
    /// How many moves and throws lie above.
    pub level: usize,
    pub x: f64,
}

/// A tree with places; the root is the first node.
pub(super) struct Layout {
    pub nodes: Vec<Placed>,
    pub width: f64,
    pub levels: usize,
}

/// Lays a game's tree out, unless it has more leaves than `most_leaves`.
pub(super) fn layout<G: Game>(
    search: &Search<'_, G>,
    root: &Node<G>,
    most_leaves: usize,
) -> Option<Layout> {
    let mut layout = Layout {
        nodes: Vec::new(),
        width: 0.0,
        levels: 0,
    };
    let mut leaves = most_leaves;
    layout.width = place(search, root, String::new(), 0.0, &mut layout, &mut leaves)?;
    Some(layout)
}

/// Places a node and all below it from `left` on. The width that they take.
fn place<G: Game>(
    search: &Search<'_, G>,
    node: &Node<G>,
    via: String,
    left: f64,
    layout: &mut Layout,
    leaves: &mut usize,
) -> Option<f64> {
    let level = node.ply as usize;
    let index = layout.nodes.len();
    layout.levels = layout.levels.max(level + 1);
    layout.nodes.push(Placed {
        path: node.path,
        player: search.player(node),
        children: Vec::new(),
        via,
        level,
        x: left + LEAF_WIDTH / 2.0,
    });
    if node.depth == 0 || search.is_end(node) {
        *leaves = leaves.checked_sub(1)?;
        return Some(LEAF_WIDTH);
    }
    let mut children = Vec::new();
    let mut width = 0.0;
    for child in search.children(node) {
        children.push(layout.nodes.len());
        let m = child.via.as_ref();
        let via = m.map_or(String::new(), |m| search.game().move_text(&node.state, m));
        width += place(search, &child, via, left + width, layout, leaves)?;
    }
    if width < INTERIOR_WIDTH {
        shift(layout, index + 1, (INTERIOR_WIDTH - width) / 2.0);
        width = INTERIOR_WIDTH;
    }
    let x = |child: Option<&usize>| {
        child
            .and_then(|child| layout.nodes.get(*child))
            .map(|placed| placed.x)
    };
    let (first, last) = (x(children.first())?, x(children.last())?);
    let placed = layout.nodes.get_mut(index)?;
    placed.x = (first + last) / 2.0;
    placed.children = children;
    Some(width)
}

/// Moves all nodes from one on to the right.
fn shift(layout: &mut Layout, from: usize, distance: f64) {
    for placed in layout.nodes.iter_mut().skip(from) {
        placed.x += distance;
    }
}
