//! Tests of the search on positions with a known answer, and of the truth of its reports.

use std::collections::HashSet;
use std::sync::Mutex;
use std::time::Duration;

use crate::harness::Engine;
use quevedo::engine::{Analysis, AnalysisLine, Control, GameState, Go, Limits, Report, Searcher};
use quevedo::position::notation;
use quevedo::position::{Move, Position};
use quevedo::score::{Bound, Score};

/// A reported line.
#[derive(Clone, Debug)]
pub struct Said {
    pub depth: u32,
    pub multipv: usize,
    pub score: Score,
    pub bound: Bound,
    pub tbhits: u64,
    pub pv: Vec<Move>,
}

/// A report that checks every line and keeps it.
#[derive(Default)]
struct Capture(Mutex<Vec<Said>>);

impl Report for Capture {
    fn line(&self, line: &AnalysisLine<'_>) {
        check_line(line);
        self.0.lock().unwrap().push(Said {
            depth: line.depth,
            multipv: line.multipv,
            score: line.score,
            bound: line.bound,
            tbhits: line.tbhits,
            pv: line.pv.to_vec(),
        });
    }

    fn message(&self, text: &str) {
        panic!("{text}");
    }

    fn error(&self, text: &str) {
        panic!("{text}");
    }
}

/// Checks that every move of a principal variation is legal, and that an exact mate score ends in
/// mate after as many moves.
fn check_line(line: &AnalysisLine<'_>) {
    let mut position = line.root.clone();
    for &m in line.pv {
        assert!(
            position.is_legal(m),
            "{m:?} of {:?} in {}",
            line.pv,
            notation::fen(line.root)
        );
        position = position.play(m);
    }
    if let (Some(distance), Bound::Exact) = (line.score.mate_distance(), line.bound) {
        let plies = if distance > 0 {
            2 * distance - 1
        } else {
            -2 * distance
        };
        assert_eq!(
            line.pv.len(),
            plies as usize,
            "mate {distance} with {:?} in {}",
            line.pv,
            notation::fen(line.root)
        );
        assert!(position.in_check() && !position.has_legal_move());
    }
}

pub fn search(engine: &mut Searcher, game: &GameState, limits: &Limits) -> (Analysis, Vec<Said>) {
    let capture = Capture::default();
    let control = Control::default();
    let analysis = engine.search(game, limits, Go::now(&control), &capture);
    assert_eq!(analysis.errors, [""; 0]);
    (analysis, capture.0.into_inner().unwrap())
}

pub fn depth(depth: u32) -> Limits {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

pub fn nodes(nodes: u64) -> Limits {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

pub fn engine() -> Searcher {
    Searcher::new(4).unwrap()
}

pub fn game(fen: &str) -> GameState {
    GameState::parse(Some(fen), []).unwrap()
}

pub fn search_fen(fen: &str, limits: &Limits) -> (Analysis, Vec<Said>) {
    search(&mut engine(), &game(fen), limits)
}

pub fn text(position: &Position, m: Option<Move>) -> String {
    m.map_or("none".to_owned(), |m| {
        notation::uci(position, m).to_string()
    })
}

/// The opponent can repeat the position, so no score of this move is more than a draw.
#[test]
fn a_repetition_bounds_the_score() {
    for (fen, moves, searched, depth) in [
        (
            "3r2k1/pp3ppp/2n2b2/8/8/2N2B2/PP1B1PPP/3R2K1 w - - 0 1",
            "d2e1 g8h8 e1d2 h8g8 d2e1 g8h8",
            "e1d2",
            9,
        ),
        (
            "6k1/5ppp/8/8/8/8/5PPP/3Q2K1 w - - 0 1",
            "d1d2 g8h8 d2d1 h8g8 d1d2 g8h8",
            "d2d1",
            3,
        ),
    ] {
        let mut engine = Engine::new();
        engine.send(&format!(
            "position fen {fen} moves {moves}\ngo depth {depth} searchmoves {searched}"
        ));
        let mut scores = 0;
        for line in engine.read_to("bestmove") {
            let score = line.split(" score cp ").nth(1);
            let score = score.and_then(|rest| rest.split_once(' '));
            if let Some((score, rest)) = score
                && !rest.starts_with("lowerbound")
                && !rest.starts_with("upperbound")
            {
                assert!(score.parse::<i32>().expect("a number") <= 3, "{line}");
                scores += 1;
            }
        }
        assert!(scores > 0);
        engine.quit();
    }
}

#[test]
fn a_shallow_search_does_not_take_an_attack_for_a_win() {
    // Black can attack a queen or a piece with many escape squares, and is worse all the same.
    for fen in [
        "8/3q2k1/p2P1pp1/1pp1p2p/P3P2P/P2Q1NP1/5PK1/3B4 b - - 1 33",
        "2r1k1q1/4b3/3pp3/2p3p1/p1P5/PpB1PQ2/1P1R2NK/8 b - - 1 43",
        "rnbqkb1r/p2p3p/4p3/2p1Ppp1/Pp1PP3/4Q3/1PP3PP/RNB1KBNR b KQkq - 0 9",
    ] {
        let (_, said) = search_fen(fen, &depth(6));
        let wrong = said.iter().find(|line| line.score > Score::DRAW);
        assert!(wrong.is_none(), "{fen}: {wrong:?}");
    }
}

#[test]
fn short_mates_are_found_and_their_lines_are_complete() {
    let suite = include_str!("../epd-suites/short-mates.epd");
    let mut found = 0;
    let mut tried = 0;
    for line in suite.lines() {
        let (fen, operations) = line.split_at(
            line.match_indices(' ')
                .nth(3)
                .map_or(line.len(), |(at, _)| at),
        );
        let distance: i32 = operations
            .split("dm ")
            .nth(1)
            .unwrap()
            .split(';')
            .next()
            .unwrap()
            .parse()
            .unwrap();
        tried += 1;
        let (outcome, _) = search_fen(fen, &nodes(60_000));
        // A longer mate may be found first; a shorter one would contradict the suite.
        if let Some(score) = outcome.score.and_then(Score::mate_distance) {
            assert!(score.abs() >= distance.abs(), "{line}: mate {score}");
            found += 1;
        }
    }
    assert!(found * 3 >= tried, "{found} of {tried}");
}

#[test]
fn mate_in_one_and_being_mated_have_the_right_distance() {
    let (outcome, _) = search_fen("6k1/5ppp/8/8/8/8/5PPP/4R1K1 w - - 0 1", &depth(4));
    assert_eq!(outcome.score, Some(Score::mate_in(1)));
    let (outcome, _) = search_fen("k7/8/1K6/8/8/8/8/7R b - - 0 1", &depth(8));
    assert_eq!(outcome.score, Some(Score::mated_in(2)));
}

#[test]
fn no_legal_move_means_no_best_move() {
    let (outcome, said) = search_fen("k7/2Q5/1K6/8/8/8/8/8 b - - 0 1", &depth(3));
    assert_eq!(
        (outcome.best_move, outcome.score),
        (None, Some(Score::DRAW))
    );
    assert_eq!(said[0].depth, 0);
    let (outcome, said) = search_fen("k7/1Q6/1K6/8/8/8/8/8 b - - 0 1", &depth(3));
    assert_eq!(
        (outcome.best_move, outcome.score),
        (None, Some(Score::mated_in(0)))
    );
    assert_eq!(said[0].score.mate_distance(), Some(0));
}

#[test]
fn stalemate_is_avoided_by_the_stronger_side() {
    // Qb6 and Qc7 stalemate; there is a mate in one.
    let (outcome, _) = search_fen("k7/8/2K5/8/8/1Q6/8/8 w - - 0 1", &depth(6));
    assert!(outcome.score.unwrap().is_win(), "{:?}", outcome.score);
}

#[test]
fn a_dead_draw_is_a_draw() {
    for fen in [
        "8/8/4k3/8/8/3BK3/8/8 w - - 0 1",
        "8/8/4k3/8/8/3NK3/8/8 b - - 0 1",
        "8/8/4k3/8/8/4K3/8/8 b - - 0 1",
    ] {
        let (outcome, _) = search_fen(fen, &depth(8));
        assert!(
            outcome.score.unwrap().raw().abs() <= 2,
            "{fen} {:?}",
            outcome.score
        );
    }
}

#[test]
fn the_fifty_move_rule_ends_a_won_game() {
    // White is a rook up, but the hundredth ply comes before anything can be won. A mate on that
    // move still counts.
    let (outcome, _) = search_fen("8/8/8/3k4/8/8/1R6/K7 w - - 98 80", &depth(8));
    assert!(
        outcome.score.unwrap().raw().abs() <= 2,
        "{:?}",
        outcome.score
    );
    let (outcome, _) = search_fen("7k/8/6K1/8/8/8/8/R7 w - - 99 80", &depth(8));
    assert_eq!(outcome.score, Some(Score::mate_in(1)));
}

#[test]
fn the_weaker_side_repeats() {
    // White is a queen down and has a perpetual check.
    let (outcome, _) = search_fen("6k1/6p1/6Q1/8/8/8/1q4PK/q7 w - - 0 1", &depth(12));
    assert!(
        outcome.score.unwrap().raw().abs() <= 2,
        "{:?}",
        outcome.score
    );
}

#[test]
fn whoever_moves_in_a_trebuchet_loses() {
    // The side to move loses its pawn and the game.
    for side in ["w", "b"] {
        let fen = format!("8/8/8/1pK5/kP6/8/8/8 {side} - - 0 1");
        let (outcome, _) = search_fen(&fen, &depth(20));
        assert!(
            outcome.score.unwrap().raw() < -100,
            "{fen} {:?}",
            outcome.score
        );
    }
}

#[test]
fn one_thread_is_deterministic() {
    let mut engine = engine();
    let fens = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    ];
    let mut run = || -> Vec<(Option<Move>, Option<Score>, u64)> {
        engine.new_game();
        fens.iter()
            .map(|fen| {
                let game = game(fen);
                let (analysis, _) = search(&mut engine, &game, &depth(10));
                (analysis.best_move, analysis.score, analysis.nodes)
            })
            .collect()
    };
    let first = run();
    assert_eq!(run(), first);
}

#[test]
fn multipv_shows_different_moves_in_order() {
    let mut engine = engine();
    engine.options_mut().multipv = 4;
    let (_, said) = search(&mut engine, &GameState::default(), &depth(8));
    let last: Vec<&Said> = said
        .iter()
        .filter(|line| line.depth == 8)
        .rev()
        .take(4)
        .collect();
    assert_eq!(last.len(), 4);
    for pair in last.windows(2) {
        assert_eq!(pair[0].multipv, pair[1].multipv + 1);
        assert!(pair[0].score <= pair[1].score);
        assert_ne!(pair[0].pv[0], pair[1].pv[0]);
    }
    let game = game("7k/8/8/8/8/8/R7/1R5K b - - 0 1");
    let (_, said) = search(&mut engine, &game, &depth(4));
    let most = said.iter().map(|line| line.multipv).max();
    assert_eq!(most, Some(3), "no more lines than there are moves");
}

#[test]
fn long_searches_show_each_move_at_one_rank() {
    let mut engine = engine();
    engine.options_mut().multipv = 5;
    let limits = Limits {
        movetime: Some(Duration::from_secs(6)),
        ..Limits::default()
    };
    let (_, said) = search(&mut engine, &GameState::default(), &limits);
    let mut shown = [None; 5];
    for (number, line) in said.iter().enumerate() {
        shown[line.multipv - 1] = Some(line.pv[0]);
        // At the end of a block, a GUI shows the last line of each rank.
        if said
            .get(number + 1)
            .is_none_or(|next| next.multipv <= line.multipv)
        {
            let moves: HashSet<_> = shown.iter().flatten().collect();
            let ranks = shown.iter().flatten().count();
            assert_eq!(
                moves.len(),
                ranks,
                "{:?}",
                &said[number.saturating_sub(9)..=number]
            );
        }
    }
}

#[test]
fn the_lines_shown_last_are_those_that_the_move_comes_from_wherever_a_search_ends() {
    let mut engine = engine();
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/8/8/3k4/8/8/1R6/K7 w - - 80 90",
        "7k/8/8/8/8/8/R7/1R5K b - - 0 1",
        "6k1/6p1/6Q1/8/8/8/1q4PK/q7 w - - 0 1",
    ] {
        let game = game(fen);
        let moves = game.position.legal_moves().len();
        for multipv in [2, 3, 5] {
            engine.options_mut().multipv = multipv;
            for limit in (1..30).map(|step| 10 * step * step).chain([840]) {
                engine.new_game();
                let (outcome, said) = search(&mut engine, &game, &nodes(limit));
                let context = format!("{fen}, {multipv} lines, {limit} nodes: {said:?}");
                let shown: Vec<&Said> = (1..=multipv)
                    .map_while(|index| said.iter().rfind(|line| line.multipv == index))
                    .collect();
                assert_eq!(Some(shown[0].pv[0]), outcome.best_move, "{context}");
                assert_eq!(Some(shown[0].score), outcome.score, "{context}");
                let mut first_moves: Vec<Move> = Vec::new();
                for line in &shown {
                    assert!(!first_moves.contains(&line.pv[0]), "{context}");
                    first_moves.push(line.pv[0]);
                }
                // All lines are complete after one iteration.
                if shown[0].depth > 2 {
                    assert_eq!(shown.len(), multipv.min(moves), "{context}");
                }
                // The last lines were reported together at the end.
                let together: Vec<usize> = said.iter().map(|line| line.multipv).collect();
                let expected: Vec<usize> = (1..=shown.len()).collect();
                assert!(together.ends_with(&expected), "{context}");
            }
        }
    }
}

#[test]
fn several_threads_find_the_same_mate() {
    let mut engine = engine();
    engine.set_threads(3).unwrap();
    let game = game("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
    let (outcome, _) = search(&mut engine, &game, &depth(8));
    assert_eq!(outcome.score.unwrap().mate_distance(), Some(3));
}

#[test]
#[cfg(target_os = "linux")]
fn threads_beyond_the_memory_are_refused() {
    let mut engine = engine();
    let error = engine.set_threads(usize::MAX / 2).unwrap_err();
    assert!(error.to_string().contains("MiB of memory are available"));
    let (outcome, _) = search(&mut engine, &GameState::default(), &depth(3));
    assert!(outcome.best_move.is_some());
}

#[test]
fn lines_of_all_suite_positions_are_legal() {
    let mut engine = engine();
    for line in include_str!("../epd-suites/perft-chess960.epd")
        .lines()
        .step_by(12)
        .chain(include_str!("../epd-suites/perft-standard.epd").lines())
    {
        let fen = line
            .split_whitespace()
            .take(4)
            .collect::<Vec<_>>()
            .join(" ");
        let game = game(&fen);
        let (outcome, _) = search(&mut engine, &game, &nodes(10_000));
        let position = &game.position;
        match outcome.best_move {
            Some(m) => {
                assert!(position.is_legal(m));
                if let Some(reply) = outcome.ponder_move {
                    assert!(position.play(m).is_legal(reply), "{fen}");
                }
            }
            None => assert!(!position.has_legal_move(), "{fen}"),
        }
    }
}
