//! Verdicts in words, as comments have them: `Inaccuracy. exd4 was best (+0.35).`

use std::fmt;

use shakmaty::Color;

use super::evaluation::{Evaluation, Mark};

/// The mate that a marked move allows or misses, in moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MateFault {
    /// The opponent has a forced mate after the move.
    Allows(i32),
    /// The player had a forced mate before the move, and has none after it.
    Misses(i32),
}

/// The verdict on a marked move.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveVerdict {
    /// The mark.
    pub mark: Mark,
    /// The mate that the move allows or misses.
    pub mate: Option<MateFault>,
    /// The best move in SAN; `None` if it is not known.
    pub best: Option<String>,
    /// The evaluation of the best move.
    pub evaluation: Option<Evaluation>,
}

impl MateFault {
    /// Returns the fault of a move of this side, given the evaluations before and after it.
    pub fn of(
        mover: Color,
        before: Option<Evaluation>,
        after: Option<Evaluation>,
    ) -> Option<MateFault> {
        let mate = |evaluation| match evaluation {
            Some(Evaluation::Mate(moves)) => mover.fold_wb(moves, -moves),
            _ => 0,
        };
        match (mate(before), mate(after)) {
            (0.., moves @ ..0) => Some(MateFault::Allows(-moves)),
            (moves @ 1.., ..=0) => Some(MateFault::Misses(moves)),
            _ => None,
        }
    }
}

impl MoveVerdict {
    /// Splits a comment into the verdict at its beginning and the text after it. The verdicts of
    /// Lichess, such as `(0.17 → 1.20) Mistake. Nf3 was best.`, are understood as well. Those on
    /// mates do not say how bad the move is, and count as blunders.
    ///
    /// People begin comments with these words, too. Without such values, only a comment that
    /// `is_by_program` has a verdict.
    pub fn split(comment: &str, is_by_program: bool) -> Option<(MoveVerdict, &str)> {
        let text = comment.trim_start();
        let values = text.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let values = values.and_then(|(values, rest)| Some((values.split_once('\u{2192}')?, rest)));
        let (mark, mate, rest) = match values {
            Some((values, rest)) => mate_verdict(values, rest.trim_start())
                .map(|(mate, rest)| (Mark::Blunder, mate, rest))
                .or_else(|| marked_verdict(rest.trim_start()))?,
            None if is_by_program => marked_verdict(text)?,
            None => return None,
        };
        let mut verdict = MoveVerdict {
            mark,
            mate,
            best: None,
            evaluation: None,
        };
        let Some((best, after)) = rest.trim_start().split_once(" was best") else {
            return Some((verdict, rest.trim_start()));
        };
        if best.contains(char::is_whitespace) {
            return Some((verdict, rest.trim_start()));
        }
        let (value, after) = match after.strip_prefix(" (") {
            Some(value) => value.split_once(')')?,
            None => ("", after),
        };
        let Some(after) = after.strip_prefix('.') else {
            return Some((verdict, rest.trim_start()));
        };
        verdict.best = Some(best.to_owned());
        verdict.evaluation = Evaluation::parse(value);
        Some((verdict, after.trim_start()))
    }
}

/// Splits a text into the mark at its beginning, the mate, and the rest.
fn marked_verdict(text: &str) -> Option<(Mark, Option<MateFault>, &str)> {
    let marks = [Mark::Dubious, Mark::Mistake, Mark::Blunder];
    let (mark, rest) = marks
        .into_iter()
        .find_map(|mark| Some((mark, text.strip_prefix(mark.word())?)))?;
    let (fault, rest) = rest.split_once('.')?;
    let mate = match fault.strip_prefix(", which ") {
        None if fault.is_empty() => None,
        None => return None,
        Some(fault) => Some(parse_fault(fault)?),
    };
    Some((mark, mate, rest))
}

/// Splits a text into one of Lichess's verdicts on mates at its beginning, as the mate that the
/// values before and after the move tell of, and the rest.
fn mate_verdict<'a>(
    (before, after): (&str, &str),
    text: &'a str,
) -> Option<(Option<MateFault>, &'a str)> {
    let moves = |value: &str| {
        let moves = value.trim().strip_prefix("Mate in ")?;
        moves.trim_start_matches('-').parse().ok()
    };
    if let Some(rest) = text.strip_prefix("Checkmate is now unavoidable.") {
        return Some((moves(after).map(MateFault::Allows), rest));
    }
    if let Some(rest) = text.strip_prefix("Lost forced checkmate sequence.") {
        return Some((moves(before).map(MateFault::Misses), rest));
    }
    let rest = text.strip_prefix("Not the best checkmate sequence.")?;
    Some((None, rest))
}

/// Parses `allows mate in 3` and `misses mate in 3`.
fn parse_fault(text: &str) -> Option<MateFault> {
    let (verb, moves) = text.split_once(" mate in ")?;
    let moves = moves.parse().ok()?;
    match verb {
        "allows" => Some(MateFault::Allows(moves)),
        "misses" => Some(MateFault::Misses(moves)),
        _ => None,
    }
}

impl fmt::Display for MoveVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.mark.word())?;
        match self.mate {
            Some(MateFault::Allows(moves)) => write!(f, ", which allows mate in {moves}")?,
            Some(MateFault::Misses(moves)) => write!(f, ", which misses mate in {moves}")?,
            None => {}
        }
        f.write_str(".")?;
        if let Some(best) = &self.best {
            write!(f, " {best} was best")?;
            if let Some(evaluation) = self.evaluation {
                write!(f, " ({evaluation})")?;
            }
            f.write_str(".")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_are_read_back() {
        let verdict = |mark, mate, best: &str, evaluation| MoveVerdict {
            mark,
            mate,
            best: (!best.is_empty()).then(|| best.to_owned()),
            evaluation,
        };
        let cp = |value| Some(Evaluation::Centipawns(value));
        for (verdict, text) in [
            (
                verdict(Mark::Dubious, None, "exd4", cp(35)),
                "Inaccuracy. exd4 was best (+0.35).",
            ),
            (
                verdict(Mark::Blunder, Some(MateFault::Allows(3)), "Kg7", cp(-120)),
                "Blunder, which allows mate in 3. Kg7 was best (-1.20).",
            ),
            (
                verdict(
                    Mark::Mistake,
                    Some(MateFault::Misses(2)),
                    "Qh7+",
                    Some(Evaluation::Mate(2)),
                ),
                "Mistake, which misses mate in 2. Qh7+ was best (#2).",
            ),
            (verdict(Mark::Blunder, None, "", None), "Blunder."),
            (
                verdict(Mark::Blunder, None, "O-O", None),
                "Blunder. O-O was best.",
            ),
        ] {
            assert_eq!(verdict.to_string(), text);
            let comment = format!("{text} A remark.");
            assert_eq!(MoveVerdict::split(&comment, false), None);
            let split = MoveVerdict::split(&comment, true);
            assert_eq!(split, Some((verdict, "A remark.")));
        }
        let lichess = "(0.17 \u{2192} 1.20) Mistake. Nf3 was best. So.";
        let expected = verdict(Mark::Mistake, None, "Nf3", None);
        for is_by_program in [false, true] {
            let split = MoveVerdict::split(lichess, is_by_program);
            assert_eq!(split, Some((expected.clone(), "So.")));
        }
        for (text, mate) in [
            (
                "(-0.66 \u{2192} Mate in 1) Checkmate is now unavoidable.",
                Some(MateFault::Allows(1)),
            ),
            (
                "(Mate in 2 \u{2192} 1.20) Lost forced checkmate sequence.",
                Some(MateFault::Misses(2)),
            ),
            (
                "(Mate in 2 \u{2192} Mate in 5) Not the best checkmate sequence.",
                None,
            ),
        ] {
            let split = MoveVerdict::split(text, false);
            assert_eq!(split, Some((verdict(Mark::Blunder, mate, "", None), "")));
            let text = format!("{text} d3 was best. So.");
            let split = MoveVerdict::split(&text, false);
            assert_eq!(
                split,
                Some((verdict(Mark::Blunder, mate, "d3", None), "So."))
            );
            let without_values = text.split_once(") ").unwrap().1;
            assert_eq!(MoveVerdict::split(without_values, true), None);
        }
        for text in [
            "A blunder. Nf3 was best.",
            "Blunder by White.",
            "(A pity) Blunder.",
            "",
            "(a",
        ] {
            assert_eq!(MoveVerdict::split(text, true), None, "{text}");
        }
        for remark in ["What else was best?", "d4 was best, I think", "d4 was best"] {
            let text = format!("Blunder. {remark}");
            let (verdict, rest) = MoveVerdict::split(&text, true).unwrap();
            assert_eq!((verdict.best, rest), (None, remark));
        }
    }

    #[test]
    fn faults_are_those_of_the_mover() {
        let mate = |moves| Some(Evaluation::Mate(moves));
        let cp = Some(Evaluation::Centipawns(0));
        for (mover, before, after, expected) in [
            (Color::White, cp, mate(-3), Some(MateFault::Allows(3))),
            (Color::Black, cp, mate(3), Some(MateFault::Allows(3))),
            (Color::White, mate(2), cp, Some(MateFault::Misses(2))),
            (Color::Black, mate(2), cp, None),
            (Color::White, mate(2), mate(-1), Some(MateFault::Allows(1))),
            (Color::White, mate(2), mate(4), None),
            (Color::White, mate(-2), mate(-1), None),
        ] {
            assert_eq!(
                MateFault::of(mover, before, after),
                expected,
                "{before:?} {after:?}"
            );
        }
    }
}
