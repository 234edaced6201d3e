//! Tests of the tablebases.

use super::*;
use crate::position::notation::{fen, parse_fen, uci};

fn position(text: &str) -> Position {
    parse_fen(text, false).unwrap().position
}

/// Returns the data directory. Tests that need it are ignored by default and have `with_test_data`
/// in their names.
fn data() -> PathBuf {
    std::env::var_os("QUEVEDO_TEST_DATA")
        .expect("QUEVEDO_TEST_DATA is not set")
        .into()
}

fn tables() -> Tablebases {
    let path = data().join("syzygy/3-4-men");
    let (tables, message) = Tablebases::load(path.to_str().unwrap());
    assert_eq!(
        message,
        "found 35 WDL and 35 DTZ tablebases of up to 4 pieces"
    );
    tables.unwrap()
}

/// Plays the first ranked move for both sides until the game ends. Returns the number of plies if
/// it ends in mate.
fn play_out(tables: &Tablebases, start: &str) -> Option<usize> {
    let mut position = position(start);
    for ply in 0..200 {
        if position.halfmoves() >= 100 && !position.in_check() {
            return None;
        }
        let ranked = tables
            .rank_root_moves(&position, false, true, &|_| false)
            .unwrap();
        let Some(best) = ranked.first() else {
            return position.in_check().then_some(ply);
        };
        position = position.play(best.m);
    }
    None
}

#[test]
fn nothing_found_is_said() {
    let (tables, message) = Tablebases::load("");
    assert!(tables.is_none());
    assert_eq!(message, "no tablebases in use");
    assert!(Tablebases::load("<empty>").0.is_none());
    let (tables, message) = Tablebases::load("/nowhere/at all;src");
    assert!(tables.is_none());
    assert!(
        message.starts_with("no tablebases found; cannot read /nowhere/at all: "),
        "{message}"
    );
    assert!(!message.contains("src"), "{message}");
}

#[test]
fn paths_are_separated_by_semicolons_and_colons() {
    assert_eq!(
        split_paths(" a ; b;;c".as_ref()),
        ["a", "b", "c"].map(PathBuf::from).to_vec()
    );
    if cfg!(unix) {
        assert_eq!(
            split_paths("/x:/y;/z".as_ref()),
            ["/x", "/y", "/z"].map(PathBuf::from).to_vec()
        );
    }
}

#[test]
fn files_that_are_no_tables_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path();
    for (name, bytes) in [
        ("KQvK.rtbw", [0_u8; 80].as_slice()),
        ("KRvK.rtbw", b"short".as_slice()),
        ("readme.rtbw", b"".as_slice()),
    ] {
        std::fs::write(directory.join(name), bytes).unwrap();
    }
    let (tables, message) = Tablebases::load(directory.to_str().unwrap());
    assert!(
        message.starts_with("found 1 WDL and 0 DTZ tablebases of up to 3 pieces; cannot use "),
        "{message}"
    );
    assert!(message.contains("KRvK.rtbw"), "{message}");
    // A damaged table knows nothing and does no harm.
    let tables = tables.unwrap();
    let position = position("4k3/8/8/8/8/8/8/4KQ2 w - - 0 1");
    assert_eq!(tables.probe_wdl(&position), None);
    assert_eq!(
        tables.rank_root_moves(&position, false, true, &|_| false),
        None
    );
}

#[test]
fn ranks_put_the_result_first_and_the_clock_second() {
    let rank = |plies, rounded, clock| Distance { plies, rounded }.rank(clock, false);
    let (sure, wdl) = rank(60, false, 40);
    assert_eq!(wdl, Wdl::Win);
    assert_eq!(rank(3, false, 40), (sure, Wdl::Win));
    let (doubtful, _) = rank(60, true, 40);
    let (late, wdl) = rank(61, false, 40);
    assert_eq!(wdl, Wdl::CursedWin);
    let (later, _) = rank(90, false, 40);
    assert!(sure > doubtful && doubtful > late && late > later && later > 0);
    // After a repetition the distance counts.
    let quick = Distance {
        plies: 3,
        rounded: false,
    };
    assert!(quick.rank(40, true).0 > Distance { plies: 5, ..quick }.rank(40, true).0);
    // For the loser, every ply counts near the end of the fifty moves, and a saved game comes
    // first.
    assert!(rank(-20, false, 45).0 > rank(-10, false, 45).0);
    assert_eq!(rank(-20, false, 0), rank(-10, false, 0));
    let (saved, wdl) = rank(-61, false, 40);
    assert_eq!(wdl, Wdl::BlessedLoss);
    assert!(saved < 0 && saved > rank(-60, true, 40).0);
    assert!(rank(-60, true, 40).0 > rank(-60, false, 40).0);
    // Right after a capture or pawn move the limit is exact.
    assert_eq!(rank(100, true, 0).1, Wdl::Win);
}

#[test]
#[ignore = "needs QUEVEDO_TEST_DATA"]
fn endgame_suite_agrees_with_test_data() {
    let tables = tables();
    let suite = std::fs::read_to_string(data().join("epd/endgame-wdl-dtz.epd")).unwrap();
    let mut count = 0;
    for line in suite.lines().filter(|line| !line.trim().is_empty()) {
        let board: Vec<&str> = line.split_whitespace().take(4).collect();
        let operation = |name: &str| -> i32 {
            line.split(';')
                .map(|part| part.trim_start_matches(board.join(" ").as_str()))
                .find_map(|part| part.trim().strip_prefix(name)?.trim().parse().ok())
                .unwrap()
        };
        let position = position(&board.join(" "));
        let expected = match operation("wdl ") {
            -2 => Wdl::Loss,
            -1 => Wdl::BlessedLoss,
            0 => Wdl::Draw,
            1 => Wdl::CursedWin,
            _ => Wdl::Win,
        };
        assert_eq!(tables.probe_wdl(&position), Some(expected), "{line}");
        // The best move keeps the result, and its distance is the position's.
        let ranked = tables
            .rank_root_moves(&position, true, true, &|_| false)
            .unwrap();
        if let Some(best) = ranked.first() {
            assert_eq!(best.wdl, expected, "{line}");
            let dtz = operation("dtz ");
            let best = best.dtz.unwrap();
            // Tables are rounded, so one ply more or less is correct.
            assert!((best - dtz).abs() <= 1, "{line}: {best}");
        }
        count += 1;
    }
    assert_eq!(count, 200);
}

#[test]
#[ignore = "needs QUEVEDO_TEST_DATA"]
fn following_the_ranks_mates_with_test_data() {
    let tables = tables();
    for (start, most) in [
        ("8/8/8/3k4/8/8/8/K6R w - - 0 1", 32),
        ("8/8/8/3k4/8/8/8/K5Q1 w - - 0 1", 20),
        ("8/8/8/3k4/8/8/8/KBN5 w - - 0 1", 66),
        ("8/8/8/3k4/8/8/8/KBB5 b - - 0 1", 40),
        ("8/8/8/8/8/2k5/4P3/4K3 w - - 0 1", 60),
        ("8/8/8/3k4/8/8/3r4/K5Q1 w - - 0 1", 80),
    ] {
        let plies = play_out(&tables, start).unwrap_or_else(|| panic!("{start}: no mate"));
        assert!(plies <= most, "{start}: {plies}");
    }
}

#[test]
#[ignore = "needs QUEVEDO_TEST_DATA"]
fn the_halfmove_clock_counts_with_test_data() {
    let tables = tables();
    let wdl = |fen: &str, rule| {
        let ranked = tables
            .rank_root_moves(&position(fen), false, rule, &|_| false)
            .unwrap();
        ranked.first().unwrap().wdl
    };
    assert_eq!(wdl("8/8/8/3k4/8/8/8/KBN5 w - - 0 1", true), Wdl::Win);
    assert_eq!(
        wdl("8/8/8/3k4/8/8/8/KBN5 w - - 90 80", true),
        Wdl::CursedWin
    );
    assert_eq!(wdl("8/8/8/3k4/8/8/8/KBN5 w - - 90 80", false), Wdl::Win);
    assert_eq!(
        wdl("8/8/8/3k4/8/8/8/KBN5 b - - 90 80", true),
        Wdl::BlessedLoss
    );
    // A mate on the last ply precedes the fifty-move rule.
    assert_eq!(wdl("k7/8/1K6/8/8/8/8/6Q1 w - - 99 80", true), Wdl::Win);
}

#[test]
#[ignore = "needs QUEVEDO_TEST_DATA"]
fn castling_rights_and_many_men_are_refused_with_test_data() {
    let tables = tables();
    for text in [
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        let position = position(text);
        assert_eq!(tables.probe_wdl(&position), None);
        assert_eq!(
            tables.rank_root_moves(&position, false, true, &|_| false),
            None
        );
    }
    let position = position("4k3/8/8/8/8/8/8/4K2R w - - 0 1");
    let ranked = tables
        .rank_root_moves(&position, false, true, &|_| false)
        .unwrap();
    assert_eq!(ranked.len(), position.legal_moves().len());
    for ranked in &ranked {
        assert!(
            ranked.score.is_win() || ranked.wdl == Wdl::Draw,
            "{} {}",
            fen(&position),
            uci(&position, ranked.m)
        );
    }
}

#[test]
#[ignore = "needs QUEVEDO_TEST_DATA"]
fn results_alone_rank_too_with_test_data() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path();
    for name in [
        "KQvK.rtbw",
        "KRvK.rtbw",
        "KPvK.rtbw",
        "KBvK.rtbw",
        "KNvK.rtbw",
    ] {
        std::fs::copy(
            data().join("syzygy/3-4-men").join(name),
            directory.join(name),
        )
        .unwrap();
    }
    let (tables, message) = Tablebases::load(directory.to_str().unwrap());
    assert_eq!(
        message,
        "found 5 WDL and 0 DTZ tablebases of up to 3 pieces"
    );
    let position = position("8/4P3/8/3k4/8/8/8/K7 w - - 0 1");
    let ranked = tables
        .unwrap()
        .rank_root_moves(&position, false, true, &|_| false)
        .unwrap();
    assert_eq!(ranked[0].wdl, Wdl::Win);
    assert_eq!(ranked[0].dtz, None);
    assert_eq!(ranked.last().unwrap().wdl, Wdl::Draw);
}
