//! The accuracy of players, as Lichess computes it, and their mean loss.
//!
//! The formulas are those of <https://lichess.org/page/accuracy> and of `AccuracyPercent` in
//! Lichess's source, so that the same evaluations give the same accuracy there and here:
//!
//! - An evaluation of `c` centipawns, limited to 1000, is a winning chance of
//!   `100 / (1 + exp(-0.00368208 c))` percent. A mate counts as 1000 centipawns.
//! - A move that gives away `d` percent has an accuracy of
//!   `103.1668 exp(-0.04354 d) - 3.1669 + 1`, limited to 0 and 100. A move that gives away nothing
//!   has 100.
//! - A player's accuracy is the mean of two means over the moves: the harmonic mean, and the mean
//!   weighted by volatility, which is the standard deviation of the winning chance in a window that
//!   ends with the move.
//!
//! Before the first move of a game from the initial position, the evaluation is +0.15. A move
//! counts when the positions before and after it have evaluations.
//!
//! The mean loss is in percent of a point, as Quevedo's model of wins, draws and losses expects it.
//! The marks of moves follow from the same model.

use serde::Serialize;
use shakmaty::Role;

use super::evaluation::Evaluation;
use crate::position::Position;

/// The number of phases of a game: opening, middlegame and endgame.
const PHASES: usize = 3;

/// The opening ends after this many moves, or with the middlegame's pieces.
const OPENING_MOVES: u32 = 10;

/// The opening has more knights, bishops, rooks and queens than this.
const MIDDLEGAME_PIECES: usize = 10;

/// The endgame has at most this many knights, bishops, rooks and queens.
const ENDGAME_PIECES: usize = 6;

/// The evaluation of the initial position.
const INITIAL: Evaluation = Evaluation::Centipawns(15);

/// The largest evaluation that a winning chance is derived from, in centipawns.
const MAX_CENTIPAWNS: i32 = 1_000;

/// The accuracy of several moves.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Accuracy {
    /// The moves that count.
    pub moves: u32,
    /// The accuracy in percent; `None` without moves.
    pub accuracy: Option<f64>,
    /// The mean loss of expected score in percent; `None` without moves.
    pub loss: Option<f64>,
}

/// The accuracy of a player, overall and in each phase.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct PlayerAccuracy {
    /// All moves.
    pub overall: Accuracy,
    /// The moves in opening, middlegame and endgame.
    pub phases: [Accuracy; PHASES],
}

/// A move that counts.
struct RatedMove {
    is_white: bool,
    phase: usize,
    accuracy: f64,
    weight: f64,
    loss: f64,
}

/// Returns the winning chance of White in percent.
fn winning_chance(evaluation: Evaluation) -> f64 {
    let centipawns = match evaluation {
        Evaluation::Mate(moves) => MAX_CENTIPAWNS * moves.signum(),
        Evaluation::Centipawns(value) => value.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS),
    };
    100.0 / (1.0 + (-0.003_682_08 * f64::from(centipawns)).exp())
}

/// Returns the accuracy of a move that gives away this winning chance, in percent.
fn move_accuracy(loss: f64) -> f64 {
    if loss <= 0.0 {
        return 100.0;
    }
    let accuracy = 103.166_810_071_164_9 * (-0.043_544_153_867_539_51 * loss).exp();
    (accuracy - 3.166_924_740_191_411 + 1.0).clamp(0.0, 100.0)
}

/// Returns the standard deviation of the known values.
fn deviation(values: &[Option<f64>]) -> f64 {
    let known: Vec<f64> = values.iter().copied().flatten().collect();
    let count = known.len().max(1) as f64;
    let mean = known.iter().sum::<f64>() / count;
    let variance = known
        .iter()
        .map(|value| (value - mean).powi(2))
        .sum::<f64>()
        / count;
    variance.sqrt()
}

/// Returns the weights of all moves, given the winning chances in all positions.
fn weights(chances: &[Option<f64>]) -> Vec<f64> {
    let moves = chances.len().saturating_sub(1);
    let size = (moves / 10).clamp(2, 8);
    let window = |index: usize| {
        let start = (index + 2).saturating_sub(size);
        let end = (start + size).min(chances.len());
        chances.get(start..end).unwrap_or_default()
    };
    (0..moves)
        .map(|index| deviation(window(index)).clamp(0.5, 12.0))
        .collect()
}

/// Returns the index of the phase.
fn phase(position: &Position) -> usize {
    use shakmaty::Position as _;
    let board = position.chess().board();
    let pieces = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen]
        .map(|role| board.by_role(role).count())
        .iter()
        .sum::<usize>();
    let is_early = position.chess().fullmoves().get() <= OPENING_MOVES;
    match pieces {
        0..=ENDGAME_PIECES => 2,
        _ if is_early && pieces > MIDDLEGAME_PIECES => 0,
        _ => 1,
    }
}

impl Accuracy {
    fn of<'a>(moves: impl Iterator<Item = &'a RatedMove> + Clone) -> Accuracy {
        // A sum of no numbers, or of zeros, would be -0.
        let sum = |value: fn(&RatedMove) -> f64| moves.clone().map(value).sum::<f64>() + 0.0;
        let count = moves.clone().count();
        if count == 0 {
            return Accuracy::default();
        }
        let weighted = sum(|rated| rated.accuracy * rated.weight) / sum(|rated| rated.weight);
        let harmonic = count as f64 / sum(|rated| rated.accuracy.max(1.0).recip());
        Accuracy {
            moves: u32::try_from(count).unwrap_or(u32::MAX),
            accuracy: Some((weighted + harmonic) / 2.0),
            loss: Some(sum(|rated| rated.loss) / count as f64),
        }
    }
}

/// Returns the accuracy of White and Black, given the positions of a game and the evaluation of
/// each of them. A mate on the board counts as [`Evaluation::mated_by`].
pub fn players(positions: &[Position], evaluations: &[Option<Evaluation>]) -> [PlayerAccuracy; 2] {
    let mut evaluations = evaluations.to_vec();
    if let (Some(first @ None), Some(start)) = (evaluations.first_mut(), positions.first())
        && start.key() == Position::initial().key()
    {
        *first = Some(INITIAL);
    }
    let chances: Vec<Option<f64>> = evaluations
        .iter()
        .map(|evaluation| evaluation.map(winning_chance))
        .collect();
    let mut rated = Vec::new();
    let steps = positions.windows(2).zip(evaluations.windows(2));
    for ((steps, chances), weight) in steps.zip(chances.windows(2)).zip(weights(&chances)) {
        let ([position, next], [Some(before), Some(after)]) = steps else {
            continue;
        };
        let [Some(chance_before), Some(chance_after)] = chances else {
            continue;
        };
        let sign = position.turn().fold_wb(1.0, -1.0);
        let loss = sign * (before.expectation(position) - after.expectation(next));
        rated.push(RatedMove {
            is_white: position.turn().is_white(),
            phase: phase(position),
            accuracy: move_accuracy(sign * (chance_before - chance_after)),
            weight,
            loss: (100.0 * loss).max(0.0),
        });
    }
    [true, false].map(|is_white| {
        let moves = || rated.iter().filter(move |rated| rated.is_white == is_white);
        let of_phase = |phase| Accuracy::of(moves().filter(move |rated| rated.phase == phase));
        PlayerAccuracy {
            overall: Accuracy::of(moves()),
            phases: [0, 1, 2].map(of_phase),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::{parse_fen, parse_uci};

    fn positions(moves: &[&str]) -> Vec<Position> {
        let mut positions = vec![Position::initial()];
        for text in moves {
            let last = &positions[positions.len() - 1];
            let next = last.play(parse_uci(last, text).unwrap());
            positions.push(next);
        }
        positions
    }

    fn cp(value: i32) -> Option<Evaluation> {
        Some(Evaluation::Centipawns(value))
    }

    #[track_caller]
    fn assert_near(value: f64, expected: f64) {
        assert!((value - expected).abs() < 0.005, "{value} {expected}");
    }

    #[test]
    fn a_mate_on_the_last_move() {
        // 1. f3 e5 2. g4?? Qh4#. Winning chances: 51.3804, 46.3246 (-40), 46.3246, 2.4553 (mate),
        // 2.4553. White gives away 5.0559 and 43.8693 percent, which is accuracies of
        // 103.16681 exp(-0.04354415 * 5.0559) - 2.16692 = 80.6137 and 13.1062, with the weights
        // 2.5279 (half of 5.0559) and 12 (of 21.9347). The weighted mean is
        // (80.6137 * 2.5279 + 13.1062 * 12) / 14.5279 = 24.8528, the harmonic mean
        // 2 / (1 / 80.6137 + 1 / 13.1062) = 22.5468. Black gives away nothing.
        let positions = positions(&["f2f3", "e7e5", "g2g4", "d8h4"]);
        let mate = Some(Evaluation::mated_by(shakmaty::Color::Black));
        let [white, black] = players(&positions, &[None, cp(-40), cp(-40), mate, mate]);
        assert_eq!((white.overall.moves, black.overall.moves), (2, 2));
        assert_near(white.overall.accuracy.unwrap(), 23.70);
        assert_eq!(
            (black.overall.accuracy, black.overall.loss),
            (Some(100.0), Some(0.0))
        );
        let before = Evaluation::Centipawns(-40).expectation(&positions[2]);
        let first = INITIAL.expectation(&positions[0])
            - Evaluation::Centipawns(-40).expectation(&positions[1]);
        assert_near(white.overall.loss.unwrap(), 50.0 * (before + first));
        assert_eq!(white.phases[0], white.overall);
        assert_eq!(white.phases[2], Accuracy::default());
    }

    #[test]
    fn a_game_of_three_moves_and_a_resignation() {
        // The winning chance is 51.3804 (15), and 42.2388 (-85) after White's second move, which
        // gives away 9.1416 percent and has an accuracy of 67.1219; its weight is 4.5708. So has
        // Black's answer. All others have 100 and the weight 0.5.
        // White: (50 + 67.1219 * 4.5708 + 50) / 5.5708 = 73.0237, 3 / (2 / 100 + 1 / 67.1219) =
        // 85.9642. Black: (50 + 67.1219 * 4.5708) / 5.0708 = 70.3638, 2 / (1 / 100 + 1 / 67.1219)
        // = 80.3268. A resignation adds no move.
        let positions = positions(&["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]);
        let evaluations = [None, cp(15), cp(15), cp(-85), cp(15), cp(15)];
        let [white, black] = players(&positions, &evaluations);
        assert_eq!((white.overall.moves, black.overall.moves), (3, 2));
        assert_near(white.overall.accuracy.unwrap(), 79.494);
        assert_near(black.overall.accuracy.unwrap(), 75.345);
        assert_eq!(players(&positions[..1], &[None])[0].overall.moves, 0);
        // A move next to a position without an evaluation does not count.
        let evaluations = [None, cp(15), None, cp(-85), cp(15), cp(15)];
        let [white, black] = players(&positions, &evaluations);
        assert_eq!((white.overall.moves, black.overall.moves), (2, 1));
    }

    #[test]
    fn longer_games_have_longer_windows() {
        // 40 positions after moves: windows of four, of which the first is used three times.
        let chances: Vec<_> = (0..=40).map(|ply| Some(f64::from(ply * ply))).collect();
        let weights = weights(&chances);
        assert_eq!(weights.len(), 40);
        // 0, 1, 4, 9: mean 3.5, variance (12.25 + 6.25 + 0.25 + 30.25) / 4 = 12.25.
        assert_eq!(weights[..3], [3.5, 3.5, 3.5]);
        // 1, 4, 9, 16: mean 7.5, variance (42.25 + 12.25 + 2.25 + 72.25) / 4 = 32.25.
        assert_near(weights[3], 32.25_f64.sqrt());
        assert_eq!(weights[39], 12.0);
    }

    #[test]
    fn winning_chances_are_limited() {
        assert_near(winning_chance(Evaluation::Centipawns(0)), 50.0);
        // 100 / (1 + exp(-3.68208)) = 97.5448.
        for evaluation in [
            Evaluation::Mate(3),
            Evaluation::Centipawns(1_000),
            Evaluation::Centipawns(5_000),
        ] {
            assert_near(winning_chance(evaluation), 97.545);
        }
        assert_eq!(move_accuracy(-1.0), 100.0);
        assert_eq!(move_accuracy(100.0), 0.0);
        // A tiny loss: 103.16681 exp(-0.0043544) - 2.16692 = 100.55, limited.
        assert_eq!(move_accuracy(0.1), 100.0);
    }

    #[test]
    fn phases_follow_pieces_and_moves() {
        for (fen, expected) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 10",
                0,
            ),
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 11",
                1,
            ),
            ("r3kb1r/pppp4/8/8/8/8/PPPP4/R1BQKB1R w - - 0 5", 1),
            ("r3k2r/pppp4/8/8/8/8/PPPP4/R3KB1R w - - 0 5", 2),
        ] {
            let position = parse_fen(fen, false).unwrap().position;
            assert_eq!(phase(&position), expected, "{fen}");
        }
    }
}
