//! Incremental accumulators along the line that a thread searches.

use std::fmt;

use shakmaty::Color;

use super::features::{BoardInputs, InputDiff, Perspective};
use super::network::Network;
use super::refresh::RefreshCache;
use super::simd::Block;
use crate::position::{Position, color_index};
use crate::score::MAX_PLY;

/// The longest line and a few spare slots.
const SLOTS: usize = MAX_PLY + 8;

/// The state of the two accumulators of a position.
#[derive(Clone, Debug)]
struct Slot {
    /// For each colour, the perspective of its accumulator; `None` until they are computed.
    perspectives: Option<[Perspective; 2]>,
    /// The inputs of the accumulators, once they are computed.
    inputs: BoardInputs,
}

impl Slot {
    /// A slot with nothing computed.
    const EMPTY: Slot = Slot {
        perspectives: None,
        inputs: BoardInputs::EMPTY,
    };
}

/// The accumulators of one thread, one slot for each position from the root of its search.
///
/// When a value is asked for, the accumulators are updated from the nearest earlier position that
/// has them, or refreshed if the king has changed its bucket or its half of the board since. A null
/// move changes nothing, so its position shares the previous slot. Nothing is allocated after
/// [`AccumulatorStack::new`].
pub struct AccumulatorStack {
    /// The checksum of the network that the accumulators belong to.
    network: u64,
    /// The number of blocks in an accumulator.
    blocks: usize,
    /// `[slot][color][block]`
    accumulators: Vec<Block>,
    slots: Vec<Slot>,
    /// The slot of each position in the line; a null move repeats the previous one.
    line: Vec<usize>,
    refresh_cache: RefreshCache,
    /// Working memory: the changes from an earlier position.
    diff: InputDiff<2>,
}

impl fmt::Debug for AccumulatorStack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccumulatorStack")
            .field("line", &self.line)
            .finish_non_exhaustive()
    }
}

impl AccumulatorStack {
    /// Allocates the accumulators for a network. Call [`reset`](AccumulatorStack::reset) before
    /// use.
    pub fn new(network: &Network) -> AccumulatorStack {
        let blocks = network.blocks();
        let mut line = Vec::with_capacity(SLOTS);
        line.push(0);
        AccumulatorStack {
            network: network.checksum(),
            blocks,
            accumulators: vec![Block::ZERO; SLOTS * 2 * blocks],
            slots: vec![Slot::EMPTY; SLOTS],
            line,
            refresh_cache: RefreshCache::new(network),
            diff: InputDiff::EMPTY,
        }
    }

    /// Starts a line. The network may differ from the previous one.
    pub fn reset(&mut self, network: &Network) {
        if !self.is_for(network) {
            *self = AccumulatorStack::new(network);
        }
        self.line.clear();
        self.line.push(0);
        self.slots[0] = Slot::EMPTY;
    }

    /// Returns whether the accumulators belong to this network.
    fn is_for(&self, network: &Network) -> bool {
        (self.network, self.blocks) == (network.checksum(), network.blocks())
    }

    /// Appends a move.
    #[inline]
    pub fn push(&mut self) {
        let slot = self.top() + 1;
        self.slots[slot].perspectives = None;
        self.line.push(slot);
    }

    /// Appends a null move.
    #[inline]
    pub fn push_null(&mut self) {
        self.line.push(self.top());
    }

    /// Removes the last move or null move; does nothing at the first position of the line.
    #[inline]
    pub fn pop(&mut self) {
        if self.line.len() > 1 {
            self.line.pop();
        }
    }

    /// Returns the slot of the last position in the line.
    #[inline]
    fn top(&self) -> usize {
        self.line.last().copied().unwrap_or(0)
    }

    /// Returns the value of the last position in the line, which must be this one, for the side to
    /// move, in centipawns. `network` must be the one of the last
    /// [`reset`](AccumulatorStack::reset).
    pub fn evaluate(&mut self, network: &Network, position: &Position) -> i32 {
        debug_assert!(
            self.is_for(network),
            "the accumulators belong to another network"
        );
        let (slot, turn) = (self.top(), position.turn());
        if self.slots[slot].perspectives.is_none() {
            self.compute(network, slot, position);
        }
        network.output(
            self.accumulator(slot, turn),
            self.accumulator(slot, !turn),
            position.occupied().count(),
        )
    }

    /// Computes the accumulators of a position.
    fn compute(&mut self, network: &Network, slot: usize, position: &Position) {
        let (earlier, later) = self.slots.split_at_mut(slot);
        let Slot {
            perspectives: computed,
            inputs,
        } = &mut later[0];
        inputs.set(position, network.has_marks());
        let perspectives =
            [Color::White, Color::Black].map(|color| Perspective::new(color, position.king(color)));
        let mut latest_first = earlier.iter().enumerate().rev();
        let nearest =
            latest_first.find_map(|(i, slot)| Some((i, &slot.inputs, slot.perspectives?)));
        if let Some((_, theirs, _)) = nearest {
            self.diff.compute(theirs, inputs, &perspectives);
        }
        let (before, rest) = self.accumulators.split_at_mut(2 * slot * self.blocks);
        for (color, perspective) in perspectives.into_iter().enumerate() {
            let target = &mut rest[color * self.blocks..][..self.blocks];
            match nearest {
                Some((i, _, theirs)) if theirs[color] == perspective => {
                    let from = &before[(2 * i + color) * self.blocks..][..self.blocks];
                    network.update(from, target, &self.diff, color);
                }
                _ => (self.refresh_cache).refresh(network, inputs, perspective, target),
            }
        }
        *computed = Some(perspectives);
    }

    #[inline]
    fn accumulator(&self, slot: usize, color: Color) -> &[Block] {
        &self.accumulators[(2 * slot + color_index(color)) * self.blocks..][..self.blocks]
    }
}
