//! Progress on standard error: a bar on a terminal, a line now and then elsewhere.

use std::io::{self, Write as _};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use parking_lot::Mutex;

/// The time between two lines where there is no terminal.
const LINE_INTERVAL: Duration = Duration::from_secs(30);

/// Writes a message to standard error. A closed standard error is not a failure.
pub fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// The progress of a run. The bar disappears when this is dropped.
#[derive(Debug)]
pub struct Progress {
    /// Hidden where there is no terminal.
    bar: ProgressBar,
    before: u64,
    last_line: Mutex<Instant>,
}

impl Progress {
    /// Starts a run towards the total, if it is known. Work that was done `before` does not count
    /// for the speed.
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

    /// Updates the position and the message, and appends the time left.
    pub fn set(&self, done: u64, mut message: String) {
        if let Some(left) = self.time_left(done) {
            message.push_str(&format!(", {} left", HumanDuration(left)));
        }
        if !self.bar.is_hidden() {
            self.bar.set_position(done);
            self.bar.set_message(message);
            return;
        }
        let mut last_line = self.last_line.lock();
        if last_line.elapsed() >= LINE_INTERVAL {
            *last_line = Instant::now();
            say(&message);
        }
    }

    /// Returns the work done per second, given the position.
    pub fn rate(&self, done: u64) -> f64 {
        (done - self.before) as f64 / self.bar.elapsed().as_secs_f64().max(1e-3)
    }

    fn time_left(&self, done: u64) -> Option<Duration> {
        let left = self.bar.length()?.checked_sub(done)?;
        Duration::try_from_secs_f64(left as f64 / self.rate(done)).ok()
    }

    /// Runs a closure that writes to the terminal, with the bar hidden.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        self.bar.suspend(write)
    }

    /// Writes a message for the user.
    pub fn say(&self, text: &str) {
        self.aside(|| say(text));
    }
}
