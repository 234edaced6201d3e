//! What an engine found, written back into the EPD.

use super::record::{Operation, Record};
use super::report::{Attempt, Report, Score};

/// The positions with what the first engine found: depth (`acd`), nodes (`acn`), seconds (`acs`), the score in centipawns
/// (`ce`) or the moves to mate (`dm`), and the line (`pv`). Best moves stay as they were; what was there of the others is
/// replaced.
pub fn annotated(report: &Report) -> Result<String, String> {
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
    let seconds = attempt.time_ms.div_ceil(1_000);
    record.set(Operation::new("acd", [attempt.depth.to_string()]));
    record.set(Operation::new("acn", [attempt.nodes.to_string()]));
    record.set(Operation::new("acs", [seconds.to_string()]));
    record.set(Operation::new(
        "pv",
        attempt.pv.iter().map(|san| san.as_str()),
    ));
    match attempt.score {
        Some(Score::Cp(centipawns)) => {
            record.remove("dm");
            record.set(Operation::new("ce", [centipawns.to_string()]));
        }
        Some(Score::Mate(moves)) => {
            record.set(Operation::new(
                "ce",
                [mate_in_centipawns(moves).to_string()],
            ));
            record.set(Operation::new("dm", [moves.to_string()]));
        }
        None => {}
    }
}

/// The standard's score for a mate: 32767 less the plies to it.
fn mate_in_centipawns(moves: i32) -> i32 {
    if moves > 0 {
        32_768 - 2 * moves
    } else {
        -32_767 - 2 * moves
    }
}
