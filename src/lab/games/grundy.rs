//! Grundy's game: a player splits one of the heaps into two of different size. A player who cannot
//! loses.

use crate::lab::game::{Game, Mover, Value};
use crate::lab::language::Language;

/// The game, with one heap at first. Max begins.
#[derive(Clone, Copy, Debug)]
pub struct Grundy {
    /// The size of that heap.
    pub heap: u32,
}

/// The heaps that can still be split, and the player to move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Heaps {
    /// Sizes from the largest down; heaps of one or two can never be split and are left out.
    pub sizes: Vec<u32>,
    /// True if it is Max's turn.
    pub max_turn: bool,
}

/// A split of a heap.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Split {
    /// The size of the heap.
    pub heap: u32,
    /// The size of the smaller part.
    pub smaller: u32,
}

/// Returns whether a heap can be split into two of different size.
fn can_be_split(size: &u32) -> bool {
    *size > 2
}

impl Game for Grundy {
    type State = Heaps;
    type Move = Split;

    fn start(&self) -> Heaps {
        let sizes = [self.heap].into_iter().filter(can_be_split).collect();
        Heaps {
            sizes,
            max_turn: true,
        }
    }

    fn player(&self, heaps: &Heaps) -> Mover {
        if heaps.max_turn {
            Mover::Max
        } else {
            Mover::Min
        }
    }

    /// Returns the splits of all heaps; equal heaps give the same ones.
    fn moves(&self, heaps: &Heaps) -> Vec<Split> {
        let mut sizes = heaps.sizes.clone();
        sizes.dedup();
        let splits = |heap: u32| (1..heap.div_ceil(2)).map(move |smaller| Split { heap, smaller });
        sizes.into_iter().flat_map(splits).collect()
    }

    fn apply(&self, heaps: &Heaps, split: &Split) -> Heaps {
        let mut sizes = heaps.sizes.clone();
        if let Some(index) = sizes.iter().position(|size| *size == split.heap) {
            sizes.remove(index);
        }
        let parts = [split.smaller, split.heap - split.smaller];
        sizes.extend(parts.into_iter().filter(can_be_split));
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        Heaps {
            sizes,
            max_turn: !heaps.max_turn,
        }
    }

    fn utility(&self, heaps: &Heaps) -> Option<Value> {
        let lost = if heaps.max_turn { -1 } else { 1 };
        heaps.sizes.is_empty().then_some(lost)
    }

    fn evaluate(&self, _heaps: &Heaps) -> Value {
        0
    }

    fn range(&self) -> (Value, Value) {
        (-1, 1)
    }

    fn move_text(&self, _heaps: &Heaps, split: &Split) -> String {
        format!(
            "{}={}+{}",
            split.heap,
            split.heap - split.smaller,
            split.smaller
        )
    }

    fn state_text(&self, heaps: &Heaps, language: Language) -> String {
        let sizes: Vec<String> = heaps.sizes.iter().map(u32::to_string).collect();
        let title = language.pick("heaps that can be split:", "montones divisibles:");
        format!(
            "{title} {}",
            if sizes.is_empty() {
                "-".to_owned()
            } else {
                sizes.join(" ")
            }
        )
    }
}
