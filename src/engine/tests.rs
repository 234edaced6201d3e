//! Tests of the searcher.

use super::*;
use crate::position::notation::{parse_uci, uci};
use crate::position::{Move, Position};
use crate::score::{Bound, Score};
use crate::search::STACK_BYTES;
use parking_lot::Mutex;
use shakmaty::Rank;
use std::thread;
use std::time::{Duration, Instant};

/// Runs a test that searches on a thread with enough stack.
fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        thread::Builder::new()
            .stack_size(STACK_BYTES)
            .spawn_scoped(scope, work)
            .unwrap()
            .join()
            .unwrap()
    })
}

fn depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

fn search(searcher: &mut Searcher, game: &GameState, limits: &Limits) -> Analysis {
    on_large_stack(|| searcher.search(game, limits, Go::now(&Control::default()), &Silent))
}

fn words(game: &GameState, m: Option<Move>) -> String {
    m.map_or("none".to_owned(), |m| uci(&game.position, m).to_string())
}

#[test]
fn an_analysis_has_a_line_for_each_rank() {
    let mut searcher = Searcher::new(1).unwrap();
    searcher.set_option("MultiPV", Some("3")).unwrap();
    let game = GameState::default();
    let analysis = search(&mut searcher, &game, &depth(5));
    let ranks: Vec<usize> = analysis.lines.iter().map(|line| line.multipv).collect();
    assert_eq!(ranks, [1, 2, 3]);
    let best = &analysis.lines[0];
    assert_eq!(best.moves.first(), analysis.best_move.as_ref());
    assert_eq!((Some(best.score), best.depth), (analysis.score, 5));
    assert!(analysis.lines.iter().all(|line| line.bound == Bound::Exact));
    assert!(best.score >= analysis.lines[2].score);
    assert!(analysis.nodes >= best.nodes && analysis.elapsed >= best.elapsed);
    assert!(!analysis.stopped && analysis.errors.is_empty());
}

#[test]
fn draws_by_the_fifty_move_rule_are_not_those_of_other_clocks() {
    let position = |clock| {
        let fen = format!("8/8/8/3k4/8/8/1R6/K7 w - - {clock} 120");
        GameState::parse(Some(&fen), []).unwrap()
    };
    let mut searcher = Searcher::new(1).unwrap();
    let late = search(&mut searcher, &position(94), &depth(20));
    assert!(late.score.unwrap().raw().abs() <= 2, "{:?}", late.score);
    // The same table, in which most of these are draws, searched to depths above 4.
    let root = position(0).position;
    let moves = root.legal_moves();
    let safe = moves.iter().filter(|m| m.to().rank() <= Rank::Second);
    for &m in safe {
        let child = GameState::new(root.play(m));
        let score = search(&mut searcher, &child, &depth(4)).score.unwrap();
        assert!(score.raw() < -300, "{} {score:?}", uci(&root, m));
    }
}

#[test]
fn noisy_positions_have_a_soft_limit_of_their_own() {
    // A queen to take; check; neither.
    for (fen, is_noisy) in [
        ("4k3/8/8/3q4/4P3/8/3PP3/4K3 w - - 0 1", true),
        (
            "rnbqk1nr/pppp1ppp/8/4p3/1b1PP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 1",
            true,
        ),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            false,
        ),
    ] {
        let game = GameState::parse(Some(fen), []).unwrap();
        let nodes = |noisy_soft_nodes| {
            let limits = Limits {
                soft_nodes: Some(4_000),
                noisy_soft_nodes,
                ..Limits::default()
            };
            let mut searcher = Searcher::new(1).unwrap();
            search(&mut searcher, &game, &limits).nodes
        };
        let (same, noisy) = (nodes(None), nodes(Some(200)));
        assert!(same >= 4_000, "{fen}: {same} nodes");
        assert_eq!((200..2_000).contains(&noisy), is_noisy, "{fen}: {noisy}");
        assert_eq!(noisy == same, !is_noisy, "{fen}: {noisy}");
    }
}

#[test]
fn a_game_on_a_clock_in_nodes_is_repeatable() {
    let game = GameState::default();
    let clock = Clock {
        remaining_ms: 1000,
        increment_ms: 0,
        moves_to_go: None,
    };
    let limits = Limits {
        clock: Some(clock),
        ..Limits::default()
    };
    let play = || {
        let mut searcher = Searcher::new(1).unwrap();
        searcher.set_option("nodestime", Some("100")).unwrap();
        let nodes = (0..40).map(|_| search(&mut searcher, &game, &limits).nodes);
        nodes.collect::<Vec<u64>>()
    };
    let nodes = play();
    assert_eq!(nodes, play());
    let total: u64 = nodes.iter().sum();
    assert!((50_000..=100_000).contains(&total), "{nodes:?}");
}

#[test]
fn a_missed_ponder_takes_nothing_from_a_clock_in_nodes_and_adds_nothing() {
    let game = GameState::default();
    let clock = Clock {
        remaining_ms: 1000,
        increment_ms: 100,
        moves_to_go: None,
    };
    let limits = |ponder| Limits {
        clock: Some(clock),
        ponder,
        ..Limits::default()
    };
    let mut searcher = Searcher::new(1).unwrap();
    searcher.set_option("nodestime", Some("50")).unwrap();
    let mut play = || {
        let missed = Control::default();
        missed.stop(1);
        on_large_stack(|| searcher.search(&game, &limits(true), Go::now(&missed), &Silent));
        search(&mut searcher, &game, &limits(false)).nodes
    };
    let total: u64 = (0..40).map(|_| play()).sum();
    // All of the increments but the first, and not twice.
    let available = 50 * (1000 + 39 * 100);
    assert!((available / 2..=available).contains(&total), "{total}");
}

#[test]
fn no_search_exceeds_a_clock_in_nodes() {
    let game = GameState::default();
    for remaining_ms in (100..1_000).step_by(50) {
        let limits = Limits {
            clock: Some(Clock {
                remaining_ms,
                increment_ms: 0,
                moves_to_go: Some(1),
            }),
            ..Limits::default()
        };
        let mut searcher = Searcher::new(1).unwrap();
        searcher.set_option("nodestime", Some("100")).unwrap();
        searcher.set_option("MultiPV", Some("8")).unwrap();
        let nodes = search(&mut searcher, &game, &limits).nodes;
        assert!(
            nodes <= 100 * remaining_ms as u64,
            "{remaining_ms}: {nodes}"
        );
    }
}

#[test]
fn a_quarter_of_the_move_time_at_most_is_kept_back_for_the_overhead() {
    let limits = Limits {
        movetime: Some(Duration::from_millis(100)),
        ..Limits::default()
    };
    for (overhead, expected) in [("0", 100), ("10", 90), ("5000", 75)] {
        let mut searcher = Searcher::new(1).unwrap();
        searcher.set_option("nodestime", Some("100")).unwrap();
        let option = searcher.set_option("Move Overhead", Some(overhead));
        option.unwrap();
        let nodes = search(&mut searcher, &GameState::default(), &limits).nodes;
        // The limits are looked at every 512 nodes.
        let expected = 100 * expected..100 * expected + 600;
        assert!(expected.contains(&nodes), "{overhead}: {nodes}");
    }
}

#[test]
fn time_spent_pondering_is_saved_after_the_hit() {
    let game = GameState::default();
    let limits = Limits {
        clock: Some(Clock {
            remaining_ms: 60_000,
            increment_ms: 0,
            moves_to_go: None,
        }),
        ponder: true,
        ..Limits::default()
    };
    // The hit comes before the first iteration ends, so that pondering has not noticed that it has
    // taken the whole budget.
    let control = Control::default();
    let hit = Instant::now();
    let go = Go {
        received: hit - Duration::from_secs(20),
        ..Go::now(&control)
    };
    control.ponderhit(go.number, hit);
    let mut searcher = Searcher::new(1).unwrap();
    let analysis = on_large_stack(|| searcher.search(&game, &limits, go, &Silent));
    assert_eq!(analysis.lines[0].depth, 1);
}

#[test]
fn a_full_width_search_finds_the_moves_that_parry_threats() {
    // In all of them the side to move seems to win something to depth 2, because the replies that
    // prevent it are among the moves that were skipped.
    let (mut narrow, mut full) = (0, 0);
    for fen in [
        "r1bqr1k1/ppp2pb1/3p2p1/4n2p/2P5/1PN3P1/PBQ1PPBP/3R1RK1 b - - 1 13",
        "2r3k1/p2r1p1p/1p2p1pb/n3P3/3P4/B6P/P1q1QPPN/1R1R2K1 w - - 4 25",
        "3r2k1/2B2pp1/4pn1p/p7/1bB5/1P2PQ1P/3q1PP1/5RK1 b - - 7 40",
        "8/1p3p2/1kbR1N2/p4P2/P1P1P2r/8/1KP5/8 b - - 0 45",
        "6k1/6b1/pB5p/P6P/4Q3/5P1K/4q3/8 b - - 18 72",
        "2rq1rk1/1b2bpp1/p3pn1p/1pn5/3N3B/P1N1P3/1P2BPPP/2RQ1RK1 w - - 2 15",
        "r1b3k1/Np3r2/3p2nb/3Pp1qn/1P2P2p/3N1P2/P1Q1BBP1/1R3RK1 w - - 1 25",
        "r4rk1/5ppp/p1pbbn2/3p4/8/P1N1PNP1/1PPB1P1P/2K1R2R b - - 7 14",
    ] {
        let game = GameState::parse(Some(fen), []).unwrap();
        let score = |limits: &Limits| {
            let searched = search(&mut Searcher::new(1).unwrap(), &game, limits);
            searched.score.unwrap().raw()
        };
        let full_width = Limits {
            full_width: true,
            ..depth(2)
        };
        let truth = score(&depth(9));
        narrow += (score(&depth(2)) - truth).abs();
        full += (score(&full_width) - truth).abs();
    }
    // If this ever fails, full width may not be worth having.
    assert!(narrow > 3 * full, "{narrow} {full}");
}

#[test]
fn play_at_limited_strength_follows_a_change_of_network() {
    let played = |options: &[(&str, &str)]| {
        let mut searcher = Searcher::new(1).unwrap();
        searcher.set_option("LevelSeed", Some("1")).unwrap();
        for (name, value) in options {
            searcher.set_option(name, Some(value)).unwrap();
        }
        let analysis = search(&mut searcher, &GameState::default(), &Limits::default());
        (analysis.best_move, analysis.score, analysis.nodes)
    };
    let limited = ("UCI_LimitStrength", "true");
    let (network, rules) = (("EvalFile", ""), ("EvalFile", "hand-written"));
    let [by_network, by_rules] = [network, rules].map(|file| played(&[file, limited]));
    assert_ne!(by_network, by_rules);
    assert_eq!(played(&[rules, limited, network]), by_network);
    assert_eq!(played(&[network, limited, rules]), by_rules);
}

#[test]
fn the_end_of_the_game_is_reported() {
    let mut searcher = Searcher::new(1).unwrap();
    let mate = ["f2f3", "e7e5", "g2g4", "d8h4"];
    let analysis = search(
        &mut searcher,
        &GameState::parse(None, mate).unwrap(),
        &depth(5),
    );
    assert_eq!((analysis.best_move, analysis.nodes), (None, 0));
    assert_eq!(analysis.score, Some(Score::mated_in(0)));
}

#[test]
fn a_stop_ends_a_search_and_is_told() {
    let mut searcher = Searcher::new(1).unwrap();
    let control = Control::default();
    let game = GameState::default();
    let infinite = Limits {
        infinite: true,
        ..Limits::default()
    };
    let analysis = thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(50));
            control.stop(1);
        });
        on_large_stack(|| searcher.search(&game, &infinite, Go::now(&control), &Silent))
    });
    assert!(analysis.stopped && analysis.best_move.is_some());
    assert_eq!(analysis.completed(), Ok(None));
}

/// A report whose first line panics, as a bug in the search would.
struct Faulty;

impl Report for Faulty {
    fn line(&self, _line: &AnalysisLine<'_>) {
        panic!("a fault for this test");
    }
}

#[test]
fn a_panic_becomes_an_error_and_a_legal_move() {
    let mut searcher = Searcher::new(1).unwrap();
    let mut game = GameState::default();
    let limits = Limits {
        searchmoves: vec![parse_uci(&game.position, "a2a4").unwrap()],
        ..depth(5)
    };
    let analysis = on_large_stack(|| {
        let control = Control::default();
        searcher.search(&game, &limits, Go::now(&control), &Faulty)
    });
    assert_eq!(words(&game, analysis.best_move), "a2a4");
    assert!(!analysis.errors.is_empty());
    assert!(analysis.completed().is_err());
    // The game is over, so that the panic comes from outside the search threads.
    for text in ["f2f3", "e7e5", "g2g4", "d8h4"] {
        game.play(parse_uci(&game.position, text).unwrap());
    }
    let analysis = on_large_stack(|| {
        let control = Control::default();
        searcher.search(&game, &depth(5), Go::now(&control), &Faulty)
    });
    assert_eq!(
        analysis.errors,
        ["internal error, please report it: a fault for this test"]
    );
    // The searcher is still usable.
    let analysis = search(&mut searcher, &GameState::default(), &depth(3));
    assert!(analysis.errors.is_empty() && analysis.best_move.is_some());
}

/// A report that keeps the numbers of the root moves.
#[derive(Default)]
struct Numbers(Mutex<Vec<usize>>);

impl Report for Numbers {
    fn line(&self, _line: &AnalysisLine<'_>) {}

    fn current_move(&self, _root: &Position, _depth: u32, _m: Move, number: usize) {
        self.0.lock().push(number);
    }
}

#[test]
fn the_moves_of_the_second_line_are_numbered_from_two() {
    let mut searcher = Searcher::new(1).unwrap();
    searcher.set_option("MultiPV", Some("2")).unwrap();
    let (game, numbers) = (GameState::default(), Numbers::default());
    on_large_stack(|| searcher.search(&game, &depth(1), Go::now(&Control::default()), &numbers));
    let expected: Vec<usize> = (1..=20).chain(2..=20).collect();
    assert_eq!(*numbers.0.lock(), expected);
}

/// A report that counts its calls.
#[derive(Default)]
struct Counts(Mutex<(usize, usize)>);

impl Report for Counts {
    fn line(&self, _line: &AnalysisLine<'_>) {
        self.0.lock().0 += 1;
    }

    fn message(&self, _text: &str) {
        self.0.lock().1 += 1;
    }
}

#[test]
fn reports_are_passed_on_and_book_moves_have_no_score() {
    let mut searcher = Searcher::new(1).unwrap();
    let game = GameState::default();
    let counts = Counts::default();
    let run = |searcher: &mut Searcher| {
        on_large_stack(|| searcher.search(&game, &depth(4), Go::now(&Control::default()), &counts))
    };
    assert!(run(&mut searcher).score.is_some());
    let (lines, messages) = *counts.0.lock();
    assert!(lines >= 4 && messages == 0);
    searcher.set_option("OwnBook", Some("true")).unwrap();
    let analysis = run(&mut searcher);
    assert_eq!((analysis.score, analysis.nodes), (None, 0));
    assert!(analysis.best_move.is_some() && analysis.messages.len() == 1);
    assert_eq!(*counts.0.lock(), (lines, 1));
}
