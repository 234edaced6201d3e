//! Pairs of siblings: positions after two moves, of which a search chose the first.

use super::loss::logistic;
use super::sample::Sample;
use crate::position::{Move, MoveList, Position};
use crate::random::Random;

/// The positions after the move played and after another move.
pub type SiblingPair = [Sample; 2];

/// The difference between the values of siblings, in centipawns around 0, at which the chance that
/// the search chooses the better one is taken for 0.73: by the number of pieces, 2 to 5, 6 to 9 and
/// so on to 30 to 32. Read off the choices of 380,000 pairs with network 8's values, roughly; not
/// fitted together with `EXPECTATION_SCALE`.
pub const TEMPERATURES: [f32; 8] = [17.7, 18.6, 20.5, 21.7, 19.9, 17.7, 15.6, 13.7];

/// K, in centipawns, of the expectations whose difference counts. The further a value is from 0,
/// the further siblings are apart that the search chooses with the same chance. Read off the same
/// pairs.
const EXPECTATION_SCALE: f32 = 300.0;

/// Pairs a quiet move played with another quiet move, chosen at random. Returns `None` if there is
/// no other, or if one of the two positions is not quiet itself, so that its static evaluation says
/// little.
pub fn sibling_pair(position: &Position, played: Move, random: &mut Random) -> Option<SiblingPair> {
    let other = sibling_move(position, played, random)?;
    let [first, second] = [played, other].map(|m| Sample::new(&position.play(m), 0, None));
    Some([first?, second?])
}

/// Chooses the other move of a pair.
fn sibling_move(position: &Position, played: Move, random: &mut Random) -> Option<Move> {
    let mut moves = MoveList::new();
    position.generate_quiets(&mut moves);
    moves.retain(|m| *m != played);
    let other = *moves.get(random.below(moves.len()))?;
    let are_quiet = [played, other].iter().all(|m| is_quiet(&position.play(*m)));
    are_quiet.then_some(other)
}

/// Returns whether the side to move is not in check, has a move, and can neither win material nor
/// promote.
pub(super) fn is_quiet(position: &Position) -> bool {
    if position.in_check() || !position.has_legal_move() {
        return false;
    }
    let mut noisy = MoveList::new();
    position.generate_noisy(&mut noisy);
    let gains = |m: &Move| m.is_promotion() || position.see_ge(*m, 1);
    !noisy.iter().any(gains)
}

/// Returns the loss of a pair of siblings, given the network's outputs, 1 / K and the number of
/// pieces, and its derivatives by the outputs.
pub fn ranking_loss(outputs: [f32; 2], inverse_scale: f32, pieces: usize) -> (f32, [f32; 2]) {
    let temperature = TEMPERATURES[(pieces.saturating_sub(2) / 4).min(TEMPERATURES.len() - 1)];
    let to_scale = 1.0 / (EXPECTATION_SCALE * inverse_scale);
    let expected = outputs.map(|output| logistic(output * to_scale));
    // At 0 the logistic function has a slope of 1/4.
    let steepness = 4.0 * EXPECTATION_SCALE / temperature;
    // Outputs are for the opponent of the side that has moved.
    let wrong = (steepness * (expected[0] - expected[1])).exp();
    let slope = steepness * (wrong / (1.0 + wrong));
    let [first, second] = expected.map(|e| slope * e * (1.0 - e) * to_scale);
    (wrong.ln_1p(), [first, -second])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::{parse_fen, parse_uci};

    fn pairs(fen: &str, played: &str) -> Vec<SiblingPair> {
        let position = parse_fen(fen, false).unwrap().position;
        let m = parse_uci(&position, played).unwrap();
        let mut random = Random::new(1);
        let pairs = (0..200).filter_map(|_| sibling_pair(&position, m, &mut random));
        pairs.collect()
    }

    #[test]
    fn siblings_are_quiet_and_differ() {
        // Of the other moves, Ra7 and Rh1-h7 hang a rook, and Ra8 gives check.
        let fen = "4k3/3b2p1/2n3P1/8/8/8/8/R3K3 w - - 0 1";
        let pairs = pairs(fen, "a1b1");
        let position = parse_fen(fen, false).unwrap().position;
        let quiet_children = position.legal_moves().into_iter().filter(|m| {
            let child = position.play(*m);
            *m != parse_uci(&position, "a1b1").unwrap() && is_quiet(&child)
        });
        let expected: Vec<Sample> = quiet_children
            .filter_map(|m| Sample::new(&position.play(m), 0, None))
            .collect();
        let played = position.play(parse_uci(&position, "a1b1").unwrap());
        let played = Sample::new(&played, 0, None).unwrap();
        assert!(
            pairs
                .iter()
                .all(|pair| pair[0] == played && pair[1] != played)
        );
        assert!(pairs.iter().all(|pair| expected.contains(&pair[1])));
        assert!(
            expected
                .iter()
                .all(|other| pairs.iter().any(|pair| pair[1] == *other))
        );
        let check = parse_uci(&position, "a1a8").unwrap();
        assert!(!is_quiet(&position.play(check)));
        let hangs = parse_uci(&position, "a1a5").unwrap();
        assert!(
            !is_quiet(&position.play(hangs)),
            "the knight takes the rook"
        );
    }

    #[test]
    fn a_move_without_a_quiet_sibling_has_no_pair() {
        // The king has one move.
        assert!(pairs("7k/8/8/8/8/1r6/7p/K7 w - - 0 1", "a1a2").is_empty());
        // The pawn is about to promote whatever White does.
        assert!(pairs("7k/8/8/8/8/8/p6P/4K3 w - - 0 1", "e1d2").is_empty());
    }

    /// 1 / K with K = 195.
    const INVERSE_SCALE: f32 = 1.0 / 195.0;

    #[test]
    fn the_loss_falls_when_the_first_is_worse_for_its_side_to_move() {
        let loss = |outputs| ranking_loss(outputs, INVERSE_SCALE, 32);
        let (level, slopes) = loss([0.0, 0.0]);
        let expected = 195.0 / 13.7 / 2.0;
        assert!((level - 2_f32.ln()).abs() < 1e-6);
        assert!((slopes[0] - expected).abs() < 1e-5 && slopes[1] == -slopes[0]);
        let (right, wrong) = (loss([-0.1, 0.3]), loss([0.3, -0.1]));
        assert!(right.0 < 0.02 && wrong.0 > 4.0 && wrong.1[0] > 10.0 && right.1[0] < 0.2);
        let (extreme, slopes) = loss([1e9, -1e9]);
        assert!(extreme.is_finite() && slopes.iter().all(|slope| slope.is_finite()));
        let (same, _) = ranking_loss([-0.05, 0.15], INVERSE_SCALE / 2.0, 32);
        assert!(
            (same - right.0).abs() < 1e-6,
            "centipawns count, not outputs"
        );
    }

    #[test]
    fn the_same_difference_counts_less_with_fewer_pieces_and_far_from_0() {
        let loss = |outputs, pieces| ranking_loss(outputs, INVERSE_SCALE, pieces).0;
        let sure = loss([0.0, 0.1], 32);
        assert!(loss([0.0, 0.1], 16) > sure && loss([2.0, 2.1], 32) > sure);
        for pieces in 0..=33 {
            assert!(loss([0.0, 0.1], pieces) < loss([0.0, 0.0], pieces));
        }
    }
}
