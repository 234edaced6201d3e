//! SCOUT: a cheap test asks whether a branch is better than the best one, and only then is it
//! evaluated.
//!
//! Pearl, *SCOUT: A Simple Game-Searching Algorithm with Proven Optimal Properties* (1980), with
//! its functions EVAL and TEST. Values are integers, so that "at least v" is "more than v - 1" and
//! one test serves both.

use crate::lab::game::{Game, Mover, Value};
use crate::lab::search::{Halt, Search, SearchResult, TreeNode, Valuation, Window};

/// Returns the value of a node, for Max (EVAL).
///
/// # Errors
/// Fails when a limit is reached or the game has chance nodes.
pub fn scout<G: Game>(search: &mut Search<'_, G>, node: &TreeNode<G>) -> SearchResult<G> {
    let player = search.player(node);
    if player == Mover::Chance {
        return Err(Halt::Chance);
    }
    if let Some(value) = search.open(node, None)? {
        return Ok(Valuation::leaf(value));
    }
    let mut best: Option<Valuation<G::Move>> = None;
    for child in search.children(node) {
        let is_better = match &best {
            None => true,
            Some(best) if player == Mover::Max => exceeds(search, &child, best.value)?,
            Some(best) => !exceeds(search, &child, best.value - 1)?,
        };
        if is_better {
            best = Some(scout(search, &child)?.behind(&child));
        }
    }
    let best = best.unwrap_or_else(|| Valuation::leaf(0));
    search.close(node, best.value);
    Ok(best)
}

/// Returns whether the value of a node, for Max, is larger than `bound` (TEST).
fn exceeds<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    bound: Value,
) -> Result<bool, Halt> {
    if let Some(value) = search.open(node, Some(Window::above(bound)))? {
        return Ok(value > bound);
    }
    // One move above the bound is enough for Max, and one below it for Min.
    let settles = match search.player(node) {
        Mover::Max => true,
        Mover::Min => false,
        Mover::Chance => return Err(Halt::Chance),
    };
    let mut answer = !settles;
    let mut children = search.children(node);
    while let Some(child) = children.next() {
        if exceeds(search, &child, bound)? == settles {
            if children.len() > 0 {
                search.cut(node);
            }
            answer = settles;
            break;
        }
    }
    search.close(node, if answer { bound + 1 } else { bound });
    Ok(answer)
}
