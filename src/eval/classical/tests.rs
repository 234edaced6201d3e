use shakmaty::{EnPassantMode, Position as _};

use super::*;
use crate::position::notation::parse_fen;

fn position(fen: &str) -> Position {
    position_in(fen, false)
}

fn position_in(fen: &str, chess960: bool) -> Position {
    match parse_fen(fen, chess960) {
        Ok(parsed) => parsed.position,
        Err(error) => panic!("{fen}: {error}"),
    }
}

/// Returns the position with colours exchanged.
fn mirrored(position: &Position) -> Position {
    let setup = position
        .chess()
        .to_setup(EnPassantMode::Legal)
        .into_mirrored();
    let fen = shakmaty::fen::Fen::try_from_setup(setup)
        .expect("setup")
        .to_string();
    position_in(&fen, true)
}

/// Returns the suite's positions and all positions one move later.
fn suite() -> Vec<Position> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/epd-suites/perft-standard.epd");
    let text = std::fs::read_to_string(path).expect("the suite");
    let mut positions = Vec::new();
    for line in text.lines().filter(|line| line.contains(" - ")) {
        let fen = line
            .split(" D1")
            .next()
            .unwrap_or(line)
            .trim_end_matches(['-', ' ', ';']);
        let fen: Vec<&str> = fen.split_whitespace().take(4).collect();
        let start = position(&fen.join(" "));
        positions.extend(start.legal_moves().iter().map(|&m| start.play(m)));
        positions.push(start);
    }
    assert!(positions.len() > 1000);
    positions
}

/// Positions with more pieces than a game can have.
const CROWDED: [&str; 4] = [
    "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/KQQQQQQk b - -",
    "NNNNNNNN/NNNNNNNN/NNNNNNNN/NNNNNNNN/NNNNNNNN/NNNNNNNN/kNNNNNNN/NNNNNNNK b - -",
    "QRBNQRBN/QRBNQRBN/QRBNQRBN/QRBNQRBN/qrbnqrbn/qrbnqrbn/qrbnqrbn/kqqqqqqK w - -",
    "k7/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/K7 b - -",
];

#[test]
fn colours_are_treated_alike() {
    for position in suite() {
        let mirror = mirrored(&position);
        assert_eq!(
            evaluate(&position),
            evaluate(&mirror),
            "{:?}",
            position.board()
        );
    }
}

#[test]
fn a_cache_changes_nothing() {
    let mut cache = PawnCache::new();
    let positions = suite();
    for position in positions.iter().chain(&positions) {
        assert_eq!(evaluate_cached(position, &mut cache), evaluate(position));
    }
}

#[test]
fn crowded_boards_do_not_overflow() {
    for fen in CROWDED {
        let position = parse_fen(fen, false).unwrap().position;
        let value = evaluate(&position);
        assert!(value.abs() <= MAX_EVALUATION);
        let _ = explain(&position);
    }
}

#[test]
fn features_times_weights_are_the_evaluation() {
    let weights = current_weights();
    for position in suite() {
        let Some(features) = features(&position) else {
            continue;
        };
        let mut value = 0.0;
        for &(feature, count) in &features.counts {
            let weight = weights[usize::from(feature)];
            let tapered = weight.middlegame() as f32 * features.phase
                + weight.endgame() as f32 * (1.0 - features.phase);
            value += tapered * f32::from(count);
        }
        let value = value * features.scale;
        let expected = position.turn().fold_wb(1, -1) * evaluate(&position);
        // Two integer divisions round towards zero.
        assert!((value - expected as f32).abs() < 2.5, "{value} {expected}");
    }
}

#[test]
fn material_counts() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    assert!((0..60).contains(&evaluate(&position(start))));
    let without_queen = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    assert!(evaluate(&position(without_queen)) > 600);
    let without_knight = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKBNR w KQkq -";
    assert!(evaluate(&position(without_knight)) < -200);
}

#[test]
fn drawn_endings_are_level() {
    for fen in [
        "8/8/4k3/8/8/3K4/8/8 w - -",
        "8/8/4k3/8/8/3KN3/8/8 w - -",
        "8/8/4k3/8/8/2NKN3/8/8 w - -",
        "8/8/4k3/8/8/3KB3/8/6B1 w - -",
        "k7/8/8/8/P7/3KB3/8/8 w - -",
        "6bk/8/8/8/8/3KB3/8/8 w - -",
        "8/8/8/8/4k3/4p3/8/4K3 w - -",
        // Stalemate.
        "7k/5Q2/6K1/8/8/8/8/8 b - -",
    ] {
        assert_eq!(evaluate(&position(fen)), 0, "{fen}");
    }
    // The bishop of the other colour drives the king out of the corner.
    assert!(evaluate(&position("k7/8/8/8/P7/3K4/4B3/8 w - -")) > 200);
}

#[test]
fn won_endings_are_won() {
    for fen in [
        "8/8/3k4/8/8/3KR3/8/8 w - -",
        "8/8/2k5/8/8/3KQ3/8/8 w - -",
        "8/8/4k3/8/8/3KB3/8/3B4 w - -",
        "8/8/4k3/8/8/3KB3/3N4/8 w - -",
    ] {
        assert!(evaluate(&position(fen)) > 2000, "{fen}");
    }
}

#[test]
fn a_lone_king_that_can_take_a_piece_is_not_lost_for_sure() {
    let known = |fen: &str| crate::eval::known_ending(&parse_fen(fen, false).unwrap().position);
    assert_eq!(known("8/8/8/8/8/2k5/3R4/7K b - - 0 1"), None);
    assert!(known("8/8/8/8/8/2k5/3R4/7K w - - 0 1").is_some());
    assert!(known("8/8/8/8/8/2k5/3R4/4K3 b - - 0 1").is_some());
}

#[test]
fn a_lone_king_is_driven_to_the_edge_and_to_the_right_corner() {
    let better = |near: &str, far: &str| {
        assert!(
            evaluate(&position(near)) > evaluate(&position(far)),
            "{near} {far}"
        );
    };
    better("4k3/8/4K3/8/8/8/8/R7 w - -", "8/8/4k3/8/4K3/8/8/R7 w - -");
    better("4k3/8/4K3/8/8/8/8/R7 w - -", "4k3/8/8/8/4K3/8/8/R7 w - -");
    // The bishop commands h8 and a1, the dark corners.
    better(
        "7k/8/5K2/8/8/8/3N4/2B5 w - -",
        "k7/8/2K5/8/8/8/3N4/2B5 w - -",
    );
    better(
        "7k/8/5K2/8/8/8/3N4/2B5 w - -",
        "4k3/8/4K3/8/8/8/3N4/2B5 w - -",
    );
}

#[test]
fn the_explanation_ends_with_the_evaluation() {
    let text = explain(&Position::initial());
    assert!(text.contains("Material"));
    let value = f64::from(evaluate(&Position::initial())) / 100.0;
    let last = text.lines().last().unwrap_or_default();
    assert!(
        last.contains(&format!("{value:+.2} for the side to move")),
        "{text}"
    );
}

/// Run with `cargo test --release evaluation_speed -- --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn evaluation_speed() {
    let fens = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
        "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NB1N2/PP3PPP/R1BQ1RK1 w - -",
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - -",
        "8/5pk1/4p1p1/3pP2p/1r1P1P1P/6P1/5K2/2R5 w - -",
    ];
    for fen in fens {
        let start = position(fen);
        let positions: Vec<Position> = start.legal_moves().iter().map(|&m| start.play(m)).collect();
        let rounds = 1_000_000 / positions.len();
        let measure = |evaluate: &mut dyn FnMut(&Position) -> i32| {
            let mut best = f64::MAX;
            for _ in 0..5 {
                let begin = std::time::Instant::now();
                let mut sum = 0i64;
                for _ in 0..rounds {
                    for position in std::hint::black_box(&positions) {
                        sum += i64::from(evaluate(position));
                    }
                }
                std::hint::black_box(sum);
                let calls = (rounds * positions.len()) as f64;
                best = best.min(begin.elapsed().as_secs_f64() * 1e9 / calls);
            }
            best
        };
        let plain = measure(&mut evaluate);
        let mut cache = PawnCache::new();
        let cached = measure(&mut |position| evaluate_cached(position, &mut cache));
        println!("{plain:6.1} ns, {cached:6.1} ns with a pawn cache  {fen}");
    }
}

/// Searches by fail-hard alpha-beta with captures at the leaves and nothing else, so that the
/// evaluation has to find the way.
fn search(position: &Position, depth: u32, ply: i32, mut alpha: i32, beta: i32) -> i32 {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return if position.in_check() { ply - 30_000 } else { 0 };
    }
    if position.is_insufficient_material() {
        return 0;
    }
    let captures_only = depth == 0 && !position.in_check();
    if captures_only {
        alpha = alpha.max(evaluate(position));
        if alpha >= beta {
            return beta;
        }
    }
    let depth = depth.max(1);
    for &m in &moves {
        if captures_only && !position.is_noisy(m) {
            continue;
        }
        let value = -search(&position.play(m), depth - 1, ply + 1, -beta, -alpha);
        if value >= beta {
            return beta;
        }
        alpha = alpha.max(value);
    }
    alpha
}

/// Plays both sides at a fixed depth, avoiding repetitions. Returns the number of plies to mate.
fn plies_to_mate(mut position: Position, depth: u32) -> Option<usize> {
    let mut seen = vec![position.key()];
    for ply in 0..100 {
        let mut best = None;
        let mut alpha = -40_000;
        for &m in &position.legal_moves() {
            let child = position.play(m);
            let value = if seen.contains(&child.key()) {
                0
            } else {
                -search(&child, depth - 1, 1, -40_000, -alpha)
            };
            if value > alpha {
                (alpha, best) = (value, Some(m));
            }
        }
        match best {
            Some(m) => {
                position = position.play(m);
                seen.push(position.key());
            }
            None => return position.in_check().then_some(ply),
        }
    }
    None
}

#[test]
fn basic_mates_are_found_by_a_shallow_search() {
    for (fen, depth) in [
        ("8/8/8/3k4/8/8/8/KQ6 w - -", 3),
        ("8/8/3k4/8/8/8/8/KR6 w - -", 4),
        ("8/8/3k4/8/8/8/8/KBB5 w - -", 5),
        ("k1bb4/8/8/8/8/8/8/4K3 b - -", 5),
        ("4k3/8/4K3/8/4P3/8/8/8 w - -", 4),
    ] {
        let plies = plies_to_mate(position(fen), depth);
        assert!(plies.is_some(), "{fen}");
    }
}
