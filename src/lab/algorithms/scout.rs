//! SCOUT: before a branch is evaluated, a test that costs less asks whether it is better at all.
//!
//! Pearl, *SCOUT: A Simple Game-Searching Algorithm with Proven Optimal Properties* (1980): the functions EVAL and TEST.
//! Values are integers, so "at least v" is "more than v - 1", and one test does.

use crate::lab::game::{Game, Player, Value};
use crate::lab::search::{Found, Halt, Node, Outcome, Search, Window};

/// EVAL: the value of a node, for Max.
///
/// # Errors
/// When the budget is spent, or chance decides somewhere.
pub fn scout<G: Game>(search: &mut Search<'_, G>, node: &Node<G>) -> Found<G> {
    let player = search.player(node);
    if player == Player::Chance {
        return Err(Halt::Chance);
    }
    if let Some(value) = search.open(node, None)? {
        return Ok(Outcome::leaf(value));
    }
    let mut best: Option<Outcome<G::Move>> = None;
    for child in search.children(node) {
        let is_better = match &best {
            None => true,
            Some(best) if player == Player::Max => exceeds(search, &child, best.value)?,
            Some(best) => !exceeds(search, &child, best.value - 1)?,
        };
        if is_better {
            best = Some(scout(search, &child)?.behind(&child));
        }
    }
    let best = best.unwrap_or_else(|| Outcome::leaf(0));
    search.close(node, best.value);
    Ok(best)
}

/// TEST: whether the value of a node, for Max, is larger than `bound`.
fn exceeds<G: Game>(
    search: &mut Search<'_, G>,
    node: &Node<G>,
    bound: Value,
) -> Result<bool, Halt> {
    if let Some(value) = search.open(node, Some(Window::above(bound)))? {
        return Ok(value > bound);
    }
    // One good move is enough for Max, and one bad one for Min.
    let settles = match search.player(node) {
        Player::Max => true,
        Player::Min => false,
        Player::Chance => return Err(Halt::Chance),
    };
    let mut answer = !settles;
    let mut children = search.children(node);
    while let Some(child) = children.next() {
        if exceeds(search, &child, bound)? == settles {
            if children.len() > 0 {
                search.cut();
            }
            answer = settles;
            break;
        }
    }
    search.close(node, if answer { bound + 1 } else { bound });
    Ok(answer)
}
