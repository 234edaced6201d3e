//! Tests of the weighing of moves, and of leaves.

use super::*;
use crate::position::notation::{epd, san};
use crate::tools::book::graph::BookGraph;
use crate::tools::book::score_positions::score_positions;
use crate::tools::book::scores::Scores;
use crate::tools::book::weigh::{WeighingRules, weigh};

/// Returns the kept moves, given a score for the position after each sequence of moves.
fn kept(
    entries: &[BookEntry],
    rules: (i32, Option<i32>),
    score: impl Fn(&str) -> i32,
) -> Vec<(String, u16)> {
    let graph = BookGraph::new(entries.iter().copied(), 0);
    let scores: Vec<i32> = graph
        .nodes
        .iter()
        .map(|node| {
            let path = graph.path(node);
            let words: Vec<String> = path.iter().map(|&(p, m)| san(p, m).to_string()).collect();
            score(&words.join(" "))
        })
        .collect();
    let rules = WeighingRules {
        max_loss: rules.0,
        within: rules.1,
    };
    let mut kept: Vec<(String, u16)> = weigh(&graph, &scores, rules)
        .iter()
        .map(|entry| {
            let node = graph
                .nodes
                .iter()
                .find(|node| node.key == entry.key)
                .unwrap();
            let edge = node
                .edges
                .iter()
                .find(|edge| move_code(edge.m) == entry.code);
            let mut words: Vec<String> = graph
                .path(node)
                .iter()
                .map(|&(p, m)| san(p, m).to_string())
                .collect();
            words.push(san(&node.position, edge.unwrap().m).to_string());
            (words.join(" "), entry.weight)
        })
        .collect();
    kept.sort();
    kept
}

#[test]
fn weights_follow_from_what_moves_lose() {
    let entries = [
        entry("", "e4", 1),
        entry("", "d4", 1),
        entry("", "a4", 1),
        entry("e4", "e5", 1),
    ];
    let score = |line: &str| match line {
        "" => 20,
        "e4" => -90, // The book knows better: after e5 it is 30 for White.
        "e4 e5" => 30,
        "d4" => -10,
        "a4" => 40,
        _ => unreachable!("{line}"),
    };
    // d4 loses 20 against e4 with 30, and a4 loses 70. The search expected 90 from e4, but the
    // reply e5 counts.
    let expected = [("d4", 250), ("e4", 1000), ("e4 e5", 1000)];
    assert!(is(
        &kept(&entries, (200, Some(45)), score),
        &[("a4", 8), expected[0], expected[1], expected[2]]
    ));
    assert!(is(&kept(&entries, (50, None), score), &expected));
    // A leaf at 40 for Black is beyond the bound. Nothing else is left out.
    assert!(is(&kept(&entries, (200, Some(35)), score), &expected));
}

#[test]
fn a_position_without_good_moves_becomes_a_leaf() {
    let entries = [
        entry("", "e4", 1),
        entry("", "d4", 1),
        entry("e4", "f6", 1),
        entry("d4", "d5", 1),
    ];
    let score = |line: &str| match line {
        "" | "d4 d5" => 20,
        "e4" => -30,
        "e4 f6" => 120, // Black loses 90 against the 30 that the search sees.
        "d4" => -20,
        _ => unreachable!("{line}"),
    };
    let expected = [("d4", 500), ("d4 d5", 1000), ("e4", 1000)];
    assert!(is(&kept(&entries, (50, Some(80)), score), &expected));
    // If that leaf is beyond the bound, too, the move to it is left out.
    let expected = [("d4", 1000), ("d4 d5", 1000)];
    assert!(is(&kept(&entries, (50, Some(25)), score), &expected));
    assert!(is(&kept(&entries, (50, Some(10)), score), &[]));
}

#[test]
fn the_answer_to_a_bad_move_stays() {
    let entries = [
        entry("", "e4", 1),
        entry("e4", "f6", 1),
        entry("e4 f6", "d4", 1),
    ];
    let score = |line: &str| if line.ends_with("f6") { 120 } else { 0 };
    let score = |line: &str| {
        if line.ends_with("d4") {
            -120
        } else {
            score(line)
        }
    };
    let expected = [("e4", 1000), ("e4 f6 d4", 1000)];
    assert!(is(&kept(&entries, (50, None), score), &expected));
}

#[test]
fn books_that_go_in_circles_come_to_an_end() {
    let circle = ["Nf3", "Nf6", "Ng1", "Ng8"];
    let entries: Vec<BookEntry> = (0..4)
        .map(|ply| entry(&circle[..ply].join(" "), circle[ply], 1))
        .collect();
    let kept = kept(&entries, (50, Some(80)), |_| 0);
    // The last move leads back to the initial position.
    assert_eq!(kept.len(), 3);
}

#[test]
fn scores_depend_on_the_position_alone() {
    let directory = Directory::new();
    let positions: Vec<Position> = ["", "e4", "e4 e5", "d4 d5 c4", "e4 c5"].map(after).into();
    let judge =
        |scores: &mut Scores, jobs| score_positions(positions.iter(), scores, jobs).unwrap();
    let mut unkept = Scores::open(None, 300).unwrap();
    let alone = judge(&mut unkept, 1);
    let path = PathBuf::from(directory.path("scores.epd"));
    let mut scores = Scores::open(Some(&path), 300).unwrap();
    assert_eq!(judge(&mut scores, 3), alone);
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 5);
    // An interrupted run, whose last line is incomplete, resumes.
    std::fs::write(&path, &text[..text.len() - 60]).unwrap();
    let mut scores = Scores::open(Some(&path), 300).unwrap();
    assert_eq!(judge(&mut scores, 2), alone);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    // Known positions are not searched.
    let first = epd(&positions[0]);
    std::fs::write(&path, format!("{first} acn 300; ce 77;\n")).unwrap();
    let mut scores = Scores::open(Some(&path), 300).unwrap();
    let error = Scores::open(Some(&path), 300).unwrap_err().to_string();
    assert!(error.contains("another process"), "{error}");
    assert_eq!(judge(&mut scores, 1)[0], 77);
    let mut others = Scores::open(Some(&path), 400).unwrap();
    assert_eq!(others.get(&first), None);
    assert_ne!(judge(&mut others, 1)[0], 77);
    for other in ["nonsense\n", "my precious notes", "1 apple a day"] {
        std::fs::write(&path, other).unwrap();
        let error = Scores::open(Some(&path), 300).unwrap_err().to_string();
        assert!(error.contains("scores.epd: line 1: "), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), other);
    }
}

#[test]
fn leaves_are_searched_and_written() {
    let directory = Directory::new();
    let tsv = directory.file(
        "lines.tsv",
        "moves\ne4 e5 Nf3\nd4 d5\ne4 e5 Qh5 Ke7 Qxe5\nd4 e6 e4\ne4 e6 d4\n",
    );
    let book = directory.path("book.bin");
    run(&["build", &tsv, "--out", &book]).unwrap();
    let (epd_file, pgn_file) = (directory.path("leaves.epd"), directory.path("leaves.pgn"));
    run(&["leaves", &book, "--epd", &epd_file, "--pgn", &pgn_file]).unwrap();
    let openings = std::fs::read_to_string(&epd_file).unwrap();
    // Two of the five lines end in the same position.
    assert_eq!(openings.lines().count(), 4, "{openings}");
    assert!(
        openings
            .contains("rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - hmvc 0; fmvn 2;\n")
    );
    let games = std::fs::read_to_string(&pgn_file).unwrap();
    assert!(
        games.contains("\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# *\n"),
        "{games}"
    );
    // The games give a book with the same leaves.
    let again = directory.path("again.bin");
    run(&[
        "build",
        &pgn_file,
        "--out",
        &again,
        "--min-games",
        "1",
        "--weight-by",
        "games",
    ])
    .unwrap();
    run(&["leaves", &again, "--epd", &epd_file]).unwrap();
    let mut lines: Vec<&str> = openings.lines().collect();
    let again = std::fs::read_to_string(&epd_file).unwrap();
    let mut others: Vec<&str> = again.lines().collect();
    lines.sort_unstable();
    others.sort_unstable();
    assert_eq!(lines, others);
    // A mate is beyond every bound.
    let error = run(&[
        "leaves", &book, "--nodes", "500", "--jobs", "2", "--within", "9999",
    ]);
    assert!(matches!(
        error,
        Err(BookToolError::UnbalancedLeaves {
            bad: 1,
            leaves: 4,
            ..
        })
    ));
}

#[test]
fn weighing_a_book_does_not_depend_on_the_jobs() {
    let directory = Directory::new();
    let tsv = directory.file("lines.tsv", "moves\ne4 e5\nd4 d5\ng4 d5\nf3 e5 g4\n");
    let (one, two) = (directory.path("one.bin"), directory.path("two.bin"));
    let rules = ["--nodes", "2000", "--max-loss", "60", "--within", "150"];
    run(&[&["build", &tsv, "--out", &one, "--jobs", "1"], &rules[..]].concat()).unwrap();
    let plain = directory.path("plain.bin");
    run(&["build", &tsv, "--out", &plain]).unwrap();
    run(&[&["eval", &plain, "--out", &two, "--jobs", "3"], &rules[..]].concat()).unwrap();
    assert_eq!(std::fs::read(&one).unwrap(), std::fs::read(&two).unwrap());
    // Fool's mate is left out.
    assert!(moves(&open(&one), "f3 e5").is_empty());
    assert!(!moves(&open(&one), "").is_empty());
}
