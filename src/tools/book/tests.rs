//! Books made, weighed, put together and looked at.

use std::path::{Path, PathBuf};

use clap::Parser;

use super::draft::{self, Draft, Tally};
use super::graph::Graph;
use super::judge::judge_all;
use super::lines::{parse_move, san};
use super::scores::{Scores, epd};
use super::weigh::{Rules, weigh};
use super::{Args, BookToolError, lines, look};
use crate::book::entry::move_code;
use crate::book::{Book, Entry, key};
use crate::position::Position;
use crate::position::notation::{parse_fen, uci};

/// A directory of the test's own, which is gone afterwards.
struct Directory(PathBuf);

impl Directory {
    fn new(name: &str) -> Directory {
        let name = format!("quevedo-book-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Directory(path)
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).unwrap();
        path.display().to_string()
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs `quevedo book` with these arguments.
fn run(arguments: &[&str]) -> Result<(), BookToolError> {
    #[derive(Parser)]
    struct Shell {
        #[command(flatten)]
        args: Args,
    }
    let words = ["book"].iter().chain(arguments);
    super::run(&Shell::try_parse_from(words).unwrap().args)
}

fn after(moves: &str) -> Position {
    moves.split_whitespace().fold(Position::initial(), |p, m| {
        let m = parse_move(&p, m).unwrap();
        p.play(m)
    })
}

fn entry(line: &str, m: &str, weight: u16) -> Entry {
    let position = after(line);
    Entry {
        key: key(&position),
        code: move_code(parse_move(&position, m).unwrap()),
        weight,
        learn: 0,
    }
}

/// The moves that a book has after some moves.
fn moves(book: &Book, line: &str) -> Vec<(String, u16)> {
    let position = after(line);
    let known = book.moves(&position);
    let text = |m| uci(&position, m).to_string();
    known
        .iter()
        .map(|known| (text(known.m), known.weight))
        .collect()
}

fn open(path: &str) -> Book {
    Book::open(Path::new(path)).unwrap()
}

fn is(moves: &[(String, u16)], expected: &[(&str, u16)]) -> bool {
    let moves: Vec<(&str, u16)> = moves.iter().map(|(m, w)| (m.as_str(), *w)).collect();
    moves == expected
}

const GAMES: &str = r#"
[White "Anna"]
[Black "Bert"]
[Result "1-0"]
[WhiteElo "2400"]
[BlackElo "2400"]

1. e4 e5 2. Nf3 {a comment} Nc6 (2... d6 3. d4) 3. Bc4 1-0

[White "Bert"]
[Black "Anna"]
[Result "1/2-1/2"]
[WhiteElo "2000"]
[BlackElo "2000"]

1. e4 c5 1/2-1/2

[White "Carl"]
[Black "Bert"]
[Result "0-1"]

1. d4 d5 0-1

[White "Broken"]
[Result "1-0"]

1. e4 e5 2. Ke3 1-0

[White "Other"]
[Variant "Atomic"]
[Result "1-0"]

1. e4 1-0

[White "Unfinished"]
[Result "*"]

1. c4 *
"#;

#[test]
fn games_make_a_book() {
    let directory = Directory::new("games");
    let pgn = directory.file("games.pgn", GAMES);
    let out = directory.path("book.bin");
    let build = |more: &[&str]| {
        let arguments = ["build", &pgn, "--out", &out, "--min-games", "1"];
        run(&[&arguments[..], more].concat()).unwrap();
        open(&out)
    };
    let book = build(&[]);
    assert!(is(&moves(&book, ""), &[("e2e4", 3), ("d2d4", 0)]));
    assert!(is(&moves(&book, "e4"), &[("c7c5", 1), ("e7e5", 0)]));
    assert!(is(&moves(&book, "e4 e5 Nf3 Nc6"), &[("f1c4", 2)]));
    assert!(moves(&book, "e4 e5 Nf3 Nc6 Bc4").is_empty());
    let book = build(&["--weight-by", "games"]);
    // The game without a result counts here.
    let first = moves(&book, "");
    assert_eq!(first.iter().map(|known| known.1).sum::<u16>(), 4);
    assert_eq!(first[0], ("e2e4".to_owned(), 2));
    let book = build(&["--weight-by", "rating"]);
    // 400 points are worth a factor of four; without a rating it is one.
    assert!(is(&moves(&book, ""), &[("e2e4", 900), ("d2d4", 0)]));
    let book = build(&["--max-ply", "1"]);
    assert!(moves(&book, "e4").is_empty());
    let book = build(&["--min-elo", "2100"]);
    assert!(is(&moves(&book, ""), &[("e2e4", 2)]));
    let book = build(&["--min-plies", "3"]);
    assert!(moves(&book, "d4").is_empty());
    let book = build(&["--side", "black"]);
    assert!(moves(&book, "").is_empty());
    assert!(is(&moves(&book, "d4"), &[("d7d5", 2)]));
    let book = build(&["--player", "anna"]);
    assert!(is(&moves(&book, ""), &[("e2e4", 2)]));
    assert!(is(&moves(&book, "e4"), &[("c7c5", 1)]));
    let book = build(&["--min-score", "60"]);
    assert!(is(&moves(&book, ""), &[("e2e4", 3)]));
    assert!(moves(&book, "e4").is_empty());
    assert_eq!(book.first_unsorted(), None);
}

#[test]
fn every_kind_of_move_is_taken_from_games() {
    let directory = Directory::new("kinds");
    let pgn = directory.file(
        "games.pgn",
        r#"
[Result "1-0"]

1. e4 Nf6 2. e5 d5 3. exd6 g6 4. dxc7 Bg7 5. cxb8=N O-O 6. Nf3 a6 7. Be2 a5 8. O-O 1-0

[Variant "Chess960"]
[FEN "1k4r1/pppppppp/8/8/8/8/PPPPPPPP/1R4KR w HBg - 0 1"]
[Result "1-0"]

1. O-O-O a6 1-0
"#,
    );
    let out = directory.path("book.bin");
    run(&["build", &pgn, "--out", &out, "--min-games", "1"]).unwrap();
    let book = open(&out);
    let line = "e4 Nf6 e5 d5 exd6 g6 dxc7 Bg7 cxb8=N O-O Nf3 a6 Be2 a5";
    let words: Vec<&str> = line.split(' ').collect();
    for (ply, expected) in [(4, "e5d6"), (8, "c7b8n"), (9, "e8g8"), (14, "e1g1")] {
        assert_eq!(moves(&book, &words[..ply].join(" "))[0].0, expected);
    }
    let fen = "1k4r1/pppppppp/8/8/8/8/PPPPPPPP/1R4KR w HBg - 0 1";
    let position = parse_fen(fen, true).unwrap().position;
    let known = book.moves(&position);
    assert_eq!(uci(&position, known[0].m).to_string(), "g1b1");
}

#[test]
fn positions_and_lines_make_a_book() {
    let directory = Directory::new("lines");
    let epd = directory.file(
        "positions.epd",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4; c0 \"e4=7, d4=2\";\nnonsense\n",
    );
    let tsv = directory.file(
        "lines.tsv",
        "# comment\r\neco\tname\tpgn\r\nC20\tKing's Pawn\t1. e4 e5\r\nA00\tBad\t1. e4 Ke7\r\nB20\tSicilian\t1.e4 1...c5 2.b2b4\r\n",
    );
    let out = directory.path("book.bin");
    run(&["build", &epd, &tsv, "--out", &out]).unwrap();
    let book = open(&out);
    assert!(is(&moves(&book, ""), &[("e2e4", 9), ("d2d4", 2)]));
    assert!(is(&moves(&book, "e4"), &[("c7c5", 1), ("e7e5", 1)]));
    assert!(is(&moves(&book, "e4 c5"), &[("b2b4", 1)]));
    let written = directory.path("written.tsv");
    run(&["lines", &tsv, "--out", &written, "--origin", "here"]).unwrap();
    let text = std::fs::read_to_string(&written).unwrap();
    let expected = "# here\neco\tname\tmoves\nB20\tSicilian\te4 c5 b4\nC20\tKing's Pawn\te4 e5\n";
    assert_eq!(text, expected);
    let again = lines::read(Path::new(&written), |fault| panic!("{fault}")).unwrap();
    let mut faults = Vec::new();
    let mut first = lines::read(Path::new(&tsv), |fault| faults.push(fault.to_string())).unwrap();
    first.sort_by(|a, b| a.eco.cmp(&b.eco));
    assert_eq!(first, again);
    assert!(
        faults[0].contains("lines.tsv: line 4: illegal"),
        "{faults:?}"
    );
}

#[test]
fn what_cannot_be_used_is_named() {
    let directory = Directory::new("errors");
    let out = directory.path("book.bin");
    let empty = directory.file("empty.pgn", "");
    let columns = directory.file("columns.tsv", "a\tb\n");
    let odd = directory.file("odd.bin", "1234567");
    for (arguments, part) in [
        (
            &["build", "x.doc", "--out", &out][..],
            "x.doc: a file of games",
        ),
        (&["build", "/nowhere.pgn", "--out", &out], "/nowhere.pgn: "),
        (&["build", &empty, "--out", &out], "no move is left"),
        (
            &["build", &columns, "--out", &out],
            "columns.tsv: line 1: no names of columns",
        ),
        (
            &["build", &empty, "--out", &out, "--within", "9"],
            "go with --nodes",
        ),
        (
            &["info", &odd],
            "odd.bin: not a whole Polyglot book: 7 bytes",
        ),
        (&["merge", &odd, "--out", &out], "odd.bin: not a whole"),
        (&["probe", "--fen", "x"], "\"x\": not a FEN"),
        (&["probe", "--moves", "e5"], "illegal"),
    ] {
        let error = run(arguments).unwrap_err().to_string();
        assert!(error.contains(part), "{arguments:?}: {error}");
    }
    assert!(!Path::new(&out).exists());
}

#[test]
fn weights_are_scaled_to_sixteen_bits() {
    let mut draft = Draft::default();
    for (code, weight) in [(1, 131_070.0), (2, 65_535.0), (3, 0.4), (4, 0.0)] {
        let tally = Tally {
            weight,
            ..Tally::default()
        };
        draft.add(9, code, tally);
        draft.add(8, code, Tally::default());
    }
    let entries = draft.into_entries();
    let weights: Vec<(u64, u16, u16)> = entries.iter().map(|e| (e.key, e.code, e.weight)).collect();
    let zeros = [(8, 1, 0), (8, 2, 0), (8, 3, 0), (8, 4, 0)];
    assert_eq!(weights[..4], zeros);
    assert_eq!(
        weights[4..],
        [(9, 1, 65_535), (9, 2, 32_768), (9, 3, 1), (9, 4, 0)]
    );
}

#[test]
fn a_book_is_read_as_it_was_written() {
    let directory = Directory::new("round-trip");
    let out = directory.path("book.bin");
    let mut draft = Draft::default();
    let start = Position::initial();
    for (&m, weight) in start.legal_moves().iter().zip(1_u16..) {
        let tally = Tally {
            weight: f64::from(weight),
            ..Tally::default()
        };
        draft.add(key(&start), move_code(m), tally);
    }
    let entries = draft.into_entries();
    draft::write(Path::new(&out), &entries).unwrap();
    let book = open(&out);
    assert_eq!(book.entries().collect::<Vec<_>>(), entries);
    assert_eq!((book.moves(&start).len(), book.positions()), (20, 1));
    assert_eq!(book.moves(&start)[0].weight, 20);
}

#[test]
fn books_are_put_together_sorted() {
    let directory = Directory::new("merge");
    let bytes = |entries: &[Entry]| -> Vec<u8> {
        entries.iter().flat_map(|entry| entry.to_bytes()).collect()
    };
    let (e4, d4, e5) = (entry("", "e4", 5), entry("", "d4", 1), entry("e4", "e5", 2));
    let without_move = Entry { code: 0, ..e4 };
    let unsorted = directory.file("a.bin", bytes(&[e5, e4, d4, e4]));
    let sorted = directory.file("b.bin", bytes(&[without_move, e4]));
    let out = directory.path("book.bin");
    run(&["merge", &unsorted, &sorted, "--out", &out]).unwrap();
    let book = open(&out);
    assert_eq!((book.first_unsorted(), book.len()), (None, 3));
    assert!(is(&moves(&book, ""), &[("e2e4", 10), ("d2d4", 1)]));
    assert!(is(&moves(&book, "e4"), &[("e7e5", 2)]));
    // Sorted into itself.
    run(&["merge", &unsorted, "--out", &unsorted]).unwrap();
    assert_eq!(open(&unsorted).len(), 3);
}

/// The moves kept, after judging a position by the moves that lead to it.
fn kept(
    entries: &[Entry],
    rules: (i32, Option<i32>),
    score: impl Fn(&str) -> i32,
) -> Vec<(String, u16)> {
    let graph = Graph::new(entries.iter().copied(), 0);
    let scores: Vec<i32> = graph
        .nodes
        .iter()
        .map(|node| {
            let path = graph.path(node);
            let words: Vec<String> = path.iter().map(|&(p, m)| san(p, m)).collect();
            score(&words.join(" "))
        })
        .collect();
    let rules = Rules {
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
            let mut words: Vec<String> = graph.path(node).iter().map(|&(p, m)| san(p, m)).collect();
            words.push(san(&node.position, edge.unwrap().m));
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
    // d4 loses 20 against the 30 of e4, a4 70. White's 90 is what the search thought of e4, and e5 is worse than that for nobody.
    let expected = [("d4", 250), ("e4", 1000), ("e4 e5", 1000)];
    assert!(is(
        &kept(&entries, (200, Some(45)), score),
        &[("a4", 8), expected[0], expected[1], expected[2]]
    ));
    assert!(is(&kept(&entries, (50, None), score), &expected));
    // An exit at 40 for Black is too far, and nothing else is left out.
    assert!(is(&kept(&entries, (200, Some(35)), score), &expected));
}

#[test]
fn a_position_without_good_moves_becomes_an_exit() {
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
    // If that exit is too far as well, the move to it goes, too.
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
    let entries: Vec<Entry> = (0..4)
        .map(|ply| entry(&circle[..ply].join(" "), circle[ply], 1))
        .collect();
    let kept = kept(&entries, (50, Some(80)), |_| 0);
    // The last move leads to where it all began.
    assert_eq!(kept.len(), 3);
}

#[test]
fn scores_depend_on_the_position_alone() {
    let directory = Directory::new("scores");
    let positions: Vec<Position> = ["", "e4", "e4 e5", "d4 d5 c4", "e4 c5"].map(after).into();
    let judge = |scores: &mut Scores, jobs| judge_all(positions.iter(), scores, jobs).unwrap();
    let mut unkept = Scores::open(None, 300).unwrap();
    let alone = judge(&mut unkept, 1);
    let path = directory.0.join("scores.epd");
    let mut scores = Scores::open(Some(&path), 300).unwrap();
    assert_eq!(judge(&mut scores, 3), alone);
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), 5);
    // A run that was broken off in the middle of a line goes on.
    std::fs::write(&path, &text[..text.len() - 60]).unwrap();
    let mut scores = Scores::open(Some(&path), 300).unwrap();
    assert_eq!(judge(&mut scores, 2), alone);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    // What is known is not searched.
    let first = epd(&positions[0]);
    std::fs::write(&path, format!("{first} acn 300; ce 77;\n")).unwrap();
    let mut scores = Scores::open(Some(&path), 300).unwrap();
    assert_eq!(judge(&mut scores, 1)[0], 77);
    let mut others = Scores::open(Some(&path), 400).unwrap();
    assert_eq!(others.get(&first), None);
    assert_ne!(judge(&mut others, 1)[0], 77);
    std::fs::write(&path, "nonsense\n").unwrap();
    let error = Scores::open(Some(&path), 300).unwrap_err().to_string();
    assert!(error.contains("scores.epd: line 1: "), "{error}");
}

#[test]
fn exits_are_searched_and_written() {
    let directory = Directory::new("exits");
    let tsv = directory.file(
        "lines.tsv",
        "moves\ne4 e5 Nf3\nd4 d5\ne4 e5 Qh5 Ke7 Qxe5\nd4 e6 e4\ne4 e6 d4\n",
    );
    let book = directory.path("book.bin");
    run(&["build", &tsv, "--out", &book]).unwrap();
    let (epd_file, pgn_file) = (directory.path("exits.epd"), directory.path("exits.pgn"));
    run(&["exits", &book, "--epd", &epd_file, "--pgn", &pgn_file]).unwrap();
    let openings = std::fs::read_to_string(&epd_file).unwrap();
    // Two of the five end in one position.
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
    // The games lead to a book with the same exits.
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
    run(&["exits", &again, "--epd", &epd_file]).unwrap();
    let mut lines: Vec<&str> = openings.lines().collect();
    let again = std::fs::read_to_string(&epd_file).unwrap();
    let mut others: Vec<&str> = again.lines().collect();
    lines.sort_unstable();
    others.sort_unstable();
    assert_eq!(lines, others);
    // A mate is too far for every bound.
    let error = run(&[
        "exits", &book, "--nodes", "500", "--jobs", "2", "--within", "9999",
    ]);
    assert!(matches!(
        error,
        Err(BookToolError::BadExits {
            bad: 1,
            exits: 4,
            ..
        })
    ));
}

#[test]
fn weighing_a_book_does_not_depend_on_the_jobs() {
    let directory = Directory::new("weighing");
    let tsv = directory.file("lines.tsv", "moves\ne4 e5\nd4 d5\ng4 d5\nf3 e5 g4\n");
    let (one, two) = (directory.path("one.bin"), directory.path("two.bin"));
    let rules = ["--nodes", "2000", "--max-loss", "60", "--within", "150"];
    run(&[&["build", &tsv, "--out", &one, "--jobs", "1"], &rules[..]].concat()).unwrap();
    let plain = directory.path("plain.bin");
    run(&["build", &tsv, "--out", &plain]).unwrap();
    run(&[&["eval", &plain, "--out", &two, "--jobs", "3"], &rules[..]].concat()).unwrap();
    assert_eq!(std::fs::read(&one).unwrap(), std::fs::read(&two).unwrap());
    // Fool's mate is in no book.
    assert!(moves(&open(&one), "f3 e5").is_empty());
    assert!(!moves(&open(&one), "").is_empty());
}

fn verify(path: &str) -> (bool, String) {
    let mut out = Vec::new();
    let args = look::VerifyArgs {
        book: Some(path.into()),
    };
    let sound = look::verify(&args, &mut out).is_ok();
    (sound, String::from_utf8(out).unwrap())
}

#[test]
fn faults_are_found() {
    let directory = Directory::new("faults");
    let write = |name: &str, entries: &[Entry]| {
        let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_bytes()).collect();
        directory.file(name, bytes)
    };
    let (e4, e5) = (entry("", "e4", 5), entry("e4", "e5", 2));
    assert!(e4.key < e5.key);
    assert!(verify(&write("good.bin", &[e4, e5])).0);
    let far = Entry {
        key: u64::MAX,
        ..e4
    };
    let (sound, text) = verify(&write("far.bin", &[e4, far]));
    assert!(
        sound && text.contains("1 entries could not be checked"),
        "{text}"
    );
    for (entries, part) in [
        (vec![e5, e4], "entry 2: not in the order of keys"),
        (vec![e4, e4], "1 entries with a move that is there already"),
        (vec![Entry { weight: 0, ..e4 }], "no move has a weight"),
        (vec![Entry { code: 0o1444, ..e4 }], "illegal move e2e5"),
        (
            vec![Entry { code: 0xf000, ..e4 }],
            "entry 1: 0xf000 is no move",
        ),
    ] {
        let (sound, text) = verify(&write("bad.bin", &entries));
        assert!(!sound && text.contains(part), "{text}");
        assert!(text.contains(", 1 faults\n"), "{text}");
    }
}

#[test]
fn the_embedded_book_is_sound() {
    let book = Book::embedded().unwrap();
    let mut out = Vec::new();
    look::verify(&look::VerifyArgs { book: None }, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(!text.contains("could not be checked"), "{text}");
    let first = moves(&book, "");
    for wanted in ["e2e4", "d2d4", "g1f3", "c2c4"] {
        assert!(first.iter().any(|(m, _)| m == wanted), "{first:?}");
    }
}

#[test]
fn books_for_one_side_are_walked() {
    // Black's moves only.
    let entries = [
        entry("e4", "e5", 1),
        entry("e4 e5 Nf3", "Nc6", 1),
        entry("d4", "d5", 1),
    ];
    let graph = Graph::new(entries, 0);
    let edges: usize = graph.nodes.iter().map(|node| node.edges.len()).sum();
    assert_eq!((edges, graph.exits().count()), (3, 3));
}

#[test]
fn many_positions_are_probed_in_one_go() {
    let directory = Directory::new("probe");
    let bytes: Vec<u8> = [entry("", "e4", 5), entry("", "d4", 7)]
        .iter()
        .flat_map(|entry| entry.to_bytes())
        .collect();
    let args = look::ProbeArgs {
        book: Some(directory.file("book.bin", bytes).into()),
        fen: None,
        moves: Vec::new(),
        stdin: true,
        chess960: false,
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let input = format!("{start}\r\n8/8/8/8/8/k7/8/K7 w - - 0 1\n\u{fffd}nonsense\n{start}");
    let mut out = Vec::new();
    look::probe(&args, input.as_bytes(), &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..2], ["d2d4 7 e2e4 5", "-"]);
    assert!(lines[2].starts_with("error: "), "{text}");
    assert_eq!(lines[3], lines[0]);
}

/// Walks the books of other people.
#[test]
#[ignore = "needs test data: QUEVEDO_TEST_DATA names the directory"]
fn books_of_others_are_sound_with_test_data() {
    let data = std::env::var("QUEVEDO_TEST_DATA").expect("the directory with test data");
    for (name, entries, moves, faults) in [
        ("gm2001.bin", 30_416, 29_000, 0),
        ("performance.bin", 92_954, 90_000, 0),
        ("rodent.bin", 175_355, 168_000, 3),
    ] {
        let path = Path::new(&data).join("polyglot").join(name);
        let book = Book::open(&path).unwrap();
        assert_eq!(book.len(), entries, "{name}");
        let graph = Graph::new(book.entries(), 0);
        let reached: usize = graph.nodes.iter().map(|node| node.edges.len()).sum();
        assert!(reached > moves, "{name}: {reached}");
        assert!(
            graph.nodes.iter().all(|node| node.illegal.is_empty()),
            "{name}"
        );
        let (_, text) = verify(path.to_str().unwrap());
        assert!(
            text.contains(&format!(", {faults} faults\n")),
            "{name}: {text}"
        );
        // What the reader finds is what stands in the file.
        for node in graph.nodes.iter().filter(|node| !node.edges.is_empty()) {
            let mut expected: Vec<_> = node.edges.iter().map(|e| (e.m.code(), e.weight)).collect();
            let known = book.moves(&node.position);
            let mut found: Vec<_> = known.iter().map(|k| (k.m.code(), k.weight)).collect();
            if book.first_unsorted().is_none() {
                expected.sort_unstable();
                found.sort_unstable();
                assert_eq!(expected, found, "{name}: {}", epd(&node.position));
            }
        }
    }
}
