//! Tests of `quevedo epd` with other engines, some of which fail, and of interrupted runs. The
//! engines are short shell scripts.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::epd::{directory, epd, json, stderr, stdout, suite};
use crate::harness::{command, temporary_directory};

/// The shell commands of an engine that answers `go` as it should.
const ANSWER: &str = "echo 'info depth 3 score cp 20 nodes 7 pv e2e4'; echo 'bestmove e2e4'";

/// Writes a shell script that acts as an engine and runs a command on `go`.
fn fake(directory: &TempDir, name: &str, go: &str) -> String {
    let script = format!(
        "while read -r line; do case \"$line\" in\n\
         uci) echo 'id name {name}'; echo 'option name Hash type spin default 1 min 1 max 9'; echo uciok;;\n\
         isready) echo readyok;;\ngo*) {go};;\nstop) if [ \"$late\" ]; then late=; {ANSWER}; fi;;\nquit) exit 0;;\nesac; done\n"
    );
    let file = format!("{name}.sh");
    fs::write(directory.path().join(&file), script).expect("a temporary file");
    format!("sh {file}")
}

/// Returns the results of an engine on both positions of the suite.
fn results(report: &Value, engine: usize) -> Vec<(bool, String)> {
    let positions = report["positions"].as_array().expect("positions").iter();
    positions
        .map(|position| {
            let attempt = &position["attempts"][engine];
            let fault = attempt["fault"].as_str().unwrap_or_default().to_owned();
            (attempt["solved"] == true, fault)
        })
        .collect()
}

#[test]
fn engines_that_fail_are_reported_and_the_run_ends_well() {
    let directory = directory("epd-faults");
    let engines = [
        ("good", ANSWER.to_owned(), ""),
        ("exits", "exit 3".to_owned(), "it ended: exit status: 3"),
        (
            "hangs",
            "sleep 100".to_owned(),
            "no answer in 3 s, nor after stop",
        ),
        (
            "rubbish",
            "printf 'frob \\377\\n'; echo 'bestmove frob'".to_owned(),
            "bestmove: not a move: \"frob\"",
        ),
        (
            "illegal",
            "echo 'bestmove e2e5'".to_owned(),
            "bestmove: illegal move: \"e2e5\"",
        ),
        (
            "lies",
            format!("echo 'info depth 9 pv e2e5'; {ANSWER}"),
            "sent a pv that begins with \"e2e5\"",
        ),
        (
            "late",
            "late=1".to_owned(),
            "no answer in 3 s, only after stop",
        ),
        (
            "floods",
            "while :; do echo 'info nodes 1'; done".to_owned(),
            "no answer in 3 s, nor after stop",
        ),
    ];
    let mut arguments: Vec<String> = [
        "suite.epd",
        "--nodes",
        "9",
        "--timeout",
        "3",
        "--jobs",
        "8",
        "--json",
        "a.json",
    ]
    .map(str::to_owned)
    .to_vec();
    for (name, go, _) in &engines {
        arguments.extend(["--engine".to_owned(), fake(&directory, name, go)]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let output = epd(&directory, &arguments);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let report = json(&directory.path().join("a.json"));
    for (number, (name, _, fault)) in engines.iter().enumerate() {
        assert_eq!(report["engines"][number]["name"], *name);
        let answers = matches!(*name, "good" | "lies" | "late");
        for (solved, found) in results(&report, number) {
            assert_eq!((solved, found.as_str()), (answers, *fault), "{name}");
        }
        let faults = report["engines"][number]["faults"].as_array().map(Vec::len);
        assert_eq!(faults, Some(if fault.is_empty() { 0 } else { 2 }), "{name}");
    }
    let text = stdout(&output);
    assert!(text.contains("failed second [illegal]: played nothing, best e4 or d4, 0 of 10 points; fault: bestmove"), "{text}");
    let good = text.lines().find(|line| line.starts_with("good"));
    let cells: Vec<&str> = good.expect("a row").split_whitespace().take(5).collect();
    assert_eq!(cells, ["good", "2", "2", "100.0", "%"], "{text}");
}

#[test]
fn an_engine_that_never_works_is_given_up() {
    let directory = temporary_directory("epd-given-up");
    fs::write(directory.path().join("mute.sh"), "exit 7\n").expect("a temporary file");
    let output = epd(
        &directory,
        &[
            &suite("short-mates.epd"),
            "--engine",
            "sh mute.sh",
            "--jobs",
            "1",
            "--json",
            "a.json",
        ],
    );
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let report = json(&directory.path().join("a.json"));
    let results = results(&report, 0);
    assert_eq!(results.len(), 78);
    let given_up = results
        .iter()
        .filter(|(_, fault)| fault.starts_with("not used again"));
    assert_eq!(given_up.count(), 73);
}

#[test]
fn a_signal_ends_with_a_summary() {
    use std::io::{BufRead as _, BufReader, Read as _};
    use std::process::Stdio;

    use crate::harness::{Signal, send_signal};
    let directory = temporary_directory("epd-signal");
    let mut child = command()
        .args([
            "epd",
            &suite("mates.epd"),
            "--nodes",
            "300",
            "--jobs",
            "2",
            "--json",
            "a.json",
        ])
        .args(["--engine", "builtin", "--engine", "sleep 1000"])
        .current_dir(directory.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    // The first line says that positions are being solved; the second engine never answers.
    let mut lines = BufReader::new(child.stdout.take().expect("piped"));
    let mut text = String::new();
    lines.read_line(&mut text).expect("a line");
    send_signal(&child, Signal::SIGINT);
    lines.read_to_string(&mut text).expect("text");
    let status = child.wait().expect("the process is ours");
    assert_eq!(status.code(), Some(130), "{text}");
    assert!(
        text.contains("interrupted") && text.contains("with preparation"),
        "{text}"
    );
    assert_eq!(json(&directory.path().join("a.json"))["interrupted"], true);
}

#[test]
fn an_interrupted_part_that_has_all_positions_is_complete() {
    let directory = temporary_directory("epd-merge-interrupted");
    let run = [
        "short.epd",
        "--nodes",
        "300",
        "--quiet",
        "--json",
        "whole.json",
    ];
    let text = fs::read_to_string(suite("short-mates.epd")).expect("a suite");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let lines: Vec<&str> = lines.take(3).collect();
    fs::write(directory.path().join("short.epd"), lines.join("\n")).expect("a temporary file");
    epd(&directory, &run);
    let mut report = json(&directory.path().join("whole.json"));
    report["interrupted"] = true.into();
    let merge = |report: &Value| {
        let path = directory.path().join("part.json");
        fs::write(path, report.to_string()).expect("a temporary file");
        let output = epd(&directory, &["merge", "part.json", "--quiet"]);
        (output.status.code(), stderr(&output))
    };
    assert_eq!(merge(&report), (Some(0), String::new()));
    // The engine has not searched the second position.
    report["positions"][1]["attempts"][0] = Value::Null;
    let (code, errors) = merge(&report);
    assert_eq!(code, Some(3), "{errors}");
    let missing = "1 position of 3 missing, the first is position 2 of the suite";
    assert!(errors.contains(missing), "{errors}");
}
