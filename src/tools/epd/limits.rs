//! What each search may use.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::search::limits::Limits;

/// What every engine may use for each position. The limits hold together.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, clap::Args)]
pub struct SearchArgs {
    /// Search for this many milliseconds; 1000 when there is no other limit
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub movetime: Option<u64>,
    /// Search this many nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Search to this depth in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// Search for a mate in this many moves
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..))]
    pub mate: Option<u32>,
    /// Stop a search when it has held the solution for this many iterations
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub stop_when_solved: Option<u32>,
    /// Threads of each engine
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: u32,
    /// Hash table of each engine in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=33_554_432))]
    pub hash: u32,
}

/// Searches without any limit get this time, in milliseconds.
const DEFAULT_MOVETIME: u64 = 1_000;

impl SearchArgs {
    /// With a time when nothing else ends a search.
    #[must_use]
    pub fn limited(mut self) -> SearchArgs {
        if self.nodes.is_none() && self.depth.is_none() && self.mate.is_none() {
            self.movetime = self.movetime.or(Some(DEFAULT_MOVETIME));
        }
        self
    }

    /// For the engine in this program.
    pub fn limits(&self) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            mate: self.mate,
            movetime: self.movetime.map(Duration::from_millis),
            ..Limits::default()
        }
    }

    /// For engines elsewhere: `go movetime 1000`.
    pub fn go(&self) -> String {
        format!("go{}", self.words())
    }

    /// For people and for files: `movetime 1000`, with threads and hash.
    pub fn describe(&self) -> String {
        let mut text = self.words();
        if let Some(iterations) = self.stop_when_solved {
            let plural = if iterations == 1 { "" } else { "s" };
            text.push_str(&format!(
                ", stopped when solved for {iterations} iteration{plural}"
            ));
        }
        format!(
            "{}, threads {}, hash {} MiB",
            text.trim_start(),
            self.threads,
            self.hash
        )
    }

    fn words(&self) -> String {
        let numbers = [
            ("movetime", self.movetime),
            ("nodes", self.nodes),
            ("depth", self.depth.map(u64::from)),
            ("mate", self.mate.map(u64::from)),
        ];
        let set = numbers
            .into_iter()
            .filter_map(|(name, number)| Some((name, number?)));
        set.map(|(name, number)| format!(" {name} {number}"))
            .collect()
    }
}
