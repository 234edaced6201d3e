//! The exit codes of all commands: one table, and the code of every error.

use std::error::Error;
use std::fmt::Write as _;
use std::io;
use std::process::ExitCode;

use super::analyse::AnalyseError;
use super::book::BookToolError;
use super::datagen::{DatagenError, PlayError};
use super::epd::EpdError;
use super::fit::FitError;
use super::kit::ToolError;
use super::lab::LabError;
use crate::book::BookError;
use crate::engine::MemoryError;
use crate::engine::eval_file::EvalFileError;
use crate::train::TrainError;

/// The way in which a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// All work is done.
    Done,
    /// The work failed, or its result is negative.
    Failed,
    /// The arguments or files cannot be used.
    Unusable,
    /// The work is done except for parts that could not be read, or that an engine failed at.
    Incomplete,
    /// A signal ended the run.
    Interrupted,
}

impl Exit {
    /// All codes.
    pub const ALL: [Exit; 5] = [
        Exit::Done,
        Exit::Failed,
        Exit::Unusable,
        Exit::Incomplete,
        Exit::Interrupted,
    ];

    /// Returns the code. That of interrupted runs is the one that shells report.
    pub const fn code(self) -> u8 {
        match self {
            Exit::Done => 0,
            Exit::Failed => 1,
            Exit::Unusable => 2,
            Exit::Incomplete => 3,
            Exit::Interrupted => 130,
        }
    }

    /// Describes the code to users.
    pub const fn meaning(self) -> &'static str {
        match self {
            Exit::Done => "all work is done; also when the reader of the output goes away",
            Exit::Failed => {
                "the work failed, or a check did: too few positions solved for `--require`, a \
                 file of games that is damaged, algorithms that disagree"
            }
            Exit::Unusable => {
                "the arguments or files cannot be used: an unknown option, a missing file, a file \
                 of another kind, a damaged book or network"
            }
            Exit::Incomplete => {
                "the work is done, but not all of it: lines or games that could not be read, \
                 positions at which an engine failed, algorithms that were stopped, a merge \
                 without all shards"
            }
            Exit::Interrupted => {
                "Ctrl-C, SIGTERM or SIGHUP ended the run; what was written until then is kept. Under \
                 `nohup` SIGHUP is ignored"
            }
        }
    }

    /// Returns the code of an error of the system. Files that are missing, or that cannot be what
    /// they should be, are unusable; all other errors are failures.
    pub fn of_io(error: &io::Error) -> Exit {
        match error.kind() {
            io::ErrorKind::NotFound
            | io::ErrorKind::PermissionDenied
            | io::ErrorKind::AlreadyExists
            | io::ErrorKind::IsADirectory
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::InvalidInput
            | io::ErrorKind::InvalidData
            | io::ErrorKind::InvalidFilename => Exit::Unusable,
            _ => Exit::Failed,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit.code())
    }
}

/// Returns the table of exit codes as the end of a help text.
pub fn help() -> String {
    let mut text = "Exit codes:".to_owned();
    for exit in Exit::ALL {
        let meaning = exit.meaning().replace('`', "");
        let _ = write!(text, "\n  {:>3}  {meaning}", exit.code());
    }
    text
}

/// An error that ends a command, with the exit code that follows from it.
pub trait ToolFailure: Error {
    /// Returns the exit code.
    fn exit(&self) -> Exit;
}

impl<E: ToolFailure + 'static> From<E> for Box<dyn ToolFailure> {
    fn from(error: E) -> Box<dyn ToolFailure> {
        Box::new(error)
    }
}

impl ToolFailure for io::Error {
    fn exit(&self) -> Exit {
        Exit::of_io(self)
    }
}

impl ToolFailure for ctrlc::Error {
    fn exit(&self) -> Exit {
        Exit::Failed
    }
}

impl ToolFailure for MemoryError {
    fn exit(&self) -> Exit {
        Exit::Failed
    }
}

impl ToolFailure for ToolError {
    fn exit(&self) -> Exit {
        match self {
            ToolError::Fen { .. }
            | ToolError::SameFile(_)
            | ToolError::InUse(_)
            | ToolError::GivenTwice(_)
            | ToolError::StandardOutput => Exit::Unusable,
            ToolError::Io { source, .. } => Exit::of_io(source),
            ToolError::EvalFile(error) => error.exit(),
            ToolError::Memory(_) | ToolError::Worker => Exit::Failed,
        }
    }
}

impl ToolFailure for EvalFileError {
    fn exit(&self) -> Exit {
        match self {
            EvalFileError::Read { source, .. } => Exit::of_io(source),
            EvalFileError::Network { .. } => Exit::Unusable,
        }
    }
}

impl ToolFailure for EpdError {
    fn exit(&self) -> Exit {
        match self {
            EpdError::Tool(error) => error.exit(),
            EpdError::NoFile
            | EpdError::NothingToSolve(_)
            | EpdError::Engine { .. }
            | EpdError::Part { .. } => Exit::Unusable,
            EpdError::Signals(_) => Exit::Failed,
        }
    }
}

impl ToolFailure for AnalyseError {
    fn exit(&self) -> Exit {
        match self {
            AnalyseError::Tool(error) => error.exit(),
            AnalyseError::NoFile
            | AnalyseError::Part { .. }
            | AnalyseError::OtherGames { .. }
            | AnalyseError::NotGames(_)
            | AnalyseError::Engine { .. }
            | AnalyseError::SeveralEngines
            | AnalyseError::Tablebases(_) => Exit::Unusable,
            AnalyseError::Search { .. } | AnalyseError::Line { .. } | AnalyseError::Signals(_) => {
                Exit::Failed
            }
            AnalyseError::UnreadLines(_) | AnalyseError::MissingParts { .. } => Exit::Incomplete,
            AnalyseError::Interrupted { .. } => Exit::Interrupted,
        }
    }
}

impl ToolFailure for BookToolError {
    fn exit(&self) -> Exit {
        match self {
            BookToolError::Tool(error) => error.exit(),
            BookToolError::Book {
                source: BookError::Io(error),
                ..
            } => Exit::of_io(error),
            BookToolError::Book { .. }
            | BookToolError::Usage(_)
            | BookToolError::UnknownInput(_)
            | BookToolError::OtherKind { .. }
            | BookToolError::NothingFound
            | BookToolError::Move { .. }
            | BookToolError::Line { .. } => Exit::Unusable,
            BookToolError::Embedded(_)
            | BookToolError::NothingLeft(_)
            | BookToolError::Search { .. }
            | BookToolError::Faults { .. }
            | BookToolError::UnbalancedLeaves { .. } => Exit::Failed,
        }
    }
}

impl ToolFailure for PlayError {
    fn exit(&self) -> Exit {
        match self {
            PlayError::EvalFile(error) => error.exit(),
            PlayError::Opening(_) | PlayError::Decided(_) => Exit::Unusable,
            PlayError::Memory(_)
            | PlayError::NoMove(_)
            | PlayError::Search { .. }
            | PlayError::TooManyPieces(_) => Exit::Failed,
        }
    }
}

impl ToolFailure for DatagenError {
    fn exit(&self) -> Exit {
        match self {
            DatagenError::Tool(error) => error.exit(),
            DatagenError::Play(error) => error.exit(),
            DatagenError::Setting(error) => error.exit(),
            DatagenError::NoRun { source, .. } => Exit::of_io(source),
            DatagenError::Nothing
            | DatagenError::NotGames(_)
            | DatagenError::NoScores
            | DatagenError::Engine(_)
            | DatagenError::DamagedRun(_)
            | DatagenError::OtherLabels { .. }
            | DatagenError::OtherRecipe { .. }
            | DatagenError::Opening { .. }
            | DatagenError::Tablebases(_) => Exit::Unusable,
            DatagenError::BadGame { .. }
            | DatagenError::Cut { .. }
            | DatagenError::Search { .. }
            | DatagenError::Signals(_) => Exit::Failed,
        }
    }
}

impl ToolFailure for FitError {
    fn exit(&self) -> Exit {
        match self {
            FitError::Tool(error) => error.exit(),
            FitError::Games(error) => error.exit(),
            FitError::Empty { .. } => Exit::Unusable,
            FitError::NoPositions { .. } | FitError::NoSuchResult(_) | FitError::NoFit(_) => {
                Exit::Failed
            }
        }
    }
}

impl ToolFailure for TrainError {
    fn exit(&self) -> Exit {
        match self {
            TrainError::Io { source, .. } => Exit::of_io(source),
            TrainError::EmptyFolder { .. }
            | TrainError::NotGames(_)
            | TrainError::Twice(_)
            | TrainError::NoData(_)
            | TrainError::Checkpoint { .. }
            | TrainError::Exists(_)
            | TrainError::InUse(_)
            | TrainError::Setting(_)
            | TrainError::Labels { .. }
            | TrainError::Teacher { .. } => Exit::Unusable,
            TrainError::Cut { .. }
            | TrainError::CutLabels { .. }
            | TrainError::Game { .. }
            | TrainError::Diverged(_)
            | TrainError::Network(_)
            | TrainError::Threads(_) => Exit::Failed,
        }
    }
}

impl ToolFailure for LabError {
    fn exit(&self) -> Exit {
        match self {
            LabError::Tool(error) => error.exit(),
            LabError::Usage { .. }
            | LabError::Fen { .. }
            | LabError::Board { .. }
            | LabError::Tree { .. }
            | LabError::Puzzle { .. }
            | LabError::TooLarge(_) => Exit::Unusable,
            LabError::File { source, .. } | LabError::Output(source) => Exit::of_io(source),
            LabError::Halt { .. } | LabError::Failed(_) => Exit::Failed,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the table of exit codes as Markdown.
    fn markdown() -> String {
        let mut text = "| exit code | meaning |\n|---|---|\n".to_owned();
        for exit in Exit::ALL {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "| {} | {} |", exit.code(), exit.meaning());
        }
        text
    }

    #[test]
    fn the_document_has_the_table() {
        let document = include_str!("../../docs/exit-codes.md");
        assert!(document.contains(&markdown()), "{}", markdown());
    }

    #[test]
    fn codes_differ() {
        let mut codes = Exit::ALL.map(Exit::code);
        codes.sort_unstable();
        assert_eq!(codes, [0, 1, 2, 3, 130]);
    }
}
