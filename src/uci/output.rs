//! Output: whole lines from any thread, each flushed at once and copied to the debug log.

use std::fmt::{self, Write as _};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use chrono::{DateTime, SecondsFormat, Utc};
use parking_lot::Mutex;

use super::router::CommandRouter;

/// The output of the protocol.
pub struct UciOutput {
    writer: Mutex<Box<dyn Write + Send>>,
    log: Mutex<Option<File>>,
    closed: AtomicBool,
    /// The reason why a line could not be written, unless the reader was gone.
    failure: Mutex<Option<io::Error>>,
    has_errors: AtomicBool,
    /// Stops all work once the output is closed.
    router: Arc<CommandRouter>,
}

impl fmt::Debug for UciOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UciOutput")
            .field("closed", &self.closed)
            .finish_non_exhaustive()
    }
}

impl UciOutput {
    /// Creates an output without a log.
    pub fn new(writer: Box<dyn Write + Send>, router: Arc<CommandRouter>) -> UciOutput {
        UciOutput {
            writer: Mutex::new(writer),
            log: Mutex::new(None),
            closed: AtomicBool::new(false),
            failure: Mutex::new(None),
            has_errors: AtomicBool::new(false),
            router,
        }
    }

    /// Writes a line, or several that belong together. If they cannot be written, all work is
    /// stopped and [`UciOutput::is_closed`] returns true from then on.
    pub fn line(&self, text: impl fmt::Display) {
        let mut text = text.to_string();
        self.log('<', &text);
        text.push('\n');
        let mut writer = self.writer.lock();
        let written = writer
            .write_all(text.as_bytes())
            .and_then(|()| writer.flush());
        drop(writer);
        if let Err(error) = written {
            if error.kind() != io::ErrorKind::BrokenPipe {
                self.failure.lock().get_or_insert(error);
            }
            self.closed.store(true, Ordering::Relaxed);
            self.router.stop_everything();
        }
    }

    /// Writes an `info string` for each line of a message for the user.
    pub fn info(&self, text: impl fmt::Display) {
        self.strings("", &text.to_string());
    }

    /// Writes an error message as `info string error: ..`.
    pub fn error(&self, text: impl fmt::Display) {
        self.has_errors.store(true, Ordering::Relaxed);
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

    /// Tells whether an error message was written.
    pub fn has_errors(&self) -> bool {
        self.has_errors.load(Ordering::Relaxed)
    }

    /// Checks that all lines were written, or that the reader was gone.
    ///
    /// # Errors
    /// Returns the error of the first line that could not be written.
    pub fn check(&self) -> io::Result<()> {
        self.failure.lock().take().map_or(Ok(()), Err)
    }

    /// Tells whether a line could not be written.
    pub fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed)
    }

    /// Appends all input and output to this file from now on; to none if the path is empty.
    ///
    /// # Errors
    /// Fails when the path cannot be opened or is not a regular file; the old log is kept.
    pub fn set_log(&self, path: &Path) -> io::Result<()> {
        let log = if path.as_os_str().is_empty() {
            None
        } else {
            // Opening a named pipe would wait for its reader.
            if path.metadata().is_ok_and(|found| !found.is_file()) {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file"));
            }
            Some(OpenOptions::new().create(true).append(true).open(path)?)
        };
        *self.log.lock() = log;
        Ok(())
    }

    /// Logs a line of input.
    pub fn log_input(&self, line: &str) {
        self.log('>', line.trim_end_matches(['\r', '\n']));
    }

    fn log(&self, direction: char, text: &str) {
        let mut log = self.log.lock();
        let Some(file) = log.as_mut() else {
            return;
        };
        let now = DateTime::<Utc>::from(SystemTime::now());
        let time = now.to_rfc3339_opts(SecondsFormat::Millis, true);
        let mut entry = String::new();
        for line in text.split('\n') {
            let _ = writeln!(entry, "{time} {direction} {line}");
        }
        // A full disk must not end a game.
        if file
            .write_all(entry.as_bytes())
            .and_then(|()| file.flush())
            .is_err()
        {
            *log = None;
        }
    }
}

#[cfg(test)]
pub mod test_support {
    //! An output in memory.

    use super::*;

    /// What has been written.
    pub type Written = Arc<Mutex<Vec<u8>>>;

    struct SharedWriter(Written);

    impl Write for SharedWriter {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Returns an output in memory.
    pub fn in_memory(router: Arc<CommandRouter>) -> (UciOutput, Written) {
        let written = Written::default();
        let writer = SharedWriter(written.clone());
        (UciOutput::new(Box::new(writer), router), written)
    }

    /// Takes the output since the last call.
    pub fn written(written: &Written) -> String {
        let mut bytes = written.lock();
        String::from_utf8(std::mem::take(&mut *bytes)).unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_closed_output_stops_everything() {
        struct Closed(io::ErrorKind);
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(self.0.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        for kind in [io::ErrorKind::BrokenPipe, io::ErrorKind::StorageFull] {
            let router = Arc::new(CommandRouter::default());
            let output = UciOutput::new(Box::new(Closed(kind)), router.clone());
            assert!(!output.is_closed() && !router.control().is_stopped(7));
            output.info("hello?");
            assert!(output.is_closed() && router.control().is_stopped(7));
            // A reader that has gone away has seen enough.
            let is_gone = kind == io::ErrorKind::BrokenPipe;
            assert_eq!(output.check().is_ok(), is_gone);
        }
    }
}
