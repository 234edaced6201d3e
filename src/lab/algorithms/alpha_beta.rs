//! Alpha-beta: minimax that does not look where nothing can change the result.
//!
//! Knuth and Moore, *An Analysis of Alpha-Beta Pruning* (1975): F1 ([`without_deep_cutoffs`]) hands on one bound and so
//! has no deep cut-offs, F2 ([`fail_hard`]) hands on both. [`fail_soft`] is Fishburn's (1983): a value outside of the
//! window is returned as the bound that it is, and not as alpha or beta.

use crate::lab::game::{Game, INFINITY, Value};
use crate::lab::search::{Found, Node, Outcome, Search, Window};

/// The value of a node, for Max, if it lies in the window, and otherwise a bound on it: at most alpha, or at least beta.
///
/// # Errors
/// When the budget is spent, or chance decides somewhere.
pub fn fail_soft<G: Game>(search: &mut Search<'_, G>, node: &Node<G>, window: Window) -> Found<G> {
    let sign = search.sign(node)?;
    Ok(soft(search, node, window.turned(sign))?.turned(sign))
}

/// The same for the player who moves at the node.
pub(super) fn soft<G: Game>(
    search: &mut Search<'_, G>,
    node: &Node<G>,
    mut window: Window,
) -> Found<G> {
    let sign = search.sign(node)?;
    if let Some(value) = search.open(node, Some(window.turned(sign)))? {
        return Ok(Outcome::leaf(sign * value));
    }
    let mut best = Outcome::leaf(-INFINITY);
    let mut children = search.children(node);
    while let Some(child) = children.next() {
        let turn = sign * search.sign(&child)?;
        let reply = soft(search, &child, window.turned(turn))?.turned(turn);
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
    search.close(node, sign * best.value);
    Ok(best)
}

/// As [`fail_soft`], but what lies outside of the window comes back as alpha or beta.
///
/// # Errors
/// When the budget is spent, or chance decides somewhere.
pub fn fail_hard<G: Game>(search: &mut Search<'_, G>, node: &Node<G>, window: Window) -> Found<G> {
    let sign = search.sign(node)?;
    Ok(hard(search, node, window.turned(sign))?.turned(sign))
}

fn hard<G: Game>(search: &mut Search<'_, G>, node: &Node<G>, mut window: Window) -> Found<G> {
    let sign = search.sign(node)?;
    if let Some(value) = search.open(node, Some(window.turned(sign)))? {
        let value = (sign * value).clamp(window.alpha, window.beta);
        return Ok(Outcome::leaf(value));
    }
    let mut best = Outcome::leaf(window.alpha);
    let mut children = search.children(node);
    while let Some(child) = children.next() {
        let turn = sign * search.sign(&child)?;
        let reply = hard(search, &child, window.turned(turn))?.turned(turn);
        if reply.value > best.value {
            window.alpha = reply.value;
            best = reply.behind(&child);
        }
        if window.is_empty() {
            if children.len() > 0 {
                search.cut();
            }
            break;
        }
    }
    search.close(node, sign * best.value);
    Ok(best)
}

/// The value of a node, for Max, by a search that knows at each node what the parent has already, and nothing of the
/// nodes above: it finds the shallow cut-offs only.
///
/// # Errors
/// When the budget is spent, or chance decides somewhere.
pub fn without_deep_cutoffs<G: Game>(search: &mut Search<'_, G>, node: &Node<G>) -> Found<G> {
    let sign = search.sign(node)?;
    Ok(shallow(search, node, INFINITY)?.turned(sign))
}

/// The value for the player who moves, or, where that is `beta` or more, a value that is at least `beta`.
fn shallow<G: Game>(search: &mut Search<'_, G>, node: &Node<G>, beta: Value) -> Found<G> {
    let sign = search.sign(node)?;
    let window = Window::new(-INFINITY, beta);
    if let Some(value) = search.open(node, Some(window.turned(sign)))? {
        return Ok(Outcome::leaf(sign * value));
    }
    let mut best = Outcome::leaf(-INFINITY);
    let mut children = search.children(node);
    while let Some(child) = children.next() {
        let turn = sign * search.sign(&child)?;
        // A player who moves twice in a row is bounded by the same opponent.
        let bound = if turn < 0 { -best.value } else { beta };
        let reply = shallow(search, &child, bound)?.turned(turn);
        if reply.value > best.value {
            best = reply.behind(&child);
        }
        if best.value >= beta {
            if children.len() > 0 {
                search.cut();
            }
            break;
        }
    }
    search.close(node, sign * best.value);
    Ok(best)
}
