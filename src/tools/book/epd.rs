//! Positions with moves for them, in EPD: `bm` names moves, all of one weight; `c0 "e4=100, Nf3=40"` gives each its own.

use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use super::BookToolError;
use super::draft::{Draft, Tally};
use super::lines::parse_move;
use crate::book::{entry::move_code, key};
use crate::position::{Move, Position, notation};

/// Adds the moves of every line. A line that makes no sense is handed to `complain` and left out.
///
/// # Errors
/// When the file cannot be read.
pub fn add(
    draft: &mut Draft,
    path: &Path,
    mut complain: impl FnMut(BookToolError),
) -> Result<(), BookToolError> {
    let failed = |source| BookToolError::io(path, source);
    let mut reader = BufReader::new(File::open(path).map_err(failed)?);
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        if reader.read_until(b'\n', &mut bytes).map_err(failed)? == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\u{feff}' || c == '\0');
        if text.is_empty() || text.starts_with('#') {
            continue;
        }
        match read_line(text) {
            Ok((position, moves)) => {
                for (m, weight) in moves {
                    let tally = Tally {
                        weight,
                        named: true,
                        ..Tally::default()
                    };
                    draft.add(key(&position), move_code(m), tally);
                }
            }
            Err(reason) => complain(BookToolError::Line {
                path: path.to_owned(),
                line,
                reason,
            }),
        }
    }
    Ok(())
}

/// The position of a line, and its moves with their weights.
fn read_line(text: &str) -> Result<(Position, Vec<(Move, f64)>), String> {
    let (fields, operations) = split(text);
    let parsed = notation::parse_fen(&fields, false).map_err(|error| error.to_string())?;
    let position = parsed.position;
    let (mut best, mut points) = (Vec::new(), Vec::new());
    for operation in operations {
        let (opcode, operand) = operation
            .split_once(char::is_whitespace)
            .unwrap_or((operation, ""));
        match opcode {
            "bm" => {
                for word in operand.split([' ', ',']).filter(|word| !word.is_empty()) {
                    best.push((parse_move(&position, word)?, 1.0));
                }
            }
            "c0" => points = weights(&position, operand.trim().trim_matches('"')),
            _ => {}
        }
    }
    let moves = if points.is_empty() { best } else { points };
    if moves.is_empty() {
        return Err("no moves: bm, or c0 with weights, expected".to_owned());
    }
    Ok((position, moves))
}

/// `e4=100, Nf3=40`; empty when it is any other comment.
fn weights(position: &Position, text: &str) -> Vec<(Move, f64)> {
    let pairs = text.split([',', ' ']).filter(|pair| !pair.is_empty());
    let read = |pair: &str| {
        // The last sign: that of a promotion comes first.
        let (m, weight) = pair.rsplit_once('=')?;
        let weight: u32 = weight.parse().ok()?;
        Some((parse_move(position, m).ok()?, f64::from(weight)))
    };
    pairs.map(read).collect::<Option<_>>().unwrap_or_default()
}

/// The fields of the position, with the counters of a FEN if they are there, and the operations.
fn split(text: &str) -> (String, Vec<&str>) {
    let is_counter = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    let mut fields = Vec::new();
    let mut rest = text;
    while fields.len() < 6 {
        let word = rest.split_whitespace().next().unwrap_or_default();
        if word.is_empty() || fields.len() >= 4 && !is_counter(word) {
            break;
        }
        fields.push(word);
        rest = rest.trim_start().get(word.len()..).unwrap_or_default();
    }
    (fields.join(" "), operations(rest))
}

/// Operations are closed by semicolons; those within quotes close nothing.
fn operations(text: &str) -> Vec<&str> {
    let mut quoted = false;
    text.split(|c| {
        quoted ^= c == '"';
        c == ';' && !quoted
    })
    .map(str::trim)
    .filter(|operation| !operation.is_empty())
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn moves(text: &str) -> Result<Vec<(String, f64)>, String> {
        let (_, moves) = read_line(text)?;
        Ok(moves
            .iter()
            .map(|(m, weight)| (format!("{m:?}"), *weight))
            .collect())
    }

    #[test]
    fn moves_are_read_with_their_weights() {
        let two = Ok(vec![("e2e4".to_owned(), 1.0), ("g1f3".to_owned(), 1.0)]);
        for text in [
            "bm e4 Nf3;",
            "0 1 bm e4, g1f3; id \"a;b\";",
            "id \"x\"; bm e4 Nf3",
        ] {
            assert_eq!(moves(&format!("{START} {text}")), two, "{text}");
        }
        let weighted = moves(&format!("{START} bm e4; c0 \"e4=100, Nf3=40\";"));
        let expected = vec![("e2e4".to_owned(), 100.0), ("g1f3".to_owned(), 40.0)];
        assert_eq!(weighted, Ok(expected));
        let comment = moves(&format!("{START} bm e4; c0 \"a = comment\";"));
        assert_eq!(comment, Ok(vec![("e2e4".to_owned(), 1.0)]));
        let promotion = moves("8/4P1k1/8/8/8/8/8/4K3 w - - c0 \"e8=Q=7\";");
        assert_eq!(promotion, Ok(vec![("e7e8q".to_owned(), 7.0)]));
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for (text, part) in [
            (format!("{START} bm e5;"), "illegal"),
            (format!("{START} bm;"), "no moves"),
            (START.to_owned(), "no moves"),
            ("nonsense".to_owned(), "not a FEN"),
        ] {
            let error = moves(&text).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
