//! Quevedo at the command line.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use quevedo::engine::Engine;
use quevedo::uci::command::{Command as UciCommand, CommandError};
use quevedo::{processor, uci};

/// The exit code for arguments that make no sense.
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
    /// Print the table of UCI options as Markdown
    #[command(hide = true)]
    Options,
    #[command(external_subcommand)]
    Lines(Vec<String>),
}

fn main() -> ExitCode {
    // Before anything else, because anything else may use the instructions that are missing.
    let missing = processor::missing_features();
    if !missing.is_empty() {
        complain(&format!(
            "this build of Quevedo needs an x86-64-v2 processor (2009 or later); this one lacks {}",
            missing.join(", ")
        ));
        return ExitCode::FAILURE;
    }
    match Arguments::parse().command.unwrap_or(Command::Uci) {
        Command::Uci => match uci::run(Engine::new(), io::stdin(), Box::new(io::stdout())) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                complain(&format!("no thread to read commands: {error}"));
                ExitCode::FAILURE
            }
        },
        Command::Options => {
            // Whoever closed the pipe does not want the rest.
            let _ = io::stdout().write_all(uci::options::readme_table().as_bytes());
            ExitCode::SUCCESS
        }
        Command::Lines(arguments) => {
            let lines = lines(&arguments);
            let lines = lines.iter().map(String::as_str);
            if uci::run_lines(Engine::new(), lines, Box::new(io::stdout())) {
                ExitCode::SUCCESS
            } else {
                ExitCode::from(BAD_USAGE)
            }
        }
    }
}

/// Each argument is a line, unless they are the words of one line, typed without quotes: `quevedo go depth 5`.
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
