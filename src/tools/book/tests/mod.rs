//! Tests of all commands on books.

mod inspect;
mod weighing;

use std::path::{Path, PathBuf};

use clap::Parser;
use tempfile::TempDir;

use super::builder::{self, BookBuilder, MoveStats};
use super::{BookArgs, BookToolError, Exit, lines};
use crate::book::entry::move_code;
use crate::book::{Book, BookEntry, key};
use crate::position::Position;
use crate::position::notation::{parse_fen, parse_move, uci};

/// A directory that is removed at the end of a test.
struct Directory(TempDir);

impl Directory {
    fn new() -> Directory {
        Directory(tempfile::tempdir().unwrap())
    }

    fn file(&self, name: &str, text: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        std::fs::write(&path, text).unwrap();
        path
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }
}

#[derive(Parser)]
struct Shell {
    #[command(flatten)]
    args: BookArgs,
}

fn parse(arguments: &[&str]) -> Result<BookArgs, clap::Error> {
    let words = ["book"].iter().chain(arguments);
    Shell::try_parse_from(words).map(|shell| shell.args)
}

/// Runs `quevedo book` with these arguments.
fn run(arguments: &[&str]) -> Result<Exit, BookToolError> {
    super::run(&parse(arguments).unwrap())
}

fn after(moves: &str) -> Position {
    moves.split_whitespace().fold(Position::initial(), |p, m| {
        let m = parse_move(&p, m).unwrap();
        p.play(m)
    })
}

fn entry(line: &str, m: &str, weight: u16) -> BookEntry {
    let position = after(line);
    BookEntry {
        key: key(&position),
        code: move_code(parse_move(&position, m).unwrap()),
        weight,
        learn: 0,
    }
}

/// Returns the moves of a book after some moves.
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

[White "Cut off"]
[Result "1-0"]

1. b4 {a comment without an end
"#;

#[test]
fn games_make_a_book() {
    let directory = Directory::new();
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
    let entries: Vec<BookEntry> = book.entries().collect();
    let mut positions = entries.chunk_by(|one, other| one.key == other.key);
    assert!(positions.all(|moves| moves[0].weight > 0), "{entries:?}");
    let book = build(&["--weight-by", "games"]);
    // The game without a result counts here.
    let first = moves(&book, "");
    assert_eq!(first.iter().map(|known| known.1).sum::<u16>(), 4);
    assert_eq!(first[0], ("e2e4".to_owned(), 2));
    let book = build(&["--weight-by", "rating"]);
    // 400 rating points make a factor of four; without a rating the factor is one.
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

/// Builds a book from the games of a file.
fn build_from(pgn: &str, out: &str, options: &str) -> Book {
    let arguments = ["build", pgn, "--out", out].into_iter();
    let arguments: Vec<&str> = arguments.chain(options.split(' ')).collect();
    run(&arguments).unwrap();
    open(out)
}

/// Builds a book from all games of a file, weighted by their number.
fn build_by_games(pgn: &str, out: &str) -> Book {
    build_from(pgn, out, "--min-games 1 --weight-by games")
}

#[test]
fn what_is_not_known_of_a_game_does_not_count() {
    let directory = Directory::new();
    let out = directory.path("games.bin");
    // A game without a result is no loss, with which the move would score a third.
    let games = "1. e4 e5 1-0\n\n1. e4 e5 *\n\n1. e4 e5 *\n\n";
    let pgn = directory.file("results.pgn", games);
    let book = build_from(&pgn, &out, "--min-games 3 --weight-by games --min-score 60");
    assert!(is(&moves(&book, ""), &[("e2e4", 3)]));
    // Two ratings run together are none.
    let games = "[WhiteElo \"2400\"]\n\n1. e4 1-0\n\n[WhiteElo \"27502680\"]\n\n1. a3 1-0\n";
    let pgn = directory.file("ratings.pgn", games);
    let book = build_from(&pgn, &out, "--min-games 1 --weight-by rating");
    assert!(is(&moves(&book, ""), &[("e2e4", 800), ("a2a3", 200)]));
}

#[test]
fn a_game_that_repeats_positions_counts_once() {
    let directory = Directory::new();
    let repeated = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 1-0\n";
    let pgn = directory.file("games.pgn", repeated);
    let out = directory.path("book.bin");
    let book = build_by_games(&pgn, &out);
    assert!(is(&moves(&book, ""), &[("g1f3", 1)]));
    let error = run(&["build", &pgn, "--out", &out, "--min-games", "2"]).unwrap_err();
    assert!(matches!(error, BookToolError::NothingLeft(_)), "{error}");
}

#[test]
fn an_empty_line_ends_no_game() {
    let directory = Directory::new();
    let pgn = directory.file(
        "games.pgn",
        "[White \"Anna\"]\r\n\r\n1. e4\r\n\r\n1... e5 {a\r\n\r\ncomment} 2. Nf3 (2. f4\r\n\r\nexf4) Nc6 1-0\r\n\r\n\
         1. d4 d5\n\n2. c4 1-0\n",
    );
    let out = directory.path("book.bin");
    let book = build_by_games(&pgn, &out);
    assert!(is(&moves(&book, ""), &[("d2d4", 1), ("e2e4", 1)]));
    assert!(is(&moves(&book, "e4"), &[("e7e5", 1)]));
    assert!(is(&moves(&book, "e4 e5 Nf3"), &[("b8c6", 1)]));
    assert!(is(&moves(&book, "d4 d5"), &[("c2c4", 1)]));
}

#[test]
fn every_kind_of_move_is_taken_from_games() {
    let directory = Directory::new();
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
    let book = build_by_games(&pgn, &out);
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
    let directory = Directory::new();
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
    let mut faults = Vec::new();
    let lines = lines::read(Path::new(&tsv), |fault| faults.push(fault.to_string())).unwrap();
    assert_eq!(lines.iter().map(Vec::len).collect::<Vec<_>>(), [2, 3]);
    assert!(
        faults[0].contains("lines.tsv: line 4: illegal"),
        "{faults:?}"
    );
}

#[test]
fn what_cannot_be_used_is_named() {
    let directory = Directory::new();
    let out = directory.path("book.bin");
    let empty = directory.file("empty.pgn", "");
    let columns = directory.file("columns.tsv", "a\tb\n");
    let odd = directory.file("odd.bin", "1234567");
    for (arguments, part) in [
        (
            &["build", "x.doc", "--out", &out][..],
            "x.doc: expected a file of games",
        ),
        (&["build", "/nowhere.pgn", "--out", &out], "/nowhere.pgn: "),
        (
            &["build", &empty, "--out", &out],
            "no game, position or line",
        ),
        (
            &["build", &columns, "--out", &out],
            "columns.tsv: line 1: expected a column",
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
fn a_search_of_no_nodes_is_refused() {
    for nodes in ["0", "1"] {
        for arguments in [
            &["build", "a.pgn", "--out", "b", "--nodes", nodes][..],
            &["eval", "a.bin", "--out", "b", "--nodes", nodes],
            &["eval", "a.bin", "--out", "b", "--leaf-nodes", nodes],
            &["leaves", "--nodes", nodes],
        ] {
            assert_eq!(parse(arguments).is_ok(), nodes == "1", "{arguments:?}");
        }
    }
}

#[test]
fn weights_are_scaled_to_sixteen_bits() {
    let mut builder = BookBuilder::default();
    for (code, weight) in [(1, 131_070.0), (2, 65_535.0), (3, 0.4), (4, 0.0)] {
        let stats = MoveStats {
            weight,
            ..MoveStats::default()
        };
        builder.add(9, code, stats);
        builder.add(8, code, MoveStats::default());
    }
    let entries = builder.into_entries();
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
    let directory = Directory::new();
    let out = directory.path("book.bin");
    let mut builder = BookBuilder::default();
    let start = Position::initial();
    for (&m, weight) in start.legal_moves().iter().zip(1_u16..) {
        let stats = MoveStats {
            weight: f64::from(weight),
            ..MoveStats::default()
        };
        builder.add(key(&start), move_code(m), stats);
    }
    let entries = builder.into_entries();
    builder::write(Path::new(&out), &entries).unwrap();
    let book = open(&out);
    assert_eq!(book.entries().collect::<Vec<_>>(), entries);
    assert_eq!((book.moves(&start).len(), book.positions()), (20, 1));
    assert_eq!(book.moves(&start)[0].weight, 20);
}

#[test]
fn books_are_put_together_sorted() {
    let directory = Directory::new();
    let bytes = |entries: &[BookEntry]| -> Vec<u8> {
        entries.iter().flat_map(|entry| entry.to_bytes()).collect()
    };
    let (e4, d4, e5) = (entry("", "e4", 5), entry("", "d4", 1), entry("e4", "e5", 2));
    let without_move = BookEntry { code: 0, ..e4 };
    let unsorted = directory.file("a.bin", bytes(&[e5, e4, d4, e4]));
    let sorted = directory.file("b.bin", bytes(&[without_move, e4]));
    let out = directory.path("book.bin");
    run(&["merge", &unsorted, &sorted, "--out", &out]).unwrap();
    let book = open(&out);
    assert_eq!((book.first_unsorted(), book.len()), (None, 3));
    assert!(is(&moves(&book, ""), &[("e2e4", 10), ("d2d4", 1)]));
    assert!(is(&moves(&book, "e4"), &[("e7e5", 2)]));
    // Merging a single book sorts it.
    run(&["merge", &unsorted, "--out", &unsorted]).unwrap();
    assert_eq!(open(&unsorted).len(), 3);
}
