//! Tests of the command, from its arguments to its output.

pub(super) mod documents;
mod growth;
mod play;
mod tree;

use std::io::Cursor;

use clap::Parser;
use serde_json::Value as Json;
use tempfile::NamedTempFile;

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

/// A file with a text, which is removed at the end of the test.
struct TemporaryFile(NamedTempFile);

impl TemporaryFile {
    fn new(name: &str, text: &str) -> TemporaryFile {
        let file = tempfile::Builder::new().suffix(name).tempfile().unwrap();
        std::fs::write(file.path(), text).unwrap();
        TemporaryFile(file)
    }

    fn name(&self) -> &str {
        self.0.path().to_str().unwrap()
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
    // Minimax has no table, but its leaves are kept, so that different ones can be counted.
    for algorithm in ["dual-star", "minimax"] {
        let text = lab(&[&memory[..], &["--algorithms", algorithm]].concat());
        assert!(text.contains("[out of memory]"), "{text}");
    }
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
    for (words, option) in [
        ("solve --other eight-puzzle --board X........", "--board"),
        (
            "solve --other eight-puzzle --algorithm minimax",
            "--algorithm",
        ),
        ("solve --other hidden-tic-tac-toe --heap 5", "--heap"),
        ("solve --other three-players --tiles 123745086", "--tiles"),
        ("solve --game nim --tiles 123745086", "--game"),
        ("solve --game nim --eval material", "--eval"),
    ] {
        let said = bad_usage(&words.split(' ').collect::<Vec<_>>());
        assert!(
            said.starts_with(&format!("{option} does not belong to")),
            "{said}"
        );
    }
    let levels = ["growth", "--game", "random", "--levels", "2"];
    assert!(bad_usage(&levels).starts_with("--levels: "));
    let orders = ["growth", "--order", "worst", "--orders", "best"];
    assert!(bad_usage(&orders).starts_with("--order and --orders"));
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
        &["exercise", "--questions", "--seed", "3"],
        &["exercise", "--questions", "--algorithm", "minimax"],
    ] {
        let words = std::iter::once("lab").chain(words.iter().copied());
        assert!(Command::try_parse_from(words).is_err());
    }
}

#[test]
fn spanish_messages_name_the_cause() {
    let directory = tempfile::tempdir().unwrap();
    let place = directory.path().to_str().unwrap();
    let latin = TemporaryFile::new("latin.tree", "");
    std::fs::write(latin.name(), b"max(3 \xf1:5)").unwrap();
    let nowhere = format!("{place}/none/tree.svg");
    let missing = format!("{place}/none.tree");
    for (words, cause) in [
        (&["page", "--out", place][..], "es una carpeta"),
        (&["tree", "--tree", place], "es una carpeta"),
        (
            &["tree", "--tree", latin.name()],
            "no es texto en UTF-8 ni en UTF-16",
        ),
        (&["tree", "--tree", &missing], "none.tree: no existe"),
        (
            &["tree", "--example", "cut-alpha", "--svg", &nowhere],
            "no existe la carpeta",
        ),
        (
            &["compare", "--depth", "1", "--fen", "8/8"],
            "no es FEN: falla el tablero",
        ),
        (
            &["compare", "--depth", "1", "--fen", "8/8/8/8/8/8/8/8 w"],
            "posición ilegal: el tablero está vacío",
        ),
        (
            &["compare", "--depth", "1", "--fen", "8/8/8/8/8/8/8/K7 w"],
            "posición ilegal: falta un rey",
        ),
    ] {
        let message = lab_with(&[words, &["--lang", "es"]].concat(), "").unwrap_err();
        assert!(message.to_string().ends_with(cause), "{message}");
    }
}

#[test]
#[cfg(unix)]
fn endless_files_are_refused() {
    for words in [
        ["compare", "--tree", "/dev/zero"],
        ["page", "--tree", "/dev/zero"],
        ["exercise", "--answers", "/dev/zero"],
    ] {
        assert_eq!(bad_usage(&words), "/dev/zero: larger than 64 MiB");
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
    let text = lab(&["solve", "--tiles", "123745086", "--json"]);
    let json: Json = serde_json::from_str(&text).unwrap();
    assert_eq!(json[0]["values"][0], "4");
    assert_eq!(json[1]["values"][0], "4");
    assert_eq!(json[0]["line"].as_str().unwrap().split(' ').count(), 4);
    // Min is to move and can win at once, which the game tells Max.
    let hidden = ["solve", "--other", "hidden-tic-tac-toe", "--board"];
    for (board, value) in [("OO./XX./..X", -1), ("XX./OO./...", 1)] {
        let text = lab(&[&hidden[..], &[board]].concat());
        assert!(text.contains(&format!("belief states: {value} ")), "{text}");
        assert_eq!(text.contains("best play"), value > 0, "{text}");
    }
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
    assert!(bad_usage(&other).starts_with("--game does not belong to"));
    let comma = TemporaryFile::new("comma.tree", "max(3,5 2)");
    let message = bad_usage(&["solve", "--tree", comma.name()]);
    assert!(message.contains("write 3.5 for a decimal"), "{message}");
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
    let ended = lab(&["solve", "--fields", "5,5,1,2"]);
    assert!(
        ended.contains("value iteration: 20.0") && !ended.contains("after throw"),
        "{ended}"
    );
    let words = [
        "compare", "--fields", "3,4,1,2", "--throw", "1", "--depth", "5",
    ];
    assert_eq!(lab_with(&words, "").unwrap().0, Verdict::Agreement);
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

#[test]
fn what_a_page_cannot_show_is_named() {
    let leaves = vec!["1"; 401].join(" ");
    let file = TemporaryFile::new("large.tree", &format!("max({leaves})"));
    let error = bad_usage(&["page", "--tree", file.name(), "--out", "-"]);
    assert!(
        error.contains("large.tree: the tree has more than 400 leaves"),
        "{error}"
    );
}
