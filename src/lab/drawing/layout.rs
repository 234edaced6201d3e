//! The layout of a drawn tree: leaves side by side, parents above the middle of their children.

use crate::lab::game::Value;
use crate::lab::outline::OutlineNode;

/// The smallest width of a leaf, in pixels.
const LEAF_WIDTH: f64 = 46.0;
/// The width of a character of a leaf's value, in a wide font.
const VALUE_CHARACTER: f64 = 8.0;
/// The space around that value.
const PADDING: f64 = 14.0;
/// The smallest width of an interior node with the labels beside it.
const INTERIOR_WIDTH: f64 = 136.0;

/// The horizontal position of each node.
pub(super) struct Layout {
    pub x: Vec<f64>,
    pub leaf_width: f64,
    pub width: f64,
    pub levels: usize,
}

/// Lays out a tree.
pub(super) fn layout(nodes: &[OutlineNode], unit: Value) -> Layout {
    let leaves = nodes.iter().filter(|node| node.children.is_empty());
    let longest = leaves.map(|leaf| leaf.value_text(unit).chars().count());
    let longest = longest.max().unwrap_or(0) as f64;
    let leaf_width = LEAF_WIDTH.max(longest * VALUE_CHARACTER + PADDING);
    let mut layout = Layout {
        x: vec![0.0; nodes.len()],
        leaf_width,
        width: 0.0,
        levels: nodes.iter().map(|node| node.level + 1).max().unwrap_or(0),
    };
    layout.width = place(nodes, 0, 0.0, leaf_width, &mut layout.x);
    layout
}

/// Places a node and everything below it, starting at `left`. Returns the width.
fn place(nodes: &[OutlineNode], index: usize, left: f64, leaf_width: f64, x: &mut [f64]) -> f64 {
    let children = nodes
        .get(index)
        .map_or(&[][..], |node| node.children.as_slice());
    let mut width = 0.0;
    for child in children {
        width += place(nodes, *child, left + width, leaf_width, x);
    }
    let (Some(first), Some(last)) = (children.first(), children.last()) else {
        if let Some(own) = x.get_mut(index) {
            *own = left + leaf_width / 2.0;
        }
        return leaf_width;
    };
    if width < INTERIOR_WIDTH {
        // In preorder everything below a node comes directly after it.
        let shift = (INTERIOR_WIDTH - width) / 2.0;
        let level = nodes.get(index).map_or(0, |node| node.level);
        let below = nodes.iter().skip(index + 1);
        let count = below.take_while(|node| node.level > level).count();
        x.iter_mut()
            .skip(index + 1)
            .take(count)
            .for_each(|x| *x += shift);
        width = INTERIOR_WIDTH;
    }
    let at = |child: &usize| x.get(*child).copied().unwrap_or(left);
    let middle = (at(first) + at(last)) / 2.0;
    if let Some(own) = x.get_mut(index) {
        *own = middle;
    }
    width
}
