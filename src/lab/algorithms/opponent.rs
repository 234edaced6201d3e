//! Opponent-dependent minimax: the opponent is one who makes mistakes, or who sees less or more than we do.
//!
//! Berliner (1977) on losing positions: of a move that loses 5 if the opponent finds the only reply, and one that loses 4
//! whatever he does, the first is the better one against an opponent who may err. Of moves that win it is the same.

use crate::lab::game::{Game, INFINITY, Player, Value};
use crate::lab::search::{Found, Halt, Node, Outcome, Search, Window};

use super::alpha_beta::fail_soft;

/// How Min chooses a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Opponent {
    /// With this probability, in thousandths, any move, each as likely; otherwise the best one.
    Errs {
        /// From 0 to 1000.
        per_mille: u32,
    },
    /// The move that a search of this depth finds best: less than ours if he is short-sighted, more if he sees deeper.
    Sees {
        /// In moves.
        depth: u32,
    },
}

/// The value of a node, for Max, against an opponent as described.
///
/// # Errors
/// When the budget is spent, or chance decides somewhere.
pub fn opponent<G: Game>(search: &mut Search<'_, G>, node: &Node<G>, model: Opponent) -> Found<G> {
    let player = search.player(node);
    if player == Player::Chance {
        return Err(Halt::Chance);
    }
    if let Some(value) = search.open(node, None)? {
        return Ok(Outcome::leaf(value));
    }
    let best = match (player, model) {
        (Player::Max, _) => ours(search, node, model)?,
        (_, Opponent::Errs { per_mille }) => erring(search, node, per_mille)?,
        (_, Opponent::Sees { depth }) => seeing(search, node, depth)?,
    };
    search.close(node, best.value);
    Ok(best)
}

fn ours<G: Game>(search: &mut Search<'_, G>, node: &Node<G>, model: Opponent) -> Found<G> {
    let mut best = Outcome::leaf(-INFINITY);
    for child in search.children(node) {
        let reply = opponent(search, &child, model)?;
        if reply.value > best.value {
            best = reply.behind(&child);
        }
    }
    Ok(best)
}

/// The mean over what the opponent may do, rounded down.
fn erring<G: Game>(search: &mut Search<'_, G>, node: &Node<G>, per_mille: u32) -> Found<G> {
    let model = Opponent::Errs { per_mille };
    // Wider than a value: there may be many large ones.
    let (mut sum, mut count) = (0_i128, 0_i128);
    let mut best = Outcome::leaf(INFINITY);
    for child in search.children(node) {
        let reply = opponent(search, &child, model)?;
        sum += i128::from(reply.value);
        count += 1;
        if reply.value < best.value {
            best = reply.behind(&child);
        }
    }
    let errs = i128::from(per_mille.min(1_000));
    let count = count.max(1);
    let chosen = i128::from(best.value) * count;
    let mean = ((1_000 - errs) * chosen + errs * sum).div_euclid(1_000 * count);
    best.value = mean as Value;
    Ok(best)
}

/// What follows the move that the opponent believes to be best.
fn seeing<G: Game>(search: &mut Search<'_, G>, node: &Node<G>, depth: u32) -> Found<G> {
    let mut expected = node.clone();
    expected.depth = depth.max(1);
    // He searches on his own account; what he looks at is counted with the rest.
    let his = fail_soft(search, &expected, Window::FULL)?;
    let child = search
        .children(node)
        .find(|child| child.via.as_ref() == his.line.first());
    match child {
        Some(child) => Ok(opponent(search, &child, Opponent::Sees { depth })?.behind(&child)),
        None => Ok(his),
    }
}
