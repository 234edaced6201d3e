//! Clap arguments that several tools share: limits, engines and their options.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{ArgMatches, Command, FromArgMatches};
use serde::{Deserialize, Serialize};

use super::ToolError;
use crate::engine::Limits;
use crate::position::Position;
use crate::position::notation::{INITIAL_FEN, parse_fen};

/// The name of the engine in this program after `--engine`.
const BUILTIN: &str = "builtin";

/// The limits of each search. The first one that is reached ends it.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize, clap::Args)]
pub struct LimitArgs {
    /// Search each position for this many milliseconds
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub movetime: Option<u64>,
    /// Search this many nodes for each position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// Search each position to this depth, in plies
    #[arg(long, value_name = "PLIES", value_parser = clap::value_parser!(u32).range(1..))]
    pub depth: Option<u32>,
    /// Search for a mate in this many moves
    #[arg(long, value_name = "MOVES", value_parser = clap::value_parser!(u32).range(1..))]
    pub mate: Option<u32>,
}

impl LimitArgs {
    /// Adds a time in milliseconds when there is no limit.
    #[must_use]
    pub fn or_movetime(mut self, milliseconds: u64) -> LimitArgs {
        if self == LimitArgs::default() {
            self.movetime = Some(milliseconds);
        }
        self
    }

    /// Returns the limits for the engine in this program.
    pub fn limits(&self) -> Limits {
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            mate: self.mate,
            movetime: self.movetime.map(Duration::from_millis),
            ..Limits::default()
        }
    }
}

/// The limits as in a UCI `go` command: `movetime 1000`.
impl fmt::Display for LimitArgs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = [
            ("movetime", self.movetime),
            ("nodes", self.nodes),
            ("depth", self.depth.map(u64::from)),
            ("mate", self.mate.map(u64::from)),
        ];
        let mut separator = "";
        for (name, number) in numbers {
            if let Some(number) = number {
                write!(f, "{separator}{name} {number}")?;
                separator = " ";
            }
        }
        Ok(())
    }
}

/// The resources of each engine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, clap::Args)]
pub struct ResourceArgs {
    /// Threads of each engine
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: u32,
    /// Hash table of each engine in MiB
    #[arg(long, value_name = "MIB", default_value_t = 16, value_parser = clap::value_parser!(u32).range(1..=33_554_432))]
    pub hash: u32,
}

/// Parses the path of an output that has to be a file or a folder: `-` stands for standard output
/// elsewhere, so it is not the name of one.
pub fn file_path() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| match path.as_os_str() == "-" {
        true => Err("standard output is not possible here: give a name"),
        false => Ok(path),
    })
}

/// The network to evaluate with.
#[derive(Clone, PartialEq, Eq, Debug, Default, clap::Args)]
pub struct EvalFileArg {
    /// Network file to evaluate with instead of the embedded network; `hand-written` for none
    #[arg(
        long,
        value_name = "FILE",
        default_value = "",
        hide_default_value = true
    )]
    pub eval_file: String,
}

/// An engine and its options, as given on the command line.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EngineSpec {
    /// The command and its arguments; `None` for the engine in this program.
    pub command: Option<Vec<String>>,
    /// Options and their values.
    pub options: Vec<(String, String)>,
}

/// The command as a line.
impl fmt::Display for EngineSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.command {
            None => f.write_str(BUILTIN),
            Some(words) => f.write_str(&words.join(" ")),
        }
    }
}

/// The engines in their order, each with the options that follow it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EngineArgs(pub Vec<EngineSpec>);

impl FromArgMatches for EngineArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<EngineArgs, clap::Error> {
        let values = |name: &str, is_engine: bool| -> Vec<(usize, bool, String)> {
            let indices = matches.indices_of(name).into_iter().flatten();
            let texts = matches.get_many::<String>(name).into_iter().flatten();
            let pairs = indices.zip(texts);
            pairs
                .map(|(at, text)| (at, is_engine, text.clone()))
                .collect()
        };
        let mut arguments = values("engine", true);
        arguments.extend(values("option", false));
        arguments.sort();
        let mut common = Vec::new();
        let mut engines: Vec<EngineSpec> = Vec::new();
        for (_, is_engine, text) in arguments {
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
            .help("Use this UCI engine, a command with its arguments; builtin is this one. May be repeated where several engines are compared");
        let option = clap::Arg::new("option")
            .long("option")
            .value_name("NAME=VALUE")
            .action(clap::ArgAction::Append)
            .help("Set an option of the preceding engine, or of all engines when it precedes them");
        command.arg(engine).arg(option)
    }

    fn augment_args_for_update(command: Command) -> Command {
        EngineArgs::augment_args(command)
    }
}

fn usage(message: impl fmt::Display) -> clap::Error {
    clap::Error::raw(clap::error::ErrorKind::ValueValidation, message)
}

/// Parses a command and its arguments, quoted as in a POSIX shell. The path of an existing file
/// needs no quotes.
fn parse_command(text: &str) -> Result<Option<Vec<String>>, String> {
    if text.trim() == BUILTIN {
        return Ok(None);
    }
    if Path::new(text).is_file() {
        return Ok(Some(vec![text.to_owned()]));
    }
    // On Windows a backslash is part of a path, not a quote.
    let quoted = if cfg!(windows) {
        text.replace('\\', "\\\\")
    } else {
        text.to_owned()
    };
    let words = shlex::split(&quoted).filter(|words| !words.is_empty());
    words
        .map(Some)
        .ok_or_else(|| format!("--engine {text:?}: expected a command"))
}

/// Parses an option and its value.
///
/// # Errors
/// Fails when the text is not `NAME=VALUE`.
pub fn parse_option(text: &str) -> Result<(String, String), String> {
    let pair = text
        .split_once('=')
        .map(|(name, value)| (name.trim(), value.trim()));
    pair.filter(|(name, value)| !name.is_empty() && !name.contains('\n') && !value.contains('\n'))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .ok_or_else(|| format!("--option {text:?}: expected NAME=VALUE"))
}

/// Returns the position of `--fen`, or the initial one, whose castling moves `chess960` has written
/// king takes rook.
///
/// # Errors
/// Fails when the FEN is invalid.
pub fn start_position(fen: Option<&str>, chess960: bool) -> Result<Position, ToolError> {
    let fen = fen.unwrap_or(INITIAL_FEN);
    match parse_fen(fen, chess960) {
        Ok(parsed) => Ok(parsed.position),
        Err(source) => Err(ToolError::Fen {
            fen: fen.to_owned(),
            source,
        }),
    }
}

/// Parses a time in seconds.
///
/// # Errors
/// Fails when the text is not a number above 0 and at most a million.
pub fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse::<f64>().ok();
    seconds
        // A larger number may not fit when it is added to the time of day.
        .filter(|seconds| *seconds > 0.0 && *seconds <= 1e6)
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| "expected a number of seconds, at most a million".to_owned())
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
    fn options_belong_to_the_preceding_engine() {
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
    fn times_are_positive_and_bounded() {
        assert!(parse_seconds("0.5").is_ok() && parse_seconds("1e6").is_ok());
        for bad in ["0", "-1", "1e19", "inf", "NaN", "x"] {
            assert!(parse_seconds(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn limits_read_like_a_go_command() {
        let limits = LimitArgs::default().or_movetime(500);
        assert_eq!(limits.to_string(), "movetime 500");
        let limits = LimitArgs {
            nodes: Some(7),
            mate: Some(2),
            ..LimitArgs::default()
        };
        assert_eq!(limits.or_movetime(500).to_string(), "nodes 7 mate 2");
    }
}
