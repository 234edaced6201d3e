//! The command line of `quevedo epd`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::{ArgMatches, Command, FromArgMatches};

use super::harvest::HarvestArgs;
use super::limits::SearchArgs;
use super::merge::MergeArgs;
use super::normalize::NormalizeArgs;
use super::solver::{BUILTIN, EngineSpec};

/// What the help says at its end.
const EXIT_CODES: &str = "\
Exit codes: 0 when all is done, 1 when fewer positions were solved than --require asks for, 2 when arguments or files are
of no use, 130 when broken off by a signal (the summary of what was done still comes).";

/// Solve test suites with this engine or any other UCI engine, side by side
///
/// Reads EPD as it exists in the wild (bm, am, dm, "bm #4", points in c0 or c7 to c9), and puzzles in PGN. Lines that
/// cannot be understood are reported with file, line and reason, and left out.
#[derive(Clone, Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true, after_help = EXIT_CODES)]
pub struct Args {
    #[command(subcommand)]
    pub(super) command: Option<EpdCommand>,
    #[command(flatten)]
    pub(super) solve: SolveArgs,
}

/// What else there is to do with suites.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum EpdCommand {
    /// Put together what runs with --shard wrote with --json
    Merge(MergeArgs),
    /// Write suites in canonical EPD to standard output
    Normalize(NormalizeArgs),
    /// Make a suite of positions from recorded games in which a shallow search and a deep one disagree
    Harvest(HarvestArgs),
}

/// What to solve, with what, and what to do with the results.
#[derive(Clone, Debug, clap::Args)]
pub struct SolveArgs {
    /// Files; - is standard input
    #[arg(value_name = "FILE")]
    pub files: Vec<String>,
    /// Which engines solve it.
    #[command(flatten)]
    pub engines: EngineArgs,
    /// What each search may use.
    #[command(flatten)]
    pub search: SearchArgs,
    /// Positions to solve at once; the processor's threads divided by --threads if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub jobs: Option<u32>,
    /// Take an engine for hung after so many seconds [default: 5 s more than --movetime; 600 s without it]
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub timeout: Option<std::time::Duration>,
    /// Solve every n-th position only, beginning with the i-th; `merge` puts the parts together
    #[arg(long, value_name = "I/N")]
    pub shard: Option<Shard>,
    /// End with exit code 1 when the first engine solves fewer positions, or a smaller share (90%)
    #[arg(long, value_name = "N")]
    pub require: Option<Require>,
    /// Where results go.
    #[command(flatten)]
    pub outputs: Outputs,
}

/// Where results go besides the terminal.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Outputs {
    /// Say nothing about single positions
    #[arg(long)]
    pub quiet: bool,
    /// Write everything as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write a table, a row for each engine and position
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Write a JUnit report, for continuous integration
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write a page with a diagram of each position, to sort and filter
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write the positions with what the first engine found: acd, acn, acs, ce, dm, pv
    #[arg(long, value_name = "FILE")]
    pub annotate: Option<PathBuf>,
}

impl Outputs {
    /// The files that were asked for.
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

/// A part of a suite.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    part: usize,
    parts: usize,
}

impl Shard {
    /// Whether the position with this number, from 1, belongs to the part.
    pub fn contains(self, number: usize) -> bool {
        number % self.parts == self.part % self.parts
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let numbers = text
            .split_once('/')
            .and_then(|(part, parts)| Some((part.parse().ok()?, parts.parse().ok()?)));
        numbers
            .filter(|&(part, parts): &(usize, usize)| 1 <= part && part <= parts)
            .map(|(part, parts)| Shard { part, parts })
            .ok_or_else(|| "two numbers expected, as in 1/4".to_owned())
    }
}

/// How much has to be solved.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Require {
    /// So many positions.
    Count(usize),
    /// So many per cent of them.
    Percent(f64),
}

impl Require {
    /// Whether it is enough.
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
        .ok_or_else(|| "a number of positions, or a share as in 90%, expected".to_owned())
    }
}

fn parse_seconds(text: &str) -> Result<std::time::Duration, String> {
    let seconds = text.parse::<f64>().ok();
    seconds
        // So much can be added to any time of day.
        .filter(|seconds| *seconds > 0.0 && *seconds <= 1e6)
        .and_then(|seconds| std::time::Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "a number of seconds expected, a million at most".to_owned())
}

/// The engines, in their order, each with the options that follow it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineArgs(pub Vec<EngineSpec>);

impl FromArgMatches for EngineArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EngineArgs, clap::Error> {
        let values = |name: &str| -> Vec<(usize, String)> {
            let indices = matches.indices_of(name).into_iter().flatten();
            let texts = matches.get_many::<String>(name).into_iter().flatten();
            indices.zip(texts.cloned()).collect()
        };
        let mut words: Vec<(usize, bool, String)> = Vec::new();
        words.extend(
            values("engine")
                .into_iter()
                .map(|(at, text)| (at, true, text)),
        );
        words.extend(
            values("option")
                .into_iter()
                .map(|(at, text)| (at, false, text)),
        );
        words.sort();
        let mut common = Vec::new();
        let mut engines: Vec<EngineSpec> = Vec::new();
        for (_, is_engine, text) in words {
            if is_engine {
                let command = parse_command(&text).map_err(usage)?;
                engines.push(EngineSpec {
                    command,
                    options: common.clone(),
                });
                continue;
            }
            let option = parse_option(&text).map_err(usage)?;
            match engines.last_mut() {
                Some(engine) => engine.options.push(option),
                None => common.push(option),
            }
        }
        if engines.is_empty() {
            engines.push(EngineSpec {
                command: None,
                options: common,
            });
        }
        Ok(EngineArgs(engines))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = EngineArgs::from_arg_matches(matches)?;
        Ok(())
    }
}

impl clap::Args for EngineArgs {
    fn augment_args(command: Command) -> Command {
        let engine = clap::Arg::new("engine")
            .long("engine")
            .value_name("COMMAND")
            .action(clap::ArgAction::Append)
            .help("Solve with this UCI engine, a command and its arguments; builtin is this one. May be repeated");
        let option = clap::Arg::new("option")
            .long("option")
            .value_name("NAME=VALUE")
            .action(clap::ArgAction::Append)
            .help("Set an option of the engine before it, or of all engines when it comes before them");
        command.arg(engine).arg(option)
    }

    fn augment_args_for_update(command: Command) -> Command {
        EngineArgs::augment_args(command)
    }
}

fn usage(message: impl fmt::Display) -> clap::Error {
    clap::Error::raw(
        clap::error::ErrorKind::ValueValidation,
        format!("{message}\n"),
    )
}

/// A command and its arguments, quoted as in a POSIX shell. A path with blanks needs no quotes when it is there.
fn parse_command(text: &str) -> Result<Option<Vec<String>>, String> {
    if text.trim() == BUILTIN {
        return Ok(None);
    }
    if Path::new(text).is_file() {
        return Ok(Some(vec![text.to_owned()]));
    }
    // A backslash is part of a path there, and not a quote.
    let quoted = if cfg!(windows) {
        text.replace('\\', "\\\\")
    } else {
        text.to_owned()
    };
    let words = shlex::split(&quoted).filter(|words| !words.is_empty());
    words
        .map(Some)
        .ok_or_else(|| format!("--engine {text:?}: a command expected"))
}

/// An option and its value.
pub(super) fn parse_option(text: &str) -> Result<(String, String), String> {
    let pair = text
        .split_once('=')
        .map(|(name, value)| (name.trim(), value.trim()));
    pair.filter(|(name, value)| !name.is_empty() && !name.contains('\n') && !value.contains('\n'))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .ok_or_else(|| format!("--option {text:?}: NAME=VALUE expected"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn engines(arguments: &str) -> Result<Vec<EngineSpec>, clap::Error> {
        let command =
            <EngineArgs as clap::Args>::augment_args(Command::new("test").no_binary_name(true));
        let matches =
            command.try_get_matches_from(arguments.split('|').filter(|word| !word.is_empty()))?;
        EngineArgs::from_arg_matches(&matches).map(|engines| engines.0)
    }

    #[test]
    fn options_belong_to_the_engine_before_them() {
        let parsed =
            engines("--option|A=1|--engine|x 'y z'|--option|B=2=3|--engine|builtin").unwrap();
        let option = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(
            parsed,
            [
                EngineSpec {
                    command: Some(vec!["x".to_owned(), "y z".to_owned()]),
                    options: vec![option("A", "1"), option("B", "2=3")],
                },
                EngineSpec {
                    command: None,
                    options: vec![option("A", "1")],
                }
            ]
        );
        assert_eq!(engines("").unwrap(), [EngineSpec::default()]);
        for bad in ["--engine|'", "--engine|", "--option|x", "--option|=3"] {
            assert!(engines(&format!("{bad}|")).is_err(), "{bad}");
        }
    }

    #[test]
    fn shards_share_a_suite() {
        let shards: Vec<Shard> = ["1/3", "2/3", "3/3"]
            .map(|text| text.parse().unwrap())
            .to_vec();
        for number in 1..10 {
            assert_eq!(
                shards.iter().filter(|shard| shard.contains(number)).count(),
                1
            );
        }
        for bad in ["0/3", "4/3", "1", "a/b", "1/0"] {
            assert!(bad.parse::<Shard>().is_err(), "{bad}");
        }
    }

    #[test]
    fn a_time_that_can_be_waited_for() {
        assert!(parse_seconds("0.5").is_ok() && parse_seconds("1e6").is_ok());
        for bad in ["0", "-1", "1e19", "inf", "NaN", "x"] {
            assert!(parse_seconds(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn what_is_required() {
        let require = |text: &str| text.parse::<Require>().unwrap();
        assert!(require("3").is_met(3, 10) && !require("4").is_met(3, 10));
        assert!(require("30%").is_met(3, 10) && !require("30.1%").is_met(3, 10));
        assert!("x".parse::<Require>().is_err() && "120%".parse::<Require>().is_err());
    }
}
