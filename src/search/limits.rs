//! What a search may use.

use std::time::Duration;

use crate::position::Move;

/// The limits of one search, as `go` gives them. All that are set hold at once; with none set the search is infinite.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Search these root moves only; empty for all of them. Each has to be legal.
    pub searchmoves: Vec<Move>,
    /// The last iteration's depth in plies.
    pub depth: Option<u32>,
    /// Nodes, over all threads; the first move is searched, if that is quickly done, however few they are.
    pub nodes: Option<u64>,
    /// Nodes after which no further iteration is begun: what self-play is played with, since a search that is broken off
    /// has wasted what its last iteration cost.
    pub soft_nodes: Option<u64>,
    /// Search for a mate in this many moves, and stop when it is found.
    pub mate: Option<u32>,
    /// This long, less the overhead that the option names and at most a quarter.
    pub movetime: Option<Duration>,
    /// The side to move's clock.
    pub clock: Option<Clock>,
    /// Search until told to stop, and answer no sooner.
    pub infinite: bool,
    /// Search on the opponent's time: as infinite until `ponderhit`, then within the other limits.
    pub ponder: bool,
}

/// The clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// What is left, in milliseconds; GUIs send negative values to an engine that is late.
    pub remaining_ms: i64,
    /// What each move adds, in milliseconds.
    pub increment_ms: i64,
    /// Moves to the next time control, when there is one.
    pub moves_to_go: Option<u32>,
}
