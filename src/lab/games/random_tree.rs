//! Uniform trees with random values, generated while they are searched. The same seed gives the
//! same tree.

use crate::lab::game::{Game, Mover, Value};
use crate::lab::language::Language;
use crate::random::{Random, mix};

/// The order of the children of a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ChildOrder {
    /// Random.
    #[default]
    Random,
    /// The best for the player first, at every node.
    BestFirst,
    /// The best for the player last, at every node.
    BestLast,
}

/// A uniform tree. Max moves at the root and the players alternate. With dice, a throw precedes
/// each move.
#[derive(Clone, Copy, Debug)]
pub struct RandomTree {
    /// The number of moves at each node; at least 1.
    pub branching: u32,
    /// The number of moves from the root to a leaf.
    pub depth: u32,
    /// The largest value; the smallest is its negative. With an order the root is worth 0, and the
    /// values of other nodes follow from their ranks.
    pub largest: Value,
    /// The correlation of neighbouring leaves, in percent: 0 for independent leaves, 100 for leaves
    /// that are the sum of the values of the moves that lead to them. Ignored with an order.
    pub correlation: u32,
    /// The order of the children.
    pub order: ChildOrder,
    /// The number of throws of the dice; 1 for no dice. Ignored with an order.
    pub throws: u32,
    /// The seed of the values.
    pub seed: u64,
}

impl Default for RandomTree {
    fn default() -> RandomTree {
        RandomTree {
            branching: 3,
            depth: 3,
            largest: 100,
            correlation: 0,
            order: ChildOrder::Random,
            throws: 1,
            seed: 1,
        }
    }
}

/// A node of the tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RandomNode {
    /// A hash of the moves that lead to the node.
    id: u64,
    /// The number of those moves.
    moves: u32,
    /// True after the throw for the next move.
    thrown: bool,
    /// The sum of the values of the moves so far, or the value of the node in an ordered tree.
    sum: Value,
}

impl RandomTree {
    /// Derives a random number from `-largest` to `largest` from a node.
    fn random(&self, id: u64, purpose: u64, largest: Value) -> Value {
        let mut random = Random::new(mix(self.seed) ^ id ^ mix(purpose));
        let count = usize::try_from(2 * largest + 1).unwrap_or(1);
        random.below(count) as Value - largest
    }

    fn sign(&self, place: &RandomNode) -> Value {
        if place.moves.is_multiple_of(2) { 1 } else { -1 }
    }

    /// Returns the value of a child in an ordered tree: that of the node for the best child, and
    /// less for the player otherwise.
    fn ordered_value(&self, place: &RandomNode, child: u32, id: u64) -> Value {
        let best = match self.order {
            ChildOrder::BestLast => self.branching - 1,
            _ => 0,
        };
        if child == best {
            return place.sum;
        }
        let loss = 1 + (self.random(id, 1, self.largest).abs()) / Value::from(self.depth.max(1));
        place.sum - self.sign(place) * loss
    }
}

impl Game for RandomTree {
    type State = RandomNode;
    type Move = u32;

    fn start(&self) -> RandomNode {
        RandomNode {
            id: 0,
            moves: 0,
            thrown: false,
            sum: 0,
        }
    }

    fn player(&self, place: &RandomNode) -> Mover {
        if self.throws > 1 && !place.thrown {
            Mover::Chance
        } else if self.sign(place) > 0 {
            Mover::Max
        } else {
            Mover::Min
        }
    }

    fn moves(&self, place: &RandomNode) -> Vec<u32> {
        if self.player(place) == Mover::Chance {
            (0..self.throws).collect()
        } else {
            (0..self.branching).collect()
        }
    }

    fn apply(&self, place: &RandomNode, child: &u32) -> RandomNode {
        let id = mix(place.id ^ (u64::from(*child) + 1));
        if self.player(place) == Mover::Chance {
            return RandomNode {
                id,
                thrown: true,
                ..*place
            };
        }
        let sum = match self.order {
            ChildOrder::Random => {
                let step = self.largest / Value::from(self.depth.max(1));
                place.sum + self.random(id, 2, step)
            }
            _ => self.ordered_value(place, *child, id),
        };
        RandomNode {
            id,
            moves: place.moves + 1,
            thrown: false,
            sum,
        }
    }

    fn utility(&self, place: &RandomNode) -> Option<Value> {
        (place.moves >= self.depth).then(|| self.evaluate(place))
    }

    fn evaluate(&self, place: &RandomNode) -> Value {
        if self.order != ChildOrder::Random {
            return place.sum;
        }
        let common = Value::from(self.correlation.min(100));
        let own = self.random(place.id, 3, self.largest);
        (common * place.sum + (100 - common) * own) / 100
    }

    fn range(&self) -> (Value, Value) {
        let farthest = match self.order {
            ChildOrder::Random => self.largest,
            _ => self.largest + Value::from(self.depth),
        };
        (-farthest, farthest)
    }

    fn move_text(&self, _place: &RandomNode, child: &u32) -> String {
        (child + 1).to_string()
    }

    fn state_text(&self, place: &RandomNode, language: Language) -> String {
        format!(
            "{} {}",
            language.pick("moves made:", "jugadas hechas:"),
            place.moves
        )
    }

    fn draw(&self) -> Option<Value> {
        None
    }

    fn has_chance(&self) -> bool {
        self.throws > 1
    }
}
