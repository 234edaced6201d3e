//! NegaMax: minimax with one function. A gain for one player is the same loss for the other, so
//! each node is valued for the player who moves there.
//!
//! Knuth and Moore, *An Analysis of Alpha-Beta Pruning* (1975), function F. Values are negated only
//! where the player changes, because a player may move twice in a row.

use crate::lab::game::{Game, INFINITY};
use crate::lab::search::{Search, SearchResult, TreeNode, Valuation};

/// Returns the value of a node, for Max.
///
/// # Errors
/// Fails when a limit is reached or the game has chance nodes.
pub fn negamax<G: Game>(search: &mut Search<'_, G>, node: &TreeNode<G>) -> SearchResult<G> {
    let sign = search.sign(node)?;
    Ok(value(search, node)?.turned(sign))
}

/// Returns the value of a node for the player who moves there.
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
