//! What every algorithm searches with: nodes, the counting of them, and the limits of time and memory.

use std::collections::HashSet;

use super::counters::Counters;
use super::game::{Game, INFINITY, Player, Value};
pub use super::meter::{Budget, Halt, Meter};
use super::trace::Trace;
use crate::random::mix;

/// A position in the tree. The same position at the end of two lines is two nodes.
#[derive(Debug)]
pub struct Node<G: Game> {
    /// The position.
    pub state: G::State,
    /// Which node this is: a hash of the way to it, equal for equal ways and otherwise different.
    pub path: u64,
    /// How many moves and throws lie between it and the root.
    pub ply: u32,
    /// After how many more moves of the players the search is cut off. Throws of dice do not count.
    pub depth: u32,
    /// The last move on the way to it; none at the root.
    pub via: Option<G::Move>,
}

impl<G: Game> Clone for Node<G> {
    fn clone(&self) -> Node<G> {
        Node {
            state: self.state.clone(),
            via: self.via.clone(),
            ..*self
        }
    }
}

/// The depth that lets a search go on to the end of the game.
pub const TO_THE_END: u32 = u32::MAX;

/// What an algorithm returns: a value, and the moves that lead to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome<M> {
    /// The value.
    pub value: Value,
    /// The principal variation: the moves that both players choose. It ends where chance decides.
    pub line: Vec<M>,
}

impl<M: Clone> Outcome<M> {
    /// A value with nothing after it.
    pub fn leaf(value: Value) -> Outcome<M> {
        Outcome {
            value,
            line: Vec::new(),
        }
    }

    /// What was found behind a child, seen from its parent.
    pub fn behind<G: Game<Move = M>>(mut self, child: &Node<G>) -> Outcome<M> {
        if let Some(m) = &child.via {
            self.line.insert(0, m.clone());
        }
        self
    }

    /// The same for the other player if `turn` is -1, and unchanged if it is 1.
    pub fn turned(mut self, turn: Value) -> Outcome<M> {
        self.value *= turn;
        self
    }
}

/// The result of searching a game with an algorithm.
pub type Found<G> = Result<Outcome<<G as Game>::Move>, Halt>;

/// The values that are of interest: larger than `alpha` and smaller than `beta`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// The largest value that is too small to matter.
    pub alpha: Value,
    /// The smallest value that is too large to matter.
    pub beta: Value,
}

impl Window {
    /// All values.
    pub const FULL: Window = Window {
        alpha: -INFINITY,
        beta: INFINITY,
    };

    /// A window.
    pub const fn new(alpha: Value, beta: Value) -> Window {
        Window { alpha, beta }
    }

    /// The null window that asks whether a value is larger than this one.
    pub const fn above(alpha: Value) -> Window {
        Window {
            alpha,
            beta: alpha + 1,
        }
    }

    /// The same for the other player if `turn` is -1, and unchanged if it is 1.
    pub const fn turned(self, turn: Value) -> Window {
        if turn < 0 {
            Window {
                alpha: -self.beta,
                beta: -self.alpha,
            }
        } else {
            self
        }
    }

    /// Nothing is of interest any more.
    pub const fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }
}

/// One run of one algorithm on one game: counts what the algorithm does.
pub struct Search<'g, G: Game> {
    game: &'g G,
    meter: Meter,
    leaves: HashSet<u64>,
    trace: Option<Trace>,
}

impl<'g, G: Game> Search<'g, G> {
    /// A run that may use all time there is.
    pub fn new(game: &'g G) -> Search<'g, G> {
        Search::with_budget(game, Budget::default())
    }

    /// A run with limits.
    pub fn with_budget(game: &'g G, budget: Budget) -> Search<'g, G> {
        Search {
            game,
            meter: Meter::new(budget),
            leaves: HashSet::new(),
            trace: None,
        }
    }

    /// Writes down what happens at each node from now on, for a drawing.
    pub fn record(&mut self) {
        self.trace = Some(Trace::default());
    }

    /// What has been written down since [`Search::record`].
    pub fn trace(&self) -> Option<&Trace> {
        self.trace.as_ref()
    }

    /// The game.
    pub fn game(&self) -> &'g G {
        self.game
    }

    /// What has been counted.
    pub fn counters(&self) -> Counters {
        Counters {
            distinct_leaves: self.meter.counters.distinct_leaves + self.leaves.len() as u64,
            ..self.meter.counters
        }
    }

    /// What counts, for algorithms that have their own kind of node. They meet each leaf once.
    pub(super) fn meter_mut(&mut self) -> &mut Meter {
        &mut self.meter
    }

    /// How many leaves were evaluated because of the depth since `before`.
    pub fn cut_off_since(&self, before: &Counters) -> u64 {
        self.meter.counters.cut_off - before.cut_off
    }

    /// The leaves that were evaluated, by [`Node::path`].
    pub fn leaves(&self) -> &HashSet<u64> {
        &self.leaves
    }

    /// The node of the game's start.
    pub fn root(&self, depth: u32) -> Node<G> {
        self.node_of(self.game.start(), depth)
    }

    /// A root of any position.
    pub fn node_of(&self, state: G::State, depth: u32) -> Node<G> {
        Node {
            state,
            path: 0,
            ply: 0,
            depth,
            via: None,
        }
    }

    /// Who decides here.
    pub fn player(&self, node: &Node<G>) -> Player {
        self.game.player(&node.state)
    }

    /// 1 where Max moves and -1 where Min does.
    ///
    /// # Errors
    /// Where chance decides.
    pub fn sign(&self, node: &Node<G>) -> Result<Value, Halt> {
        match self.player(node) {
            Player::Max => Ok(1),
            Player::Min => Ok(-1),
            Player::Chance => Err(Halt::Chance),
        }
    }

    /// Begins with a node. Its value if it is a leaf, because the game ends there or the search is cut off.
    ///
    /// `window` is for the drawing: alpha and beta as Max sees them, where the algorithm has them.
    ///
    /// # Errors
    /// When the time is up.
    pub fn open(&mut self, node: &Node<G>, window: Option<Window>) -> Result<Option<Value>, Halt> {
        self.meter.tick()?;
        if let Some(trace) = &mut self.trace {
            trace.enter(node.path, window);
        }
        let value = match self.game.utility(&node.state) {
            Some(value) => value,
            None if node.depth == 0 => {
                self.meter.counters.cut_off += 1;
                self.game.evaluate(&node.state)
            }
            None => {
                self.meter.counters.interior += 1;
                return Ok(None);
            }
        };
        self.meter.counters.leaves += 1;
        self.leaves.insert(node.path);
        if let Some(trace) = &mut self.trace {
            trace.leave(node.path, value);
        }
        Ok(Some(value))
    }

    /// Whether the game is over here.
    pub fn is_end(&self, node: &Node<G>) -> bool {
        self.game.utility(&node.state).is_some()
    }

    /// Ends with a node whose value, for Max, is known or bounded now.
    pub fn close(&mut self, node: &Node<G>, value: Value) {
        if let Some(trace) = &mut self.trace {
            trace.leave(node.path, value);
        }
    }

    /// The remaining children of a node need not be looked at.
    pub fn cut(&mut self) {
        self.meter.counters.cutoffs += 1;
    }

    /// A table knew what was needed.
    pub fn table_hit(&mut self) {
        self.meter.counters.table_hits += 1;
    }

    /// So many entries of this size, in bytes, are stored.
    ///
    /// # Errors
    /// When that is more than is allowed.
    pub fn stored(&mut self, entries: usize, size: usize) -> Result<(), Halt> {
        let bytes = entries.saturating_mul(size);
        self.meter.counters.stored_entries = self.meter.counters.stored_entries.max(entries);
        self.meter.counters.stored_bytes = self.meter.counters.stored_bytes.max(bytes);
        if bytes > self.meter.budget.bytes {
            return Err(Halt::Memory);
        }
        Ok(())
    }

    /// The children, each made when it is asked for.
    pub fn children<'n>(&self, node: &'n Node<G>) -> Children<'g, 'n, G> {
        self.children_by(node, self.game.moves(&node.state))
    }

    /// The children behind the moves that a quiescence search looks at.
    pub fn noisy_children<'n>(&self, node: &'n Node<G>) -> Children<'g, 'n, G> {
        self.children_by(node, self.game.noisy_moves(&node.state))
    }

    fn children_by<'n>(&self, node: &'n Node<G>, moves: Vec<G::Move>) -> Children<'g, 'n, G> {
        Children {
            game: self.game,
            node,
            moves: moves.into_iter().enumerate(),
            is_throw: self.player(node) == Player::Chance,
        }
    }
}

/// An iterator over the children of a node.
pub struct Children<'g, 'n, G: Game> {
    game: &'g G,
    node: &'n Node<G>,
    moves: std::iter::Enumerate<std::vec::IntoIter<G::Move>>,
    is_throw: bool,
}

impl<G: Game> Iterator for Children<'_, '_, G> {
    type Item = Node<G>;

    fn next(&mut self) -> Option<Node<G>> {
        let (index, m) = self.moves.next()?;
        let cost = u32::from(!self.is_throw);
        let depth = match self.node.depth {
            TO_THE_END => TO_THE_END,
            depth => depth.saturating_sub(cost),
        };
        Some(Node {
            state: self.game.apply(&self.node.state, &m),
            path: mix(self.node.path ^ (index as u64 + 1)),
            ply: self.node.ply + 1,
            depth,
            via: Some(m),
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.moves.size_hint()
    }
}

impl<G: Game> ExactSizeIterator for Children<'_, '_, G> {}
