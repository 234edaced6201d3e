//! Incremental accumulators along the line that a thread searches.

use std::fmt;

use shakmaty::Color;

use super::features::{Delta, Perspective};
use super::network::Network;
use super::refresh::RefreshCache;
use super::simd::Block;
use crate::position::{Move, Position, color_index};
use crate::score::MAX_PLY;

/// The longest line and a few spare slots.
const SLOTS: usize = MAX_PLY + 8;

/// The state of the two accumulators of a position.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// The features that the move to this position changed.
    delta: Delta,
    /// For each color, true once the accumulator has been computed.
    computed: [bool; 2],
}

/// The accumulators of one thread, one slot for each position from the root of its search.
///
/// A move only records what it changes. When a value is asked for, the accumulators are updated
/// from the nearest earlier position that has them, or refreshed if the king has changed its bucket
/// or its half of the board since. A null move changes nothing, so its position shares the previous
/// slot. Nothing is allocated after [`AccumulatorStack::new`].
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
            slots: vec![Slot::default(); SLOTS],
            line,
            refresh_cache: RefreshCache::new(network),
        }
    }

    /// Starts a line at this position. The network may differ from the previous one.
    pub fn reset(&mut self, network: &Network, position: &Position) {
        if !self.is_for(network) {
            *self = AccumulatorStack::new(network);
        }
        self.line.clear();
        self.line.push(0);
        self.slots[0] = Slot::default();
        for color in Color::ALL {
            self.refresh(network, position, 0, perspective(position, color));
        }
    }

    /// Returns true if the accumulators belong to this network.
    fn is_for(&self, network: &Network) -> bool {
        (self.network, self.blocks) == (network.checksum(), network.blocks())
    }

    /// Appends a legal move from `parent`, the last position in the line.
    #[inline]
    pub fn push(&mut self, parent: &Position, m: Move) {
        let slot = self.top() + 1;
        self.slots[slot] = Slot {
            delta: Delta::new(parent, m),
            computed: [false; 2],
        };
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

    /// Returns the value of the last position in the line for the side to move, in centipawns.
    /// `network` must be the one of the last [`reset`](AccumulatorStack::reset).
    pub fn evaluate(&mut self, network: &Network, position: &Position) -> i32 {
        debug_assert!(
            self.is_for(network),
            "the accumulators belong to another network"
        );
        for color in Color::ALL {
            self.ensure_computed(network, position, perspective(position, color));
        }
        let slot = self.top();
        let turn = position.turn();
        network.output(
            self.accumulator(slot, turn),
            self.accumulator(slot, !turn),
            position.occupied().count(),
        )
    }

    /// Computes one accumulator of the last position in the line, unless it is up to date.
    #[inline]
    fn ensure_computed(
        &mut self,
        network: &Network,
        position: &Position,
        perspective: Perspective,
    ) {
        let top = self.top();
        match self.nearest_computed(top, perspective.color()) {
            Some(start) => {
                for slot in start + 1..=top {
                    self.update(network, slot, perspective);
                }
            }
            None => self.refresh(network, position, top, perspective),
        }
    }

    /// Returns the nearest slot with a computed accumulator from which `top` can be reached by
    /// updates alone.
    #[inline]
    fn nearest_computed(&self, top: usize, color: Color) -> Option<usize> {
        let color = color_index(color);
        let mut slot = top;
        while !self.slots[slot].computed[color] {
            if slot == 0 || self.slots[slot].delta.needs_refresh[color] {
                return None;
            }
            slot -= 1;
        }
        Some(slot)
    }

    /// Refreshes an accumulator from the position.
    fn refresh(
        &mut self,
        network: &Network,
        position: &Position,
        slot: usize,
        perspective: Perspective,
    ) {
        let color = color_index(perspective.color());
        let target = &mut self.accumulators[(2 * slot + color) * self.blocks..][..self.blocks];
        self.refresh_cache
            .refresh(network, position.board(), perspective, target);
        self.slots[slot].computed[color] = true;
    }

    /// Updates an accumulator from the one in the previous slot.
    #[inline]
    fn update(&mut self, network: &Network, slot: usize, perspective: Perspective) {
        let color = color_index(perspective.color());
        let offset = (2 * slot + color) * self.blocks;
        let (before, after) = self.accumulators.split_at_mut(offset);
        let parent = &before[offset - 2 * self.blocks..][..self.blocks];
        let child = &mut after[..self.blocks];
        let delta = &self.slots[slot].delta;
        let [add, second_add] = delta
            .adds
            .map(|feature| network.row(perspective.index(feature)));
        let [sub, second_sub] = delta
            .subs
            .map(|feature| network.row(perspective.index(feature)));
        let kernel = network.kernel();
        match (delta.two_adds, delta.two_subs) {
            (false, false) => kernel.update(parent, child, [add], [sub]),
            (false, true) => kernel.update(parent, child, [add], [sub, second_sub]),
            // Only castling adds two features, and it removes two.
            (true, _) => kernel.update(parent, child, [add, second_add], [sub, second_sub]),
        }
        self.slots[slot].computed[color] = true;
    }

    #[inline]
    fn accumulator(&self, slot: usize, color: Color) -> &[Block] {
        &self.accumulators[(2 * slot + color_index(color)) * self.blocks..][..self.blocks]
    }
}

/// Returns the view of the position from one side.
#[inline]
fn perspective(position: &Position, color: Color) -> Perspective {
    Perspective::new(color, position.king(color))
}
