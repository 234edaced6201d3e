//! Writes the analysis into a game: evaluations, marks, verdicts in words, and better lines.

use std::fmt;

use super::analyst::Assessment;
use super::evaluation::{Evaluation, Mark, Thresholds};
use super::move_comment::{EVAL, SOURCE_EVAL};
use super::words::{MateFault, MoveVerdict};
use crate::pgn::{AnnotatedMove, PgnGame, PgnVariation};
use crate::position::{Move, notation};

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
    let positions = game.positions();
    let plies = game.main_line.moves.iter_mut().zip(&positions);
    for ((ply, position), pair) in plies.zip(assessments.windows(2)) {
        let mover = position.turn();
        let [before, after] = pair else {
            continue;
        };
        let evaluation = after.as_ref().and_then(|after| after.evaluation);
        let command = evaluation.map(Evaluation::command);
        let Some(before) = before else {
            add_comment(&mut ply.comments, command, None);
            continue;
        };
        let is_best = before.best.first() == Some(&ply.m);
        let mark = after.as_ref().and_then(|after| {
            let sign = mover.fold_wb(1.0, -1.0);
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
        let verdict = mark.map(|mark| MoveVerdict {
            mark,
            mate: MateFault::of(mover, before.evaluation, evaluation),
            best: before
                .best
                .first()
                .map(|&best| notation::san(position, best).to_string()),
            evaluation: before.evaluation,
        });
        add_comment(&mut ply.comments, command, verdict);
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

/// Puts the evaluation before other commands and comments, as other programs do, and the verdict
/// before other words.
fn add_comment(comments: &mut Vec<String>, command: Option<String>, verdict: Option<MoveVerdict>) {
    let first = comments.first().map_or("", String::as_str);
    let (commands, words) = split_commands(first);
    let command = command.unwrap_or_default();
    let verdict = verdict.map_or_else(String::new, |verdict| verdict.to_string());
    let mut parts = vec![command.as_str(), commands, &verdict, words];
    parts.retain(|part| !part.is_empty());
    let text = parts.join(" ");
    match comments.first_mut() {
        Some(first) => *first = text,
        None if text.is_empty() => {}
        None => comments.push(text),
    }
}

/// Splits a comment into the commands at its beginning and the words after them.
fn split_commands(comment: &str) -> (&str, &str) {
    let mut words = comment.trim_start();
    while let Some((_, rest)) = words
        .strip_prefix("[%")
        .and_then(|command| command.split_once(']'))
    {
        words = rest.trim_start();
    }
    let (commands, _) = comment.split_at(comment.len() - words.len());
    (commands.trim(), words)
}

/// Returns the best line, with the evaluation after its first move.
fn better_line(best: &[Move], length: usize, evaluation: Option<Evaluation>) -> PgnVariation {
    let mut moves: Vec<AnnotatedMove> = best
        .iter()
        .take(length)
        .copied()
        .map(AnnotatedMove::new)
        .collect();
    if let (Some(first), Some(evaluation)) = (moves.first_mut(), evaluation) {
        first.comments.push(evaluation.command());
    }
    PgnVariation {
        comments: Vec::new(),
        moves,
    }
}

/// Renames older evaluations in the main line and removes older verdicts, or removes all
/// annotations of the source.
fn clean(line: &mut PgnVariation, strip: bool) {
    if strip {
        line.comments.clear();
    }
    for ply in &mut line.moves {
        if strip {
            *ply = AnnotatedMove::new(ply.m);
            continue;
        }
        for comment in &mut ply.comments {
            *comment = cleaned(comment);
        }
        ply.comments.retain(|comment| !comment.is_empty());
    }
}

/// Returns the comment without its verdict, and with `%eval` commands as `%source_eval`. An
/// evaluation that was renamed before stays, and the newer one is removed.
fn cleaned(comment: &str) -> String {
    let has_source = comment.contains(SOURCE_EVAL);
    let (mut commands, mut text) = (String::new(), String::new());
    let mut rest = comment;
    while let Some((before, behind)) = rest.split_once(EVAL) {
        let Some((value, after)) = behind.split_once(']') else {
            break;
        };
        if !has_source && Evaluation::parse(value).is_some() {
            commands.push_str(&format!("{SOURCE_EVAL}{value}] "));
        }
        text.push_str(before);
        rest = after.trim_start();
    }
    text.push_str(rest);
    let (others, words) = split_commands(&text);
    let words = MoveVerdict::split(words).map_or(words, |(_, rest)| rest);
    let mut parts = vec![commands.trim(), others, words.trim()];
    parts.retain(|part| !part.is_empty());
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::Color;

    use super::*;
    use crate::tools::analyse::move_comment::MoveComment;

    #[test]
    fn evaluations_of_the_source_are_renamed_and_verdicts_removed() {
        for (comment, expected) in [
            (
                "[%eval 0.17] [%clk 0:00:30] good",
                "[%source_eval 0.17] [%clk 0:00:30] good",
            ),
            ("so [%eval #-2,12] so", "[%source_eval #-2,12] so so"),
            ("[%eval 1.0", "[%eval 1.0"),
            ("[%eval ?]", ""),
            (
                "[%eval 0.20] [%source_eval 0.17] [%cal Ge2e4] x",
                "[%source_eval 0.17] [%cal Ge2e4] x",
            ),
            (
                "[%eval 0.20] [%clk 1] Blunder. Nf3 was best (+0.35). A remark.",
                "[%source_eval 0.20] [%clk 1] A remark.",
            ),
            ("+0.72/17 0.347s", "+0.72/17 0.347s"),
        ] {
            assert_eq!(cleaned(comment), expected);
            assert_eq!(cleaned(expected), expected);
        }
    }
    proptest! {
        /// Comments come from files of all kinds.
        #[test]
        fn any_comment_can_be_cleaned_and_annotated(
            comment in "(\\[%(eval|clk|cal|csl|source_eval) [-#0-9.:,a-hGRx]{0,8}\\]? ?|Blunder|, which |\\. | was best|\\(|\\)|[ -~\u{e9}]{0,4}){0,8}",
        ) {
            let cleaned = cleaned(&comment);
            prop_assert!(!cleaned.contains("[%eval ") || comment.contains("[%eval "));
            let mut comments = vec![cleaned.clone()];
            let command = Evaluation::Centipawns(35).command();
            add_comment(&mut comments, Some(command), None);
            let parsed = MoveComment::parse(&comments[0], Color::White);
            prop_assert_eq!(parsed.evaluation, Some(Evaluation::Centipawns(35)));
            // No word is lost.
            let others = MoveComment::parse(&cleaned, Color::White);
            prop_assert_eq!(parsed.text, others.text);
        }
    }
}
