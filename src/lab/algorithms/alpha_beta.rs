//! Alpha-beta: minimax that skips what cannot change the result.
//!
//! Knuth and Moore, *An Analysis of Alpha-Beta Pruning* (1975): F1 ([`without_deep_cutoffs`])
//! passes one bound down and finds no deep cut-offs, F2 ([`fail_hard`]) passes both. [`fail_soft`]
//! is Fishburn's (1983): a value outside the window is returned as a bound, not as alpha or beta.

use super::child_loop::{best_child, best_reply};
use crate::lab::game::{Game, INFINITY};
use crate::lab::search::{Search, SearchResult, TreeNode, Valuation, Window};

/// Returns the value of a node, for Max, if it lies inside the window. Otherwise returns a bound on
/// it: at most alpha, or at least beta.
///
/// # Errors
/// Fails when a limit is reached or the game has chance nodes.
pub fn fail_soft<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    window: Window,
) -> SearchResult<G> {
    let sign = search.sign(node)?;
    Ok(soft(search, node, window.turned(sign))?.turned(sign))
}

/// As [`fail_soft`], with the window and the value as the player who moves sees them.
pub(super) fn soft<G: Game>(
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
    best_child(search, node, children, window, nothing, soft)
}

/// As [`fail_soft`], but returns alpha or beta for a value outside the window.
///
/// # Errors
/// Fails when a limit is reached or the game has chance nodes.
pub fn fail_hard<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    window: Window,
) -> SearchResult<G> {
    let sign = search.sign(node)?;
    Ok(hard(search, node, window.turned(sign))?.turned(sign))
}

fn hard<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    window: Window,
) -> SearchResult<G> {
    let sign = search.sign(node)?;
    if let Some(value) = search.open(node, Some(window.turned(sign)))? {
        let value = (sign * value).clamp(window.alpha, window.beta);
        return Ok(Valuation::leaf(value));
    }
    let children = search.children(node);
    let alpha = Valuation::leaf(window.alpha);
    best_child(search, node, children, window, alpha, hard)
}

/// Returns the value of a node, for Max, by a search that knows what the parent already has, and
/// nothing of the nodes above. It finds shallow cut-offs only.
///
/// # Errors
/// Fails when a limit is reached or the game has chance nodes.
pub fn without_deep_cutoffs<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
) -> SearchResult<G> {
    let sign = search.sign(node)?;
    Ok(shallow(search, node, Window::FULL)?.turned(sign))
}

/// Returns the value for the player who moves. Of the window only beta is used.
fn shallow<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    window: Window,
) -> SearchResult<G> {
    let sign = search.sign(node)?;
    let one_bound = Window::new(-INFINITY, window.beta);
    if let Some(value) = search.open(node, Some(one_bound.turned(sign)))? {
        return Ok(Valuation::leaf(sign * value));
    }
    let children = search.children(node);
    let nothing = Valuation::leaf(-INFINITY);
    best_reply(
        search,
        node,
        children,
        one_bound,
        nothing,
        |search, child, window| {
            let turn = sign * search.sign(child)?;
            Ok(shallow(search, child, window.turned(turn))?.turned(turn))
        },
    )
}
