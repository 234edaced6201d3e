//! Weights from scores.
//!
//! The value of a position is that of its best move in the book, and the score of the search where
//! the book ends. A move that loses too much, compared with the best move or the score of the
//! position, is left out, and so is one after which the book ends in a position that is too good
//! for one side. A position that loses all its moves becomes a leaf.

use super::graph::{BookEdge, BookGraph, BookNode};
use crate::book::BookEntry;
use crate::book::entry::move_code;

/// The weight of the best move of a position.
const BEST_WEIGHT: f64 = 1000.0;
/// The loss against the best move that halves the weight, in centipawns.
const HALVED_BY: f64 = 10.0;

/// The limits of the moves that are kept.
#[derive(Clone, Copy, Debug)]
pub struct WeighingRules {
    /// The largest loss of a move, in centipawns.
    pub max_loss: i32,
    /// The largest score of a leaf for either side, in centipawns.
    pub within: Option<i32>,
}

/// The evaluation of a position.
#[derive(Clone, Debug)]
struct NodeValue {
    /// The value for the side to move, in centipawns.
    value: i32,
    /// True if every line ends in a leaf within the bound.
    sound: bool,
    /// The moves that stay, with their values.
    kept: Vec<(BookEdge, i32)>,
}

/// Returns the entries of the moves that stay, sorted as in a book. `scores` has the score of each
/// node for the side to move.
pub fn weigh(graph: &BookGraph, scores: &[i32], rules: WeighingRules) -> Vec<BookEntry> {
    let mut values: Vec<Option<NodeValue>> = vec![None; graph.nodes.len()];
    for index in children_first(graph) {
        let (Some(node), Some(&score)) = (graph.nodes.get(index), scores.get(index)) else {
            continue;
        };
        let value = node_value(node, score, &values, rules);
        if let Some(place) = values.get_mut(index) {
            *place = Some(value);
        }
    }
    let mut entries = entries(graph, &values);
    entries.sort_unstable_by_key(|entry| (entry.key, std::cmp::Reverse(entry.weight), entry.code));
    entries
}

/// Returns the value of a node, given the values of its children.
fn node_value(
    node: &BookNode,
    score: i32,
    values: &[Option<NodeValue>],
    rules: WeighingRules,
) -> NodeValue {
    // A move back to an earlier position of the line has no value yet, and is not an opening move.
    let mut kept: Vec<(BookEdge, i32)> = node
        .edges
        .iter()
        .filter_map(|&edge| {
            let child = values.get(edge.child)?.as_ref()?;
            child.sound.then_some((edge, -child.value))
        })
        .collect();
    let best = kept.iter().map(|&(_, value)| value).fold(score, i32::max);
    kept.retain(|&(_, value)| best - value <= rules.max_loss);
    match kept.iter().map(|&(_, value)| value).max() {
        Some(value) => NodeValue {
            value,
            sound: true,
            kept,
        },
        None => NodeValue {
            value: score,
            sound: rules.within.is_none_or(|within| score.abs() <= within),
            kept,
        },
    }
}

/// Returns the nodes in post-order: the children of each come first, except those that lead back.
fn children_first(graph: &BookGraph) -> Vec<usize> {
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
        // A node and the number of its visited children.
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

/// Returns the entries of the moves that stay. Replies to a move that is left out stay, since the
/// opponent may play it.
fn entries(graph: &BookGraph, values: &[Option<NodeValue>]) -> Vec<BookEntry> {
    let nodes = graph.nodes.iter().zip(values);
    nodes
        .filter_map(|(node, value)| Some((node.key, value.as_ref()?)))
        .flat_map(|(key, best)| {
            best.kept.iter().map(move |(edge, value)| {
                let loss = f64::from(best.value - value);
                let weight = BEST_WEIGHT * (-loss / HALVED_BY).exp2();
                BookEntry {
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
