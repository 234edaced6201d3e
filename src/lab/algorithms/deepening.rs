//! Progressive deepening: searches of depth 1, 2, 3 and so on, until the time is up. There always
//! is a best move, and each search begins with the one of the search before.
//!
//! Slate and Atkin, *Chess 4.5* (1977); Korf, *Depth-First Iterative-Deepening* (1985).

use super::alpha_beta::soft;
use super::child_loop::best_child;
use crate::lab::game::{Game, INFINITY};
use crate::lab::search::{Halt, Search, SearchResult, TO_THE_END, TreeNode, Valuation, Window};

/// The deepest search of a game without a depth limit.
const DEEPEST: u32 = 1_000;

/// The result of progressive deepening.
pub struct Deepened<M> {
    /// The result of the last search that was finished.
    pub outcome: Valuation<M>,
    /// The depth of that search.
    pub depth: u32,
    /// True if the depth cut no leaf of that search off, so that the value is that of the game.
    pub is_to_the_end: bool,
}

/// Deepens until the node's depth is reached or the time is up.
///
/// # Errors
/// Fails when not even the search of depth 1 was finished, or the game has chance nodes.
pub fn deepening<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
) -> Result<Deepened<G::Move>, Halt> {
    let last = if node.depth == TO_THE_END {
        DEEPEST
    } else {
        node.depth
    };
    let mut root = node.clone();
    root.depth = last.min(1);
    let mut found = one_depth(search, &root, None)?;
    // A search that meets the end of the game everywhere needs no deeper one.
    while root.depth < last && !found.is_to_the_end {
        root.depth += 1;
        match one_depth(search, &root, found.outcome.line.first()) {
            Ok(deeper) => found = deeper,
            Err(Halt::Time) => break,
            Err(halt) => return Err(halt),
        }
    }
    Ok(found)
}

fn one_depth<G: Game>(
    search: &mut Search<'_, G>,
    root: &TreeNode<G>,
    first: Option<&G::Move>,
) -> Result<Deepened<G::Move>, Halt> {
    let before = search.counters();
    let outcome = root_search(search, root, first)?;
    Ok(Deepened {
        outcome,
        depth: root.depth,
        is_to_the_end: search.cut_off_since(&before) == 0,
    })
}

/// Alpha-beta that tries a move first at the root.
fn root_search<G: Game>(
    search: &mut Search<'_, G>,
    root: &TreeNode<G>,
    first: Option<&G::Move>,
) -> SearchResult<G> {
    let sign = search.sign(root)?;
    if let Some(value) = search.open(root, Some(Window::FULL))? {
        return Ok(Valuation::leaf(value));
    }
    let mut children: Vec<TreeNode<G>> = search.children(root).collect();
    // Stable: the others stay in their order.
    children.sort_by_key(|child| child.via.as_ref() != first);
    let nothing = Valuation::leaf(-INFINITY);
    let found = best_child(
        search,
        root,
        children.into_iter(),
        Window::FULL,
        nothing,
        soft,
    )?;
    Ok(found.turned(sign))
}
