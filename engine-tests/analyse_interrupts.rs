//! Runs of `analyse` that are killed or interrupted, and continued.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::harness::{PATIENCE, Signal, command, send_signal, temporary_directory};

/// A process that ends with the test, however that ends.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts `analyse` in a directory.
fn start(directory: &TempDir, arguments: &[&str]) -> Running {
    let child = command()
        .arg("analyse")
        .args(arguments)
        .current_dir(directory.path())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    Running(child)
}

/// Waits for the end of a process, and returns its exit code and its messages.
fn finish(mut running: Running) -> (Option<i32>, String) {
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end && matches!(running.0.try_wait(), Ok(None)) {
        thread::sleep(Duration::from_millis(5));
    }
    let _ = running.0.kill();
    let status = running.0.wait().expect("the process is ours");
    let mut errors = String::new();
    let stderr = running.0.stderr.as_mut().expect("piped");
    stderr.read_to_string(&mut errors).expect("UTF-8");
    (status.code(), errors)
}

/// Waits until a file has this many lines.
fn wait_for_lines(path: &Path, lines: usize) {
    let end = Instant::now() + PATIENCE;
    while lines_of(path) < lines {
        assert!(Instant::now() < end, "{}", path.display());
        thread::sleep(Duration::from_millis(2));
    }
}

fn lines_of(path: &Path) -> usize {
    fs::read_to_string(path).map_or(0, |text| text.lines().count())
}

/// An engine that writes down each search.
fn counted_engine(directory: &TempDir) -> String {
    let engine = env!("CARGO_BIN_EXE_quevedo");
    let script = format!(
        "while read -r line; do\n\
         case \"$line\" in go*) echo \"$line\" >> searches;; esac\n\
         echo \"$line\"\ndone | '{engine}'\n"
    );
    fs::write(directory.path().join("engine.sh"), script).expect("a temporary file");
    "sh engine.sh".to_owned()
}

/// A long game and three short ones, 54 positions to search, and an engine.
const LONG: &str = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O 9. h3 Nb8 \
    10. d4 Nbd7 11. Nbd2 Bb7 12. Bc2 Re8 13. Nf1 Bf8 14. Ng3 g6 15. a4 c5 16. d5 c4 17. Bg5 h6 18. Be3 Nc5";

fn games() -> String {
    let mut text = format!("[Event \"long\"]\n\n{LONG} *\n\n");
    for number in 0..3 {
        text.push_str(&format!("[Event \"{number}\"]\n\n1. d4 d5 2. c4 e6 *\n\n"));
    }
    text
}

const POSITIONS: usize = 37 + 3 * 5;

#[test]
fn no_analysed_position_is_lost() {
    let directory = temporary_directory("analyse-kill");
    let path = |name: &str| directory.path().join(name);
    fs::write(path("games.pgn"), games()).expect("a temporary file");
    let engine = counted_engine(&directory);
    let arguments = [
        "games.pgn",
        "--movetime",
        "60",
        "--hash",
        "1",
        "--jobs",
        "2",
        "--out",
        "out.pgn",
        "--engine",
        &engine,
    ];
    let journal = path("out.pgn.journal");
    for signal in [Signal::SIGKILL, Signal::SIGINT] {
        let running = start(&directory, &arguments);
        // The short games wait for the long one.
        wait_for_lines(&journal, 33);
        assert!(
            !fs::read_to_string(path("out.pgn"))
                .expect("the output")
                .contains("[Event")
        );
        send_signal(&running.0, signal);
        let (code, errors) = finish(running);
        if signal == Signal::SIGINT {
            assert_eq!(code, Some(130), "{errors}");
            let advice =
                "interrupted after 0 games; the same command resumes with the next position";
            assert!(errors.contains(advice), "{errors}");
        }
        let kept = lines_of(&journal) - 1;
        let (code, errors) = finish(start(&directory, &arguments));
        assert_eq!(code, Some(0), "{errors}");
        let message = format!("out.pgn: resumes after 0 games and {kept} positions");
        assert!(errors.contains(&message), "{errors}");
        assert!(
            errors.contains(&format!("4 games, {POSITIONS} positions analysed")),
            "{errors}"
        );
        // At most the position that each job was at is searched twice.
        let searches = lines_of(&path("searches"));
        assert!(
            (POSITIONS..=POSITIONS + 2).contains(&searches),
            "{searches}"
        );
        assert!(!journal.exists());
        let text = fs::read_to_string(path("out.pgn")).expect("the output");
        assert_eq!(text.matches("[Event ").count(), 4);
        assert!(text.matches("[%eval ").count() >= POSITIONS - 4);
        for name in ["out.pgn", "searches"] {
            fs::remove_file(path(name)).expect("the file");
        }
    }
}

#[test]
fn no_position_of_a_list_is_lost() {
    let directory = temporary_directory("analyse-kill-fens");
    let path = |name: &str| directory.path().join(name);
    let list = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3\n".repeat(30);
    fs::write(path("list.txt"), list).expect("a temporary file");
    let engine = counted_engine(&directory);
    let arguments = [
        "list.txt",
        "--fens",
        "--movetime",
        "60",
        "--jobs",
        "2",
        "--out",
        "out.csv",
        "--engine",
        &engine,
    ];
    let journal = path("out.csv.journal");
    let running = start(&directory, &arguments);
    wait_for_lines(&journal, 10);
    drop(running);
    let kept = lines_of(&journal) - 1;
    let (code, errors) = finish(start(&directory, &arguments));
    assert_eq!(code, Some(0), "{errors}");
    assert!(
        errors.contains(&format!("resumes after {kept} positions")),
        "{errors}"
    );
    let searches = lines_of(&path("searches"));
    assert!((30..=32).contains(&searches), "{searches}");
    assert_eq!(lines_of(&path("out.csv")), 31);
    assert!(!journal.exists());
}

#[test]
fn an_interrupt_leaves_whole_games() {
    let text = (0..5_000)
        .map(|number| format!("[Event \"{number}\"]\n\n1. d4 d5 2. c4 e6 *\n\n"))
        .collect::<String>();
    let directory = temporary_directory("analyse-interrupt");
    fs::write(directory.path().join("games.pgn"), text).expect("a temporary file");
    let out = directory.path().join("out.pgn");
    let arguments = "games.pgn --nodes 100 --jobs 2 --hash 1 --out out.pgn";
    let running = start(&directory, &arguments.split(' ').collect::<Vec<_>>());
    wait_for_lines(&out, 20);
    send_signal(&running.0, Signal::SIGINT);
    let (code, errors) = finish(running);
    assert_eq!(code, Some(130), "{errors}");
    let advice = " games; the same command resumes with the next position";
    assert!(errors.contains("interrupted after "), "{errors}");
    assert!(errors.contains(advice), "{errors}");
    let written = fs::read_to_string(&out).expect("UTF-8");
    assert!(written.ends_with(" *\n\n"));
    assert_eq!(
        written.matches("[Event ").count(),
        written.matches(" *\n\n").count()
    );
}

#[test]
fn redone_games_are_those_of_an_uninterrupted_run() {
    let directory = temporary_directory("analyse-redo");
    let path = |name: &str| directory.path().join(name);
    fs::write(path("games.pgn"), games()).expect("a temporary file");
    let arguments = |out: &'static str| {
        let text = "games.pgn --nodes 6000 --hash 1 --jobs 1 --out";
        text.split(' ').chain([out]).collect::<Vec<_>>()
    };
    let (code, errors) = finish(start(&directory, &arguments("whole.pgn")));
    assert_eq!(code, Some(0), "{errors}");
    let running = start(&directory, &arguments("out.pgn"));
    wait_for_lines(&path("out.pgn.journal"), 10);
    drop(running);
    let resumed = [&arguments("out.pgn")[..], &["--redo-unfinished"]].concat();
    let (code, errors) = finish(start(&directory, &resumed));
    assert_eq!(code, Some(0), "{errors}");
    assert!(
        errors.contains("game 1, analysed again from the start"),
        "{errors}"
    );
    let read = |name: &str| fs::read_to_string(path(name)).expect("an output");
    assert_eq!(read("out.pgn"), read("whole.pgn"));
    assert!(!path("out.pgn.journal").exists());
}
