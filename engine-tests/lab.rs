//! The laboratory as a command: exit codes, tables, JSON, and what is said about input that makes
//! no sense.

use std::fs;
use std::io::Write;
use std::process::{Output, Stdio};

use serde_json::Value as Json;

use crate::harness::{command, temporary_directory};

/// Runs `lab` with this text as its complete input.
fn lab_with(words: &[&str], input: &str) -> Output {
    let mut child = command()
        .arg("lab")
        .args(words)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut pipe = child.stdin.take().expect("piped");
    // A program that has ended reads nothing.
    let _ = pipe.write_all(input.as_bytes());
    drop(pipe);
    child.wait_with_output().expect("the process is ours")
}

/// Returns the standard output of a run that must succeed.
pub fn lab(words: &[&str], input: &str) -> String {
    let output = lab_with(words, input);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{words:?}: {errors}");
    assert_eq!(errors, "", "{words:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Checks that arguments are refused with exit code 2 and a message that contains all these parts.
pub fn refused(words: &[&str], parts: &[&str]) {
    let output = lab_with(words, "");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{words:?}: {errors}");
    assert!(output.stdout.is_empty(), "{words:?}");
    for part in parts {
        assert!(errors.contains(part), "{words:?}: no {part:?} in {errors}");
    }
}

const FEN: &str = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";

#[test]
fn algorithms_stand_side_by_side_in_a_table() {
    let chess = ["compare", "--fen", FEN, "--depth", "2"];
    let table = lab(
        &[&chess[..], &["--algorithms", "minimax,alpha-beta"]].concat(),
        "",
    );
    let lines: Vec<&str> = table.lines().collect();
    let title = lines
        .iter()
        .position(|line| line.starts_with("algorithm "))
        .expect("a row of titles");
    let row = |name: &str| -> Vec<&str> {
        let mut rows = lines.iter().skip(title + 1);
        let row = rows.find(|line| line.starts_with(name));
        row.expect("a row").split_whitespace().collect()
    };
    let (minimax, alpha_beta) = (row("minimax "), row("alpha-beta "));
    let titles: Vec<&str> = lines[title].split_whitespace().collect();
    assert_eq!(titles[..4], ["algorithm", "value", "interior", "leaves"]);
    // The same value from fewer leaves.
    assert_eq!(minimax[1], alpha_beta[1]);
    let leaves = |row: &[&str]| row[3].parse::<u32>().expect("a number");
    assert!(leaves(&alpha_beta) < leaves(&minimax), "{table}");
}

#[test]
fn json_can_be_read() {
    let compare = ["compare", "--fen", FEN, "--depth", "2", "--json"];
    let json: Json = serde_json::from_str(&lab(&compare, "")).expect("JSON");
    assert_eq!(json["agree"], true);
    for row in json["rows"].as_array().expect("rows") {
        assert!(row["exact"] == false || row["line"] == "d1d8", "{row}");
    }
    for words in [
        "solve --game nim --heap 9 --json",
        "growth --game random --depth 3 --json",
        "demo scale --json",
        "algorithms --json",
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let json: Json = serde_json::from_str(&lab(&words, "")).expect("JSON");
        assert!(json.is_array() || json.is_object(), "{words:?}");
    }
}

#[test]
fn what_makes_no_sense_is_named() {
    let fen = "8/8/8/8/8/8/8/8 w - - 0 1";
    refused(
        &["compare", "--fen", fen, "--depth", "2"],
        &["--fen", fen, "illegal position: "],
    );
    refused(
        &["compare", "--fen", "8/8", "--depth", "2"],
        &["--fen \"8/8\": not a FEN: "],
    );
    refused(
        &["compare", "--algorithms", "minimax,magic"],
        &["'magic'", "--algorithms", "alpha-beta"],
    );
    refused(&["compare", "--fen", FEN], &["give --depth"]);
    let directory = temporary_directory("lab");
    let path = directory.path().join("bad.tree");
    fs::write(&path, "max(3\n  (4 x))").expect("a temporary file");
    refused(
        &["tree", "--tree", path.to_str().expect("UTF-8")],
        &["bad.tree: line 2, column 6: ", "\"x\""],
    );
}

#[test]
fn options_of_one_game_imply_it() {
    let json = lab(
        &["solve", "--branching", "2", "--levels", "3", "--json"],
        "",
    );
    let implied: Json = serde_json::from_str(&json).expect("JSON");
    let words = [
        "solve",
        "--game",
        "random",
        "--branching",
        "2",
        "--levels",
        "3",
        "--json",
    ];
    let named: Json = serde_json::from_str(&lab(&words, "")).expect("JSON");
    assert_eq!(implied, named);
    refused(&["solve", "--heap", "9"], &["--game nim"]);
    refused(&["solve", "--game", "nim", "--levels", "3"], &["--levels"]);
    lab(&["solve", "--other", "three-players", "--heap", "5"], "");
}

#[test]
fn answers_that_are_not_understood_are_named() {
    let directory = temporary_directory("lab-answers");
    let path = directory.path().join("answers.txt");
    let exercise = lab(&["exercise", "--key"], "");
    let filled: Vec<String> = exercise
        .lines()
        .enumerate()
        .map(|(number, line)| match line.split_once(": ") {
            Some((node, _)) if number == 4 => format!("{node}: thirteen"),
            _ => line.to_uppercase(),
        })
        .collect();
    let title = exercise.lines().next().unwrap_or_default();
    let text = format!("\u{feff}{title}\r\n{}", filled[1..].join("\r\n"));
    fs::write(&path, text).expect("a temporary file");
    let graded = lab(
        &["exercise", "--answers", path.to_str().expect("UTF-8")],
        "",
    );
    assert!(graded.contains("not understood: \"thirteen\""), "{graded}");
    let questions = exercise
        .lines()
        .filter(|line| !line.starts_with('#'))
        .count();
    assert!(
        graded.ends_with(&format!("{} / {questions}\n", questions - 1)),
        "{graded}"
    );
}

#[test]
fn no_picture_replaces_its_tree() {
    let directory = temporary_directory("lab-picture");
    let path = directory.path().join("one.tree");
    let text = "max(min(3 5) min(2 9))";
    fs::write(&path, text).expect("a temporary file");
    let path_text = path.to_str().expect("UTF-8");
    for command in ["tree", "growth"] {
        let words = [
            command, "--tree", path_text, "--depth", "2", "--svg", path_text,
        ];
        refused(&words, &["one.tree"]);
        assert_eq!(fs::read_to_string(&path).expect("the tree"), text);
    }
}

#[test]
fn a_missing_file_is_named() {
    let output = lab_with(&["tree", "--tree", "no-such-file.tree"], "");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("no-such-file.tree: "), "{errors}");
}

#[test]
#[cfg(unix)]
fn a_closed_pipe_is_no_failure_in_any_language() {
    for language in ["en", "es"] {
        let mut child = command()
            .args(["lab", "--lang", language, "page", "--out", "-"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the process is ours");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{errors}");
        assert!(errors.is_empty(), "{errors}");
    }
}

#[test]
fn a_game_ends_with_the_input() {
    for words in [&["play"][..], &["play", "--second"], &["play", "--json"]] {
        let text = lab(words, "");
        assert!(text.contains("no more moves: the game ends here"), "{text}");
    }
    // The input ends within a game and within a line.
    let text = lab(&["play"], "5\nnonse");
    assert!(text.contains("you: 5"), "{text}");
    assert!(text.contains("\"nonse\" is not a move here"), "{text}");
    assert!(
        text.ends_with("no more moves: the game ends here\n"),
        "{text}"
    );
}

#[test]
fn help_and_usage_errors_follow_the_language() {
    for (words, expected) in [
        (
            &["lab", "--lang", "es", "--help"][..],
            "Uso: quevedo lab [OPCIONES] <ORDEN>",
        ),
        (
            &["--lang", "es", "lab", "compare", "--help"],
            "Uso: quevedo lab compare [OPCIONES]",
        ),
        (
            &["lab", "--lang", "es", "help", "tree"],
            "Uso: quevedo lab tree [OPCIONES]",
        ),
        (
            &["lab", "help", "demo", "--lang=es"],
            "Uso: quevedo lab demo [OPCIONES] [LECCIÓN]",
        ),
        (
            &["lab", "demo", "--help"],
            "Usage: quevedo lab demo [OPTIONS] [LESSON]",
        ),
    ] {
        let output = command().args(words).output().expect("the program starts");
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{words:?}");
        assert!(text.contains(expected), "{words:?}: {text}");
    }
    refused(
        &["compare", "--depth", "two", "--lang", "es"],
        &[
            "valor no válido 'two' para '--depth <NIVELES>': no es un número entero",
            "Para más información, pruebe '--help'.",
        ],
    );
    refused(
        &["--lang", "es"],
        &["falta una orden", "[órdenes: compare, "],
    );
    refused(
        &["compare", "--depth", "two"],
        &["invalid value 'two'", "For more information, try '--help'."],
    );
}
