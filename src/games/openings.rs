//! Random openings: random moves from the initial position, from a double Chess960 position, or
//! from a position of a file.

use shakmaty::{Board, CastlingMode, Chess, Color, FromSetup as _, Setup};
use thiserror::Error;

use super::GameState;
use crate::position::notation::{FenError, fen_of_line, parse_fen};
use crate::position::{Move, Position};
use crate::random::Random;

/// Number of back-rank arrangements in Chess960.
const ARRANGEMENTS: usize = 960;
/// Random moves that lose this much are drawn again: a rook, in centipawns of the static exchange
/// evaluation.
const BLUNDER: i32 = 500;
/// Number of redraws before a losing move is accepted.
const REDRAWS: usize = 8;

/// Rules for random openings.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct OpeningRules {
    /// The share of games that begin from double Chess960 (0 to 1)
    #[arg(long, value_name = "SHARE", default_value_t = 0.2, value_parser = parse_share)]
    pub chess960_share: f64,
    /// Random plies at the beginning; half of the games have one more, so that either side is the
    /// first to think
    #[arg(long, value_name = "PLIES", default_value_t = 8, value_parser = clap::value_parser!(u16).range(0..=100))]
    pub random_plies: u16,
}

/// Parses a share, a number from 0 to 1, for clap.
///
/// # Errors
/// Returns a message if the text is not such a number.
pub fn parse_share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 to 1".to_owned()),
    }
}

impl OpeningRules {
    /// Draws a position to begin a game from, after random moves from one of a file, if there is a
    /// file. Returns `None` if the rules have ended the game by then.
    ///
    /// # Errors
    /// Fails when the line drawn from the file is not a position.
    pub fn draw(
        &self,
        file: Option<&OpeningFile>,
        random: &mut Random,
    ) -> Result<Option<GameState>, OpeningError> {
        let start = match file {
            Some(file) => file.draw(random)?,
            None if random.chance(self.chess960_share) => {
                double_chess960(random.below(ARRANGEMENTS), random.below(ARRANGEMENTS))
            }
            None => Position::initial(),
        };
        Ok(self.play_randomly(start, random))
    }

    /// Plays random moves from a position. Returns `None` if they end the game.
    fn play_randomly(&self, start: Position, random: &mut Random) -> Option<GameState> {
        let mut game = GameState::new(start);
        let plies = usize::from(self.random_plies) + random.below(2);
        for _ in 0..plies {
            game.play(random_move(&game.position, random)?);
        }
        game.result().is_none().then_some(game)
    }
}

/// The positions of a file, a FEN or EPD in each line, to begin games from. Empty lines do not
/// count.
#[derive(Clone, Debug)]
pub struct OpeningFile {
    /// Each line with its number, from 1.
    lines: Vec<(usize, String)>,
}

/// A file of openings cannot be used.
#[derive(Debug, Error)]
pub enum OpeningError {
    /// There is no position in it.
    #[error("no position in it")]
    Empty,
    /// A position has more pieces than a chess set.
    #[error("line {0}: more than 32 pieces, which the format of the games cannot store")]
    TooManyPieces(usize),
    /// A line is not a position.
    #[error("line {number}: {line:?}: {source}")]
    Line {
        /// The number of the line, from 1.
        number: usize,
        /// The beginning of the line.
        line: String,
        /// The reason.
        source: FenError,
    },
}

impl OpeningFile {
    /// Splits the text of a file into lines. They are parsed when they are drawn, because files are
    /// often much larger than the number of positions drawn.
    pub fn new(text: &[u8]) -> OpeningFile {
        let text = String::from_utf8_lossy(text);
        let lines = (1..).zip(text.trim_start_matches('\u{feff}').lines());
        let lines = lines.filter(|(_, line)| !line.trim().is_empty());
        OpeningFile {
            lines: lines
                .map(|(number, line)| (number, line.to_owned()))
                .collect(),
        }
    }

    /// Parses all lines, for games that are to be stored.
    ///
    /// # Errors
    /// Returns an error for the first line that is not a position or has more than 32 pieces, and
    /// if there is no line.
    pub fn check(&self) -> Result<(), OpeningError> {
        if self.lines.is_empty() {
            return Err(OpeningError::Empty);
        }
        let mut lines = self.lines.iter();
        lines.try_for_each(|(number, line)| match parse_opening(*number, line)? {
            position if position.piece_count() > 32 => Err(OpeningError::TooManyPieces(*number)),
            _ => Ok(()),
        })
    }

    /// Draws a position.
    fn draw(&self, random: &mut Random) -> Result<Position, OpeningError> {
        let line = self.lines.get(random.below(self.lines.len()));
        let (number, line) = line.ok_or(OpeningError::Empty)?;
        parse_opening(*number, line)
    }
}

/// Parses a line with a FEN, or an EPD with its operations.
fn parse_opening(number: usize, line: &str) -> Result<Position, OpeningError> {
    let parsed = parse_fen(&fen_of_line(line), false).map_err(|source| OpeningError::Line {
        number,
        line: line.chars().take(100).collect(),
        source,
    })?;
    Ok(parsed.position)
}

/// Draws a legal move, preferring one that does not lose a rook.
fn random_move(position: &Position, random: &mut Random) -> Option<Move> {
    let moves = position.legal_moves();
    let mut choice = None;
    for _ in 0..=REDRAWS {
        choice = moves.get(random.below(moves.len())).copied();
        if choice.is_none_or(|m| position.see_ge(m, 1 - BLUNDER)) {
            break;
        }
    }
    choice
}

/// Returns the initial position with these arrangements, by Scharnagl's numbers (0 to 959), for
/// White and Black.
pub fn double_chess960(white: usize, black: usize) -> Position {
    let arrangement = |number: usize| Board::chess960((number % ARRANGEMENTS) as u32);
    let mut setup = Setup::initial();
    setup.board = Board::empty();
    for (color, board) in [
        (Color::White, arrangement(white)),
        (Color::Black, arrangement(black)),
    ] {
        for (square, piece) in board {
            if piece.color == color {
                setup.board.set_piece_at(square, piece);
            }
        }
    }
    setup.castling_rights = setup.board.rooks();
    let mode = CastlingMode::detect(&setup);
    // Every arrangement is a position; the initial one keeps the compiler from generating a panic.
    Chess::from_setup(setup, mode).map_or_else(|_| Position::initial(), Position::from_chess)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::fen;
    use std::collections::HashSet;

    #[test]
    fn arrangements_have_their_numbers() {
        assert_eq!(
            fen(&double_chess960(518, 518)),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        );
        assert_eq!(
            fen(&double_chess960(0, 959)),
            "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"
        );
        let all: HashSet<String> = (0..960).map(|n| fen(&double_chess960(n, 518))).collect();
        assert_eq!(all.len(), 960);
    }

    #[test]
    fn openings_are_of_both_lengths_and_kinds() {
        let rules = OpeningRules {
            chess960_share: 0.2,
            random_plies: 8,
        };
        let (mut nine, mut chess960, mut seen) = (0, 0, HashSet::new());
        for number in 0..1_000 {
            let mut random = Random::of_item(1, number);
            // A few random openings end in mate.
            let mut draw = || rules.draw(None, &mut random).unwrap();
            let game = draw().or_else(draw).unwrap();
            assert!(game.result().is_none());
            assert!(game.ply == 8 || game.ply == 9);
            assert_eq!(game.position.turn().is_black(), game.ply == 9);
            nine += usize::from(game.ply == 9);
            chess960 += usize::from(game.position.castling_mode().is_chess960());
            seen.insert(game.position.key());
        }
        assert!((450..550).contains(&nine), "{nine}");
        assert!((150..250).contains(&chess960), "{chess960}");
        assert!(seen.len() > 990, "{}", seen.len());
    }

    #[test]
    fn openings_come_from_a_file() {
        let rules = OpeningRules {
            chess960_share: 1.0,
            random_plies: 0,
        };
        let ending = "8/5k2/5p2/8/8/2P5/2K5/8";
        let text = format!("\u{feff}{ending} w - - 0 1\n\n{ending} b - - hmvc 0; c0 \"x\";\n");
        let file = OpeningFile::new(text.as_bytes());
        assert!(file.check().is_ok());
        let mut turns = HashSet::new();
        for number in 0..40 {
            let game = rules.draw(Some(&file), &mut Random::of_item(1, number));
            let game = game.unwrap().unwrap();
            if game.ply == 0 {
                assert!(fen(&game.position).starts_with(ending));
                turns.insert(game.position.turn());
            }
        }
        assert_eq!(turns.len(), 2);
        for (text, fault) in [
            ("\n", "no position in it"),
            ("x\n", "line 1: \"x\": "),
            (
                "8/5k2/5p2/8/8/2P5/2K5/8 w - - 0 1\n\nx\n",
                "line 3: \"x\": ",
            ),
            (
                "4k3/pppppppp/pppppppp/8/8/PPPPPPPP/PPPPPPPP/4K3 w - -\n",
                "line 1: more than 32 pieces",
            ),
        ] {
            let error = OpeningFile::new(text.as_bytes()).check().unwrap_err();
            assert!(error.to_string().starts_with(fault), "{error}");
        }
        let stalemate = OpeningFile::new(b"k7/2Q5/2K5/8/8/8/8/8 b - - 0 1\n");
        let game = rules.draw(Some(&stalemate), &mut Random::new(1));
        assert!(game.unwrap().is_none());
    }
}
