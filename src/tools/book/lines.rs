//! Opening lines: a table with the moves of a named line in each row.
//!
//! ```text
//! # comments
//! eco<TAB>name<TAB>moves
//! C20<TAB>King's Pawn Game<TAB>e4 e5
//! ```
//!
//! The first row names the columns. The moves are in the column `moves`, `pgn` or `uci`, in SAN, a
//! notation like it, or UCI notation, with or without move numbers.

use std::path::Path;

use super::BookToolError;
use super::builder::{BookBuilder, MoveStats};
use crate::book::{entry::move_code, key};
use crate::position::notation::parse_move;
use crate::position::{Move, Position};
use crate::tools::kit::{IoContext as _, input};

/// Parses moves from the initial position, with or without move numbers.
fn parse_moves(text: &str) -> Result<Vec<Move>, String> {
    let mut position = Position::initial();
    let mut moves = Vec::new();
    for word in text.split_whitespace() {
        if is_number(word) {
            continue;
        }
        let m = parse_move(&position, word).map_err(|error| error.to_string())?;
        position = position.play(m);
        moves.push(m);
    }
    if moves.is_empty() {
        return Err("no moves".to_owned());
    }
    Ok(moves)
}

/// Returns whether a word is the number of a move alone: `1.`, `1...`.
fn is_number(word: &str) -> bool {
    let dots = word.trim_start_matches(|c: char| c.is_ascii_digit());
    !dots.is_empty() && dots.chars().all(|c| c == '.')
}

/// Reads the moves of each row of a table. Bad rows are passed to `complain` and left out.
///
/// # Errors
/// Fails when the file cannot be read or its first row does not name the columns.
pub fn read(
    path: &Path,
    mut complain: impl FnMut(BookToolError),
) -> Result<Vec<Vec<Move>>, BookToolError> {
    let text = input::decode(&input::read(path).of_file(path)?);
    let mut rows = (1..)
        .zip(text.lines())
        .filter(|(_, row)| !row.trim().is_empty() && !row.starts_with('#'));
    let fault = |line: usize, reason: String| BookToolError::Line {
        path: path.to_owned(),
        line,
        reason,
    };
    let (number, header) = rows.next().unwrap_or((1, ""));
    let is_moves = |name: &str| {
        ["moves", "pgn", "uci"]
            .iter()
            .any(|known| name.trim().eq_ignore_ascii_case(known))
    };
    let column = header
        .split('\t')
        .position(is_moves)
        .ok_or_else(|| fault(number, "expected a column moves, pgn or uci".to_owned()))?;
    let mut lines = Vec::new();
    for (number, row) in rows {
        match parse_moves(row.split('\t').nth(column).unwrap_or_default()) {
            Ok(moves) => lines.push(moves),
            Err(reason) => complain(fault(number, reason)),
        }
    }
    Ok(lines)
}

/// Adds every move of every line. The weight of a move is the number of lines with it.
pub fn add(builder: &mut BookBuilder, lines: &[Vec<Move>]) {
    for line in lines {
        let mut position = Position::initial();
        for &m in line {
            let stats = MoveStats {
                weight: 1.0,
                is_required: true,
                ..MoveStats::default()
            };
            builder.add(key(&position), move_code(m), stats);
            position = position.play(m);
        }
    }
}
