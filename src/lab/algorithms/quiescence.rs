//! Quiescence: at the depth limit the search continues while the evaluation cannot be trusted.
//!
//! Shannon (1950) asked for it. The form with standing pat, where the player may stop at any time
//! and keep the evaluation, is Harris's (1975). The lecture notes have a second rule: continue
//! while the evaluation one ply deeper differs much from the evaluation here.

use super::child_loop::best_child;
use crate::lab::game::{Game, INFINITY, Value};
use crate::lab::search::{Search, SearchResult, TreeNode, Valuation, Window};

/// The rule by which the search continues beyond the depth limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unrest {
    /// Search the noisy moves, such as captures.
    NoisyMoves,
    /// Search all moves while the evaluation changes by more than `swing` one ply deeper, for at
    /// most `plies` plies beyond the limit.
    Swing {
        /// The largest change of a quiet position, in the game's units.
        swing: Value,
        /// The largest number of further plies.
        plies: u32,
    },
}

/// Returns the value of a node, for Max, by alpha-beta with a quiescence search at its leaves.
///
/// # Errors
/// Fails when a limit is reached or the game has chance nodes.
pub fn quiescence<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    rule: Unrest,
) -> SearchResult<G> {
    let sign = search.sign(node)?;
    Ok(value(search, node, Window::FULL, rule)?.turned(sign))
}

fn value<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    window: Window,
    rule: Unrest,
) -> SearchResult<G> {
    let sign = search.sign(node)?;
    let nothing = Valuation::leaf(-INFINITY);
    let evaluation = search.open(node, Some(window.turned(sign)))?;
    let (children, best, rule) = match (evaluation, rule) {
        (None, rule) => (search.children(node), nothing, rule),
        (Some(value), _) if search.is_end(node) => return Ok(Valuation::leaf(sign * value)),
        (Some(value), Unrest::NoisyMoves) => {
            let stand_pat = Valuation::leaf(sign * value);
            if stand_pat.value >= window.beta {
                return Ok(stand_pat);
            }
            (search.noisy_children(node), stand_pat, rule)
        }
        (Some(value), Unrest::Swing { swing, plies }) => {
            if plies == 0 || (one_ply_deeper(search, node, sign) - value).abs() <= swing {
                return Ok(Valuation::leaf(sign * value));
            }
            let plies = plies - 1;
            (
                search.children(node),
                nothing,
                Unrest::Swing { swing, plies },
            )
        }
    };
    let below = |search: &mut Search<'_, G>, child: &TreeNode<G>, window| {
        value(search, child, window, rule)
    };
    best_child(search, node, children, window, best, below)
}

/// Returns the best evaluation, for Max, among the positions one ply deeper.
fn one_ply_deeper<G: Game>(search: &Search<'_, G>, node: &TreeNode<G>, sign: Value) -> Value {
    let game = search.game();
    let evaluations = search.children(node).map(|child| {
        let end = game.utility(&child.state);
        sign * end.unwrap_or_else(|| game.evaluate(&child.state))
    });
    sign * evaluations.max().unwrap_or(0)
}
