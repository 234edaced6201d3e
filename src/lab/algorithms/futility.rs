//! Futility cut-off: a branch that promises less than a margin more than what there is already is
//! given up, too.
//!
//! Where 3 is certain, a branch that can bring 3.1 at most is not worth looking at. The value can
//! be too small by the margin, at each level.

use crate::lab::game::{Game, INFINITY, Value};
use crate::lab::search::{Search, SearchResult, TreeNode, Valuation, Window};

/// The value of a node, for Max, about. With a margin of 0 it is alpha-beta.
///
/// # Errors
/// Fails when a limit is reached or the game has chance nodes.
pub fn futility<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    margin: Value,
) -> SearchResult<G> {
    let sign = search.sign(node)?;
    Ok(value(search, node, Window::FULL, margin.max(0))?.turned(sign))
}

fn value<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    mut window: Window,
    margin: Value,
) -> SearchResult<G> {
    let sign = search.sign(node)?;
    if let Some(value) = search.open(node, Some(window.turned(sign)))? {
        return Ok(Valuation::leaf(sign * value));
    }
    let mut best = Valuation::leaf(-INFINITY);
    let mut children = search.children(node);
    while let Some(child) = children.next() {
        let turn = sign * search.sign(&child)?;
        let reply = value(search, &child, window.turned(turn), margin)?.turned(turn);
        if reply.value > best.value {
            best = reply.behind(&child);
        }
        window.alpha = window.alpha.max(best.value);
        // The opponent has something better, or something that is hardly worse.
        if best.value.saturating_add(margin) >= window.beta {
            if children.len() > 0 {
                search.cut(node);
            }
            // A branch that was given up must not be chosen for what it promised.
            best.value = best.value.max(window.beta);
            break;
        }
    }
    search.close(node, sign * best.value);
    Ok(best)
}
