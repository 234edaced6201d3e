//! Null move: if a player could pass and still have at least beta, the node is cut. A shallower
//! search after the pass finds that out at little cost. It errs in zugzwang, where every move is
//! worse than a pass, and where the shallower search misses what the full one sees.
//!
//! Donninger, *Null Move and Deep Search* (1993), with a reduction of two plies. Verified:
//! David-Tabibi and Netanyahu, *Verified Null-Move Pruning* (2002), with a reduction of three:
//! instead of the cut the node is searched one ply less deeply, with plain null moves below. If
//! that search does not reach beta, the pass has misled, and the node is searched again to its full
//! depth.

use super::child_loop::best_child;
use crate::lab::game::{Game, INFINITY};
use crate::lab::search::{Halt, Search, SearchResult, TreeNode, Valuation, Window};
use crate::lab::trace::Action;
use crate::random::mix;

/// The consequence of a pass that reaches beta.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AfterPass {
    /// The node is cut.
    Cut,
    /// The node is verified by a search one ply less deep.
    Verify,
    /// The node is cut; it lies below a node that is being verified.
    CutBelow,
}

impl AfterPass {
    /// Returns how much less deeply the position after a pass is searched.
    fn reduction(self) -> u32 {
        if self == AfterPass::Cut { 2 } else { 3 }
    }
}

/// Returns an estimate of the value of a node, for Max.
///
/// # Errors
/// Fails when a limit is reached or the game has chance nodes.
pub fn null_move<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    after_pass: AfterPass,
) -> SearchResult<G> {
    let sign = search.sign(node)?;
    Ok(value(search, node, Window::FULL, after_pass)?.turned(sign))
}

fn value<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    window: Window,
    after_pass: AfterPass,
) -> SearchResult<G> {
    let sign = search.sign(node)?;
    if let Some(value) = search.open(node, Some(window.turned(sign)))? {
        return Ok(Valuation::leaf(sign * value));
    }
    let Some(bound) = value_after_pass(search, node, window, after_pass)? else {
        return all_moves(search, node, window, after_pass);
    };
    if after_pass != AfterPass::Verify {
        search.cut(node);
        search.close(node, sign * bound.value);
        return Ok(bound);
    }
    let mut shallower = node.clone();
    shallower.depth -= 1;
    let verified = all_moves(search, &shallower, window, AfterPass::CutBelow)?;
    if verified.value >= window.beta {
        return Ok(verified);
    }
    search.log(node, Action::Research, window.turned(sign));
    all_moves(search, node, window, AfterPass::Verify)
}

fn all_moves<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    window: Window,
    after_pass: AfterPass,
) -> SearchResult<G> {
    let children = search.children(node);
    let nothing = Valuation::leaf(-INFINITY);
    best_child(
        search,
        node,
        children,
        window,
        nothing,
        |search, child, window| value(search, child, window, after_pass),
    )
}

/// Returns the value after a pass, if that is beta or more.
fn value_after_pass<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    window: Window,
    after_pass: AfterPass,
) -> Result<Option<Valuation<G::Move>>, Halt> {
    // Nobody passes at the root, twice in a row, or with no bound to reach.
    if node.via.is_none() || window.beta >= INFINITY || node.depth < 2 {
        return Ok(None);
    }
    let Some(state) = search.game().pass(&node.state) else {
        return Ok(None);
    };
    let passed = TreeNode {
        state,
        path: mix(node.path),
        ply: node.ply + 1,
        depth: node.depth.saturating_sub(1 + after_pass.reduction()),
        via: None,
    };
    let turn = search.sign(node)? * search.sign(&passed)?;
    let asked = Window::above(window.beta - 1).turned(turn);
    let reply = value(search, &passed, asked, after_pass)?.turned(turn);
    Ok((reply.value >= window.beta).then(|| Valuation::leaf(reply.value)))
}
