//! The search limits that a `go` command means in a position.

use std::time::Duration;

use shakmaty::Color;

use super::command::GoCommand;
use crate::engine::{Clock, Limits};
use crate::position::{Move, Position, notation};

/// Search time if a `go` had limits but none of them could be parsed.
const TIME_WITHOUT_LIMITS: Duration = Duration::from_secs(1);

/// Upper bound of clock times in milliseconds: thirty years, which leaves room for arithmetic.
const MAX_MILLIS: i64 = 1_000_000_000_000;

/// Tells whether a search ends without `stop`, and if it ponders, after `ponderhit`. A search for a
/// mate need not.
pub fn is_bounded(go: &GoCommand) -> bool {
    let is_limited =
        go.depth.is_some() || go.nodes.is_some() || go.movetime.is_some() || has_clock(go);
    let has_lost_limit = go.problems.lost_limit() && go.mate.is_none();
    go.perft.is_some() || (!go.infinite && (is_limited || has_lost_limit))
}

/// Returns the limits that a `go` command means in this position, and passes a message to `warn`
/// for each argument that cannot be used.
pub fn limits(go: &GoCommand, position: &Position, warn: &mut dyn FnMut(String)) -> Limits {
    let mut limits = Limits {
        searchmoves: searchmoves(go, position, warn),
        depth: go.depth,
        nodes: go.nodes,
        mate: go.mate,
        movetime: go
            .movetime
            .filter(|_| !go.infinite)
            .map(|ms| Duration::from_millis(ms.min(MAX_MILLIS.unsigned_abs()))),
        clock: clock(go, position).filter(|_| !go.infinite),
        infinite: go.infinite,
        ponder: go.ponder,
        ..Limits::default()
    };
    let is_limited = limits.depth.is_some()
        || limits.nodes.is_some()
        || limits.mate.is_some()
        || limits.movetime.is_some()
        || limits.clock.is_some();
    // The GUI wanted this search to end: better early than never.
    if go.problems.lost_limit() && !is_limited && !limits.infinite {
        warn("go: no valid limit, searching for one second".to_owned());
        limits.movetime = Some(TIME_WITHOUT_LIMITS);
    }
    limits
}

fn searchmoves(go: &GoCommand, position: &Position, warn: &mut dyn FnMut(String)) -> Vec<Move> {
    let mut moves: Vec<Move> = Vec::new();
    for text in &go.searchmoves {
        match notation::parse_uci(position, text) {
            Ok(m) if moves.contains(&m) => {}
            Ok(m) => moves.push(m),
            Err(error) => warn(format!("go: searchmoves: ignored {error}")),
        }
    }
    if moves.is_empty() && !go.searchmoves.is_empty() {
        warn("go: searchmoves: no legal move, searching all moves".to_owned());
    }
    moves
}

/// Tells whether the game is played on a clock. Some GUIs send zeros for all clock fields when
/// another limit applies.
fn has_clock(go: &GoCommand) -> bool {
    let is_limited =
        go.depth.is_some() || go.nodes.is_some() || go.mate.is_some() || go.movetime.is_some();
    let fields = [go.wtime, go.btime, go.winc, go.binc];
    let mut given = fields.into_iter().flatten();
    given.any(|millis| !is_limited || millis != 0)
}

/// Returns the clock of the side to move. If the GUI sent only the other side's, the safe guess is
/// that almost no time is left.
fn clock(go: &GoCommand, position: &Position) -> Option<Clock> {
    let (time, increment) = match position.turn() {
        Color::White => (go.wtime, go.winc),
        Color::Black => (go.btime, go.binc),
    };
    let millis = |given: Option<i64>| given.unwrap_or(0).clamp(-MAX_MILLIS, MAX_MILLIS);
    has_clock(go).then(|| Clock {
        remaining_ms: millis(time),
        increment_ms: millis(increment),
        moves_to_go: go.movestogo,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::GameState;

    /// Returns the limits of a `go` after these moves, and the number of warnings.
    fn limits_after(moves: &[&str], text: &str) -> (Limits, usize) {
        let game = GameState::parse(None, moves.iter().copied()).unwrap();
        let mut warnings = 0;
        let mut warn = |_| warnings += 1;
        let limits = limits(&GoCommand::parse(text), &game.position, &mut warn);
        (limits, warnings)
    }

    #[test]
    fn limits_follow_the_side_to_move() {
        let white = |text: &str| limits_after(&[], text).0;
        let black = |text: &str| limits_after(&["e2e4"], text).0;
        let clock = white("wtime -5 btime 7 winc 1 binc 2 movestogo 3").clock;
        assert_eq!(
            clock,
            Some(Clock {
                remaining_ms: -5,
                increment_ms: 1,
                moves_to_go: Some(3)
            })
        );
        let clock = black("wtime -5 btime 7 winc 1 binc 2").clock.unwrap();
        assert_eq!((clock.remaining_ms, clock.increment_ms), (7, 2));
        assert_eq!(black("wtime 1000").clock.unwrap().remaining_ms, 0);
        assert_eq!(black("movestogo 4").clock, None);
        for limit in ["depth 9", "nodes 9", "mate 2", "movetime 9"] {
            for zeros in ["winc 0 binc 0", "wtime 0 btime 0 winc 0 binc 0 movestogo 0"] {
                let text = format!("{limit} {zeros}");
                assert_eq!(white(&text).clock, None, "{text}");
            }
            let text = format!("{limit} wtime 5 btime 0");
            assert_eq!(black(&text).clock.unwrap().remaining_ms, 0, "{text}");
        }
        assert_eq!(white("wtime 0 btime 0").clock.unwrap().remaining_ms, 0);
        let (limits, warnings) = limits_after(&["e2e4"], "searchmoves e7e5 e7e5 e2e4 x");
        assert_eq!((limits.searchmoves.len(), warnings), (1, 2));
        let endless = black("infinite wtime 1000 movetime 10");
        assert_eq!((endless.clock, endless.movetime), (None, None));
        assert_eq!(black("movetime x").movetime, Some(TIME_WITHOUT_LIMITS));
        assert_eq!(black("movetime x depth 3").movetime, None);
        assert_eq!(black("frob").movetime, None);
        let clock = black("btime 99999999999999999999").clock.unwrap();
        assert_eq!(clock.remaining_ms, MAX_MILLIS);
    }

    #[test]
    fn bounded_searches_end_without_stop() {
        let is_bounded = |text| is_bounded(&GoCommand::parse(text));
        for text in [
            "depth 3",
            "nodes 9 mate 2",
            "movetime x",
            "btime 1",
            "perft 3",
            "ponder wtime 1",
        ] {
            assert!(is_bounded(text), "{text}");
        }
        for text in [
            "",
            "mate 3",
            "mate 3 wtime 0 btime 0",
            "infinite depth 3",
            "ponder",
            "frob",
        ] {
            assert!(!is_bounded(text), "{text}");
        }
    }
}
