//! Tests of `inspect`.

use super::*;
use crate::position::notation::epd;
use crate::tools::Exit;
use crate::tools::book::graph::BookGraph;
use crate::tools::book::inspect;

fn verify(path: &str) -> (bool, String) {
    let mut out = Vec::new();
    let args = inspect::InspectArgs {
        book: Some(path.into()),
    };
    let sound = inspect::verify(&args, &mut out).is_ok();
    (sound, String::from_utf8(out).unwrap())
}

#[test]
fn faults_are_found() {
    let directory = Directory::new();
    let write = |name: &str, entries: &[BookEntry]| {
        let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_bytes()).collect();
        directory.file(name, bytes)
    };
    let (e4, e5) = (entry("", "e4", 5), entry("e4", "e5", 2));
    assert!(e4.key < e5.key);
    assert!(verify(&write("good.bin", &[e4, e5])).0);
    let far = BookEntry {
        key: u64::MAX,
        ..e4
    };
    let (sound, text) = verify(&write("far.bin", &[e4, far]));
    assert!(sound && text.contains("1 entry not checked"), "{text}");
    for (entries, part) in [
        (vec![e5, e4], "entry 2: not in the order of keys"),
        (vec![e4, e4], "1 repetition of a move"),
        (vec![BookEntry { weight: 0, ..e4 }], "no move has a weight"),
        (vec![BookEntry { code: 0o1444, ..e4 }], "illegal move e2e5"),
        (
            vec![e4, BookEntry { code: 0xf000, ..e5 }],
            "entry 2: 0xf000 is no move",
        ),
    ] {
        let (sound, text) = verify(&write("bad.bin", &entries));
        assert!(!sound && text.contains(part), "{text}");
        assert!(text.contains(", 1 fault\n"), "{text}");
    }
}

#[test]
fn the_embedded_book_is_sound() {
    let book = Book::embedded().unwrap();
    let mut out = Vec::new();
    inspect::verify(&inspect::InspectArgs { book: None }, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(!text.contains("not checked"), "{text}");
    let first = moves(&book, "");
    for wanted in ["e2e4", "d2d4", "g1f3", "c2c4"] {
        assert!(first.iter().any(|(m, _)| m == wanted), "{first:?}");
    }
}

#[test]
fn books_for_one_side_are_walked() {
    // A book with moves for Black only.
    let entries = [
        entry("e4", "e5", 1),
        entry("e4 e5 Nf3", "Nc6", 1),
        entry("d4", "d5", 1),
    ];
    let graph = BookGraph::new(entries, 0);
    let edges: usize = graph.nodes.iter().map(|node| node.edges.len()).sum();
    assert_eq!((edges, graph.leaves().count()), (3, 3));
}

#[test]
fn many_positions_are_probed_in_one_go() {
    let directory = Directory::new();
    let bytes: Vec<u8> = [entry("", "e4", 5), entry("", "d4", 7)]
        .iter()
        .flat_map(|entry| entry.to_bytes())
        .collect();
    let args = inspect::ProbeArgs {
        book: Some(directory.file("book.bin", bytes).into()),
        fen: None,
        moves: Vec::new(),
        stdin: true,
        chess960: false,
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let input = format!("{start}\r\n8/8/8/8/8/k7/8/K7 w - - 0 1\n\u{fffd}nonsense\n{start}");
    let mut out = Vec::new();
    let exit = inspect::probe(&args, input.as_bytes(), &mut out).unwrap();
    assert_eq!(exit, Exit::Incomplete);
    let text = String::from_utf8(out).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[..2], ["d2d4 7 e2e4 5", "-"]);
    assert!(lines[2].starts_with("error: "), "{text}");
    assert_eq!(lines[3], lines[0]);
}

/// Reads books by other programs.
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
        let graph = BookGraph::new(book.entries(), 0);
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
        // The reader finds the entries of the file. An unsorted book is read as a whole for each
        // position, which is too slow here.
        let sorted = book.first_unsorted().is_none();
        let nodes = graph
            .nodes
            .iter()
            .filter(|node| sorted && !node.edges.is_empty());
        for node in nodes {
            let mut expected: Vec<_> = node.edges.iter().map(|e| (e.m.code(), e.weight)).collect();
            let known = book.moves(&node.position);
            let mut found: Vec<_> = known.iter().map(|k| (k.m.code(), k.weight)).collect();
            expected.sort_unstable();
            found.sort_unstable();
            assert_eq!(expected, found, "{name}: {}", epd(&node.position));
        }
    }
}
