//! Adds the results of an engine to the EPD.

use super::record::{Operation, Record};
use super::report::{Attempt, SuiteReport};
use crate::tools::kit::engines::info::UciScore;

/// Returns the positions with the results of the first engine: depth (`acd`), nodes (`acn`),
/// seconds (`acs`), the score in centipawns (`ce`, in which mates count down from 32767), and the
/// line (`pv`). These replace existing operations.
///
/// # Errors
/// Fails when a report that was read from a file contains a line that is not EPD.
pub fn annotated(report: &SuiteReport) -> Result<String, String> {
    let mut text = String::new();
    for position in &report.positions {
        let mut record =
            Record::parse(&position.epd).map_err(|error| format!("{}: {error}", position.id))?;
        if let Some(Some(attempt)) = position.attempts.first()
            && attempt.uci.is_some()
        {
            annotate(&mut record, attempt);
        }
        text.push_str(&record.to_string());
        text.push('\n');
    }
    Ok(text)
}

fn annotate(record: &mut Record, attempt: &Attempt) {
    let seconds = attempt.time_us.div_ceil(1_000_000);
    record.set(Operation::new("acd", [attempt.depth.to_string()]));
    record.set(Operation::new("acn", [attempt.nodes.to_string()]));
    record.set(Operation::new("acs", [seconds.to_string()]));
    record.set(Operation::new(
        "pv",
        attempt.pv.iter().map(|san| san.as_str()),
    ));
    let centipawns = match attempt.score {
        Some(UciScore::Cp(centipawns)) => centipawns,
        // Not as `dm`, which would be the goal of the next run.
        Some(UciScore::Mate(moves)) => mate_in_centipawns(moves),
        None => return,
    };
    record.set(Operation::new("ce", [centipawns.to_string()]));
}

/// Returns the score that the standard defines for a mate: 32767 minus the distance in plies.
fn mate_in_centipawns(moves: i32) -> i32 {
    let plies = moves.saturating_mul(2);
    if moves > 0 {
        32_768 - plies
    } else {
        -32_767 - plies
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::epd::goal::Goal;

    #[test]
    fn the_goal_stays_and_the_result_can_be_read() {
        let board = "4k3/8/8/8/8/8/4P3/4K3 w - -";
        for (operations, score, expected) in [
            ("bm e4;", UciScore::Cp(7), "bm e4; ce 7;"),
            ("bm e4;", UciScore::Mate(3), "bm e4; ce 32762;"),
            ("bm e4;", UciScore::Mate(-3), "bm e4; ce -32761;"),
            ("bm e4;", UciScore::Mate(0), "bm e4; ce -32767;"),
            ("bm e4;", UciScore::Mate(1_000), "bm e4; ce 30768;"),
            ("dm 4;", UciScore::Cp(7), "ce 7; dm 4;"),
            ("dm 4;", UciScore::Mate(5), "ce 32758; dm 4;"),
        ] {
            let mut record = Record::parse(&format!("{board} {operations}")).unwrap();
            let goal = Goal::parse(&record).unwrap();
            let attempt = Attempt {
                score: Some(score),
                ..Attempt::default()
            };
            annotate(&mut record, &attempt);
            for opcode in ["acd", "acn", "acs", "pv"] {
                record.remove(opcode);
            }
            assert_eq!(record.to_string(), format!("{board} {expected}"));
            let again = Goal::parse(&record).unwrap();
            assert_eq!(again, goal);
        }
        for moves in [i32::MIN, i32::MAX] {
            mate_in_centipawns(moves);
        }
    }
}
