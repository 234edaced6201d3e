//! Minimax: the value of a game in which both players play their best.
//!
//! A pair of functions for Max and Min as in Russell and Norvig, *Artificial Intelligence: A Modern
//! Approach*, after Shannon (1950). With a depth limit it is minimax with suspension: a node at
//! that depth is a leaf, whose value is the evaluation.

use crate::lab::game::{Game, INFINITY, Mover};
use crate::lab::search::{Halt, Search, SearchResult, TreeNode, Valuation};

/// Returns the value of a node, for Max, by examining every node below it.
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
