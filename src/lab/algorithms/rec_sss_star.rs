//! RecSSS*: SSS* as a recursive procedure, without the sorted list OPEN.
//!
//! After Bhattacharya and Bagchi, *A Faster Alternative to SSS\* with Extension to Variable Memory*
//! (1993). Each node that is kept knows an upper bound on its value. A Max node keeps all children
//! and descends to the leftmost with the largest bound, a Min node keeps only the child that is
//! being searched. So the leaves and their order are those of SSS*.

use crate::lab::game::{Game, INFINITY, Mover, Value};
use crate::lab::search::{Halt, Search, SearchResult, TreeNode, Valuation, Window};

/// A node that is kept, with an upper bound on its value.
struct Kept<G: Game> {
    node: TreeNode<G>,
    upper: Value,
    /// The bound with which the node was made. A smaller bound was found below the node.
    first_upper: Value,
    /// A leaf's value, once it has been evaluated.
    value: Option<Value>,
    is_expanded: bool,
    /// All children of a Max node; the current one of a Min node.
    children: Vec<Kept<G>>,
    /// The number of a Min node's current child.
    current: usize,
    /// The principal variation behind the value.
    line: Vec<G::Move>,
}

impl<G: Game> Kept<G> {
    fn new(node: TreeNode<G>, upper: Value) -> Kept<G> {
        Kept {
            node,
            upper,
            first_upper: upper,
            value: None,
            is_expanded: false,
            children: Vec::new(),
            current: 0,
            line: Vec::new(),
        }
    }

    fn take_line_of(&mut self, child: usize) {
        if let Some(child) = self.children.get(child) {
            self.line = child.node.via.iter().chain(&child.line).cloned().collect();
        }
    }
}

/// Returns the value of a node, for Max, by RecSSS*.
///
/// # Errors
/// Fails when a limit is reached or the game has chance nodes.
pub fn rec_sss_star<G: Game>(search: &mut Search<'_, G>, node: &TreeNode<G>) -> SearchResult<G> {
    let mut stored = 0;
    let mut root = Kept::new(node.clone(), INFINITY);
    loop {
        let asked = root.upper;
        let value = lower_bound_or_less(search, &mut root, asked, &mut stored)?;
        if value == asked {
            let line = root.line;
            return Ok(Valuation { value, line });
        }
    }
}

/// Returns `asked` if the node is worth at least that. Otherwise returns a smaller upper bound.
fn lower_bound_or_less<G: Game>(
    search: &mut Search<'_, G>,
    kept: &mut Kept<G>,
    asked: Value,
    stored: &mut usize,
) -> Result<Value, Halt> {
    if !kept.is_expanded {
        kept.is_expanded = true;
        search.sign(&kept.node)?;
        let window = Window::new(-INFINITY, asked);
        kept.value = search.open(&kept.node, Some(window))?;
        if kept.value.is_none() && search.player(&kept.node) == Mover::Max {
            let children = search.children(&kept.node);
            kept.children = children.map(|child| Kept::new(child, asked)).collect();
            *stored += kept.children.len();
            search.stored(*stored, size_of::<Kept<G>>())?;
        }
    }
    let upper = match kept.value {
        Some(value) => value.min(asked),
        None if search.player(&kept.node) == Mover::Max => max_node(search, kept, asked, stored)?,
        None => min_node(search, kept, asked, stored)?,
    };
    kept.upper = upper;
    Ok(upper)
}

fn max_node<G: Game>(
    search: &mut Search<'_, G>,
    kept: &mut Kept<G>,
    asked: Value,
    stored: &mut usize,
) -> Result<Value, Halt> {
    loop {
        let mut best = 0;
        let mut upper = -INFINITY;
        for (number, child) in kept.children.iter().enumerate() {
            if child.upper > upper {
                (best, upper) = (number, child.upper);
            }
        }
        search.update(&kept.node, Some(Window::new(-INFINITY, asked)), upper);
        if upper < asked {
            return Ok(upper);
        }
        let Some(child) = kept.children.get_mut(best) else {
            return Ok(upper);
        };
        if lower_bound_or_less(search, child, asked, stored)? == asked {
            kept.take_line_of(best);
            if kept.children.len() > 1 {
                search.cut(&kept.node);
            }
            *stored = stored.saturating_sub(kept.children.len());
            kept.children.clear();
            search.close(&kept.node, asked);
            return Ok(asked);
        }
    }
}

fn min_node<G: Game>(
    search: &mut Search<'_, G>,
    kept: &mut Kept<G>,
    asked: Value,
    stored: &mut usize,
) -> Result<Value, Halt> {
    loop {
        if kept.children.is_empty() {
            let Some(next) = search.children(&kept.node).nth(kept.current) else {
                // No reply brings the value below what was asked.
                search.close(&kept.node, asked);
                return Ok(asked);
            };
            kept.children.push(Kept::new(next, asked));
            *stored += 1;
            search.stored(*stored, size_of::<Kept<G>>())?;
        }
        let Some(child) = kept.children.first_mut() else {
            return Ok(asked);
        };
        let value = lower_bound_or_less(search, child, asked, stored)?;
        if value < asked {
            return Ok(value);
        }
        // The last reply that lowered the value is the best one.
        if child.upper < child.first_upper {
            kept.take_line_of(0);
        }
        *stored = stored.saturating_sub(1);
        kept.children.clear();
        kept.current += 1;
    }
}
