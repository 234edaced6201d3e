//! Uniform trees with random values, made as they are searched: the same seed is the same tree.

use crate::lab::game::{Game, Player, Value};
use crate::random::{Random, mix};

/// In which order the children of a node come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Any.
    #[default]
    Random,
    /// The best for the player first, at every node.
    BestFirst,
    /// The best for the player last, at every node.
    BestLast,
}

/// A uniform tree. Max moves at the root, and the players alternate; with dice, chance comes before each move.
#[derive(Clone, Copy, Debug)]
pub struct RandomTree {
    /// The moves at each node; at least 1.
    pub branching: u32,
    /// The moves on each way.
    pub depth: u32,
    /// Values are from minus this to this. With an order the root is worth 0 and values are as far from it as it takes.
    pub largest: Value,
    /// How much values of neighbouring leaves have in common, in percent: 0 for leaves that are independent, 100 for
    /// leaves that are the sum of what the moves on the way to them are worth. Has no meaning with an order.
    pub correlation: u32,
    /// The order of the children.
    pub order: Order,
    /// How many throws the dice have; 1 for no dice. Has no meaning with an order.
    pub throws: u32,
    /// What the values follow from.
    pub seed: u64,
}

impl Default for RandomTree {
    fn default() -> RandomTree {
        RandomTree {
            branching: 3,
            depth: 3,
            largest: 100,
            correlation: 0,
            order: Order::Random,
            throws: 1,
            seed: 1,
        }
    }
}

/// A node of the tree.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// Which node, as a hash of the way to it.
    id: u64,
    /// How many moves lie before it.
    moves: u32,
    /// Whether the dice have been thrown for the next move.
    thrown: bool,
    /// The sum of what the moves on the way were worth, or the value of the node in an ordered tree.
    sum: Value,
}

impl RandomTree {
    /// A random number from `-largest` to `largest` that follows from a node.
    fn random(&self, id: u64, purpose: u64, largest: Value) -> Value {
        let mut random = Random::new(mix(self.seed) ^ id ^ mix(purpose));
        let count = usize::try_from(2 * largest + 1).unwrap_or(1);
        random.below(count) as Value - largest
    }

    fn sign(&self, place: &Place) -> Value {
        if place.moves.is_multiple_of(2) { 1 } else { -1 }
    }

    /// What a child of an ordered tree is worth: as much as the node if it is the best, and else less for the player.
    fn ordered_value(&self, place: &Place, child: u32, id: u64) -> Value {
        let best = match self.order {
            Order::BestLast => self.branching - 1,
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
    type State = Place;
    type Move = u32;

    fn start(&self) -> Place {
        Place {
            id: 0,
            moves: 0,
            thrown: false,
            sum: 0,
        }
    }

    fn player(&self, place: &Place) -> Player {
        if self.throws > 1 && !place.thrown {
            Player::Chance
        } else if self.sign(place) > 0 {
            Player::Max
        } else {
            Player::Min
        }
    }

    fn moves(&self, place: &Place) -> Vec<u32> {
        if self.player(place) == Player::Chance {
            (0..self.throws).collect()
        } else {
            (0..self.branching).collect()
        }
    }

    fn apply(&self, place: &Place, child: &u32) -> Place {
        let id = mix(place.id ^ (u64::from(*child) + 1));
        if self.player(place) == Player::Chance {
            return Place {
                id,
                thrown: true,
                ..*place
            };
        }
        let sum = match self.order {
            Order::Random => {
                let step = self.largest / Value::from(self.depth.max(1));
                place.sum + self.random(id, 2, step)
            }
            _ => self.ordered_value(place, *child, id),
        };
        Place {
            id,
            moves: place.moves + 1,
            thrown: false,
            sum,
        }
    }

    fn utility(&self, place: &Place) -> Option<Value> {
        (place.moves >= self.depth).then(|| self.evaluate(place))
    }

    fn evaluate(&self, place: &Place) -> Value {
        if self.order != Order::Random {
            return place.sum;
        }
        let common = Value::from(self.correlation.min(100));
        let own = self.random(place.id, 3, self.largest);
        (common * place.sum + (100 - common) * own) / 100
    }

    fn range(&self) -> (Value, Value) {
        let farthest = match self.order {
            Order::Random => self.largest,
            _ => self.largest + Value::from(self.depth),
        };
        (-farthest, farthest)
    }

    fn move_text(&self, _place: &Place, child: &u32) -> String {
        (child + 1).to_string()
    }

    fn state_text(&self, place: &Place) -> String {
        format!("a node after {} moves", place.moves)
    }

    fn has_chance(&self) -> bool {
        self.throws > 1
    }
}
