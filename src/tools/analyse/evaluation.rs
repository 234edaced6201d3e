//! Evaluations of positions as PGN writes them, and the marks of moves that follow from them.

use std::fmt;

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use crate::position::Position;
use crate::tools::kit::engines::info::UciScore;
use crate::wdl::{chances, from_centipawns, material};

/// The largest evaluation, in centipawns. Tablebase wins are close to it.
const MAX_CENTIPAWNS: i32 = 20_000;

/// Missing a mate in at most this many moves is marked.
const SHORT_MATE: i32 = 5;

/// An evaluation from White's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Evaluation {
    /// Centipawns, on the scale of UCI output.
    Centipawns(i32),
    /// Moves to mate, negative when Black mates.
    Mate(i32),
}

impl Evaluation {
    /// Converts a score of the side to move.
    pub fn from_uci(score: UciScore, position: &Position) -> Evaluation {
        let sign = position.turn().fold_wb(1, -1);
        match score {
            UciScore::Mate(moves) => Evaluation::Mate(sign * moves),
            UciScore::Cp(value) => {
                let value = value.clamp(-MAX_CENTIPAWNS, MAX_CENTIPAWNS);
                Evaluation::Centipawns(sign * value)
            }
        }
    }

    /// Returns the evaluation from Black's point of view.
    #[must_use]
    pub fn negated(self) -> Evaluation {
        match self {
            Evaluation::Centipawns(value) => Evaluation::Centipawns(-value),
            Evaluation::Mate(moves) => Evaluation::Mate(-moves),
        }
    }

    /// Returns the score of the side to move.
    pub fn to_uci(self, position: &Position) -> UciScore {
        match position.turn().fold_wb(self, self.negated()) {
            Evaluation::Centipawns(value) => UciScore::Cp(value),
            Evaluation::Mate(moves) => UciScore::Mate(moves),
        }
    }

    /// Returns the evaluation of a game that this side has won by mate.
    pub fn mated_by(winner: Color) -> Evaluation {
        Evaluation::Mate(winner.fold_wb(1, -1))
    }

    /// Returns the command for a PGN comment: `[%eval 0.35]`, `[%eval #-3]`.
    pub fn command(self) -> String {
        match self {
            Evaluation::Mate(moves) => format!("[%eval #{moves}]"),
            Evaluation::Centipawns(value) => {
                let sign = if value < 0 { "-" } else { "" };
                let value = value.abs();
                format!("[%eval {sign}{}.{:02}]", value / 100, value % 100)
            }
        }
    }

    /// Parses the value of an `%eval` command. A depth after a comma is ignored. Values beyond the
    /// largest, which some programs give for wins by tablebases, become the largest.
    pub fn parse(text: &str) -> Option<Evaluation> {
        let text = text.split(',').next().unwrap_or_default().trim();
        if let Some(moves) = text.strip_prefix('#') {
            return moves.parse().ok().map(Evaluation::Mate);
        }
        let pawns: f64 = text.parse().ok()?;
        let limit = f64::from(MAX_CENTIPAWNS);
        let value = (pawns * 100.0).round().clamp(-limit, limit);
        pawns
            .is_finite()
            .then_some(Evaluation::Centipawns(value as i32))
    }

    /// Returns the expected score of White: the chance to win plus half the chance to draw.
    pub fn expectation(self, position: &Position) -> f64 {
        match self {
            Evaluation::Mate(moves) => f64::from(u8::from(moves > 0)),
            Evaluation::Centipawns(value) => {
                let material = material(position);
                chances(from_centipawns(value, material), material).expectation()
            }
        }
    }
}

/// In pawns with a sign, or `#` and the moves to mate.
impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evaluation::Mate(moves) => write!(f, "#{moves}"),
            Evaluation::Centipawns(value) => write!(f, "{:+.2}", f64::from(*value) / 100.0),
        }
    }
}

/// The losses of expected score from which moves are marked, in percent.
#[derive(Clone, Copy, PartialEq, Debug, clap::Args)]
pub struct Thresholds {
    /// Mark moves that lose this much expected score as dubious (?!)
    #[arg(long, value_name = "PERCENT", default_value_t = Thresholds::default().dubious, value_parser = percent)]
    pub dubious: f64,
    /// Mark moves that lose this much as mistakes (?)
    #[arg(long, value_name = "PERCENT", default_value_t = Thresholds::default().mistake, value_parser = percent)]
    pub mistake: f64,
    /// Mark moves that lose this much as blunders (??)
    #[arg(long, value_name = "PERCENT", default_value_t = Thresholds::default().blunder, value_parser = percent)]
    pub blunder: f64,
}

impl Default for Thresholds {
    fn default() -> Thresholds {
        Thresholds {
            dubious: 10.0,
            mistake: 20.0,
            blunder: 30.0,
        }
    }
}

fn percent(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('%').parse() {
        Ok(value) if (0.0..=100.0).contains(&value) => Ok(value),
        _ => Err("expected a number from 0 to 100".to_owned()),
    }
}

/// A mark of a bad move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Mark {
    /// `?!`
    Dubious,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Mark {
    /// Returns the mark of a move that loses this share of a point, if any.
    pub fn of(loss: f64, thresholds: &Thresholds) -> Option<Mark> {
        // Tolerate rounding: 100 * 0.3 is not exactly 30.
        let percent = 100.0 * loss + 1e-9;
        if percent >= thresholds.blunder {
            Some(Mark::Blunder)
        } else if percent >= thresholds.mistake {
            Some(Mark::Mistake)
        } else if percent >= thresholds.dubious {
            Some(Mark::Dubious)
        } else {
            None
        }
    }

    /// Returns the mark of a move that allows a forced mate, or misses a short one, if it does. The
    /// evaluations and expected scores before and after the move are those of the side that makes
    /// it.
    ///
    /// Such moves are always marked, but mildly in a game that was lost, or is still won, without
    /// the mate.
    pub fn of_mate(
        (before, before_score): (Option<Evaluation>, f64),
        (after, after_score): (Option<Evaluation>, f64),
    ) -> Option<Mark> {
        let mate = |evaluation| match evaluation {
            Some(Evaluation::Mate(moves)) => moves,
            _ => 0,
        };
        // A mated king has no evaluation.
        let is_mated = after.is_none() && after_score == 0.0;
        let allows = mate(before) >= 0 && (mate(after) < 0 || is_mated);
        let has_mated = after.is_none() && after_score == 1.0;
        let misses = (1..=SHORT_MATE).contains(&mate(before)) && mate(after) <= 0 && !has_mated;
        // The expected score that the mate was or would have been worth.
        let worth = match (allows, misses) {
            (_, true) => 1.0 - after_score,
            (true, false) => before_score,
            (false, false) => return None,
        };
        Some(match worth {
            ..0.05 => Mark::Dubious,
            0.05..0.2 => Mark::Mistake,
            _ => Mark::Blunder,
        })
    }

    /// Returns the word for the mark, as comments have it.
    pub const fn word(self) -> &'static str {
        match self {
            Mark::Dubious => "Inaccuracy",
            Mark::Mistake => "Mistake",
            Mark::Blunder => "Blunder",
        }
    }

    /// Returns the mark with this numeric annotation glyph.
    pub fn from_nag(nag: u8) -> Option<Mark> {
        let marks = [Mark::Dubious, Mark::Mistake, Mark::Blunder];
        marks.into_iter().find(|mark| mark.nag() == nag)
    }

    /// Returns the numeric annotation glyph.
    pub const fn nag(self) -> u8 {
        match self {
            Mark::Dubious => 6,
            Mark::Mistake => 2,
            Mark::Blunder => 4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_written_as_other_programs_read_them() {
        let white = Position::initial();
        let black = white.play(white.legal_moves()[0]);
        let command = |score, turn: Color| {
            Evaluation::from_uci(score, turn.fold_wb(&white, &black)).command()
        };
        for (score, turn, expected) in [
            (UciScore::Cp(0), Color::Black, "[%eval 0.00]"),
            (UciScore::Mate(3), Color::White, "[%eval #3]"),
            (UciScore::Mate(3), Color::Black, "[%eval #-3]"),
            (UciScore::Mate(-2), Color::White, "[%eval #-2]"),
            (UciScore::Mate(-2), Color::Black, "[%eval #2]"),
            (UciScore::Cp(19_997), Color::Black, "[%eval -199.97]"),
            (UciScore::Cp(i32::MIN), Color::Black, "[%eval 200.00]"),
        ] {
            assert_eq!(command(score, turn), expected);
        }
        for (value, expected) in [
            (35, "[%eval 0.35]"),
            (-35, "[%eval -0.35]"),
            (-105, "[%eval -1.05]"),
        ] {
            assert_eq!(Evaluation::Centipawns(value).command(), expected);
        }
    }

    #[test]
    fn commands_are_read_back() {
        for evaluation in (-300..300)
            .map(Evaluation::Centipawns)
            .chain((-5..=5).map(Evaluation::Mate))
        {
            let command = evaluation.command();
            let text = command.trim_start_matches("[%eval").trim_end_matches(']');
            assert_eq!(Evaluation::parse(text), Some(evaluation), "{command}");
        }
        assert_eq!(
            Evaluation::parse(" +0.5,21"),
            Some(Evaluation::Centipawns(50))
        );
        let largest = Evaluation::Centipawns(-MAX_CENTIPAWNS);
        assert_eq!(Evaluation::parse("-319.76"), Some(largest));
        assert_eq!(Evaluation::parse("nan"), None);
        assert_eq!(Evaluation::parse("inf"), None);
        assert_eq!(Evaluation::parse("#"), None);
    }

    #[test]
    fn allowed_and_missed_mates_are_marked() {
        let cp = |value| Some(Evaluation::Centipawns(value));
        let mate = |moves| Some(Evaluation::Mate(moves));
        for (before, after, expected) in [
            // Allowed: in a lost, a bad, and a level position; not when it was there already.
            ((cp(-900), 0.02), (mate(-3), 0.0), Some(Mark::Dubious)),
            ((cp(-300), 0.1), (mate(-3), 0.0), Some(Mark::Mistake)),
            ((cp(0), 0.5), (mate(-3), 0.0), Some(Mark::Blunder)),
            ((cp(0), 0.5), (None, 0.0), Some(Mark::Blunder)),
            ((mate(-3), 0.0), (mate(-2), 0.0), None),
            // Missed: still winning, and no more; not when it is only longer, played, or was far
            // away.
            ((mate(2), 1.0), (cp(900), 0.99), Some(Mark::Dubious)),
            ((mate(2), 1.0), (cp(0), 0.5), Some(Mark::Blunder)),
            ((mate(2), 1.0), (mate(4), 1.0), None),
            ((mate(1), 1.0), (None, 1.0), None),
            ((mate(1), 1.0), (None, 0.5), Some(Mark::Blunder)),
            ((mate(6), 1.0), (cp(900), 0.99), None),
            // Both at once.
            ((mate(2), 1.0), (mate(-2), 0.0), Some(Mark::Blunder)),
            ((cp(0), 0.5), (cp(-900), 0.02), None),
        ] {
            let mark = Mark::of_mate(before, after);
            assert_eq!(mark, expected, "{before:?} {after:?}");
        }
    }

    #[test]
    fn marks_begin_at_their_thresholds() {
        let usual = Thresholds::default();
        for (loss, expected) in [
            (-0.5, None),
            (0.099, None),
            (0.1, Some(Mark::Dubious)),
            (0.199, Some(Mark::Dubious)),
            (0.2, Some(Mark::Mistake)),
            (1.0 - 0.7, Some(Mark::Blunder)),
            (1.0, Some(Mark::Blunder)),
        ] {
            assert_eq!(Mark::of(loss, &usual), expected, "{loss}");
        }
    }
}
