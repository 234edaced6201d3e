//! The static evaluation of a position, explained.

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

/// Explains the evaluation in use: first and last as a score for White with its meaning, in between
/// piece by piece or term by term in internal pawns. With `compare` the hand-written evaluation
/// follows that of the network.
pub fn explain(network: Option<&Network>, position: &Position, compare: bool) -> String {
    let verdict = verdict(network, position);
    let details = eval::explain(network, position, compare);
    format!(
        "{verdict}\n\n{details}\n{verdict}\n(a score of +1.00 means a 50 % chance to win in self-play)\n"
    )
}

/// Returns the evaluation as a UCI score and as chances, all for White, with its origin.
fn verdict(network: Option<&Network>, position: &Position) -> String {
    let material = material(position);
    let score = static_eval(network, position);
    let score = position.turn().fold_wb(score, -score);
    let Chances { win, draw, loss } = chances(score, material);
    let [win, draw, loss] = [win, draw, loss].map(|chance| f64::from(chance) / 10.0);
    let origin = match network {
        _ if eval::known_ending(position).is_some() => "a known ending",
        Some(_) => "the network",
        None => "the hand-written evaluation",
    };
    let score = f64::from(centipawns(score, material)) / 100.0;
    format!(
        "Evaluation: {score:+.2} for White; win {win:.1} %, draw {draw:.1} %, loss {loss:.1} %; by {origin}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::parse_fen;

    #[test]
    fn the_evaluation_in_use_comes_first_and_last() {
        // A queen more, and a known ending.
        for (text, sign) in [
            ("4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQK3 w - - 0 1", "+"),
            ("4k3/pppppppp/8/8/8/8/PPPPPPPP/RNBQK3 b - - 0 1", "+"),
            ("4k3/8/8/8/8/8/8/4K2R w - - 0 1", "+"),
        ] {
            let position = parse_fen(text, false).unwrap().position;
            let text = explain(None, &position, false);
            let shown = format!("Evaluation: {sign}");
            assert!(text.starts_with(&shown), "{text}");
            assert!(text.contains(" for White; win "), "{text}");
            assert_eq!(text.matches(&shown).count(), 2, "{text}");
        }
        let drawn = parse_fen("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1", false).unwrap();
        let text = explain(None, &drawn.position, false);
        assert!(text.contains("Evaluation: +0.00"), "{text}");
        assert!(text.contains("; by a known ending"), "{text}");
    }

    #[test]
    fn the_hand_written_evaluation_is_shown_on_demand() {
        let network = Network::embedded();
        for compare in [false, true] {
            let text = explain(Some(&network), &Position::initial(), compare);
            assert_eq!(text.contains("bishop pair"), compare, "{text}");
            assert!(text.contains("; by the network"), "{text}");
        }
    }
}
