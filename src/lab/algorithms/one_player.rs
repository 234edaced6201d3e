//! A* and IDA*: the shortest way to a goal for one player, with an estimate that never exceeds the
//! distance.
//!
//! Hart, Nilsson and Raphael, *A Formal Basis for the Heuristic Determination of Minimum Cost
//! Paths* (1968); Korf, *Depth-First Iterative-Deepening* (1985). Both are the crate
//! `pathfinding`'s.

use std::cell::Cell;
use std::hash::Hash;

use pathfinding::directed::{astar, idastar};

/// A puzzle: a game for one player, in which each move costs one.
pub trait Puzzle {
    /// A position.
    type State: Clone + Eq + Hash;

    /// Returns the position to start from.
    fn start(&self) -> Self::State;
    /// Returns the positions one move away.
    fn next(&self, state: &Self::State) -> Vec<Self::State>;
    /// Estimates the number of moves to the goal. The estimate never exceeds it.
    fn estimate(&self, state: &Self::State) -> u32;
    /// Returns whether this is the goal.
    fn is_goal(&self, state: &Self::State) -> bool;
}

/// A way to the goal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way<S> {
    /// The positions on it, from the first to the goal.
    pub states: Vec<S>,
    /// The number of positions whose neighbours were listed, with repetitions.
    pub expanded: u64,
}

/// Returns the shortest way by A*, which remembers every position; `None` if no way leads to the
/// goal.
pub fn a_star<P: Puzzle>(puzzle: &P) -> Option<Way<P::State>> {
    let counted = Counted::new(puzzle);
    let (states, _) = astar::astar(
        &puzzle.start(),
        |state| counted.next(state),
        |state| puzzle.estimate(state),
        |state| puzzle.is_goal(state),
    )?;
    Some(counted.way(states))
}

/// Returns the shortest way by IDA*, which remembers only its current path; `None` if no way leads
/// to the goal.
pub fn ida_star<P: Puzzle>(puzzle: &P) -> Option<Way<P::State>> {
    let counted = Counted::new(puzzle);
    let (states, _) = idastar::idastar(
        &puzzle.start(),
        |state| counted.next(state),
        |state| puzzle.estimate(state),
        |state| puzzle.is_goal(state),
    )?;
    Some(counted.way(states))
}

/// A puzzle that counts the positions whose neighbours were listed.
struct Counted<'p, P> {
    puzzle: &'p P,
    expanded: Cell<u64>,
}

impl<P: Puzzle> Counted<'_, P> {
    fn new(puzzle: &P) -> Counted<'_, P> {
        Counted {
            puzzle,
            expanded: Cell::new(0),
        }
    }

    fn next(&self, state: &P::State) -> Vec<(P::State, u32)> {
        self.expanded.set(self.expanded.get() + 1);
        let states = self.puzzle.next(state).into_iter();
        states.map(|state| (state, 1)).collect()
    }

    fn way(&self, states: Vec<P::State>) -> Way<P::State> {
        Way {
            states,
            expanded: self.expanded.get(),
        }
    }
}
