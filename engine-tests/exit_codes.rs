//! The exit codes of all commands, a row for each case.

use std::fs;
use std::process::Stdio;
#[cfg(target_os = "linux")]
use std::{
    process::Command,
    thread,
    time::{Duration, Instant},
};

use tempfile::TempDir;

#[cfg(target_os = "linux")]
use crate::harness::{MOMENT, PATIENCE, Signal, send_signal};
use crate::harness::{command, temporary_directory};

const DONE: i32 = 0;
const FAILED: i32 = 1;
const UNUSABLE: i32 = 2;
const INCOMPLETE: i32 = 3;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

/// Writes the files that the commands of the table read.
fn files(name: &str) -> TempDir {
    let directory = temporary_directory(name);
    let write = |name: &str, text: &str| {
        fs::write(directory.path().join(name), text).expect("a temporary file");
    };
    let solved = format!("{START} c0 \"e4=1\"; id \"points\";\n");
    write("good.epd", &solved.repeat(2));
    write("bad-line.epd", &format!("{solved}nonsense\n"));
    write("hard.epd", &format!("{START} bm a3; id \"not a3\";\n"));
    write("good.pgn", "[Event \"a\"]\n\n1. e4 e5 *\n");
    write("bad-move.pgn", "[Event \"a\"]\n\n1. e4 e6 2. Ke8 *\n");
    write("fens.txt", &format!("{START} 0 1\n"));
    write("bad-fens.txt", &format!("{START} 0 1\nnonsense\n"));
    write("random.bin", &"nonsense ".repeat(5));
    write("damaged.vf", &("nonsense ".repeat(4) + "\0\0\0\0"));
    write("empty.vf", "");
    write("good.tree", "max(3 4)");
    write("bad.tree", "max(3");
    write("positions.txt", &format!("{START} 0 1;0.5;10\nnonsense\n"));
    write("games.zip", "PK\x03\x04nonsense");
    write("prose.pgn", "Dear reader,\nthis is prose.\n");
    write(
        "part.pgn",
        "This is prose.\n\n[Event \"a\"]\n\n1. e4 e5 1-0\n",
    );
    // The second game is forfeited, which is no fault of the file.
    write(
        "scored.pgn",
        "[Event \"a\"]\n\n1. e4 {+0.30/12} e5 {+0.10/11} 1-0\n\n\
         [Event \"b\"]\n[Termination \"illegal move\"]\n\n1. e4 {+0.30/12} Ke5 1-0\n",
    );
    write("prose.epd", "Dear reader,\nthis is prose.\n");
    write("lines.tsv", "eco\tname\tpgn\nA00\tx\t1. e4 e5\n");
    directory
}

fn code(directory: &TempDir, arguments: &str) -> (Option<i32>, String) {
    let output = command()
        .args(arguments.split_whitespace())
        .current_dir(directory.path())
        .stdin(Stdio::null())
        .output()
        .expect("the program starts");
    let said = [output.stdout, output.stderr].concat();
    (
        output.status.code(),
        String::from_utf8_lossy(&said).into_owned(),
    )
}

/// The commands and their exit codes, in the order in which they run.
const TABLE: &[(&str, i32)] = &[
    // All is done.
    ("--version", DONE),
    ("help epd", DONE),
    ("bench 1", DONE),
    ("perft 2", DONE),
    ("eval", DONE),
    ("isready", DONE),
    ("epd good.epd --depth 1 --json whole.json", DONE),
    ("epd good.epd --depth 1 --shard 1/2 --json half.json", DONE),
    ("epd merge whole.json", DONE),
    ("epd good.epd --depth 1 --json -", DONE),
    ("epd merge whole.json --html -", DONE),
    ("epd normalize good.epd", DONE),
    ("analyse good.pgn --depth 1", DONE),
    ("analyse good.pgn --depth 1 --out done.pgn", DONE),
    ("analyse good.pgn --depth 1 --out done.pgn", DONE),
    ("analyse good.pgn --depth 1 --json -", DONE),
    (
        "analyse good.pgn --depth 1 --shard 1/1 --out whole.pgn",
        DONE,
    ),
    ("analyse merge whole.pgn --html -", DONE),
    ("analyse merge whole.pgn --out merged.pgn", DONE),
    ("analyse merge whole.pgn --out merged.pgn --overwrite", DONE),
    ("analyse fens.txt --fens --depth 1", DONE),
    ("book build lines.tsv --out new.bin", DONE),
    ("book verify new.bin", DONE),
    ("book probe", DONE),
    (
        "datagen --games 1 --positions 9 --nodes 9 --threads 1 --out games.vf",
        DONE,
    ),
    ("datagen info games.vf", DONE),
    ("datagen verify games.vf", DONE),
    ("lab solve --tree good.tree", DONE),
    ("lab compare --tree good.tree", DONE),
    // A check that fails.
    ("epd hard.epd --depth 1 --require 1", FAILED),
    ("epd bad-line.epd --depth 1 --require 2", FAILED),
    ("epd merge half.json --require 2", FAILED),
    ("datagen verify damaged.vf", FAILED),
    ("datagen merge games.vf damaged.vf --out x.vf", FAILED),
    ("datagen shuffle games.vf damaged.vf --out x.vf", FAILED),
    // Arguments.
    ("--frobnicate", UNUSABLE),
    ("frobnicate", UNUSABLE),
    ("isready position", UNUSABLE),
    ("epd good.epd --depth 1 --json good.epd", UNUSABLE),
    ("bench x", UNUSABLE),
    ("perft 2 --fen x", UNUSABLE),
    ("eval --fen x", UNUSABLE),
    ("epd", UNUSABLE),
    ("epd good.epd --engine no-such-engine", UNUSABLE),
    ("epd good.epd --option Frob=1", UNUSABLE),
    (
        "epd good.epd --depth 1 --json no/such/folder.json",
        UNUSABLE,
    ),
    ("analyse good.pgn --engine no-such-engine", UNUSABLE),
    (
        "analyse good.pgn --engine builtin --engine builtin",
        UNUSABLE,
    ),
    ("analyse good.pgn --out good.pgn", UNUSABLE),
    ("book build lines.tsv --out lines.tsv", UNUSABLE),
    ("book leaves new.bin --epd new.bin", UNUSABLE),
    ("book leaves new.bin --pgn ./new.bin", UNUSABLE),
    ("book verify new.bin", DONE),
    ("fit weights positions.txt --write=positions.txt", UNUSABLE),
    ("fit wdl games.vf --write=games.vf", UNUSABLE),
    (
        "book eval new.bin --out x.bin --scores x.bin --nodes 1",
        UNUSABLE,
    ),
    ("datagen label games.vf --neighbours 101", UNUSABLE),
    ("lab page --tree good.tree --out good.tree", UNUSABLE),
    ("lab tree --tree good.tree --svg good.tree", UNUSABLE),
    (
        "lab --lang es tree --tree good.tree --svg good.tree",
        UNUSABLE,
    ),
    ("lab solve --tree good.tree", DONE),
    ("epd merge whole.json --html whole.json", UNUSABLE),
    ("epd merge whole.json", DONE),
    (
        "analyse good.pgn --depth 1 --jobs 4096 --hash 4096",
        UNUSABLE,
    ),
    ("analyse good.pgn --depth 1 --html - --json -", UNUSABLE),
    ("analyse good.pgn --depth 1 --out - --json -", UNUSABLE),
    ("analyse merge whole.pgn --out - --csv -", UNUSABLE),
    ("analyse merge whole.pgn --out done.pgn", UNUSABLE),
    ("epd merge whole.json whole.json", UNUSABLE),
    ("analyse bad-line.epd --depth 1", UNUSABLE),
    ("analyse prose.pgn --depth 1", UNUSABLE),
    ("fit wdl games.vf --write=-", UNUSABLE),
    ("train games.vf --out -", UNUSABLE),
    ("man -", UNUSABLE),
    ("epd good.epd --depth 1 --json - --csv -", UNUSABLE),
    ("epd merge whole.json --json - --csv -", UNUSABLE),
    ("book build good.pgn", UNUSABLE),
    ("datagen", UNUSABLE),
    ("lab solve --game frob", UNUSABLE),
    ("lab solve --game tictactoe --board x", UNUSABLE),
    ("book probe --moves e4 e4", UNUSABLE),
    ("book probe --fen x", UNUSABLE),
    // Missing files.
    ("epd missing", UNUSABLE),
    ("epd merge missing", UNUSABLE),
    ("epd normalize missing", UNUSABLE),
    ("analyse missing", UNUSABLE),
    ("analyse missing --fens", UNUSABLE),
    ("eval --eval-file missing", UNUSABLE),
    ("book build missing.pgn --out x.bin", UNUSABLE),
    ("book build missing.epd --out x.bin", UNUSABLE),
    ("book build missing.tsv --out x.bin", UNUSABLE),
    ("book eval missing --out x.bin --nodes 1", UNUSABLE),
    ("book info missing", UNUSABLE),
    ("book probe missing", UNUSABLE),
    ("book merge missing --out x.bin", UNUSABLE),
    ("book dump missing", UNUSABLE),
    ("book verify missing", UNUSABLE),
    ("book leaves missing --epd x.epd", UNUSABLE),
    ("datagen info missing", UNUSABLE),
    ("datagen verify missing", UNUSABLE),
    ("datagen shuffle missing --out x.vf", UNUSABLE),
    ("datagen merge missing --out x.vf", UNUSABLE),
    ("datagen export missing", UNUSABLE),
    ("datagen harvest missing", UNUSABLE),
    ("train missing --out x", UNUSABLE),
    ("fit weights missing", UNUSABLE),
    ("fit wdl missing", UNUSABLE),
    ("lab solve --tree missing", UNUSABLE),
    ("lab tree --tree missing", UNUSABLE),
    ("lab page --tree missing --out x.html", UNUSABLE),
    ("lab --lang es solve --tree missing", UNUSABLE),
    // Files of another kind.
    ("epd random.bin", UNUSABLE),
    ("epd merge good.epd", UNUSABLE),
    ("analyse good.epd --depth 1", UNUSABLE),
    ("analyse fens.txt --depth 1", UNUSABLE),
    ("analyse games.zip --depth 1", UNUSABLE),
    ("analyse games.zip --fens --depth 1", UNUSABLE),
    ("epd games.zip", UNUSABLE),
    ("fit weights games.zip", UNUSABLE),
    ("datagen import games.zip --out x.vf", UNUSABLE),
    ("eval --eval-file good.pgn", UNUSABLE),
    ("book verify random.bin", UNUSABLE),
    ("book info random.bin", UNUSABLE),
    ("book build prose.pgn --out x.bin", UNUSABLE),
    ("book build prose.epd --out x.bin", UNUSABLE),
    ("book build lines.tsv prose.pgn --out x.bin", UNUSABLE),
    ("datagen info good.epd", UNUSABLE),
    ("datagen verify good.pgn", UNUSABLE),
    ("datagen verify empty.vf", UNUSABLE),
    ("datagen harvest good.pgn", UNUSABLE),
    ("datagen merge good.pgn --out x.vf", UNUSABLE),
    ("datagen pack good.pgn --out x.records", UNUSABLE),
    ("datagen label good.pgn", UNUSABLE),
    ("train good.pgn --out x", UNUSABLE),
    ("fit wdl good.pgn", UNUSABLE),
    ("lab solve --tree bad.tree", UNUSABLE),
    // A part could not be done.
    ("epd bad-line.epd --depth 1", INCOMPLETE),
    ("epd normalize bad-line.epd", INCOMPLETE),
    ("epd merge half.json", INCOMPLETE),
    ("analyse bad-move.pgn --depth 1", INCOMPLETE),
    (
        "analyse bad-move.pgn --depth 1 --out faulty.pgn",
        INCOMPLETE,
    ),
    (
        "analyse bad-move.pgn --depth 1 --out faulty.pgn",
        INCOMPLETE,
    ),
    ("analyse bad-fens.txt --fens --depth 1", INCOMPLETE),
    ("fit weights positions.txt --epochs 1", INCOMPLETE),
    ("datagen info games.vf good.pgn", INCOMPLETE),
    ("datagen export games.vf good.pgn", INCOMPLETE),
    (
        "datagen merge games.vf good.pgn --out with-pgn.vf",
        INCOMPLETE,
    ),
    (
        "lab compare --game chess --depth 9 --algorithms minimax --seconds 0.01",
        INCOMPLETE,
    ),
    ("book build lines.tsv part.pgn --out part.bin", INCOMPLETE),
    ("datagen import scored.pgn --out scored.vf", DONE),
    (
        "datagen import scored.pgn part.pgn --out part.vf",
        INCOMPLETE,
    ),
    (
        "datagen import scored.pgn bad-move.pgn --out more.vf",
        INCOMPLETE,
    ),
];

#[test]
fn all_commands_end_with_the_code_of_the_table() {
    let directory = files("exit-codes");
    let mut wrong = Vec::new();
    for &(arguments, expected) in TABLE {
        let (found, said) = code(&directory, arguments);
        if found != Some(expected) || (expected != DONE && said.is_empty()) {
            wrong.push(format!("{arguments}: {found:?}, not {expected}: {said}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // No command has left a file behind that it could not make.
    for name in ["x.bin", "x.vf", "x.epd", "x.html", "x.records", "x", "-"] {
        assert!(!directory.path().join(name).exists(), "{name}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn output_that_is_lost_is_a_failure() {
    for arguments in ["help", "--version", "lab --lang es --help", "eval"] {
        let full = fs::File::create("/dev/full").expect("a full device");
        let output = command()
            .args(arguments.split(' '))
            .stdin(Stdio::null())
            .stdout(full)
            .output()
            .expect("the program starts");
        assert_eq!(output.status.code(), Some(FAILED), "{arguments}");
        assert!(!output.stderr.is_empty(), "{arguments}");
    }
}

#[test]
#[cfg(unix)]
fn engines_that_fail_leave_the_work_incomplete() {
    let directory = files("exit-codes-engines");
    // It answers the first search, and crashes at the second one.
    let script = "n=0; while read -r line; do case \"$line\" in uci) echo uciok;; isready) echo readyok;;\n\
        go*) n=$((n+1)); [ $n = 2 ] && exit 1; echo 'info depth 1 score cp 1 nodes 1 pv e2e4'; echo 'bestmove e2e4';;\n\
        quit) exit 0;; esac; done\n";
    fs::write(directory.path().join("crash.sh"), script).expect("a temporary file");
    let run = |arguments: &[&str]| {
        let engine = ["--jobs", "1", "--depth", "1", "--engine", "sh crash.sh"];
        let output = command()
            .args([arguments, &engine[..]].concat())
            .current_dir(directory.path())
            .output()
            .expect("the program starts");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), errors)
    };
    let to_file = ["analyse", "good.pgn", "--out", "done.pgn"];
    for arguments in [
        &["epd", "good.epd"][..],
        &["analyse", "good.pgn"],
        &to_file,
        // All games are done, but not all positions.
        &to_file,
    ] {
        let (found, errors) = run(arguments);
        assert_eq!(found, Some(INCOMPLETE), "{arguments:?}: {errors}");
    }
}

/// Commands that take longer than anyone can wait for.
#[cfg(target_os = "linux")]
const LONG: &[&str] = &[
    "bench 99",
    "perft 30",
    "perft 30 --threads 1",
    "book eval book.bin --out x.bin --nodes 1000000000000",
    "book leaves book.bin --nodes 1000000000000",
    "epd hard.epd --nodes 1000000000000",
    "analyse good.pgn --nodes 1000000000000",
    "datagen label games.vf --depth 99",
    "train games.vf --out trained --hidden 64",
    "fit weights games.txt --epochs 1000000 --patience 1000000",
    "lab solve --game random --branching 30 --levels 30",
    "go infinite",
];

/// Waits until a process handles SIGINT and SIGTERM.
#[cfg(target_os = "linux")]
fn wait_for_signal_handler(process: u32) {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end && !handles_signals(process) {
        thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(target_os = "linux")]
fn handles_signals(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let mask = status
        .lines()
        .find_map(|line| line.strip_prefix("SigCgt:"))
        .and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok())
        .unwrap_or_default();
    [2, 15].iter().all(|signal| mask >> (signal - 1) & 1 == 1)
}

#[test]
#[cfg(target_os = "linux")]
fn signals_end_all_commands_with_their_code() {
    let directory = files("exit-codes-signals");
    let play = "datagen --games 4 --positions 9999 --nodes 50 --exit-nodes 50 --out games.vf";
    for arguments in [
        "book build lines.tsv --out book.bin",
        play,
        "datagen export games.vf --out games.txt",
    ] {
        let (found, said) = code(&directory, arguments);
        assert_eq!(found, Some(DONE), "{said}");
    }
    for arguments in LONG {
        for signal in [Signal::SIGINT, Signal::SIGTERM] {
            let mut running = command()
                .args(arguments.split(' '))
                .current_dir(directory.path())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("the program starts");
            wait_for_signal_handler(running.id());
            send_signal(&running, signal);
            let end = Instant::now() + PATIENCE;
            while Instant::now() < end && matches!(running.try_wait(), Ok(None)) {
                thread::sleep(Duration::from_millis(5));
            }
            let _ = running.kill();
            let status = running.wait().expect("the process is ours");
            assert_eq!(status.code(), Some(130), "{arguments} {signal}: {status}");
            // The network that training has begun.
            let _ = fs::remove_dir_all(directory.path().join("trained"));
        }
    }
    assert!(!directory.path().join("x.bin").exists());
}

/// `nohup` starts a program with SIGHUP ignored.
#[test]
#[cfg(target_os = "linux")]
fn under_nohup_a_run_survives_a_hangup() {
    let program = command();
    let mut running = Command::new("sh")
        .args(["-c", "trap '' HUP; exec \"$0\" perft 30"])
        .arg(program.get_program())
        .stdout(Stdio::null())
        .spawn()
        .expect("a shell");
    wait_for_signal_handler(running.id());
    thread::sleep(MOMENT);
    send_signal(&running, Signal::SIGHUP);
    thread::sleep(MOMENT);
    let ended = running.try_wait().expect("the process is ours");
    assert!(ended.is_none(), "{ended:?}");
    send_signal(&running, Signal::SIGINT);
    let status = running.wait().expect("the process is ours");
    assert_eq!(status.code(), Some(130), "{status}");
}

#[test]
fn a_mistyped_command_is_told_the_right_one() {
    for arguments in [&["anaylse", "games.pgn"][..], &["anaylse"]] {
        let output = command()
            .args(arguments)
            .output()
            .expect("the program starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(UNUSABLE), "{errors}");
        assert!(errors.contains("'analyse'"), "{errors}");
        assert!(output.stdout.is_empty());
    }
    // What is like no command is a line of UCI.
    let output = command().args(["frob", "go depth 1"]).output();
    let output = output.expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("unknown command \"frob\"") && text.contains("bestmove"),
        "{text}"
    );
}

#[test]
fn bench_as_a_line_has_the_network_of_the_session() {
    let nodes = |arguments: &[&str]| {
        let output = command()
            .args(arguments)
            .output()
            .expect("the program starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let last = text.lines().last().expect("a line").to_owned();
        last.split(' ').next().expect("a number").to_owned()
    };
    let option = "setoption name EvalFile value hand-written";
    let expected = nodes(&["bench", "4", "--eval-file", "hand-written"]);
    assert_eq!(nodes(&[option, "bench 4"]), expected);
    assert_ne!(nodes(&["bench 4"]), expected);
}

#[test]
fn values_that_make_no_sense_are_refused() {
    for arguments in [
        "bench 0",
        "bench 999",
        "bench 1 --threads 0",
        "bench 1 --hash 0",
        "datagen --positions 1 --out x --threads 0",
        "book merge a.bin --out -",
        "datagen merge a.vf --out -",
        "lab exercise --algorithm negamax",
    ] {
        let output = command().args(arguments.split(' ')).output();
        let output = output.expect("the program starts");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments}: {errors}");
        assert!(errors.contains("invalid value"), "{arguments}: {errors}");
    }
}
