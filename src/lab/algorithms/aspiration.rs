//! Aspiration search: alpha-beta with a narrow window around a guess. If the value lies outside,
//! the search is repeated with the window open on that side.
//!
//! The guess is the value of a search one move shallower, as in Slate and Atkin's Chess 4.5 (1977).

use super::alpha_beta::fail_soft;
use crate::lab::game::{Game, INFINITY, Value};
use crate::lab::search::{Halt, Search, SearchResult, TO_THE_END, TreeNode, Window};

/// Returns the value of a node, for Max. `margin` is half the width of the first window.
///
/// # Errors
/// Fails when a limit is reached or the game has chance nodes.
pub fn aspiration<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    margin: Value,
) -> SearchResult<G> {
    let guess = guess(search, node)?;
    let window = Window::new(guess - margin.max(1), guess + margin.max(1));
    let found = fail_soft(search, node, window)?;
    if found.value <= window.alpha {
        fail_soft(search, node, Window::new(-INFINITY, found.value + 1))
    } else if found.value >= window.beta {
        fail_soft(search, node, Window::new(found.value - 1, INFINITY))
    } else {
        Ok(found)
    }
}

/// Returns the value of a search one move shallower, or the evaluation if there is no depth to
/// reduce.
fn guess<G: Game>(search: &mut Search<'_, G>, node: &TreeNode<G>) -> Result<Value, Halt> {
    if node.depth == TO_THE_END || node.depth < 2 {
        return Ok(search.game().evaluate(&node.state));
    }
    let mut shallower = node.clone();
    shallower.depth -= 1;
    Ok(fail_soft(search, &shallower, Window::FULL)?.value)
}
