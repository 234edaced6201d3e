//! Positions with moves, in EPD. The moves of `bm` have equal weights; `c0 "e4=100, Nf3=40"`, or
//! another table of points as in test suites, gives each move its own weight.

use std::path::Path;

use super::BookToolError;
use super::builder::{BookBuilder, MoveStats};
use crate::book::{entry::move_code, key};
use crate::position::{Move, Position};
use crate::tools::epd::goal::Goal;
use crate::tools::epd::record::Record;
use crate::tools::kit::{IoContext as _, input};

/// Adds the moves of every line, and returns the number of lines. Invalid ones are passed to
/// `complain` and left out.
///
/// # Errors
/// Fails when the file cannot be read.
pub fn add(
    builder: &mut BookBuilder,
    path: &Path,
    mut complain: impl FnMut(BookToolError),
) -> Result<u64, BookToolError> {
    let mut added = 0;
    let text = input::decode(&input::read(path).of_file(path)?);
    for (line, text) in input::list_lines(&text) {
        match read_line(text) {
            Ok((position, moves)) => {
                added += 1;
                for (m, weight) in moves {
                    let stats = MoveStats {
                        weight,
                        is_required: true,
                        ..MoveStats::default()
                    };
                    builder.add(key(&position), move_code(m), stats);
                }
            }
            Err(reason) => complain(BookToolError::Line {
                path: path.to_owned(),
                line,
                reason,
            }),
        }
    }
    Ok(added)
}

/// Parses a line. Returns its position, and its moves with their weights.
fn read_line(text: &str) -> Result<(Position, Vec<(Move, f64)>), String> {
    let record = Record::parse(text).map_err(|error| error.to_string())?;
    let goal = Goal::parse(&record).map_err(|error| error.to_string())?;
    let points = goal
        .points
        .iter()
        .map(|&(m, points)| (m, f64::from(points)));
    let moves: Vec<(Move, f64)> = if goal.points.is_empty() {
        goal.best.iter().map(|&m| (m, 1.0)).collect()
    } else {
        points.collect()
    };
    if moves.is_empty() {
        return Err("no moves: expected bm, or c0 with weights".to_owned());
    }
    Ok((record.position, moves))
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
            (format!("{START} bm;"), "bm: expected a move"),
            (format!("{START} am e4;"), "no moves"),
            (START.to_owned(), "no moves"),
            ("nonsense".to_owned(), "four fields"),
            (
                "8/8/8/8/8/8/8/8 w - - bm e4;".to_owned(),
                "illegal position",
            ),
        ] {
            let error = moves(&text).unwrap_err();
            assert!(error.contains(part), "{error}");
        }
    }
}
