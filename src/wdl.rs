//! Scores as probabilities to win, draw and lose, and as centipawns for users.
//!
//! The search counts in centipawns whose size depends on the evaluation and changes with every
//! network. Users see normalised centipawns: **+1.00 means a 50 % probability to win** in
//! self-play, at any stage of the game. Both come from one [`Model`], which `quevedo fit wdl` fits
//! to games.

mod model;

use shakmaty::{Bitboard, Role};

use crate::position::Position;
use crate::score::{MAX_PLY, Score};
use model::MODEL;

/// The number of coefficients of each polynomial.
pub const TERMS: usize = 4;

/// The material at the start of a game, in pawns.
const FULL: u32 = 78;

/// The value shown for a tablebase win on the board, in centipawns. A win further away is one
/// centipawn less for each ply.
const TABLEBASE: i32 = 20_000;

/// The largest value shown for a score that is no certain win, in centipawns.
const MOST: i32 = TABLEBASE - MAX_PLY as i32 - 1;

/// Returns the logistic function of a number: from 0 to 1, and 0.5 at 0.
pub fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// Probabilities in thousandths, which add up to 1000.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chances {
    /// The probability to win.
    pub win: u32,
    /// The probability to draw.
    pub draw: u32,
    /// The probability to lose.
    pub loss: u32,
}

impl Chances {
    const WON: Chances = Chances {
        win: 1000,
        draw: 0,
        loss: 0,
    };

    const LOST: Chances = Chances {
        win: 0,
        draw: 0,
        loss: 1000,
    };

    /// Returns the expected result: 0 for a loss, 0.5 for a draw, 1 for a win.
    pub fn expectation(self) -> f64 {
        f64::from(2 * self.win + self.draw) / 2000.0
    }
}

/// The relation between scores and probabilities. Win and loss are logistic functions of the score
/// x,
///
/// ```text
/// win(x) = 1 / (1 + exp((a - x) / b))        loss(x) = win(-x)        draw(x) = 1 - win(x) - loss(x)
/// ```
///
/// where a is the score with a 50 % probability to win and b the spread. This is the ordered logit
/// model of three outcomes with symmetric thresholds. Both a and b are polynomials of the material
/// on the board, since the same advantage does not win equally often with many pieces and with few.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Model {
    /// The least [`material`] that the model distinguishes; less is treated as this much.
    pub least: u32,
    /// The most material that the model distinguishes; more is treated as this much.
    pub most: u32,
    /// The coefficients of a, in centipawns of the search, constant term first. The variable is the
    /// share of the initial material.
    pub a: [f64; TERMS],
    /// The coefficients of b.
    pub b: [f64; TERMS],
}

impl Model {
    /// Returns the model of this engine.
    pub fn current() -> &'static Model {
        &MODEL
    }

    /// Returns the variable of the polynomials: the material as a share of the initial material.
    pub fn share(&self, material: u32) -> f64 {
        f64::from(material.min(self.most).max(self.least)) / f64::from(FULL)
    }

    /// Returns a and b, in centipawns of the search.
    pub fn at(&self, material: u32) -> (f64, f64) {
        let share = self.share(material);
        let value = |terms: &[f64]| terms.iter().rfold(0.0, |sum, term| sum * share + term);
        (value(&self.a), value(&self.b))
    }

    /// Returns the probabilities to win and to lose at a score in centipawns of the search.
    pub fn win_and_loss(&self, score: f64, material: u32) -> (f64, f64) {
        let (a, b) = self.at(material);
        let win = |score: f64| logistic((score - a) / b);
        (win(score), win(-score))
    }

    /// Returns a material at which the model is invalid because a or b is not positive.
    pub fn fault(&self) -> Option<u32> {
        let is_positive = |value: f64| value.is_finite() && value > 0.0;
        (self.least..=self.most.max(self.least)).find(|&material| {
            let (a, b) = self.at(material);
            !is_positive(a) || !is_positive(b)
        })
    }
}

/// Returns the material on the board in pawns, 78 in the initial position.
pub fn material(position: &Position) -> u32 {
    let board = position.board();
    let count = |pieces: Bitboard| u32::try_from(pieces.count()).unwrap_or(0);
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

/// Converts a score of the search to probabilities for its side, given the [`material`] on the
/// board. A mate or a tablebase win is a certain win.
pub fn chances(score: Score, material: u32) -> Chances {
    if score.is_win() {
        return Chances::WON;
    }
    if score.is_loss() {
        return Chances::LOST;
    }
    let (win, loss) = MODEL.win_and_loss(f64::from(score.raw()), material);
    let thousandths = |chance: f64| (1000.0 * chance).round() as u32;
    let win = thousandths(win).min(1000);
    let loss = thousandths(loss).min(1000 - win);
    Chances {
        win,
        draw: 1000 - win - loss,
        loss,
    }
}

/// Converts a score of the search to normalised centipawns, given the [`material`] on the board.
///
/// A tablebase win is shown as 20000 minus the plies until the tablebase is entered, and no other
/// score comes near that. Mates are to be shown as mates ([`Score::mate_distance`]); as centipawns
/// they equal a tablebase win on the board.
pub fn centipawns(score: Score, material: u32) -> i32 {
    if score.is_win() {
        TABLEBASE - (Score::tablebase_win(0).raw() - score.raw()).max(0)
    } else if score.is_loss() {
        -centipawns(-score, material)
    } else if score.raw().abs() <= 1 {
        // The search has -1 and 1 for draws, too.
        0
    } else {
        let (a, _) = MODEL.at(material);
        let shown = (100.0 * f64::from(score.raw()) / a).round() as i32;
        shown.clamp(-MOST, MOST)
    }
}

/// Converts normalised [`centipawns`] to the nearest score of the search.
pub fn from_centipawns(centipawns: i32, material: u32) -> Score {
    let plies = |shown: i32| usize::try_from(TABLEBASE - shown).unwrap_or(0);
    if centipawns > MOST {
        Score::tablebase_win(plies(centipawns))
    } else if centipawns < -MOST {
        Score::tablebase_loss(plies(-centipawns.max(-TABLEBASE)))
    } else {
        let (a, _) = MODEL.at(material);
        Score::cp((f64::from(centipawns) * a / 100.0).round() as i32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MATERIALS: [u32; 9] = [0, 3, 10, 17, 29, 40, 62, 78, 270];

    #[test]
    fn chances_are_symmetric_and_complete() {
        for material in MATERIALS {
            let mut before = 0;
            for cp in (-3000..=3000).step_by(7) {
                let Chances { win, draw, loss } = chances(Score::cp(cp), material);
                assert_eq!(win + draw + loss, 1000);
                let mirrored = chances(Score::cp(-cp), material);
                assert_eq!((mirrored.win, mirrored.loss), (loss, win));
                let sum = chances(Score::cp(cp), material).expectation() + mirrored.expectation();
                assert!((sum - 1.0).abs() < 1e-9);
                assert!(win >= before);
                before = win;
            }
        }
        assert_eq!(chances(Score::mate_in(3), 78).win, 1000);
        assert_eq!(chances(Score::tablebase_loss(3), 78).loss, 1000);
        assert_eq!(material(&Position::initial()), 78);
    }

    #[test]
    fn the_model_in_the_program_makes_sense() {
        assert_eq!(MODEL.fault(), None);
        assert!(MODEL.least < MODEL.most);
        // A polynomial may run wild between the data, and the unit may be wrong.
        for material in MATERIALS {
            let (a, b) = MODEL.at(material);
            assert!((20.0..1000.0).contains(&a) && (5.0..500.0).contains(&b));
        }
    }

    #[test]
    fn a_hundred_centipawns_win_every_second_game() {
        for material in MATERIALS {
            let (a, _) = MODEL.at(material);
            let (win, _) = MODEL.win_and_loss(a, material);
            assert!((win - 0.5).abs() < 1e-12);
            let shown = centipawns(Score::cp(a.round() as i32), material);
            assert!((99..=101).contains(&shown), "{shown} at {material}");
            // Scores are whole numbers and do not hit a exactly.
            let Chances { win, .. } = chances(from_centipawns(100, material), material);
            assert!((490..=510).contains(&win), "{win} at {material}");
        }
    }

    #[test]
    fn what_is_shown_is_symmetric_and_rises() {
        for material in MATERIALS {
            for draw in [-1, 0, 1] {
                assert_eq!(centipawns(Score::cp(draw), material), 0);
            }
            let mut before = i32::MIN;
            for raw in Score::LOSS.raw()..=Score::WIN.raw() {
                let score = Score::from_raw(raw);
                let shown = centipawns(score, material);
                assert_eq!(centipawns(-score, material), -shown);
                assert!(shown >= before);
                before = shown;
            }
        }
    }

    #[test]
    fn certain_wins_are_shown_apart_from_all_others() {
        assert_eq!(centipawns(Score::tablebase_win(0), 40), 20_000);
        assert_eq!(centipawns(Score::tablebase_win(7), 5), 19_993);
        assert_eq!(centipawns(Score::tablebase_loss(7), 5), -19_993);
        assert_eq!(centipawns(Score::tablebase_win(MAX_PLY), 5), 19_754);
        for material in MATERIALS {
            assert!(centipawns(Score::cp(31_000), material) < 19_754);
        }
    }

    #[test]
    fn what_is_shown_can_be_read_back() {
        for material in MATERIALS {
            for shown in -3000..=3000 {
                let again = centipawns(from_centipawns(shown, material), material);
                let (a, _) = MODEL.at(material);
                // One centipawn of the search may be several normalised ones.
                assert!(f64::from((again - shown).abs()) <= (50.0 / a).ceil());
            }
            for plies in [0, 1, 30, MAX_PLY] {
                for score in [Score::tablebase_win(plies), Score::tablebase_loss(plies)] {
                    assert_eq!(
                        from_centipawns(centipawns(score, material), material),
                        score
                    );
                }
            }
            assert_eq!(from_centipawns(i32::MAX, material), Score::tablebase_win(0));
            assert_eq!(
                from_centipawns(i32::MIN, material),
                Score::tablebase_loss(0)
            );
        }
    }

    #[test]
    fn a_model_that_makes_no_sense_is_found_out() {
        let good = Model {
            least: 20,
            most: 78,
            a: [100.0, 0.0, 0.0, 0.0],
            b: [40.0, 0.0, 0.0, 0.0],
        };
        assert_eq!(good.fault(), None);
        let mut falling = good;
        falling.a = [100.0, -200.0, 0.0, 0.0];
        assert_eq!(falling.fault(), Some(39));
        let mut flat = good;
        flat.b = [0.0; TERMS];
        assert_eq!(flat.fault(), Some(20));
        let mut wild = good;
        wild.b = [f64::NAN; TERMS];
        assert_eq!(wild.fault(), Some(20));
    }
}
