//! Tests of interrupted self-play.

#![cfg_attr(not(unix), allow(dead_code))]

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::harness::{PATIENCE, command, temporary_directory};
#[cfg(unix)]
use crate::harness::{Signal, send_signal};

fn start(path: &Path) -> Child {
    command()
        .args("datagen --positions 1000000 --nodes 50 --exit-nodes 50 --threads 2 --out".split(' '))
        .arg(path)
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts")
}

fn length(path: &Path) -> u64 {
    path.metadata().map_or(0, |metadata| metadata.len())
}

/// Waits until the file has grown.
fn wait_for_games(path: &Path, before: u64) {
    let end = Instant::now() + PATIENCE;
    while length(path) < before + 2_000 {
        assert!(Instant::now() < end, "no games");
        thread::sleep(Duration::from_millis(2));
    }
}

fn verify(path: &Path) -> String {
    let output = command()
        .args(["datagen", "verify"])
        .arg(path)
        .output()
        .expect("the program starts");
    let text = String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).into_owned();
    assert!(output.status.success(), "{text}");
    text
}

/// Kills a run repeatedly. All games but the last one stay as they were.
#[cfg(unix)]
fn kill(times: u64) {
    let directory = temporary_directory(&format!("kill-{times}"));
    let path = directory.path().join("data");
    let mut before: Vec<u8> = Vec::new();
    for number in 0..times {
        let mut child = start(&path);
        wait_for_games(&path, before.len() as u64);
        // Any moment will do.
        thread::sleep(Duration::from_micros(number * 7_919 % 50_000));
        child.kill().expect("the process is ours");
        child.wait().expect("the process is ours");
        let after = fs::read(&path).expect("the file is there");
        // The last kill may have left the beginning of one game.
        let whole = after
            .iter()
            .zip(&before)
            .take_while(|(new, old)| new == old)
            .count();
        assert!(before.len() - whole < 32 + 401 * 4, "games are lost");
        before = after;
    }
    end_with_a_signal(&path, Signal::SIGTERM);
    verify(&path);
}

/// Starts a run and ends it with a signal.
#[cfg(unix)]
fn end_with_a_signal(path: &Path, signal: Signal) {
    let mut child = start(path);
    wait_for_games(path, length(path));
    send_signal(&child, signal);
    // A run that does not end is killed after a while, which its status shows.
    let end = Instant::now() + PATIENCE;
    while Instant::now() < end && matches!(child.try_wait(), Ok(None)) {
        thread::sleep(Duration::from_millis(5));
    }
    let _ = child.kill();
    let status = child.wait().expect("the process is ours");
    assert_eq!(status.code(), Some(130), "after {signal}: {status}");
}

#[test]
#[cfg(unix)]
fn signals_end_a_run_in_order() {
    let directory = temporary_directory("signals");
    let path = directory.path().join("data");
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        end_with_a_signal(&path, signal);
        verify(&path);
    }
}

#[test]
#[cfg(unix)]
fn a_run_survives_being_killed() {
    kill(2);
}

#[test]
#[cfg(unix)]
#[ignore = "takes a minute"]
fn a_run_survives_being_killed_twenty_times_slow() {
    kill(20);
}

#[test]
fn faults_are_told_with_their_place() {
    let directory = temporary_directory("faults");
    let path = directory.path().join("data");
    let game = [[1_u8; 36].as_slice(), &[0; 4]].concat();
    fs::write(&path, game).expect("a temporary file");
    let output = command()
        .args(["datagen", "verify"])
        .arg(&path)
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.contains("byte 0: "), "{text}");
}

#[test]
fn openings_for_other_programs() {
    let output = command()
        .args(["genfens 3 seed 42 book None", "quit"])
        .output()
        .expect("the program starts");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    let fens: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("info string genfens "))
        .collect();
    assert_eq!(fens.len(), 3, "{text}");
    assert!(fens.iter().all(|fen| fen.split(' ').count() == 6));
}

#[test]
#[cfg(unix)]
fn an_interrupted_merge_leaves_nothing() {
    use std::process::Command;

    let directory = temporary_directory("interrupted-merge");
    let [pipe, out] = ["pipe", "out"].map(|name| directory.path().join(name));
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo starts").success());
    let mut child = command()
        .args(["datagen", "merge", "--out"])
        .args([&out, &pipe])
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let files = || {
        let entries = fs::read_dir(directory.path()).expect("the directory is there");
        entries.count()
    };
    // It waits for games that do not come.
    let end = Instant::now() + PATIENCE;
    while files() < 2 {
        assert!(Instant::now() < end, "no output was begun");
        thread::sleep(Duration::from_millis(2));
    }
    send_signal(&child, Signal::SIGINT);
    let status = child.wait().expect("the process is ours");
    assert_eq!(status.code(), Some(130));
    assert_eq!(files(), 1, "only the pipe");
}
