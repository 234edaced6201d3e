//! Weights from scores.
//!
//! The value of a position is what its best move in the book leads to, and where the book ends it is the score of the search.
//! A move that loses too much, compared with the best move or with what the search expects there, is left out, and so is one
//! after which the book ends in a position that is decided too far. A position that loses all its moves becomes an exit.

use super::graph::{Edge, Graph, Node};
use crate::book::Entry;
use crate::book::entry::move_code;

/// The weight of the best move of a position.
const BEST_WEIGHT: f64 = 1000.0;
/// A move that loses this much against the best is played half as often, in centipawns.
const HALVED_BY: f64 = 10.0;

/// What is kept.
#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// The most that a move may lose, in centipawns.
    pub max_loss: i32,
    /// The score of an exit, for either side, at most, in centipawns.
    pub within: Option<i32>,
}

/// What is known of a position.
#[derive(Clone, Debug)]
struct Verdict {
    /// For the side to move, in centipawns.
    value: i32,
    /// Whether every way on ends in an exit that is within the bound.
    sound: bool,
    /// The moves that stay, with what they lead to.
    kept: Vec<(Edge, i32)>,
}

/// The entries of the moves that stay, sorted as in a book. `scores` has one for each node, for the side to move.
pub fn weigh(graph: &Graph, scores: &[i32], rules: Rules) -> Vec<Entry> {
    let mut verdicts: Vec<Option<Verdict>> = vec![None; graph.nodes.len()];
    for index in children_first(graph) {
        let (Some(node), Some(&score)) = (graph.nodes.get(index), scores.get(index)) else {
            continue;
        };
        let verdict = judge(node, score, &verdicts, rules);
        if let Some(place) = verdicts.get_mut(index) {
            *place = Some(verdict);
        }
    }
    let mut entries = entries(graph, &verdicts);
    entries.sort_unstable_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight), entry.code));
    entries
}

fn judge(node: &Node, score: i32, verdicts: &[Option<Verdict>], rules: Rules) -> Verdict {
    // A move back to where the line came from has no verdict yet, and is no way to play an opening.
    let mut kept: Vec<(Edge, i32)> = node
        .edges
        .iter()
        .filter_map(|&edge| {
            let child = verdicts.get(edge.child)?.as_ref()?;
            child.sound.then_some((edge, -child.value))
        })
        .collect();
    let best = kept.iter().map(|&(_, value)| value).fold(score, i32::max);
    kept.retain(|&(_, value)| best - value <= rules.max_loss);
    match kept.iter().map(|&(_, value)| value).max() {
        Some(value) => Verdict {
            value,
            sound: true,
            kept,
        },
        None => Verdict {
            value: score,
            sound: rules.within.is_none_or(|within| score.abs() <= within),
            kept,
        },
    }
}

/// The nodes in an order in which the children of each come before it, but for those that lead back.
fn children_first(graph: &Graph) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = vec![false; graph.nodes.len()];
    let mut enter = |index: usize| {
        let seen = seen.get_mut(index);
        seen.is_some_and(|seen| !std::mem::replace(seen, true))
    };
    for root in 0..graph.nodes.len() {
        if !enter(root) {
            continue;
        }
        // A node and how many of its children have been visited.
        let mut stack = vec![(root, 0)];
        while let Some((index, visited)) = stack.last_mut() {
            let edges = graph.nodes.get(*index).map(|node| &node.edges);
            match edges.and_then(|edges| edges.get(*visited)) {
                None => {
                    order.push(*index);
                    stack.pop();
                }
                Some(edge) => {
                    *visited += 1;
                    if enter(edge.child) {
                        stack.push((edge.child, 0));
                    }
                }
            }
        }
    }
    order
}

/// The entries of the moves that stay. Answers to a move that is left out stay, since the other side may play it.
fn entries(graph: &Graph, verdicts: &[Option<Verdict>]) -> Vec<Entry> {
    let judged = graph.nodes.iter().zip(verdicts);
    judged
        .filter_map(|(node, verdict)| Some((node.key, verdict.as_ref()?)))
        .flat_map(|(key, verdict)| {
            verdict.kept.iter().map(move |(edge, value)| {
                let loss = f64::from(verdict.value - value);
                let weight = BEST_WEIGHT * (-loss / HALVED_BY).exp2();
                Entry {
                    key,
                    code: move_code(edge.m),
                    // The cast saturates.
                    weight: (weight.round() as u16).max(1),
                    learn: 0,
                }
            })
        })
        .collect()
}
