//! The options: one table, from which the `option` lines, the checks on values, `help` and the README's table come.

use std::fmt::{self, Write as _};

use thiserror::Error;

use super::command::{parse_saturating, shorten};
use super::session::Session;
use crate::book::play::{DEFAULT_BOOK_DEPTH, FULL_VARIETY};
use crate::search::skill::{DEFAULT_ELO, MAX_ELO, MAX_SKILL_LEVEL, MIN_ELO, StrengthOptions};

/// The hash table's size at the start, in MiB.
pub const DEFAULT_HASH: usize = 16;

/// What an option did with a value: something to say, perhaps, or why it was refused.
pub type Applied = Result<Option<String>, String>;

/// One option.
#[derive(Debug)]
pub struct Spec {
    /// Its name; letters' case does not matter.
    pub name: &'static str,
    /// What values it takes, and what they do.
    pub kind: Kind,
    /// What it is for, in one sentence.
    pub help: &'static str,
}

/// The kinds of option that UCI has, with the function that puts a valid value into effect.
#[derive(Debug)]
pub enum Kind {
    /// True or false.
    Check {
        /// The value at the start.
        default: bool,
        /// Puts a value into effect.
        apply: fn(&mut Session, bool) -> Applied,
    },
    /// A whole number.
    Spin {
        /// The value at the start.
        default: i64,
        /// The smallest value.
        min: i64,
        /// The largest value.
        max: i64,
        /// Puts a value into effect.
        apply: fn(&mut Session, i64) -> Applied,
    },
    /// One of several words.
    Combo {
        /// The value at the start.
        default: &'static str,
        /// All values.
        values: &'static [&'static str],
        /// Puts a value, spelt as in the list, into effect.
        apply: fn(&mut Session, &'static str) -> Applied,
    },
    /// A text.
    Text {
        /// The value at the start.
        default: &'static str,
        /// Puts a value into effect.
        apply: fn(&mut Session, &str) -> Applied,
    },
    /// Something to do, without a value.
    Button {
        /// Does it.
        apply: fn(&mut Session) -> Applied,
    },
}

/// Why an option was not set.
#[derive(Debug, Error)]
pub enum OptionError {
    /// There is none of that name.
    #[error("unknown option {0:?}; uci lists the options")]
    Unknown(String),
    /// It needs a value.
    #[error("option {0}: value expected")]
    ValueExpected(&'static str),
    /// The value is no number.
    #[error("option {0}: not a number: {1:?}")]
    NotANumber(&'static str, String),
    /// The value is not true or false.
    #[error("option {0}: true or false expected, found {1:?}")]
    NotABool(&'static str, String),
    /// The value is none of the words.
    #[error("option {0}: one of {1} expected, found {2:?}")]
    NotAChoice(&'static str, String, String),
    /// The value cannot be put into effect.
    #[error("option {0}: {1}")]
    Refused(&'static str, String),
}

/// What the engine says about itself where a GUI shows it.
const ABOUT: &str =
    "Quevedo, a free UCI chess engine (GPL-3.0-or-later), named after Leonardo Torres Quevedo";

/// The options, in the order in which GUIs list them.
pub static OPTIONS: &[Spec] = &[
    Spec {
        name: "Hash",
        kind: Kind::Spin {
            default: DEFAULT_HASH as i64,
            min: 1,
            max: 33_554_432,
            apply: |session, mebibytes| {
                session
                    .engine
                    .set_hash(usize::try_from(mebibytes).unwrap_or(usize::MAX))
                    .map(|()| None)
                    .map_err(|error| format!("{error}; the old table is kept"))
            },
        },
        help: "Memory for the hash table in MiB. More than the machine has left is refused and the old table kept.",
    },
    Spec {
        name: "Clear Hash",
        kind: Kind::Button {
            apply: |session| {
                session.engine.clear_hash();
                Ok(None)
            },
        },
        help: "Empties the hash table.",
    },
    Spec {
        name: "Threads",
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: 1024,
            apply: |session, threads| {
                session
                    .engine
                    .set_threads(usize::try_from(threads).unwrap_or(usize::MAX))
                    .map(|()| None)
                    .map_err(|error| format!("{error}; their number is kept"))
            },
        },
        help: "Search threads; best the number of cores. More than there is memory for are refused.",
    },
    Spec {
        name: "MultiPV",
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: 256,
            apply: |session, lines| {
                session.engine.settings_mut().multipv = usize::try_from(lines).unwrap_or(1);
                Ok(None)
            },
        },
        help: "How many best lines to show. One is strongest.",
    },
    Spec {
        name: "Ponder",
        kind: Kind::Check {
            default: false,
            // Whether to ponder is the GUI's business: it says so with every `go`.
            apply: |_, _| Ok(None),
        },
        help: "Tells the GUI that it may let the engine think on the opponent's time.",
    },
    Spec {
        name: "Move Overhead",
        kind: Kind::Spin {
            default: 10,
            min: 0,
            max: 5000,
            apply: |session, millis| {
                session.engine.settings_mut().move_overhead_ms = millis.max(0).unsigned_abs();
                Ok(None)
            },
        },
        help: "What each move loses between engine and GUI, in milliseconds. More for a slow connection.",
    },
    Spec {
        name: "UCI_Chess960",
        kind: Kind::Check {
            default: false,
            apply: |session, chess960| {
                session.engine.set_chess960(chess960);
                Ok(None)
            },
        },
        help: "Castling is written king takes rook, from the next position on. Positions that need it are recognised without.",
    },
    Spec {
        name: "EvalFile",
        kind: Kind::Text {
            default: "",
            apply: |session, path| {
                session
                    .engine
                    .set_eval_file(path)
                    .map(|()| None)
                    .map_err(|error| format!("{error}; the evaluation stays what it was"))
            },
        },
        help: "A network to evaluate with, as `quevedo train` writes it. Empty for the one that the program comes with, `hand-written` for rules.",
    },
    Spec {
        name: "UCI_ShowWDL",
        kind: Kind::Check {
            default: false,
            apply: |session, show| {
                session.show_wdl = show;
                Ok(None)
            },
        },
        help: "Adds the chances to win, draw and lose, in thousandths, to each line.",
    },
    Spec {
        name: "UCI_AnalyseMode",
        kind: Kind::Check {
            default: false,
            apply: |session, analysing| {
                session.engine.own_book_mut().analysing = analysing;
                change_strength(session, |it| it.analysing = analysing)
            },
        },
        help: "Analysis: at full strength whatever `UCI_LimitStrength` and `Skill Level` say, and without the book.",
    },
    Spec {
        name: "UCI_LimitStrength",
        kind: Kind::Check {
            default: false,
            apply: |session, limited| change_strength(session, |it| it.limited = limited),
        },
        help: "Plays as well as `UCI_Elo` says, and no better.",
    },
    Spec {
        name: "UCI_Elo",
        kind: Kind::Spin {
            default: DEFAULT_ELO as i64,
            min: MIN_ELO as i64,
            max: MAX_ELO as i64,
            apply: |session, elo| {
                change_strength(session, |it| it.elo = u32::try_from(elo).unwrap_or(MAX_ELO))
            },
        },
        help: "The rating to play at under `UCI_LimitStrength`, on the scale of Stockfish 15.1's option of this name.",
    },
    Spec {
        name: "Skill Level",
        kind: Kind::Spin {
            default: MAX_SKILL_LEVEL as i64,
            min: 0,
            max: MAX_SKILL_LEVEL as i64,
            apply: |session, skill| {
                change_strength(session, |it| {
                    it.skill_level = u32::try_from(skill).unwrap_or(MAX_SKILL_LEVEL);
                })
            },
        },
        help: "For GUIs without `UCI_Elo`, which wins over it: 0 to 19 are its range in even steps, 20 is full strength.",
    },
    Spec {
        name: "LevelSeed",
        kind: Kind::Spin {
            default: 0,
            min: 0,
            max: i32::MAX as i64,
            apply: |session, seed| change_strength(session, |it| it.seed = seed.unsigned_abs()),
        },
        help: "With a seed, limited play is repeatable: the same game gets the same move. 0 for other errors in every game.",
    },
    Spec {
        name: "OwnBook",
        kind: Kind::Check {
            default: false,
            apply: |session, enabled| {
                session.engine.own_book_mut().enabled = enabled;
                Ok(None)
            },
        },
        help: "Plays opening moves from the book, at once; not under `go infinite`, `go ponder` and `go mate`.",
    },
    Spec {
        name: "BookFile",
        kind: Kind::Text {
            default: "",
            apply: |session, path| {
                session
                    .engine
                    .own_book_mut()
                    .load(path)
                    .map_err(|error| format!("{:?}: {error}; the book before stays", shorten(path)))
            },
        },
        help: "An opening book in the Polyglot format. Empty for the one that is part of the program.",
    },
    Spec {
        name: "BookDepth",
        kind: Kind::Spin {
            default: DEFAULT_BOOK_DEPTH as i64,
            min: 0,
            max: 9_999,
            apply: |session, moves| {
                session.engine.own_book_mut().max_move = u32::try_from(moves).unwrap_or(0);
                Ok(None)
            },
        },
        help: "Plays from the book up to this move number.",
    },
    Spec {
        name: "BookVariety",
        kind: Kind::Spin {
            default: FULL_VARIETY as i64,
            min: 0,
            max: FULL_VARIETY as i64,
            apply: |session, variety| {
                session.engine.own_book_mut().variety = u32::try_from(variety).unwrap_or(0);
                Ok(None)
            },
        },
        help: "0 plays the book's heaviest move only, 100 each move as often as its weight says.",
    },
    Spec {
        name: "BookSeed",
        kind: Kind::Spin {
            default: 0,
            min: 0,
            max: i32::MAX as i64,
            apply: |session, seed| {
                session.engine.own_book_mut().seed = u64::try_from(seed).unwrap_or(0);
                Ok(None)
            },
        },
        help: "With a seed, the book's move for a position is always the same one; 0 for a new choice each time.",
    },
    Spec {
        name: "Debug Log File",
        kind: Kind::Text {
            default: "",
            apply: |session, path| {
                session
                    .output
                    .set_log(path)
                    .map(|()| None)
                    .map_err(|error| format!("{:?}: {error}", shorten(path)))
            },
        },
        help: "Appends every line read and written to this file, with the time. Empty for none.",
    },
    Spec {
        name: "SyzygyPath",
        kind: Kind::Text {
            default: "",
            apply: |session, path| Ok(Some(session.engine.set_syzygy_path(path))),
        },
        help: "Directories with Syzygy tablebases, separated by `;` (or `:` where paths have none). Empty for none.",
    },
    Spec {
        name: "SyzygyProbeDepth",
        kind: Kind::Spin {
            default: 1,
            min: 1,
            max: 100,
            apply: |session, depth| {
                session.engine.settings_mut().syzygy_probe_depth =
                    u32::try_from(depth).unwrap_or(1);
                Ok(None)
            },
        },
        help: "Probes positions with as many men as the largest tablebases from this remaining depth up, those with fewer always. \
               More for slow disks.",
    },
    Spec {
        name: "SyzygyProbeLimit",
        kind: Kind::Spin {
            default: 7,
            min: 0,
            max: 7,
            apply: |session, men| {
                session.engine.settings_mut().syzygy_probe_limit = u32::try_from(men).unwrap_or(0);
                Ok(None)
            },
        },
        help: "Probes positions with at most this many men; 0 for none.",
    },
    Spec {
        name: "Syzygy50MoveRule",
        kind: Kind::Check {
            default: true,
            apply: |session, rule| {
                session.engine.settings_mut().syzygy_50_move_rule = rule;
                Ok(None)
            },
        },
        help: "Tablebase wins that the fifty-move rule spoils count as draws.",
    },
    Spec {
        name: "UCI_EngineAbout",
        kind: Kind::Text {
            default: ABOUT,
            apply: |_, _| Ok(None),
        },
        help: "What this engine is. For reading only.",
    },
];

fn change_strength(session: &mut Session, change: impl FnOnce(&mut StrengthOptions)) -> Applied {
    session
        .engine
        .change_strength(change)
        .map(|()| None)
        .map_err(|error| format!("{error}; the strength stays as it was"))
}

/// Sets an option and says what there is to say.
///
/// # Errors
/// When there is no such option or the value is of no use; nothing has changed then.
pub fn set(
    session: &mut Session,
    name: &str,
    value: Option<&str>,
) -> Result<Option<String>, OptionError> {
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
    let given = || value.ok_or(OptionError::ValueExpected(spec.name));
    let mut note = None;
    let applied = match spec.kind {
        Kind::Check { apply, .. } => {
            let text = given()?;
            let value = [("true", true), ("false", false)]
                .iter()
                .find(|(word, _)| word.eq_ignore_ascii_case(text))
                .ok_or_else(|| OptionError::NotABool(spec.name, shorten(text)))?
                .1;
            apply(session, value)
        }
        Kind::Spin {
            min, max, apply, ..
        } => {
            let text = given()?;
            let number = parse_saturating(text)
                .ok_or_else(|| OptionError::NotANumber(spec.name, shorten(text)))?;
            let used = number.clamp(min, max);
            if used != number {
                note = Some(format!(
                    "option {}: {} is not in {min}..{max}, using {used}",
                    spec.name,
                    shorten(text)
                ));
            }
            apply(session, used)
        }
        Kind::Combo { values, apply, .. } => {
            let text = given()?;
            let choice = values
                .iter()
                .find(|choice| choice.eq_ignore_ascii_case(text))
                .ok_or_else(|| {
                    OptionError::NotAChoice(spec.name, values.join(", "), shorten(text))
                })?;
            apply(session, choice)
        }
        Kind::Text { apply, .. } => apply(session, value.unwrap_or("")),
        Kind::Button { apply } => apply(session),
    };
    let said = applied.map_err(|reason| OptionError::Refused(spec.name, reason))?;
    Ok(match (note, said) {
        (Some(note), Some(said)) => Some(format!("{note}\n{said}")),
        (note, said) => note.or(said),
    })
}

/// The option as the answer to `uci` lists it.
impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match self.kind {
            Kind::Check { default, .. } => write!(f, "check default {default}"),
            Kind::Spin {
                default, min, max, ..
            } => write!(f, "spin default {default} min {min} max {max}"),
            Kind::Combo {
                default, values, ..
            } => {
                write!(f, "combo default {default}")?;
                values
                    .iter()
                    .try_for_each(|value| write!(f, " var {value}"))
            }
            Kind::Text { default: "", .. } => f.write_str("string default <empty>"),
            Kind::Text { default, .. } => write!(f, "string default {default}"),
            Kind::Button { .. } => f.write_str("button"),
        }
    }
}

impl Spec {
    /// The values that it takes and the one at the start, for people.
    fn values(&self) -> (String, String) {
        match self.kind {
            Kind::Check { default, .. } => ("true, false".to_owned(), default.to_string()),
            Kind::Spin {
                default, min, max, ..
            } => (format!("{min} to {max}"), default.to_string()),
            Kind::Combo {
                default, values, ..
            } => (values.join(", "), default.to_owned()),
            Kind::Text { default, .. } => ("text".to_owned(), default.to_owned()),
            Kind::Button { .. } => ("button".to_owned(), String::new()),
        }
    }
}

/// The options as lines of a help text.
pub fn help() -> String {
    let mut text = String::new();
    for spec in OPTIONS {
        let (values, default) = spec.values();
        // Writing to a String cannot fail.
        let _ = write!(text, "  {} ({values}", spec.name);
        if !default.is_empty() {
            let _ = write!(text, "; default {default}");
        }
        let _ = writeln!(text, ")\n      {}", spec.help);
    }
    text
}

/// The options as a Markdown table, for the README.
pub fn readme_table() -> String {
    let mut text =
        String::from("| Option | Values | Default | What it does |\n|---|---|---|---|\n");
    for spec in OPTIONS {
        let (values, default) = spec.values();
        let _ = writeln!(
            text,
            "| {} | {values} | {default} | {} |",
            spec.name, spec.help
        );
    }
    text
}

#[cfg(test)]
mod tests;
