//! The command, from its arguments to its output.

use std::io::Cursor;
use std::path::PathBuf;

use clap::Parser;
use serde_json::Value as Json;

use super::{Args, LabError, Verdict, run};

#[derive(Debug, Parser)]
struct Command {
    #[command(flatten)]
    args: Args,
}

fn lab_with(words: &[&str], input: &str) -> Result<(Verdict, String), LabError> {
    let words = std::iter::once("lab").chain(words.iter().copied());
    let command = Command::try_parse_from(words).unwrap();
    let mut out = Vec::new();
    let verdict = run(&command.args, &mut Cursor::new(input.as_bytes()), &mut out)?;
    Ok((verdict, String::from_utf8(out).unwrap()))
}

fn lab(words: &[&str]) -> String {
    lab_with(words, "").unwrap().1
}

fn bad_usage(words: &[&str]) -> String {
    let error = lab_with(words, "").unwrap_err();
    assert!(error.is_bad_usage(), "{error}");
    error.to_string()
}

/// A file with a text, which is removed in the end.
struct TemporaryFile(PathBuf);

impl TemporaryFile {
    fn new(name: &str, text: &str) -> TemporaryFile {
        let path = std::env::temp_dir().join(format!("quevedo-lab-{}-{name}", std::process::id()));
        std::fs::write(&path, text).unwrap();
        TemporaryFile(path)
    }

    fn name(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

#[test]
fn compare_shows_all_algorithms_and_that_they_agree() {
    let words = [
        "compare", "--game", "random", "--levels", "3", "--seed", "7", "--json",
    ];
    let (verdict, text) = lab_with(&words, "").unwrap();
    assert_eq!(verdict, Verdict::Agreement);
    let json: Json = serde_json::from_str(&text).unwrap();
    assert_eq!(json["agree"], true);
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(rows.len(), crate::lab::catalogue::ALL.len());
    assert_eq!(rows[0]["algorithm"], "minimax");
    assert_eq!(rows[0]["leaves"], 27);
    for row in rows.iter().filter(|row| row["exact"] == true) {
        assert_eq!(row["value"], rows[0]["value"], "{row}");
    }
    let table = lab(&words[..7]);
    assert!(table.contains("\nfutility ~ "), "{table}");
}

#[test]
fn compare_knows_chess_by_its_fen() {
    let fen = "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1";
    let algorithms = "alpha-beta,sss-star,negascout";
    let words = [
        "compare",
        "--fen",
        fen,
        "--depth",
        "2",
        "--algorithms",
        algorithms,
        "--json",
    ];
    let json: Json = serde_json::from_str(&lab(&words)).unwrap();
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 3);
    for row in rows {
        assert_eq!(
            (&row["line"], &row["value"]),
            (&Json::from("d1d8"), &Json::from(31_999.0))
        );
    }
}

#[test]
fn algorithms_that_are_given_up_are_no_disagreement() {
    let words = [
        "compare",
        "--game",
        "random",
        "--branching",
        "30",
        "--levels",
        "30",
        "--seconds",
        "0.02",
    ];
    let algorithms = ["--algorithms", "minimax,deepening"];
    let (verdict, text) = lab_with(&[&words[..], &algorithms[..]].concat(), "").unwrap();
    assert_eq!(verdict, Verdict::Agreement);
    assert!(text.contains("[out of time]"), "{text}");
    let memory = [
        "compare",
        "--game",
        "random",
        "--branching",
        "30",
        "--levels",
        "30",
        "--memory",
        "1",
    ];
    let text = lab(&[&memory[..], &["--algorithms", "dual-star"]].concat());
    assert!(text.contains("[out of memory]"), "{text}");
}

#[test]
fn bad_input_is_named() {
    let file = TemporaryFile::new("bad.tree", "max(3\n  (4 x))");
    let message = bad_usage(&["compare", "--tree", file.name()]);
    let expected = "bad.tree: line 2, column 6: max, min or chance expected, not \"x\"";
    assert!(message.ends_with(expected), "{message}");
    let message = bad_usage(&["compare", "--fen", "8/8/8 w", "--depth", "2"]);
    assert!(message.contains("8/8/8 w"), "{message}");
    assert!(bad_usage(&["compare", "--game", "chess"]).contains("--depth"));
    assert!(bad_usage(&["compare", "--game", "race"]).contains("--depth"));
    assert!(bad_usage(&["compare", "--game", "tree"]).contains("--tree"));
    let race = [
        "compare",
        "--game",
        "race",
        "--depth",
        "2",
        "--algorithms",
        "mtd-f",
    ];
    assert!(bad_usage(&race).contains("expectiminimax, star1, star2"));
    assert!(bad_usage(&["solve", "--game", "race", "--fields", "1,2,2,3"]).contains("field 2"));
    assert!(bad_usage(&["solve", "--other", "eight-puzzle", "--tiles", "11"]).contains("2 digits"));
    let many = ["tree", "--game", "tic-tac-toe", "--svg", "-"];
    assert!(bad_usage(&many).contains("leaves"));
    let missing = lab_with(&["tree", "--tree", "/nonexistent/file"], "").unwrap_err();
    assert!(!missing.is_bad_usage() && missing.to_string().contains("/nonexistent/file"));
    for words in [
        &["compare", "--depth", "-1"][..],
        &["compare", "--depth", "1000"],
        &["compare", "--depth", "two"],
        &["compare", "--algorithms", "magic"],
        &["compare", "--game", "go"],
        &["compare", "--errs", "2"],
        &["compare", "--seconds", "NaN"],
        &["growth", "--depth", "0"],
        &["solve", "--fields", "1,2,3"],
    ] {
        let words = std::iter::once("lab").chain(words.iter().copied());
        assert!(Command::try_parse_from(words).is_err());
    }
}

#[test]
fn solve_knows_what_games_are_worth() {
    let text = lab(&["solve", "--game", "nim", "--heap", "9"]);
    assert!(text.contains("mtd-f: -1 "), "{text}");
    let text = lab(&["solve", "--game", "race", "--fields", "3,4,1,2"]);
    assert!(text.contains("value iteration: "), "{text}");
    let text = lab(&["solve", "--other", "three-players", "--heap", "5"]);
    assert!(
        text.contains("0, 0, 1") && text.contains("0, 1, 0"),
        "{text}"
    );
    let text = lab(&[
        "solve",
        "--other",
        "eight-puzzle",
        "--tiles",
        "123745086",
        "--json",
    ]);
    let json: Json = serde_json::from_str(&text).unwrap();
    assert_eq!(json[0]["values"][0], "4");
    assert_eq!(json[1]["values"][0], "4");
    assert_eq!(json[0]["line"].as_str().unwrap().split(' ').count(), 4);
}

#[test]
fn a_person_plays_to_the_end_whatever_is_typed() {
    // Taken squares, nonsense and capital letters are refused or understood.
    let input = "5\n5\nnonsense\n\n1\n2\n3\n4\n6\n7\n8\n9\nQUIT\n";
    let text = lab_with(&["play"], input).unwrap().1;
    assert!(text.contains("\"nonsense\" is not a move here"), "{text}");
    assert!(text.contains("\"5\" is not a move here"), "{text}");
    let ends = ["you lose", "a draw", "no more moves"];
    assert!(ends.iter().any(|end| text.contains(end)), "{text}");
    assert!(!text.contains("you win"), "{text}");
}

#[test]
fn play_ends_with_its_input() {
    for words in [
        &["play"][..],
        &["play", "--second"],
        &["play", "--game", "race"],
        &["play", "--json"],
    ] {
        let text = lab_with(words, "").unwrap().1;
        assert!(text.contains("no more moves: the game ends here"), "{text}");
    }
    let (_, text) = lab_with(
        &["play", "--game", "nim", "--heap", "5", "--second", "--json"],
        "3\n1\n2\n",
    )
    .unwrap();
    for line in text.lines() {
        assert!(serde_json::from_str::<Json>(line).is_ok(), "{line}");
    }
}

#[test]
fn a_tree_is_drawn_with_its_cut() {
    let file = TemporaryFile::new("cut.tree", "max(min(8 11) min(6 min(1 2)) min(9 3))");
    let text = lab(&["tree", "--tree", file.name()]);
    assert!(text.contains("min ≤6  visit 5  alpha 8 beta +∞"), "{text}");
    assert!(text.contains("2  min  cut"), "{text}");
    let picture = lab(&["tree", "--tree", file.name(), "--svg", "-"]);
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    assert!(picture.contains(">≤6<") && picture.contains(">α 8<"));
    let json: Json =
        serde_json::from_str(&lab(&["tree", "--tree", file.name(), "--json"])).unwrap();
    assert_eq!(
        json["children"][1]["children"][1]["visits"],
        Json::Array(Vec::new())
    );
}

#[test]
fn growth_is_that_of_the_formula() {
    let words = [
        "growth",
        "--game",
        "random",
        "--order",
        "best",
        "--branching",
        "3",
        "--depth",
        "5",
        "--json",
    ];
    let json: Json = serde_json::from_str(&lab(&words)).unwrap();
    let curve = |name: &str| {
        let curves = json["curves"].as_array().unwrap();
        curves
            .iter()
            .find(|curve| curve["algorithm"] == name)
            .unwrap()["leaves"]
            .clone()
    };
    assert_eq!(curve("alpha-beta"), Json::from(vec![3, 5, 11, 17, 35]));
    assert_eq!(curve("minimax"), Json::from(vec![3, 9, 27, 81, 243]));
    let picture = lab(&[&words[..9], &["--svg", "-"]].concat());
    assert!(picture.contains(">b^(3d/4)<") && picture.contains(">sss-star<"));
}

#[test]
fn lessons_say_what_they_should() {
    let json: Json = serde_json::from_str(&lab(&["demo", "scale", "--json"])).unwrap();
    // A linear scale changes nothing; any other one matters to expectiminimax.
    for scale in [1, 2] {
        assert_eq!(json[0]["minimax"], json[scale]["minimax"]);
    }
    assert_eq!(json[0]["expectiminimax"], json[1]["expectiminimax"]);
    assert_ne!(json[0]["expectiminimax"], json[2]["expectiminimax"]);
    let json: Json = serde_json::from_str(&lab(&["demo", "chance", "--json"])).unwrap();
    let leaves: Vec<&Json> = (0..3).map(|row| &json[row]["with_chance"]).collect();
    assert_eq!(leaves, [420, 176_400, 74_088_000]);
    // What was searched, and not only computed.
    assert_eq!(json[1]["searched"]["expectiminimax"], 176_400);
    assert!(json[1]["searched"]["star1"].as_u64().unwrap() < 176_400);
    let json: Json = serde_json::from_str(&lab(&["demo", "matrix", "--json"])).unwrap();
    assert_eq!(json[0]["mixed_value"], "0");
    assert!(lab(&["demo", "dilemma"]).contains("Tit for Two Tats"));
    assert!(lab(&["algorithms"]).contains("poda de inutilidades"));
}
