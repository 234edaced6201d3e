//! Opponent-dependent minimax: the opponent makes mistakes, or sees less or more than we do.
//!
//! Berliner (1977) on lost positions: a move that loses 5 if the opponent finds the only reply is
//! better than one that loses 4 whatever happens, against an opponent who may err. The same holds
//! for winning moves. [`ErrorRate`] learns from the opponent's moves how often that is.

use crate::lab::game::{Game, INFINITY, Mover, Value};
use crate::lab::search::{Halt, Search, SearchResult, TreeNode, Valuation, Window};

use super::alpha_beta::fail_soft;

/// A model of how Min chooses a move.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Opponent {
    /// A random move with this probability, in thousandths, and the best one otherwise.
    Errs {
        /// From 0 to 1000.
        per_mille: u32,
    },
    /// The move that a search of this depth finds best.
    Sees {
        /// In moves.
        depth: u32,
    },
}

/// Returns the value of a node, for Max, against an opponent who plays as the model says.
///
/// # Errors
/// Fails when a limit is reached or the game has chance nodes.
pub fn opponent<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    model: Opponent,
) -> SearchResult<G> {
    let player = search.player(node);
    if player == Mover::Chance {
        return Err(Halt::Chance);
    }
    if let Some(value) = search.open(node, None)? {
        return Ok(Valuation::leaf(value));
    }
    let best = match (player, model) {
        (Mover::Max, _) => ours(search, node, model)?,
        (_, Opponent::Errs { per_mille }) => erring(search, node, per_mille)?,
        (_, Opponent::Sees { depth }) => seeing(search, node, depth)?,
    };
    search.close(node, best.value);
    Ok(best)
}

fn ours<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    model: Opponent,
) -> SearchResult<G> {
    let mut best = Valuation::leaf(-INFINITY);
    for child in search.children(node) {
        let reply = opponent(search, &child, model)?;
        if reply.value > best.value {
            best = reply.behind(&child);
        }
    }
    Ok(best)
}

/// Returns the mean over the moves that the opponent may choose, rounded down.
fn erring<G: Game>(
    search: &mut Search<'_, G>,
    node: &TreeNode<G>,
    per_mille: u32,
) -> SearchResult<G> {
    let model = Opponent::Errs { per_mille };
    // Wider than a value: there may be many large ones.
    let (mut sum, mut count) = (0_i128, 0_i128);
    let mut best = Valuation::leaf(INFINITY);
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

/// Returns what follows the move that the opponent believes to be best.
fn seeing<G: Game>(search: &mut Search<'_, G>, node: &TreeNode<G>, depth: u32) -> SearchResult<G> {
    let mut expected = node.clone();
    expected.depth = depth.max(1);
    // The opponent searches too; these nodes are counted with the rest.
    let his = fail_soft(search, &expected, Window::FULL)?;
    search.resume(node, None);
    let child = search
        .children(node)
        .find(|child| child.via.as_ref() == his.line.first());
    match child {
        Some(child) => Ok(opponent(search, &child, Opponent::Sees { depth })?.behind(&child)),
        None => Ok(his),
    }
}

/// An estimate of how often an opponent errs, learnt from the moves that the opponent made.
///
/// A random move is a mistake only by chance, if some moves are good. So each observed move counts
/// by the share of bad moves among all: the estimate is mistakes / sum of shares, and starts as if
/// one such position had been seen in which the opponent erred with the first guess.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ErrorRate {
    mistakes: f64,
    shares: f64,
}

impl ErrorRate {
    /// Starts from a first guess, in thousandths.
    pub fn new(per_mille: u32) -> ErrorRate {
        ErrorRate {
            mistakes: f64::from(per_mille) / 1_000.0,
            shares: 1.0,
        }
    }

    /// Learns from a move: `values` are those of all moves for the opponent, `chosen` the number of
    /// the move that was made. A position in which all moves are as good teaches nothing.
    pub fn observe(&mut self, values: &[Value], chosen: usize) {
        let best = values.iter().max();
        let bad = values.iter().filter(|value| Some(*value) != best).count();
        if bad == 0 {
            return;
        }
        self.shares += bad as f64 / values.len() as f64;
        self.mistakes += f64::from(values.get(chosen) != best);
    }

    /// Returns the estimate, in thousandths.
    pub fn per_mille(&self) -> u32 {
        (1_000.0 * self.mistakes / self.shares)
            .clamp(0.0, 1_000.0)
            .round() as u32
    }
}
