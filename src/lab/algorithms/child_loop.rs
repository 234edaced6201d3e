//! The loop over the children of a node that alpha-beta and its relatives share.
//!
//! Values and windows are those of the player who moves at the node (NegaMax).

use crate::lab::game::Game;
use crate::lab::search::{Search, SearchResult, TreeNode, Valuation, Window};

/// Returns the best of `best` and the children's values. Stops as soon as the window is empty.
///
/// `value_of` searches a child with a window, both from the child's point of view.
///
/// # Errors
/// Fails when a limit is reached or the game has chance nodes.
pub(super) fn best_child<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    children: impl ExactSizeIterator<Item = TreeNode<G>>,
    window: Window,
    best: Valuation<G::Move>,
    mut value_of: impl FnMut(&mut Search<'_, G>, &TreeNode<G>, Window) -> SearchResult<G>,
) -> SearchResult<G> {
    let sign = search.sign(node)?;
    let reply = |search: &mut Search<'_, G>, child: &TreeNode<G>, window: Window| {
        let turn = sign * search.sign(child)?;
        Ok(value_of(search, child, window.turned(turn))?.turned(turn))
    };
    best_reply(search, node, children, window, best, reply)
}

/// As [`best_child`], but `reply` gets the window and returns the value from the node's point of
/// view.
///
/// # Errors
/// Fails when a limit is reached or the game has chance nodes.
pub(super) fn best_reply<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    mut children: impl ExactSizeIterator<Item = TreeNode<G>>,
    mut window: Window,
    mut best: Valuation<G::Move>,
    mut reply: impl FnMut(&mut Search<'_, G>, &TreeNode<G>, Window) -> SearchResult<G>,
) -> SearchResult<G> {
    let sign = search.sign(node)?;
    window.alpha = window.alpha.max(best.value);
    while let Some(child) = children.next() {
        let found = reply(search, &child, window)?;
        if found.value > best.value {
            best = found.behind(&child);
        }
        window.alpha = window.alpha.max(best.value);
        search.update(node, Some(window.turned(sign)), sign * best.value);
        if window.is_empty() {
            if children.len() > 0 {
                search.cut(node);
            }
            break;
        }
    }
    search.close(node, sign * best.value);
    Ok(best)
}
