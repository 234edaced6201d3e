//! What a search says while it runs. The search itself prints nothing.

use std::time::Duration;

use crate::position::{Move, Position};
use crate::score::{Bound, Score};
use crate::tt::TranspositionTable;

/// One line of analysis.
#[derive(Clone, Debug)]
pub struct AnalysisLine<'a> {
    /// The position at the root, which the principal variation starts from.
    pub root: &'a Position,
    /// Depth of the iteration in plies.
    pub depth: u32,
    /// The longest line looked at, in plies.
    pub seldepth: u32,
    /// The line's rank, from 1.
    pub multipv: usize,
    /// The score for the side to move.
    pub score: Score,
    /// Whether the score is the value or a bound.
    pub bound: Bound,
    /// Nodes over all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// The hash table. How full it is takes a thousand looks into it, more than a short search does: only for who asks.
    pub tt: &'a TranspositionTable,
    /// Positions found in the tablebases, over all threads.
    pub tbhits: u64,
    /// The principal variation.
    pub pv: &'a [Move],
}

/// Receives what a search has to say. Called from the search's main thread.
pub trait Report: Sync {
    /// A line of analysis.
    fn line(&self, line: &AnalysisLine<'_>);

    /// The root move now searched and its number, from 1.
    fn current_move(&self, _root: &Position, _depth: u32, _m: Move, _number: usize) {}

    /// A message for the user.
    fn message(&self, _text: &str) {}

    /// An error for the user. The search goes on.
    fn error(&self, _text: &str) {}
}

/// Says nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Report for Silent {
    fn line(&self, _line: &AnalysisLine<'_>) {}
}
