//! The moves of operations, and lines in SAN.

use super::record::Operand;
use crate::position::notation::{self, MoveError, parse_move, without_annotations};
use crate::position::{Move, Position};

/// Parses the moves of an operation, separated by commas or spaces. Ignores stray marks
/// (`Nf3 + !`).
///
/// # Errors
/// Fails when one of them is not a legal move.
pub fn parse_all(position: &Position, operands: &[Operand]) -> Result<Vec<Move>, MoveError> {
    let text: Vec<&str> = operands
        .iter()
        .map(|operand| operand.text.as_str())
        .collect();
    // `f8 = Q` is one move.
    let text = text.join(" ").replace(" = ", "=");
    let words = text.split([',', ' ', '\t']);
    let mut moves = Vec::new();
    for word in words.filter(|word| !without_annotations(word).is_empty()) {
        let m = parse_move(position, word)?;
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
