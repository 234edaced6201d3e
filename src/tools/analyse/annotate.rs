//! Writes the analysis into a game: evaluations, marks, and better lines.

use std::fmt;

use super::analyst::Assessment;
use super::evaluation::{Evaluation, Mark, Thresholds};
use crate::pgn::{AnnotatedMove, PgnGame, Variation};
use crate::position::Move;

/// The glyphs for the quality of a move: `!`, `?`, `!!`, `??`, `!?`, `?!`.
const MOVE_MARKS: std::ops::RangeInclusive<u8> = 1..=6;

/// The moves with a better line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum ShownLines {
    /// Marked moves
    Marked,
    /// Every move that differs from the engine's
    All,
    /// No moves
    None,
}

/// The annotations of a game.
#[derive(Clone, Copy, PartialEq, Debug, clap::Args)]
pub struct Style {
    /// The thresholds of marks
    #[command(flatten)]
    pub thresholds: Thresholds,
    /// Show better lines for these moves
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = ShownLines::Marked)]
    pub lines: ShownLines,
    /// Cut lines after this many plies
    #[arg(long, value_name = "PLIES", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
    pub line_length: u16,
    /// Drop the comments, variations and marks of the source
    #[arg(long)]
    pub strip: bool,
}

/// The differences from the default style.
impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Thresholds {
            dubious,
            mistake,
            blunder,
        } = self.thresholds;
        if (dubious, mistake, blunder) != (10.0, 20.0, 30.0) {
            write!(f, ", marks from {dubious}/{mistake}/{blunder} %")?;
        }
        match self.lines {
            ShownLines::Marked => {}
            ShownLines::All => write!(f, ", all lines")?,
            ShownLines::None => write!(f, ", no lines")?,
        }
        if self.line_length != 8 && self.lines != ShownLines::None {
            write!(f, " of {} plies", self.line_length)?;
        }
        if self.strip {
            write!(f, ", source stripped")?;
        }
        Ok(())
    }
}

/// Writes the assessments of all positions, the first one included, into the game. Moves before or
/// after a position without an assessment are not marked.
pub fn annotate(game: &mut PgnGame, assessments: &[Option<Assessment>], style: &Style) {
    clean(&mut game.main_line, style.strip);
    let mut turn = game.start.turn();
    for (ply, pair) in game.main_line.moves.iter_mut().zip(assessments.windows(2)) {
        let mover = turn;
        let sign = mover.fold_wb(1.0, -1.0);
        turn = !turn;
        let [before, after] = pair else {
            continue;
        };
        if let Some(evaluation) = after.as_ref().and_then(|after| after.evaluation) {
            add_command(&mut ply.comments, evaluation);
        }
        let Some(before) = before else {
            continue;
        };
        let is_best = before.best.first() == Some(&ply.m);
        let mark = after.as_ref().and_then(|after| {
            let loss = sign * (before.expectation - after.expectation);
            // From the mover's point of view.
            let seen = |assessment: &Assessment| {
                let evaluation = assessment.evaluation;
                let score = 0.5 + sign * (assessment.expectation - 0.5);
                let negated = evaluation.map(Evaluation::negated);
                (mover.fold_wb(evaluation, negated), score)
            };
            let of_mate = Mark::of_mate(seen(before), seen(after));
            Mark::of(loss, &style.thresholds)
                .max(of_mate)
                .filter(|_| !is_best)
        });
        if let Some(mark) = mark {
            ply.nags.retain(|nag| !MOVE_MARKS.contains(nag));
            ply.nags.insert(0, mark.nag());
        }
        let is_shown = match style.lines {
            ShownLines::Marked => mark.is_some(),
            ShownLines::All => !is_best,
            ShownLines::None => false,
        };
        if is_shown && !before.best.is_empty() {
            let length = usize::from(style.line_length);
            let line = better_line(&before.best, length, before.evaluation);
            ply.variations.insert(0, line);
        }
    }
}

/// Puts the evaluation before other comments, as other programs do.
fn add_command(comments: &mut Vec<String>, evaluation: Evaluation) {
    let command = evaluation.command();
    match comments.first_mut() {
        Some(first) => *first = format!("{command} {first}"),
        None => comments.push(command),
    }
}

/// Returns the best line, with the evaluation after its first move.
fn better_line(best: &[Move], length: usize, evaluation: Option<Evaluation>) -> Variation {
    let mut moves: Vec<AnnotatedMove> = best
        .iter()
        .take(length)
        .copied()
        .map(AnnotatedMove::new)
        .collect();
    if let (Some(first), Some(evaluation)) = (moves.first_mut(), evaluation) {
        first.comments.push(evaluation.command());
    }
    Variation {
        comments: Vec::new(),
        moves,
    }
}

/// Removes older evaluations from the main line, or all annotations of the source.
fn clean(line: &mut Variation, strip: bool) {
    if strip {
        line.comments.clear();
    }
    for ply in &mut line.moves {
        if strip {
            *ply = AnnotatedMove::new(ply.m);
            continue;
        }
        for comment in &mut ply.comments {
            *comment = without_evaluation(comment);
        }
        ply.comments.retain(|comment| !comment.is_empty());
    }
}

/// Returns the comment without `%eval` commands.
fn without_evaluation(comment: &str) -> String {
    let mut rest = comment.to_owned();
    while let Some((before, behind)) = rest.split_once("[%eval ") {
        let Some((_, after)) = behind.split_once(']') else {
            break;
        };
        rest = format!("{} {}", before.trim_end(), after.trim_start())
            .trim()
            .to_owned();
    }
    rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_taken_out_of_comments() {
        for (comment, expected) in [
            ("[%eval 0.17] [%clk 0:00:30] good", "[%clk 0:00:30] good"),
            ("so [%eval #-2,12] so", "so so"),
            ("[%eval 1.0", "[%eval 1.0"),
            ("[%eval ?]", ""),
        ] {
            assert_eq!(without_evaluation(comment), expected);
        }
    }
}
