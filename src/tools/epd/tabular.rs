//! Results for other programs: CSV with a row for each attempt, and JUnit XML for continuous
//! integration.

use std::io;
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::comparison::Total;
use super::report::{Attempt, Moment, PositionReport, SuiteReport};
use super::summary;
use crate::tools::kit::csv_text;

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

/// Formats the results as CSV with one row per engine and position.
///
/// # Errors
/// Never fails in practice; the CSV writer has a fallible interface.
pub fn csv(report: &SuiteReport) -> io::Result<String> {
    let rows = report.positions.iter().flat_map(|position| {
        let engines = report.engines.iter().map(|engine| engine.name.as_str());
        engines
            .zip(&position.attempts)
            .filter_map(move |(engine, attempt)| Some(row(position, engine, attempt.as_ref()?)))
    });
    csv_text(HEADER, rows)
}

fn row(position: &PositionReport, engine: &str, attempt: &Attempt) -> [String; 20] {
    fn text(value: Option<impl ToString>) -> String {
        value.map_or(String::new(), |value| value.to_string())
    }
    let milliseconds = |micros: u64| format!("{:.3}", micros as f64 / 1_000.0);
    let found = |part: fn(&Moment) -> u64| text(attempt.found.as_ref().map(part));
    [
        position.number.to_string(),
        position.id.clone(),
        position.place.file.clone(),
        position.place.line.to_string(),
        engine.to_owned(),
        attempt.solved.to_string(),
        text(attempt.points),
        text(position.max_points),
        text(attempt.san.as_ref()),
        position.goal.clone(),
        text(attempt.score),
        attempt.depth.to_string(),
        milliseconds(attempt.time_us),
        attempt.nodes.to_string(),
        text(attempt.found.map(|moment| milliseconds(moment.time_us))),
        found(|moment| u64::from(moment.depth)),
        found(|moment| moment.nodes),
        attempt.pv.join(" "),
        text(attempt.fault.as_ref()),
        position.fen.clone(),
    ]
}

/// Formats the results as a JUnit report with a test suite for each engine and a test case for each
/// position. A missing answer is an error, and a wrong one is a failure.
///
/// # Errors
/// Fails when the XML cannot be written.
pub fn junit(report: &SuiteReport) -> io::Result<String> {
    let mut junit = Report::new("quevedo epd");
    for (number, engine) in report.engines.iter().enumerate() {
        let total = Total::of_engine(&report.positions, number);
        let mut suite = TestSuite::new(engine.name.as_str());
        suite.set_time(Duration::from_micros(total.time_us));
        suite.add_test_cases(report.positions.iter().filter_map(|position| {
            let attempt = position.attempts.get(number)?.as_ref()?;
            Some(test_case(position, attempt))
        }));
        junit.add_test_suite(suite);
    }
    junit.to_string().map_err(io::Error::other)
}

fn test_case(position: &PositionReport, attempt: &Attempt) -> TestCase {
    let status = if attempt.solved {
        TestCaseStatus::success()
    } else {
        let kind = match attempt.uci {
            Some(_) => NonSuccessKind::Failure,
            None => NonSuccessKind::Error,
        };
        let mut status = TestCaseStatus::non_success(kind);
        status
            .set_message(summary::failure(position, None, attempt))
            .set_description(format!("{}\n{}", position.epd, attempt.pv.join(" ")));
        status
    };
    let mut case = TestCase::new(position.id.as_str(), status);
    case.set_classname(position.place.file.as_str())
        .set_time(Duration::from_micros(attempt.time_us));
    case
}
