//! The static evaluation of a position, explained.

use std::fmt::Write as _;

use crate::eval::nnue::Network;
use crate::eval::{self, Evaluator};
use crate::position::Position;
use crate::score::Score;
use crate::wdl::{Chances, centipawns, chances, material};

/// Returns the static evaluation of a position for the side to move: by a known ending, the network
/// if there is one, or the hand-written evaluation.
pub fn static_eval(network: Option<&Network>, position: &Position) -> Score {
    Score::cp(Evaluator::new(network).evaluate(position))
}

/// Explains the network's evaluation piece by piece, if there is a network, and the hand-written
/// evaluation term by term. Both are in internal pawns; the last lines convert the evaluation to a
/// UCI score.
pub fn explain(network: Option<&Network>, position: &Position) -> String {
    let (score, material) = (static_eval(network, position), material(position));
    let Chances { win, draw, loss } = chances(score, material);
    let mut text = eval::explain(network, position);
    // Writing to a String cannot fail.
    let _ = writeln!(
        text,
        "\nThe values above are in internal pawns. As a UCI score: {:+.2} for the side to move; win {:.1} %, draw {:.1} %,\n\
         loss {:.1} % (+1.00 means a 50 % chance to win in self-play)",
        f64::from(centipawns(score, material)) / 100.0,
        f64::from(win) / 10.0,
        f64::from(draw) / 10.0,
        f64::from(loss) / 10.0,
    );
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::parse_fen;

    #[test]
    fn the_last_lines_convert_the_evaluation_to_a_uci_score() {
        // A queen more, and a known ending.
        for (text, sign) in [
            ("4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQK3 w - - 0 1", "+"),
            ("4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQK3 b - - 0 1", "-"),
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "+"),
        ] {
            let position = parse_fen(text, false).unwrap().position;
            let text = explain(None, &position);
            let shown = format!("UCI score: {sign}");
            assert!(text.contains(&shown), "{text}");
        }
        let drawn = parse_fen("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", false).unwrap();
        let text = explain(None, &drawn.position);
        assert!(text.contains("UCI score: +0.00"), "{text}");
    }
}
