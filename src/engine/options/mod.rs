//! The options: one table of names, values, defaults and effects.
//!
//! The answer to `uci`, the checks on `setoption`, the tools' `--option`, `help` and the
//! documentation all come from it.

mod table;

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use thiserror::Error;

use super::searcher::Searcher;
use super::{parse_saturating, shorten};

pub use table::{DEFAULT_HASH, OPTIONS};

/// The result of applying a value: a message for the user, if any, or the reason why it was
/// refused.
pub type Applied = Result<Option<String>, String>;

/// The front end, which some options concern. The tools have none and pass `&mut ()`.
pub trait FrontEnd {
    /// Writes castling as king takes rook, from the next position on.
    fn set_chess960(&mut self, _chess960: bool) {}

    /// Shows the probabilities to win, draw and lose.
    fn set_show_wdl(&mut self, _show: bool) {}

    /// Writes only the last line of each search, with MultiPV one for each rank.
    fn set_minimal(&mut self, _minimal: bool) {}

    /// Appends all input and output to this file; to none if the path is empty.
    ///
    /// # Errors
    /// Fails when the file cannot be opened; the old log is kept.
    fn set_log(&mut self, _path: &Path) -> io::Result<()> {
        Ok(())
    }
}

impl FrontEnd for () {}

/// Everything that an option can change.
pub struct OptionTarget<'a> {
    /// The engine.
    pub searcher: &'a mut Searcher,
    /// The interface that it runs under.
    pub front_end: &'a mut dyn FrontEnd,
}

/// One option.
#[derive(Debug)]
pub struct OptionSpec {
    /// The name, which is not case-sensitive.
    pub name: &'static str,
    /// The type, the valid values and their effect.
    pub kind: OptionKind,
    /// Help text of one or two sentences.
    pub help: &'static str,
}

/// The types of UCI options, each with a function that applies a valid value.
#[derive(Debug)]
pub enum OptionKind {
    /// True or false.
    Check {
        /// The default.
        default: bool,
        /// Applies a value.
        apply: fn(&mut OptionTarget<'_>, bool) -> Applied,
    },
    /// An integer.
    Spin {
        /// The default.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
        /// Applies a value.
        apply: fn(&mut OptionTarget<'_>, i64) -> Applied,
    },
    /// A string.
    Text {
        /// The default.
        default: &'static str,
        /// Applies a value.
        apply: fn(&mut OptionTarget<'_>, &str) -> Applied,
    },
    /// A path, or a list of paths; empty by default. It need not be valid UTF-8.
    Path {
        /// Applies a value.
        apply: fn(&mut OptionTarget<'_>, &Path) -> Applied,
    },
    /// An action without a value.
    Button {
        /// Performs the action.
        apply: fn(&mut OptionTarget<'_>) -> Applied,
    },
}

/// Errors of setting an option.
#[derive(Debug, Error)]
pub enum OptionError {
    /// There is no option of this name.
    #[error("unknown option {0:?}; uci lists the options")]
    Unknown(String),
    /// The value is missing.
    #[error("option {0}: missing value")]
    ValueExpected(&'static str),
    /// The value is not a number.
    #[error("option {0}: not a number: {1:?}")]
    NotANumber(&'static str, String),
    /// The value is neither true nor false.
    #[error("option {0}: expected true or false, found {1:?}")]
    NotABool(&'static str, String),
    /// The value cannot be applied.
    #[error("option {0}: {1}")]
    Refused(&'static str, String),
}

/// Sets an option and returns a message for the user, if there is one.
///
/// # Errors
/// Fails when there is no such option or the value is invalid; nothing has changed then.
pub fn set(
    searcher: &mut Searcher,
    front_end: &mut dyn FrontEnd,
    name: &str,
    value: Option<&OsStr>,
) -> Result<Option<String>, OptionError> {
    let path = Path::new(value.unwrap_or_default());
    let value = value.map(OsStr::to_string_lossy);
    let value = value.as_deref();
    #[cfg(feature = "tuning")]
    if let Some(value) = value.and_then(parse_saturating)
        && crate::search::params::tuning::set(name, value)
    {
        return Ok(None);
    }
    let spec = OPTIONS
        .iter()
        .find(|spec| spec.name.eq_ignore_ascii_case(name))
        .ok_or_else(|| OptionError::Unknown(shorten(name)))?;
    let target = &mut OptionTarget {
        searcher,
        front_end,
    };
    let given = || value.ok_or(OptionError::ValueExpected(spec.name));
    let mut note = None;
    let applied = match spec.kind {
        OptionKind::Check { apply, .. } => {
            let text = given()?;
            let value = [("true", true), ("false", false)]
                .iter()
                .find(|(word, _)| word.eq_ignore_ascii_case(text))
                .ok_or_else(|| OptionError::NotABool(spec.name, shorten(text)))?
                .1;
            apply(target, value)
        }
        OptionKind::Spin {
            min, max, apply, ..
        } => {
            let text = given()?;
            let number = parse_saturating(text)
                .ok_or_else(|| OptionError::NotANumber(spec.name, shorten(text)))?;
            let used = number.clamp(min, max);
            if used != number {
                note = Some(format!(
                    "option {}: {} is not between {min} and {max}, using {used}",
                    spec.name,
                    shorten(text)
                ));
            }
            apply(target, used)
        }
        OptionKind::Text { apply, .. } => apply(target, value.unwrap_or("")),
        OptionKind::Path { apply } => apply(target, path),
        OptionKind::Button { apply } => apply(target),
    };
    let message = applied.map_err(|reason| OptionError::Refused(spec.name, reason))?;
    Ok(match (note, message) {
        (Some(note), Some(message)) => Some(format!("{note}\n{message}")),
        (note, message) => note.or(message),
    })
}

impl OptionSpec {
    /// Returns a description of the valid values, and the default.
    pub fn describe_values(&self) -> (String, String) {
        match self.kind {
            OptionKind::Check { default, .. } => ("true, false".to_owned(), default.to_string()),
            OptionKind::Spin {
                default, min, max, ..
            } => (format!("{min} to {max}"), default.to_string()),
            OptionKind::Text { default, .. } => ("text".to_owned(), default.to_owned()),
            OptionKind::Path { .. } => ("path".to_owned(), String::new()),
            OptionKind::Button { .. } => ("button".to_owned(), String::new()),
        }
    }
}

#[cfg(test)]
mod tests;
