//! The goal of a position: best moves, moves to avoid, mates, and points.

use thiserror::Error;

use super::moves;
use super::record::{Operand, Operation, Record};
use crate::position::notation::{self, MoveError};
use crate::position::{Move, Position};

/// Errors in the operations that define a goal.
#[derive(Debug, Error)]
pub enum GoalError {
    /// A move is not legal.
    #[error("{opcode}: {source}")]
    Move {
        /// The operation.
        opcode: String,
        /// The reason.
        source: MoveError,
    },
    /// An operation has no moves.
    #[error("{0}: expected a move")]
    NoMove(String),
    /// The distance to mate is invalid.
    #[error("{opcode}: expected a number of moves, not {found:?}")]
    Mate {
        /// The operation.
        opcode: String,
        /// The text found instead.
        found: String,
    },
    /// The game is over in the position.
    #[error("nothing to solve: there is no legal move")]
    NoLegalMove,
}

/// The goal of a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Goal {
    /// Best moves, each of which is a solution.
    pub best: Vec<Move>,
    /// Moves to avoid.
    pub avoid: Vec<Move>,
    /// The longest mate that solves the position, in moves; negative if the side to move is mated.
    pub mate: Option<i32>,
    /// The points for moves.
    pub points: Vec<(Move, u32)>,
}

impl Goal {
    /// Parses the operations of a record.
    ///
    /// # Errors
    /// Fails when an operation is invalid, or the position has a goal and no legal move.
    pub fn parse(record: &Record) -> Result<Goal, GoalError> {
        let position = &record.position;
        let mut goal = Goal::default();
        for operation in &record.operations {
            match operation.opcode.as_str() {
                "bm" => goal.read_best(position, operation)?,
                "am" => {
                    let avoid = read_moves(position, operation, &operation.operands)?;
                    goal.avoid.extend(avoid);
                }
                "dm" => goal.mate = Some(read_mate(operation, &operation.text())?),
                _ => {}
            }
        }
        goal.points = read_points(record)?;
        // No answer of an engine could be right.
        if !goal.is_empty() && !position.has_legal_move() {
            return Err(GoalError::NoLegalMove);
        }
        Ok(goal)
    }

    /// Parses the best moves, among which may be a mate (`bm #4`).
    fn read_best(&mut self, position: &Position, operation: &Operation) -> Result<(), GoalError> {
        let (mates, others): (Vec<Operand>, Vec<Operand>) = operation
            .operands
            .iter()
            .cloned()
            .partition(|operand| operand.text.starts_with('#'));
        if let Some(mate) = mates.first() {
            self.mate = Some(read_mate(operation, mate.text.trim_start_matches('#'))?);
        }
        if mates.is_empty() || !others.is_empty() {
            self.best.extend(read_moves(position, operation, &others)?);
        }
        Ok(())
    }

    /// Returns whether there is nothing to solve.
    pub fn is_empty(&self) -> bool {
        *self == Goal::default()
    }

    /// Returns whether the move is a solution, without regard to a required mate.
    fn accepts(&self, m: Move) -> bool {
        let only_points = self.best.is_empty() && self.avoid.is_empty();
        (self.best.is_empty() || self.best.contains(&m))
            && !self.avoid.contains(&m)
            && (!only_points || self.points.is_empty() || self.points_of(m) > Some(0))
    }

    /// Returns whether a move solves the position, given the distance to mate that the engine
    /// announced, in moves.
    pub fn is_met(&self, m: Move, mate: Option<i32>) -> bool {
        let is_announced = |asked: i32| {
            mate.is_some_and(|found| {
                found.signum() == asked.signum() && found.unsigned_abs() <= asked.unsigned_abs()
            })
        };
        self.accepts(m) && self.mate.is_none_or(is_announced)
    }

    /// Returns the points for a move, or `None` if the position has no points.
    pub fn points_of(&self, m: Move) -> Option<u32> {
        let worth = self.points.iter().find(|(valued, _)| *valued == m);
        (!self.points.is_empty()).then(|| worth.map_or(0, |&(_, points)| points))
    }

    /// Returns the points for the best move, or `None` if the position has no points.
    pub fn max_points(&self) -> Option<u32> {
        self.points.iter().map(|&(_, points)| points).max()
    }

    /// Describes the goal: `Nf3 or e4`, `not Qxb2`, `mate in 3`.
    pub fn describe(&self, position: &Position) -> String {
        let list = |moves: &[Move]| {
            let names: Vec<String> = moves.iter().map(|&m| moves::san(position, m)).collect();
            names.join(" or ")
        };
        let mut parts = Vec::new();
        if !self.best.is_empty() {
            parts.push(list(&self.best));
        }
        if !self.avoid.is_empty() {
            parts.push(format!("not {}", list(&self.avoid)));
        }
        if let Some(mate) = self.mate {
            let whose = if mate > 0 { "mate" } else { "mated" };
            parts.push(format!("{whose} in {}", mate.unsigned_abs()));
        }
        if parts.is_empty() {
            let worth: Vec<Move> = self.points.iter().map(|&(m, _)| m).collect();
            parts.push(list(&worth));
        }
        parts.join(", ")
    }
}

fn read_moves(
    position: &Position,
    operation: &Operation,
    operands: &[Operand],
) -> Result<Vec<Move>, GoalError> {
    let moves = moves::parse_all(position, operands).map_err(|source| GoalError::Move {
        opcode: operation.opcode.clone(),
        source,
    })?;
    if moves.is_empty() {
        return Err(GoalError::NoMove(operation.opcode.clone()));
    }
    Ok(moves)
}

/// Returns whether a distance to mate is valid as a goal.
fn is_mate(moves: i32) -> bool {
    moves != 0 && moves.unsigned_abs() < 1_000
}

fn read_mate(operation: &Operation, text: &str) -> Result<i32, GoalError> {
    let number = text.trim_end_matches(['!', '.']).parse::<i32>();
    number
        .ok()
        .filter(|&moves| is_mate(moves))
        .ok_or_else(|| GoalError::Mate {
            opcode: operation.opcode.clone(),
            found: text.to_owned(),
        })
}

/// Parses the points for moves. They are either moves in `c7` (SAN) or `c9` (UCI) with the same
/// number of values in `c8`, or pairs in `c0` (`"f5=100, Bf2=46"`). Any other text in these
/// operations is an ordinary comment.
fn read_points(record: &Record) -> Result<Vec<(Move, u32)>, GoalError> {
    let position = &record.position;
    let mut failure = None;
    for (opcode, pairs) in point_tables(record) {
        let read: Result<Vec<(Move, u32)>, MoveError> = pairs
            .iter()
            .map(|(text, points)| Ok((notation::parse_move(position, text)?, *points)))
            .collect();
        match read {
            Ok(points) => return Ok(points),
            // A comment that only looks like a table, such as "Elo=2400".
            Err(MoveError::Syntax(_)) => {}
            Err(source) => failure = failure.or(Some(GoalError::Move { opcode, source })),
        }
    }
    failure.map_or(Ok(Vec::new()), Err)
}

/// Returns all texts that look like tables of points, the most precise notation first.
fn point_tables(record: &Record) -> Vec<(String, Vec<(String, u32)>)> {
    let words = |opcode: &str| -> Option<Vec<String>> {
        let text = record.operation(opcode)?.text();
        Some(
            text.split([' ', ','])
                .filter(|word| !word.is_empty())
                .map(str::to_owned)
                .collect(),
        )
    };
    let mut tables = Vec::new();
    if let Some(numbers) = words("c8") {
        let points: Result<Vec<u32>, _> = numbers.iter().map(|word| word.parse()).collect();
        for opcode in ["c9", "c7"] {
            if let (Ok(points), Some(moves)) = (&points, words(opcode))
                && moves.len() == points.len()
            {
                let pairs = moves.into_iter().zip(points.iter().copied()).collect();
                tables.push((opcode.to_owned(), pairs));
            }
        }
    }
    if let Some(operation) = record.operation("c0") {
        let text = operation.text();
        let parts = text
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty());
        let pairs: Option<Vec<(String, u32)>> = parts.map(point_pair).collect();
        tables.extend(
            pairs
                .filter(|pairs| !pairs.is_empty())
                .map(|pairs| ("c0".to_owned(), pairs)),
        );
    }
    tables
}

/// Parses a move with its points: `Bf2=46`, `e8=Q=7`.
fn point_pair(text: &str) -> Option<(String, u32)> {
    let (name, points) = text.rsplit_once('=')?;
    let is_word = !name.is_empty() && !name.contains(char::is_whitespace);
    Some((name.to_owned(), points.trim().parse().ok()?)).filter(|_| is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    fn read(operations: &str) -> (Position, Result<Goal, GoalError>) {
        let record = Record::parse(&format!("{BOARD} {operations}")).unwrap();
        let goal = Goal::parse(&record);
        (record.position, goal)
    }

    #[test]
    fn comments_that_look_like_points_are_comments() {
        for comment in [
            "c0 \"Elo=2400\";",
            "c0 \"depth=12, time=30\";",
            "c7 \"Rating\"; c8 \"1800\";",
            "c8 \"2\"; c9 \"hard\";",
        ] {
            let (_, goal) = read(&format!("bm e4; {comment}"));
            let goal = goal.unwrap_or_else(|error| panic!("{comment}: {error}"));
            assert!(goal.points.is_empty(), "{comment}");
        }
        // A move that cannot be made is a fault.
        assert!(read("bm e4; c0 \"e4=10, e5=100\";").1.is_err());
    }

    #[test]
    fn goals_and_their_answers() {
        for (operations, met, missed) in [
            (
                "bm e4 d4;",
                &[("e4", None), ("d4", Some(3))][..],
                &[("a3", None)][..],
            ),
            ("am e4;", &[("d4", None)], &[("e4", None)]),
            (
                "bm e4 Nf3; am e4;",
                &[("Nf3", None)],
                &[("e4", None), ("a3", None)],
            ),
            (
                "dm 3;",
                &[("e4", Some(3)), ("a3", Some(1))],
                &[("e4", None), ("e4", Some(4)), ("e4", Some(-3))],
            ),
            (
                "bm #-3;",
                &[("e4", Some(-3))],
                &[("e4", Some(3)), ("e4", Some(-4))],
            ),
            (
                "bm #2 e4;",
                &[("e4", Some(2))],
                &[("e4", None), ("d4", Some(2))],
            ),
            (
                "c0 \"e4=10, d4=0\";",
                &[("e4", None)],
                &[("d4", None), ("a3", None)],
            ),
            (
                "bm e4; c7 \"e4 d4\"; c8 \"10 4\";",
                &[("e4", None)],
                &[("d4", None)],
            ),
        ] {
            let (position, goal) = read(operations);
            let goal = goal.unwrap();
            let answer = |&(text, mate): &(&str, Option<i32>)| {
                goal.is_met(notation::parse_move(&position, text).unwrap(), mate)
            };
            assert!(met.iter().all(answer), "{operations}");
            assert!(!missed.iter().any(answer), "{operations}");
        }
    }

    #[test]
    fn points_are_read_from_all_operations() {
        for operations in [
            "c0 \"e4=100, d4=46\";",
            "c7 \"e4 d4\"; c8 \"100 46\"; c9 \"e2e4 d2d4\";",
            "c8 \"100 46\"; c9 \"e2e4 d2d4\";",
            "c7 \"frob d4\"; c8 \"100 46\"; c9 \"e2e4 d2d4\"; c0 \"a remark\";",
        ] {
            let (position, goal) = read(operations);
            let goal = goal.unwrap();
            let points = |text| goal.points_of(notation::parse_move(&position, text).unwrap());
            assert_eq!(
                (points("e4"), points("d4"), points("a3")),
                (Some(100), Some(46), Some(0))
            );
            assert_eq!(goal.max_points(), Some(100));
        }
        let (_, comment) = read("bm e4; c0 \"Smith=Jones, London\"; c8 \"12\";");
        assert!(comment.unwrap().points.is_empty());
    }

    #[test]
    fn invalid_goals_are_reported() {
        for (operations, part) in [
            ("bm e5;", "bm: illegal move: \"e5\""),
            ("am;", "am: expected a move"),
            ("dm x;", "dm: expected a number of moves, not \"x\""),
            ("bm #0;", "bm: expected a number of moves"),
            ("c0 \"e5=100, d4=46\";", "c0: illegal move"),
        ] {
            let error = read(operations).1.unwrap_err().to_string();
            assert!(error.contains(part), "{operations}: {error}");
        }
        assert!(read("id \"nothing\";").1.unwrap().is_empty());
        let mated = |operations: &str| {
            let line = format!("R5k1/5ppp/8/8/8/8/8/K7 b - - {operations}");
            Goal::parse(&Record::parse(&line).unwrap())
        };
        let error = mated("dm -1;").unwrap_err().to_string();
        assert_eq!(error, "nothing to solve: there is no legal move");
        assert!(mated("id \"mate\";").unwrap().is_empty());
    }

    #[test]
    fn goals_are_described() {
        let (position, goal) = read("bm e4 d4; am a3;");
        assert_eq!(goal.unwrap().describe(&position), "e4 or d4, not a3");
        let (position, goal) = read("dm -3;");
        assert_eq!(goal.unwrap().describe(&position), "mated in 3");
    }
}
