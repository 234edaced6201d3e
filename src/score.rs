//! The value of a position as a search sees it.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// The maximum length of a line in plies. It bounds the ranges of mate and tablebase scores, which
/// count plies from the root.
pub const MAX_PLY: usize = 246;

/// A score in centipawns from the point of view of the side to move, or a mate or a tablebase
/// result with its distance in plies from the root of the search.
///
/// ```text
/// -32000 .. -31754   mated in 0 .. 246 plies
/// -31753 .. -31507   lost by tablebase, entered after 0 .. 246 plies
/// -31506 ..  31506   centipawns
///  31507 ..  31753   won by tablebase
///  31754 ..  32000   mate
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

const MATE: i32 = 32_000;
const MATE_MIN: i32 = MATE - MAX_PLY as i32;
const TABLEBASE: i32 = MATE_MIN - 1;
const TABLEBASE_MIN: i32 = TABLEBASE - MAX_PLY as i32;

impl Score {
    /// A drawn position.
    pub const DRAW: Score = Score(0);
    /// A score above the score of every position.
    pub const INFINITE: Score = Score(MATE + 1);
    /// The smallest winning score, by mate or by tablebase.
    pub const WIN: Score = Score(TABLEBASE_MIN);
    /// The largest losing score, by mate or by tablebase.
    pub const LOSS: Score = Score(-TABLEBASE_MIN);

    /// Creates a score in centipawns, clamped to the range between lost and won games.
    #[inline]
    pub const fn cp(centipawns: i32) -> Score {
        if centipawns >= TABLEBASE_MIN {
            Score(TABLEBASE_MIN - 1)
        } else if centipawns <= -TABLEBASE_MIN {
            Score(1 - TABLEBASE_MIN)
        } else {
            Score(centipawns)
        }
    }

    /// Creates the score of giving mate `ply` plies from the root.
    #[inline]
    pub const fn mate_in(ply: usize) -> Score {
        Score(MATE - ply as i32)
    }

    /// Creates the score of being mated `ply` plies from the root.
    #[inline]
    pub const fn mated_in(ply: usize) -> Score {
        Score(ply as i32 - MATE)
    }

    /// Creates the score of a tablebase win `ply` plies from the root.
    #[inline]
    pub const fn tablebase_win(ply: usize) -> Score {
        Score(TABLEBASE - ply as i32)
    }

    /// Creates the score of a tablebase loss `ply` plies from the root.
    #[inline]
    pub const fn tablebase_loss(ply: usize) -> Score {
        Score(ply as i32 - TABLEBASE)
    }

    /// Returns the number, in the ranges that the type's documentation lists.
    #[inline]
    pub const fn raw(self) -> i32 {
        self.0
    }

    /// Creates a score from a number; the inverse of [`Score::raw`].
    #[inline]
    pub const fn from_raw(raw: i32) -> Score {
        Score(raw)
    }

    /// Returns true for a win by mate or by tablebase.
    #[inline]
    pub const fn is_win(self) -> bool {
        self.0 >= TABLEBASE_MIN
    }

    /// Returns true for a loss by mate or by tablebase.
    #[inline]
    pub const fn is_loss(self) -> bool {
        self.0 <= -TABLEBASE_MIN
    }

    /// Returns true for a proven win or loss.
    #[inline]
    pub const fn is_decisive(self) -> bool {
        self.is_win() || self.is_loss()
    }

    /// Returns true for a mate by either side.
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= MATE_MIN && self.0.abs() <= MATE
    }

    /// Returns the distance to mate in full moves, as UCI counts it: 1 for mate on the next move,
    /// 0 when the side to move is already mated, negative when it will be mated. `None` when the
    /// score is not a mate.
    pub const fn mate_distance(self) -> Option<i32> {
        if !self.is_mate() {
            None
        } else if self.0 > 0 {
            Some((MATE - self.0 + 1) / 2)
        } else {
            Some(-((MATE + self.0) / 2))
        }
    }

    /// Converts the score to the transposition table's form: distances count from the position
    /// itself instead of the root, so that they are valid at every ply.
    #[inline]
    pub const fn to_tt(self, ply: usize) -> i16 {
        let ply = ply as i32;
        (if self.is_win() {
            self.0 + ply
        } else if self.is_loss() {
            self.0 - ply
        } else {
            self.0
        }) as i16
    }

    /// Converts a score from the transposition table's form. A mate or tablebase win that is
    /// further away than the fifty-move rule allows at `halfmove_clock` becomes a large score that
    /// proves nothing.
    #[inline]
    pub const fn from_tt(stored: i16, ply: usize, halfmove_clock: u32) -> Score {
        let stored = Score(stored as i32);
        let left = 100 - halfmove_clock as i32;
        if stored.is_win() {
            let end = if stored.0 >= MATE_MIN {
                MATE
            } else {
                TABLEBASE
            };
            if end - stored.0 > left {
                return Score(TABLEBASE_MIN - 1);
            }
            Score(stored.0 - ply as i32)
        } else if stored.is_loss() {
            let end = if stored.0 <= -MATE_MIN {
                MATE
            } else {
                TABLEBASE
            };
            if end + stored.0 > left {
                return Score(1 - TABLEBASE_MIN);
            }
            Score(stored.0 + ply as i32)
        } else {
            stored
        }
    }
}

/// How a score relates to the true value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The score is the true value.
    Exact,
    /// The true value is at least the score.
    Lower,
    /// The true value is at most the score.
    Upper,
}

impl Neg for Score {
    type Output = Score;
    #[inline]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

/// Moves a bound by a margin in centipawns.
impl Add<i32> for Score {
    type Output = Score;
    #[inline]
    fn add(self, margin: i32) -> Score {
        Score(self.0 + margin)
    }
}

/// Moves a bound by a margin in centipawns.
impl Sub<i32> for Score {
    type Output = Score;
    #[inline]
    fn sub(self, margin: i32) -> Score {
        Score(self.0 - margin)
    }
}

impl fmt::Debug for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate_distance() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mate_distances_count_full_moves() {
        assert_eq!(Score::mate_in(1).mate_distance(), Some(1));
        assert_eq!(Score::mate_in(3).mate_distance(), Some(2));
        assert_eq!(Score::mated_in(0).mate_distance(), Some(0));
        assert_eq!(Score::mated_in(2).mate_distance(), Some(-1));
        assert_eq!(Score::tablebase_win(5).mate_distance(), None);
        assert_eq!(Score::cp(1_000_000).mate_distance(), None);
        assert!(!Score::cp(1_000_000).is_decisive() && !Score::cp(-1_000_000).is_decisive());
    }

    #[test]
    fn table_form_is_independent_of_the_ply() {
        for score in [
            Score::mate_in(20),
            Score::mated_in(21),
            Score::tablebase_win(13),
            Score::cp(-37),
        ] {
            assert_eq!(Score::from_tt(score.to_tt(10), 10, 0), score);
        }
        assert_eq!(
            Score::from_tt(Score::mate_in(20).to_tt(10), 0, 0),
            Score::mate_in(10)
        );
    }

    #[test]
    fn a_mate_beyond_the_fifty_move_rule_is_not_kept() {
        let stored = Score::mate_in(20).to_tt(0);
        assert_eq!(Score::from_tt(stored, 0, 80), Score::mate_in(20));
        assert!(!Score::from_tt(stored, 0, 81).is_decisive());
        let stored = Score::mated_in(20).to_tt(0);
        assert!(!Score::from_tt(stored, 0, 81).is_decisive());
    }
}
