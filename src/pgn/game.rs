//! A game as PGN describes it: tag pairs, and moves with their annotations.

use std::borrow::Cow;

use shakmaty::Outcome;

use crate::position::{Move, Position};

/// A game.
#[derive(Clone, Debug)]
pub struct PgnGame {
    /// The number of the game in the source, from 1.
    pub number: u64,
    /// Names and values, in the order of the source.
    pub tags: Vec<(String, String)>,
    /// The first position.
    pub start: Position,
    /// The moves that were played.
    pub main_line: PgnVariation,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: Cow<'static, str>,
    /// The text of the first illegal move, with its number, and of everything after it; empty if
    /// all moves are legal.
    pub unread_moves: String,
    /// Everything that is wrong with the text, as messages for the user.
    pub faults: Vec<String>,
    /// The text of a game whose rules or first position cannot be understood. It has no moves, and
    /// is written unchanged.
    pub verbatim: Option<Vec<u8>>,
}

/// A sequence of moves: the main line of a game, or a variation.
#[derive(Clone, Debug, Default)]
pub struct PgnVariation {
    /// Comments before the first move.
    pub comments: Vec<String>,
    /// The moves.
    pub moves: Vec<AnnotatedMove>,
}

/// A move and its annotations.
#[derive(Clone, Debug)]
pub struct AnnotatedMove {
    /// The move.
    pub m: Move,
    /// Numeric annotation glyphs.
    pub nags: Vec<u8>,
    /// Comments after the move.
    pub comments: Vec<String>,
    /// Alternatives to the move.
    pub variations: Vec<PgnVariation>,
}

impl AnnotatedMove {
    /// Returns a move without annotations.
    pub fn new(m: Move) -> AnnotatedMove {
        AnnotatedMove {
            m,
            nags: Vec::new(),
            comments: Vec::new(),
            variations: Vec::new(),
        }
    }
}

impl PgnGame {
    /// Returns a game without moves, tag pairs or result.
    pub fn new(start: Position) -> PgnGame {
        PgnGame {
            number: 1,
            tags: Vec::new(),
            start,
            main_line: PgnVariation::default(),
            result: Cow::Borrowed("*"),
            unread_moves: String::new(),
            faults: Vec::new(),
            verbatim: None,
        }
    }

    /// Returns the value of a tag pair.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Returns the outcome: that of the movetext, or of the `Result` tag where the movetext leaves
    /// it open.
    pub fn outcome(&self) -> Outcome {
        let parse = |text: &str| Outcome::from_ascii(text.trim().as_bytes()).ok();
        let texts = [Some(&*self.result), self.tag("Result")];
        let outcomes = texts.into_iter().flatten().filter_map(parse);
        outcomes
            .into_iter()
            .find(|outcome| outcome.is_known())
            .unwrap_or(Outcome::Unknown)
    }

    /// Returns the moves of the main line, each with the position before it.
    pub fn replay(&self) -> impl Iterator<Item = (Position, Move)> {
        self.main_line
            .moves
            .iter()
            .scan(self.start.clone(), |position, played| {
                let after = position.play(played.m);
                Some((std::mem::replace(position, after), played.m))
            })
    }

    /// Returns all positions of the main line, the first one included.
    pub fn positions(&self) -> Vec<Position> {
        let mut positions = vec![self.start.clone()];
        positions.extend(self.replay().map(|(position, m)| position.play(m)));
        positions
    }
}

/// Returns the number of the next move and whose it is: `12.` or `12...`.
pub fn move_number(position: &Position) -> String {
    use shakmaty::Position as _;
    let dots = if position.turn().is_white() {
        "."
    } else {
        "..."
    };
    format!("{}{dots}", position.chess().fullmoves())
}

/// Returns the comment after the last legal move, with the text behind it.
pub fn not_understood(text: &str) -> String {
    format!("Not understood from here: {text}")
}
