//! A game as PGN has it: tag pairs, and moves with what is said about them.

use std::borrow::Cow;

use shakmaty::san::SanPlus;

use crate::position::{Move, Position};

/// A game.
#[derive(Clone, Debug)]
pub struct Game {
    /// Its number in the source, from 1.
    pub number: u64,
    /// Names and values, in the source's order.
    pub tags: Vec<(String, String)>,
    /// The position that it begins at.
    pub start: Position,
    /// The moves played.
    pub line: Line,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: Cow<'static, str>,
    /// The moves behind one that could not be played, beginning with it, as the source has them.
    pub rest: Vec<String>,
    /// What is wrong with the source, for a person to read.
    pub faults: Vec<String>,
    /// Why nothing can be said about the game: then it is passed on as it is.
    pub foreign: Option<Vec<u8>>,
}

/// Moves in a row: those of the game, or a variation.
#[derive(Clone, Debug, Default)]
pub struct Line {
    /// Comments before the first move.
    pub before: Vec<String>,
    /// The moves.
    pub moves: Vec<Ply>,
}

/// A move and what is said about it.
#[derive(Clone, Debug)]
pub struct Ply {
    /// The move.
    pub m: Move,
    /// Numeric annotation glyphs.
    pub nags: Vec<u8>,
    /// Comments behind it.
    pub comments: Vec<String>,
    /// What could have been played instead.
    pub variations: Vec<Line>,
}

impl Ply {
    /// A move that nothing is said about.
    pub fn new(m: Move) -> Ply {
        Ply {
            m,
            nags: Vec::new(),
            comments: Vec::new(),
            variations: Vec::new(),
        }
    }
}

impl Game {
    /// The value of a tag pair.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// The positions of the game, the first one included.
    pub fn positions(&self) -> Vec<Position> {
        let mut positions = vec![self.start.clone()];
        let mut position = self.start.clone();
        for ply in &self.line.moves {
            position = position.play(ply.m);
            positions.push(position.clone());
        }
        positions
    }
}

/// A legal move as people write it, such as `Nf3` or `exd8=Q#`.
pub fn san(position: &Position, m: Move) -> SanPlus {
    SanPlus::from_move(position.chess().clone(), position.to_shakmaty(m))
}

/// The number of a move and whose it is: `12.` or `12...`.
pub fn move_number(position: &Position) -> String {
    use shakmaty::Position as _;
    let dots = if position.turn().is_white() {
        "."
    } else {
        "..."
    };
    format!("{}{dots}", position.chess().fullmoves())
}
