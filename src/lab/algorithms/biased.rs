//! Biased search: only promising moves are searched, and fewer of them where less is promised.
//!
//! Shannon's (1950) strategy of type B; narrowing with depth is Bernstein's and Greenblatt's (1958,
//! 1967). Promise is a fast static evaluation of the position after the move.

use std::cmp::Reverse;

use super::child_loop::best_child;
use crate::lab::game::{Game, INFINITY, Value};
use crate::lab::search::{Search, SearchResult, TreeNode, Valuation, Window};

/// The smallest number of moves that is searched.
const NARROWEST: u32 = 2;

/// The rule by which a node gets its width, the number of moves that are searched there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Narrowing {
    /// One less at each level.
    Level,
    /// One less at each level, and one less for each sibling that promises more.
    Rank,
    /// One less at each level, and one less for each `step` by which the best sibling promises
    /// more.
    Estimate {
        /// In the game's units; at least 1.
        step: Value,
    },
}

/// Returns the value of a node, for Max, when the `width` most promising moves are searched there
/// and fewer at the nodes below.
///
/// # Errors
/// Fails when a limit is reached or the game has chance nodes.
pub fn biased<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    width: u32,
    narrowing: Narrowing,
) -> SearchResult<G> {
    let sign = search.sign(node)?;
    Ok(value(search, node, Window::FULL, width, narrowing)?.turned(sign))
}

fn value<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    window: Window,
    width: u32,
    narrowing: Narrowing,
) -> SearchResult<G> {
    let sign = search.sign(node)?;
    if let Some(value) = search.open(node, Some(window.turned(sign)))? {
        return Ok(Valuation::leaf(sign * value));
    }
    let game = search.game();
    let promise = |child: &TreeNode<G>| {
        let end = game.utility(&child.state);
        sign * end.unwrap_or_else(|| game.evaluate(&child.state))
    };
    let mut children: Vec<(Value, TreeNode<G>)> = search
        .children(node)
        .map(|child| (promise(&child), child))
        .collect();
    children.sort_by_key(|(promise, _)| Reverse(*promise));
    let is_narrowed = (width as usize) < children.len();
    children.truncate(width as usize);
    let best_promise = children.first().map_or(0, |(promise, _)| *promise);
    let lost = |rank: u32, promise: Value| match narrowing {
        Narrowing::Level => 0,
        Narrowing::Rank => rank,
        Narrowing::Estimate { step } => {
            u32::try_from((best_promise - promise) / step.max(1)).unwrap_or(u32::MAX)
        }
    };
    let mut widths = Vec::new();
    for (rank, (promise, _)) in (0..).zip(&children) {
        let narrowed = width.saturating_sub(1).saturating_sub(lost(rank, *promise));
        widths.push(narrowed.max(NARROWEST));
    }
    let mut widths = widths.into_iter();
    let children = children.into_iter().map(|(_, child)| child);
    let nothing = Valuation::leaf(-INFINITY);
    let best = best_child(
        search,
        node,
        children,
        window,
        nothing,
        |search, child, window| {
            let width = widths.next().unwrap_or(NARROWEST);
            value(search, child, window, width, narrowing)
        },
    )?;
    // Where the window has cut, too, the node is counted already.
    if is_narrowed && widths.len() == 0 {
        search.cut(node);
    }
    Ok(best)
}
