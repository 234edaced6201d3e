//! `book info`, `probe`, `dump` and `verify`: the contents of a book.

use std::collections::HashMap;
use std::io::{BufRead, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::graph::BookGraph;
use super::{BookToolError, open};
use crate::book::entry::find_move;
use crate::book::{Book, BookEntry, key};
use crate::plural::count;
use crate::position::notation::{epd, fen, parse_fen, parse_move, san, uci};
use crate::position::{Move, Position};
use crate::tools::Exit;
use crate::tools::kit::IoContext as _;
use crate::tools::kit::args::start_position;
use crate::tools::kit::progress::say;

/// The arguments of `book info`, `dump` and `verify`.
#[derive(Clone, Debug, clap::Args)]
pub struct InspectArgs {
    /// The book; the embedded one if not given
    #[arg(value_name = "FILE")]
    pub book: Option<PathBuf>,
}

/// Arguments of `book probe`.
#[derive(Clone, Debug, clap::Args)]
pub struct ProbeArgs {
    /// The book; the embedded one if not given
    #[arg(value_name = "FILE")]
    pub book: Option<PathBuf>,
    /// The position; the initial one if not given
    #[arg(long, value_name = "FEN", conflicts_with = "stdin")]
    pub fen: Option<String>,
    /// Moves to play first, in SAN or UCI notation
    #[arg(long, value_name = "MOVE", num_args = 1.., conflicts_with = "stdin")]
    pub moves: Vec<String>,
    /// Read FENs from standard input and answer each with a line: moves and weights, or - when
    /// there are none
    #[arg(long)]
    pub stdin: bool,
    /// Positions are of Chess960
    #[arg(long)]
    pub chess960: bool,
}

fn name(path: Option<&Path>) -> String {
    path.map_or_else(
        || "the embedded book".to_owned(),
        |path| path.display().to_string(),
    )
}

/// Writes the size of a book and the part of it that is reachable from the initial position.
///
/// # Errors
/// Fails when the file is not a book or the output cannot be written.
pub fn info(args: &InspectArgs, out: &mut dyn Write) -> Result<(), BookToolError> {
    let book = open(args.book.as_deref())?;
    let graph = BookGraph::new(book.entries(), 0);
    let reached: usize = graph.nodes.iter().map(|node| node.edges.len()).sum();
    let in_book = graph.nodes.iter().filter(|node| !node.edges.is_empty());
    let deepest = graph.nodes.iter().map(|node| node.ply).max().unwrap_or(0);
    let mut text = format!(
        "{}: {}\n\
         reached from the initial position: {} in {}, up to {} deep\n\
         leaves: {}\n",
        name(args.book.as_deref()),
        book.summary(),
        count(reached, "move"),
        count(in_book.count(), "position"),
        count(deepest, "ply"),
        graph.leaves().count(),
    );
    text.push_str(&table(&book, &Position::initial()));
    Ok(out.write_all(text.as_bytes()).of_output()?)
}

/// Writes the moves of a book in one position, or in each position of the input. Lines of the input
/// that are not positions are reported.
///
/// # Errors
/// Fails when the file is not a book, a position or move is invalid, or the output cannot be
/// written.
pub fn probe(
    args: &ProbeArgs,
    input: impl BufRead,
    out: &mut dyn Write,
) -> Result<Exit, BookToolError> {
    let book = open(args.book.as_deref())?;
    if args.stdin {
        return probe_lines(&book, args.chess960, input, out);
    }
    let mut position = start_position(args.fen.as_deref(), args.chess960)?;
    for text in args.moves.iter().flat_map(|text| text.split_whitespace()) {
        let m = parse_move(&position, text).map_err(|error| BookToolError::Move {
            fen: fen(&position),
            message: error.to_string(),
        })?;
        position = position.play(m);
    }
    let text = format!("{}\n{}", fen(&position), table(&book, &position));
    out.write_all(text.as_bytes()).of_output()?;
    Ok(Exit::Done)
}

/// Returns the moves of a position as a table.
fn table(book: &Book, position: &Position) -> String {
    let moves = book.moves(position);
    if moves.is_empty() {
        return "no moves\n".to_owned();
    }
    let total: u32 = moves.iter().map(|known| u32::from(known.weight)).sum();
    let line = |m: Move, weight: u16| {
        let share = 100.0 * f64::from(weight) / f64::from(total.max(1));
        let uci = uci(position, m).to_string();
        format!("{:8} {uci:6} {weight:6} {share:5.1} %\n", san(position, m))
    };
    moves
        .iter()
        .map(|known| line(known.m, known.weight))
        .collect()
}

/// Answers each FEN with a line.
fn probe_lines(
    book: &Book,
    chess960: bool,
    mut input: impl BufRead,
    out: &mut dyn Write,
) -> Result<Exit, BookToolError> {
    let mut out = BufWriter::new(out);
    let mut bytes = Vec::new();
    let mut exit = Exit::Done;
    for number in 1_u64.. {
        bytes.clear();
        let read = input.read_until(b'\n', &mut bytes);
        if read.of("standard input")? == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&bytes);
        let answer = match parse_fen(&text, chess960) {
            Ok(parsed) => one_line(book, &parsed.position),
            Err(error) => {
                exit = Exit::Incomplete;
                say(&format!("standard input:{number}: {error}"));
                format!("error: {error}")
            }
        };
        writeln!(out, "{answer}").of_output()?;
        // Whoever asks may wait for the answer.
        out.flush().of_output()?;
    }
    Ok(exit)
}

fn one_line(book: &Book, position: &Position) -> String {
    let words: Vec<String> = book
        .moves(position)
        .iter()
        .map(|known| format!("{} {}", uci(position, known.m), known.weight))
        .collect();
    if words.is_empty() {
        return "-".to_owned();
    }
    words.join(" ")
}

/// Writes every entry: key, move, weight, learn value, and the position if it is reachable from the
/// initial one. A move that is illegal or whose position is unknown is written as its squares.
///
/// # Errors
/// Fails when the file is not a book or the output cannot be written.
pub fn dump(args: &InspectArgs, out: &mut dyn Write) -> Result<(), BookToolError> {
    let book = open(args.book.as_deref())?;
    let graph = BookGraph::new(book.entries(), 0);
    let positions: HashMap<u64, &Position> = graph
        .nodes
        .iter()
        .map(|node| (node.key, &node.position))
        .collect();
    let mut out = BufWriter::new(out);
    writeln!(out, "key\tmove\tweight\tlearn\tposition").of_output()?;
    for entry in book.entries() {
        let position = positions.get(&entry.key);
        let m = position.and_then(|position| {
            let m = find_move(position, entry.code)?;
            Some(uci(position, m).to_string())
        });
        writeln!(
            out,
            "{:016x}\t{}\t{}\t{}\t{}",
            entry.key,
            m.unwrap_or_else(|| squares(entry)),
            entry.weight,
            entry.learn,
            position.map_or_else(|| "-".to_owned(), |position| epd(position))
        )
        .of_output()?;
    }
    Ok(out.flush().of_output()?)
}

/// Returns the squares and promotion of a code, which need not be a legal move.
fn squares(entry: BookEntry) -> String {
    let square = |index: u16| shakmaty::Square::new(u32::from(index & 63));
    let promotion = ["", "n", "b", "r", "q"].get(usize::from(entry.code >> 12));
    format!(
        "{}{}{}",
        square(entry.code >> 6),
        square(entry.code),
        promotion.copied().unwrap_or("?")
    )
}

/// Checks a book and writes its faults.
///
/// # Errors
/// Fails when the book has faults, cannot be read, or the output cannot be written.
pub fn verify(args: &InspectArgs, out: &mut dyn Write) -> Result<(), BookToolError> {
    let book = open(args.book.as_deref())?;
    let (faults, reached) = faults(&book);
    let mut text = String::new();
    for fault in &faults {
        text.push_str(&format!("{fault}\n"));
    }
    let name = name(args.book.as_deref());
    text.push_str(&format!(
        "{name}: {} for {}, {}\n",
        count(book.len(), "entry"),
        count(book.positions(), "position"),
        count(faults.len(), "fault")
    ));
    let hidden = book.len() - reached;
    if hidden > 0 {
        text.push_str(&format!(
            "{} not checked for legality: the initial position does not lead there\n",
            count(hidden, "entry")
        ));
    }
    out.write_all(text.as_bytes()).of_output()?;
    if faults.is_empty() {
        return Ok(());
    }
    Err(BookToolError::Faults {
        path: name.into(),
        faults: faults.len(),
    })
}

/// Returns the faults of a book, and the number of entries that could be checked for legality.
fn faults(book: &Book) -> (Vec<String>, usize) {
    let mut faults = Vec::new();
    let mut before = 0;
    for (entry, number) in book.entries().zip(1..) {
        if entry.key < before {
            faults.push(format!("entry {number}: not in the order of keys"));
        }
        if !entry.is_plausible() {
            faults.push(format!(
                "entry {number}: {:#06x} is no move of any position",
                entry.code
            ));
        }
        before = entry.key;
    }
    let graph = BookGraph::new(book.entries(), 0);
    let mut reached = 0;
    for node in &graph.nodes {
        reached += node.edges.len() + node.illegal.len() + node.repeated;
        let position = epd(&node.position);
        debug_assert_eq!(node.key, key(&node.position));
        for entry in node.illegal.iter().filter(|entry| entry.is_plausible()) {
            faults.push(format!("{position}: illegal move {}", squares(*entry)));
        }
        if node.repeated > 0 {
            faults.push(format!(
                "{position}: {} of a move",
                count(node.repeated as u64, "repetition")
            ));
        }
        let weights = node.edges.iter().map(|edge| edge.weight);
        if !node.edges.is_empty() && weights.max() == Some(0) {
            faults.push(format!("{position}: no move has a weight"));
        }
    }
    (faults, reached)
}
