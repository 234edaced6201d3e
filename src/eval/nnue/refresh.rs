//! Building an accumulator anew, cheaply: from the last one that was built for the same perspective.

use shakmaty::Board;

use super::features::{Difference, Perspective};
use super::network::Network;
use super::simd::Block;

/// An accumulator and the board that it belongs to.
struct Entry {
    board: Board,
    accumulator: Vec<Block>,
}

/// The last accumulators built, by [`Perspective::number`]. When a king comes to another bucket or half of the board, little
/// has changed since it came there the last time, somewhere in the tree: only the difference is added.
pub struct RefreshCache {
    entries: [Entry; Perspective::COUNT],
}

impl RefreshCache {
    /// As if an empty board had been built for each.
    pub fn new(network: &Network) -> RefreshCache {
        RefreshCache {
            entries: std::array::from_fn(|_| Entry {
                board: Board::empty(),
                accumulator: network.feature_biases().to_vec(),
            }),
        }
    }

    /// The accumulator of a board, written to `target`.
    pub fn build(
        &mut self,
        network: &Network,
        board: &Board,
        perspective: Perspective,
        target: &mut [Block],
    ) {
        let entry = &mut self.entries[perspective.number()];
        let Difference { adds, subs } = Difference::new(&entry.board, board, perspective);
        let accumulator = &mut entry.accumulator;
        network
            .kernel()
            .refresh(accumulator, network.feature_weights(), &adds, &subs);
        entry.board = board.clone();
        target.copy_from_slice(accumulator);
    }
}
