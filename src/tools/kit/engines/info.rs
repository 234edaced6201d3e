//! The lines that a UCI engine writes while it searches.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::position::{Move, Position, notation};

/// A score as UCI has it, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UciScore {
    /// Centipawns.
    Cp(i32),
    /// Moves to mate, negative when the side to move is mated.
    Mate(i32),
}

impl UciScore {
    /// Returns the distance to mate in moves.
    pub fn mate(self) -> Option<i32> {
        match self {
            UciScore::Mate(moves) => Some(moves),
            UciScore::Cp(_) => None,
        }
    }
}

/// In pawns, or `#` and the moves to mate.
impl fmt::Display for UciScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            UciScore::Cp(centipawns) => write!(f, "{:+.2}", f64::from(*centipawns) / 100.0),
            UciScore::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

/// A line about the best move.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct InfoLine {
    /// The depth in plies.
    pub depth: u32,
    /// The score for the side to move.
    pub score: Option<UciScore>,
    /// The score is only a bound.
    pub is_bound: bool,
    /// The nodes searched so far.
    pub nodes: u64,
    /// The principal variation; empty when the line has none.
    pub pv: Vec<Move>,
}

/// The content of a line.
#[derive(Debug)]
pub enum ParsedLine {
    /// A line about the best move, or only the nodes so far.
    Info(InfoLine),
    /// A principal variation whose first move, this one, is illegal.
    IllegalPv(String),
    /// The best move, not yet checked.
    BestMove(String),
    /// Anything else.
    Other,
}

/// The longest mate that is believed, in moves.
const MOST_MOVES: i32 = 10_000;

/// Parses a line about a position.
pub fn parse(position: &Position, line: &str) -> ParsedLine {
    let mut words = line.split_whitespace();
    match words.next() {
        Some("bestmove") => ParsedLine::BestMove(words.next().unwrap_or_default().to_owned()),
        Some("info") => parse_info(position, words),
        _ => ParsedLine::Other,
    }
}

fn parse_info<'a>(position: &Position, mut words: impl Iterator<Item = &'a str>) -> ParsedLine {
    let mut info = InfoLine::default();
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = number(&mut words).unwrap_or(0),
            "nodes" => info.nodes = number(&mut words).unwrap_or(0),
            "score" => {
                info.score = match words.next() {
                    Some("cp") => number(&mut words).map(UciScore::Cp),
                    Some("mate") => number(&mut words)
                        .map(|moves: i32| UciScore::Mate(moves.clamp(-MOST_MOVES, MOST_MOVES))),
                    _ => None,
                }
            }
            "lowerbound" | "upperbound" => info.is_bound = true,
            "multipv" if number::<u32>(&mut words) != Some(1) => return ParsedLine::Other,
            "string" => return ParsedLine::Other,
            "pv" => {
                let (pv, illegal) = moves(position, words);
                info.pv = pv;
                return match illegal {
                    Some(illegal) if info.pv.is_empty() => ParsedLine::IllegalPv(illegal),
                    _ => ParsedLine::Info(info),
                };
            }
            _ => {}
        }
    }
    ParsedLine::Info(info)
}

fn number<'a, T: FromStr>(words: &mut impl Iterator<Item = &'a str>) -> Option<T> {
    words.next()?.parse().ok()
}

/// Returns the legal moves at the beginning of a line, and the first illegal move.
fn moves<'a>(
    position: &Position,
    words: impl Iterator<Item = &'a str>,
) -> (Vec<Move>, Option<String>) {
    let mut position = position.clone();
    let mut moves = Vec::new();
    for word in words {
        let Ok(m) = notation::parse_uci(&position, word) else {
            return (moves, Some(word.chars().take(20).collect()));
        };
        moves.push(m);
        position = position.play(m);
    }
    (moves, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> ParsedLine {
        parse(&Position::initial(), line)
    }

    #[test]
    fn a_line_of_analysis() {
        let line = "info depth 12 seldepth 20 multipv 1 score cp -34 upperbound nodes 5000 nps 9 time 2 pv e2e4 e7e5 e2e4";
        let ParsedLine::Info(info) = read(line) else {
            panic!("no info");
        };
        assert_eq!(
            (info.depth, info.nodes, info.score),
            (12, 5_000, Some(UciScore::Cp(-34)))
        );
        assert!(info.is_bound);
        assert_eq!(info.pv.len(), 2);
        let ParsedLine::Info(mate) = read("info score mate -3 depth 4") else {
            panic!("no info");
        };
        assert_eq!((mate.depth, mate.score), (4, Some(UciScore::Mate(-3))));
        let ParsedLine::Info(absurd) = read("info score mate -2147483648 depth 4") else {
            panic!("no information");
        };
        assert_eq!(absurd.score, Some(UciScore::Mate(-MOST_MOVES)));
    }

    #[test]
    fn other_lines_are_ignored() {
        for line in [
            "info multipv 2 depth 3 pv e2e4",
            "info string pv e2e4",
            "frob",
            "",
            "id name x",
        ] {
            assert!(matches!(read(line), ParsedLine::Other), "{line}");
        }
        assert!(
            matches!(read("info depth 1 pv e2e5"), ParsedLine::IllegalPv(text) if text == "e2e5")
        );
        assert!(
            matches!(read("bestmove e2e4 ponder e7e5"), ParsedLine::BestMove(text) if text == "e2e4")
        );
        assert!(matches!(read("bestmove"), ParsedLine::BestMove(text) if text.is_empty()));
    }
}
