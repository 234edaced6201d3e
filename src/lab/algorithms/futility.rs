//! Futility cut-off: alpha-beta that also cuts branches which can improve the value by no more than
//! a margin.
//!
//! If 3 is certain, a branch that offers 3.1 at most is not worth searching. Each level can lose up
//! to the margin, so the value can be wrong by the margin times the depth: too small by what Max's
//! branches lose, too large by what Min's do.

use crate::lab::game::{Game, INFINITY, Value};
use crate::lab::search::{Search, SearchResult, TreeNode, Valuation, Window};
use crate::lab::trace::ValueBound;

/// Returns an estimate of the value of a node, for Max. With a margin of 0 it is the value of
/// alpha-beta.
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
        // The opponent already has something better, or hardly worse.
        if best.value.saturating_add(margin) >= window.beta {
            if children.len() > 0 {
                search.cut(node);
                if best.value < window.beta {
                    // The branch was given up, so its value must not look better than the one it
                    // would replace. It is no bound: the true value may be better.
                    best.value = window.beta;
                    search.close_with_bound(node, sign * best.value, ValueBound::Estimate);
                    return Ok(best);
                }
            }
            break;
        }
    }
    search.close(node, sign * best.value);
    Ok(best)
}
