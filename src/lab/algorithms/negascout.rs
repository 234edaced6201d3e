//! NegaScout, also called principal variation search: alpha-beta that expects the first move to be
//! the best. A null window asks whether another move is better, and only such moves are searched
//! again.
//!
//! Reinefeld, *An Improvement to the Scout Tree Search Algorithm* (1983); principal variation
//! search is Marsland and Campbell's (1982).

use super::child_loop::best_reply;
use crate::lab::game::{Game, INFINITY};
use crate::lab::search::{Search, SearchResult, TreeNode, Valuation, Window};
use crate::lab::trace::Action;

/// Returns the value of a node, for Max, if it lies inside the window, and otherwise a bound on it.
///
/// # Errors
/// Fails when a limit is reached or the game has chance nodes.
pub fn negascout<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    window: Window,
) -> SearchResult<G> {
    let sign = search.sign(node)?;
    Ok(value(search, node, window.turned(sign))?.turned(sign))
}

fn value<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    window: Window,
) -> SearchResult<G> {
    let sign = search.sign(node)?;
    if let Some(value) = search.open(node, Some(window.turned(sign)))? {
        return Ok(Valuation::leaf(sign * value));
    }
    let children = search.children(node);
    let nothing = Valuation::leaf(-INFINITY);
    let mut is_first = true;
    best_reply(
        search,
        node,
        children,
        window,
        nothing,
        |search, child, window| {
            let turn = sign * search.sign(child)?;
            if std::mem::take(&mut is_first) {
                return Ok(value(search, child, window.turned(turn))?.turned(turn));
            }
            let asked = Window::above(window.alpha);
            search.log(node, Action::NullWindow, asked.turned(sign));
            let reply = value(search, child, asked.turned(turn))?.turned(turn);
            if reply.value < asked.beta || reply.value >= window.beta {
                return Ok(reply);
            }
            // The move is better than the best so far. Its value needs a wider window.
            let again = Window::new(reply.value - 1, window.beta);
            search.log(node, Action::Research, again.turned(sign));
            Ok(value(search, child, again.turned(turn))?.turned(turn))
        },
    )
}
