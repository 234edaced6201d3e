//! Book moves: if a list of openings and endings has a move for the position, that move is played,
//! and only the positions after it are searched.

use super::alpha_beta::fail_soft;
use crate::lab::game::Game;
use crate::lab::search::{Search, SearchResult, TreeNode, Valuation, Window};

/// Returns the value of a node, for Max, after the book's move if there is one, and by alpha-beta
/// otherwise.
///
/// # Errors
/// Fails when a limit is reached or the game has chance nodes.
pub fn book<G: Game>(search: &mut Search<'_, G>, node: &TreeNode<G>) -> SearchResult<G> {
    let known = search.game().book(&node.state);
    let child = search
        .children(node)
        .find(|child| known.is_some() && child.via == known);
    let Some(child) = child else {
        return fail_soft(search, node, Window::FULL);
    };
    if let Some(value) = search.open(node, Some(Window::FULL))? {
        return Ok(Valuation::leaf(value));
    }
    let found = fail_soft(search, &child, Window::FULL)?.behind(&child);
    search.cut(node);
    search.close(node, found.value);
    Ok(found)
}
