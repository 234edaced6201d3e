//! A cache that makes refreshing an accumulator cheap ("Finny table").

use shakmaty::Board;

use super::features::{FeatureDiff, Perspective};
use super::network::Network;
use super::simd::Block;

/// A board and its accumulator.
struct CachedAccumulator {
    board: Board,
    accumulator: Vec<Block>,
}

/// The last refreshed accumulators, by [`Perspective::number`]. A king that comes to another bucket
/// or half of the board has usually been there before, somewhere in the tree, and little else has
/// changed since: only the difference is applied.
pub struct RefreshCache {
    entries: [CachedAccumulator; Perspective::COUNT],
}

impl RefreshCache {
    /// Creates a cache of empty boards.
    pub fn new(network: &Network) -> RefreshCache {
        RefreshCache {
            entries: std::array::from_fn(|_| CachedAccumulator {
                board: Board::empty(),
                accumulator: network.feature_biases().to_vec(),
            }),
        }
    }

    /// Writes the accumulator of a board to `target`, and remembers it.
    pub fn refresh(
        &mut self,
        network: &Network,
        board: &Board,
        perspective: Perspective,
        target: &mut [Block],
    ) {
        let entry = &mut self.entries[perspective.number()];
        let FeatureDiff { adds, subs } = FeatureDiff::new(&entry.board, board, perspective);
        let accumulator = &mut entry.accumulator;
        network
            .kernel()
            .refresh(accumulator, network.feature_weights(), &adds, &subs);
        entry.board = board.clone();
        target.copy_from_slice(accumulator);
    }
}
