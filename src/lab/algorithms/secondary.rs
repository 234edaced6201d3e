//! Secondary search: a deeper search verifies the move that looks best. If it disappoints, the next
//! move is verified.
//!
//! Greenblatt, Eastlake and Crocker, *The Greenblatt Chess Program* (1967).

use std::cmp::Reverse;

use super::alpha_beta::fail_soft;
use crate::lab::game::{Game, Value};
use crate::lab::search::{Search, SearchResult, TO_THE_END, TreeNode, Valuation, Window};

/// Returns the value of a node, for Max, after the best move has been searched `extra` moves
/// deeper. The move disappoints if its new value is smaller than the value of the next one.
///
/// # Errors
/// Fails when a limit is reached or the game has chance nodes.
pub fn secondary<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    extra: u32,
) -> SearchResult<G> {
    let sign = search.sign(node)?;
    if let Some(value) = search.open(node, Some(Window::FULL))? {
        return Ok(Valuation::leaf(value));
    }
    let mut candidates: Vec<(Value, TreeNode<G>)> = Vec::new();
    for child in search.children(node) {
        let promise = sign * fail_soft(search, &child, Window::FULL)?.value;
        candidates.push((promise, child));
    }
    candidates.sort_by_key(|(promise, _)| Reverse(*promise));
    let mut best: Option<Valuation<G::Move>> = None;
    for (promise, mut child) in candidates {
        if best
            .as_ref()
            .is_some_and(|best| sign * best.value >= promise)
        {
            break;
        }
        if child.depth != TO_THE_END {
            child.depth += extra;
        }
        let verified = fail_soft(search, &child, Window::FULL)?;
        let is_better = |best: &Valuation<G::Move>| sign * verified.value > sign * best.value;
        if best.as_ref().is_none_or(is_better) {
            best = Some(verified.behind(&child));
        }
    }
    let best = best.unwrap_or_else(|| Valuation::leaf(0));
    search.close(node, best.value);
    Ok(best)
}
