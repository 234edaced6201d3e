//! Comments behind moves: commands such as `[%eval 0.17]`, `[%clk 0:01:00]`, `[%emt 0:00:03]`,
//! `[%cal Ge2e4]` and `[%csl Rd4]`, the verdicts of an analysis, and the scores and times that
//! match programs write, such as `+0.72/17 0.347s` (Cute Chess and fastchess).

use serde::Serialize;
use shakmaty::{Color, Square};

use super::evaluation::Evaluation;
use super::verdict::MoveVerdict;

/// The beginning of an evaluation.
pub const EVAL: &str = "[%eval ";

/// The beginning of an evaluation that was in the source of an analysis.
pub const SOURCE_EVAL: &str = "[%source_eval ";

/// An arrow or a marked square on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Drawing {
    /// The first letter of green, red, yellow, blue, orange, cyan or magenta.
    pub colour: char,
    /// The square, or the one that the arrow comes from.
    pub from: String,
    /// The square that the arrow leads to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
}

/// A parsed comment.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MoveComment {
    /// The evaluation of an `%eval` command.
    pub evaluation: Option<Evaluation>,
    /// The evaluation that was in the source of the analysis.
    pub source_evaluation: Option<Evaluation>,
    /// The score of the engine that played the move.
    pub engine_score: Option<Evaluation>,
    /// The time spent on the move, in seconds.
    pub time: Option<f64>,
    /// The clock after the move, in seconds.
    pub clock: Option<f64>,
    /// Arrows and marked squares.
    pub drawings: Vec<Drawing>,
    /// The verdict of the analysis.
    pub verdict: Option<MoveVerdict>,
    /// The other text, for readers.
    pub text: String,
}

impl MoveComment {
    /// Parses the comment of a move made by this side.
    pub fn parse(comment: &str, mover: Color) -> MoveComment {
        let mut parsed = MoveComment::default();
        let (commands, words) = split_commands(comment);
        let words = match MoveVerdict::split(words, comment.contains(EVAL)) {
            Some((verdict, rest)) => {
                parsed.verdict = Some(verdict);
                rest
            }
            None => words,
        };
        let mut text = String::new();
        for mut rest in [commands, words] {
            while let Some((before, behind)) = rest.split_once("[%") {
                text.push_str(before);
                let (command, after) = behind.split_once(']').unwrap_or((behind, ""));
                parsed.add_command(command);
                rest = after;
            }
            text.push_str(rest);
        }
        let text = text.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
        parsed.text = parsed.add_engine_score(&text, mover).unwrap_or(text);
        parsed
    }

    /// Adds what another comment behind the same move says.
    #[must_use]
    pub fn and(mut self, other: MoveComment) -> MoveComment {
        self.evaluation = self.evaluation.or(other.evaluation);
        self.source_evaluation = self.source_evaluation.or(other.source_evaluation);
        self.engine_score = self.engine_score.or(other.engine_score);
        self.time = self.time.or(other.time);
        self.clock = self.clock.or(other.clock);
        self.drawings.extend(other.drawings);
        self.verdict = self.verdict.or(other.verdict);
        self.text = format!("{} {}", self.text, other.text).trim().to_owned();
        self
    }

    fn add_command(&mut self, command: &str) {
        let Some((name, value)) = command.split_once(char::is_whitespace) else {
            return;
        };
        match name {
            "eval" => self.evaluation = self.evaluation.or_else(|| Evaluation::parse(value)),
            "source_eval" => {
                let value = Evaluation::parse(value);
                self.source_evaluation = self.source_evaluation.or(value);
            }
            "cal" | "csl" => {
                let drawings = value.split(',').filter_map(Drawing::parse);
                self.drawings.extend(drawings);
            }
            "clk" => self.clock = self.clock.or_else(|| parse_clock(value)),
            "emt" => self.time = self.time.or_else(|| parse_clock(value)),
            _ => {}
        }
    }

    /// Reads `SCORE/DEPTH TIMEs, REMARKS`, where the score is that of the mover. Returns the
    /// remarks.
    fn add_engine_score(&mut self, text: &str, mover: Color) -> Option<String> {
        let (first, remarks) = text.split_once(',').unwrap_or((text, ""));
        let (score, time) = parse_engine_comment(first)?;
        self.engine_score = score.map(|score| mover.fold_wb(score, score.negated()));
        self.time = self.time.or(time);
        // `tl` is the time left. Other fields, such as `n=123` and `pv=..`, are for programs.
        let remarks = remarks.split(',').map(str::trim);
        let left = remarks
            .clone()
            .find_map(|remark| remark.strip_prefix("tl="));
        let left = left.and_then(|left| parse_seconds(left.trim_end_matches('s')));
        self.clock = self.clock.or(left);
        let is_remark = |remark: &&str| !remark.is_empty() && !remark.contains('=');
        Some(remarks.filter(is_remark).collect::<Vec<_>>().join(", "))
    }
}

impl Drawing {
    /// Parses `Ge2e4`, an arrow, or `Rd4`, a square.
    fn parse(text: &str) -> Option<Drawing> {
        let text = text.trim();
        let colour = text.chars().next().filter(|c| "GRYBOCM".contains(*c))?;
        let squares = text.get(1..)?;
        let (from, to) = squares.split_at_checked(2)?;
        let is_square = |text: &str| text.parse::<Square>().is_ok();
        if !is_square(from) || !to.is_empty() && !is_square(to) {
            return None;
        }
        Some(Drawing {
            colour,
            from: from.to_owned(),
            to: (!to.is_empty()).then(|| to.to_owned()),
        })
    }
}

/// Splits a comment into the commands at its beginning and the words after them.
pub fn split_commands(comment: &str) -> (&str, &str) {
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

/// Parses `+0.72/17 0.347s`, `0.347s`, and `book`: the score and the time of a move, if there are
/// any.
fn parse_engine_comment(text: &str) -> Option<(Option<Evaluation>, Option<f64>)> {
    if text == "book" {
        return Some((None, None));
    }
    if let Some(time) = text.strip_suffix('s').and_then(parse_seconds) {
        return Some((None, Some(time)));
    }
    let mut words = text.split(' ');
    let (score, depth) = words.next()?.split_once('/')?;
    let time = words.next();
    let is_depth = !depth.is_empty() && depth.bytes().all(|byte| byte.is_ascii_digit());
    if !is_depth || words.next().is_some() {
        return None;
    }
    let score = parse_score(score)?;
    let time = match time {
        Some(time) => Some(parse_seconds(time.trim_end_matches('s'))?),
        None => None,
    };
    Some((Some(score), time))
}

/// Parses `+0.72` or `-M5`, a mate in moves.
fn parse_score(text: &str) -> Option<Evaluation> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    if let Some(moves) = digits.strip_prefix('M') {
        let plies: i32 = moves.parse().ok()?;
        // Both programs count plies.
        return Some(Evaluation::Mate(sign * (plies / 2 + plies % 2).max(1)));
    }
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit());
    Evaluation::parse(text).filter(|_| is_number)
}

fn parse_seconds(text: &str) -> Option<f64> {
    let seconds: f64 = text.parse().ok()?;
    (seconds.is_finite() && seconds >= 0.0).then_some(seconds)
}

/// Parses `1:02:03.5`, `02:03` or seconds.
fn parse_clock(text: &str) -> Option<f64> {
    let mut seconds = 0.0;
    for part in text.trim().split(':') {
        seconds = seconds * 60.0 + parse_seconds(part)?;
    }
    Some(seconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(comment: &str) -> MoveComment {
        MoveComment::parse(comment, Color::White)
    }

    #[test]
    fn comments_of_match_programs() {
        for (comment, score, time, text) in [
            (
                "+0.72/17 0.347s",
                Evaluation::Centipawns(72),
                Some(0.347),
                "",
            ),
            ("-0.15/12 3.4", Evaluation::Centipawns(-15), Some(3.4), ""),
            ("0.00/1", Evaluation::Centipawns(0), None, ""),
            ("+M5/20 0.1s", Evaluation::Mate(3), Some(0.1), ""),
            (
                "-M2/20 0.1s, n=12, pv=\"e4 e5\", White mates",
                Evaluation::Mate(-1),
                Some(0.1),
                "White mates",
            ),
        ] {
            let parsed = parse(comment);
            assert_eq!(parsed.engine_score, Some(score), "{comment}");
            assert_eq!((parsed.time, parsed.text.as_str()), (time, text));
        }
        let left = parse("+0.52/7 0.006s, tl=60.994s");
        assert_eq!((left.clock, left.text.as_str()), (Some(60.994), ""));
        let black = MoveComment::parse("[%eval 0.10] +0.72/17 0.347s", Color::Black);
        assert_eq!(black.engine_score, Some(Evaluation::Centipawns(-72)));
        assert_eq!(black.evaluation, Some(Evaluation::Centipawns(10)));
        for (comment, time, text) in [
            ("book", None, ""),
            ("0.35s", Some(0.35), ""),
            ("0s, White mates", Some(0.0), "White mates"),
        ] {
            let parsed = parse(comment);
            assert_eq!(
                (parsed.engine_score, parsed.time),
                (None, time),
                "{comment}"
            );
            assert_eq!(parsed.text, text);
        }
        for comment in [
            "a book",
            "1/2 won",
            "+0.7/x 1s",
            "nan/3",
            "a/3 1s",
            "+0.72/17 fast",
        ] {
            let parsed = parse(comment);
            assert_eq!((parsed.engine_score, parsed.text.as_str()), (None, comment));
        }
    }

    #[test]
    fn commands_are_not_text() {
        let parsed = parse("[%clk 1:02:03.5] so [%emt 0:00:07] [%csl Ra1] [%eval #-2,12] so");
        assert_eq!((parsed.clock, parsed.time), (Some(3_723.5), Some(7.0)));
        assert_eq!(parsed.evaluation, Some(Evaluation::Mate(-2)));
        assert_eq!(parsed.text, "so so");
        assert_eq!(parse("[%clk x] [%eval 1.0").clock, None);
    }
    #[test]
    fn drawings_and_verdicts_are_understood() {
        let parsed = parse(
            "[%eval 0.35] [%source_eval 0.17] [%cal Ge2e4,Rd1d8] [%csl Yd4,x,Gz9] Mistake. Nf3 was best (+0.90). So",
        );
        let drawn: Vec<String> = parsed
            .drawings
            .iter()
            .map(|drawing| {
                let to = drawing.to.as_deref().unwrap_or_default();
                format!("{}{}{to}", drawing.colour, drawing.from)
            })
            .collect();
        assert_eq!(drawn, ["Ge2e4", "Rd1d8", "Yd4"]);
        assert_eq!(parsed.source_evaluation, Some(Evaluation::Centipawns(17)));
        let best = parsed
            .verdict
            .as_ref()
            .and_then(|verdict| verdict.best.as_deref());
        assert_eq!((best, parsed.text.as_str()), (Some("Nf3"), "So"));
        let both = parse("[%emt 0:00:02] one").and(parsed);
        assert_eq!((both.time, both.text.as_str()), (Some(2.0), "one So"));
        assert!(both.verdict.is_some() && both.evaluation.is_some());
    }
}
