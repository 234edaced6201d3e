//! What goes out: whole lines, from any thread, each written and flushed at once, and kept in the debug log.

use std::fmt::{self, Write as _};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use super::desk::Desk;

/// The one way out.
pub struct Output {
    writer: Mutex<Box<dyn Write + Send>>,
    log: Mutex<Option<File>>,
    closed: AtomicBool,
    /// Whom to tell when nobody listens any more.
    desk: Arc<Desk>,
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output")
            .field("closed", &self.closed)
            .finish_non_exhaustive()
    }
}

impl Output {
    /// An output without a log.
    pub fn new(writer: Box<dyn Write + Send>, desk: Arc<Desk>) -> Output {
        Output {
            writer: Mutex::new(writer),
            log: Mutex::new(None),
            closed: AtomicBool::new(false),
            desk,
        }
    }

    /// Writes a line, or several that belong together. When they cannot be written nobody is listening: everything is
    /// told to stop, and [`Output::is_closed`] says so from then on.
    pub fn line(&self, text: impl fmt::Display) {
        let mut text = text.to_string();
        self.log('<', &text);
        text.push('\n');
        let mut writer = lock(&self.writer);
        let written = writer
            .write_all(text.as_bytes())
            .and_then(|()| writer.flush());
        drop(writer);
        if written.is_err() {
            self.closed.store(true, Ordering::Relaxed);
            self.desk.stop_everything();
        }
    }

    /// Tells a person something: an `info string` for each line of the text.
    pub fn info(&self, text: impl fmt::Display) {
        self.strings("", &text.to_string());
    }

    /// Tells a person what was wrong.
    pub fn error(&self, text: impl fmt::Display) {
        self.strings("error: ", &text.to_string());
    }

    fn strings(&self, prefix: &str, text: &str) {
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let mut strings = String::new();
        for line in lines {
            if !strings.is_empty() {
                strings.push('\n');
            }
            let _ = write!(strings, "info string {prefix}{line}");
        }
        if !strings.is_empty() {
            self.line(strings);
        }
    }

    /// Whether a line could not be written.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Appends all lines from now on, in and out, to this file; to none if the path is empty.
    ///
    /// # Errors
    /// When the file cannot be opened, or is something else than a file; then the log stays what it was.
    pub fn set_log(&self, path: &str) -> io::Result<()> {
        let log = if path.is_empty() {
            None
        } else {
            // Opening a named pipe would wait for its reader.
            if Path::new(path)
                .metadata()
                .is_ok_and(|found| !found.is_file())
            {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file"));
            }
            Some(OpenOptions::new().create(true).append(true).open(path)?)
        };
        *lock(&self.log) = log;
        Ok(())
    }

    /// Notes a line that was read.
    pub fn log_input(&self, line: &str) {
        self.log('>', line.trim_end_matches(['\r', '\n']));
    }

    fn log(&self, direction: char, text: &str) {
        let mut log = lock(&self.log);
        let Some(file) = log.as_mut() else {
            return;
        };
        let time = timestamp(SystemTime::now());
        let mut entry = String::new();
        for line in text.split('\n') {
            let _ = writeln!(entry, "{time} {direction} {line}");
        }
        // A full disk is no reason to stop playing.
        if file
            .write_all(entry.as_bytes())
            .and_then(|()| file.flush())
            .is_err()
        {
            *log = None;
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A time as ISO 8601 writes it, in UTC, to the millisecond.
fn timestamp(time: SystemTime) -> String {
    let since = time.duration_since(UNIX_EPOCH).unwrap_or_default();
    let seconds = since.as_secs();
    let (year, month, day) = civil(seconds / 86_400);
    let (hour, minute, second) = (seconds / 3_600 % 24, seconds / 60 % 60, seconds % 60);
    let millis = since.subsec_millis();
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millis:03}Z")
}

/// Year, month and day of a number of days since 1970-01-01.
fn civil(mut days: u64) -> (u64, u64, u64) {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn timestamps() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00.007Z"),
            (951_782_400, "2000-02-29T00:00:00.007Z"),
            (1_735_689_599, "2024-12-31T23:59:59.007Z"),
            (1_740_787_200, "2025-03-01T00:00:00.007Z"),
        ] {
            let time = UNIX_EPOCH + Duration::from_secs(seconds) + Duration::from_millis(7);
            assert_eq!(timestamp(time), text);
        }
    }

    #[test]
    fn a_closed_output_stops_everything() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let desk = Arc::new(Desk::default());
        let output = Output::new(Box::new(Closed), desk.clone());
        assert!(!output.is_closed() && !desk.control().is_stopped(7));
        output.info("anyone?");
        assert!(output.is_closed() && desk.control().is_stopped(7));
    }
}
