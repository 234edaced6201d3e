//! The choice between the evaluations.

use std::sync::Arc;

use super::nnue::Network;
use super::{evaluate, known_ending};
use crate::position::Position;

/// A static evaluation: a network's or the hand-written one. Both give way to the exact rules of
/// [known endings](known_ending).
#[derive(Clone)]
pub enum Evaluator {
    /// The network: what the engine plays with unless told otherwise.
    Network(Arc<Network>),
    /// The hand-written, linear evaluation.
    HandWritten,
}

impl Evaluator {
    /// Returns the value of a position for the side to move, in centipawns, computed from scratch.
    /// A search updates accumulators instead and gets the same value faster.
    pub fn evaluate(&self, position: &Position) -> i32 {
        match self {
            Evaluator::Network(network) => {
                known_ending(position).unwrap_or_else(|| network.evaluate(position))
            }
            Evaluator::HandWritten => evaluate(position),
        }
    }
}
