//! Null move: a player who may pass and still has more than enough has more than enough. A search that is shallower by
//! the reduction finds that out for less.
//!
//! Donninger, *Null Move and Deep Search* (1993). Verified: David-Tabibi and Netanyahu, *Verified Null-Move Pruning*
//! (2002), where the cut is replaced by a shallower search, which zugzwang does not fool as easily.

use crate::lab::game::{Game, INFINITY};
use crate::lab::search::{Found, Halt, Node, Outcome, Search, Window};
use crate::random::mix;

/// How much shallower the position after a pass is searched, and the node itself where that is verified.
const REDUCTION: u32 = 2;

/// What a pass that is good enough leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AfterPass {
    /// The node is cut.
    Cut,
    /// The node is searched less deeply, and nodes below it are cut.
    Verify,
}

/// The value of a node, for Max, about.
///
/// # Errors
/// When the budget is spent, or chance decides somewhere.
pub fn null_move<G: Game>(
    search: &mut Search<'_, G>,
    node: &Node<G>,
    after_pass: AfterPass,
) -> Found<G> {
    let sign = search.sign(node)?;
    Ok(value(search, node, Window::FULL, after_pass)?.turned(sign))
}

fn value<G: Game>(
    search: &mut Search<'_, G>,
    node: &Node<G>,
    mut window: Window,
    mut after_pass: AfterPass,
) -> Found<G> {
    let sign = search.sign(node)?;
    let mut node = node.clone();
    if let Some(bound) = good_enough(search, &node, window, after_pass)? {
        if after_pass == AfterPass::Cut {
            search.cut();
            return Ok(bound);
        }
        node.depth = node.depth.saturating_sub(REDUCTION).max(1);
        after_pass = AfterPass::Cut;
    }
    if let Some(value) = search.open(&node, Some(window.turned(sign)))? {
        return Ok(Outcome::leaf(sign * value));
    }
    let mut best = Outcome::leaf(-INFINITY);
    let mut children = search.children(&node);
    while let Some(child) = children.next() {
        let turn = sign * search.sign(&child)?;
        let reply = value(search, &child, window.turned(turn), after_pass)?.turned(turn);
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

/// The value after a pass, if that is beta or more.
fn good_enough<G: Game>(
    search: &mut Search<'_, G>,
    node: &Node<G>,
    window: Window,
    after_pass: AfterPass,
) -> Result<Option<Outcome<G::Move>>, Halt> {
    // Passing at the root, twice in a row or with no bound to reach tells nothing.
    let can_tell = node.via.is_some() && window.beta < INFINITY && node.depth > REDUCTION;
    if !can_tell || search.is_end(node) {
        return Ok(None);
    }
    let Some(state) = search.game().pass(&node.state) else {
        return Ok(None);
    };
    let passed = Node {
        state,
        path: mix(node.path),
        ply: node.ply + 1,
        depth: node.depth.saturating_sub(1 + REDUCTION),
        via: None,
    };
    let turn = search.sign(node)? * search.sign(&passed)?;
    let asked = Window::above(window.beta - 1).turned(turn);
    let reply = value(search, &passed, asked, after_pass)?.turned(turn);
    Ok((reply.value >= window.beta).then(|| Outcome::leaf(reply.value)))
}
