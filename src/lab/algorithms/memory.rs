//! Alpha-beta with memory: a transposition table keeps the bounds that the search finds, and a
//! position that is reached again is not searched again.
//!
//! Plaat, Schaeffer, Pijls and de Bruin, *Best-First Fixed-Depth Minimax Algorithms* (1996), where
//! it is called MT; others call it AlphaBetaWithMemory.

use super::child_loop::best_reply;
use crate::lab::game::{Game, INFINITY, Mover, Value};
use crate::lab::search::{Halt, Search, SearchResult, TreeNode, Valuation, Window};
use crate::lab::table::{BoundTable, Bounds};
use crate::lab::trace::ValueBound;

/// Returns the value of a node, for Max, by alpha-beta with a transposition table and the full
/// window.
///
/// # Errors
/// Fails when a limit is reached or the game has chance nodes.
pub fn alpha_beta_memory<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
) -> SearchResult<G> {
    let mut table = BoundTable::default();
    let value = with_memory(search, &mut table, node, Window::FULL)?;
    let line = principal_variation(search, &table, node, value);
    Ok(Valuation { value, line })
}

/// Returns the value of a node, for Max, or a bound on it that lies on the same side of the window.
pub(super) fn with_memory<G: Game>(
    search: &mut Search<'_, G>,
    table: &mut BoundTable<G>,
    node: &TreeNode<G>,
    window: Window,
) -> Result<Value, Halt> {
    if let Some(known) = table.get(node) {
        let answer = if known.lower == known.upper {
            Some((known.lower, ValueBound::Exact))
        } else if known.lower >= window.beta {
            Some((known.lower, ValueBound::Lower))
        } else {
            (known.upper <= window.alpha).then_some((known.upper, ValueBound::Upper))
        };
        if let Some((value, bound)) = answer {
            search.table_hit(node, window, value, bound);
            return Ok(value);
        }
    }
    if let Some(value) = search.open(node, Some(window))? {
        let exact = Bounds {
            lower: value,
            upper: value,
        };
        table.put(search, node, exact)?;
        return Ok(value);
    }
    let sign = search.sign(node)?;
    let children = search.children(node);
    let reply = |search: &mut Search<'_, G>, child: &TreeNode<G>, window: Window| {
        let value = with_memory(search, table, child, window.turned(sign))?;
        Ok(Valuation::leaf(sign * value))
    };
    let nothing = Valuation::leaf(-INFINITY);
    let best = best_reply(search, node, children, window.turned(sign), nothing, reply)?;
    let best = sign * best.value;
    let found = Bounds {
        lower: if best > window.alpha { best } else { -INFINITY },
        upper: if best < window.beta { best } else { INFINITY },
    };
    table.put(search, node, found)?;
    Ok(best)
}

/// Returns the principal variation. Max's moves are those that prove that the value is no smaller,
/// Min's those that prove that it is no larger. Where both proofs meet, both bounds are equal.
pub(super) fn principal_variation<G: Game>(
    search: &Search<'_, G>,
    table: &BoundTable<G>,
    node: &TreeNode<G>,
    value: Value,
) -> Vec<G::Move> {
    let mut line = Vec::new();
    let mut node = node.clone();
    while node.depth > 0 && !search.is_end(&node) && search.player(&node) != Mover::Chance {
        let is_next = |child: &TreeNode<G>| {
            let exact = Bounds {
                lower: value,
                upper: value,
            };
            table.get(child) == Some(exact)
        };
        let Some(child) = search.children(&node).find(is_next) else {
            break;
        };
        line.extend(child.via.clone());
        node = child;
    }
    line
}
