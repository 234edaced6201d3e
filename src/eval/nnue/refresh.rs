//! Building an accumulator anew, cheaply: from the last one that was built for the same side and mirroring.

use shakmaty::Board;

use super::features::{Difference, Perspective};
use super::network::Network;
use super::simd::Block;
use crate::position::color_index;

/// An accumulator and the board that it belongs to.
struct Entry {
    board: Board,
    accumulator: Vec<Block>,
}

/// The last accumulators built, `[color][mirrored]`. When a king crosses the middle, the board has changed little since
/// it crossed the last time, somewhere in the tree: only the difference is added.
pub struct RefreshCache {
    entries: [[Entry; 2]; 2],
}

impl RefreshCache {
    /// As if an empty board had been built for each.
    pub fn new(network: &Network) -> RefreshCache {
        let entry = || Entry {
            board: Board::empty(),
            accumulator: network.feature_biases().to_vec(),
        };
        RefreshCache {
            entries: [[entry(), entry()], [entry(), entry()]],
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
        let color = color_index(perspective.color());
        let entry = &mut self.entries[color][usize::from(perspective.is_mirrored())];
        let Difference { adds, subs } = Difference::new(&entry.board, board, perspective);
        let accumulator = &mut entry.accumulator;
        network
            .kernel()
            .refresh(accumulator, network.feature_weights(), &adds, &subs);
        entry.board = board.clone();
        target.copy_from_slice(accumulator);
    }
}
