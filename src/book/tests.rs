//! Tests of keys, entries, files and the choice of moves.

use std::collections::HashSet;
use std::path::PathBuf;

use shakmaty::CastlingMode;

use super::entry::{find_move, move_code};
use super::file::{Book, BookError};
use super::play::OwnBook;
use super::{BookEntry, key};
use crate::position::Position;
use crate::position::notation::{parse_fen, parse_uci, uci};

fn position(fen: &str) -> Position {
    parse_fen(fen, false).unwrap().position
}

fn after(moves: &str) -> Position {
    moves.split_whitespace().fold(Position::initial(), |p, m| {
        let m = parse_uci(&p, m).unwrap();
        p.play(m)
    })
}

/// Creates an entry for a move in UCI notation.
fn entry(position: &Position, m: &str, weight: u16) -> BookEntry {
    BookEntry {
        key: key(position),
        code: move_code(parse_uci(position, m).unwrap()),
        weight,
        learn: 0,
    }
}

fn bytes(entries: &[BookEntry]) -> Vec<u8> {
    entries.iter().flat_map(|entry| entry.to_bytes()).collect()
}

fn book(mut entries: Vec<BookEntry>) -> Book {
    entries.sort_by_key(|entry| entry.key);
    Book::from_bytes(bytes(&entries)).unwrap()
}

fn moves(book: &Book, position: &Position) -> Vec<(String, u16)> {
    book.moves(position)
        .iter()
        .map(|known| (uci(position, known.m).to_string(), known.weight))
        .collect()
}

#[test]
fn keys_are_those_of_the_format_description() {
    for (moves, expected) in [
        ("", 0x463b_9618_1691_fc9c),
        ("e2e4", 0x823c_9b50_fd11_4196),
        ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
        ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
        ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
        ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
        ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
        ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
        ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
    ] {
        assert_eq!(key(&after(moves)), expected, "{moves}");
    }
}

#[test]
fn en_passant_counts_where_a_pawn_stands_beside_even_if_it_is_pinned() {
    let with = |square: &str| position(&format!("8/8/8/8/k1pP3R/8/8/4K3 b - {square} 0 1"));
    // The capture is illegal: it would open the rank to the rook.
    assert_eq!(with("d3").key(), with("-").key());
    assert_ne!(key(&with("d3")), key(&with("-")));
    let alone = |square: &str| position(&format!("4k3/8/8/8/3P4/8/8/4K3 b - {square} 0 1"));
    assert_eq!(key(&alone("d3")), key(&alone("-")));
}

#[test]
fn every_kind_of_move_goes_through_a_book() {
    for (fen, m, code) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", 0o0407),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", 0o0400),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", 0o7470),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0o4453),
        ("3r4/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7d8n", 0o16473),
        ("3r4/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", 0o46474),
    ] {
        let position = position(fen);
        assert_eq!(entry(&position, m, 1).code, code, "{m}");
        let book = book(vec![entry(&position, m, 1)]);
        assert_eq!(moves(&book, &position), [(m.to_owned(), 1)]);
    }
}

#[test]
fn castling_is_understood_in_steps_in_standard_chess_only() {
    let steps = 0o0406;
    let standard = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    let m = find_move(&standard, steps).unwrap();
    assert!(m.is_castling());
    // Without the castling right there is no such move.
    let lost = position("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1");
    assert_eq!(find_move(&lost, steps), None);
    assert_eq!(find_move(&lost, 0o0407), None);
    let chess960 = parse_fen("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", true)
        .unwrap()
        .position;
    assert_eq!(chess960.castling_mode(), CastlingMode::Chess960);
    assert_eq!(find_move(&chess960, steps), None);
    assert!(find_move(&chess960, 0o0407).is_some());
}

#[test]
fn chess960_castling_goes_through_a_book() {
    // The king already stands on its castling square, next to its rook.
    for (fen, m) in [
        ("k7/8/8/8/8/8/8/1R4KR w H - 0 1", "g1h1"),
        ("7k/8/8/8/8/8/8/RK6 w A - 0 1", "b1a1"),
    ] {
        let position = position(fen);
        let book = book(vec![entry(&position, m, 7)]);
        let known = book.moves(&position);
        assert!(known[0].m.is_castling(), "{m}");
        assert_eq!(moves(&book, &position), [(m.to_owned(), 7)]);
    }
}

#[test]
fn every_legal_move_has_a_code_of_its_own() {
    for line in include_str!("../../epd-suites/perft-tricky.epd").lines() {
        let fen: Vec<&str> = line.split_whitespace().take(4).collect();
        let Ok(parsed) = parse_fen(&fen.join(" "), false) else {
            continue;
        };
        let legal = parsed.position.legal_moves();
        let codes: HashSet<u16> = legal.iter().map(|&m| move_code(m)).collect();
        assert_eq!(codes.len(), legal.len(), "{line}");
        for &m in &legal {
            assert_eq!(find_move(&parsed.position, move_code(m)), Some(m), "{line}");
        }
        let plausible = |code: u16| {
            BookEntry {
                key: 0,
                code,
                weight: 0,
                learn: 0,
            }
            .is_plausible()
        };
        assert!(codes.iter().all(|&code| plausible(code)));
    }
}

#[test]
fn entries_are_written_as_they_were_read() {
    let bytes: [u8; 16] = std::array::from_fn(|index| index as u8 * 15 + 3);
    let entry = BookEntry::from_bytes(&bytes);
    assert_eq!(entry.key, 0x0312_2130_3f4e_5d6c);
    assert_eq!((entry.code, entry.weight), (0x7b8a, 0x99a8));
    assert_eq!(entry.learn, 0xb7c6_d5e4);
    assert_eq!(entry.to_bytes(), bytes);
}

#[test]
fn what_is_no_legal_move_is_left_out() {
    let start = Position::initial();
    let good = entry(&start, "e2e4", 3);
    let with_code = |code| BookEntry { code, ..good };
    let book = book(vec![
        with_code(0),
        with_code(good.code | 0x8000),
        with_code(good.code | 4 << 12),
        with_code(good.code | 7 << 12),
        with_code(0o1454),
        with_code(0o0407),
        good,
        BookEntry { weight: 9, ..good },
        entry(&start, "d2d4", 5),
    ]);
    assert_eq!(
        moves(&book, &start),
        [("e2e4".to_owned(), 9), ("d2d4".to_owned(), 5)]
    );
    let mut own = OwnBook {
        enabled: true,
        variety: 100,
        book: Some(book),
        ..OwnBook::default()
    };
    for seed in 1..200 {
        own.seed = seed;
        let choice = own.choose(&start, &[]).unwrap();
        assert!(start.is_legal(choice.m));
        assert_eq!(choice.total, 14);
    }
}

#[test]
fn files_that_are_no_books_are_refused() {
    let start = Position::initial();
    let whole = bytes(&[entry(&start, "e2e4", 1), entry(&start, "d2d4", 1)]);
    assert!(matches!(
        Book::from_bytes(whole[..31].to_vec()),
        Err(BookError::OddSize(31))
    ));
    assert!(matches!(
        Book::from_bytes(Vec::new()),
        Err(BookError::Empty)
    ));
    let text = "Certainly not a book, but a text, which happens to have 64 bytes";
    assert_eq!(text.len(), 64);
    assert!(matches!(
        Book::from_bytes(text.as_bytes().to_vec()),
        Err(BookError::NotABook(_))
    ));
    // Sorted bytes that are no moves.
    assert!(matches!(
        Book::from_bytes(vec![0; 160]),
        Err(BookError::NoMoves)
    ));
    assert!(matches!(
        Book::open(&PathBuf::from("/nowhere/at.all")),
        Err(BookError::Io(_))
    ));
    let error = Book::open(&std::env::temp_dir()).unwrap_err();
    assert!(error.to_string().contains("not a file"), "{error}");
}

#[test]
fn an_unsorted_book_is_reported_and_read_as_a_whole() {
    let start = Position::initial();
    let child = after("e2e4");
    let mut entries = vec![
        entry(&start, "e2e4", 1),
        entry(&child, "e7e5", 2),
        entry(&start, "d2d4", 3),
    ];
    let book = Book::from_bytes(bytes(&entries)).unwrap();
    assert!(key(&start) < key(&child));
    assert_eq!(book.first_unsorted(), Some(3));
    assert!(book.summary().contains("entry 3 is out of order"));
    assert_eq!(moves(&book, &start).len(), 2);
    assert_eq!(moves(&book, &child).len(), 1);
    entries.sort_by_key(|entry| entry.key);
    let book = Book::from_bytes(bytes(&entries)).unwrap();
    assert_eq!((book.first_unsorted(), book.positions()), (None, 2));
    assert_eq!(book.summary(), "3 entries for 2 positions");
    assert_eq!(moves(&book, &start).len(), 2);
}

#[test]
fn entries_at_both_ends_of_a_file_are_found() {
    let entries: Vec<BookEntry> = (0..100_u64)
        .map(|number| BookEntry {
            key: number / 3,
            code: 1,
            weight: number as u16,
            learn: 0,
        })
        .collect();
    let book = Book::from_bytes(bytes(&entries)).unwrap();
    for key in 0..35 {
        let expected: Vec<BookEntry> = entries
            .iter()
            .copied()
            .filter(|entry| entry.key == key)
            .collect();
        assert_eq!(book.find(key), expected);
    }
}

fn own(entries: Vec<BookEntry>) -> OwnBook {
    OwnBook {
        enabled: true,
        book: Some(book(entries)),
        ..OwnBook::default()
    }
}

/// Counts the choices of two moves of the initial position over 2000 seeds.
fn shares(own: &mut OwnBook) -> (usize, usize) {
    let start = Position::initial();
    let e4 = parse_uci(&start, "e2e4").unwrap();
    let chosen = |seed| {
        own.seed = seed;
        own.choose(&start, &[]).unwrap().m
    };
    let first = (1..=2000).map(chosen).filter(|&m| m == e4).count();
    (first, 2000 - first)
}

#[test]
fn variety_is_the_best_move_or_the_weights() {
    let start = Position::initial();
    let mut own = own(vec![
        entry(&start, "e2e4", 3000),
        entry(&start, "d2d4", 1000),
        entry(&start, "a2a3", 0),
    ]);
    let (first, _) = shares(&mut own);
    assert!((1400..1600).contains(&first), "{first}");
    own.variety = 50;
    // 9 to 1.
    let (first, _) = shares(&mut own);
    assert!((1740..1860).contains(&first), "{first}");
    own.variety = 1;
    assert_eq!(shares(&mut own), (2000, 0));
    own.variety = 0;
    assert_eq!(shares(&mut own), (2000, 0));
}

#[test]
fn a_seed_repeats_the_choice_and_no_seed_varies_it() {
    let start = Position::initial();
    let mut own = own(vec![entry(&start, "e2e4", 1), entry(&start, "d2d4", 1)]);
    let choices = |own: &OwnBook| -> HashSet<u16> {
        (0..100)
            .map(|_| own.choose(&start, &[]).unwrap().m.code())
            .collect()
    };
    assert_eq!(choices(&own).len(), 2);
    for seed in 1..20 {
        own.seed = seed;
        assert_eq!(choices(&own).len(), 1);
    }
}

#[test]
fn the_book_is_asked_only_when_it_is_of_use() {
    let start = Position::initial();
    let m = |text| parse_uci(&start, text).unwrap();
    let mut own = own(vec![
        entry(&start, "e2e4", 9),
        entry(&start, "d2d4", 1),
        entry(&start, "a2a3", 0),
    ]);
    own.variety = 0;
    assert_eq!(own.choose(&start, &[]).unwrap().m, m("e2e4"));
    assert_eq!(own.choose(&start, &[m("d2d4")]).unwrap().m, m("d2d4"));
    assert_eq!(own.choose(&start, &[m("a2a3"), m("h2h3")]), None);
    assert_eq!(own.choose(&after("e2e4"), &[]), None);
    own.analysing = true;
    assert_eq!(own.choose(&start, &[]), None);
    own.analysing = false;
    own.max_move = 0;
    assert_eq!(own.choose(&start, &[]), None);
    own.max_move = 1;
    assert!(own.choose(&start, &[]).is_some());
    own.enabled = false;
    assert_eq!(own.choose(&start, &[]), None);
}

#[test]
fn a_file_that_cannot_be_used_leaves_the_book_before() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("book.bin");
    let start = Position::initial();
    std::fs::write(&path, bytes(&[entry(&start, "h2h4", 1)])).unwrap();
    let mut own = OwnBook {
        enabled: true,
        ..OwnBook::default()
    };
    let said = own.load(path.to_str().unwrap()).unwrap().unwrap();
    assert!(said.ends_with(": 1 entry for 1 position"), "{said}");
    std::fs::remove_file(&path).unwrap();
    assert!(own.load("/nowhere").is_err());
    let h4 = parse_uci(&start, "h2h4").unwrap();
    assert_eq!(own.choose(&start, &[]).unwrap().m, h4);
    assert_eq!(own.load("").unwrap(), None);
    own.variety = 0;
    assert_ne!(own.choose(&start, &[]).unwrap().m, h4);
}
