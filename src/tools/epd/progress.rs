//! How far a run has got: a bar on a terminal, a line now and then elsewhere.

use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Time between two lines.
const LINE_EVERY: Duration = Duration::from_secs(30);

/// Says how far a run has got, on standard error.
#[derive(Debug)]
pub struct Progress {
    bar: Option<ProgressBar>,
    total: usize,
    last_line: Instant,
}

impl Progress {
    /// At the beginning of a run with so many searches; a silent one says nothing by itself.
    pub fn new(total: usize, silent: bool) -> Progress {
        let bar = (io::stderr().is_terminal() && !silent).then(|| {
            let bar = ProgressBar::new(total as u64);
            let template = "{elapsed_precise} [{bar:30}] {pos}/{len} {msg} (eta {eta})";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style.progress_chars("=> "));
            }
            bar.enable_steady_tick(Duration::from_secs(1));
            bar
        });
        Progress {
            bar,
            total,
            last_line: Instant::now(),
        }
    }

    /// So many searches are done.
    pub fn update(&mut self, done: usize, message: &str) {
        if let Some(bar) = &self.bar {
            bar.set_position(done as u64);
            bar.set_message(message.to_owned());
        } else if self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            self.complain(&format!("{done}/{} {message}", self.total));
        }
    }

    /// Does something that writes, without the bar in its way.
    pub fn aside<T>(&self, write: impl FnOnce() -> T) -> T {
        match &self.bar {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    /// Something a person should know. It does not matter when nobody listens.
    pub fn complain(&self, text: &str) {
        self.aside(|| {
            let _ = writeln!(io::stderr(), "{text}");
        });
    }

    /// The run has come to its end.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
