//! Expectiminimax: minimax with chance nodes, whose value is the weighted mean of their children.
//!
//! Michie (1966); the name is Russell and Norvig's. Means are rounded down to a unit. Games with
//! chance count in units so small that this does not matter.

use crate::lab::game::{Game, INFINITY, Mover, Value};
use crate::lab::search::{Search, SearchResult, TreeNode, Valuation};

/// Returns the value of a node, for Max, by examining every node below it.
///
/// # Errors
/// Fails when a limit is reached.
pub fn expectiminimax<G: Game>(search: &mut Search<'_, G>, node: &TreeNode<G>) -> SearchResult<G> {
    if let Some(value) = search.open(node, None)? {
        return Ok(Valuation::leaf(value));
    }
    let best = match search.player(node) {
        Mover::Max => choice(search, node, 1)?,
        Mover::Min => choice(search, node, -1)?,
        Mover::Chance => mean(search, node)?,
    };
    search.close(node, best.value);
    Ok(best)
}

fn choice<G: Game>(search: &mut Search<'_, G>, node: &TreeNode<G>, sign: Value) -> SearchResult<G> {
    let mut best = Valuation::leaf(-sign * INFINITY);
    for child in search.children(node) {
        let reply = expectiminimax(search, &child)?;
        if sign * reply.value > sign * best.value {
            best = reply.behind(&child);
        }
        search.update(node, None, best.value);
    }
    Ok(best)
}

fn mean<G: Game>(search: &mut Search<'_, G>, node: &TreeNode<G>) -> SearchResult<G> {
    let (mut sum, mut weights) = (0, 0);
    for child in search.children(node) {
        let weight = weight(search, node, &child);
        sum += i128::from(weight) * i128::from(expectiminimax(search, &child)?.value);
        weights += weight;
    }
    Ok(Valuation::leaf(mean_of(sum, weights)))
}

/// Returns the mean for a sum of weight times value, rounded down. The sum needs more than 64 bits,
/// the mean does not.
pub(super) fn mean_of(sum: i128, weights: Value) -> Value {
    sum.div_euclid(i128::from(weights.max(1))) as Value
}

/// Returns the weight of the throw that leads to a child.
pub(super) fn weight<G: Game>(
    search: &Search<'_, G>,
    node: &TreeNode<G>,
    child: &TreeNode<G>,
) -> Value {
    let weight = |throw| search.game().weight(&node.state, throw);
    child.via.as_ref().map_or(1, weight).max(1).into()
}
