//! The sub-commands for use at a shell. Each has its clap arguments, which implement [`Tool`].
//! [`exit`] has the exit codes of all of them.

#![deny(clippy::indexing_slicing)]

pub mod analyse;
pub mod bench;
pub mod book;
pub mod datagen;
pub mod epd;
pub mod eval;
pub mod exit;
pub mod fit;
pub mod kit;
pub mod lab;
pub mod perft;
pub mod render;
pub mod shell;
pub mod train;
pub mod version;

use std::error::Error;
use std::io::{self, Write};

pub use exit::{Exit, ToolFailure};
pub use kit::{Tool, ToolError};

/// Implements [`Tool`] for arguments whose tool returns an exit code, or `()` when all is done.
macro_rules! impl_tool {
    ($($arguments:ty: |$args:ident, $out:ident| $run:expr;)+) => {$(
        impl Tool for $arguments {
            fn run(self, $out: &mut dyn Write) -> Result<Exit, Box<dyn ToolFailure>> {
                let $args = self;
                Ok($run?)
            }
        }
    )+};
}

impl_tool! {
    bench::BenchArgs: |args, out| bench::run(&args, out).map(|_| Exit::Done);
    perft::PerftArgs: |args, out| perft::run(&args, out).map(|()| Exit::Done);
    eval::EvalArgs: |args, out| eval::run(&args, out).map(|()| Exit::Done);
    analyse::AnalyseArgs: |args, out| analyse::run(&args, out);
    book::BookArgs: |args, _out| book::run(&args);
    train::TrainArgs: |args, _out| train::run(&args);
    fit::FitArgs: |args, out| fit::run(&args, out);
    epd::EpdArgs: |args, out| epd::run(args, out);
    datagen::DatagenArgs: |args, _out| datagen::run(&args);
    lab::Args: |args, out| match lab::run(&args, &mut io::stdin().lock(), out) {
        Ok(lab::Verdict::Disagreement) => Ok(Exit::Failed),
        Ok(lab::Verdict::Unfinished) => Ok(Exit::Incomplete),
        done => done.map(|_| Exit::Done),
    };
}

/// Returns whether an error means that nobody reads the output any more.
pub fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    let io_error = error.downcast_ref::<io::Error>();
    io_error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
        || error.source().is_some_and(is_closed_pipe)
}
