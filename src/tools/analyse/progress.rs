//! How far a run has got: a bar on a terminal, a line now and then elsewhere.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

/// Time between two lines.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// Counts what has been done. The measure of the whole is the source's length, when it is known.
#[derive(Debug)]
pub struct Progress {
    bar: Option<ProgressBar>,
    total: Option<u64>,
    /// Bytes that were done when the run began, and have been done since.
    before: AtomicU64,
    bytes: AtomicU64,
    games: AtomicU64,
    positions: AtomicU64,
    start: Instant,
    last_line: Mutex<Instant>,
}

impl Progress {
    /// At the beginning of a run through a source of so many bytes.
    pub fn new(total: Option<u64>) -> Progress {
        let bar = io::stderr().is_terminal().then(|| {
            let (bar, template) = match total {
                Some(total) => (
                    ProgressBar::new(total),
                    "{elapsed_precise} [{bar:30}] {percent}% {msg}",
                ),
                None => (
                    ProgressBar::no_length(),
                    "{elapsed_precise} {spinner} {msg}",
                ),
            };
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style.progress_chars("=> "));
            }
            bar.enable_steady_tick(Duration::from_secs(1));
            bar
        });
        let start = Instant::now();
        Progress {
            bar,
            total,
            before: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            games: AtomicU64::new(0),
            positions: AtomicU64::new(0),
            start,
            last_line: Mutex::new(start),
        }
    }

    /// The run begins behind so many bytes.
    pub fn begin_at(&self, bytes: u64) {
        self.before.store(bytes, Ordering::Relaxed);
    }

    /// A position has been searched, which is worth so many bytes of the source.
    pub fn add_position(&self, bytes: u64) {
        self.positions.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
        self.show();
    }

    /// A game has been done.
    pub fn add_game(&self) {
        self.games.fetch_add(1, Ordering::Relaxed);
        self.show();
    }

    /// The run has come to its end.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        self.say(&self.message(false));
    }

    /// Something a person should know. It does not matter when nobody listens.
    pub fn say(&self, text: &str) {
        let line = || {
            let _ = writeln!(io::stderr(), "{text}");
        };
        match &self.bar {
            Some(bar) => bar.suspend(line),
            None => line(),
        }
    }

    fn show(&self) {
        if let Some(bar) = &self.bar {
            let done = self.before.load(Ordering::Relaxed) + self.bytes.load(Ordering::Relaxed);
            bar.set_position(self.total.map_or(done, |total| done.min(total)));
            bar.set_message(self.message(true));
            return;
        }
        let mut last_line = self
            .last_line
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if last_line.elapsed() >= LINE_EVERY {
            *last_line = Instant::now();
            self.say(&self.message(true));
        }
    }

    fn message(&self, is_running: bool) -> String {
        let games = self.games.load(Ordering::Relaxed);
        let positions = self.positions.load(Ordering::Relaxed);
        let mut text = format!("{games} games, {positions} positions analysed");
        if is_running && let Some(left) = self.time_left() {
            text.push_str(&format!(", {} left", HumanDuration(left)));
        }
        text
    }

    fn time_left(&self) -> Option<Duration> {
        let bytes = self.bytes.load(Ordering::Relaxed);
        let done = self.before.load(Ordering::Relaxed) + bytes;
        let left = self.total?.checked_sub(done)?;
        let seconds = self.start.elapsed().as_secs_f64() * left as f64 / bytes as f64;
        Duration::try_from_secs_f64(seconds).ok()
    }
}
