//! Quiescence: where the depth ends, moves that change the evaluation abruptly, such as captures, are still looked at
//! until there are none. The player may stop at any time and keep the evaluation.
//!
//! Shannon (1950) asked for it; the form with standing pat is Harris's (1975).

use crate::lab::game::{Game, INFINITY};
use crate::lab::search::{Children, Found, Node, Outcome, Search, Window};

/// The value of a node, for Max, by alpha-beta with a quiescence search at its leaves.
///
/// # Errors
/// When the budget is spent, or chance decides somewhere.
pub fn quiescence<G: Game>(search: &mut Search<'_, G>, node: &Node<G>) -> Found<G> {
    let sign = search.sign(node)?;
    Ok(value(search, node, Window::FULL)?.turned(sign))
}

fn value<G: Game>(search: &mut Search<'_, G>, node: &Node<G>, window: Window) -> Found<G> {
    let sign = search.sign(node)?;
    let Some(looks) = search.open(node, Some(window.turned(sign)))? else {
        let children = search.children(node);
        return best(search, children, node, window, Outcome::leaf(-INFINITY));
    };
    let stand_pat = Outcome::leaf(sign * looks);
    if search.is_end(node) || stand_pat.value >= window.beta {
        return Ok(stand_pat);
    }
    let children = search.noisy_children(node);
    best(search, children, node, window, stand_pat)
}

/// The best of the children, or what there is without them.
fn best<G: Game>(
    search: &mut Search<'_, G>,
    mut children: Children<'_, '_, G>,
    node: &Node<G>,
    mut window: Window,
    mut best: Outcome<G::Move>,
) -> Found<G> {
    let sign = search.sign(node)?;
    window.alpha = window.alpha.max(best.value);
    while let Some(child) = children.next() {
        let turn = sign * search.sign(&child)?;
        let reply = value(search, &child, window.turned(turn))?.turned(turn);
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
    search.close(node, sign * best.value);
    Ok(best)
}
