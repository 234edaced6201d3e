//! Code shared by the tools: errors, threads, signals, files, progress and arguments.

pub mod args;
pub mod engines;
pub mod files;
pub mod input;
pub mod interrupt;
pub mod jobs;
pub mod progress;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::atomic_write;
use crate::engine::{EvalFileError, MemoryError};
use crate::position::notation::FenError;
use crate::tools::exit::{Exit, ToolFailure};

/// A sub-command with its arguments.
pub trait Tool {
    /// Runs the tool, writes its results to `out`, and returns the exit code.
    ///
    /// # Errors
    /// Fails when the tool cannot finish its work. The message is meant for the user.
    fn run(self, out: &mut dyn Write) -> Result<Exit, Box<dyn ToolFailure>>;
}

/// An error that several tools share.
#[derive(Debug, Error)]
pub enum ToolError {
    /// The FEN of a position cannot be used.
    #[error("{fen:?}: {source}")]
    Fen {
        /// The text.
        fen: String,
        /// The reason.
        source: FenError,
    },
    /// Reading or writing failed. A closed pipe (`quevedo perft 5 | head -1`) is reported like this
    /// too and is not a failure.
    #[error("{what}: {source}")]
    Io {
        /// The file, or the kind of output.
        what: String,
        /// The error of the system.
        source: io::Error,
    },
    /// The hash table or the threads need more memory than there is.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The network of `--eval-file` cannot be used.
    #[error(transparent)]
    EvalFile(#[from] EvalFileError),
    /// A file would be read and written, or written twice.
    #[error("{}: inputs and outputs have to be different files", .0.display())]
    SameFile(PathBuf),
    /// An input is named twice.
    #[error("{}: this file is given twice", .0.display())]
    GivenTwice(PathBuf),
    /// Another process writes the file.
    #[error("{}: another process is writing this file", .0.display())]
    InUse(PathBuf),
    /// Two outputs would go to standard output.
    #[error("only one output can go to standard output (-)")]
    StandardOutput,
    /// A thread panicked.
    #[error("a worker thread panicked")]
    Worker,
}

/// Returns a table as CSV (RFC 4180).
///
/// # Errors
/// Fails when a row has another length than the header.
pub fn csv_text(
    header: impl IntoIterator<Item = &'static str>,
    rows: impl IntoIterator<Item: IntoIterator<Item = String>>,
) -> io::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header)?;
    for row in rows {
        writer.write_record(row)?;
    }
    let bytes = writer
        .into_inner()
        .map_err(|error| io::Error::other(error.to_string()))?;
    String::from_utf8(bytes).map_err(io::Error::other)
}

impl ToolError {
    /// Wraps an error of standard output.
    pub fn output(source: io::Error) -> ToolError {
        ToolError::Io {
            what: "output".to_owned(),
            source,
        }
    }

    /// Wraps an error of a file.
    pub fn file(path: &Path, source: io::Error) -> ToolError {
        ToolError::Io {
            what: path.display().to_string(),
            source,
        }
    }
}

/// Names the file or stream that an I/O error is about.
pub trait IoContext<T> {
    /// Names a stream or a kind of output.
    ///
    /// # Errors
    /// Returns the error with the name.
    fn of(self, what: &str) -> Result<T, ToolError>;

    /// Names a file.
    ///
    /// # Errors
    /// Returns the error with the path.
    fn of_file(self, path: &Path) -> Result<T, ToolError>;

    /// Names the output of the tool.
    ///
    /// # Errors
    /// Returns the error with the name.
    fn of_output(self) -> Result<T, ToolError>;
}

impl<T> IoContext<T> for io::Result<T> {
    fn of(self, what: &str) -> Result<T, ToolError> {
        self.map_err(|source| ToolError::Io {
            what: what.to_owned(),
            source,
        })
    }

    fn of_file(self, path: &Path) -> Result<T, ToolError> {
        self.map_err(|source| ToolError::file(path, source))
    }

    fn of_output(self) -> Result<T, ToolError> {
        self.map_err(ToolError::output)
    }
}

/// Replaces a file, or leaves the existing one after a failure.
///
/// # Errors
/// Fails when the file cannot be written.
pub fn replace_file(path: &Path, bytes: &[u8]) -> Result<(), ToolError> {
    atomic_write::replace(path, bytes).of_file(path)
}
