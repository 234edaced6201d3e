//! How far a command has got: a bar on a terminal, a line now and then elsewhere.

use std::io::{self, IsTerminal as _};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Time between two lines.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// Says how far a command has got.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    total: u64,
    what: &'static str,
    done: AtomicU64,
    last_line: Mutex<Instant>,
}

impl Progress {
    /// At the beginning, with so many things to do; 0 when it is not known how many.
    pub fn new(total: u64, what: &'static str) -> Progress {
        let bar = if io::stderr().is_terminal() {
            ProgressBar::new(total)
        } else {
            ProgressBar::hidden()
        };
        let template = if total == 0 {
            "{elapsed_precise} {pos} {msg}"
        } else {
            "{elapsed_precise} [{bar:30}] {percent}% {pos}/{len} {msg}, {eta} left"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.set_message(what);
        Progress {
            bar,
            total,
            what,
            done: AtomicU64::new(0),
            last_line: Mutex::new(Instant::now()),
        }
    }

    /// So many more have been done.
    pub fn add(&self, more: u64) {
        self.bar.inc(more);
        let done = self.done.fetch_add(more, Ordering::Relaxed) + more;
        if !self.bar.is_hidden() {
            return;
        }
        let Ok(mut last) = self.last_line.lock() else {
            return;
        };
        if last.elapsed() >= LINE_EVERY {
            *last = Instant::now();
            super::say(&match self.total {
                0 => format!("{done} {}", self.what),
                total => format!("{done} of {total} {}", self.what),
            });
        }
    }

    /// Something a person should know.
    pub fn say(&self, text: &str) {
        self.bar.suspend(|| super::say(text));
    }

    /// All is done.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
