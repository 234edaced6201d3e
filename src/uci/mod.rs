//! The Universal Chess Interface: text in, text out.
//!
//! ```text
//! input -> reading thread: Command::from_str, Desk -> queue -> Session: Engine -> Output
//!                          stop, ponderhit, quit -> Control -> the search that runs
//! ```
//!
//! - [`command`]: a line as a typed command;
//! - [`desk`]: the reading thread, and which `go` a `stop` is meant for;
//! - [`session`]: what each command does, on the thread that owns the engine;
//! - [`options`]: the one table of options;
//! - [`report`]: what a search says;
//! - [`output`]: the one way out.
//!
//! Nothing that arrives here may end the process or hang it, so nothing here may panic: the lints below see to it.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

pub mod command;
pub mod desk;
mod genfens;
pub mod options;
pub mod output;
pub mod report;
pub mod session;

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use command::CommandError;
use desk::{Desk, Job};
use output::Output;
use session::Session;

use crate::engine::Searcher;

/// Speaks UCI until `quit`, the end of the input, or until nobody reads the output any more.
///
/// # Errors
/// When the system refuses the reading thread.
pub fn run(
    searcher: Searcher,
    input: impl Read + Send + 'static,
    output: Box<dyn Write + Send>,
) -> io::Result<()> {
    let desk = Arc::new(Desk::default());
    let output = Arc::new(Output::new(output, desk.clone()));
    let (sender, queue) = crossbeam_channel::unbounded();
    let mut session = Session::new(searcher, desk.clone(), output.clone());
    // Not joined: it may sit in a read that never returns.
    thread::Builder::new()
        .name("uci-reader".to_owned())
        .spawn(move || desk::read_commands(input, &desk, &sender, &output))?;
    for job in queue {
        if session.handle(job).is_break() {
            break;
        }
    }
    Ok(())
}

/// Handles these lines one after the other, each search to its own end, and returns whether all of them were commands.
pub fn run_lines<'a>(
    searcher: Searcher,
    lines: impl IntoIterator<Item = &'a str>,
    output: Box<dyn Write + Send>,
) -> bool {
    let desk = Arc::new(Desk::default());
    let output = Arc::new(Output::new(output, desk.clone()));
    let mut session = Session::new(searcher, desk.clone(), output);
    let mut understood = true;
    for line in lines {
        let job = match line.parse() {
            Ok(command) => desk.job(command, Instant::now()),
            Err(error) => {
                understood &= !matches!(error, CommandError::Unknown(_));
                Job::Refused(error)
            }
        };
        if session.handle(job).is_break() {
            break;
        }
    }
    understood
}
