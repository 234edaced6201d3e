//! Move generation, legality, keys and checks, compared with shakmaty over the perft suites.

use std::collections::BTreeSet;

use super::notation::{fen, parse_fen};
use super::{Move, MoveList, Position};
use shakmaty::zobrist::Zobrist64;
use shakmaty::{EnPassantMode, Position as _};

const SUITES: [&str; 3] = [
    include_str!("../../epd-suites/perft-standard.epd"),
    include_str!("../../epd-suites/perft-chess960.epd"),
    include_str!("../../epd-suites/perft-double-chess960.epd"),
];

/// Returns every `step`-th position of all perft suites.
fn suite_positions(step: usize) -> Vec<Position> {
    SUITES
        .iter()
        .flat_map(|suite| suite.lines())
        .filter_map(|line| {
            parse_fen(
                &line
                    .split_whitespace()
                    .take(4)
                    .collect::<Vec<_>>()
                    .join(" "),
                false,
            )
            .ok()
        })
        .step_by(step)
        .map(|parsed| parsed.position)
        .collect()
}

fn codes(moves: impl IntoIterator<Item = Move>) -> Vec<u16> {
    let mut codes: Vec<u16> = moves.into_iter().map(Move::code).collect();
    codes.sort_unstable();
    codes
}

/// Compares all incremental and generated data with shakmaty or with a computation from scratch.
fn check(position: &Position) {
    let expected = codes(
        position
            .chess()
            .legal_moves()
            .into_iter()
            .map(Move::from_shakmaty),
    );
    let mut noisy = MoveList::new();
    position.generate_noisy(&mut noisy);
    let mut quiets = MoveList::new();
    position.generate_quiets(&mut quiets);
    assert!(
        noisy.iter().all(|&m| position.is_noisy(m)),
        "{}",
        fen(position)
    );
    assert!(
        !quiets.iter().any(|&m| position.is_noisy(m)),
        "{}",
        fen(position)
    );
    let quiet_checks = quiets.iter().filter(|&&m| position.gives_check(m));
    assert_eq!(
        codes(position.quiet_checks()),
        codes(quiet_checks.copied()),
        "{}",
        fen(position)
    );
    assert_eq!(
        codes(noisy.into_iter().chain(quiets)),
        expected,
        "{}",
        fen(position)
    );
    assert_eq!(position.has_legal_move(), !expected.is_empty());
    assert_eq!(position.checkers(), position.chess().checkers());
    assert_eq!(
        *position.keys(),
        position.keys_from_scratch(),
        "{}",
        fen(position)
    );
    let zobrist: Zobrist64 = position.chess().zobrist_hash(EnPassantMode::Legal);
    assert_eq!(position.key(), zobrist.0, "{}", fen(position));
    assert_eq!(position.en_passant(), position.chess().legal_ep_square());
    for (index, square) in shakmaty::Square::ALL.into_iter().enumerate() {
        assert_eq!(
            position.piece_at(square),
            position.board().piece_at(square),
            "{index}"
        );
    }
    for &code in &expected {
        let m = Move::from_code(code).unwrap();
        let child = position.play(m);
        assert_eq!(
            position.gives_check(m),
            child.in_check(),
            "{} {m:?}",
            fen(position)
        );
        assert_eq!(position.checks().contain(position, m), child.in_check());
    }
}

fn random(seed: &mut u64, n: usize) -> usize {
    *seed = seed
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 33) as usize % n
}

#[test]
fn generation_keys_and_checks_hold_along_random_games_of_all_kinds_of_chess() {
    let mut seed = 2026;
    for start in suite_positions(2) {
        let mut position = start;
        for _ in 0..60 {
            check(&position);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[random(&mut seed, moves.len())]);
        }
    }
}

#[test]
fn legality_of_all_codes_agrees_with_the_legal_moves() {
    for position in suite_positions(4) {
        let expected: BTreeSet<u16> = position
            .chess()
            .legal_moves()
            .into_iter()
            .map(|m| Move::from_shakmaty(m).code())
            .collect();
        let found: BTreeSet<u16> = (0..=u16::MAX)
            .filter(|&code| Move::from_code(code).is_some_and(|m| position.is_legal(m)))
            .collect();
        assert_eq!(found, expected, "{}", fen(&position));
    }
}

#[test]
fn null_moves_change_the_side_to_move_only() {
    for position in suite_positions(5) {
        let Some(child) = position.play_null() else {
            assert!(position.in_check());
            continue;
        };
        assert_eq!(child.turn(), !position.turn());
        assert_eq!(child.board(), position.board());
        assert_eq!(*child.keys(), child.keys_from_scratch());
        assert_eq!(child.halfmoves(), position.halfmoves());
    }
}

#[test]
fn a_piece_behind_the_one_that_moves_recaptures() {
    // Only the rook on e1, behind the queen, attacks e5 once she is there.
    let position = parse_fen("6k1/8/8/8/8/K7/4Q3/4r3 w - - 0 1", false);
    let position = position.unwrap().position;
    let along = super::notation::parse_uci(&position, "e2e5").unwrap();
    let away = super::notation::parse_uci(&position, "e2h5").unwrap();
    assert!(!position.see_ge(along, -899) && position.see_ge(along, -900));
    assert!(position.see_ge(away, 0));
}

#[test]
fn a_pawn_taken_en_passant_opens_a_line() {
    // The queen cannot recapture, because the rook stands behind the pawn that is gone.
    let position = parse_fen("3qk3/8/8/3pP3/8/8/8/3RK3 w - d6 0 1", false);
    let position = position.unwrap().position;
    let m = super::notation::parse_uci(&position, "e5d6").unwrap();
    assert!(m.is_en_passant());
    assert!(position.see_ge(m, 100) && !position.see_ge(m, 101));
}

#[test]
fn exchanges_are_worth_what_the_suite_says() {
    let suite = include_str!("../../epd-suites/see.epd");
    let mut count = 0;
    for line in suite.lines().filter(|line| !line.trim().is_empty()) {
        let board: Vec<&str> = line.split_whitespace().take(4).collect();
        let position = parse_fen(&board.join(" "), false).unwrap().position;
        let operation = |name: &str| {
            let start = line.find(&format!(" {name} ")).unwrap() + name.len() + 2;
            line[start..]
                .split(';')
                .next()
                .unwrap()
                .trim()
                .trim_matches('"')
                .to_owned()
        };
        let m = super::notation::parse_uci(&position, &operation("sm")).unwrap();
        let value: i32 = operation("ce").parse().unwrap();
        assert!(position.see_ge(m, value), "{line}");
        assert!(!position.see_ge(m, value + 1), "{line}");
        count += 1;
    }
    assert!(count > 50);
}
