//! The results of a run, from which every output is made. `--json` writes them, and `merge` reads
//! them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::args::SearchArgs;
use super::suite::{LinePlace, UnreadLine};
use crate::tools::kit::engines::info::UciScore;

/// The version of the JSON format.
pub const FORMAT: u32 = 3;

/// A moment in a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Moment {
    /// The time since the start of the search, in microseconds.
    pub time_us: u64,
    /// The depth in plies.
    pub depth: u32,
    /// The nodes so far.
    pub nodes: u64,
}

/// The result of one engine at one position.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Attempt {
    /// The final answer is the solution.
    pub solved: bool,
    /// The points for the move; `None` if the position has no points.
    pub points: Option<u32>,
    /// The move in UCI notation; `None` when the engine failed.
    pub uci: Option<String>,
    /// The move in SAN.
    pub san: Option<String>,
    /// The last score.
    pub score: Option<UciScore>,
    /// The last depth in plies.
    pub depth: u32,
    /// The nodes of the search.
    pub nodes: u64,
    /// The time of the search, in microseconds.
    pub time_us: u64,
    /// The time that the engine took before the search to prepare for a new game, for example by
    /// clearing its hash table, in microseconds.
    #[serde(default)]
    pub preparation_us: u64,
    /// The moment from which the solution was kept to the end. After a failure, the moment when the
    /// engine last found a solution that it dropped again.
    pub found: Option<Moment>,
    /// The last principal variation, in SAN.
    pub pv: Vec<String>,
    /// The reason why there is no answer, or another problem with the search.
    pub fault: Option<String>,
}

impl Attempt {
    /// Returns the moment from which the solution was kept.
    pub fn solution(&self) -> Option<Moment> {
        self.found.filter(|_| self.solved)
    }
}

/// A position and the results of all engines.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PositionReport {
    /// The number in the whole suite, from 1.
    pub number: usize,
    /// The file and line.
    #[serde(flatten)]
    pub place: LinePlace,
    /// The name.
    pub id: String,
    /// The line in canonical form.
    pub epd: String,
    /// The position.
    pub fen: String,
    /// A description of the goal.
    pub goal: String,
    /// The points for the best move; `None` if the position has no points.
    pub max_points: Option<u32>,
    /// The results of the engines, in order; `None` if an engine has not searched the position.
    pub attempts: Vec<Option<Attempt>>,
}

impl PositionReport {
    /// Returns whether all engines have searched the position.
    pub fn is_searched(&self) -> bool {
        self.attempts.iter().all(Option::is_some)
    }
}

/// An engine.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct EngineReport {
    /// Its name.
    pub name: String,
    /// The command that starts it; `None` for the engine in this program.
    pub command: Option<String>,
    /// The options that were set.
    pub options: Vec<String>,
    /// Its faults.
    pub faults: Vec<String>,
}

/// The results of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct SuiteReport {
    /// The version of this format.
    pub format: u32,
    /// The program that wrote it.
    pub program: String,
    /// The limits for each position.
    pub search: SearchArgs,
    /// The number of positions in the whole suite. A shard has only some of them.
    pub suite_size: usize,
    /// The checksum of all positions of the suite with their operations, in hexadecimal digits.
    pub suite_checksum: String,
    /// True if the run was interrupted.
    pub interrupted: bool,
    /// The engines.
    pub engines: Vec<EngineReport>,
    /// Lines that could not be read.
    pub unread: Vec<UnreadLine>,
    /// The number of lines that have nothing to solve.
    pub without_goal: usize,
    /// The positions.
    pub positions: Vec<PositionReport>,
}

impl SuiteReport {
    /// Collects the faults of the engines, in the order of the suite.
    pub fn collect_faults(&mut self) {
        for (number, engine) in self.engines.iter_mut().enumerate() {
            let faults = self.positions.iter().filter_map(|position| {
                let attempt = position.attempts.get(number)?.as_ref()?;
                Some(format!("{}: {}", position.id, attempt.fault.as_ref()?))
            });
            engine.faults = faults.collect();
        }
    }
}

/// Converts to whole microseconds.
pub fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}
