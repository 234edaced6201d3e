//! The command line of `quevedo epd`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::merge::MergeArgs;
use super::normalize::NormalizeArgs;
use crate::plural::count;
use crate::tools::exit;
use crate::tools::kit::args::{EngineArgs, LimitArgs, ResourceArgs, parse_seconds};
use crate::tools::kit::files::is_standard;
use crate::tools::kit::jobs::Shard;

/// The default time for each position, in milliseconds. It applies when no limit is given.
const DEFAULT_MOVETIME: u64 = 1_000;

/// Solve test suites with this engine or any other UCI engine, side by side
///
/// Reads EPD as found in the wild (bm, am, dm, "bm #4", points in c0 or c7 to c9) and puzzles in
/// PGN. Skips unreadable lines, and reports each with its file, line number and reason.
#[derive(Clone, Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, after_help = exit::help())]
pub struct EpdArgs {
    #[command(subcommand)]
    pub(super) command: Option<EpdCommand>,
    #[command(flatten)]
    pub(super) solve: SuiteArgs,
}

/// The subcommands of `epd`.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum EpdCommand {
    Merge(MergeArgs),
    Normalize(NormalizeArgs),
}

/// The arguments for solving suites.
#[derive(Clone, Debug, clap::Args)]
pub struct SuiteArgs {
    /// EPD or PGN files; - reads standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<String>,
    /// The engines to compare.
    #[command(flatten)]
    pub engines: EngineArgs,
    /// The limits of each search.
    #[command(flatten)]
    pub search: SearchArgs,
    /// Number of positions to solve in parallel [default: the processor's threads divided by
    /// --threads]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub jobs: Option<u32>,
    /// Treat an engine as hung after this many seconds [default: 5 s more than --movetime; 600 s
    /// without it, for the engine in this program only with --mate alone]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub timeout: Option<Duration>,
    /// Solve only every N-th position, starting with the I-th; `merge` combines the parts
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// Exit with code 1 if the first engine solves fewer positions than this number, or than this
    /// share (90%)
    #[arg(long, value_name = "N")]
    pub require: Option<Require>,
    /// The output files.
    #[command(flatten)]
    pub outputs: Outputs,
}

/// The limits of each search, and the condition for stopping it early.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, clap::Args)]
pub struct SearchArgs {
    /// Limits of time, nodes and depth.
    #[command(flatten)]
    #[serde(flatten)]
    pub limits: LimitArgs,
    /// Stop a search once it has kept the solution for this many iterations
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub stop_when_solved: Option<u32>,
    /// Threads and memory.
    #[command(flatten)]
    #[serde(flatten)]
    pub resources: ResourceArgs,
}

impl SearchArgs {
    /// Adds the default time if no limit is given.
    #[must_use]
    pub fn limited(mut self) -> SearchArgs {
        self.limits = self.limits.or_movetime(DEFAULT_MOVETIME);
        self
    }

    /// Describes the limits: `movetime 1000, threads 1, hash 16 MiB`.
    pub fn describe(&self) -> String {
        let mut text = self.limits.to_string();
        if let Some(iterations) = self.stop_when_solved {
            let iterations = count(iterations, "iteration");
            // Writing to a String cannot fail.
            let _ = write!(text, ", stopped when solved for {iterations}");
        }
        let ResourceArgs { threads, hash } = self.resources;
        format!("{text}, threads {threads}, hash {hash} MiB")
    }
}

/// The output files. One of them may be `-`, which is standard output.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Outputs {
    /// Do not print the positions that an engine fails
    #[arg(long)]
    pub quiet: bool,
    /// Write all results as JSON. This and the following files replace existing ones, and can be -
    /// for standard output, in place of the failures and the summary
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write a CSV table with one row per engine and position
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Write a JUnit report, for continuous integration
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write an HTML page with a diagram of each position, which can be sorted and filtered
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write EPD with the results of the first engine added to each position: acd, acn, acs, ce
    /// (mates count down from 32767), pv
    #[arg(long, value_name = "FILE")]
    pub annotate: Option<PathBuf>,
}

impl Outputs {
    /// Returns whether failures are printed.
    pub fn print_failures(&self) -> bool {
        !self.quiet && !self.files().any(is_standard)
    }

    /// Returns the files to write.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let files = [
            &self.json,
            &self.csv,
            &self.junit,
            &self.html,
            &self.annotate,
        ];
        files.into_iter().filter_map(Option::as_deref)
    }
}

/// The number of positions that the first engine must solve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Require {
    /// At least this many positions.
    Count(usize),
    /// At least this percentage of the positions.
    Percent(f64),
}

impl Require {
    /// Returns whether enough positions are solved.
    pub fn is_met(self, solved: usize, positions: usize) -> bool {
        match self {
            Require::Count(count) => solved >= count,
            Require::Percent(percent) => 100.0 * solved as f64 >= percent * positions as f64,
        }
    }
}

impl FromStr for Require {
    type Err = String;

    fn from_str(text: &str) -> Result<Require, String> {
        let share = text
            .strip_suffix('%')
            .map(|number| number.trim().parse::<f64>());
        match share {
            None => text.parse().ok().map(Require::Count),
            Some(share) => share
                .ok()
                .filter(|share| (0.0..=100.0).contains(share))
                .map(Require::Percent),
        }
        .ok_or_else(|| "expected a number of positions, or a share such as 90%".to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requirements_are_counts_or_shares() {
        let require = |text: &str| text.parse::<Require>().unwrap();
        assert!(require("3").is_met(3, 10) && !require("4").is_met(3, 10));
        assert!(require("30%").is_met(3, 10) && !require("30.1%").is_met(3, 10));
        assert!("x".parse::<Require>().is_err() && "120%".parse::<Require>().is_err());
    }
}
