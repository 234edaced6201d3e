//! How far a tool has got: a bar on a terminal, a line now and then elsewhere.

use std::io::{self, Write as _};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Time between two lines.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// Tells a person something on standard error; it does not matter when nobody listens.
pub fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Says on standard error how far a run has got. The bar is there until this is dropped.
#[derive(Debug)]
pub struct Progress {
    /// Hidden where there is no terminal.
    bar: ProgressBar,
    before: u64,
    last_line: Mutex<Instant>,
}

impl Progress {
    /// At the beginning of a run on the way to the total, when that is known. What was done before it says nothing about
    /// its speed.
    pub fn new(total: Option<u64>, before: u64) -> Progress {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::stderr());
        let template = match total {
            Some(_) => "{elapsed_precise} [{bar:30}] {percent}% {msg}",
            None => "{elapsed_precise} {spinner} {msg}",
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.enable_steady_tick(Duration::from_secs(1));
        Progress {
            bar,
            before,
            last_line: Mutex::new(Instant::now()),
        }
    }

    /// So much is done, in the words of the message; how much time is left is added to it.
    pub fn set(&self, done: u64, mut message: String) {
        if let Some(left) = self.time_left(done) {
            message.push_str(&format!(", {} left", HumanDuration(left)));
        }
        if !self.bar.is_hidden() {
            self.bar.set_position(done);
            self.bar.set_message(message);
            return;
        }
        let mut last_line = self
            .last_line
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if last_line.elapsed() >= LINE_EVERY {
            *last_line = Instant::now();
            say(&message);
        }
    }

    /// What the run does in a second, when so much is done.
    pub fn rate(&self, done: u64) -> f64 {
        (done - self.before) as f64 / self.bar.elapsed().as_secs_f64().max(1e-3)
    }

    fn time_left(&self, done: u64) -> Option<Duration> {
        let left = self.bar.length()?.checked_sub(done)?;
        Duration::try_from_secs_f64(left as f64 / self.rate(done)).ok()
    }

    /// Does something that writes, without the bar in its way.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Something a person should know.
    pub fn say(&self, text: &str) {
        self.aside(|| say(text));
    }
}
