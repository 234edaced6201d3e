//! The protocol with the real program: unusual and broken lines, and complete answers.

use crate::harness::{Engine, is_move};

#[test]
fn a_game_of_3000_moves() {
    let mut engine = Engine::new();
    let shuffle = [" g1f3 g8f6 f3g1 f6g8"; 749].concat();
    engine.send(&format!(
        "position startpos moves{shuffle} e2e4 e7e5 d2d4 d7d5\ngo depth 2"
    ));
    assert!(is_move(&engine.best_move()));
    assert!(
        engine
            .fen()
            .starts_with("rnbqkbnr/ppp2ppp/8/3pp3/3PP3/8/PPP2PPP/RNBQKBNR w")
    );
    engine.quit();
}

/// Opening a named pipe that nobody writes to would wait forever.
#[test]
#[cfg(unix)]
fn a_named_pipe_is_no_file() {
    use std::path::Path;
    use std::process::Command;
    let pipe = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pipe");
    let _ = std::fs::remove_file(&pipe);
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    let pipe = pipe.display();
    let mut engine = Engine::new();
    for line in [
        format!("genfens 1 seed 1 book {pipe}"),
        format!("setoption name EvalFile value {pipe}"),
        format!("setoption name BookFile value {pipe}"),
    ] {
        engine.send(&line);
        let lines = engine.read_to("info string error");
        let error = lines.last().expect("that line");
        assert!(error.contains("not a file"), "{line}: {error}");
    }
    engine.quit();
}

#[test]
fn bytes_that_are_no_text() {
    let mut engine = Engine::new();
    engine.send_bytes(b"\xff\xfe\x00\x80\n\x00\nposition fen \xc3\x28\xa0\ngo depth 1 \xff\xff\n");
    engine.best_move();
    engine.send_bytes(b"setoption name \xff value \xfe\nsetoption name Hash value \xff\n");
    let lines = engine.ready();
    assert!(lines.iter().all(|line| !line.starts_with("bestmove")));
    assert_eq!(
        lines.iter().filter(|line| line.contains("error")).count(),
        2
    );
    engine.quit();
}

#[test]
fn lines_end_as_windows_ends_them() {
    let mut engine = Engine::new();
    engine.send_bytes(
        b"\xef\xbb\xbfuci\r\nisready\r\nposition startpos moves e2e4\r\ngo depth 1\r\n",
    );
    let lines = engine.read_to("bestmove");
    assert!(lines.iter().any(|line| line == "uciok"));
    assert!(
        !lines.iter().any(|line| line.contains("error")),
        "{lines:?}"
    );
    assert!(engine.fen().contains("/4P3/"));
    // The last line may have no end.
    engine.send_bytes(b"quit");
    engine.close_input();
    assert!(engine.wait().success());
}

#[test]
fn spaces_and_tabs_do_not_matter() {
    let mut engine = Engine::new();
    engine.send("\t position   startpos\tmoves  e2e4 \t\n  go\t depth  1  ");
    let lines = engine.read_to("bestmove");
    assert!(
        !lines.iter().any(|line| line.contains("error")),
        "{lines:?}"
    );
    assert!(engine.fen().contains("/4P3/"));
    engine.quit();
}

#[test]
fn more_lines_than_moves() {
    let mut engine = Engine::new();
    engine.send("setoption name MultiPV value 256\nposition fen 7k/8/8/8/8/8/6q1/K7 w - - 0 1");
    engine.send("go depth 3");
    assert_eq!(engine.best_move(), "a1b1");
    engine.quit();
}

#[test]
fn multipv_shows_every_move_once() {
    let mut engine = Engine::new();
    engine.send("setoption name MultiPV value 256\nposition startpos\ngo depth 3");
    let lines = engine.read_to("bestmove");
    let mut first_moves: Vec<&str> = lines
        .iter()
        .filter(|line| line.starts_with("info depth 3 "))
        .filter(|line| !line.contains("bound"))
        .filter_map(|line| line.split(" pv ").nth(1)?.split(' ').next())
        .collect();
    first_moves.sort_unstable();
    first_moves.dedup();
    assert_eq!(first_moves.len(), 20, "{lines:?}");
    engine.quit();
}

#[test]
fn a_bad_position_leaves_the_old_one() {
    let mut engine = Engine::new();
    engine.send("position startpos moves e2e4 c7c5");
    let before = engine.fen();
    for bad in [
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen",
        "position",
        "position startpos e2e4",
        "position startpos moves e2e4 e2e4",
        "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e5",
    ] {
        engine.send(bad);
        let lines = engine.ready();
        assert!(
            lines
                .iter()
                .any(|line| line.starts_with("info string error: position")),
            "{bad}: {lines:?}"
        );
        assert_eq!(engine.fen(), before);
    }
    engine.send("go depth 1 searchmoves g1f3");
    assert!(is_move(&engine.best_move()));
    engine.quit();
}

#[test]
fn odd_go_lines_are_searched() {
    let mut engine = Engine::new();
    engine.send("position startpos");
    for go in [
        "go depth 1 frobnicate 17",
        "go depth",
        "go depth x",
        "go depth 0",
        "go depth -3",
        "go nodes 0",
        "go nodes 99999999999999999999 depth 1",
        "go movetime 0",
        "go movetime -10",
        "go movetime 1x",
        "go wtime 0 btime 0",
        "go wtime -500 btime 1000 winc -1 binc 0 movestogo 0",
        "go wtime 50 btime",
        "go btime 1000",
        "go winc 10 binc 10",
        "go depth 2 wtime -9223372036854775809 btime 99999999999999999999",
        "go wtime 9223372036854775807 winc 9223372036854775807 depth 1",
        "go searchmoves e2e5 depth 1",
        "go searchmoves depth 1",
        "go depth 1 searchmoves",
        "go mate 1 nodes 100",
        "go depth 4294967296 nodes 10",
    ] {
        engine.send(go);
        let best = engine.best_move();
        assert!(is_move(&best), "{go}: {best}");
    }
    engine.quit();
}

#[test]
fn a_node_is_enough_for_a_line() {
    let mut engine = Engine::new();
    for nodes in [0, 1, 2] {
        engine.send(&format!("position startpos\ngo nodes {nodes}"));
        let lines = engine.read_to("bestmove");
        let best = lines.last().and_then(|line| line.split(' ').nth(1));
        let line = lines.iter().rfind(|line| line.contains(" score "));
        let line = line.unwrap_or_else(|| panic!("{lines:?}"));
        let first = line
            .split(" pv ")
            .nth(1)
            .and_then(|pv| pv.split(' ').next());
        assert_eq!(first, best, "{lines:?}");
    }
    engine.quit();
}

#[test]
fn searchmoves_may_stand_anywhere() {
    let mut engine = Engine::new();
    for go in [
        "go depth 3 searchmoves a2a3",
        "go searchmoves a2a3 depth 3",
        "go searchmoves a2a3 wtime 1000 btime 1000",
    ] {
        engine.send(go);
        assert_eq!(engine.best_move(), "a2a3", "{go}");
    }
    engine.quit();
}

#[test]
fn info_lines_are_complete() {
    let mut engine = Engine::new();
    engine.send("setoption name UCI_ShowWDL value true\nposition startpos moves e2e4\ngo depth 6");
    let lines = engine.read_to("bestmove");
    let line = lines
        .iter()
        .rfind(|line| line.contains(" pv "))
        .expect("a principal variation");
    for word in [
        " depth ",
        " seldepth ",
        " multipv ",
        " score ",
        " wdl ",
        " nodes ",
        " nps ",
        " hashfull ",
        " tbhits ",
        " time ",
    ] {
        assert!(line.contains(word), "{word} in {line}");
    }
    let best = lines.last().expect("bestmove");
    assert!(best.contains(" ponder "), "{best}");
    engine.quit();
}

#[test]
fn unknown_commands_are_named() {
    let mut engine = Engine::new();
    engine.send("xyzzy 12\nregister later\n\n   ");
    let lines = engine.ready();
    assert!(
        lines[0].starts_with("info string error: unknown command \"xyzzy\""),
        "{lines:?}"
    );
    engine.quit();
}

#[test]
fn a_line_of_epd_is_a_position() {
    let mut engine = Engine::new();
    let board = "4k3/8/8/8/8/8/4P3/4K3 w - -";
    for rest in ["", " bm e4; id \"x\";", " - -", " -1 1", " 0 1;"] {
        engine.send("position startpos");
        engine.send(&format!("position fen {board}{rest}"));
        assert_eq!(engine.fen(), format!("{board} 0 1"), "{rest}");
    }
    engine.send("position startpos");
    for other in [
        "4k3/8/8/8/8/8/4P3/4K3[QQqq] w - - 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 3+2 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 e2e4",
        "4k3/8/8/8/8/8/4P3 w - - 0 1",
    ] {
        engine.send(&format!("position fen {other}"));
        let lines = engine.ready();
        assert!(lines[0].contains("position refused"), "{lines:?}");
    }
    engine.quit();
}

#[test]
fn chess960_is_recognised() {
    let mut engine = Engine::new();
    let position = "position fen 1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1 moves f1h1";
    engine.send(position);
    let lines = engine.ready();
    assert!(lines[0].contains("Chess960"), "{lines:?}");
    assert!(engine.fen().ends_with("/1R3RK1 b kq - 1 1"));
    engine.send(&format!(
        "setoption name UCI_Chess960 value true\n{position}"
    ));
    assert_eq!(engine.ready(), ["readyok"]);
    engine.quit();
}

#[test]
fn perft_counts_and_can_be_stopped() {
    let mut engine = Engine::new();
    engine.send("position startpos\ngo perft 4");
    let lines = engine.read_to("Nodes searched:");
    assert_eq!(lines.last().expect("that line"), "Nodes searched: 197281");
    engine.send("perft 60");
    engine.ready();
    engine.send("stop");
    engine.ready();
    engine.quit();
}
