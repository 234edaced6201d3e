//! The protocol, with the real binary: a test for each complaint that users have had about engines.

use std::time::{Duration, Instant};

use crate::harness::{Engine, PATIENCE, command, is_move};

const MOMENT: Duration = Duration::from_millis(150);
const MATED: &str = "position fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
const STALEMATE: &str = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
/// Two kings, and a draw whatever the search does: full depth is reached in no time.
const BARE_KINGS: &str = "position fen 8/8/4k3/8/8/4K3/8/8 w - - 0 1";

#[test]
fn isready_is_answered_while_searching() {
    let mut engine = Engine::new();
    engine.send("go infinite");
    for _ in 0..3 {
        let lines = engine.ready();
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")));
    }
    engine.send("stop");
    assert!(is_move(&engine.best_move()));
    engine.quit();
}

#[test]
fn isready_waits_for_a_slow_setoption() {
    let mut engine = Engine::new();
    engine.send("setoption name Hash value 512\nucinewgame\nsetoption name Nonsense\nisready");
    let lines = engine.read_to("readyok");
    // The message of the command before it stands before it: isready took its turn.
    assert!(
        lines.iter().any(|line| line.contains("Nonsense")),
        "{lines:?}"
    );
    engine.quit();
}

#[test]
fn isready_behind_a_search_that_waits_is_answered() {
    let mut engine = Engine::new();
    engine.send("setoption name Hash value 256\ngo infinite\nisready\nisready");
    engine.read_to("readyok");
    engine.read_to("readyok");
    engine.expect_no_move_for(MOMENT);
    engine.send("stop");
    engine.best_move();
    engine.quit();
}

#[test]
fn stop_without_a_search_is_for_no_search() {
    let mut engine = Engine::new();
    engine.send("stop\ngo infinite");
    engine.expect_no_move_for(MOMENT);
    engine.send("stop");
    assert!(is_move(&engine.best_move()));
    engine.quit();
}

#[test]
fn stop_ends_a_search_at_once() {
    let mut engine = Engine::new();
    engine.send("go infinite");
    engine.read_for(MOMENT);
    let sent = Instant::now();
    engine.send("stop");
    assert!(is_move(&engine.best_move()));
    assert!(sent.elapsed() < Duration::from_secs(1));
    engine.quit();
}

#[test]
fn stop_after_a_search_is_for_no_later_one() {
    let mut engine = Engine::new();
    engine.send("go depth 1");
    engine.best_move();
    engine.send("stop\ngo infinite");
    engine.expect_no_move_for(MOMENT);
    engine.send("stop");
    engine.best_move();
    engine.quit();
}

#[test]
fn stop_right_behind_go_is_for_that_go() {
    let mut engine = Engine::new();
    for _ in 0..20 {
        engine.send("go infinite\nstop");
        assert!(is_move(&engine.best_move()));
    }
    // Also for one that waits behind something slow, and for several.
    engine.send("setoption name Hash value 256\ngo infinite\ngo infinite\nstop");
    engine.best_move();
    engine.best_move();
    engine.send("go infinite");
    engine.expect_no_move_for(MOMENT);
    engine.send("stop");
    engine.best_move();
    engine.quit();
}

#[test]
fn one_bestmove_for_each_go() {
    let mut engine = Engine::new();
    engine.send("go depth 1\ngo nodes 10\ngo movetime 20\ngo depth 2");
    for _ in 0..4 {
        engine.best_move();
    }
    engine.expect_no_move_for(MOMENT);
    engine.quit();
}

#[test]
fn commands_during_a_search_wait_for_its_end() {
    let mut engine = Engine::new();
    engine.send("position startpos\ngo infinite");
    engine.send("position startpos moves e2e4 e7e5");
    engine.send("setoption name Hash value 8\nsetoption name MultiPV value 2\nucinewgame");
    engine.expect_no_move_for(MOMENT);
    engine.send("stop");
    engine.best_move();
    assert!(engine.fen().contains("/4p3/4P3/"));
    engine.send("go depth 2");
    assert!(is_move(&engine.best_move()));
    engine.quit();
}

#[test]
fn a_ponder_hit_ends_in_a_move() {
    let mut engine = Engine::new();
    engine.send("position startpos moves e2e4 e7e5\ngo ponder wtime 500 btime 500");
    engine.expect_no_move_for(Duration::from_millis(700));
    engine.send("ponderhit");
    assert!(is_move(&engine.best_move()));
    engine.quit();
}

#[test]
fn a_ponder_miss_is_stopped() {
    let mut engine = Engine::new();
    engine.send("position startpos moves e2e4 e7e5\ngo ponder wtime 500 btime 500");
    engine.expect_no_move_for(MOMENT);
    engine.send("stop\nposition startpos moves e2e4 c7c5\ngo ponder movetime 1");
    engine.best_move();
    engine.expect_no_move_for(MOMENT);
    engine.send("ponderhit");
    engine.best_move();
    engine.quit();
}

#[test]
fn the_budget_runs_from_the_ponder_hit() {
    let mut engine = Engine::new();
    engine.send("go ponder movetime 400");
    engine.expect_no_move_for(Duration::from_millis(600));
    let hit = Instant::now();
    engine.send("ponderhit");
    engine.best_move();
    let taken = hit.elapsed();
    assert!(
        taken > Duration::from_millis(300) && taken < Duration::from_millis(900),
        "{taken:?}"
    );
    engine.quit();
}

#[test]
fn a_search_that_has_pondered_long_enough_ends_with_the_hit() {
    let mut engine = Engine::new();
    engine.send("position startpos\ngo ponder wtime 20000 btime 20000");
    engine.expect_no_move_for(Duration::from_secs(4));
    let hit = Instant::now();
    engine.send("ponderhit");
    engine.best_move();
    // The hard limit is beyond two seconds.
    let taken = hit.elapsed();
    assert!(taken < Duration::from_secs(1), "{taken:?}");
    engine.quit();
}

#[test]
fn quit_ends_a_count_and_a_benchmark() {
    for work in ["perft 60", "bench 200"] {
        let mut engine = Engine::new();
        engine.send(work);
        engine.expect_no_move_for(MOMENT);
        engine.quit();
    }
}

#[test]
fn a_ponder_hit_in_the_queue_is_not_lost() {
    let mut engine = Engine::new();
    engine.send("setoption name Hash value 256\ngo ponder movetime 50\nponderhit");
    assert!(is_move(&engine.best_move()));
    engine.quit();
}

/// `go` in this position answers like this, and under `infinite` and `ponder` not before it is told
/// to.
fn no_early_move(position: &str, answer: impl Fn(&str) -> bool) {
    let mut engine = Engine::new();
    engine.send(position);
    for (go, end) in [
        ("go infinite", "stop"),
        ("go ponder wtime 1000 btime 1000", "ponderhit"),
        ("go ponder movetime 10", "stop"),
        ("go infinite depth 2", "stop"),
    ] {
        engine.send(go);
        engine.expect_no_move_for(MOMENT);
        engine.send(end);
        let best = engine.best_move();
        assert!(answer(&best), "{go}, {end}: {best}");
    }
    engine.quit();
}

#[test]
fn no_early_bestmove_at_a_mate() {
    no_early_move(MATED, |best| best == "(none)");
}

#[test]
fn no_early_bestmove_at_a_stalemate() {
    no_early_move(STALEMATE, |best| best == "(none)");
}

#[test]
fn no_early_bestmove_at_full_depth() {
    no_early_move(BARE_KINGS, is_move);
    // Mate in one: nothing is left to search.
    no_early_move("position fen 6k1/5ppp/8/8/8/8/8/K3R3 w - - 0 1", is_move);
}

#[test]
fn the_end_of_the_game_is_told() {
    let mut engine = Engine::new();
    for (position, info) in [
        (MATED, "info depth 0 score mate 0"),
        (STALEMATE, "info depth 0 score cp 0"),
    ] {
        engine.send(&format!("{position}\ngo wtime 1000 btime 1000"));
        let lines = engine.read_to("bestmove");
        assert_eq!(lines, [info, "bestmove (none)"]);
    }
    engine.quit();
}

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

#[test]
fn end_of_input_ends_a_search() {
    let mut engine = Engine::new();
    engine.send("go infinite");
    engine.ready();
    engine.close_input();
    engine.best_move();
    assert!(engine.wait().success());
}

#[test]
fn quit_ends_a_search() {
    let mut engine = Engine::new();
    engine.send("go infinite\nquit");
    engine.best_move();
    assert!(engine.wait().success());
}

#[test]
fn a_closed_output_ends_a_search() {
    let mut engine = Engine::unheard();
    engine.send("go infinite\nisready\nisready");
    assert!(engine.wait().success());
    // And an idle engine that has something to say.
    let mut engine = Engine::unheard();
    engine.send("uci\nisready");
    assert!(engine.wait().success());
}

#[test]
#[cfg(unix)]
fn sigterm_ends_a_search() {
    use std::os::unix::process::ExitStatusExt;
    let mut engine = Engine::new();
    engine.send("go infinite");
    engine.ready();
    engine.signal("TERM");
    let status = engine.wait();
    assert!(status.success() || status.signal() == Some(15), "{status}");
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
fn chess960_is_recognised() {
    let mut engine = Engine::new();
    let position = "position fen 1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1 moves f1h1";
    engine.send(position);
    let lines = engine.ready();
    assert!(lines[0].contains("Chess960"), "{lines:?}");
    assert!(engine.fen().ends_with("1R3RK1 b hb - 1 1") || engine.fen().contains("/1R3RK1 b"));
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

/// Everything that was asked for before the end of the input is done, but for searches, which are
/// cut short.
#[test]
fn a_pipe_is_worked_through() {
    let mut engine = Engine::new();
    engine.send("uci\nperft 4\nposition startpos moves e2e4\ngo infinite\neval\nd");
    engine.close_input();
    let lines = engine.read_to("Checkers:");
    for beginning in [
        "uciok",
        "Nodes searched: 197281",
        "bestmove ",
        "Evaluation:",
    ] {
        assert!(
            lines.iter().any(|line| line.starts_with(beginning)),
            "{beginning}: {lines:?}"
        );
    }
    assert!(engine.wait().success());
}

#[test]
fn arguments_are_lines() {
    let output = |arguments: &[&str]| {
        let output = command().args(arguments).output().expect("it runs");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        (text, output.status.code())
    };
    let (text, code) = output(&[
        "position startpos moves e2e4",
        "go depth 3",
        "d",
        "quit",
        "uci",
    ]);
    assert!(
        text.contains("bestmove") && text.contains("/4P3/"),
        "{text}"
    );
    assert!(!text.contains("uciok"), "quit ends it: {text}");
    assert_eq!(code, Some(0));
    let (text, code) = output(&["go", "depth", "2"]);
    assert!(text.contains("bestmove"), "{text}");
    assert_eq!(code, Some(0));
    assert_eq!(output(&["isready", "isready"]).0, "readyok\nreadyok\n");
    assert_eq!(output(&["frobnicate"]).1, Some(2));
    assert_eq!(output(&["--frobnicate"]).1, Some(2));
    assert_eq!(output(&["--version"]).1, Some(0));
}

#[test]
fn starting_takes_no_time() {
    let began = Instant::now();
    let mut engine = Engine::new();
    engine.send("uci");
    engine.read_to("uciok");
    assert!(began.elapsed() < PATIENCE / 5);
    engine.quit();
}

/// A person at a terminal is greeted; a GUI, which has pipes, is not.
#[test]
#[cfg(target_os = "linux")]
fn a_terminal_is_greeted() {
    let program = command().get_program().to_owned();
    let on_terminal = std::process::Command::new("script")
        .args(["-qec", &format!("{} uci", program.display()), "/dev/null"])
        .stdin(std::process::Stdio::null())
        .output();
    // Not every system has script(1).
    if let Ok(output) = on_terminal {
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("Type help"), "{text}");
    }
    let mut engine = Engine::new();
    assert_eq!(engine.ready(), ["readyok"]);
    engine.quit();
}

/// Searches with a limit and counts run to their end, so that `echo "go depth 8" | quevedo` works.
#[test]
fn bounded_work_is_finished_after_the_end_of_input() {
    let mut engine = Engine::new();
    engine.send("position startpos\ngo depth 8\ngo nodes 20000\ngo perft 4\ngo infinite");
    engine.close_input();
    let lines = engine.read_to("bestmove");
    assert!(
        lines.iter().any(|line| line.starts_with("info depth 8 ")),
        "{lines:?}"
    );
    let lines = engine.read_to("bestmove");
    let line = lines.iter().rfind(|line| line.contains(" nodes "));
    let nodes = line.and_then(|line| line.split(" nodes ").nth(1)?.split(' ').next());
    assert!(nodes.is_some_and(|nodes| nodes.len() == 5), "{lines:?}");
    assert!(engine.read_to("Nodes searched: 197281").len() > 20);
    engine.best_move();
    assert!(engine.wait().success());
}

/// `quit` does not wait for bounded work.
#[test]
fn quit_ends_bounded_work_at_once() {
    let mut engine = Engine::new();
    engine.send("go depth 100 nodes 100000000000\nquit");
    engine.best_move();
    assert!(engine.wait().success());
}
