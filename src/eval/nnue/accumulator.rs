//! The accumulators along the line that a thread searches.

use std::fmt;

use shakmaty::Color;

use super::features::{Delta, Perspective};
use super::network::Network;
use super::refresh::RefreshCache;
use super::simd::Block;
use crate::position::{Move, Position, color_index};
use crate::score::MAX_PLY;

/// Positions in the longest line, and a few more.
const SLOTS: usize = MAX_PLY + 8;

/// What is known about the accumulators of one position.
#[derive(Clone, Copy, Debug, Default)]
struct Slot {
    /// What the move that led here changed.
    delta: Delta,
    /// By colour: whether the accumulator has been computed.
    computed: [bool; 2],
}

/// The accumulators of one thread, position by position from the root of its search.
///
/// A move only notes what it changes; accumulators are computed when a value is asked for, from the nearest position
/// before that has them, or anew when the own king has come to another bucket or half of the board since. A null move
/// changes nothing, so its position shares the accumulators of the one before. Nothing is allocated after
/// [`AccumulatorStack::new`].
pub struct AccumulatorStack {
    /// The checksum of the network that the accumulators belong to.
    network: u64,
    /// Blocks in an accumulator.
    blocks: usize,
    /// `[slot][color][block]`
    accumulators: Vec<Block>,
    slots: Vec<Slot>,
    /// The slot of each position in the line; that of a null move is the one before.
    line: Vec<usize>,
    cache: RefreshCache,
}

impl fmt::Debug for AccumulatorStack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccumulatorStack")
            .field("line", &self.line)
            .finish_non_exhaustive()
    }
}

impl AccumulatorStack {
    /// Accumulators for a network; [`reset`](AccumulatorStack::reset) comes next.
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
            cache: RefreshCache::new(network),
        }
    }

    /// Begins a line at this position, with this network, which may be another one than before.
    pub fn reset(&mut self, network: &Network, position: &Position) {
        if !self.belongs_to(network) {
            *self = AccumulatorStack::new(network);
        }
        self.line.clear();
        self.line.push(0);
        self.slots[0] = Slot::default();
        for color in Color::ALL {
            self.build(network, position, 0, perspective(position, color));
        }
    }

    /// Whether the accumulators are this network's.
    fn belongs_to(&self, network: &Network) -> bool {
        (self.network, self.blocks) == (network.checksum(), network.blocks())
    }

    /// Follows a legal move of `parent`, the last position in the line.
    #[inline]
    pub fn push(&mut self, parent: &Position, m: Move) {
        let slot = self.top() + 1;
        self.slots[slot] = Slot {
            delta: Delta::new(parent, m),
            computed: [false; 2],
        };
        self.line.push(slot);
    }

    /// Follows a null move.
    #[inline]
    pub fn push_null(&mut self) {
        self.line.push(self.top());
    }

    /// Takes back the last move or null move; at the first position of the line nothing.
    #[inline]
    pub fn pop(&mut self) {
        if self.line.len() > 1 {
            self.line.pop();
        }
    }

    /// The slot of the last position in the line.
    #[inline]
    fn top(&self) -> usize {
        self.line.last().copied().unwrap_or(0)
    }

    /// The value of the last position in the line for the side to move, in centipawns. `network` is that of the last
    /// [`reset`](AccumulatorStack::reset).
    pub fn evaluate(&mut self, network: &Network, position: &Position) -> i32 {
        debug_assert!(self.belongs_to(network), "another network");
        for color in Color::ALL {
            self.bring_up(network, position, perspective(position, color));
        }
        let slot = self.top();
        let turn = position.turn();
        network.output(
            self.accumulator(slot, turn),
            self.accumulator(slot, !turn),
            position.occupied().count(),
        )
    }

    /// Computes one accumulator of the last position in the line, if that has not been done.
    #[inline]
    fn bring_up(&mut self, network: &Network, position: &Position, perspective: Perspective) {
        let top = self.top();
        match self.nearest_computed(top, perspective.color()) {
            Some(start) => {
                for slot in start + 1..=top {
                    self.update(network, slot, perspective);
                }
            }
            None => self.build(network, position, top, perspective),
        }
    }

    /// The last slot with an accumulator from which that of `top` can be reached by updates.
    #[inline]
    fn nearest_computed(&self, top: usize, color: Color) -> Option<usize> {
        let color = color_index(color);
        let mut slot = top;
        while !self.slots[slot].computed[color] {
            if slot == 0 || self.slots[slot].delta.turned[color] {
                return None;
            }
            slot -= 1;
        }
        Some(slot)
    }

    /// Computes an accumulator from nothing but the position.
    fn build(
        &mut self,
        network: &Network,
        position: &Position,
        slot: usize,
        perspective: Perspective,
    ) {
        let color = color_index(perspective.color());
        let target = &mut self.accumulators[(2 * slot + color) * self.blocks..][..self.blocks];
        self.cache
            .build(network, position.board(), perspective, target);
        self.slots[slot].computed[color] = true;
    }

    /// Computes an accumulator from that of the slot before.
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
            // Only castling adds two, and it takes two away.
            (true, _) => kernel.update(parent, child, [add, second_add], [sub, second_sub]),
        }
        self.slots[slot].computed[color] = true;
    }

    #[inline]
    fn accumulator(&self, slot: usize, color: Color) -> &[Block] {
        &self.accumulators[(2 * slot + color_index(color)) * self.blocks..][..self.blocks]
    }
}

/// How a side sees a position.
#[inline]
fn perspective(position: &Position, color: Color) -> Perspective {
    Perspective::new(color, position.king(color))
}
