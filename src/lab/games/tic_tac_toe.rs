//! Tic-tac-toe (tres en raya, gato). Max has the crosses and begins. With best play it is a draw.

use std::fmt::Write as _;

use thiserror::Error;

use crate::lab::game::{Game, Mover, Value};
use crate::lab::language::Language;

/// The value of a won game. More than any evaluation: there are eight lines.
pub const WIN: Value = 100;

/// The lines of three, as bits of the squares 0 to 8, row by row.
const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];
const ALL: u16 = 0b111_111_111;
const CENTRE: u16 = 0b000_010_000;
const CORNERS: u16 = 0b101_000_101;

/// The game, from the empty board or a given one.
#[derive(Clone, Copy, Debug, Default)]
pub struct TicTacToe {
    /// The position to start from.
    pub start: Board,
}

/// The squares of both players, as bits, and the player to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Board {
    crosses: u16,
    noughts: u16,
    min_turn: bool,
}

/// Errors in the text of a board.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum BoardError {
    /// It does not have nine squares.
    #[error("{0} squares where nine are expected, such as X.O/.X./..O")]
    Length(usize),
    /// A character that is neither a mark nor an empty square.
    #[error("{0:?} is not a square: X, O, or . for an empty one")]
    Square(char),
    /// Both players have a line.
    #[error("both players have three in a row")]
    TwoWinners,
}

impl Board {
    /// Reads a board such as `X.O/.X./..O`, row by row: `.`, `-`, `_` or a digit from 1 to 9 is an
    /// empty square, and slashes and spaces are ignored. Without `to_move` it is the turn of the
    /// player with fewer marks, or Max's if both have the same number.
    ///
    /// # Errors
    /// Fails when the text is not a board of nine squares, or both players have won.
    pub fn parse(text: &str, to_move: Option<Mover>) -> Result<Board, BoardError> {
        let squares: Vec<char> = text
            .chars()
            .filter(|c| !c.is_whitespace() && *c != '/')
            .collect();
        if squares.len() != 9 {
            return Err(BoardError::Length(squares.len()));
        }
        let mut board = Board::default();
        for (square, c) in squares.into_iter().enumerate() {
            match c {
                'X' | 'x' => board.crosses |= 1 << square,
                'O' | 'o' => board.noughts |= 1 << square,
                '.' | '-' | '_' | '1'..='9' => {}
                _ => return Err(BoardError::Square(c)),
            }
        }
        if has_line(board.crosses) && has_line(board.noughts) {
            return Err(BoardError::TwoWinners);
        }
        board.min_turn = match to_move {
            Some(player) => player == Mover::Min,
            None => board.crosses.count_ones() > board.noughts.count_ones(),
        };
        Ok(board)
    }

    /// Returns Max's squares, a bit for each, row by row.
    pub fn crosses(self) -> u16 {
        self.crosses
    }

    /// Returns Min's squares, a bit for each, row by row.
    pub fn noughts(self) -> u16 {
        self.noughts
    }

    fn taken(self) -> u16 {
        self.crosses | self.noughts
    }
}

fn has_line(squares: u16) -> bool {
    LINES.iter().any(|line| squares & line == *line)
}

/// Counts the lines without a mark of the other player.
fn open_lines(other: u16) -> Value {
    LINES.iter().filter(|line| other & **line == 0).count() as Value
}

impl Game for TicTacToe {
    type State = Board;
    /// A square, from 0.
    type Move = u8;

    fn start(&self) -> Board {
        self.start
    }

    fn player(&self, board: &Board) -> Mover {
        if board.min_turn {
            Mover::Min
        } else {
            Mover::Max
        }
    }

    fn moves(&self, board: &Board) -> Vec<u8> {
        let taken = board.taken();
        (0..9).filter(|square| taken >> square & 1 == 0).collect()
    }

    fn apply(&self, board: &Board, square: &u8) -> Board {
        let mut next = *board;
        if board.min_turn {
            next.noughts |= 1 << square;
        } else {
            next.crosses |= 1 << square;
        }
        next.min_turn = !board.min_turn;
        next
    }

    fn utility(&self, board: &Board) -> Option<Value> {
        if has_line(board.crosses) {
            Some(WIN)
        } else if has_line(board.noughts) {
            Some(-WIN)
        } else {
            (board.taken() == ALL).then_some(0)
        }
    }

    /// Returns the number of lines still open to Max minus those still open to Min.
    fn evaluate(&self, board: &Board) -> Value {
        open_lines(board.noughts) - open_lines(board.crosses)
    }

    fn range(&self) -> (Value, Value) {
        (-WIN, WIN)
    }

    /// Returns bounds on the result: a player without an open line cannot win any more.
    fn bounds(&self, board: &Board) -> (Value, Value) {
        let lower = if open_lines(board.crosses) > 0 {
            -WIN
        } else {
            0
        };
        let upper = if open_lines(board.noughts) > 0 {
            WIN
        } else {
            0
        };
        (lower, upper)
    }

    fn move_text(&self, _board: &Board, square: &u8) -> String {
        (square + 1).to_string()
    }

    fn state_text(&self, board: &Board, _language: Language) -> String {
        let mut text = String::new();
        for square in 0..9 {
            let bit = 1 << square;
            let sign = if board.crosses & bit != 0 {
                'X'
            } else if board.noughts & bit != 0 {
                'O'
            } else {
                char::from(b'1' + square as u8)
            };
            let end = if square % 3 < 2 { ' ' } else { '\n' };
            let _ = write!(text, "{sign}{end}");
        }
        text.trim_end().to_owned()
    }

    /// Returns false while a player can complete a line.
    fn is_quiet(&self, board: &Board) -> bool {
        let threatens = |own: u16, other: u16| {
            LINES
                .iter()
                .any(|line| (own & line).count_ones() == 2 && other & line == 0)
        };
        !threatens(board.crosses, board.noughts) && !threatens(board.noughts, board.crosses)
    }

    /// Returns the squares that complete a line of either player.
    fn noisy_moves(&self, board: &Board) -> Vec<u8> {
        let completes = |square: &u8| {
            has_line(board.crosses | 1 << square) || has_line(board.noughts | 1 << square)
        };
        self.moves(board).into_iter().filter(completes).collect()
    }

    /// Returns the opening move: the centre, or a corner in reply to the centre.
    fn book(&self, board: &Board) -> Option<u8> {
        let wanted = match board.taken().count_ones() {
            0 => CENTRE,
            1 if board.taken() == CENTRE => CORNERS,
            1 => CENTRE,
            _ => return None,
        };
        Some(wanted.trailing_zeros() as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_evaluation_counts_open_lines() {
        let game = TicTacToe::default();
        let centre = game.apply(&game.start(), &4);
        // All eight lines are open to Max, and four to Min.
        assert_eq!(game.evaluate(&centre), 4);
        let corner = game.apply(&centre, &0);
        assert_eq!(game.evaluate(&corner), 5 - 4);
    }

    #[test]
    fn three_in_a_line_win() {
        let game = TicTacToe::default();
        let mut board = game.start();
        for square in [0, 3, 1, 4] {
            board = game.apply(&board, &square);
            assert_eq!(game.utility(&board), None);
        }
        assert_eq!(game.noisy_moves(&board), [2, 5]);
        assert!(!game.is_quiet(&board));
        assert_eq!(game.utility(&game.apply(&board, &2)), Some(WIN));
        assert_eq!(
            game.state_text(&board, Language::English),
            "X X 3\nO O 6\n7 8 9"
        );
    }
}
