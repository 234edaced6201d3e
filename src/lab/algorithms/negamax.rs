//! NegaMax: minimax with one function. What is good for one player is as bad for the other, so each
//! node is valued for the player who moves there.
//!
//! Knuth and Moore, *An Analysis of Alpha-Beta Pruning* (1975), function F. A sign that changes
//! only when the player does lets a player move twice.

use crate::lab::game::{Game, INFINITY};
use crate::lab::search::{Search, SearchResult, TreeNode, Valuation};

/// The value of a node, for Max.
///
/// # Errors
/// Fails when a limit is reached or the game has chance nodes.
pub fn negamax<G: Game>(search: &mut Search<'_, G>, node: &TreeNode<G>) -> SearchResult<G> {
    let sign = search.sign(node)?;
    Ok(value(search, node)?.turned(sign))
}

/// The value of a node for the player who moves there.
fn value<G: Game>(search: &mut Search<'_, G>, node: &TreeNode<G>) -> SearchResult<G> {
    let sign = search.sign(node)?;
    if let Some(value) = search.open(node, None)? {
        return Ok(Valuation::leaf(sign * value));
    }
    let mut best = Valuation::leaf(-INFINITY);
    for child in search.children(node) {
        let turn = sign * search.sign(&child)?;
        let reply = value(search, &child)?.turned(turn);
        if reply.value > best.value {
            best = reply.behind(&child);
        }
        search.update(node, None, sign * best.value);
    }
    search.close(node, sign * best.value);
    Ok(best)
}
