//! Biased search: only moves that look good are searched, and the fewer, the deeper the node.
//!
//! Shannon's (1950) strategy of type B; narrowing with depth is Bernstein's and Greenblatt's (1958, 1967).

use std::cmp::Reverse;

use crate::lab::game::{Game, INFINITY};
use crate::lab::search::{Found, Node, Outcome, Search, Window};

/// The fewest moves that are searched.
const NARROWEST: u32 = 2;

/// The value of a node, for Max, when at the root the `width` moves that look best are searched, and one less at each
/// further level.
///
/// # Errors
/// When the budget is spent, or chance decides somewhere.
pub fn biased<G: Game>(search: &mut Search<'_, G>, node: &Node<G>, width: u32) -> Found<G> {
    let sign = search.sign(node)?;
    Ok(value(search, node, Window::FULL, width)?.turned(sign))
}

fn value<G: Game>(
    search: &mut Search<'_, G>,
    node: &Node<G>,
    mut window: Window,
    width: u32,
) -> Found<G> {
    let sign = search.sign(node)?;
    if let Some(value) = search.open(node, Some(window.turned(sign)))? {
        return Ok(Outcome::leaf(sign * value));
    }
    let looks = |child: &Node<G>| {
        let game = search.game();
        let end = game.utility(&child.state);
        Reverse(sign * end.unwrap_or_else(|| game.evaluate(&child.state)))
    };
    let mut children: Vec<Node<G>> = search.children(node).collect();
    children.sort_by_cached_key(looks);
    let narrowed = width.saturating_sub(node.ply).max(NARROWEST) as usize;
    if narrowed < children.len() {
        search.cut();
        children.truncate(narrowed);
    }
    let mut best = Outcome::leaf(-INFINITY);
    for child in &children {
        let turn = sign * search.sign(child)?;
        let reply = value(search, child, window.turned(turn), width)?.turned(turn);
        if reply.value > best.value {
            best = reply.behind(child);
        }
        window.alpha = window.alpha.max(best.value);
        if window.is_empty() {
            search.cut();
            break;
        }
    }
    search.close(node, sign * best.value);
    Ok(best)
}
