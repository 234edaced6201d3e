//! Heuristic continuation: leaves where the evaluation cannot be trusted, such as a king in check
//! or a pawn about to promote, are searched some moves deeper.

use super::child_loop::best_child;
use crate::lab::game::{Game, INFINITY};
use crate::lab::search::{Search, SearchResult, TreeNode, Valuation, Window};

/// Returns the value of a node, for Max, by alpha-beta that searches leaves in danger `extra` moves
/// deeper.
///
/// # Errors
/// Fails when a limit is reached or the game has chance nodes.
pub fn continuation<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    extra: u32,
) -> SearchResult<G> {
    let sign = search.sign(node)?;
    Ok(value(search, node, Window::FULL, extra)?.turned(sign))
}

/// Returns the value for the player who moves. `extra` is the extension that is left on this line:
/// 0 once it has been used.
fn value<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    window: Window,
    mut extra: u32,
) -> SearchResult<G> {
    let sign = search.sign(node)?;
    let mut node = node.clone();
    if node.depth == 0 && !search.game().is_quiet(&node.state) {
        node.depth = extra;
        extra = 0;
    }
    if let Some(value) = search.open(&node, Some(window.turned(sign)))? {
        return Ok(Valuation::leaf(sign * value));
    }
    let children = search.children(&node);
    let nothing = Valuation::leaf(-INFINITY);
    best_child(
        search,
        &node,
        children,
        window,
        nothing,
        |search, child, window| value(search, child, window, extra),
    )
}
