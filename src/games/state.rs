//! A game in progress: the position on the board and the history that repetitions depend on.

use thiserror::Error;

use super::format::GameResult;
use crate::position::notation::{
    FenError, INITIAL_FEN, MoveError, ParsedFen, parse_fen, parse_uci,
};
use crate::position::repetition::KeyHistory;
use crate::position::{Move, Position};

/// Errors returned by [`GameState::parse`].
#[derive(Debug, Error)]
pub enum GameStateError {
    /// The FEN cannot be used.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move cannot be played.
    #[error("move {number}: {source}")]
    Move {
        /// The move's number in the list, from 1.
        number: usize,
        /// The reason.
        source: MoveError,
    },
}

/// A position with the positions of the game before it, back to the last capture or pawn move.
/// Nothing before that can be repeated.
#[derive(Clone, Debug)]
pub struct GameState {
    /// The position.
    pub position: Position,
    /// The positions before it.
    pub keys: KeyHistory,
    /// Plies since the beginning of the game.
    pub ply: usize,
}

impl Default for GameState {
    /// Returns the initial position of standard chess.
    fn default() -> GameState {
        GameState::new(Position::initial())
    }
}

impl GameState {
    /// Creates a game that begins at a position.
    pub fn new(position: Position) -> GameState {
        GameState {
            position,
            keys: KeyHistory::default(),
            ply: 0,
        }
    }

    /// Parses a position as UCI gives it: a FEN (or `None` for the initial position) and the moves
    /// played from there, in UCI notation.
    ///
    /// # Errors
    /// Fails when the FEN is not a legal position or a move is not legal.
    pub fn parse<'a>(
        fen: Option<&str>,
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Result<GameState, GameStateError> {
        GameState::parse_chess960(fen, moves, false).map(|(state, _)| state)
    }

    /// Parses a position as [`GameState::parse`] does, with castling always written king takes rook
    /// if `chess960` is set. The second value tells whether the position turned out to be a
    /// Chess960 position without `chess960`.
    ///
    /// # Errors
    /// Fails when the FEN is not a legal position or a move is not legal.
    pub fn parse_chess960<'a>(
        fen: Option<&str>,
        moves: impl IntoIterator<Item = &'a str>,
        chess960: bool,
    ) -> Result<(GameState, bool), GameStateError> {
        let ParsedFen {
            position,
            detected_chess960,
        } = parse_fen(fen.unwrap_or(INITIAL_FEN), chess960)?;
        let mut state = GameState::new(position);
        for (index, text) in moves.into_iter().enumerate() {
            let number = index + 1;
            let m = parse_uci(&state.position, text)
                .map_err(|source| GameStateError::Move { number, source })?;
            state.play(m);
        }
        Ok((state, detected_chess960))
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

    /// Returns the result if the rules end the game here.
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

    fn state(fen: &str) -> GameState {
        GameState::parse(Some(fen), []).unwrap()
    }

    #[test]
    fn the_rules_end_games() {
        for (fen, expected) in [
            ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Some(GameResult::Draw)),
            ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", Some(GameResult::White)),
            ("8/8/8/8/8/6k1/6q1/7K w - - 0 1", Some(GameResult::Black)),
            ("k7/8/8/8/8/8/8/KN6 w - - 0 1", Some(GameResult::Draw)),
            // Bishops of one colour, and of both.
            ("8/8/8/8/8/k7/8/KB1b4 w - - 0 1", Some(GameResult::Draw)),
            ("8/8/8/8/8/k7/8/KB2b3 w - - 0 1", None),
            ("k7/8/8/8/8/8/8/KR6 w - - 100 90", Some(GameResult::Draw)),
            ("k7/8/8/8/8/8/8/K1R5 w - - 99 90", None),
        ] {
            assert_eq!(state(fen).result(), expected, "{fen}");
        }
    }

    #[test]
    fn the_third_occurrence_is_a_draw() {
        let mut game = GameState::default();
        let there_and_back = ["g1f3", "g8f6", "f3g1", "f6g8"];
        for text in there_and_back.repeat(2) {
            assert_eq!(game.result(), None, "{}", game.ply);
            game.play(parse_uci(&game.position, text).unwrap());
        }
        assert_eq!(game.result(), Some(GameResult::Draw));
        game.play(parse_uci(&game.position, "e2e4").unwrap());
        assert_eq!((game.result(), game.ply), (None, 9));
    }

    #[test]
    fn positions_are_parsed_with_their_history() {
        let moves = ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2);
        let game = GameState::parse(None, moves).unwrap();
        assert_eq!((game.ply, game.result()), (8, Some(GameResult::Draw)));
        let error = GameState::parse(None, ["e2e4", "e2e4"]).unwrap_err();
        assert_eq!(error.to_string(), "move 2: illegal move: \"e2e4\"");
        let error = GameState::parse(Some("nonsense"), []).unwrap_err();
        assert!(error.to_string().starts_with("not a FEN"), "{error}");
        let fen = "1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1";
        let detected = |chess960| {
            GameState::parse_chess960(Some(fen), [], chess960)
                .unwrap()
                .1
        };
        assert!(detected(false) && !detected(true));
    }
}
