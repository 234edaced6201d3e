//! The hash table in a file, from one process to the next.

use std::fs;
use std::path::Path;

use crate::harness::Engine;
#[cfg(unix)]
use crate::harness::{PATIENCE, Signal};

const MIDDLEGAME: &str =
    "position fen r1bq1rk1/pp2bppp/2n1pn2/3p4/2PP4/1PN2N2/PB3PPP/R2QKB1R w KQ - 0 9";

/// Starts an engine that uses this file.
fn engine(file: &Path) -> Engine {
    let mut engine = Engine::new();
    engine.send(&format!("setoption name HashFile value {}", file.display()));
    engine
}

/// Searches to a depth and returns the nodes.
fn nodes(engine: &mut Engine, depth: u32) -> u64 {
    nodes_of(engine, &format!("go depth {depth}"))
}

/// Searches within limits and returns the nodes.
fn nodes_of(engine: &mut Engine, go: &str) -> u64 {
    engine.send(&format!("{MIDDLEGAME}\n{go}"));
    let lines = engine.read_to("bestmove");
    let info = lines.iter().rfind(|line| line.contains(" nodes "));
    let (_, rest) = info.and_then(|line| line.split_once(" nodes ")).unwrap();
    rest.split(' ').next().unwrap().parse().unwrap()
}

/// Presses a button and returns the message.
fn press(engine: &mut Engine, name: &str) -> String {
    engine.send(&format!("setoption name {name}"));
    let lines = engine.ready();
    lines.first().expect("a message").clone()
}

#[test]
fn a_new_process_reaches_the_saved_depth_with_a_tenth_of_the_nodes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("a hash.bin");
    let mut first = engine(&file);
    first.send("setoption name Hash value 24");
    let searched = nodes(&mut first, 13);
    let message = press(&mut first, "Save Hash");
    assert!(
        message.starts_with("info string saved the hash table of 24 MiB"),
        "{message}"
    );
    first.quit();

    let mut second = engine(&file);
    let message = press(&mut second, "Load Hash");
    assert!(
        message.contains("loaded a hash table of 24 MiB"),
        "{message}"
    );
    assert!(
        message.ends_with("Hash is 24 now instead of 16"),
        "{message}"
    );
    let again = nodes(&mut second, 13);
    assert!(again * 10 < searched, "{again} of {searched} nodes");
    // The next depth takes a search, whose line is legal.
    assert!(nodes(&mut second, 14) > again);
    // A new game clears the table, unless it is never cleared.
    second.send("ucinewgame");
    assert_eq!(nodes(&mut second, 13), searched);
    press(&mut second, "Load Hash");
    second.send("setoption name Never Clear Hash value true\nucinewgame");
    assert_eq!(nodes(&mut second, 13), again);
    second.send("setoption name Clear Hash\nucinewgame");
    assert_eq!(nodes(&mut second, 13), searched);
    // Another evaluation clears it all the same.
    for network in ["hand-written", ""] {
        second.send(&format!("setoption name EvalFile value {network}"));
    }
    assert_eq!(nodes(&mut second, 13), searched);
    second.quit();
}

/// Searches a position and returns the best move.
fn best_move(engine: &mut Engine, go: &str) -> String {
    engine.send(&format!("{MIDDLEGAME}\n{go}"));
    engine.read_to("bestmove").pop().unwrap()
}

#[test]
fn only_full_results_are_saved() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hash.bin");
    let mut first = engine(&file);
    let best = best_move(&mut first, "go depth 9");
    // Neither the best of some moves nor the errors of a level take its place.
    let other = best_move(&mut first, "go depth 12 searchmoves h2h4");
    assert_ne!(best, other);
    first.send("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 800");
    best_move(&mut first, "go depth 9");
    press(&mut first, "Save Hash");
    first.quit();
    let mut second = engine(&file);
    // A search before the table was loaded is not saved in its place either.
    best_move(&mut second, "go depth 3");
    press(&mut second, "Load Hash");
    press(&mut second, "Save Hash");
    second.quit();
    let mut third = engine(&file);
    press(&mut third, "Load Hash");
    third.send(&format!("{MIDDLEGAME}\ngo depth 9"));
    let lines = third.read_to("bestmove");
    assert_eq!(lines.last(), Some(&best));
    assert!(
        lines[0].contains("depth 9 ") && lines[0].contains(" nodes 0 "),
        "{lines:?}"
    );
    // A draw by the fifty-move rule is not a position's score with another clock.
    let clock =
        |clock| format!("position fen 6k1/8/8/8/8/3N4/3Q4/6K1 w - - {clock} 100\ngo depth 6");
    third.send(&clock(98));
    third.read_to("bestmove");
    press(&mut third, "Save Hash");
    third.quit();
    let mut fourth = engine(&file);
    press(&mut fourth, "Load Hash");
    fourth.send(&clock(0));
    let lines = fourth.read_to("bestmove");
    assert!(!lines[0].contains(" nodes 0 "), "{lines:?}");
    fourth.quit();
}

/// Returns the depth and the score of an info line.
fn depth_and_score(line: &str) -> Option<(u32, String)> {
    let (_, rest) = line.split_once("info depth ")?;
    let depth = rest.split(' ').next()?.parse().ok()?;
    let (_, rest) = line.split_once(" score ")?;
    Some((depth, rest.split(" nodes ").next()?.to_owned()))
}

#[test]
fn the_score_of_an_unfinished_iteration_is_not_saved() {
    let folder = tempfile::tempdir().unwrap();
    let mut unfinished = 0;
    for nodes in (20_000..60_000).step_by(4_000) {
        let file = folder.path().join(format!("{nodes}.bin"));
        let mut first = engine(&file);
        first.send(&format!("{MIDDLEGAME}\ngo nodes {nodes}"));
        let lines = first.read_to("bestmove");
        let mut searched: Vec<_> = lines
            .iter()
            .filter_map(|line| depth_and_score(line))
            .collect();
        press(&mut first, "Save Hash");
        first.quit();
        let mut second = engine(&file);
        press(&mut second, "Load Hash");
        second.send(&format!("{MIDDLEGAME}\ngo nodes 1"));
        let lines = second.read_to("bestmove");
        second.quit();
        // The last line repeats the last complete iteration or is that of the unfinished one.
        let last = searched.pop().unwrap();
        let complete = searched.pop().unwrap();
        assert_eq!(
            depth_and_score(&lines[0]),
            Some(complete.clone()),
            "{lines:?}"
        );
        unfinished += u32::from(last.0 > complete.0 && last.1 != complete.1);
    }
    assert!(unfinished > 0);
}

#[test]
fn a_saved_move_does_not_repeat_the_game() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hash.bin");
    let mut first = engine(&file);
    first.send("position fen r5k1/p4pp1/1p5p/8/8/1P5P/P2Q1PP1/6K1 w - - 0 1\ngo depth 10");
    assert_eq!(first.best_move(), "d2d7");
    press(&mut first, "Save Hash");
    first.quit();
    let mut second = engine(&file);
    press(&mut second, "Load Hash");
    let mut lines_after = |game: &str| {
        second.send(&format!("position fen {game}\ngo depth 8"));
        second.read_to("bestmove")
    };
    let lines = lines_after("r6k/p4pp1/1p5p/8/8/1P5P/P2Q1PP1/6K1 b - - 0 1 moves h8g8");
    assert!(lines[0].contains(" nodes 0 "), "{lines:?}");
    // The table does not know what the root's second occurrence is worth.
    let there_and_back = "g1h1 g8h8 h1g1 h8g8";
    let lines = lines_after(&format!(
        "r5k1/p4pp1/1p5p/8/8/1P5P/P2Q1PP1/6K1 w - - 0 1 moves {there_and_back}"
    ));
    assert!(!lines[0].contains(" nodes 0 "), "{lines:?}");
    // Qd7 would be its second occurrence, and then the third.
    let game = "r5k1/p2Q1pp1/1p5p/8/8/1P5P/P4PP1/6K1 b - - 0 1 moves g8h7 d7d2 h7g8";
    let lines = lines_after(game);
    assert!(!lines[0].contains(" nodes 0 "), "{lines:?}");
    let lines = lines_after(&format!("{game} d2d7 g8h7 d7d2 h7g8"));
    assert!(!lines[0].contains(" nodes 0 "), "{lines:?}");
    let last = lines.last().expect("the move");
    assert!(!last.starts_with("bestmove d2d7"), "{lines:?}");
    second.quit();
}

#[test]
fn a_score_that_comes_from_repetitions_is_not_saved() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hash.bin");
    let mut first = engine(&file);
    // Black, who is a queen down, repeats the position for the third time.
    let shuffle = "e2d2 g8f8 d2e2 f8g8 e2d2 g8f8 d2e2";
    first.send(&format!(
        "position fen 6k1/5ppp/8/8/8/8/4QPPP/6K1 w - - 0 1 moves {shuffle}\ngo depth 10"
    ));
    assert_eq!(first.best_move(), "f8g8");
    press(&mut first, "Save Hash");
    first.quit();
    let mut second = engine(&file);
    press(&mut second, "Load Hash");
    second.send("position fen 5k2/5ppp/8/8/8/8/4QPPP/6K1 b - - 0 1\ngo depth 10");
    let lines = second.read_to("bestmove");
    assert!(!lines[0].contains(" nodes 0 "), "{lines:?}");
    second.quit();
}

#[test]
fn mates_several_lines_and_searches_for_a_mate_are_not_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hash.bin");
    let mate = "position fen 7k/8/5K2/8/8/8/8/R7 w - - 0 1";
    let mut first = engine(&file);
    for position in [mate, MIDDLEGAME] {
        first.send(&format!("{position}\ngo depth 8"));
        first.best_move();
    }
    press(&mut first, "Save Hash");
    first.quit();
    let mut second = engine(&file);
    press(&mut second, "Load Hash");
    for (position, go, is_resumed) in [
        (MIDDLEGAME, "go depth 8", true),
        (MIDDLEGAME, "go mate 2 depth 8", false),
        (mate, "go depth 8", false),
    ] {
        second.send(&format!("{position}\n{go}"));
        let lines = second.read_to("bestmove");
        assert_eq!(lines[0].contains(" nodes 0 "), is_resumed, "{lines:?}");
    }
    second.send(&format!(
        "setoption name MultiPV value 2\n{MIDDLEGAME}\ngo depth 8"
    ));
    let lines = second.read_to("bestmove");
    assert!(!lines[0].contains(" nodes 0 "), "{lines:?}");
    second.quit();
}

/// With nodes for milliseconds, the search that the clock allows is the same on every machine.
#[test]
fn a_resumed_search_takes_no_more_time() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hash.bin");
    let mut first = engine(&file);
    nodes(&mut first, 14);
    press(&mut first, "Save Hash");
    first.quit();
    let mut second = engine(&file);
    second.send("setoption name nodestime value 100");
    let clock = "go wtime 3000 btime 3000";
    let plain = nodes_of(&mut second, clock);
    press(&mut second, "Load Hash");
    let resumed = nodes_of(&mut second, clock);
    assert!(resumed < 2 * plain, "{resumed} nodes instead of {plain}");
    second.quit();
}

#[test]
#[cfg(unix)]
fn a_named_pipe_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&file).status();
    assert!(made.unwrap().success());
    let mut engine = engine(&file);
    for name in ["Save Hash", "Load Hash"] {
        let message = press(&mut engine, name);
        assert!(message.contains("not a file"), "{message}");
    }
    engine.quit();
}

#[test]
fn files_that_cannot_be_used_are_refused_and_the_table_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hash.bin");
    let mut engine = engine(Path::new("<empty>"));
    for name in ["Save Hash", "Load Hash"] {
        let message = press(&mut engine, name);
        assert!(message.contains("error: option") && message.contains("set HashFile first"));
    }
    engine.send(&format!("setoption name HashFile value {}", file.display()));
    press(&mut engine, "Save Hash");
    let empty = fs::read(&file).unwrap();
    // An engine that loads nothing tells how many nodes the table saves.
    let mut other = Engine::new();
    assert_eq!(nodes(&mut engine, 10), nodes(&mut other, 10));
    let mut damaged = empty.clone();
    damaged[1_000_000] ^= 4;
    for (bytes, reason) in [
        (&b"\x7fELF and so on"[..], "not a saved hash table"),
        (&empty[..empty.len() / 2], "incomplete"),
        (&damaged, "damaged"),
    ] {
        fs::write(&file, bytes).unwrap();
        let message = press(&mut engine, "Load Hash");
        assert!(message.contains(reason), "{message}");
        assert!(message.ends_with("keeping the old table"), "{message}");
        assert_eq!(nodes(&mut engine, 10), nodes(&mut other, 10));
    }
    fs::write(&file, &empty).unwrap();
    engine.send("setoption name EvalFile value hand-written");
    let message = press(&mut engine, "Load Hash");
    assert!(message.contains("another evaluation"), "{message}");
    let nowhere = folder.path().join("nowhere/hash.bin");
    engine.send(&format!(
        "setoption name HashFile value {}",
        nowhere.display()
    ));
    for name in ["Save Hash", "Load Hash"] {
        let message = press(&mut engine, name);
        assert!(
            message.starts_with(&format!("info string error: option {name}: ")),
            "{message}"
        );
    }
    engine.quit();
}

#[test]
#[cfg(unix)]
fn killed_while_saving_leaves_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hash.bin");
    let mut first = engine(&file);
    nodes(&mut first, 6);
    press(&mut first, "Save Hash");
    let old = fs::read(&file).unwrap();
    first.send("setoption name Hash value 256\nsetoption name Save Hash");
    let is_being_written = || {
        let mut entries = fs::read_dir(folder.path()).unwrap().map(Result::unwrap);
        entries.any(|entry| {
            let is_temporary = entry.file_name().to_string_lossy().starts_with(".quevedo-");
            is_temporary && entry.metadata().is_ok_and(|found| found.len() > 1 << 20)
        })
    };
    let end = std::time::Instant::now() + PATIENCE;
    while !is_being_written() {
        let length = fs::metadata(&file).unwrap().len();
        assert_eq!(length, old.len() as u64, "too late to kill it");
        assert!(std::time::Instant::now() < end, "nothing is written");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    first.signal(Signal::SIGKILL);
    assert!(!first.wait().success());
    assert!(fs::read(&file).unwrap() == old);
    let mut second = engine(&file);
    let message = press(&mut second, "Load Hash");
    assert!(
        message.starts_with("info string loaded a hash table of 16 MiB"),
        "{message}"
    );
    second.quit();
}

#[test]
fn a_file_of_another_kind_is_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.pgn");
    fs::write(&file, "1. e4 e5 *\n").unwrap();
    let mut engine = engine(&file);
    let message = press(&mut engine, "Save Hash");
    assert!(
        message.contains("a file of another kind, which is not replaced"),
        "{message}"
    );
    assert_eq!(fs::read_to_string(&file).unwrap(), "1. e4 e5 *\n");
    // An empty file and a table are.
    fs::write(&file, "").unwrap();
    for _ in 0..2 {
        let message = press(&mut engine, "Save Hash");
        assert!(message.contains("saved the hash table"), "{message}");
    }
    engine.quit();
}
