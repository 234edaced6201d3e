//! The names of openings, from the lines that the opening book is made from.

use std::collections::HashMap;
use std::sync::LazyLock;

use serde::Serialize;
use shakmaty::san::SanPlus;

use crate::position::{Move, Position};

/// The lines: ECO code, name and moves in each row.
const LINES: &str = include_str!("../../../book/lines.tsv");

/// The positions of the lines, by their keys, with the opening that a line ends with.
static POSITIONS: LazyLock<HashMap<u64, Option<Opening>>> = LazyLock::new(positions);

/// An opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Opening {
    /// The code of the Encyclopaedia of Chess Openings.
    pub eco: &'static str,
    /// The name.
    pub name: &'static str,
}

/// Returns the last opening that a game reaches, however it got there, and the number of the move,
/// from 1, after which it is not in the lines any more. Games that begin elsewhere have neither.
pub fn classify(positions: &[Position]) -> (Option<Opening>, Option<usize>) {
    let (mut opening, mut left) = (None, None);
    for (position, ply) in positions.iter().zip(1..) {
        if let Some(found) = POSITIONS.get(&position.key()) {
            opening = found.or(opening);
            left = Some(ply);
        }
    }
    (opening, left.filter(|&ply| ply < positions.len()))
}

fn positions() -> HashMap<u64, Option<Opening>> {
    let mut positions = HashMap::new();
    positions.insert(Position::initial().key(), None);
    let rows = LINES.lines().filter(|row| !row.starts_with('#')).skip(1);
    for row in rows {
        let mut columns = row.split('\t');
        if let (Some(eco), Some(name), Some(moves)) =
            (columns.next(), columns.next(), columns.next())
        {
            add_line(&mut positions, Opening { eco, name }, moves);
        }
    }
    positions
}

fn add_line(positions: &mut HashMap<u64, Option<Opening>>, opening: Opening, moves: &str) {
    let mut position = Position::initial();
    for word in moves.split(' ') {
        let Ok(san) = SanPlus::from_ascii(word.as_bytes()) else {
            return;
        };
        let Ok(m) = san.san.to_move(position.chess()) else {
            return;
        };
        position = position.play(Move::from_shakmaty(m));
        positions.entry(position.key()).or_insert(None);
    }
    positions.insert(position.key(), Some(opening));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::PgnReader;

    fn classify_game(pgn: &str) -> (Option<Opening>, Option<usize>) {
        let mut reader = PgnReader::new(pgn.as_bytes());
        let (game, _) = reader.next_game(&mut |_| {}).unwrap().unwrap();
        classify(&game.positions())
    }

    #[test]
    fn every_line_is_named() {
        let rows = LINES.lines().filter(|row| !row.starts_with('#')).count() - 1;
        let names = POSITIONS.values().flatten().count();
        // A few lines lead to the same position.
        assert!(rows > 3_000 && names > rows * 9 / 10, "{names} of {rows}");
        for row in LINES.lines().filter(|row| !row.starts_with('#')).skip(1) {
            let moves = row.rsplit('\t').next().unwrap();
            let (opening, left) = classify_game(&format!("{moves} *"));
            assert!(opening.is_some() && left.is_none(), "{row}");
        }
    }

    #[test]
    fn openings_are_found_by_position() {
        let italian = "1. e4 e5 2. Nf3 Nc6 3. Bc4";
        let (opening, left) = classify_game(&format!("{italian} *"));
        let expected = Opening {
            eco: "C50",
            name: "Italian Game",
        };
        assert_eq!((opening, left), (Some(expected), None));
        // By another order of moves.
        let (opening, _) = classify_game("1. Nf3 Nc6 2. e4 e5 3. Bc4 *");
        assert_eq!(opening, Some(expected));
        let (opening, left) = classify_game(&format!("{italian} a6 4. a3 *"));
        assert_eq!(
            (opening.map(|opening| opening.eco), left),
            (Some("C50"), Some(6))
        );
        let elsewhere = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *";
        assert_eq!(classify_game(elsewhere), (None, None));
    }
}
