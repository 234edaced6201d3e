//! Tests of impossible and very unusual positions, which are either searched or refused by name.

use std::path::PathBuf;

use crate::harness::{Engine, is_move};

/// Returns whether the position was searched. If not, it was refused with a message that names it.
fn is_searched(engine: &mut Engine, fen: &str) -> bool {
    engine.send(&format!("position startpos\nposition fen {fen}"));
    let lines = engine.ready();
    let errors: Vec<&String> = lines
        .iter()
        .filter(|line| line.starts_with("info string error"))
        .collect();
    engine.send("go nodes 500");
    let best = engine.best_move();
    match errors[..] {
        [] => {
            assert!(is_move(&best) || best == "(none)", "{fen}: {best}");
            true
        }
        [error] => {
            let first = fen.split_whitespace().next().unwrap_or("no FEN");
            let named: String = first.chars().take(60).collect();
            assert!(error.contains(&named), "{fen}: {error}");
            assert!(
                is_move(&best),
                "{fen}: the position before is searched: {best}"
            );
            false
        }
        _ => panic!("{fen}: {errors:?}"),
    }
}

#[test]
fn strange_but_playable() {
    let mut engine = Engine::new();
    for fen in [
        // 30 queens, 30 knights, 36 men, 44 men and 218 moves.
        "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1",
        "nnnnknnn/nnnnnnnn/8/8/8/8/NNNNNNNN/NNNNKNNN w - - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPnPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/nnnnnnnn/8/8/NNNNNNNN/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        // Castling rights without rooks, an en passant square without a pawn, enormous clocks,
        // missing fields.
        "krr5/8/8/8/8/8/8/4K3 w kq - 0 1",
        "nrbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4294967295 4294967295",
        "4k3/8/8/8/8/8/4P3/4K3 w",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR  w  KQkq -   0  1",
        // Check from three pieces.
        "4k3/8/8/1b5r/8/3n1n2/8/r3K3 w - - 0 1",
    ] {
        assert!(is_searched(&mut engine, fen), "{fen}");
    }
    engine.quit();
}

#[test]
fn what_is_no_position_is_refused() {
    let mut engine = Engine::new();
    for fen in [
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "rnbqkbn1/ppppppppr/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR K KQkq - 0 1",
        "rnbqkbnr.pppppppp.8.8.8.8.PPPPPPPP.RNBQKBNR w KQkq - 0 1",
        "rnbqkbnr/ppppippp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnkqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "pnbqkbnr/ppprpppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "blablabl/blablabl/blablabl/blablabl/blablabl/blablabl/blablabl/blablabl w - - 0 1",
        "hello have a nice day w - - 0 1",
        "8/8/8/1k3q2/8/3K4/8/1Q6 w - -",
        "4k3/4Q3/8/8/8/8/8/4K3 w - - 0 1",
    ] {
        assert!(!is_searched(&mut engine, fen), "{fen}");
    }
    engine.quit();
}

#[test]
#[ignore = "needs QUEVEDO_TEST_DATA, a folder of test suites that is not part of the repository"]
fn destructive_suites_with_test_data() {
    let data = std::env::var_os("QUEVEDO_TEST_DATA").expect("QUEVEDO_TEST_DATA is set");
    let mut engine = Engine::new();
    let (mut searched, mut refused) = (0, 0);
    for entry in PathBuf::from(data)
        .join("epd")
        .read_dir()
        .expect("a folder")
    {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .map(|name| name.to_string_lossy().into_owned());
        if !name.is_some_and(|name| name.starts_with("destruct") || name.starts_with("grief")) {
            continue;
        }
        let bytes = std::fs::read(&path).expect("a readable file");
        for line in String::from_utf8_lossy(&bytes).lines() {
            let fen = line.split(';').next().unwrap_or("").trim();
            if !fen.is_empty() {
                *if is_searched(&mut engine, fen) {
                    &mut searched
                } else {
                    &mut refused
                } += 1;
            }
        }
    }
    println!("{searched} searched, {refused} refused");
    assert!(searched > 30 && searched + refused > 200);
    engine.quit();
}
