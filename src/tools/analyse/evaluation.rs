//! What a position is worth, as PGN writes it, and the marks of moves that follow from it.

use crate::position::Position;
use crate::score::Score;
use crate::wdl::{centipawns, from_centipawns, material, wdl};

/// No evaluation is shown as more than this, in centipawns; that is where tablebase wins are, too.
const MOST: i32 = 20_000;

/// An evaluation from White's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evaluation {
    /// In centipawns as people are shown them.
    Centipawns(i32),
    /// Mate in so many moves; negative when Black mates.
    Mate(i32),
}

impl Evaluation {
    /// The score of the side to move. `None` when it is mated already, for which there is no notation.
    pub fn new(score: Score, position: &Position) -> Option<Evaluation> {
        let sign = position.turn().fold_wb(1, -1);
        match score.mate_distance() {
            Some(0) => None,
            Some(moves) => Some(Evaluation::Mate(sign * moves)),
            None => Some(Evaluation::Centipawns(
                sign * centipawns(score, material(position)),
            )),
        }
    }

    /// The command for a PGN comment: `[%eval 0.35]`, `[%eval #-3]`.
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

    /// Reads what stands in a command behind `%eval`; a depth behind a comma is left out.
    pub fn parse(text: &str) -> Option<Evaluation> {
        let text = text.split(',').next().unwrap_or_default().trim();
        if let Some(moves) = text.strip_prefix('#') {
            return moves.parse().ok().map(Evaluation::Mate);
        }
        let pawns: f64 = text.parse().ok()?;
        let value = (pawns * 100.0).round();
        (value.abs() <= f64::from(MOST)).then_some(Evaluation::Centipawns(value as i32))
    }

    /// What White can expect from the game, 0 for a loss to 1 for a win: the chance to win and half of the chance to draw.
    pub fn expectation(self, position: &Position) -> f64 {
        match self {
            Evaluation::Mate(moves) => f64::from(u8::from(moves > 0)),
            Evaluation::Centipawns(value) => {
                let material = material(position);
                wdl(from_centipawns(value, material), material).expectation()
            }
        }
    }
}

/// From what loss of winning chances on a move is marked, in percent of a whole point.
#[derive(Clone, Copy, PartialEq, Debug, clap::Args)]
pub struct Thresholds {
    /// A move that gives away so many percent of a point is dubious (?!)
    #[arg(long, value_name = "PERCENT", default_value_t = 10.0, value_parser = percent)]
    pub dubious: f64,
    /// .. a mistake (?)
    #[arg(long, value_name = "PERCENT", default_value_t = 20.0, value_parser = percent)]
    pub mistake: f64,
    /// .. a blunder (??)
    #[arg(long, value_name = "PERCENT", default_value_t = 30.0, value_parser = percent)]
    pub blunder: f64,
}

fn percent(text: &str) -> Result<f64, String> {
    match text.trim_end_matches('%').parse() {
        Ok(value) if (0.0..=100.0).contains(&value) => Ok(value),
        _ => Err("not a number from 0 to 100".to_owned()),
    }
}

/// What is wrong with a move.
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
    /// The mark of a move that gives away this share of a point, if any.
    pub fn of(loss: f64, thresholds: &Thresholds) -> Option<Mark> {
        // A hair less, since a share of 0.3 is not exactly 30 %.
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

    /// The numeric annotation glyph.
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
    use shakmaty::Color;

    use super::*;

    #[test]
    fn commands_are_written_as_other_programs_read_them() {
        let white = Position::initial();
        let black = white.play(white.legal_moves()[0]);
        let command = |score, turn: Color| {
            Evaluation::new(score, turn.fold_wb(&white, &black)).map(Evaluation::command)
        };
        for (score, turn, expected) in [
            (Score::DRAW, Color::Black, "[%eval 0.00]"),
            (Score::mate_in(5), Color::White, "[%eval #3]"),
            (Score::mate_in(5), Color::Black, "[%eval #-3]"),
            (Score::mated_in(4), Color::White, "[%eval #-2]"),
            (Score::mated_in(4), Color::Black, "[%eval #2]"),
            (Score::tablebase_win(3), Color::Black, "[%eval -199.97]"),
        ] {
            assert_eq!(command(score, turn).as_deref(), Some(expected));
        }
        assert_eq!(command(Score::mated_in(0), Color::White), None);
        // What a score is shown as changes with the model of wins and draws: a step of it can be two centipawns, so that
        // not every number comes up.
        let score = Score::cp(20);
        let shown = Evaluation::Centipawns(centipawns(score, material(&white)));
        assert_eq!(Evaluation::new(score, &white), Some(shown));
        assert_eq!(Evaluation::new(-score, &black), Some(shown));
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
        assert_eq!(Evaluation::parse("nan"), None);
        assert_eq!(Evaluation::parse("#"), None);
    }

    #[test]
    fn marks_begin_at_their_thresholds() {
        let usual = Thresholds {
            dubious: 10.0,
            mistake: 20.0,
            blunder: 30.0,
        };
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
