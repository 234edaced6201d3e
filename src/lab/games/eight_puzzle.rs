//! The 8-puzzle: eight numbered tiles on a board of nine squares. A tile beside the empty square
//! can slide into it.

use std::fmt::Write as _;

use thiserror::Error;

use crate::lab::algorithms::one_player::Puzzle;

const SIDE: usize = 3;
const SQUARES: usize = SIDE * SIDE;

/// Tiles by square, row by row; 0 is the empty square.
pub type Tiles = [u8; SQUARES];

/// The position to reach.
pub const GOAL: Tiles = [1, 2, 3, 4, 5, 6, 7, 8, 0];

/// The puzzle.
#[derive(Clone, Copy, Debug)]
pub struct EightPuzzle {
    start: Tiles,
}

/// Errors in the text of a puzzle.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum PuzzleError {
    /// It does not name nine squares.
    #[error("{0} digits, where the nine squares need one each, 0 for the empty one")]
    Length(usize),
    /// A character that is no tile.
    #[error("{0:?} is not a digit from 0 to 8")]
    Digit(char),
    /// A tile that appears twice.
    #[error("{0} is there twice")]
    Twice(u8),
    /// Half of all positions cannot be reached from the other half.
    #[error("no way leads from here to 123456780: swap two tiles")]
    Unsolvable,
}

impl EightPuzzle {
    /// Parses a position such as `867254301`, row by row, 0 for the empty square. Spaces are
    /// ignored.
    ///
    /// # Errors
    /// Fails when the text is not a position, or the goal cannot be reached from it.
    pub fn parse(text: &str) -> Result<EightPuzzle, PuzzleError> {
        let digits: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
        let tile = |c: &char| {
            let digit = c.to_digit(SQUARES as u32);
            digit.map(|digit| digit as u8).ok_or(PuzzleError::Digit(*c))
        };
        let tiles = digits.iter().map(tile).collect::<Result<Vec<u8>, _>>()?;
        let start =
            Tiles::try_from(tiles.as_slice()).map_err(|_| PuzzleError::Length(digits.len()))?;
        let twice = |tile: &u8| start.iter().filter(|other| *other == tile).count() > 1;
        if let Some(tile) = start.iter().find(|tile| twice(tile)) {
            return Err(PuzzleError::Twice(*tile));
        }
        // On a board of odd width a slide never changes whether the number of inversions is even.
        if inversions(&start) % 2 == 1 {
            return Err(PuzzleError::Unsolvable);
        }
        Ok(EightPuzzle { start })
    }
}

/// Counts the pairs of tiles in the wrong order.
fn inversions(tiles: &Tiles) -> usize {
    let tiles: Vec<u8> = tiles.iter().copied().filter(|tile| *tile > 0).collect();
    let wrong = |(index, tile): (usize, &u8)| {
        tiles
            .iter()
            .skip(index)
            .filter(|other| *other < tile)
            .count()
    };
    tiles.iter().enumerate().map(wrong).sum()
}

/// Returns the number of rows and columns between two squares.
fn distance(a: usize, b: usize) -> u32 {
    ((a / SIDE).abs_diff(b / SIDE) + (a % SIDE).abs_diff(b % SIDE)) as u32
}

/// Writes the board in three lines.
pub fn tiles_text(tiles: &Tiles) -> String {
    let mut text = String::new();
    for (square, tile) in tiles.iter().enumerate() {
        let end = if square % SIDE == SIDE - 1 { '\n' } else { ' ' };
        let _ = if *tile == 0 {
            write!(text, ".{end}")
        } else {
            write!(text, "{tile}{end}")
        };
    }
    text.trim_end().to_owned()
}

impl Puzzle for EightPuzzle {
    type State = Tiles;

    fn start(&self) -> Tiles {
        self.start
    }

    fn next(&self, tiles: &Tiles) -> Vec<Tiles> {
        let Some(empty) = tiles.iter().position(|tile| *tile == 0) else {
            return Vec::new();
        };
        let slide = |square| {
            let mut next = *tiles;
            next.swap(square, empty);
            next
        };
        let beside = |square: &usize| distance(*square, empty) == 1;
        (0..SQUARES).filter(beside).map(slide).collect()
    }

    /// Returns the sum of the tiles' distances from their places. A slide brings one tile at most
    /// one step closer.
    fn estimate(&self, tiles: &Tiles) -> u32 {
        let way = |(square, tile): (usize, &u8)| match tile {
            0 => 0,
            tile => distance(square, usize::from(*tile) - 1),
        };
        tiles.iter().enumerate().map(way).sum()
    }

    fn is_goal(&self, tiles: &Tiles) -> bool {
        *tiles == GOAL
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::algorithms::one_player::{a_star, ida_star};

    #[test]
    fn what_is_no_puzzle_is_named() {
        let error = |text| EightPuzzle::parse(text).unwrap_err();
        assert_eq!(error("12345678"), PuzzleError::Length(8));
        assert_eq!(error("123456789"), PuzzleError::Digit('9'));
        assert_eq!(error("123456770"), PuzzleError::Twice(7));
        assert_eq!(error("123456870"), PuzzleError::Unsolvable);
    }

    #[test]
    fn both_algorithms_find_a_shortest_way() {
        // 31 moves is the farthest that any position is from the goal.
        for (text, moves) in [
            ("123456780", 0),
            ("123456708", 1),
            ("123 745 086", 4),
            ("867254301", 31),
        ] {
            let puzzle = EightPuzzle::parse(text).unwrap();
            for way in [a_star(&puzzle), ida_star(&puzzle)] {
                let states = way.unwrap().states;
                assert_eq!(states.len() - 1, moves, "{text}");
                assert_eq!(states.last(), Some(&GOAL));
                for pair in states.windows(2) {
                    assert!(puzzle.next(&pair[0]).contains(&pair[1]));
                }
            }
        }
    }
}
