//! Solving one position: what the engine in this program and engines elsewhere have in common.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::report::Attempt;
use super::suite::Entry;
use crate::search::control::Control;

/// The name that the engine in this program has after `--engine`.
pub const BUILTIN: &str = "builtin";

/// An engine as it was asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct EngineSpec {
    /// The command and its arguments; none for the engine in this program.
    pub command: Option<Vec<String>>,
    /// Options and their values.
    pub options: Vec<(String, String)>,
}

impl EngineSpec {
    /// The command as a line.
    pub fn describe(&self) -> String {
        self.command
            .as_ref()
            .map_or_else(|| BUILTIN.to_owned(), |words| words.join(" "))
    }
}

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The run is to end.
    Interrupted,
    /// The engine did something wrong; it will be started anew.
    Fault(String),
}

/// An engine that solves one position after the other, each as if it were the first.
pub trait Solver {
    /// Solves a position.
    ///
    /// # Errors
    /// When the run is to end or the engine gives no valid answer.
    fn solve(&mut self, entry: &Entry) -> Result<Attempt, Failure>;

    /// What the engine calls itself, as far as it is known.
    fn name(&self) -> Option<&str>;

    /// What a person should know, since the last call.
    fn take_notes(&mut self) -> Vec<String>;
}

/// How a run is told to end.
#[derive(Debug, Default)]
pub struct Interrupt {
    is_set: AtomicBool,
    searches: Mutex<Vec<Arc<Control>>>,
}

impl Interrupt {
    /// Ends the run, with all searches in it.
    pub fn set(&self) {
        self.is_set.store(true, Ordering::SeqCst);
        for control in self.lock().iter() {
            control.stop(u64::MAX);
        }
    }

    /// Whether the run is to end.
    pub fn is_set(&self) -> bool {
        self.is_set.load(Ordering::SeqCst)
    }

    /// A control for searches that end with the run.
    pub fn control(&self) -> Arc<Control> {
        let control = Arc::new(Control::default());
        self.lock().push(control.clone());
        // It may have been set between its two parts.
        if self.is_set() {
            control.stop(u64::MAX);
        }
        control
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Control>>> {
        self.searches.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
