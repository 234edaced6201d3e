//! A score as chances to win, draw and lose.

use shakmaty::{Bitboard, Role};

use crate::position::Position;
use crate::score::Score;

/// Chances in thousandths; they add up to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wdl {
    /// To win.
    pub win: u32,
    /// To draw.
    pub draw: u32,
    /// To lose.
    pub loss: u32,
}

impl Wdl {
    /// What can be expected from the game, 0 for a loss to 1 for a win: a draw is half a win.
    pub fn expectation(self) -> f64 {
        f64::from(2 * self.win + self.draw) / 2000.0
    }
}

/// The material on the board that the model looks at, in pawns: 78 at the start of a game.
pub fn material(position: &Position) -> u32 {
    let board = position.board();
    let count = |men: Bitboard| u32::try_from(men.count()).unwrap_or(0);
    [
        (Role::Pawn, 1),
        (Role::Knight, 3),
        (Role::Bishop, 3),
        (Role::Rook, 5),
        (Role::Queen, 9),
    ]
    .into_iter()
    .map(|(role, value)| value * count(board.by_role(role)))
    .sum()
}

/// The chances of the side whose score it is, with that much [`material`] on the board. A mate or a tablebase win is a
/// certain win.
///
/// The model is the usual one: win and loss are logistic functions of the score,
/// `win(x) = 1 / (1 + exp((a - x) / b))` and `loss(x) = win(-x)`, where `a` is the score that wins every second game and `b`
/// says how steeply the chances rise. **The numbers in it are a placeholder, set by hand and fitted to nothing**: a hundred
/// centipawns win every second game in the opening, more is needed and the rise is flatter in the endgame. They are to
/// be replaced by a fit to the engine's own games.
pub fn wdl(score: Score, material: u32) -> Wdl {
    if score.is_win() {
        return Wdl {
            win: 1000,
            draw: 0,
            loss: 0,
        };
    }
    if score.is_loss() {
        return Wdl {
            win: 0,
            draw: 0,
            loss: 1000,
        };
    }
    let traded = f64::from(78_u32.saturating_sub(material));
    let a = 100.0 + 0.5 * traded;
    let b = 35.0 + 0.3 * traded;
    let chance = |x: f64| (1000.0 / (1.0 + ((a - x) / b).exp())).round() as u32;
    let x = f64::from(score.raw());
    let win = chance(x).min(1000);
    let loss = chance(-x).min(1000 - win);
    Wdl {
        win,
        draw: 1000 - win - loss,
        loss,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_symmetric_and_complete() {
        for material in [0, 10, 40, 78, 270] {
            let mut before = 0;
            for cp in (-3000..=3000).step_by(7) {
                let Wdl { win, draw, loss } = wdl(Score::cp(cp), material);
                assert_eq!(win + draw + loss, 1000);
                let mirrored = wdl(Score::cp(-cp), material);
                assert_eq!((mirrored.win, mirrored.loss), (loss, win));
                let sum = wdl(Score::cp(cp), material).expectation() + mirrored.expectation();
                assert!((sum - 1.0).abs() < 1e-9);
                assert!(win >= before);
                before = win;
            }
        }
        assert_eq!(wdl(Score::mate_in(3), 78).win, 1000);
        assert_eq!(wdl(Score::tablebase_loss(3), 78).loss, 1000);
        assert_eq!(material(&Position::initial()), 78);
    }
}
