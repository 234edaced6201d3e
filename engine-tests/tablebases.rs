//! Tests of searches with tablebases, which are not part of the repository.

use quevedo::engine::GameState;
use quevedo::position::notation::uci;
use quevedo::score::{Bound, Score};

use crate::search::{engine, game, nodes, search};

#[test]
#[ignore = "needs QUEVEDO_TEST_DATA, a folder of test data that is not part of the repository"]
fn wins_without_distances_are_probed_in_the_tree_with_test_data() {
    let data = std::env::var_os("QUEVEDO_TEST_DATA").expect("QUEVEDO_TEST_DATA is set");
    let all = std::path::PathBuf::from(data).join("syzygy/3-4-men");
    let results_only = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(&all).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "rtbw")
        {
            std::fs::copy(&path, results_only.path().join(path.file_name().unwrap())).unwrap();
        }
    }
    let hits = |tables: &std::path::Path, fen: &str| {
        let mut engine = engine();
        engine.set_syzygy_path(tables).unwrap();
        let (_, said) = search(&mut engine, &game(fen), &nodes(5_000));
        said.last().unwrap().tbhits
    };
    // With distances only the root is probed: each of its moves once.
    for (fen, is_win) in [
        ("8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1", true),
        ("8/8/8/3k4/3r4/8/8/KQ6 b - - 0 1", false),
    ] {
        let moves = game(fen).position.legal_moves().len() as u64;
        assert_eq!(hits(&all, fen), moves, "{fen}");
        assert_eq!(hits(results_only.path(), fen) > moves, is_win, "{fen}");
    }
}

#[test]
#[ignore = "needs QUEVEDO_TEST_DATA, a folder of test data that is not part of the repository"]
fn draws_that_end_the_game_are_known_with_test_data() {
    let data = std::env::var_os("QUEVEDO_TEST_DATA").expect("QUEVEDO_TEST_DATA is set");
    let tables = std::path::PathBuf::from(data).join("syzygy/3-4-men");
    for (fen, moves, best, is_draw) in [
        // The loser repeats for the third time, whatever the clock.
        (
            "8/8/8/2K5/2R5/8/5k2/8 w - - 60 80",
            "c4c1 f2g3 c1c4 g3f2 c4c1 f2g3 c1c4",
            Some("g3f2"),
            true,
        ),
        (
            "8/8/8/2K5/2R5/8/5k2/8 w - - 0 80",
            "c4c1 f2g3 c1c4 g3f2 c4c1 f2g3 c1c4",
            Some("g3f2"),
            true,
        ),
        // The winner does not.
        (
            "8/8/4KR2/8/6k1/8/8/8 b - - 10 80",
            "g4g3 f6h6 g3g4 h6f6 g4g3 f6h6 g3g4",
            None,
            false,
        ),
        // The fifty moves are over with any move.
        ("k7/5R2/3K4/8/8/8/1N6/8 w - - 99 80", "", None, true),
    ] {
        let mut engine = engine();
        engine.set_syzygy_path(&tables).unwrap();
        let game = GameState::parse(Some(fen), moves.split_whitespace()).unwrap();
        let (outcome, _) = search(&mut engine, &game, &nodes(5_000));
        let m = outcome
            .best_move
            .map(|m| uci(&game.position, m).to_string());
        assert!(best.is_none() || m.as_deref() == best, "{fen} {m:?}");
        let score = outcome.score.unwrap();
        assert_eq!(score == Score::DRAW, is_draw, "{fen} {score:?}");
        assert_eq!(score.is_win(), !is_draw, "{fen} {score:?}");
        assert_ne!(m.as_deref(), Some("h6f6"), "the third time");
    }
}

#[test]
#[ignore = "needs QUEVEDO_TEST_DATA, a folder of test data that is not part of the repository"]
fn the_options_decide_what_is_probed_with_test_data() {
    let data = std::env::var_os("QUEVEDO_TEST_DATA").expect("QUEVEDO_TEST_DATA is set");
    let tables = std::path::PathBuf::from(data).join("syzygy/3-4-men");
    let searched = |fen: &str, options: &[(&str, &str)]| {
        let mut engine = engine();
        engine.set_syzygy_path(&tables).unwrap();
        for (name, value) in options {
            engine.set_option(name, Some(value)).unwrap();
        }
        let (outcome, said) = search(&mut engine, &game(fen), &nodes(5_000));
        (said.last().unwrap().tbhits, outcome.score.unwrap())
    };
    let queen_and_rook = "8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1";
    assert!(searched(queen_and_rook, &[("SyzygyProbeLimit", "4")]).0 > 0);
    assert_eq!(searched(queen_and_rook, &[("SyzygyProbeLimit", "0")]).0, 0);
    // Play at limited strength does without.
    let limited = [("UCI_LimitStrength", "true")];
    assert_eq!(searched(queen_and_rook, &limited).0, 0);
    // Captures lead to positions with as many pieces as the largest tables.
    let five_pieces = "8/8/8/3k4/3r4/8/4P3/KQ6 w - - 0 1";
    let hits = |depth| searched(five_pieces, &[("SyzygyProbeDepth", depth)]).0;
    assert!(hits("1") > hits("100"), "{} {}", hits("1"), hits("100"));
    // The win takes longer than the fifty moves allow.
    let late = "8/8/8/3k4/3r4/8/8/KQ6 w - - 97 90";
    assert!(!searched(late, &[]).1.is_win());
    assert!(searched(late, &[("Syzygy50MoveRule", "false")]).1.is_win());
}

#[test]
#[ignore = "needs QUEVEDO_TEST_DATA, a folder of test data that is not part of the repository"]
fn what_the_tablebases_say_is_no_bound_with_test_data() {
    let data = std::env::var_os("QUEVEDO_TEST_DATA").expect("QUEVEDO_TEST_DATA is set");
    let tables = std::path::PathBuf::from(data).join("syzygy/3-4-men");
    let mut engine = engine();
    engine.set_syzygy_path(tables.to_str().unwrap()).unwrap();
    for fen in [
        "8/8/8/3k4/3r4/8/8/KQ6 w - - 0 1",
        "8/8/8/3k4/3r4/8/8/KQ6 b - - 0 1",
        "8/8/8/3k4/8/8/1R6/K7 w - - 0 1",
    ] {
        let game = game(fen);
        for multipv in [1, 3] {
            engine.options_mut().multipv = multipv;
            for limit in (1..40).map(|step| 10 * step * step) {
                engine.new_game();
                let (_, said) = search(&mut engine, &game, &nodes(limit));
                for line in said {
                    let is_bound = line.bound != Bound::Exact;
                    assert!(!is_bound || line.score.is_mate(), "{fen}: {line:?}");
                }
            }
        }
    }
}
