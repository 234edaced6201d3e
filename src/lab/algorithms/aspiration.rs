//! Aspiration search: alpha-beta with a narrow window around a guess, and once more with the window
//! open on the side on which the value lies outside of it.
//!
//! The guess is the value of a search one move shallower. Slate and Atkin's Chess 4.5 (1977) played
//! so.

use super::alpha_beta::fail_soft;
use crate::lab::game::{Game, INFINITY, Value};
use crate::lab::search::{Search, SearchResult, TO_THE_END, TreeNode, Window};

/// The value of a node, for Max. `margin` is half the width of the first window.
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

/// The value one move shallower; by its looks where that is the end of the game.
fn guess<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
) -> Result<Value, crate::lab::search::Halt> {
    if node.depth == TO_THE_END || node.depth < 2 {
        return Ok(search.game().evaluate(&node.state));
    }
    let mut shallower = node.clone();
    shallower.depth -= 1;
    Ok(fail_soft(search, &shallower, Window::FULL)?.value)
}
