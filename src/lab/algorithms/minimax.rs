//! Minimax: what the game is worth when both players play their best.
//!
//! The pair of functions MaxValue and MinValue as in Russell and Norvig, *Artificial Intelligence:
//! A Modern Approach*, after Shannon (1950). With a depth it is minimax with cut-off: a node at
//! that depth is a leaf and has the value that the evaluation gives it.

use crate::lab::game::{Game, INFINITY, Mover};
use crate::lab::search::{Halt, Search, SearchResult, TreeNode, Valuation};

/// The value of a node by looking at everything.
///
/// # Errors
/// Fails when a limit is reached or the game has chance nodes.
pub fn minimax<G: Game>(search: &mut Search<'_, G>, node: &TreeNode<G>) -> SearchResult<G> {
    match search.player(node) {
        Mover::Max => max_value(search, node),
        Mover::Min => min_value(search, node),
        Mover::Chance => Err(Halt::Chance),
    }
}

fn max_value<G: Game>(search: &mut Search<'_, G>, node: &TreeNode<G>) -> SearchResult<G> {
    if let Some(value) = search.open(node, None)? {
        return Ok(Valuation::leaf(value));
    }
    let mut best = Valuation::leaf(-INFINITY);
    for child in search.children(node) {
        let reply = minimax(search, &child)?;
        if reply.value > best.value {
            best = reply.behind(&child);
        }
        search.update(node, None, best.value);
    }
    search.close(node, best.value);
    Ok(best)
}

fn min_value<G: Game>(search: &mut Search<'_, G>, node: &TreeNode<G>) -> SearchResult<G> {
    if let Some(value) = search.open(node, None)? {
        return Ok(Valuation::leaf(value));
    }
    let mut best = Valuation::leaf(INFINITY);
    for child in search.children(node) {
        let reply = minimax(search, &child)?;
        if reply.value < best.value {
            best = reply.behind(&child);
        }
        search.update(node, None, best.value);
    }
    search.close(node, best.value);
    Ok(best)
}
