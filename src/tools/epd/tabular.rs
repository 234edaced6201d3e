//! Results for other programs: CSV with a row for each attempt, and JUnit XML for continuous integration.

use std::fmt::Write as _;
use std::io;

use super::report::{Attempt, Moment, PositionReport, Report};
use super::summary;
use crate::tools::page::escape;

/// The columns.
const HEADER: [&str; 20] = [
    "number",
    "id",
    "file",
    "line",
    "engine",
    "solved",
    "points",
    "max_points",
    "move",
    "goal",
    "score",
    "depth",
    "time_ms",
    "nodes",
    "found_ms",
    "found_depth",
    "found_nodes",
    "pv",
    "fault",
    "fen",
];

/// A row for each engine and position, as RFC 4180 has it.
///
/// # Errors
/// Never in memory; the signature is the writer's.
pub fn csv(report: &Report) -> io::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(HEADER)?;
    for (position, engine, attempt) in attempts(report) {
        writer.write_record(row(position, engine, attempt))?;
    }
    let bytes = writer
        .into_inner()
        .map_err(|error| io::Error::other(error.to_string()))?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

/// All attempts that were made, with their position and engine.
fn attempts(report: &Report) -> impl Iterator<Item = (&PositionReport, &str, &Attempt)> {
    report.positions.iter().flat_map(|position| {
        let engines = report.engines.iter().map(|engine| engine.name.as_str());
        engines
            .zip(&position.attempts)
            .filter_map(move |(engine, attempt)| Some((position, engine, attempt.as_ref()?)))
    })
}

fn row(position: &PositionReport, engine: &str, attempt: &Attempt) -> [String; 20] {
    let number = |number: Option<u32>| number.map_or(String::new(), |number| number.to_string());
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    let found = |part: fn(&Moment) -> u64| {
        attempt
            .found
            .as_ref()
            .map_or(String::new(), |moment| part(moment).to_string())
    };
    [
        position.number.to_string(),
        position.id.clone(),
        position.place.file.clone(),
        position.place.line.to_string(),
        engine.to_owned(),
        attempt.solved.to_string(),
        number(attempt.points),
        number(position.max_points),
        text(&attempt.san),
        position.goal.clone(),
        attempt
            .score
            .map_or(String::new(), |score| score.to_string()),
        attempt.depth.to_string(),
        attempt.time_ms.to_string(),
        attempt.nodes.to_string(),
        found(|moment| moment.time_ms),
        found(|moment| u64::from(moment.depth)),
        found(|moment| moment.nodes),
        attempt.pv.join(" "),
        text(&attempt.fault),
        position.fen.clone(),
    ]
}

/// A test suite for each engine, a test case for each position; an engine's fault is an error, a wrong answer a failure.
pub fn junit(report: &Report) -> String {
    let mut suites = String::new();
    for (number, engine) in report.engines.iter().enumerate() {
        let total = summary::Total::of_engine(&report.positions, number);
        let mut cases = String::new();
        let mut errors = 0;
        for position in &report.positions {
            let Some(Some(attempt)) = position.attempts.get(number) else {
                continue;
            };
            let what = match (attempt.solved, &attempt.uci) {
                (true, _) => None,
                (false, Some(_)) => Some("failure"),
                (false, None) => Some("error"),
            };
            errors += usize::from(what == Some("error"));
            push_case(&mut cases, position, attempt, what);
        }
        let failures = total.positions - total.solved - errors;
        // Writing to a String cannot fail.
        let _ = write!(
            suites,
            "<testsuite name=\"{}\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{:.3}\">\n{cases}</testsuite>\n",
            escape(&engine.name),
            total.positions,
            total.time_ms as f64 / 1_000.0,
        );
    }
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"quevedo epd\">\n{suites}</testsuites>\n"
    )
}

fn push_case(cases: &mut String, position: &PositionReport, attempt: &Attempt, what: Option<&str>) {
    let _ = write!(
        cases,
        "<testcase classname=\"{}\" name=\"{}\" time=\"{:.3}\"",
        escape(&position.place.file),
        escape(&position.id),
        attempt.time_ms as f64 / 1_000.0
    );
    match what {
        None => cases.push_str("/>\n"),
        Some(what) => {
            let message = summary::failure(position, None, attempt);
            let _ = writeln!(
                cases,
                "><{what} message=\"{}\">{}</{what}></testcase>",
                escape(&message),
                escape(&format!("{}\n{}", position.epd, attempt.pv.join(" ")))
            );
        }
    }
}
