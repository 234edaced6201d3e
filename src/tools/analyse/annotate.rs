//! Writes the analysis into a game: evaluations, marks, verdicts in words, and better lines.

use std::fmt;

use super::analyst::Assessment;
use super::evaluation::{Evaluation, Mark, Thresholds};
use super::move_comment::{EVAL, SOURCE_EVAL, split_commands};
use super::verdict::{MateFault, MoveVerdict};
use crate::pgn::{AnnotatedMove, PgnGame, PgnVariation};
use crate::position::{Move, Position, notation};

/// The glyphs for the quality of a move: `!`, `?`, `!!`, `??`, `!?`, `?!`.
const MOVE_MARKS: std::ops::RangeInclusive<u8> = 1..=6;

/// The plies after which lines are cut by default.
const LINE_LENGTH: u16 = 8;

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
    #[arg(long, value_name = "PLIES", default_value_t = LINE_LENGTH, value_parser = clap::value_parser!(u16).range(1..))]
    pub line_length: u16,
    /// Drop the comments, variations and marks of the source
    #[arg(long)]
    pub strip: bool,
}

/// The differences from the default style.
impl fmt::Display for Style {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.thresholds != Thresholds::default() {
            let Thresholds {
                dubious,
                mistake,
                blunder,
            } = self.thresholds;
            write!(f, ", marks from {dubious}/{mistake}/{blunder} %")?;
        }
        let has_length = self.line_length != LINE_LENGTH;
        match self.lines {
            ShownLines::Marked if has_length => write!(f, ", lines")?,
            ShownLines::Marked => {}
            ShownLines::All => write!(f, ", all lines")?,
            ShownLines::None => write!(f, ", no lines")?,
        }
        if has_length && self.lines != ShownLines::None {
            write!(f, " of {} plies", self.line_length)?;
        }
        if self.strip {
            write!(f, ", source stripped")?;
        }
        Ok(())
    }
}

/// Writes the assessments of all positions, the first one included, into the game. Moves before or
/// after a position without an assessment are not marked. Evaluations of the source are kept under
/// another name, unless `is_repeated` says that they come from the same analysis.
pub fn annotate(
    game: &mut PgnGame,
    assessments: &[Option<Assessment>],
    style: &Style,
    is_repeated: bool,
) {
    let positions = game.positions();
    if style.strip {
        strip(&mut game.main_line);
    } else {
        let is_by_lichess = game
            .tag("Annotator")
            .is_some_and(|annotators| annotators.split("; ").any(is_lichess));
        for (ply, position) in game.main_line.moves.iter_mut().zip(&positions) {
            clean(ply, position, is_repeated, is_by_lichess);
        }
    }
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
            // Lines of unmarked moves have no verdict by which `clean` finds them.
            ply.variations.retain(|known| !is_same_line(known, &line));
            ply.variations.insert(0, line);
        }
    }
}

/// Puts the evaluation before other commands and comments, as other programs do, and the verdict
/// before other words. Words that begin like a verdict stay in a comment of their own: behind an
/// evaluation, they would be taken for one.
fn add_comment(comments: &mut Vec<String>, command: Option<String>, verdict: Option<MoveVerdict>) {
    let first = comments.first().map_or("", String::as_str);
    let (commands, words) = split_commands(first);
    let command = command.unwrap_or_default();
    let verdict = verdict.map_or_else(String::new, |verdict| verdict.to_string());
    let apart = MoveVerdict::split(words, true).map(|_| words.to_owned());
    let words = if apart.is_some() { "" } else { words };
    let mut parts = vec![command.as_str(), commands, &verdict, words];
    parts.retain(|part| !part.is_empty());
    let text = parts.join(" ");
    if text.is_empty() {
        return;
    }
    match comments.first_mut() {
        Some(first) => *first = text,
        None => comments.push(text),
    }
    if let Some(words) = apart {
        comments.insert(1, words);
    }
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

/// Returns whether two lines have the same moves, comments and marks, and no variations.
fn is_same_line(one: &PgnVariation, other: &PgnVariation) -> bool {
    let plies = |line: &PgnVariation| {
        let has_variations = line.moves.iter().any(|ply| !ply.variations.is_empty());
        let plies = line.moves.iter().cloned();
        let plies: Vec<_> = plies.map(|ply| (ply.m, ply.comments, ply.nags)).collect();
        (!has_variations).then_some(plies)
    };
    one.comments == other.comments && plies(one).is_some_and(|line| plies(other) == Some(line))
}

/// Removes all annotations of a line.
fn strip(line: &mut PgnVariation) {
    line.comments.clear();
    for ply in &mut line.moves {
        *ply = AnnotatedMove::new(ply.m);
    }
}

/// Returns whether an annotator is the site, as in `https://lichess.org/@/name`.
fn is_lichess(annotator: &str) -> bool {
    let name = annotator.trim();
    let name = name.strip_prefix("https://").unwrap_or(name);
    name.starts_with("lichess.org")
}

/// Renames or removes the evaluation of an earlier analysis, and removes its verdict with the mark
/// and the better line that belong to it.
fn clean(ply: &mut AnnotatedMove, position: &Position, is_repeated: bool, is_by_lichess: bool) {
    for comment in &mut ply.comments {
        let (text, verdict) = cleaned(comment, is_repeated, is_by_lichess);
        *comment = text;
        let Some(verdict) = verdict else {
            continue;
        };
        // Lichess's verdicts on mates do not say which mark they come with.
        let marks = match is_by_lichess {
            true => vec![Mark::Dubious, Mark::Mistake, Mark::Blunder],
            false => vec![verdict.mark],
        };
        ply.nags
            .retain(|&nag| marks.iter().all(|mark| mark.nag() != nag));
        // Only the first one is the analysis': a reader may have added the same move.
        let better = ply.variations.iter().position(|line| {
            let first = line.moves.first();
            let first = first.map(|ply| notation::san(position, ply.m).to_string());
            first.is_some() && first == verdict.best && is_without_remarks(line)
        });
        if let Some(better) = better {
            ply.variations.remove(better);
        }
    }
    ply.comments.retain(|comment| !comment.is_empty());
}

/// Returns whether a line has no annotations but commands, as the lines of an analysis have.
fn is_without_remarks(line: &PgnVariation) -> bool {
    line.comments.is_empty()
        && line.moves.iter().all(|ply| {
            let mut comments = ply.comments.iter();
            ply.nags.is_empty()
                && ply.variations.is_empty()
                && comments.all(|comment| split_commands(comment).1.is_empty())
        })
}

/// Splits a comment into its verdict and the rest, with `%eval` commands as `%source_eval`. An
/// evaluation that was renamed before stays, and the newer one is removed, as are those of the same
/// analysis. A comment without an evaluation has a verdict only if Lichess wrote it.
fn cleaned(comment: &str, is_repeated: bool, is_by_lichess: bool) -> (String, Option<MoveVerdict>) {
    let is_replaced = is_repeated || comment.contains(SOURCE_EVAL);
    let (mut commands, mut text) = (String::new(), String::new());
    let mut rest = comment;
    while let Some((before, behind)) = rest.split_once(EVAL) {
        let Some((value, after)) = behind.split_once(']') else {
            break;
        };
        if !is_replaced && Evaluation::parse(value).is_some() {
            commands.push_str(&format!("{SOURCE_EVAL}{value}] "));
        }
        text.push_str(before);
        rest = after.trim_start();
    }
    text.push_str(rest);
    let (others, words) = split_commands(&text);
    let is_by_program = is_by_lichess || comment.contains(EVAL);
    let (verdict, words) = match MoveVerdict::split(words, is_by_program) {
        Some((verdict, rest)) => (Some(verdict), rest),
        None => (None, words),
    };
    let mut parts = vec![commands.trim(), others, words.trim()];
    parts.retain(|part| !part.is_empty());
    (parts.join(" "), verdict)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::Color;

    use super::*;
    use crate::pgn::{PgnReader, to_pgn};
    use crate::tools::analyse::move_comment::MoveComment;

    #[test]
    fn only_the_site_is_lichess() {
        assert!(is_lichess("https://lichess.org/@/someone") && is_lichess("lichess.org"));
        assert!(!is_lichess(
            "./lichess-bot/sf in Quevedo 0.2.0 (1000 nodes)"
        ));
    }

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
            assert_eq!(cleaned(comment, false, false).0, expected);
            assert_eq!(cleaned(expected, false, false).0, expected);
        }
        let bare = "Inaccuracy. d4 was best.";
        assert_eq!(cleaned(bare, false, true).0, "");
    }

    #[test]
    fn comments_of_people_keep_their_words() {
        let remarks = [
            "Mistake. He should castle.",
            "Blunder.",
            "Inaccuracy. d4 was best, I think",
            "[%clk 0:00:30] Mistake. d4 was best. A pity.",
        ];
        for remark in remarks {
            let mut game = game(&format!(
                "[Annotator \"A. Reader\"]\n\n1. e4 {{ {remark} }} *"
            ));
            let positions = game.positions();
            let assessment = |value| {
                let evaluation = Evaluation::Centipawns(value);
                Some(Assessment {
                    evaluation: Some(evaluation),
                    expectation: evaluation.expectation(&positions[0]),
                    best: vec![positions[0].legal_moves()[0]],
                    depth: 9,
                    nodes: 900,
                })
            };
            // Also when the analysis is repeated, and has a verdict itself.
            for (after, is_repeated) in [(30, false), (30, true), (-400, false), (-400, true)] {
                annotate(
                    &mut game,
                    &[assessment(30), assessment(after)],
                    &style(),
                    is_repeated,
                );
                let text = to_pgn(&game).replace('\n', " ");
                let words = remark.trim_start_matches("[%clk 0:00:30] ");
                assert!(text.contains(&format!("{{ {words} }}")), "{text}");
                assert_eq!(text.contains(" was best (+0.30)."), after < 0, "{text}");
                assert_eq!(text.matches("[%eval ").count(), 2, "{text}");
            }
        }
    }

    fn game(text: &str) -> PgnGame {
        let game = PgnReader::new(text.as_bytes()).next_game(&mut |_| {});
        game.unwrap().unwrap().0
    }

    /// The style of all lines.
    fn style() -> Style {
        Style {
            thresholds: Thresholds::default(),
            lines: ShownLines::All,
            line_length: LINE_LENGTH,
            strip: false,
        }
    }

    #[test]
    fn an_earlier_verdict_takes_its_mark_and_its_line_along() {
        let mut game = game(
            "1. e4 $4 $10 { [%eval -5.00] Blunder. Nf3 was best (+0.32). Really? } \
             (1. Nf3 { [%eval 0.32] } 1... d5) (1. Nf3 d5) (1. d4) \
             1... e5 $4 { Mistake. d5 was best. } (1... d5 { A reader's line. }) *",
        );
        annotate(&mut game, &[], &style(), false);
        let text = to_pgn(&game);
        assert!(!text.contains("[%eval"), "{text}");
        let [first, second] = &game.main_line.moves[..] else {
            panic!("{text}");
        };
        assert_eq!(first.nags, [10]);
        assert_eq!(first.comments, ["[%source_eval -5.00] Really?"]);
        // A reader's line with the same move stays, and so does a reader's mark.
        assert_eq!(first.variations.len(), 2, "{text}");
        assert_eq!((&second.nags[..], second.variations.len()), (&[4][..], 1));
    }

    #[test]
    fn a_repeated_analysis_changes_nothing() {
        let source = "1. e4 { good } (1. Nf3 { mine }) 1... e5 { [%eval 0.10] } (1... c5) *";
        let mut first = game(source);
        let positions = first.positions();
        let assessments: Vec<_> = [(60, 0), (-400, 1), (-390, 2)]
            .into_iter()
            .zip(&positions)
            .map(|((value, choice), position)| {
                let evaluation = Evaluation::Centipawns(value);
                Some(Assessment {
                    evaluation: Some(evaluation),
                    expectation: evaluation.expectation(position),
                    best: vec![position.legal_moves()[choice]],
                    depth: 9,
                    nodes: 900,
                })
            })
            .collect();
        annotate(&mut first, &assessments, &style(), false);
        let once = to_pgn(&first);
        // A blunder and an unmarked move, both with a better line.
        assert!(once.contains("e4 $4"), "{once}");
        let lines = first.main_line.moves.iter().map(|ply| ply.variations.len());
        assert_eq!(lines.collect::<Vec<_>>(), [2, 2], "{once}");
        let mut second = game(&once);
        annotate(&mut second, &assessments, &style(), true);
        assert_eq!(to_pgn(&second), once);
        // Another analysis keeps the evaluations, and has neither marks nor lines of the first one.
        let mut third = game(&once);
        let style = Style {
            lines: ShownLines::Marked,
            ..style()
        };
        annotate(&mut third, &[None, None, None], &style, false);
        let text = to_pgn(&third);
        assert!(!text.contains("$4") && !text.contains("Blunder"), "{text}");
        assert!(text.contains("[%source_eval -4.00]"), "{text}");
    }

    #[test]
    fn only_what_is_unusual_is_said_of_the_style() {
        let said = |lines, line_length| {
            let style = Style {
                lines,
                line_length,
                ..style()
            };
            style.to_string()
        };
        assert_eq!(said(ShownLines::Marked, 8), "");
        assert_eq!(said(ShownLines::Marked, 3), ", lines of 3 plies");
        assert_eq!(said(ShownLines::All, 3), ", all lines of 3 plies");
        assert_eq!(said(ShownLines::None, 3), ", no lines");
    }

    proptest! {
        /// Comments come from files of all kinds.
        #[test]
        fn any_comment_can_be_cleaned_and_annotated(
            comment in "(\\[%(eval|clk|cal|csl|source_eval) [-#0-9.:,a-hGRx]{0,8}\\]? ?|Blunder|, which |\\. | was best|\\(|\\)|[ -~\u{e9}]{0,4}){0,8}",
        ) {
            let (cleaned, _) = cleaned(&comment, false, false);
            prop_assert!(!cleaned.contains("[%eval ") || comment.contains("[%eval "));
            let mut comments = vec![cleaned.clone()];
            let command = Evaluation::Centipawns(35).command();
            add_comment(&mut comments, Some(command), None);
            let parsed = comments.iter().map(|comment| MoveComment::parse(comment, Color::White));
            let parsed = parsed.reduce(MoveComment::and).unwrap_or_default();
            prop_assert_eq!(parsed.evaluation, Some(Evaluation::Centipawns(35)));
            // No word is lost.
            let others = MoveComment::parse(&cleaned, Color::White);
            prop_assert_eq!(parsed.text, others.text);
        }
    }
}
