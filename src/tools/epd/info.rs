//! The lines that a UCI engine says while it searches.

use super::report::Score;
use super::trace::Info;
use crate::position::{Move, Position, notation};

/// What a line says.
#[derive(Debug)]
pub enum Said {
    /// A line of analysis, or the nodes so far.
    Info(Info),
    /// A line of analysis whose first move is illegal, this one.
    IllegalPv(String),
    /// The answer: a move, if it is one.
    BestMove(String),
    /// Nothing of interest.
    Nothing,
}

/// Reads a line about a position. What is no UCI says nothing.
pub fn parse(position: &Position, line: &str) -> Said {
    let mut words = line.split_whitespace();
    match words.next() {
        Some("bestmove") => Said::BestMove(words.next().unwrap_or_default().to_owned()),
        Some("info") => parse_info(position, words),
        _ => Said::Nothing,
    }
}

fn parse_info<'a>(position: &Position, mut words: impl Iterator<Item = &'a str>) -> Said {
    let mut info = Info::default();
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = number(&mut words).unwrap_or(0),
            "nodes" => info.nodes = number(&mut words).unwrap_or(0),
            "score" => {
                info.score = match words.next() {
                    Some("cp") => number(&mut words).map(Score::Cp),
                    Some("mate") => number(&mut words).map(Score::Mate),
                    _ => None,
                }
            }
            "lowerbound" | "upperbound" => info.is_bound = true,
            "multipv" if number::<u32>(&mut words) != Some(1) => return Said::Nothing,
            "string" => return Said::Nothing,
            "pv" => {
                let (pv, illegal) = moves(position, words);
                info.pv = pv;
                return match illegal {
                    Some(illegal) if info.pv.is_empty() => Said::IllegalPv(illegal),
                    _ => Said::Info(info),
                };
            }
            _ => {}
        }
    }
    Said::Info(info)
}

fn number<'a, T: std::str::FromStr>(words: &mut impl Iterator<Item = &'a str>) -> Option<T> {
    words.next()?.parse().ok()
}

/// The moves as far as they are legal, and the first that is not.
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

    fn read(line: &str) -> Said {
        parse(&Position::initial(), line)
    }

    #[test]
    fn a_line_of_analysis() {
        let line = "info depth 12 seldepth 20 multipv 1 score cp -34 upperbound nodes 5000 nps 9 time 2 pv e2e4 e7e5 e2e4";
        let Said::Info(info) = read(line) else {
            panic!("no info");
        };
        assert_eq!(
            (info.depth, info.nodes, info.score),
            (12, 5_000, Some(Score::Cp(-34)))
        );
        assert!(info.is_bound);
        assert_eq!(info.pv.len(), 2);
        let Said::Info(mate) = read("info score mate -3 depth 4") else {
            panic!("no info");
        };
        assert_eq!((mate.depth, mate.score), (4, Some(Score::Mate(-3))));
    }

    #[test]
    fn what_is_not_about_the_best_line_says_nothing() {
        for line in [
            "info multipv 2 depth 3 pv e2e4",
            "info string pv e2e4",
            "frob",
            "",
            "id name x",
        ] {
            assert!(matches!(read(line), Said::Nothing), "{line}");
        }
        assert!(matches!(read("info depth 1 pv e2e5"), Said::IllegalPv(text) if text == "e2e5"));
        assert!(
            matches!(read("bestmove e2e4 ponder e7e5"), Said::BestMove(text) if text == "e2e4")
        );
        assert!(matches!(read("bestmove"), Said::BestMove(text) if text.is_empty()));
    }
}
