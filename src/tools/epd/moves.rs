//! Lenient parsing of moves: SAN with or without annotations, long algebraic notation, and UCI
//! notation.

use shakmaty::san::{San, SanError};
use thiserror::Error;

use super::record::Operand;
use crate::position::notation::{self, move_of_san, without_annotations};
use crate::position::{Move, Position};

/// Errors returned when parsing a move.
#[derive(Debug, Error)]
pub enum EpdMoveError {
    /// The text is not a move.
    #[error("not a move: {0:?}")]
    Syntax(String),
    /// The move is not legal in this position.
    #[error("illegal move: {0:?}")]
    Illegal(String),
    /// Several pieces can make the move.
    #[error("ambiguous move: {0:?}")]
    Ambiguous(String),
}

/// Parses a move.
///
/// # Errors
/// Fails when the text is not a move, or the move is illegal or ambiguous.
pub fn parse(position: &Position, text: &str) -> Result<Move, EpdMoveError> {
    let plain = without_annotations(text);
    let name = || text.chars().take(20).collect::<String>();
    let in_uci = || {
        let text = plain.replace('=', "").to_ascii_lowercase();
        notation::parse_uci(position, &text)
    };
    let Ok(san) = San::from_ascii(plain.as_bytes()) else {
        return in_uci().map_err(|error| match error {
            notation::MoveError::Syntax(_) => EpdMoveError::Syntax(name()),
            notation::MoveError::Illegal(_) => EpdMoveError::Illegal(name()),
        });
    };
    match move_of_san(position, &san) {
        Ok(m) => Ok(m),
        Err(SanError::AmbiguousSan) => Err(EpdMoveError::Ambiguous(name())),
        // A move in UCI notation, such as b8b7 or b7a8q, can look like one of a pawn in SAN.
        Err(SanError::IllegalSan) => in_uci().map_err(|_| EpdMoveError::Illegal(name())),
    }
}

/// Parses the moves of an operation, separated by commas or spaces. Ignores stray marks
/// (`Nf3 + !`).
///
/// # Errors
/// Fails when one of them is not a legal move.
pub fn parse_all(position: &Position, operands: &[Operand]) -> Result<Vec<Move>, EpdMoveError> {
    let text: Vec<&str> = operands
        .iter()
        .map(|operand| operand.text.as_str())
        .collect();
    // `f8 = Q` is one move.
    let text = text.join(" ").replace(" = ", "=");
    let words = text.split([',', ' ', '\t']);
    let mut moves = Vec::new();
    for word in words.filter(|word| !without_annotations(word).is_empty()) {
        let m = parse(position, word)?;
        if !moves.contains(&m) {
            moves.push(m);
        }
    }
    Ok(moves)
}

/// Returns the move in SAN, with its check or mate mark.
pub fn san(position: &Position, m: Move) -> String {
    notation::san(position, m).to_string()
}

/// Returns a line in SAN, up to the first illegal move.
pub fn line(position: &Position, pv: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut line = Vec::with_capacity(pv.len());
    for &m in pv {
        if !position.is_legal(m) {
            break;
        }
        line.push(san(&position, m));
        position = position.play(m);
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        notation::parse_fen(fen, false).unwrap().position
    }

    #[test]
    fn one_move_in_many_ways() {
        let start = position("r3k2r/1P6/8/8/8/5N2/8/R3K2R w KQkq - 0 1");
        for (texts, uci) in [
            (
                &[
                    "Nd4", "Nd4!", "Nd4?!", "N f3d4", "Nf3-d4", "Nf3d4", "f3d4", "1.Nd4",
                    "12...Nd4", "Nd4,",
                ][..],
                "f3d4",
            ),
            (&["O-O", "0-0", "o-o", "e1g1", "O-O!?", "e1h1"], "e1g1"),
            (&["O-O-O", "0-0-0+"], "e1c1"),
            (
                &[
                    "bxa8=Q+",
                    "bxa8Q",
                    "bxa8q",
                    "b7a8q",
                    "bxa8(Q)",
                    "b7xa8=Q#",
                    "bxa8/Q",
                    "ba8:Q++",
                    "bxa8=Qmate",
                ],
                "b7a8q",
            ),
            (&["b8=N", "b8N", "b7b8n"], "b7b8n"),
        ] {
            for text in texts {
                let m = parse(&start, &text.replace(' ', "")).unwrap();
                assert_eq!(notation::uci(&start, m).to_string(), uci, "{text}");
            }
        }
    }

    #[test]
    fn other_texts_are_refused() {
        let position = position("4k3/8/8/2N3N1/8/8/8/4K3 w - - 0 1");
        for (text, part) in [
            ("Ne4", "ambiguous move: \"Ne4\""),
            ("Qh5", "illegal move"),
            ("c5c6", "illegal move"),
            ("frob", "not a move"),
        ] {
            assert!(
                parse(&position, text)
                    .unwrap_err()
                    .to_string()
                    .contains(part),
                "{text}"
            );
        }
    }

    #[test]
    fn lists_have_any_separators() {
        let position = Position::initial();
        let operands = |text: &str| {
            let words = text.split(' ').map(|text| Operand {
                text: text.to_owned(),
                quoted: false,
            });
            words.collect::<Vec<_>>()
        };
        let moves = parse_all(&position, &operands("e4,Nf3 d4 + ? e4")).unwrap();
        assert_eq!(
            moves.iter().map(|&m| san(&position, m)).collect::<Vec<_>>(),
            ["e4", "Nf3", "d4"]
        );
        assert!(parse_all(&position, &operands("e4 Nd4")).is_err());
        let promotion = notation::parse_fen("4k3/P7/8/8/8/8/8/4K3 w - -", false)
            .unwrap()
            .position;
        let moves = parse_all(&promotion, &operands("a8 = Q +")).unwrap();
        assert_eq!(line(&promotion, &moves), ["a8=Q+"]);
    }
}
