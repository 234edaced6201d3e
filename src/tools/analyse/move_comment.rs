//! Comments behind moves: commands such as `[%eval 0.17]`, `[%clk 0:01:00]` and `[%emt 0:00:03]`,
//! and the scores and times that match programs write, such as `+0.72/17 0.347s` (Cute Chess and
//! fastchess).

use shakmaty::Color;

use super::evaluation::Evaluation;

/// A parsed comment.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct MoveComment {
    /// The evaluation of an `%eval` command.
    pub evaluation: Option<Evaluation>,
    /// The score of the engine that played the move.
    pub engine_score: Option<Evaluation>,
    /// The time spent on the move, in seconds.
    pub time: Option<f64>,
    /// The clock after the move, in seconds.
    pub clock: Option<f64>,
    /// The other text, for readers.
    pub text: String,
}

impl MoveComment {
    /// Parses the comment of a move made by this side.
    pub fn parse(comment: &str, mover: Color) -> MoveComment {
        let mut parsed = MoveComment::default();
        let mut text = String::new();
        let mut rest = comment;
        while let Some((before, behind)) = rest.split_once("[%") {
            text.push_str(before);
            let (command, after) = behind.split_once(']').unwrap_or((behind, ""));
            parsed.add_command(command);
            rest = after;
        }
        text.push_str(rest);
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        parsed.text = parsed.add_engine_score(&text, mover).unwrap_or(text);
        parsed
    }

    fn add_command(&mut self, command: &str) {
        let Some((name, value)) = command.split_once(char::is_whitespace) else {
            return;
        };
        match name {
            "eval" => self.evaluation = self.evaluation.or_else(|| Evaluation::parse(value)),
            "clk" => self.clock = self.clock.or_else(|| parse_clock(value)),
            "emt" => self.time = self.time.or_else(|| parse_clock(value)),
            _ => {}
        }
    }

    /// Reads `SCORE/DEPTH TIMEs, REMARKS`, where the score is that of the mover. Returns the
    /// remarks.
    fn add_engine_score(&mut self, text: &str, mover: Color) -> Option<String> {
        let (first, remarks) = text.split_once(',').unwrap_or((text, ""));
        let mut words = first.split(' ');
        let (score, depth) = words.next()?.split_once('/')?;
        let time = words.next();
        let is_depth = !depth.is_empty() && depth.bytes().all(|byte| byte.is_ascii_digit());
        if !is_depth || words.next().is_some() {
            return None;
        }
        let score = parse_score(score)?;
        let time = match time {
            Some(time) => Some(time.trim_end_matches('s').parse().ok()?),
            None => None,
        };
        self.engine_score = Some(match mover {
            Color::White => score,
            Color::Black => score.negated(),
        });
        self.time = self.time.or(time);
        // Fields such as `n=123` and `pv=..` are for programs.
        let remarks = remarks.split(',').map(str::trim);
        let is_remark = |remark: &&str| !remark.is_empty() && !remark.contains('=');
        Some(remarks.filter(is_remark).collect::<Vec<_>>().join(", "))
    }
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

/// Parses `1:02:03.5`, `02:03` or seconds.
fn parse_clock(text: &str) -> Option<f64> {
    let mut seconds = 0.0;
    for part in text.trim().split(':') {
        let number: f64 = part.parse().ok()?;
        seconds = seconds * 60.0 + number;
    }
    (seconds.is_finite() && seconds >= 0.0).then_some(seconds)
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
        let black = MoveComment::parse("[%eval 0.10] +0.72/17 0.347s", Color::Black);
        assert_eq!(black.engine_score, Some(Evaluation::Centipawns(-72)));
        assert_eq!(black.evaluation, Some(Evaluation::Centipawns(10)));
        for comment in [
            "book",
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
}
