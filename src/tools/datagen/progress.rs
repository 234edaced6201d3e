//! How far a run has got: a bar on a terminal, a line now and then elsewhere.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use super::run_file::Tally;

/// Time between two lines.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// Says how far a run has got.
#[derive(Debug)]
pub struct Progress {
    bar: Option<ProgressBar>,
    target: u64,
    /// What was there when the run began.
    before: Tally,
    start: Instant,
    last_line: Instant,
}

impl Progress {
    /// At the beginning of a run, on the way to so many positions.
    pub fn new(target: u64, before: Tally) -> Progress {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(target);
            let template = "{elapsed_precise} [{bar:30}] {percent}% {msg}";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style.progress_chars("=> "));
            }
            bar.enable_steady_tick(Duration::from_secs(1));
            bar
        });
        let start = Instant::now();
        Progress {
            bar,
            target,
            before,
            start,
            last_line: start,
        }
    }

    /// A game has been added.
    pub fn update(&mut self, tally: &Tally) {
        if let Some(bar) = &self.bar {
            bar.set_position(tally.positions.min(self.target));
            bar.set_message(self.message(tally));
        } else if self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            self.say(&self.message(tally));
        }
    }

    /// The run has come to its end.
    pub fn finish(&self, tally: &Tally) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        self.say(&self.message(tally));
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

    fn message(&self, tally: &Tally) -> String {
        let seconds = self.start.elapsed().as_secs_f64().max(1e-3);
        let rate = (tally.positions - self.before.positions) as f64 / seconds;
        let draws = 100.0 * tally.draws as f64 / tally.games.max(1) as f64;
        let mut text = format!(
            "{} positions, {} games, {rate:.0} positions/s, {draws:.1} % drawn",
            tally.positions, tally.games,
        );
        let left = self.target.saturating_sub(tally.positions) as f64 / rate;
        if left > 0.0
            && let Ok(left) = Duration::try_from_secs_f64(left)
        {
            text.push_str(&format!(", {} left", HumanDuration(left)));
        }
        text
    }
}
