//! The search held to plain minimax: with everything off that may miss something, its value at a
//! depth is the lab's.

use super::super::STACK_BYTES;
use super::super::control::Control;
use super::super::limits::Limits;
use super::super::node::SearchMode;
use super::with_worker;
use crate::lab::games::chess::fixed_depth_minimax;
use crate::position::Position;
use crate::position::notation::parse_fen;
use crate::score::Score;

/// Plain minimax's value.
struct Exact;

impl SearchMode for Exact {
    const EXACT: bool = true;
}

/// A hundred positions of all kinds.
fn positions() -> Vec<Position> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/epd-suites/perft-standard.epd");
    let suite = std::fs::read_to_string(path).expect("the suite");
    let positions = suite.lines().take(100).map(|line| {
        let fields: Vec<&str> = line.split_whitespace().take(4).collect();
        let fen = format!("{} 0 1", fields.join(" "));
        parse_fen(&fen, false).expect("a position").position
    });
    positions.collect()
}

/// The value that the search finds at a depth, on its way there through all smaller ones.
fn exact_score(position: &Position, depth: u32) -> Score {
    let limits = Limits {
        depth: Some(depth),
        ..Limits::default()
    };
    with_worker(position, &limits, &Control::default(), |worker| {
        worker.iterate::<Exact>();
        worker.root_moves[0].score
    })
}

fn hold_to_minimax(positions: &[Position], depth: u32) {
    for position in positions {
        let expected = fixed_depth_minimax(position, depth).expect("no time limit");
        assert_eq!(
            exact_score(position, depth),
            expected,
            "depth {depth}: {:?}",
            position.chess()
        );
    }
}

#[test]
fn the_search_returns_the_value_of_minimax() {
    let test = || {
        let positions = positions();
        assert_eq!(positions.len(), 100);
        for depth in 1..=4 {
            hold_to_minimax(&positions, depth);
        }
    };
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
    let result = thread.spawn(test).expect("a thread").join();
    result.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}
