//! NegaScout, also called principal variation search: alpha-beta that expects the first move to be the best, asks of
//! the others with a null window whether they are better, and searches those again that are.
//!
//! Reinefeld, *An Improvement to the Scout Tree Search Algorithm* (1983); principal variation search is Marsland and
//! Campbell's (1982).

use crate::lab::game::{Game, INFINITY};
use crate::lab::search::{Found, Node, Outcome, Search, Window};

/// The value of a node, for Max, if it lies in the window, and otherwise a bound on it.
///
/// # Errors
/// When the budget is spent, or chance decides somewhere.
pub fn negascout<G: Game>(search: &mut Search<'_, G>, node: &Node<G>, window: Window) -> Found<G> {
    let sign = search.sign(node)?;
    Ok(value(search, node, window.turned(sign))?.turned(sign))
}

fn value<G: Game>(search: &mut Search<'_, G>, node: &Node<G>, mut window: Window) -> Found<G> {
    let sign = search.sign(node)?;
    if let Some(value) = search.open(node, Some(window.turned(sign)))? {
        return Ok(Outcome::leaf(sign * value));
    }
    let mut best = Outcome::leaf(-INFINITY);
    let mut is_first = true;
    let mut children = search.children(node);
    while let Some(child) = children.next() {
        let turn = sign * search.sign(&child)?;
        let asked = if is_first {
            window
        } else {
            Window::above(window.alpha)
        };
        let mut reply = value(search, &child, asked.turned(turn))?.turned(turn);
        // Better than what there was, but by how much?
        if reply.value >= asked.beta && reply.value < window.beta {
            let again = Window::new(reply.value - 1, window.beta);
            reply = value(search, &child, again.turned(turn))?.turned(turn);
        }
        if reply.value > best.value {
            best = reply.behind(&child);
        }
        window.alpha = window.alpha.max(best.value);
        if window.is_empty() {
            if children.len() > 0 {
                search.cut();
            }
            break;
        }
        is_first = false;
    }
    search.close(node, sign * best.value);
    Ok(best)
}
