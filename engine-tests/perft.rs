//! Compares move generation with the published counts in `epd-suites/`: standard chess, Chess960,
//! double Chess960, and positions with unusual en passant, castling and promotion.

use std::fs;
use std::path::Path;

use quevedo::engine::perft::perft;
use quevedo::position::notation::parse_fen;
use rayon::prelude::*;

/// A position and its counts, by increasing depth.
struct Entry {
    line: String,
    fen: String,
    counts: Vec<(u32, u64)>,
}

fn suite(name: &str) -> Vec<Entry> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("epd-suites")
        .join(name);
    let text = fs::read_to_string(path).unwrap();
    text.lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| {
            let fields: Vec<&str> = line.split_whitespace().collect();
            let fen = fields[..4].join(" ");
            let operations = fields[4..].join(" ");
            let mut counts = Vec::new();
            for operation in operations.split(';').map(str::trim) {
                if let Some((depth, count)) = operation
                    .strip_prefix('D')
                    .and_then(|rest| rest.split_once(' '))
                {
                    counts.push((depth.parse().unwrap(), count.parse().unwrap()));
                }
            }
            assert!(!counts.is_empty(), "{line}");
            Entry {
                line: line.to_owned(),
                fen,
                counts,
            }
        })
        .collect()
}

/// Checks every position of a suite at the deepest depth with at most `budget` nodes, or at the
/// first.
fn check(name: &str, size: usize, budget: u64) {
    let entries = suite(name);
    assert_eq!(entries.len(), size);
    entries.par_iter().for_each(|entry| {
        let position = parse_fen(&entry.fen, false).unwrap().position;
        let affordable = |&&(_, count): &&(u32, u64)| count <= budget;
        let deepest = entry.counts.iter().rev().find(affordable);
        let &(depth, count) = deepest.unwrap_or(&entry.counts[0]);
        assert_eq!(
            perft(&position, depth),
            count,
            "depth {depth}: {}",
            entry.line
        );
    });
}

const STANDARD: (&str, usize) = ("perft-standard.epd", 128);
const CHESS960: (&str, usize) = ("perft-chess960.epd", 960);
const DOUBLE_CHESS960: (&str, usize) = ("perft-double-chess960.epd", 120);
const TRICKY: (&str, usize) = ("perft-tricky.epd", 26);

/// The factor of the limits of nodes: a development build counts less than a release build.
const QUICK: u64 = if cfg!(debug_assertions) { 1 } else { 3 };

#[test]
fn standard_counts() {
    check(STANDARD.0, STANDARD.1, 70_000_000 * QUICK);
}

#[test]
fn chess960_counts() {
    check(CHESS960.0, CHESS960.1, 7_000_000 * QUICK);
}

#[test]
fn double_chess960_counts() {
    check(DOUBLE_CHESS960.0, DOUBLE_CHESS960.1, u64::MAX);
}

#[test]
fn tricky_counts() {
    check(TRICKY.0, TRICKY.1, u64::MAX);
}

#[test]
#[ignore = "takes minutes"]
fn standard_counts_deeper_slow() {
    check(STANDARD.0, STANDARD.1, u64::MAX);
}

#[test]
#[ignore = "takes minutes"]
fn chess960_counts_deeper_slow() {
    check(CHESS960.0, CHESS960.1, 100_000_000);
}
