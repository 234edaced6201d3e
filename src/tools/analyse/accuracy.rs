//! The accuracy of players.
//!
//! The accuracy of a move follows the formula of Lichess (<https://lichess.org/page/accuracy>):
//! `103.1668 exp(-0.04354 loss) - 3.1669`, limited to 0 and 100, where the loss is the expected
//! score that the move gives away, in percent. Lichess derives the expected score from centipawns
//! by a logistic curve; here it comes from Quevedo's model of wins, draws and losses. The accuracy
//! of a player is the plain mean over the moves, whereas Lichess weighs moves by the volatility of
//! the game, so that the two are not equal.
//!
//! A move counts when the positions before and after it have evaluations, which leaves out the
//! first move of a game.

use serde::Serialize;
use shakmaty::Role;

use crate::position::Position;

/// The number of phases of a game: opening, middlegame and endgame.
pub const PHASES: usize = 3;

/// The opening ends after this many moves, or with the middlegame's pieces.
const OPENING_MOVES: u32 = 10;

/// The opening has more knights, bishops, rooks and queens than this.
const MIDDLEGAME_PIECES: usize = 10;

/// The endgame has at most this many knights, bishops, rooks and queens.
const ENDGAME_PIECES: usize = 6;

/// The accuracy of several moves.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Accuracy {
    /// The moves that count.
    pub moves: u32,
    /// The mean accuracy in percent; 0 without moves.
    pub accuracy: f64,
    /// The mean loss of expected score in percent; 0 without moves.
    pub loss: f64,
}

/// The accuracy of a player, overall and in each phase.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct PlayerAccuracy {
    /// All moves.
    pub overall: Accuracy,
    /// The moves in opening, middlegame and endgame.
    pub phases: [Accuracy; PHASES],
}

impl Accuracy {
    /// Adds a move that loses this much expected score, in percent.
    fn add(&mut self, loss: f64) {
        let mean =
            |old: f64, new: f64| (old * f64::from(self.moves) + new) / f64::from(self.moves + 1);
        self.accuracy = mean(self.accuracy, move_accuracy(loss));
        self.loss = mean(self.loss, loss);
        self.moves += 1;
    }
}

/// Returns the accuracy of a move in percent.
fn move_accuracy(loss: f64) -> f64 {
    (103.1668 * (-0.04354 * loss).exp() - 3.1669).clamp(0.0, 100.0)
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

/// Returns the accuracy of White and Black, given the positions of a game and the expected score of
/// White in each of them.
pub fn players(positions: &[Position], expectations: &[Option<f64>]) -> [PlayerAccuracy; 2] {
    let mut players = [PlayerAccuracy::default(); 2];
    for (position, pair) in positions.iter().zip(expectations.windows(2)) {
        let [Some(before), Some(after)] = *pair else {
            continue;
        };
        let sign = position.turn().fold_wb(1.0, -1.0);
        let loss = (100.0 * sign * (before - after)).max(0.0);
        let [white, black] = &mut players;
        let player = position.turn().fold_wb(white, black);
        player.overall.add(loss);
        if let Some(phase) = player.phases.get_mut(phase(position)) {
            phase.add(loss);
        }
    }
    players
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

    fn is_near(value: f64, expected: f64) -> bool {
        (value - expected).abs() < 0.01
    }

    #[test]
    fn a_mate_on_the_last_move() {
        // 1. f3 e5 2. g4?? Qh4#: White throws away half a point on move 2. exp(-0.04354 * 50) =
        //    0.11338, so that the accuracy
        // is 103.1668 * 0.11338 - 3.1669 = 8.530. Black loses nothing: 103.1668 - 3.1669 = 99.9999.
        let positions = positions(&["f2f3", "e7e5", "g2g4", "d8h4"]);
        let expectations = [None, Some(0.5), Some(0.5), Some(0.0), Some(0.0)];
        let [white, black] = players(&positions, &expectations);
        assert_eq!((white.overall.moves, black.overall.moves), (1, 2));
        assert!(is_near(white.overall.accuracy, 8.53), "{white:?}");
        assert!(is_near(white.overall.loss, 50.0));
        assert!(is_near(black.overall.accuracy, 100.0) && black.overall.loss == 0.0);
        assert_eq!(white.phases[0], white.overall);
        assert_eq!(white.phases[2], Accuracy::default());
    }

    #[test]
    fn a_game_of_three_moves_and_a_resignation() {
        // White loses 10 % and 0 %: accuracies 103.1668 * exp(-0.4354) - 3.1669 = 63.58 and 100.00,
        // in the mean 81.79. A resignation adds no move. A gain is no loss.
        let positions = positions(&["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"]);
        let expectations = [
            Some(0.5),
            Some(0.4),
            Some(0.4),
            Some(0.45),
            Some(0.45),
            None,
        ];
        let [white, black] = players(&positions, &expectations);
        assert_eq!((white.overall.moves, black.overall.moves), (2, 2));
        assert!(is_near(white.overall.accuracy, 81.79), "{white:?}");
        assert!(is_near(white.overall.loss, 5.0) && black.overall.loss == 0.0);
        assert_eq!(players(&positions[..1], &[None])[0].overall.moves, 0);
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
