//! Nim with one heap: the players take one, two or three in turn, and the player who takes the last
//! one loses.
//!
//! A position is lost for the player to move if the heap is one more than a multiple of four.

use crate::lab::game::{Game, Mover, Value};
use crate::lab::language::Language;

/// The largest number that a player may take.
const MOST: u32 = 3;

/// The game. Max begins.
#[derive(Clone, Copy, Debug)]
pub struct Nim {
    /// The size of the heap at the start.
    pub heap: u32,
}

/// The heap and the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Heap {
    /// The size of the heap.
    pub left: u32,
    /// True if it is Max's turn.
    pub max_turn: bool,
}

impl Game for Nim {
    type State = Heap;
    /// The number to take.
    type Move = u32;

    fn start(&self) -> Heap {
        Heap {
            left: self.heap,
            max_turn: true,
        }
    }

    fn player(&self, heap: &Heap) -> Mover {
        if heap.max_turn {
            Mover::Max
        } else {
            Mover::Min
        }
    }

    fn moves(&self, heap: &Heap) -> Vec<u32> {
        (1..=heap.left.min(MOST)).collect()
    }

    fn apply(&self, heap: &Heap, taken: &u32) -> Heap {
        Heap {
            left: heap.left.saturating_sub(*taken),
            max_turn: !heap.max_turn,
        }
    }

    /// Returns the result for an empty heap: the other player has taken the last one and loses.
    fn utility(&self, heap: &Heap) -> Option<Value> {
        (heap.left == 0).then_some(if heap.max_turn { 1 } else { -1 })
    }

    fn evaluate(&self, _heap: &Heap) -> Value {
        0
    }

    fn range(&self) -> (Value, Value) {
        (-1, 1)
    }

    fn move_text(&self, _heap: &Heap, taken: &u32) -> String {
        taken.to_string()
    }

    fn state_text(&self, heap: &Heap, language: Language) -> String {
        format!("{} {}", heap.left, language.pick("left", "quedan"))
    }

    /// Returns the winning move: leave one more than a multiple of four.
    fn book(&self, heap: &Heap) -> Option<u32> {
        let surplus = (heap.left + MOST) % (MOST + 1);
        (heap.left > 0 && surplus > 0).then_some(surplus)
    }
}
