//! Tests of the limits of a search.

use std::time::{Duration, Instant};

use quevedo::engine::{Clock, Limits};
use quevedo::position::notation::{self, parse_fen};
use quevedo::score::Bound;

use crate::harness::PATIENCE;
use crate::search::{depth, engine, game, nodes, search, search_fen, text};

#[test]
fn node_limits_are_kept() {
    for limit in [100, 1_000, 5_000, 20_000] {
        let (outcome, _) = search_fen(
            "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4",
            &nodes(limit),
        );
        assert!(outcome.best_move.is_some());
        assert!(outcome.nodes <= limit + 1, "{} > {limit}", outcome.nodes);
    }
}

#[test]
fn node_limits_of_many_threads_hold_on_a_busy_machine() {
    let mut engine = engine();
    engine.set_threads(16).unwrap();
    let (limit, game) = (8_000, game("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"));
    for _ in 0..10 {
        engine.new_game();
        let (outcome, _) = search(&mut engine, &game, &nodes(limit));
        // No thread looks for its share of the limit, which others may have used up by then.
        assert!(outcome.nodes <= 2 * limit, "{}", outcome.nodes);
    }
}

/// A first move that fails low says nothing when the others have not been searched.
#[test]
fn an_interrupted_iteration_announces_no_false_mate() {
    let mut engine = engine();
    let game = game("8/8/k7/n7/p1R5/p7/4r1p1/KB3R2 w - - 0 1");
    for limit in (400..2_000).step_by(20) {
        engine.new_game();
        let (outcome, said) = search(&mut engine, &game, &nodes(limit));
        let scores = said.iter().map(|line| line.score).chain(outcome.score);
        let loss = scores.into_iter().find(|score| score.is_loss());
        assert_eq!(loss, None, "{limit} nodes: {said:?}");
    }
}

/// The side to move will be mated, and by some moves sooner than by others.
#[test]
fn an_interrupted_iteration_announces_no_mate_too_early() {
    let mut engine = engine();
    for line in include_str!("../epd-suites/short-mates.epd").lines() {
        let Some((_, distance)) = line.split_once(" dm -") else {
            continue;
        };
        let distance: i32 = distance.split(';').next().unwrap().parse().unwrap();
        let fields: Vec<&str> = line.split(' ').take(4).collect();
        let game = game(&fields.join(" "));
        for limit in (50..1_500).step_by(25) {
            engine.new_game();
            let (_, said) = search(&mut engine, &game, &nodes(limit));
            for line in said {
                let is_exact_loss = line.score.is_loss() && line.bound == Bound::Exact;
                let found = line.score.mate_distance().filter(|_| is_exact_loss);
                assert!(found.is_none_or(|found| -found >= distance), "{line:?}");
            }
        }
    }
}

#[test]
fn one_move_is_searched_whatever_the_node_limit() {
    let mut engine = engine();
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "k7/8/1K6/8/8/8/8/7R b - - 0 1",
    ] {
        let game = game(fen);
        for (threads, multipv) in [(1, 1), (1, 3), (3, 1), (3, 3)] {
            engine.set_threads(threads).unwrap();
            engine.options_mut().multipv = multipv;
            let mut least = 0;
            for limit in 0..30 {
                engine.new_game();
                let (outcome, said) = search(&mut engine, &game, &nodes(limit));
                let context = format!("{fen}, {limit} nodes, {threads} threads: {said:?}");
                let line = said.iter().rfind(|line| line.multipv == 1);
                let line = line.unwrap_or_else(|| panic!("{context}"));
                assert_eq!(Some(line.pv[0]), outcome.best_move, "{context}");
                assert_eq!(Some(line.score), outcome.score, "{context}");
                if threads == 1 {
                    // The search stops at the first score.
                    least = if limit == 0 { outcome.nodes } else { least };
                    assert!(outcome.nodes <= least.max(limit + 1), "{context}");
                }
            }
        }
    }
}

#[test]
fn move_time_is_kept() {
    let time = Duration::from_millis(60);
    let limits = Limits {
        movetime: Some(time),
        ..Limits::default()
    };
    let mut engine = engine();
    let game = game("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let start = Instant::now();
    let (outcome, _) = search(&mut engine, &game, &limits);
    assert!(outcome.best_move.is_some());
    let taken = start.elapsed();
    assert!(taken > time / 2 && taken < PATIENCE / 2, "{taken:?}");
}

#[test]
fn a_forced_move_takes_little_of_a_long_clock() {
    let hours = Clock {
        remaining_ms: 7_200_000,
        increment_ms: 12_000,
        moves_to_go: None,
    };
    let limits = Limits {
        clock: Some(hours),
        ..Limits::default()
    };
    let mut engine = engine();
    let game = game("2r1kbnr/1bpp2pp/8/8/3P4/1PP5/1P1QNP2/1NB1K2q w k - 2 21");
    let (outcome, _) = search(&mut engine, &game, &limits);
    assert_eq!(text(&game.position, outcome.best_move), "e2g1");
    assert!(outcome.elapsed < PATIENCE / 2, "{:?}", outcome.elapsed);
}

#[test]
fn searchmoves_are_the_only_ones() {
    let position = parse_fen("6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1", false)
        .unwrap()
        .position;
    let m = notation::parse_uci(&position, "h2h3").unwrap();
    let limits = Limits {
        searchmoves: vec![m],
        ..depth(6)
    };
    let (outcome, said) = search_fen(&notation::fen(&position), &limits);
    assert_eq!(text(&position, outcome.best_move), "h2h3");
    assert!(said.iter().all(|line| line.pv[0] == m));
}

#[test]
fn go_mate_stops_when_the_mate_is_found() {
    let limits = Limits {
        mate: Some(2),
        ..Limits::default()
    };
    let (outcome, said) = search_fen("7k/8/5K2/8/8/8/8/R7 w - - 0 1", &limits);
    let distance = outcome.score.unwrap().mate_distance().unwrap();
    assert!((1..=2).contains(&distance), "{distance}");
    // Without a stop, so short a mate is searched to the maximum depth in no time.
    assert!(said.last().unwrap().depth < 50, "{said:?}");
    // Also when it is the side to move that is mated.
    let (outcome, _) = search_fen("7k/8/6K1/8/8/8/8/R7 b - - 0 1", &limits);
    assert_eq!(outcome.score.unwrap().mate_distance(), Some(-1));
}
