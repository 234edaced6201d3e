//! The sub-commands for use at a shell. Each has its clap arguments, which implement [`Tool`].

#![deny(clippy::indexing_slicing)]

pub mod analyse;
pub mod bench;
pub mod book;
pub mod datagen;
pub mod epd;
pub mod eval;
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
use std::process::ExitCode;

use kit::BAD_USAGE;
pub use kit::{Tool, ToolError};

/// Implements [`Tool`] for arguments whose tool either succeeds or fails.
macro_rules! impl_tool {
    ($($arguments:ty: |$args:ident, $out:ident| $run:expr;)+) => {$(
        impl Tool for $arguments {
            fn run(self, $out: &mut dyn Write) -> Result<ExitCode, Box<dyn Error>> {
                let $args = self;
                $run?;
                Ok(ExitCode::SUCCESS)
            }
        }
    )+};
}

impl_tool! {
    bench::BenchArgs: |args, out| bench::run(&args, out);
    perft::PerftArgs: |args, out| perft::run(&args, out);
    eval::EvalArgs: |args, out| eval::run(&args, out);
    analyse::AnalyseArgs: |args, out| analyse::run(&args, out);
    book::BookArgs: |args, _out| book::run(&args);
    train::TrainArgs: |args, _out| train::run(&args);
    fit::FitArgs: |args, out| fit::run(&args, out);
}

impl Tool for epd::Args {
    fn run(self, out: &mut dyn Write) -> Result<ExitCode, Box<dyn Error>> {
        match epd::run(self, out) {
            Ok(code) => Ok(ExitCode::from(code)),
            // Code 1 means that fewer positions were solved than required, so errors need another
            // one.
            Err(error) if !is_closed_pipe(&error) => Ok(bad_usage(&error)),
            Err(error) => Err(error.into()),
        }
    }
}

impl Tool for datagen::DatagenArgs {
    fn run(self, _out: &mut dyn Write) -> Result<ExitCode, Box<dyn Error>> {
        match datagen::run(&self) {
            Ok(()) => Ok(ExitCode::SUCCESS),
            Err(error) if error.is_bad_usage() => Ok(bad_usage(&error)),
            Err(error) => Err(error.into()),
        }
    }
}

impl Tool for lab::Args {
    fn run(self, out: &mut dyn Write) -> Result<ExitCode, Box<dyn Error>> {
        match lab::run(&self, &mut io::stdin().lock(), out) {
            Ok(lab::Verdict::Disagreement) => Ok(ExitCode::FAILURE),
            Ok(_) => Ok(ExitCode::SUCCESS),
            Err(error) if error.is_bad_usage() => Ok(bad_usage(&error)),
            Err(error) => Err(error.into()),
        }
    }
}

fn bad_usage(error: &dyn Error) -> ExitCode {
    kit::progress::say(&format!("quevedo: {error}"));
    ExitCode::from(BAD_USAGE)
}

/// Returns whether an error means that nobody reads the output any more.
pub fn is_closed_pipe(error: &(dyn Error + 'static)) -> bool {
    let io_error = error.downcast_ref::<io::Error>();
    io_error.is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
        || error.source().is_some_and(is_closed_pipe)
}
