//! A cache that makes refreshing an accumulator cheap ("Finny table").

use super::features::{BoardInputs, InputDiff, Perspective};
use super::network::Network;
use super::simd::Block;

/// A board and its accumulator.
struct CachedAccumulator {
    inputs: BoardInputs,
    accumulator: Vec<Block>,
}

/// The last refreshed accumulators, by [`Perspective::number`]. A king that comes to another bucket
/// or half of the board has usually been there before, somewhere in the tree, and little else has
/// changed since: only the difference is applied.
pub struct RefreshCache {
    entries: [CachedAccumulator; Perspective::COUNT],
    /// Working memory: the changes from the cached board.
    diff: InputDiff<1>,
}

impl RefreshCache {
    /// Creates a cache of empty boards.
    pub fn new(network: &Network) -> RefreshCache {
        RefreshCache {
            entries: std::array::from_fn(|_| CachedAccumulator {
                inputs: BoardInputs::EMPTY,
                accumulator: network.feature_biases().to_vec(),
            }),
            diff: InputDiff::EMPTY,
        }
    }

    /// Writes the accumulator of a board to `target`, and remembers it.
    pub fn refresh(
        &mut self,
        network: &Network,
        inputs: &BoardInputs,
        perspective: Perspective,
        target: &mut [Block],
    ) {
        let entry = &mut self.entries[perspective.number()];
        self.diff.compute(&entry.inputs, inputs, &[perspective]);
        network.update(&entry.accumulator, target, &self.diff, 0);
        entry.inputs.clone_from(inputs);
        entry.accumulator.copy_from_slice(target);
    }
}
