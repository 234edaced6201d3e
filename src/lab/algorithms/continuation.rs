//! Heuristic continuation: leaves where the evaluation cannot be trusted, such as a king in check or a pawn about to
//! queen, are searched some moves deeper.

use crate::lab::game::{Game, INFINITY};
use crate::lab::search::{Found, Node, Outcome, Search, Window};

/// The value of a node, for Max, by alpha-beta that searches leaves that are not quiet `extra` moves deeper.
///
/// # Errors
/// When the budget is spent, or chance decides somewhere.
pub fn continuation<G: Game>(search: &mut Search<'_, G>, node: &Node<G>, extra: u32) -> Found<G> {
    let sign = search.sign(node)?;
    Ok(value(search, node, Window::FULL, extra)?.turned(sign))
}

/// `extra` is how much the line may still be continued; 0 once it has been.
fn value<G: Game>(
    search: &mut Search<'_, G>,
    node: &Node<G>,
    mut window: Window,
    mut extra: u32,
) -> Found<G> {
    let sign = search.sign(node)?;
    let mut node = node.clone();
    if node.depth == 0 && !search.game().is_quiet(&node.state) {
        node.depth = extra;
        extra = 0;
    }
    if let Some(value) = search.open(&node, Some(window.turned(sign)))? {
        return Ok(Outcome::leaf(sign * value));
    }
    let mut best = Outcome::leaf(-INFINITY);
    let mut children = search.children(&node);
    while let Some(child) = children.next() {
        let turn = sign * search.sign(&child)?;
        let reply = value(search, &child, window.turned(turn), extra)?.turned(turn);
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
    }
    search.close(&node, sign * best.value);
    Ok(best)
}
