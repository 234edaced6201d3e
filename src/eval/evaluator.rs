//! The choice between the network and the hand-written evaluation.

use super::nnue::Network;
use super::{classical, known_ending};
use crate::position::Position;

/// A static evaluation. Known endings come first in both.
#[derive(Clone, Copy, Debug)]
pub enum Evaluator<'a> {
    /// A network; the engine plays with one unless told otherwise.
    Network(&'a Network),
    /// The hand-written evaluation.
    Classical,
}

impl<'a> Evaluator<'a> {
    /// Returns the evaluation by this network, or the hand-written one if there is no network.
    pub fn new(network: Option<&'a Network>) -> Evaluator<'a> {
        network.map_or(Evaluator::Classical, Evaluator::Network)
    }

    /// Returns the value of a position for the side to move, in centipawns, computed from scratch.
    /// A search gets the same value faster: from incremental accumulators or a pawn cache.
    pub fn evaluate(self, position: &Position) -> i32 {
        match self {
            Evaluator::Network(network) => {
                known_ending(position).unwrap_or_else(|| network.evaluate(position))
            }
            Evaluator::Classical => classical::evaluate(position),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::parse_fen;

    #[test]
    fn the_network_is_asked_unless_the_ending_is_known() {
        let network = Network::embedded();
        let [by_network, by_hand] = [Some(&network), None].map(Evaluator::new);
        // The two agree about a position now and then, but not about all of a line.
        let mut position = Position::initial();
        let mut differences = 0;
        for _ in 0..8 {
            assert_eq!(by_network.evaluate(&position), network.evaluate(&position));
            assert_eq!(by_hand.evaluate(&position), classical::evaluate(&position));
            differences += u32::from(by_network.evaluate(&position) != by_hand.evaluate(&position));
            position = position.play(position.legal_moves()[0]);
        }
        assert!(differences > 0);
        // A king on the sixth rank before its pawn wins, whoever is to move.
        let won = parse_fen("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1", false);
        let won = won.expect("a position").position;
        assert!(by_network.evaluate(&won) < -1000);
        assert_eq!(by_network.evaluate(&won), by_hand.evaluate(&won));
        assert_ne!(by_network.evaluate(&won), network.evaluate(&won));
    }
}
