//! The limits of a search.

use std::time::Duration;

use crate::position::Move;

/// The limits of one search, as `go` gives them. All limits that are set apply together; without
/// any the search is infinite.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// The root moves to search, each of them legal; empty for all moves.
    pub searchmoves: Vec<Move>,
    /// The depth of the last iteration, in plies.
    pub depth: Option<u32>,
    /// The maximum number of nodes over all threads. The first root move is searched even when it
    /// takes more, up to 2,000.
    pub nodes: Option<u64>,
    /// The number of the main thread's nodes after which no further iteration starts. Self-play
    /// uses it, because an interrupted iteration is wasted.
    pub soft_nodes: Option<u64>,
    /// The same when the side to move is in check or the best move is a capture or a promotion, if
    /// that differs. Such positions are not used for training.
    pub noisy_soft_nodes: Option<u64>,
    /// Skip no move because it looks bad. A search of one or two plies can then be trusted: with
    /// few moves searched and no histories yet, it would take a threat that one move parries for a
    /// loss.
    pub full_width: bool,
    /// Stop when a mate in this many moves is found.
    pub mate: Option<u32>,
    /// The search time, of which the move overhead, at most a quarter, is kept back.
    pub movetime: Option<Duration>,
    /// The side to move's clock.
    pub clock: Option<Clock>,
    /// Search until stopped, and answer no earlier.
    pub infinite: bool,
    /// Search on the opponent's time, and answer no earlier than `ponderhit`, from which the time
    /// counts. Limits in depth and nodes hold from the start, and the longer the search has
    /// pondered, the less of its clock it uses.
    pub ponder: bool,
}

/// The clock of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// The remaining time in milliseconds; GUIs send negative values to an engine that is late.
    pub remaining_ms: i64,
    /// The increment per move in milliseconds.
    pub increment_ms: i64,
    /// The number of moves to the next time control, if there is one.
    pub moves_to_go: Option<u32>,
}
