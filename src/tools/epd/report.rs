//! What a run found: the data that every form of output is made from, and that `--json` writes and `merge` reads.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::limits::SearchArgs;
use super::suite::{Place, Unread};

/// The version of the JSON format.
pub const FORMAT: u32 = 1;

/// A score as an engine announces it, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// Centipawns.
    Cp(i32),
    /// Mate in so many moves; negative for the side to move being mated.
    Mate(i32),
}

impl Score {
    /// The distance to mate in moves.
    pub fn mate(self) -> Option<i32> {
        match self {
            Score::Mate(moves) => Some(moves),
            Score::Cp(_) => None,
        }
    }
}

/// In pawns, or `#` and moves to mate.
impl std::fmt::Display for Score {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Score::Cp(centipawns) => write!(f, "{:+.2}", f64::from(*centipawns) / 100.0),
            Score::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

/// How far a search was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Moment {
    /// Since its beginning, in milliseconds.
    pub time_ms: u64,
    /// In plies.
    pub depth: u32,
    /// Nodes.
    pub nodes: u64,
}

/// One engine at one position.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Attempt {
    /// Whether the final answer is the solution.
    pub solved: bool,
    /// What the move is worth, where moves are worth something.
    pub points: Option<u32>,
    /// The move, in UCI's notation; none when the engine failed.
    pub uci: Option<String>,
    /// The move in SAN.
    pub san: Option<String>,
    /// The last score.
    pub score: Option<Score>,
    /// The last depth in plies.
    pub depth: u32,
    /// Nodes in all.
    pub nodes: u64,
    /// Time in all, in milliseconds.
    pub time_ms: u64,
    /// From when on the solution was held to the end; for a failure, when a solution that was dropped again had been
    /// found last.
    pub found: Option<Moment>,
    /// The last principal variation, in SAN.
    pub pv: Vec<String>,
    /// How the engine failed to give an answer, or what was wrong with the way it did.
    pub fault: Option<String>,
}

impl Attempt {
    /// From when on the solution was held, if there is one.
    pub fn solution(&self) -> Option<Moment> {
        self.found.filter(|_| self.solved)
    }
}

/// A position and what all engines made of it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PositionReport {
    /// Its number in the whole suite, from 1.
    pub number: usize,
    /// Where it stands.
    #[serde(flatten)]
    pub place: Place,
    /// What it is called.
    pub id: String,
    /// The line in canonical form.
    pub epd: String,
    /// The position.
    pub fen: String,
    /// What it asks for, for people.
    pub goal: String,
    /// What the best move is worth, where moves are worth something.
    pub max_points: Option<u32>,
    /// What the engines made of it, in their order; none where one did not come to it.
    pub attempts: Vec<Option<Attempt>>,
}

/// An engine.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct EngineReport {
    /// What it calls itself.
    pub name: String,
    /// The command that it is started by; none for the engine in this program.
    pub command: Option<String>,
    /// The options that were set.
    pub options: Vec<String>,
    /// What it did wrong.
    pub faults: Vec<String>,
}

/// A whole run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// The version of this format.
    pub format: u32,
    /// The program that wrote it.
    pub program: String,
    /// What every engine was given for each position.
    pub search: SearchArgs,
    /// Positions in the whole suite, of which a shard has a part.
    pub suite_size: usize,
    /// Whether it was broken off.
    pub interrupted: bool,
    /// The engines.
    pub engines: Vec<EngineReport>,
    /// Lines that could not be understood.
    pub unread: Vec<Unread>,
    /// Lines without anything to solve.
    pub without_goal: usize,
    /// The positions.
    pub positions: Vec<PositionReport>,
}

impl Report {
    /// Gathers what the engines did wrong, in the order of the suite.
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

/// Whole milliseconds.
pub fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
