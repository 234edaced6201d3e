//! Tic-tac-toe. Max has the crosses and begins. With best play it is a draw.

use std::fmt::Write as _;

use crate::lab::game::{Game, Player, Value};

/// What a won game is worth. More than any evaluation: there are eight lines.
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

/// The game.
#[derive(Clone, Copy, Debug, Default)]
pub struct TicTacToe;

/// Who has which squares, a bit for each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Board {
    crosses: u16,
    noughts: u16,
}

impl Board {
    fn taken(self) -> u16 {
        self.crosses | self.noughts
    }

    fn is_max_turn(self) -> bool {
        self.crosses.count_ones() == self.noughts.count_ones()
    }
}

fn has_line(squares: u16) -> bool {
    LINES.iter().any(|line| squares & line == *line)
}

/// How many lines the other player has nothing on.
fn open_lines(other: u16) -> Value {
    LINES.iter().filter(|line| other & **line == 0).count() as Value
}

impl Game for TicTacToe {
    type State = Board;
    /// A square, from 0.
    type Move = u8;

    fn start(&self) -> Board {
        Board::default()
    }

    fn player(&self, board: &Board) -> Player {
        if board.is_max_turn() {
            Player::Max
        } else {
            Player::Min
        }
    }

    fn moves(&self, board: &Board) -> Vec<u8> {
        let taken = board.taken();
        (0..9).filter(|square| taken >> square & 1 == 0).collect()
    }

    fn apply(&self, board: &Board, square: &u8) -> Board {
        let mut next = *board;
        if board.is_max_turn() {
            next.crosses |= 1 << square;
        } else {
            next.noughts |= 1 << square;
        }
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

    /// The lines still open to Max minus those still open to Min.
    fn evaluate(&self, board: &Board) -> Value {
        open_lines(board.noughts) - open_lines(board.crosses)
    }

    fn range(&self) -> (Value, Value) {
        (-WIN, WIN)
    }

    fn move_text(&self, _board: &Board, square: &u8) -> String {
        (square + 1).to_string()
    }

    fn state_text(&self, board: &Board) -> String {
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

    /// Not while somebody can complete a line.
    fn is_quiet(&self, board: &Board) -> bool {
        let threatens = |own: u16, other: u16| {
            LINES
                .iter()
                .any(|line| (own & line).count_ones() == 2 && other & line == 0)
        };
        !threatens(board.crosses, board.noughts) && !threatens(board.noughts, board.crosses)
    }

    /// Squares that complete a line of either player.
    fn noisy_moves(&self, board: &Board) -> Vec<u8> {
        let completes = |square: &u8| {
            has_line(board.crosses | 1 << square) || has_line(board.noughts | 1 << square)
        };
        self.moves(board).into_iter().filter(completes).collect()
    }

    /// The opening: the centre first; in reply to it a corner, and the centre in reply to anything else.
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
        let game = TicTacToe;
        let centre = game.apply(&game.start(), &4);
        // All eight lines are open to Max, and four to Min.
        assert_eq!(game.evaluate(&centre), 4);
        let corner = game.apply(&centre, &0);
        assert_eq!(game.evaluate(&corner), 5 - 4);
    }

    #[test]
    fn three_in_a_line_win() {
        let game = TicTacToe;
        let mut board = game.start();
        for square in [0, 3, 1, 4] {
            board = game.apply(&board, &square);
            assert_eq!(game.utility(&board), None);
        }
        assert_eq!(game.noisy_moves(&board), [2, 5]);
        assert!(!game.is_quiet(&board));
        assert_eq!(game.utility(&game.apply(&board, &2)), Some(WIN));
        assert_eq!(game.state_text(&board), "X X 3\nO O 6\n7 8 9");
    }
}
