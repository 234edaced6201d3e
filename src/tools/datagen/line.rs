//! A position in a game, with what it takes to know repetitions.

use super::format::GameResult;
use crate::position::repetition::KeyHistory;
use crate::position::{Move, Position};

/// A position and those before it since the last capture or pawn move: nothing before that can come back.
#[derive(Clone, Debug)]
pub struct Line {
    /// The position.
    pub position: Position,
    /// The positions before it.
    pub keys: KeyHistory,
    /// Plies since the beginning of the game.
    pub ply: usize,
}

impl Line {
    /// The beginning of a game.
    pub fn new(position: Position) -> Line {
        Line {
            position,
            keys: KeyHistory::default(),
            ply: 0,
        }
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: Move) {
        let child = self.position.play(m);
        if child.halfmoves() == 0 {
            self.keys.clear();
        } else {
            self.keys.push(&self.position);
        }
        self.position = child;
        self.ply += 1;
    }

    /// The result, if the rules end the game here.
    pub fn result(&self) -> Option<GameResult> {
        let position = &self.position;
        if !position.has_legal_move() {
            return Some(if position.in_check() {
                GameResult::won_by(!position.turn())
            } else {
                GameResult::Draw
            });
        }
        let drawn = position.halfmoves() >= 100
            || position.is_insufficient_material()
            || self.keys.occurrences(position) >= 2;
        drawn.then_some(GameResult::Draw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::{parse_fen, parse_uci};

    #[test]
    fn the_rules_end_games() {
        let result = |fen| Line::new(parse_fen(fen, false).unwrap().position).result();
        for (fen, expected) in [
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some(GameResult::Draw)),
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Some(GameResult::White)),
            ("8/8/8/8/8/6k1/6q1/7K w - - 0 1", Some(GameResult::Black)),
            ("k7/8/8/8/8/8/8/KN6 w - - 0 1", Some(GameResult::Draw)),
            ("k7/8/8/8/8/8/8/KR6 w - - 100 90", Some(GameResult::Draw)),
            ("k7/8/8/8/8/8/8/K1R5 w - - 99 90", None),
        ] {
            assert_eq!(result(fen), expected, "{fen}");
        }
    }

    #[test]
    fn the_third_time_is_a_draw() {
        let mut line = Line::new(Position::initial());
        let there_and_back = ["g1f3", "g8f6", "f3g1", "f6g8"];
        for text in there_and_back.repeat(2) {
            assert_eq!(line.result(), None, "{}", line.ply);
            line.play(parse_uci(&line.position, text).unwrap());
        }
        assert_eq!(line.result(), Some(GameResult::Draw));
        line.play(parse_uci(&line.position, "e2e4").unwrap());
        assert_eq!((line.result(), line.ply), (None, 9));
    }
}
