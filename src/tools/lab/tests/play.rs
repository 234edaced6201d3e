//! Tests of `lab play`.

use serde_json::Value as Json;

use super::{TemporaryFile, bad_usage, lab_with};

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
fn only_the_opponent_errs() {
    for algorithm in ["opponent-errs", "opponent-sees"] {
        let words = [
            "play",
            "--game",
            "nim",
            "--heap",
            "3",
            "--algorithm",
            algorithm,
        ];
        assert!(bad_usage(&words).contains("add --second"));
        let text = lab_with(&[&words[..], &["--second"]].concat(), "")
            .unwrap()
            .1;
        assert!(text.contains(&format!("{algorithm}: ")), "{text}");
    }
}
