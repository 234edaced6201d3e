//! The Universal Chess Interface: turns text into calls of the engine.
//!
//! ```text
//! input -> reading thread: line_text::parse, CommandRouter -> queue -> Session: Searcher -> UciOutput
//!                          stop, ponderhit, quit -> Control -> the running search
//! ```
//!
//! - [`command`]: parses a line into a command, [`line_text`] one that may not be UTF-8;
//! - [`router`]: the reading thread, which finds the `go` that a `stop` is meant for;
//! - [`session`]: executes the commands, on the thread that owns the engine;
//! - [`options`]: formats the options;
//! - [`report`]: formats the reports of a search;
//! - [`output`]: writes lines.
//!
//! No input may end or hang the process, so lints forbid code that can panic.

#![deny(clippy::indexing_slicing)]

pub mod command;
mod display;
mod genfens;
mod limits;
pub mod line_text;
pub mod options;
pub mod output;
pub mod report;
pub mod router;
pub mod session;

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use command::{Command, GoCommand};
use output::UciOutput;
use router::{CommandRouter, Job};
use session::Session;

use crate::engine::Searcher;

pub use display::greeting;

/// Runs the UCI loop until `quit`, the end of the input, or until the output is closed.
///
/// # Errors
/// Fails when the reading thread cannot be started, or the output cannot be written though
/// its reader is not gone.
pub fn run(
    searcher: Searcher,
    input: impl Read + Send + 'static,
    output: Box<dyn Write + Send>,
) -> io::Result<()> {
    let router = Arc::new(CommandRouter::default());
    let output = Arc::new(UciOutput::new(output, router.clone()));
    let (sender, queue) = crossbeam_channel::unbounded();
    let mut session = Session::new(searcher, router.clone(), output.clone());
    // Not joined: it may be blocked in a read that never returns.
    thread::Builder::new()
        .name("uci-reader".to_owned())
        .spawn({
            let output = output.clone();
            move || router::read_commands(input, &router, &sender, &output)
        })?;
    for job in queue {
        if session.handle(job).is_break() {
            break;
        }
    }
    output.check()
}

/// Executes these lines one after the other and tells whether there was no error. Each search runs
/// to its limits, and `go mate` until it has found the mate. One that waits for `stop`, or for a
/// `ponderhit` that is not the next line, is stopped at once, as at the end of the input.
///
/// # Errors
/// Fails when the output cannot be written though its reader is not gone.
pub fn run_lines<'a>(
    searcher: Searcher,
    lines: impl IntoIterator<Item = &'a str>,
    output: Box<dyn Write + Send>,
) -> io::Result<bool> {
    let router = Arc::new(CommandRouter::default());
    let output = Arc::new(UciOutput::new(output, router.clone()));
    let mut session = Session::new(searcher, router.clone(), output.clone());
    let parsed = |line: &'a str| (line, line.parse());
    let mut commands = lines.into_iter().map(parsed).peekable();
    while let Some((line, command)) = commands.next() {
        output.log_input(line);
        let is_mate_search = |go: &GoCommand| go.mate.is_some() && !go.infinite && !go.ponder;
        let ends_itself = matches!(&command, Ok(Command::Go(go)) if is_mate_search(go));
        router.set_input_ended(!ends_itself);
        let job = match command {
            Ok(command) => router.job(command, Instant::now()),
            Err(error) => Job::Refused(error),
        };
        // It comes first, because the search that it is meant for would be over by its turn.
        if matches!(commands.peek(), Some((_, Ok(Command::PonderHit)))) {
            router.ponderhit(Instant::now());
        }
        if session.handle(job).is_break() {
            break;
        }
    }
    output.check()?;
    Ok(!output.has_errors())
}
