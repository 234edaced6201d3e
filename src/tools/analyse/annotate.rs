//! What the engine has found, written into the game: evaluations, marks, and better lines.

use std::fmt;

use super::analyst::Finding;
use super::evaluation::{Evaluation, Mark, Thresholds};
use crate::pgn::{AnnotatedMove, PgnGame, Variation};
use crate::position::{Move, Position};

/// The glyphs that judge a move: `!`, `?`, `!!`, `??`, `!?`, `?!`.
const MOVE_MARKS: std::ops::RangeInclusive<u8> = 1..=6;

/// Which moves a better line is shown for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum Lines {
    /// For moves that are marked
    Marked,
    /// For every move that is not the engine's own
    All,
    /// For none
    None,
}

/// What is written into games.
#[derive(Clone, Copy, PartialEq, Debug, clap::Args)]
pub struct Style {
    /// What loses how much
    #[command(flatten)]
    pub thresholds: Thresholds,
    /// Which moves a better line is shown for
    #[arg(long, value_name = "WHICH", value_enum, default_value_t = Lines::Marked)]
    pub lines: Lines,
    /// The longest line, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 8, value_parser = clap::value_parser!(u16).range(1..))]
    pub line_length: u16,
    /// Leave out the comments, variations and marks that the source has
    #[arg(long)]
    pub strip: bool,
}

/// What differs from the usual style, for people and for comparing.
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
            Lines::Marked => {}
            Lines::All => write!(f, ", all lines")?,
            Lines::None => write!(f, ", no lines")?,
        }
        if self.line_length != 8 && self.lines != Lines::None {
            write!(f, " of {} plies", self.line_length)?;
        }
        if self.strip {
            write!(f, ", source stripped")?;
        }
        Ok(())
    }
}

/// Writes what was found at each of a game's positions, the first one included, into the game.
pub fn annotate(game: &mut PgnGame, positions: &[Position], findings: &[Finding], style: &Style) {
    clean(&mut game.main_line, style.strip);
    let around = positions.iter().zip(findings.windows(2));
    for (ply, (position, pair)) in game.main_line.moves.iter_mut().zip(around) {
        let [before, after] = pair else {
            continue;
        };
        let is_best = before.best.first() == Some(&ply.m);
        let sign = position.turn().fold_wb(1.0, -1.0);
        let loss = sign * (before.expectation - after.expectation);
        let mark = Mark::of(loss, &style.thresholds).filter(|_| !is_best);
        if let Some(mark) = mark {
            ply.nags.retain(|nag| !MOVE_MARKS.contains(nag));
            ply.nags.insert(0, mark.nag());
        }
        if let Some(evaluation) = after.evaluation {
            add_command(&mut ply.comments, evaluation);
        }
        let is_shown = match style.lines {
            Lines::Marked => mark.is_some(),
            Lines::All => !is_best,
            Lines::None => false,
        };
        if is_shown && !before.best.is_empty() {
            let length = usize::from(style.line_length);
            let line = better_line(&before.best, length, before.evaluation);
            ply.variations.insert(0, line);
        }
    }
}

/// Puts the evaluation before what else is said, as other programs do.
fn add_command(comments: &mut Vec<String>, evaluation: Evaluation) {
    let command = evaluation.command();
    match comments.first_mut() {
        Some(first) => *first = format!("{command} {first}"),
        None => comments.push(command),
    }
}

/// The best line, with the evaluation behind its first move.
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

/// Takes older evaluations out of the main line, or all that the source says.
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
            *comment = split_evaluation(comment).1;
        }
        ply.comments.retain(|comment| !comment.is_empty());
    }
}

/// The evaluation that a comment holds, if it can be read, and the comment without such commands.
pub fn split_evaluation(comment: &str) -> (Option<Evaluation>, String) {
    let mut evaluation = None;
    let mut rest = comment.to_owned();
    while let Some((before, behind)) = rest.split_once("[%eval ") {
        let Some((command, after)) = behind.split_once(']') else {
            break;
        };
        evaluation = evaluation.or_else(|| Evaluation::parse(command));
        rest = format!("{} {}", before.trim_end(), after.trim_start())
            .trim()
            .to_owned();
    }
    (evaluation, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn evaluations_are_taken_out_of_comments() {
        let split = |comment| {
            let (evaluation, rest) = split_evaluation(comment);
            (evaluation.map(Evaluation::command), rest)
        };
        assert_eq!(
            split("[%eval 0.17] [%clk 0:00:30] good"),
            (
                Some("[%eval 0.17]".to_owned()),
                "[%clk 0:00:30] good".to_owned()
            )
        );
        assert_eq!(
            split("so [%eval #-2,12] so"),
            (Some("[%eval #-2]".to_owned()), "so so".to_owned())
        );
        assert_eq!(split("[%eval 1.0"), (None, "[%eval 1.0".to_owned()));
        assert_eq!(split("[%eval ?]"), (None, String::new()));
    }
}
