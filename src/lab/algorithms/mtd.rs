//! MTD: null-window searches with memory that close in on the value.
//!
//! Plaat, Schaeffer, Pijls and de Bruin, *Best-First Fixed-Depth Minimax Algorithms* (1996). MTD(f)
//! starts from a guess. MTD(+∞) starts from the largest value and visits the leaves of SSS* in the
//! same order; MTD(-∞) does so for DUAL*.

use super::memory::{principal_variation, with_memory};
use crate::lab::game::{Game, Value};
use crate::lab::search::{Search, SearchResult, TreeNode, Valuation, Window};
use crate::lab::table::{BoundTable, Bounds};
use crate::lab::trace::{Action, ValueBound};

/// Returns the value of a node, for Max, starting from a guess at it.
///
/// # Errors
/// Fails when a limit is reached or the game has chance nodes.
pub fn mtd<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    guess: Value,
) -> SearchResult<G> {
    let mut table = BoundTable::default();
    let mut value = guess;
    let mut known = Bounds::UNKNOWN;
    while known.lower < known.upper {
        // A null window is (beta - 1, beta). With alpha = beta there would be no question.
        let beta = value.max(known.lower + 1);
        let window = Window::above(beta - 1);
        search.log(node, Action::Pass, window);
        value = with_memory(search, &mut table, node, window)?;
        if value < beta {
            known.upper = value;
        } else {
            known.lower = value;
        }
    }
    // Each pass has left the root with a bound. Where they meet, they are the value.
    search.close_with_bound(node, value, ValueBound::Exact);
    let line = principal_variation(search, &table, node, value);
    Ok(Valuation { value, line })
}
