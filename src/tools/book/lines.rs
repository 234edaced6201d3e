//! Opening lines: a table with a name and moves in each row.
//!
//! ```text
//! # comments
//! eco<TAB>name<TAB>moves
//! C20<TAB>King's Pawn Game<TAB>e4 e5
//! ```
//!
//! Columns are found by the names in the first row: `eco`, `name`, and the moves as `moves`, `pgn` or `uci`. Moves are read in
//! either notation, with move numbers or without.

use std::path::{Path, PathBuf};

use shakmaty::san::{SanError, SanPlus};

use super::draft::{Draft, Tally};
use super::{BookToolError, say, write_file};
use crate::book::{entry::move_code, key};
use crate::position::{Move, Position, notation};

/// What `book lines` is asked.
#[derive(Clone, Debug, clap::Args)]
pub struct LinesArgs {
    /// Tables of opening lines: columns eco, name, and pgn, uci or moves
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Where the lines come from, for the first line of the file
    #[arg(long, value_name = "TEXT")]
    pub origin: Option<String>,
}

/// A named opening line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// Its code in the Encyclopaedia of Chess Openings.
    pub eco: String,
    /// Its name.
    pub name: String,
    /// Its moves from the initial position.
    pub moves: Vec<Move>,
}

/// A move in SAN, or in UCI's notation.
///
/// # Errors
/// What is wrong with it.
pub fn parse_move(position: &Position, text: &str) -> Result<Move, String> {
    let legal = |error: SanError| format!("{error}: {text:?}");
    match SanPlus::from_ascii(text.as_bytes()) {
        Ok(san) => match san.san.to_move(position.chess()) {
            Ok(m) => Ok(Move::from_shakmaty(m)),
            // `b2b4` is a pawn's move in SAN as well, but in UCI's notation a bishop may be on b2.
            Err(error) => notation::parse_uci(position, text).map_err(|_| legal(error)),
        },
        Err(_) => notation::parse_uci(position, text).map_err(|error| error.to_string()),
    }
}

/// Returns a legal move in SAN.
pub fn san(position: &Position, m: Move) -> String {
    notation::san(position, m).to_string()
}

/// Moves from the initial position, with move numbers or without.
fn parse_moves(text: &str) -> Result<Vec<Move>, String> {
    let mut position = Position::initial();
    let mut moves = Vec::new();
    for word in text.split_whitespace() {
        let word = without_number(word);
        if word.is_empty() {
            continue;
        }
        let m = parse_move(&position, word)?;
        position = position.play(m);
        moves.push(m);
    }
    if moves.is_empty() {
        return Err("no moves".to_owned());
    }
    Ok(moves)
}

/// `e4` for `1.e4`; nothing for `1.` or `1...`.
fn without_number(word: &str) -> &str {
    match word.trim_start_matches(|c: char| c.is_ascii_digit()) {
        rest if rest.starts_with('.') => rest.trim_start_matches('.'),
        _ => word,
    }
}

/// Where the columns are.
#[derive(Clone, Copy, Debug)]
struct Columns {
    eco: Option<usize>,
    name: Option<usize>,
    moves: usize,
}

impl Columns {
    fn find(row: &str) -> Option<Columns> {
        let names: Vec<String> = row
            .split('\t')
            .map(|name| name.trim().to_ascii_lowercase())
            .collect();
        let find = |wanted: &[&str]| {
            names
                .iter()
                .position(|name| wanted.contains(&name.as_str()))
        };
        Some(Columns {
            eco: find(&["eco"]),
            name: find(&["name"]),
            moves: find(&["moves", "pgn", "uci"])?,
        })
    }

    fn line(self, row: &str) -> Result<Line, String> {
        let cells: Vec<&str> = row.split('\t').map(str::trim).collect();
        let cell = |column: Option<usize>| {
            let text = column.and_then(|column| cells.get(column));
            text.copied().unwrap_or_default().to_owned()
        };
        Ok(Line {
            eco: cell(self.eco),
            name: cell(self.name),
            moves: parse_moves(&cell(Some(self.moves)))?,
        })
    }
}

/// Reads a table; a row that makes no sense is handed to `complain` and left out.
///
/// # Errors
/// When the file cannot be read or its first row does not name the columns.
pub fn read(
    path: &Path,
    mut complain: impl FnMut(BookToolError),
) -> Result<Vec<Line>, BookToolError> {
    let bytes = std::fs::read(path).map_err(|source| BookToolError::io(path, source))?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_start_matches('\u{feff}');
    let mut rows = (1..)
        .zip(text.lines())
        .filter(|(_, row)| !row.trim().is_empty() && !row.starts_with('#'));
    let fault = |line: usize, reason: String| BookToolError::Line {
        path: path.to_owned(),
        line,
        reason,
    };
    let (number, header) = rows.next().unwrap_or((1, ""));
    let columns = Columns::find(header).ok_or_else(|| {
        fault(
            number,
            "no names of columns: eco, name, and moves, pgn or uci expected".to_owned(),
        )
    })?;
    let mut lines = Vec::new();
    for (number, row) in rows {
        match columns.line(row) {
            Ok(line) => lines.push(line),
            Err(reason) => complain(fault(number, reason)),
        }
    }
    Ok(lines)
}

/// Adds every move of every line; a move's weight is the number of lines that go through it.
pub fn add(draft: &mut Draft, lines: &[Line]) {
    for line in lines {
        let mut position = Position::initial();
        for &m in &line.moves {
            let tally = Tally {
                weight: 1.0,
                named: true,
                ..Tally::default()
            };
            draft.add(key(&position), move_code(m), tally);
            position = position.play(m);
        }
    }
}

/// The table of lines, sorted.
fn table(lines: &[Line], origin: Option<&str>) -> String {
    let mut rows: Vec<String> = lines
        .iter()
        .map(|line| {
            let mut position = Position::initial();
            let mut words = Vec::new();
            for &m in &line.moves {
                words.push(san(&position, m));
                position = position.play(m);
            }
            format!("{}\t{}\t{}\n", line.eco, line.name, words.join(" "))
        })
        .collect();
    rows.sort_unstable();
    rows.dedup();
    let origin = origin.map(|origin| format!("# {origin}\n"));
    origin.unwrap_or_default() + "eco\tname\tmoves\n" + &rows.concat()
}

/// Writes the lines of some files in one form.
///
/// # Errors
/// When a file cannot be read or written.
pub fn run(args: &LinesArgs) -> Result<(), BookToolError> {
    let (mut lines, mut left_out) = (Vec::new(), 0);
    for path in &args.files {
        lines.extend(read(path, |fault| {
            left_out += 1;
            say(&format!("left out: {fault}"));
        })?);
    }
    let text = table(&lines, args.origin.as_deref());
    write_file(&args.out, text.as_bytes())?;
    say(&format!(
        "{}: {} lines, {left_out} left out",
        args.out.display(),
        lines.len()
    ));
    Ok(())
}
