//! Quevedo at the command line.

#![deny(clippy::indexing_slicing)]

use std::error::Error;
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::thread;

use clap::{Parser, Subcommand};

use quevedo::engine::Searcher;
use quevedo::engine::options::DEFAULT_HASH;
use quevedo::search::STACK_BYTES;
use quevedo::tools::{analyse, bench, book, datagen, epd, eval, fit, lab, perft, train};
use quevedo::uci::command::{Command as UciCommand, CommandError};
use quevedo::{processor, uci};

/// Exit code for invalid arguments.
const BAD_USAGE: u8 = 2;

/// A UCI chess engine. Without a sub-command it speaks UCI on standard input and output, as chess GUIs expect.
///
/// Arguments that begin with no sub-command are run as UCI lines, each search to its end:
/// quevedo "position startpos moves e2e4" "go depth 10"
#[derive(Debug, Parser)]
#[command(name = "quevedo", version)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Speak UCI on standard input and output
    Uci,
    /// Search a fixed set of positions: the number of nodes is the signature of the search
    Bench(bench::Args),
    /// Count move paths
    Perft(perft::Args),
    /// Explain the static evaluation of a position
    Eval(eval::EvalArgs),
    /// Annotate games with evaluations, better lines, and marks for mistakes
    Analyse(Box<analyse::AnalyseArgs>),
    /// Solve test suites, with this engine or any other
    Epd(Box<epd::Args>),
    /// Generate self-play games for training, and manage their files
    Datagen(Box<datagen::Args>),
    /// Build, inspect and merge opening books in the Polyglot format
    Book(Box<book::Args>),
    /// Train the evaluation network on games
    Train(Box<train::TrainArgs>),
    /// Compare the classical game-tree algorithms, on small games and on chess
    Lab(Box<lab::Args>),
    /// Fit numbers of the program to the results of games
    Fit(fit::Args),
    /// Print the table of UCI options as Markdown
    #[command(hide = true)]
    Options,
    /// Print the search parameters as OpenBench's SPSA tuner reads them
    #[cfg(feature = "tuning")]
    Spsa,
    #[command(external_subcommand)]
    Lines(Vec<String>),
}

fn main() -> ExitCode {
    // This comes first, because everything else may use the missing instructions.
    let missing = processor::missing_features();
    if !missing.is_empty() {
        complain(&format!(
            "this build of Quevedo needs an x86-64-v2 processor (2009 or later); this one lacks {}",
            missing.join(", ")
        ));
        return ExitCode::FAILURE;
    }
    // Searches run on this thread, and the stack of the initial thread can be as small as a megabyte.
    let main = thread::Builder::new()
        .name("main".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(run);
    main.map_err(Failure::from)
        .and_then(|main| main.join().map_err(|_| "internal error".into()))
        .unwrap_or_else(|error| {
            complain(&error.to_string());
            ExitCode::FAILURE
        })
}

fn run() -> ExitCode {
    let result = match Arguments::parse().command.unwrap_or(Command::Uci) {
        Command::Uci => speak_uci(),
        Command::Lines(arguments) => run_lines(&arguments),
        Command::Bench(args) => finish(bench::run(args, &mut io::stdout())),
        Command::Perft(args) => finish(perft::run(&args, &mut io::stdout())),
        Command::Eval(args) => finish(eval::run(&args)),
        Command::Analyse(args) => finish(analyse::run(&args)),
        Command::Epd(args) => solve_suites(*args),
        Command::Datagen(args) => finish(datagen::run(&args)),
        Command::Book(args) => finish(book::run(&args)),
        Command::Train(args) => finish(train::run(&args)),
        Command::Lab(args) => run_lab(&args),
        Command::Fit(args) => finish(fit::run(&args, &mut io::stdout())),
        Command::Options => finish(io::stdout().write_all(uci::options::readme_table().as_bytes())),
        #[cfg(feature = "tuning")]
        Command::Spsa => {
            let text = quevedo::search::params::tuning::spsa();
            finish(io::stdout().write_all(text.as_bytes()))
        }
    };
    result.unwrap_or_else(|error| {
        complain(&error.to_string());
        ExitCode::FAILURE
    })
}

type Failure = Box<dyn Error>;

/// Runs `epd`, whose exit code 1 means that too little was solved; errors have another code.
fn solve_suites(args: epd::Args) -> Result<ExitCode, Failure> {
    match epd::run(args, &mut io::stdout()) {
        Ok(code) => Ok(ExitCode::from(code)),
        Err(error) if is_closed_pipe(&error) => Ok(ExitCode::SUCCESS),
        Err(error) => {
            complain(&error.to_string());
            Ok(ExitCode::from(BAD_USAGE))
        }
    }
}

/// Returns the exit code of a tool. A closed output is not an error.
fn finish<T, E: Error + 'static>(result: Result<T, E>) -> Result<ExitCode, Failure> {
    match result {
        Ok(_) => Ok(ExitCode::SUCCESS),
        Err(error) if is_closed_pipe(&error) => Ok(ExitCode::SUCCESS),
        Err(error) => Err(error.into()),
    }
}

fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    let io_error = error.downcast_ref::<io::Error>();
    io_error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
        || error.source().is_some_and(is_closed_pipe)
}

fn speak_uci() -> Result<ExitCode, Failure> {
    let searcher = Searcher::new(DEFAULT_HASH)?;
    if io::stdin().is_terminal() {
        writeln!(io::stdout(), "{}", uci::greeting())?;
    }
    uci::run(searcher, io::stdin(), Box::new(io::stdout()))?;
    Ok(ExitCode::SUCCESS)
}

fn run_lines(arguments: &[String]) -> Result<ExitCode, Failure> {
    let searcher = Searcher::new(DEFAULT_HASH)?;
    let lines = lines(arguments);
    let lines = lines.iter().map(String::as_str);
    if uci::run_lines(searcher, lines, Box::new(io::stdout())) {
        Ok(ExitCode::SUCCESS)
    } else {
        Ok(ExitCode::from(BAD_USAGE))
    }
}

fn run_lab(args: &lab::Args) -> Result<ExitCode, Failure> {
    match lab::run(args, &mut io::stdin().lock(), &mut io::stdout().lock()) {
        Ok(lab::Verdict::Disagreement) => Ok(ExitCode::FAILURE),
        Err(error) if error.is_bad_usage() => {
            complain(&error.to_string());
            Ok(ExitCode::from(BAD_USAGE))
        }
        result => finish(result),
    }
}

/// Returns the arguments as UCI lines: one line each, or a single line typed without quotes (`quevedo go depth 5`).
fn lines(arguments: &[String]) -> Vec<String> {
    let is_word = |argument: &String| !argument.contains(char::is_whitespace);
    let is_command = |argument: &String| {
        !matches!(
            argument.parse::<UciCommand>(),
            Err(CommandError::Unknown(_))
        )
    };
    if arguments.iter().all(is_word) && !arguments.iter().all(is_command) {
        vec![arguments.join(" ")]
    } else {
        arguments.to_vec()
    }
}

/// Writes to standard error, which may be closed.
fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "quevedo: {text}");
}
