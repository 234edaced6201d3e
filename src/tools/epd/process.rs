//! A program that lines go to and come from. Whatever it does, nobody waits for it longer than they said.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

/// Lines are cut off after so many bytes.
const LONGEST_LINE: u64 = 1 << 16;
/// Lines that wait to be read; a program that writes more waits itself.
const WAITING_LINES: usize = 1_024;
/// How long a program may take to end by itself.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// A running program. It ends with this value.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: Sender<String>,
    lines: Receiver<(Instant, String)>,
}

/// Why there is no line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoLine {
    /// Not in this time.
    Timeout,
    /// The program has ended, or closed its output.
    Closed,
}

impl Process {
    /// Starts a program.
    ///
    /// # Errors
    /// When the system does not start it.
    pub fn start(program: &str, arguments: &[String]) -> io::Result<Process> {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        // Ctrl+C is meant for this program, which ends the others itself.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let missing = || io::Error::other("no pipe");
        let output = child.stdout.take().ok_or_else(missing)?;
        let input = child.stdin.take().ok_or_else(missing)?;
        let (line_sender, lines) = bounded(WAITING_LINES);
        let (input_sender, to_write) = bounded(WAITING_LINES);
        thread::Builder::new()
            .name("engine-output".to_owned())
            .spawn(move || read_lines(BufReader::new(output), &line_sender))?;
        // A program that does not read would block whoever writes to it.
        thread::Builder::new()
            .name("engine-input".to_owned())
            .spawn(move || write_lines(input, &to_write))?;
        Ok(Process {
            child,
            input: input_sender,
            lines,
        })
    }

    /// Sends a line. That a program is gone, or does not read, is noticed where its answer is missing.
    pub fn send(&self, line: impl Into<String>) {
        let _ = self.input.try_send(line.into());
    }

    /// The next line and when it came.
    ///
    /// # Errors
    /// When none comes in this time, or none will ever come.
    pub fn line_within(&self, time: Duration) -> Result<(Instant, String), NoLine> {
        self.lines.recv_timeout(time).map_err(|error| match error {
            RecvTimeoutError::Timeout => NoLine::Timeout,
            RecvTimeoutError::Disconnected => NoLine::Closed,
        })
    }

    /// How the program ended, when it has: `exit status: 1`.
    pub fn end(&mut self) -> Option<String> {
        let end = Instant::now() + LAST_WORDS;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Ok(None) if Instant::now() < end => thread::sleep(Duration::from_millis(5)),
                _ => return None,
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send("quit");
        if self.end().is_none() {
            self.kill();
            let _ = self.child.wait();
        }
    }
}

impl Process {
    /// Kills the program, and what it has started: an engine may be a script around the engine.
    fn kill(&mut self) {
        #[cfg(unix)]
        if let Ok(group) = i32::try_from(self.child.id()) {
            use nix::sys::signal::{Signal, killpg};
            let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
        }
        let _ = self.child.kill();
    }
}

fn read_lines(mut output: impl BufRead, lines: &Sender<(Instant, String)>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match output
            .by_ref()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut bytes)
        {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                let line = String::from_utf8_lossy(&bytes).trim_end().to_owned();
                if lines.send((Instant::now(), line)).is_err() {
                    return;
                }
            }
        }
    }
}

fn write_lines(mut input: ChildStdin, lines: &Receiver<String>) {
    for line in lines {
        if writeln!(input, "{line}")
            .and_then(|()| input.flush())
            .is_err()
        {
            return;
        }
    }
}
