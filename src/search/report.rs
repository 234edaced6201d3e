//! The output of a search while it runs. The search itself prints nothing.

use std::time::Duration;

use crate::position::{Move, Position};
use crate::score::{Bound, Score};
use crate::tt::TranspositionTable;

/// A line of analysis.
#[derive(Clone, Debug)]
pub struct AnalysisLine<'a> {
    /// The root position, from which the principal variation starts.
    pub root: &'a Position,
    /// The depth of the iteration in plies.
    pub depth: u32,
    /// The length of the longest line searched, in plies.
    pub seldepth: u32,
    /// The line's rank, from 1.
    pub multipv: usize,
    /// The score for the side to move.
    pub score: Score,
    /// How the score relates to the true value.
    pub bound: Bound,
    /// The nodes over all threads.
    pub nodes: u64,
    /// The time since the search began.
    pub elapsed: Duration,
    /// The transposition table. Sampling how full it is takes a thousand reads, so only consumers
    /// that show it do so.
    pub tt: &'a TranspositionTable,
    /// The tablebase hits over all threads.
    pub tbhits: u64,
    /// The principal variation.
    pub pv: &'a [Move],
}

/// Receives the output of a search: errors on any of its threads, all else on its main thread.
pub trait Report: Sync {
    /// Receives a line of analysis.
    fn line(&self, line: &AnalysisLine<'_>);

    /// Receives the root move that is about to be searched, and its number from 1.
    fn current_move(&self, _root: &Position, _depth: u32, _m: Move, _number: usize) {}

    /// Receives a message for the user.
    fn message(&self, _text: &str) {}

    /// Receives an error for the user. The search continues.
    fn error(&self, _text: &str) {}
}

/// A report that discards everything.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Report for Silent {
    fn line(&self, _line: &AnalysisLine<'_>) {}
}
