//! The state that every algorithm searches with: nodes, counters, and limits of time and memory.

use std::collections::HashSet;

use super::counters::NodeCounts;
use super::game::{Game, INFINITY, Mover, Value};
pub use super::meter::{Halt, Meter, RunLimits};
use super::table::Bounds;
use super::trace::{Action, OpenState, SearchTrace, ValueBound};
use crate::random::mix;

/// A position in the tree. The same position at the end of two lines is two nodes.
#[derive(Debug)]
pub struct TreeNode<G: Game> {
    /// The position.
    pub state: G::State,
    /// A hash of the moves that lead here, which identifies the node.
    pub path: u64,
    /// The number of moves and throws between the root and this node.
    pub ply: u32,
    /// The number of further moves before the search is cut off. Throws of dice do not count.
    pub depth: u32,
    /// The last move before this node; none at the root.
    pub via: Option<G::Move>,
}

impl<G: Game> Clone for TreeNode<G> {
    fn clone(&self) -> TreeNode<G> {
        TreeNode {
            state: self.state.clone(),
            via: self.via.clone(),
            ..*self
        }
    }
}

/// A depth that lets a search continue to the end of the game.
pub const TO_THE_END: u32 = u32::MAX;

/// A value and the moves that lead to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Valuation<M> {
    /// The value.
    pub value: Value,
    /// The principal variation: the moves that both players choose. It ends where chance decides.
    pub line: Vec<M>,
}

impl<M: Clone> Valuation<M> {
    /// Returns a value without further moves.
    pub fn leaf(value: Value) -> Valuation<M> {
        Valuation {
            value,
            line: Vec::new(),
        }
    }

    /// Puts the move to a child before what was found there.
    pub fn behind<G: Game<Move = M>>(mut self, child: &TreeNode<G>) -> Valuation<M> {
        if let Some(m) = &child.via {
            self.line.insert(0, m.clone());
        }
        self
    }

    /// Negates the value if `turn` is -1, which changes the player's point of view.
    pub fn turned(mut self, turn: Value) -> Valuation<M> {
        self.value *= turn;
        self
    }
}

/// The result of searching a game with an algorithm.
pub type SearchResult<G> = Result<Valuation<<G as Game>::Move>, Halt>;

/// A search window: values larger than `alpha` and smaller than `beta` matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// The largest value that is too small to matter.
    pub alpha: Value,
    /// The smallest value that is too large to matter.
    pub beta: Value,
}

impl Window {
    /// The window that contains all values.
    pub const FULL: Window = Window {
        alpha: -INFINITY,
        beta: INFINITY,
    };

    /// Creates a window.
    pub const fn new(alpha: Value, beta: Value) -> Window {
        Window { alpha, beta }
    }

    /// Returns the null window that asks whether a value is larger than `alpha`.
    pub const fn above(alpha: Value) -> Window {
        Window {
            alpha,
            beta: alpha + 1,
        }
    }

    /// Returns the window as the other player sees it if `turn` is -1, and unchanged if it is 1.
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

    /// Returns whether no value lies inside.
    pub const fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }
}

/// One run of one algorithm on one game, which counts what the algorithm does.
pub struct Search<'g, G: Game> {
    game: &'g G,
    meter: Meter,
    leaves: HashSet<u64>,
    trace: Option<SearchTrace>,
}

impl<'g, G: Game> Search<'g, G> {
    /// Starts a run without a time limit.
    pub fn new(game: &'g G) -> Search<'g, G> {
        Search::with_limits(game, RunLimits::default())
    }

    /// Starts a run with limits.
    pub fn with_limits(game: &'g G, limits: RunLimits) -> Search<'g, G> {
        Search {
            game,
            meter: Meter::new(limits),
            leaves: HashSet::new(),
            trace: None,
        }
    }

    /// Starts to log every step.
    pub fn record(&mut self) {
        self.trace = Some(SearchTrace::default());
    }

    /// Returns the log, if [`Search::record`] was called.
    pub fn trace(&self) -> Option<&SearchTrace> {
        self.trace.as_ref()
    }

    /// Returns the game.
    pub fn game(&self) -> &'g G {
        self.game
    }

    /// Returns the counters.
    pub fn counters(&self) -> NodeCounts {
        NodeCounts {
            distinct_leaves: self.meter.counters.distinct_leaves + self.leaves.len() as u64,
            ..self.meter.counters
        }
    }

    /// Returns the meter, for algorithms with their own kind of node. They meet each leaf once.
    pub(super) fn meter_mut(&mut self) -> &mut Meter {
        &mut self.meter
    }

    /// Returns how many leaves were evaluated at the depth limit since `before`.
    pub fn cut_off_since(&self, before: &NodeCounts) -> u64 {
        self.meter.counters.cut_off - before.cut_off
    }

    /// Returns the leaves that were evaluated, by [`TreeNode::path`].
    pub fn leaves(&self) -> &HashSet<u64> {
        &self.leaves
    }

    /// Returns the node of the game's start.
    pub fn root(&self, depth: u32) -> TreeNode<G> {
        self.node_of(self.game.start(), depth)
    }

    /// Returns a root node for any position.
    pub fn node_of(&self, state: G::State, depth: u32) -> TreeNode<G> {
        TreeNode {
            state,
            path: 0,
            ply: 0,
            depth,
            via: None,
        }
    }

    /// Returns who decides at a node.
    pub fn player(&self, node: &TreeNode<G>) -> Mover {
        self.game.player(&node.state)
    }

    /// Returns 1 where Max moves and -1 where Min does.
    ///
    /// # Errors
    /// Where chance decides.
    pub fn sign(&self, node: &TreeNode<G>) -> Result<Value, Halt> {
        match self.player(node) {
            Mover::Max => Ok(1),
            Mover::Min => Ok(-1),
            Mover::Chance => Err(Halt::Chance),
        }
    }

    /// Enters a node and returns its value if it is a leaf: the game ends there, or the depth is
    /// used up.
    ///
    /// `window` is for the log: alpha and beta as Max sees them, where the algorithm has them.
    ///
    /// # Errors
    /// Fails when the time is up or the memory limit is reached.
    pub fn open(
        &mut self,
        node: &TreeNode<G>,
        window: Option<Window>,
    ) -> Result<Option<Value>, Halt> {
        self.meter.tick()?;
        if let Some(trace) = &mut self.trace {
            trace.enter(node.path, window, node.depth);
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
        self.check_memory(self.meter.counters.stored_bytes)?;
        if let Some(trace) = &mut self.trace {
            trace.leaf(node.path, value);
        }
        Ok(Some(value))
    }

    /// Records what is known about the value of a node that the search may return to (B*).
    pub(super) fn narrow(&mut self, node: &TreeNode<G>, interval: Bounds) {
        if let Some(trace) = &mut self.trace {
            trace.narrow(node.path, interval);
        }
    }

    /// Records that the search is back at a node, after another search that began there.
    pub fn resume(&mut self, node: &TreeNode<G>, window: Option<Window>) {
        if let Some(trace) = &mut self.trace {
            trace.resume(node.path, window, node.depth);
        }
    }

    /// Returns whether the game is over at a node.
    pub fn is_end(&self, node: &TreeNode<G>) -> bool {
        self.game.utility(&node.state).is_some()
    }

    /// Leaves a node with its value, or a bound on it, for Max.
    pub fn close(&mut self, node: &TreeNode<G>, value: Value) {
        if let Some(trace) = &mut self.trace {
            trace.leave(node.path, value, None);
        }
    }

    /// Records that the search leaves a node with a bound on its value that does not follow from a
    /// window.
    pub fn close_with_bound(&mut self, node: &TreeNode<G>, value: Value, bound: ValueBound) {
        if let Some(trace) = &mut self.trace {
            trace.leave(node.path, value, Some(bound));
        }
    }

    /// Records that a child has returned: the best value so far, and what is left of the window, as
    /// Max sees them.
    pub fn update(&mut self, node: &TreeNode<G>, window: Option<Window>, best: Value) {
        if let Some(trace) = &mut self.trace {
            trace.log(node.path, Action::Update, window, Some(best));
        }
    }

    /// Counts a cut-off: the remaining children of the node are not searched.
    pub fn cut(&mut self, node: &TreeNode<G>) {
        self.meter.counters.cutoffs += 1;
        if let Some(trace) = &mut self.trace {
            trace.log(node.path, Action::Cut, None, None);
        }
    }

    /// Counts a table hit that makes it unnecessary to search a node.
    pub fn table_hit(
        &mut self,
        node: &TreeNode<G>,
        window: Window,
        value: Value,
        bound: ValueBound,
    ) {
        self.meter.counters.table_hits += 1;
        if let Some(trace) = &mut self.trace {
            trace.table_hit(node.path, window, value, bound, node.depth);
        }
    }

    /// Logs a step that needs no more than its window.
    pub fn log(&mut self, node: &TreeNode<G>, action: Action, window: Window) {
        if let Some(trace) = &mut self.trace {
            trace.log(node.path, action, Some(window), None);
        }
    }

    /// Logs that a state was taken from OPEN. The list is made only if steps are logged.
    pub(super) fn select(
        &mut self,
        node: &TreeNode<G>,
        merit: Value,
        open: impl FnOnce() -> Vec<OpenState>,
    ) {
        if let Some(trace) = &mut self.trace {
            trace.select(node.path, merit, open());
        }
    }

    /// Reports that a table or list holds `entries` entries of `size` bytes.
    ///
    /// # Errors
    /// Fails when that exceeds the memory limit.
    pub fn stored(&mut self, entries: usize, size: usize) -> Result<(), Halt> {
        let bytes = entries.saturating_mul(size);
        self.meter.counters.stored_entries = self.meter.counters.stored_entries.max(entries);
        self.meter.counters.stored_bytes = self.meter.counters.stored_bytes.max(bytes);
        self.check_memory(bytes)
    }

    /// Checks the size of tables and lists, together with the leaves that are kept to tell
    /// different ones apart, against the memory limit.
    fn check_memory(&self, stored: usize) -> Result<(), Halt> {
        let leaves = self.leaves.capacity().saturating_mul(size_of::<u64>());
        if stored.saturating_add(leaves) > self.meter.limits.bytes {
            return Err(Halt::Memory);
        }
        Ok(())
    }

    /// Returns an iterator over the children of a node.
    pub fn children<'n>(&self, node: &'n TreeNode<G>) -> Children<'g, 'n, G> {
        let moves = self.game.moves(&node.state);
        let moves: Vec<_> = moves.into_iter().enumerate().collect();
        self.children_by(node, moves)
    }

    /// Returns the children that a quiescence search looks at. They are the same nodes as among all
    /// children.
    pub fn noisy_children<'n>(&self, node: &'n TreeNode<G>) -> Children<'g, 'n, G> {
        let noisy = self.game.noisy_moves(&node.state);
        let moves = self.game.moves(&node.state).into_iter().enumerate();
        let moves = moves.filter(|(_, m)| noisy.contains(m)).collect();
        self.children_by(node, moves)
    }

    fn children_by<'n>(
        &self,
        node: &'n TreeNode<G>,
        moves: Vec<(usize, G::Move)>,
    ) -> Children<'g, 'n, G> {
        Children {
            game: self.game,
            node,
            moves: moves.into_iter(),
            is_throw: self.player(node) == Mover::Chance,
        }
    }
}

/// An iterator over the children of a node.
pub struct Children<'g, 'n, G: Game> {
    game: &'g G,
    node: &'n TreeNode<G>,
    /// Moves with their numbers among all moves of the node.
    moves: std::vec::IntoIter<(usize, G::Move)>,
    is_throw: bool,
}

/// Returns the depth that is left after a move or a throw from a node of this depth. Throws take
/// none.
pub(super) fn depth_below(depth: u32, is_throw: bool) -> u32 {
    match depth {
        TO_THE_END => TO_THE_END,
        depth => depth.saturating_sub(u32::from(!is_throw)),
    }
}

impl<G: Game> Iterator for Children<'_, '_, G> {
    type Item = TreeNode<G>;

    fn next(&mut self) -> Option<TreeNode<G>> {
        let (index, m) = self.moves.next()?;
        let depth = depth_below(self.node.depth, self.is_throw);
        Some(TreeNode {
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
