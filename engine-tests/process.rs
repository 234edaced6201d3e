//! Tests of the process: how it starts and how it ends.

use std::time::Instant;

use crate::harness::{Engine, MOMENT, PATIENCE, command};

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

/// `quit` does not wait for bounded work.
#[test]
fn quit_ends_bounded_work_at_once() {
    let mut engine = Engine::new();
    engine.send("go depth 100 nodes 100000000000\nquit");
    engine.best_move();
    assert!(engine.wait().success());
}

/// Bounded searches and counts run to their end, so that `echo "go depth 8" | quevedo` works.
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

#[test]
fn a_closed_output_ends_a_search() {
    let mut engine = Engine::unheard();
    engine.send("go infinite\nisready\nisready");
    assert!(engine.wait().success());
    // An idle engine with pending output ends, too.
    let mut engine = Engine::unheard();
    engine.send("uci\nisready");
    assert!(engine.wait().success());
}

#[test]
#[cfg(unix)]
fn sigterm_ends_a_search() {
    use std::os::unix::process::ExitStatusExt;

    use crate::harness::Signal;
    let mut engine = Engine::new();
    engine.send("go infinite");
    engine.ready();
    engine.signal(Signal::SIGTERM);
    let status = engine.wait();
    assert!(status.success() || status.signal() == Some(15), "{status}");
}

/// All commands before the end of the input are executed; unbounded searches are stopped.
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

/// Nobody can send `stop` or a later `ponderhit` to lines given as arguments.
#[test]
fn searches_given_as_arguments_end() {
    for (arguments, code) in [
        (&["go"][..], 0),
        (&["go infinite", "stop"], 0),
        (&["go", "ponder", "depth", "2"], 0),
        (&["go", "perft"], 2),
    ] {
        let mut engine = Engine::with_arguments(arguments);
        let lines = engine.read_to("bestmove");
        let is_error = |line: &String| line.starts_with("info string error: go: ");
        assert_eq!(lines.iter().any(is_error), code != 0, "{lines:?}");
        assert_eq!(engine.wait().code(), Some(code), "{arguments:?}");
    }
    let wac_1 = "position fen 2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1";
    let mut engine = Engine::with_arguments(&[wac_1, "go nodes 100", "go mate 2"]);
    engine.read_to("bestmove");
    let lines = engine.read_to("bestmove");
    assert!(lines.iter().any(|line| line.contains(" score mate 2 ")));
    assert!(lines.last().unwrap().starts_with("bestmove g3g6"));
    assert!(engine.wait().success());
    let mut engine =
        Engine::with_arguments(&["go ponder depth 6", "ponderhit", "go nodes 5000", "quit"]);
    for part in ["info depth 6 ", " nodes 5"] {
        let lines = engine.read_to("bestmove");
        assert!(lines.iter().any(|line| line.contains(part)), "{lines:?}");
    }
    assert!(engine.wait().success());
}

/// Otherwise the first search would wait for it while the clock runs.
#[test]
#[cfg(target_os = "linux")]
fn the_memory_of_the_hash_table_is_provided_before_readyok() {
    let mut engine = Engine::new();
    engine.send("setoption name Hash value 128");
    engine.ready();
    let status = std::fs::read_to_string(format!("/proc/{}/status", engine.id()));
    let status = status.expect("the status");
    let resident = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = resident.and_then(|text| text.trim().strip_suffix(" kB"));
    let kibibytes: u64 = kibibytes
        .and_then(|text| text.parse().ok())
        .expect("a size");
    assert!(kibibytes > 128 << 10, "{kibibytes} KiB");
    engine.quit();
}

#[test]
fn starting_takes_no_time() {
    let began = Instant::now();
    let mut engine = Engine::new();
    engine.send("uci");
    engine.read_to("uciok");
    assert!(began.elapsed() < PATIENCE / 2);
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
