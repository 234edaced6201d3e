//! Reports for tests.

use super::args::SearchArgs;
use super::report::{Attempt, EngineReport, FORMAT, Moment, PositionReport, SuiteReport};
use super::suite::LinePlace;
use crate::tools::kit::args::{LimitArgs, ResourceArgs};

/// Creates a report from times to the solution in milliseconds, by engine and position; `None` is a
/// failure. The engines are called A, B and so on.
pub fn report(times: &[&[Option<u64>]]) -> SuiteReport {
    let attempt = |time: &Option<u64>| Attempt {
        solved: time.is_some(),
        time_us: 10_000_000,
        found: time.map(|time| Moment {
            time_us: 1_000 * time,
            depth: 5,
            nodes: 7,
        }),
        ..Attempt::default()
    };
    let position = |number: usize| PositionReport {
        number: number + 1,
        place: LinePlace {
            file: "a.epd".to_owned(),
            line: number + 1,
        },
        id: format!("id.{number}"),
        epd: "4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;".to_owned(),
        fen: "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".to_owned(),
        goal: "e4".to_owned(),
        max_points: None,
        attempts: times
            .iter()
            .map(|times| Some(attempt(&times[number])))
            .collect(),
    };
    let positions = times.first().map_or(0, |times| times.len());
    let engine = |name: char| EngineReport {
        name: name.to_string(),
        ..EngineReport::default()
    };
    SuiteReport {
        format: FORMAT,
        program: "test".to_owned(),
        search: SearchArgs {
            limits: LimitArgs::default().or_movetime(10_000),
            stop_when_solved: None,
            resources: ResourceArgs {
                threads: 1,
                hash: 1,
            },
        },
        suite_size: positions,
        suite_checksum: String::new(),
        interrupted: false,
        engines: ('A'..).take(times.len()).map(engine).collect(),
        unread: Vec::new(),
        without_goal: 0,
        positions: (0..positions).map(position).collect(),
    }
}
