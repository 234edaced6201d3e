//! Search over belief states, for a player who does not see everything.
//!
//! A belief state is the set of all positions that agree with what the player has seen. After a
//! move the player observes something, and only the positions that agree with it remain. The value
//! of a belief state is the result that the player can guarantee whichever of its positions is the
//! true one: a maximum over moves, and a minimum over observations (an AND-OR search; Russell and
//! Norvig, section on partial observation).

use std::collections::{BTreeSet, HashMap};
use std::hash::Hash;

use crate::lab::game::Value;
use crate::lab::search::{Halt, Meter};

/// A game in which Max does not see everything.
pub trait HiddenGame {
    /// A true position.
    type State: Clone + Ord + Hash;
    /// A move of Max's.
    type Move: Copy;
    /// The observation that Max makes after a move.
    type Observation: Copy + Ord;

    /// Returns the moves that Max may try, which are the same in every position of a belief state.
    fn moves(&self, belief: &BTreeSet<Self::State>) -> Vec<Self::Move>;
    /// Returns Max's observation after trying a move in a true position, and the positions that can
    /// follow. They may differ in what Max has not seen.
    fn outcomes(&self, state: &Self::State, m: Self::Move)
    -> (Self::Observation, Vec<Self::State>);
    /// Returns the result for Max if the game is over. Max is told when it is.
    fn utility(&self, state: &Self::State) -> Option<Value>;
    /// Returns the smallest and the largest result.
    fn range(&self) -> (Value, Value);
}

/// The guaranteed result, and a first move that guarantees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guarantee<M> {
    /// The result for Max.
    pub value: Value,
    /// The move; none if the game is over.
    pub best: Option<M>,
}

/// Searches belief states, and remembers the values of those that it has met.
pub struct BeliefSearch<'g, G: HiddenGame> {
    game: &'g G,
    known: HashMap<BTreeSet<G::State>, Value>,
    meter: Meter,
}

impl<'g, G: HiddenGame> BeliefSearch<'g, G> {
    /// Starts a search with limits.
    pub fn new(game: &'g G, meter: Meter) -> BeliefSearch<'g, G> {
        BeliefSearch {
            game,
            known: HashMap::new(),
            meter,
        }
    }

    /// Returns the number of belief states met so far.
    pub fn beliefs(&self) -> usize {
        self.known.len()
    }

    /// Returns the result that Max can guarantee in a belief state in which it is Max's turn.
    ///
    /// # Errors
    /// Fails when the time is up.
    pub fn solve(&mut self, belief: &BTreeSet<G::State>) -> Result<Guarantee<G::Move>, Halt> {
        let (lowest, highest) = self.game.range();
        let mut found = Guarantee {
            value: lowest,
            best: None,
        };
        for m in self.game.moves(belief) {
            let value = self.after(belief, m, found.value)?;
            if found.best.is_none() || value > found.value {
                found = Guarantee {
                    value,
                    best: Some(m),
                };
            }
            if value == highest {
                break;
            }
        }
        Ok(found)
    }

    fn value(&mut self, belief: &BTreeSet<G::State>) -> Result<Value, Halt> {
        self.meter.tick()?;
        if let Some(value) = self.known.get(belief) {
            return Ok(*value);
        }
        let value = self.solve(belief)?.value;
        self.known.insert(belief.clone(), value);
        Ok(value)
    }

    /// Returns the worst result after a move. A result of `enough` or less need not be exact.
    fn after(
        &mut self,
        belief: &BTreeSet<G::State>,
        m: G::Move,
        enough: Value,
    ) -> Result<Value, Halt> {
        let mut beliefs: Vec<(G::Observation, BTreeSet<G::State>)> = Vec::new();
        let (lowest, mut worst) = self.game.range();
        for state in belief {
            let (observed, following) = self.game.outcomes(state, m);
            for next in following {
                if let Some(value) = self.game.utility(&next) {
                    worst = worst.min(value);
                    if worst == lowest {
                        return Ok(worst);
                    }
                    continue;
                }
                match beliefs.iter_mut().find(|(other, _)| *other == observed) {
                    Some((_, belief)) => {
                        belief.insert(next);
                    }
                    None => beliefs.push((observed, BTreeSet::from([next]))),
                }
            }
        }
        for (_, belief) in beliefs {
            if worst <= enough && worst > lowest {
                // Already no better than another move.
                return Ok(worst);
            }
            worst = worst.min(self.value(&belief)?);
            if worst == lowest {
                break;
            }
        }
        Ok(worst)
    }
}
