//! Suites: what is read, how engines are compared, and what happens to engines that fail.

use std::fs;
use std::path::Path;
use std::process::{Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::harness::{command, temporary_directory};

const SUITE: &str = "\u{feff}# two positions, and three lines of another kind\r\n\
    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e2e4; id first & <best>;\r\n\
    nonsense\r\n\
    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 c0 \"e4=10, d4=7\"; id \"second\";\0\r\n\
    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e5;\r\n\
    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"no question\";\r\n";

pub fn epd(directory: &TempDir, arguments: &[&str]) -> Output {
    command()
        .arg("epd")
        .args(arguments)
        .current_dir(directory.path())
        .output()
        .expect("the program starts")
}

pub fn directory(name: &str) -> TempDir {
    let directory = temporary_directory(name);
    fs::write(directory.path().join("suite.epd"), SUITE).expect("a temporary file");
    directory
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub fn json(path: &Path) -> Value {
    serde_json::from_slice(&fs::read(path).expect("the file is there")).expect("it is JSON")
}

pub fn suite(name: &str) -> String {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.join("epd-suites").join(name).display().to_string()
}

#[test]
fn lines_that_cannot_be_read_are_named() {
    let directory = directory("epd-unread");
    let told = stderr(&epd(&directory, &["suite.epd", "--depth", "1"]));
    assert_eq!(
        told.lines().collect::<Vec<_>>(),
        [
            "suite.epd:3: a position has four fields, this line has 1",
            "suite.epd:5: bm: illegal move: \"e5\""
        ]
    );
}

#[test]
fn positions_without_a_legal_move_are_no_failures_of_the_engine() {
    let directory = directory("epd-mated");
    let mated = "R5k1/5ppp/8/8/8/8/8/K7 b - - dm -1;\n".repeat(6);
    let solved = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - c0 \"e4=1\";\n";
    fs::write(directory.path().join("mated.epd"), mated + solved).expect("a temporary file");
    let output = epd(&directory, &["mated.epd", "--depth", "1", "--json", "-"]);
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["unread"].as_array().map(Vec::len), Some(6));
    let attempt = &report["positions"][0]["attempts"][0];
    assert!(attempt["fault"].is_null() && attempt["uci"].is_string());
}

#[test]
fn a_reader_that_goes_away_changes_neither_exit_code_nor_files() {
    let directory = directory("epd-closed");
    for (required, expected) in [("0%", 3), ("3", 1)] {
        let mut solver = command()
            .args("epd suite.epd --depth 1 --json report.json --require".split(' '))
            .arg(required)
            .current_dir(directory.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the program starts");
        drop(solver.stdout.take());
        let status = solver.wait().expect("it ends");
        assert_eq!(status.code(), Some(expected), "{required}");
        let report = directory.path().join("report.json");
        assert!(json(&report)["positions"].is_array(), "{required}");
        fs::remove_file(report).expect("it was there");
    }
}

#[test]
fn every_form_of_output_is_well_formed() {
    let directory = directory("epd-outputs");
    let output = epd(
        &directory,
        &[
            "suite.epd",
            "--nodes",
            "500",
            "--engine",
            "builtin",
            "--engine",
            "builtin",
            "--option",
            "MultiPV=2",
            "--json",
            "a.json",
            "--csv",
            "a.csv",
            "--junit",
            "a.xml",
            "--html",
            "a.html",
            "--annotate",
            "a.epd",
        ],
    );
    assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(
        text.contains("2 positions, 1 more line with nothing to solve, 2 lines unreadable"),
        "{text}"
    );

    let report = json(&directory.path().join("a.json"));
    assert_eq!(report["positions"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        report["positions"][0]["attempts"].as_array().map(Vec::len),
        Some(2)
    );
    assert_eq!(report["positions"][0]["id"], "first & <best>");
    assert_eq!(report["unread"][1]["line"], 5);
    assert_eq!(report["engines"][1]["options"][0], "MultiPV=2");

    let csv = fs::read_to_string(directory.path().join("a.csv")).expect("the file is there");
    assert_eq!(csv.lines().count(), 5);
    assert!(csv.starts_with("number,id,file,line,engine,solved,"));

    let xml = fs::read_to_string(directory.path().join("a.xml")).expect("the file is there");
    let elements = elements(&xml);
    assert_eq!(
        elements.iter().filter(|name| *name == "testsuite").count(),
        2
    );
    assert_eq!(
        elements.iter().filter(|name| *name == "testcase").count(),
        4
    );

    let html = fs::read_to_string(directory.path().join("a.html")).expect("the file is there");
    assert_eq!(
        html.matches("<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"board\"")
            .count(),
        2
    );
    assert_eq!(html.matches("class=\"card\"").count(), 2);
    assert!(html.contains("first &amp; &lt;best&gt;"));
    assert!(
        !html
            .replace("http://www.w3.org/2000/svg", "")
            .contains("://")
            && !html.contains("src="),
        "the page loads something"
    );

    let annotated = fs::read_to_string(directory.path().join("a.epd")).expect("the file is there");
    assert_eq!(annotated.lines().count(), 2);
    for opcode in ["acd", "acn", "ce", "pv", "id"] {
        assert!(
            annotated
                .lines()
                .all(|line| line.contains(&format!(" {opcode} "))),
            "{annotated}"
        );
    }
}

/// The names of the elements of an XML document; it has to be well-formed.
fn elements(xml: &str) -> Vec<String> {
    use quick_xml::events::Event;
    let mut reader = quick_xml::Reader::from_str(xml);
    let mut names = Vec::new();
    loop {
        match reader.read_event().expect("well-formed") {
            Event::Eof => return names,
            Event::Start(element) | Event::Empty(element) => {
                for attribute in element.attributes() {
                    attribute.expect("well-formed");
                }
                let name: &str = element.name().into_inner();
                names.push(name.to_owned());
            }
            _ => {}
        }
    }
}

#[test]
fn standard_input_is_a_suite() {
    use std::io::Write as _;
    use std::process::Stdio;
    let mut child = command()
        .args(["epd", "-", "--depth", "1", "--quiet"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("piped");
    input.write_all(SUITE.as_bytes()).expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("the process is ours");
    assert!(
        stdout(&output).contains("2 positions"),
        "{}",
        stdout(&output)
    );
}

/// Without the times, which differ from run to run.
fn without_times(mut attempt: Value) -> Value {
    if let Some(attempt) = attempt.as_object_mut() {
        attempt.remove("time_us");
        attempt.remove("preparation_us");
        if let Some(found) = attempt.get_mut("found").and_then(Value::as_object_mut) {
            found.remove("time_us");
        }
    }
    attempt
}

#[test]
fn this_engine_is_the_same_inside_and_outside() {
    let directory = directory("epd-same");
    let program = format!("'{}'", env!("CARGO_BIN_EXE_quevedo"));
    let (suite, chess960) = (
        suite("short-mates.epd"),
        directory.path().join("chess960.epd"),
    );
    fs::write(
        &chess960,
        "nrk1bbqr/pppppppp/8/8/8/8/PPPPPPPP/NRK2BQR w HBhb - bm O-O-O;\n",
    )
    .expect("a temporary file");
    let output = epd(
        &directory,
        &[
            &suite,
            "chess960.epd",
            "--nodes",
            "1500",
            "--quiet",
            "--json",
            "a.json",
            "--engine",
            "builtin",
            "--engine",
            &program,
        ],
    );
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report = json(&directory.path().join("a.json"));
    let positions = report["positions"].as_array().expect("positions");
    assert_eq!(positions.len(), 79);
    for position in positions {
        let attempts = position["attempts"].as_array().expect("attempts");
        assert_eq!(
            without_times(attempts[0].clone()),
            without_times(attempts[1].clone()),
            "{position}"
        );
    }
    let solved = positions
        .iter()
        .filter(|position| position["attempts"][0]["solved"] == true);
    assert!(solved.count() >= 5);
}

#[test]
fn parts_merge_into_the_whole() {
    let directory = directory("epd-merge");
    let suite = suite("short-mates.epd");
    let solve = |arguments: &[&str]| {
        let output = epd(
            &directory,
            &[&[suite.as_str(), "--nodes", "300", "--quiet"], arguments].concat(),
        );
        assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        stdout(&output)
    };
    let whole = solve(&["--json", "whole.json"]);
    for part in ["1/3", "2/3", "3/3"] {
        let name = part.replace('/', "-") + ".json";
        solve(&["--shard", part, "--json", &name]);
    }
    let parts = [
        "merge",
        "2-3.json",
        "1-3.json",
        "3-3.json",
        "--quiet",
        "--json",
        "merged.json",
    ];
    let merged = stdout(&epd(&directory, &parts));
    let solved = |text: &str| -> Vec<String> {
        let line = text
            .lines()
            .find(|line| line.starts_with("Quevedo"))
            .expect("a table");
        line.split_whitespace()
            .skip(1)
            .take(4)
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(solved(&whole), solved(&merged));
    let (whole, merged) = (
        json(&directory.path().join("whole.json")),
        json(&directory.path().join("merged.json")),
    );
    let moves = |report: &Value| -> Vec<(Value, Value)> {
        let positions = report["positions"].as_array().expect("positions").iter();
        positions
            .map(|position| {
                (
                    position["number"].clone(),
                    position["attempts"][0]["uci"].clone(),
                )
            })
            .collect()
    };
    assert_eq!(moves(&whole), moves(&merged));
    fs::copy(
        directory.path().join("1-3.json"),
        directory.path().join("again.json"),
    )
    .expect("a copy");
    let twice = epd(&directory, &["merge", "1-3.json", "again.json"]);
    assert_eq!(twice.status.code(), Some(2));
    assert!(
        stderr(&twice).contains("position 1 ("),
        "{}",
        stderr(&twice)
    );
}

#[test]
fn a_document_takes_the_place_of_the_summary_on_standard_output() {
    let directory = directory("epd-standard");
    let standard = epd(&directory, &["suite.epd", "--depth", "1", "--json", "-"]);
    let report: Value = serde_json::from_slice(&standard.stdout).expect("JSON alone");
    assert_eq!(report["positions"].as_array().map(Vec::len), Some(2));
    fs::write(directory.path().join("report"), &standard.stdout).expect("a temporary file");
    let merged = stdout(&epd(&directory, &["merge", "report", "--csv", "-"]));
    assert_eq!(merged.lines().count(), 3, "{merged}");
    assert!(merged.starts_with("number,id,"), "{merged}");
}

#[test]
fn parts_of_different_runs_are_refused() {
    let directory = directory("epd-parts");
    let path = |name: &str| directory.path().join(name);
    let text = fs::read_to_string(path("suite.epd")).expect("the suite");
    fs::write(path("renamed.epd"), &text).expect("a temporary file");
    fs::write(path("other.epd"), text.replace("bm e2e4", "bm d2d4")).expect("a temporary file");
    for (part, suite, shard) in [
        ("one", "suite.epd", "1/2"),
        ("two", "renamed.epd", "2/2"),
        ("other", "other.epd", "2/2"),
    ] {
        let arguments = ["--depth", "1", "--shard", shard, "--json", part];
        epd(&directory, &[&[suite][..], &arguments].concat());
    }
    // The same suite may have other names on other machines.
    let merged = epd(&directory, &["merge", "one", "two"]);
    assert!(!stderr(&merged).contains("missing"), "{}", stderr(&merged));
    assert_eq!(merged.status.code(), Some(3), "lines are unreadable");
    let write = |name: &str, change: &dyn Fn(&mut Value)| {
        let mut report = json(&path("two"));
        change(&mut report);
        fs::write(path(name), report.to_string()).expect("a temporary file");
    };
    write("newer", &|report| report["program"] = "Quevedo 99".into());
    write("renamed", &|report| {
        report["engines"][0]["name"] = "Fritz".into();
    });
    write("older", &|report| report["format"] = 2.into());
    for (part, reason) in [
        ("other", "its suite has other positions"),
        ("newer", "it was written by Quevedo 99, not Quevedo "),
        ("renamed", "its engine is Fritz, not Quevedo "),
        ("older", "format 2 instead of "),
    ] {
        let output = epd(&directory, &["merge", "one", part]);
        assert_eq!(output.status.code(), Some(2), "{part}");
        let errors = stderr(&output);
        assert!(errors.contains(&format!("{part}: {reason}")), "{errors}");
    }
}
