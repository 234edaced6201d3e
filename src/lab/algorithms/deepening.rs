//! Progressive deepening: searches of depth 1, 2, 3 and so on, until the time is up. A best move is
//! known at any time, and each iteration first tries the principal variation of the one before.
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
    let mut found = iteration(search, &root, &[])?;
    // A search that meets the end of the game everywhere needs no deeper one.
    while root.depth < last && !found.is_to_the_end {
        root.depth += 1;
        match iteration(search, &root, &found.outcome.line) {
            Ok(deeper) => found = deeper,
            Err(Halt::Time) => break,
            Err(halt) => return Err(halt),
        }
    }
    Ok(found)
}

/// Searches to the root's depth by alpha-beta that tries the moves of a line first. With an empty
/// line it is plain alpha-beta.
///
/// # Errors
/// Fails when a limit is reached, or chance decides somewhere.
pub fn iteration<G: Game>(
    search: &mut Search<'_, G>,
    root: &TreeNode<G>,
    line: &[G::Move],
) -> Result<Deepened<G::Move>, Halt> {
    let before = search.counters();
    let sign = search.sign(root)?;
    let outcome = along_line(search, root, Window::FULL, line)?.turned(sign);
    Ok(Deepened {
        outcome,
        depth: root.depth,
        is_to_the_end: search.cut_off_since(&before) == 0,
    })
}

/// Returns the value for the player who moves, by alpha-beta that tries the line's moves first.
fn along_line<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    window: Window,
    line: &[G::Move],
) -> SearchResult<G> {
    let Some((first, rest)) = line.split_first() else {
        return soft(search, node, window);
    };
    let sign = search.sign(node)?;
    if let Some(value) = search.open(node, Some(window.turned(sign)))? {
        return Ok(Valuation::leaf(sign * value));
    }
    let mut children: Vec<TreeNode<G>> = search.children(node).collect();
    // Stable: the others stay in their order.
    children.sort_by_key(|child| child.via.as_ref() != Some(first));
    let below = |search: &mut Search<'_, G>, child: &TreeNode<G>, window| {
        let rest = if child.via.as_ref() == Some(first) {
            rest
        } else {
            &[]
        };
        along_line(search, child, window, rest)
    };
    let nothing = Valuation::leaf(-INFINITY);
    best_child(search, node, children.into_iter(), window, nothing, below)
}
