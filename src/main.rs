//! Quevedo at the command line.

#![deny(clippy::indexing_slicing)]

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use std::thread::{self, JoinHandle};

use clap::error::ContextKind;
use clap::{CommandFactory as _, Parser, Subcommand};

use quevedo::engine::Searcher;
use quevedo::engine::options::DEFAULT_HASH;
use quevedo::search::STACK_BYTES;
use quevedo::tools::kit::interrupt;
use quevedo::tools::{
    Exit, Tool as _, ToolFailure, analyse, bench, book, datagen, epd, eval, exit, fit,
    is_closed_pipe, lab, perft, shell, train, version,
};
use quevedo::uci::command::{Command as UciCommand, CommandError};
use quevedo::{processor, uci};

/// A UCI chess engine. Without a sub-command it speaks UCI on standard input and output, as chess
/// GUIs expect.
///
/// If the first argument is no sub-command, each argument is run as a UCI line. A search runs to
/// its limits, and one that has none (go infinite) is stopped at once: quevedo "position startpos
/// moves e2e4" "go depth 10"
#[derive(Debug, Parser)]
#[command(name = "quevedo", version, long_version = version::long(), after_help = exit::help())]
struct Arguments {
    #[command(subcommand)]
    command: Option<SubCommand>,
}

// Comments here take the place of those of the arguments, which are longer for some.
#[derive(Debug, Subcommand)]
enum SubCommand {
    /// Speak UCI on standard input and output
    Uci,
    /// Search a fixed set of positions: the number of nodes is the signature of the search
    Bench(bench::BenchArgs),
    /// Count move paths
    Perft(perft::PerftArgs),
    /// Explain the static evaluation of a position
    Eval(eval::EvalArgs),
    #[command(alias = "analyze")]
    Analyse(Box<analyse::AnalyseArgs>),
    Epd(Box<epd::EpdArgs>),
    Datagen(Box<datagen::DatagenArgs>),
    /// Build, inspect and merge opening books in the Polyglot format
    Book(Box<book::BookArgs>),
    /// Train the evaluation network on games
    Train(Box<train::TrainArgs>),
    /// Compare the classical game-tree algorithms, on small games and on chess
    Lab(Box<lab::Args>),
    /// Fit numbers of the program to the results of games
    Fit(fit::FitArgs),
    /// Print a completion script for a shell
    Completions(shell::CompletionsArgs),
    /// Write the manual pages
    Man(shell::ManArgs),
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
        return Exit::Failed.into();
    }
    // Searches run on this thread, and the stack of the initial thread can be as small as a
    // megabyte.
    let main = thread::Builder::new()
        .name("main".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(run);
    let exit = match main.map(JoinHandle::join) {
        Ok(Ok(exit)) => exit,
        Ok(Err(_)) => {
            complain("internal error");
            Exit::Failed
        }
        Err(error) => {
            complain(&error.to_string());
            Exit::Failed
        }
    };
    exit.into()
}

fn run() -> Exit {
    let out = &mut io::stdout();
    let arguments: Arguments = match lab::parse_arguments() {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    let command = arguments.command.unwrap_or(SubCommand::Uci);
    execute(command, out).unwrap_or_else(|error| {
        if is_closed_pipe(&*error) {
            return Exit::Done;
        }
        complain(&error.to_string());
        error.exit()
    })
}

fn execute(command: SubCommand, out: &mut dyn Write) -> Result<Exit, Box<dyn ToolFailure>> {
    // GUIs expect of an engine what the system does by default.
    if !matches!(command, SubCommand::Uci) {
        interrupt::exit_on_signal()?;
    }
    match command {
        SubCommand::Uci => speak_uci(),
        SubCommand::Lines(arguments) => run_lines(&arguments),
        SubCommand::Bench(args) => args.run(out),
        SubCommand::Perft(args) => args.run(out),
        SubCommand::Eval(args) => args.run(out),
        SubCommand::Analyse(args) => args.run(out),
        SubCommand::Epd(args) => args.run(out),
        SubCommand::Datagen(args) => args.run(out),
        SubCommand::Book(args) => args.run(out),
        SubCommand::Train(args) => args.run(out),
        SubCommand::Lab(args) => args.run(out),
        SubCommand::Fit(args) => args.run(out),
        SubCommand::Completions(args) => {
            shell::completions(args, visible(&Arguments::command()), out)
                .map(|()| Exit::Done)
                .map_err(Box::from)
        }
        SubCommand::Man(args) => shell::man(&args, Arguments::command())
            .map(|()| Exit::Done)
            .map_err(Box::from),
        SubCommand::Options => print(&uci::options::readme_table()),
        #[cfg(feature = "tuning")]
        SubCommand::Spsa => print(&quevedo::search::params::tuning::spsa()),
    }
}

fn print(text: &str) -> Result<Exit, Box<dyn ToolFailure>> {
    io::stdout().write_all(text.as_bytes())?;
    Ok(Exit::Done)
}

fn speak_uci() -> Result<Exit, Box<dyn ToolFailure>> {
    let searcher = Searcher::new(DEFAULT_HASH)?;
    if io::stdin().is_terminal() {
        writeln!(io::stdout(), "{}", uci::greeting())?;
    }
    uci::run(searcher, io::stdin(), Box::new(io::stdout()))?;
    Ok(Exit::Done)
}

fn run_lines(arguments: &[String]) -> Result<Exit, Box<dyn ToolFailure>> {
    if let Some(error) = mistyped_command(arguments) {
        let _ = error.print();
        return Ok(Exit::Unusable);
    }
    let searcher = Searcher::new(DEFAULT_HASH)?;
    let lines = lines(arguments);
    let lines = lines.iter().map(String::as_str);
    let is_clean = uci::run_lines(searcher, lines, Box::new(io::stdout()))?;
    Ok(if is_clean { Exit::Done } else { Exit::Unusable })
}

/// Returns the message on a first argument that is no line of UCI, but like the name of a command.
fn mistyped_command(arguments: &[String]) -> Option<clap::Error> {
    let first = arguments.first()?;
    if !is_word(first) || is_uci_command(first) || first.starts_with('-') {
        return None;
    }
    // Without lines of UCI, which may be any words.
    let commands = visible(&Arguments::command());
    let error = commands.try_get_matches_from(["quevedo", first]).err();
    error.filter(|error| error.get(ContextKind::SuggestedSubcommand).is_some())
}

/// Returns the commands that `help` lists.
fn visible(all: &clap::Command) -> clap::Command {
    let commands = all.get_subcommands().filter(|one| !one.is_hide_set());
    clap::Command::new("quevedo")
        .version(env!("CARGO_PKG_VERSION"))
        .subcommands(commands.cloned())
}

fn is_word(argument: &str) -> bool {
    !argument.contains(char::is_whitespace)
}

fn is_uci_command(argument: &str) -> bool {
    !matches!(
        argument.parse::<UciCommand>(),
        Err(CommandError::Unknown(_))
    )
}

/// Returns the arguments as UCI lines: one line each, or a single line typed without quotes
/// (`quevedo go depth 5`). Words after `go` are its own, even if they are commands, too (`perft`).
fn lines(arguments: &[String]) -> Vec<String> {
    let is_go = arguments.first().is_some_and(|first| first == "go");
    let all = |is_so: fn(&str) -> bool| arguments.iter().all(|argument| is_so(argument));
    if all(is_word) && (is_go || !all(is_uci_command)) {
        vec![arguments.join(" ")]
    } else {
        arguments.to_vec()
    }
}

/// Writes to standard error, which may be closed.
fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "quevedo: {text}");
}
