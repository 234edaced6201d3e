//! Tests of the command, from its arguments to its output.

pub(super) mod documents;

use std::io::Cursor;
use std::path::PathBuf;

use clap::Parser;
use serde_json::Value as Json;

use super::{Args, LabError, Verdict, decoded, run};
use crate::tools::exit::{Exit, ToolFailure as _};

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
    assert_eq!(error.exit(), Exit::Unusable, "{error}");
    error.to_string()
}

/// A file with a text, which is removed when it is dropped.
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
    assert_eq!(verdict, Verdict::Unfinished);
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
    assert!(missing.exit() == Exit::Unusable && missing.to_string().contains("/nonexistent/file"));
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
    assert!(text.contains("2  min cut"), "{text}");
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
fn text_tells_visited_from_cut_and_bounds_from_values() {
    let file = TemporaryFile::new("open.tree", "max(min(7 6) min(5 9))");
    let words = ["tree", "--tree", file.name(), "--algorithm", "sss-star"];
    let text = lab(&words);
    assert!(text.contains("  2  min open  visit 4"), "{text}");
    assert!(text.contains("    1  leaf 5  visit 5"), "{text}");
    assert!(text.contains("    2  leaf cut"), "{text}");
    let json: Json = serde_json::from_str(&lab(&[&words[..], &["--json"]].concat())).unwrap();
    assert_eq!(json["children"][1]["state"], "open");
    assert_eq!(json["children"][1]["children"][0]["bound"], "exact");
    // Nodes beyond the depth are shown.
    let horizon = [
        "tree",
        "--example",
        "horizon",
        "--depth",
        "1",
        "--algorithm",
        "quiescence",
    ];
    let text = lab(&horizon);
    assert!(text.contains("beyond the depth"), "{text}");
    // Star2 probes replies to throws that it has not entered: here the twelfth visit, before the
    // throw.
    let dice = [
        "tree",
        "--game",
        "random",
        "--throws",
        "3",
        "--levels",
        "2",
        "--algorithm",
        "star2",
    ];
    let probed = (0..50).any(|seed| {
        let seed = seed.to_string();
        let text = lab(&[&dice[..], &["--seed", &seed]].concat());
        let lines: Vec<&str> = text.lines().collect();
        lines
            .windows(2)
            .any(|pair| pair[0].ends_with(" probed") && pair[1].contains("visit"))
    });
    assert!(probed);
}

#[test]
fn games_that_contradict_each_other_are_refused() {
    let file = TemporaryFile::new("game.tree", "max(1 2)");
    let words = [
        "solve",
        "--game",
        "nim",
        "--tree",
        file.name(),
        "--fen",
        "BAD",
    ];
    assert_eq!(bad_usage(&words), "--tree does not belong to the game nim");
    let message = bad_usage(&["solve", "--tree", file.name(), "--fen", "BAD"]);
    assert_eq!(message, "--fen does not belong to the game tree");
    assert!(bad_usage(&["solve", "--game", "nim", "--board", "........."]).contains("--board"));
    assert!(bad_usage(&["solve", "--game", "nim", "--throw", "1"]).contains("--throw"));
    let other = ["solve", "--other", "eight-puzzle", "--game", "nim"];
    assert!(bad_usage(&other).contains("--other"));
    let comma = TemporaryFile::new("comma.tree", "max(3,5 2)");
    let message = bad_usage(&["solve", "--tree", comma.name()]);
    assert!(message.contains("write 3.5 for a decimal"), "{message}");
}

#[test]
fn growth_knows_games_with_chance_and_several_orders() {
    let text = lab(&[
        "growth", "--game", "random", "--throws", "2", "--depth", "3",
    ]);
    assert!(
        text.contains("expectiminimax") && text.contains("star2"),
        "{text}"
    );
    let text = lab(&["growth", "--game", "race", "--depth", "2"]);
    assert!(text.contains("star1"), "{text}");
    let words = [
        "growth",
        "--game",
        "random",
        "--orders",
        "best,worst,random",
        "--depth",
        "5",
        "--branching",
        "4",
        "--algorithms",
        "alpha-beta,negascout",
        "--measure",
        "nodes",
        "--json",
    ];
    let json: Json = serde_json::from_str(&lab(&words)).unwrap();
    let nodes = |name: &str| {
        let mut curves = json["curves"].as_array().unwrap().iter();
        let curve = curves.find(|curve| curve["algorithm"] == name).unwrap();
        let leaves = &curve["leaves"];
        assert_eq!(leaves.as_array().unwrap().len(), 5);
        curve["nodes"][4].as_u64().unwrap()
    };
    assert!(nodes("alpha-beta (best)") < nodes("alpha-beta (random)"));
    assert!(nodes("alpha-beta (random)") < nodes("alpha-beta (worst)"));
    // In random order NegaScout visits more nodes than alpha-beta, in the best order no more.
    assert!(nodes("negascout (random)") > nodes("alpha-beta (random)"));
    assert!(nodes("negascout (best)") <= nodes("alpha-beta (best)"));
    let chart = lab(&[&words[..13], &["--svg", "-"]].concat());
    assert!(
        chart.contains("negascout (worst)") && chart.contains("nodes visited"),
        "{chart}"
    );
}

#[test]
fn play_on_a_tree_shows_the_payoff() {
    let file = TemporaryFile::new("payoff.tree", "max(min(3 4) min(20 30))");
    let text = lab_with(&["play", "--tree", file.name()], "1\n").unwrap().1;
    assert!(text.ends_with("payoff for Max: 3\n"), "{text}");
    assert!(!text.contains("you lose"), "{text}");
    let text = lab_with(&["play", "--game", "nim", "--heap", "1"], "1\n")
        .unwrap()
        .1;
    assert!(text.ends_with("you lose; payoff for Max: -1\n"), "{text}");
}

#[test]
fn play_learns_how_often_the_opponent_errs() {
    let words = [
        "play",
        "--game",
        "nim",
        "--heap",
        "9",
        "--second",
        "--learn",
        "--algorithm",
        "opponent-errs",
    ];
    let text = lab_with(&words, "1\n1\n1\n1\n1\n").unwrap().1;
    assert!(text.contains("you err, in thousandths: 200"), "{text}");
    let rates: Vec<&str> = text
        .lines()
        .filter(|line| line.contains("in thousandths"))
        .collect();
    assert!(rates.iter().any(|rate| *rate != rates[0]), "{text}");
    assert!(bad_usage(&["play", "--second", "--learn"]).contains("--learn"));
}

#[test]
fn margins_of_chess_are_in_pawns() {
    use super::algorithm_args::TuningArgs;
    use crate::lab::games::{chess::Chess, nim::Nim};
    #[derive(Debug, Parser)]
    struct Tuning {
        #[command(flatten)]
        args: TuningArgs,
    }
    let tuning = Tuning::try_parse_from(["lab", "--margin", "0.5"])
        .unwrap()
        .args;
    let chess = Chess::new(crate::position::Position::initial());
    assert_eq!(tuning.settings(&chess).margin, 50);
    assert_eq!(tuning.settings(&Nim { heap: 3 }).margin, 1);
}

#[test]
fn the_race_shows_the_best_move_for_each_throw() {
    let text = lab(&["solve", "--game", "race", "--fields", "3,4,1,2"]);
    assert!(
        text.contains("after throw 1: ") && text.contains("after throw 2: 3-5"),
        "{text}"
    );
    let json: Json = serde_json::from_str(&lab(&[
        "solve", "--game", "race", "--fields", "3,4,1,2", "--throw", "1", "--json",
    ]))
    .unwrap();
    let moves = json[0]["throws"][0]["moves"].as_array().unwrap();
    assert_eq!(json[0]["throws"].as_array().unwrap().len(), 1);
    // Max moves one field from 3 or from 4, and the value is that of the better move.
    assert_eq!(moves.len(), 2);
    let value: f64 = json[0]["values"][0].as_str().unwrap().parse().unwrap();
    assert!((moves[0][1].as_f64().unwrap() - value).abs() < 1e-8);
    assert!(moves[0][1].as_f64().unwrap() >= moves[1][1].as_f64().unwrap());
    let words = [
        "compare", "--fields", "3,4,1,2", "--throw", "1", "--depth", "5",
    ];
    assert_eq!(lab_with(&words, "").unwrap().0, Verdict::Agreement);
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
fn text_of_windows_is_read() {
    let tree = "max(3 ≤5)";
    let units: Vec<u16> = format!("\u{feff}{tree}").encode_utf16().collect();
    let bytes = |order: fn(u16) -> [u8; 2]| units.iter().copied().flat_map(order).collect();
    for bytes in [
        tree.as_bytes().to_vec(),
        format!("\u{feff}{tree}").into_bytes(),
        bytes(u16::to_le_bytes),
        bytes(u16::to_be_bytes),
    ] {
        assert_eq!(decoded(bytes).unwrap(), tree);
    }
    for bad in [&b"\xff"[..], b"\xff\xfea", b"\xff\xfe\x00\xd8"] {
        assert!(decoded(bad.to_vec()).is_err());
    }
}
