//! A child process that is written to and read from line by line. No call blocks for longer than
//! its caller allows.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

/// Longer lines are cut off here, in bytes.
const MAX_LINE_BYTES: u64 = 1 << 16;
/// The most lines that wait to be read. A program that writes more is blocked.
const QUEUED_LINES: usize = 1_024;
/// The time that a program has to exit by itself.
const EXIT_PATIENCE: Duration = Duration::from_millis(500);

/// A running program. It is ended when this is dropped.
#[derive(Debug)]
pub struct Process {
    child: Child,
    input: Sender<String>,
    lines: Receiver<(Instant, String)>,
}

/// The reason why there is no line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoLine {
    /// None came in time.
    Timeout,
    /// The program has exited or closed its output.
    Closed,
}

impl Process {
    /// Starts a program.
    ///
    /// # Errors
    /// Fails when the system does not start it.
    pub fn start(program: &str, arguments: &[String]) -> io::Result<Process> {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        // Ctrl+C is meant for this program, which then ends the engines.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let missing = || io::Error::other("no pipe");
        let output = child.stdout.take().ok_or_else(missing)?;
        let input = child.stdin.take().ok_or_else(missing)?;
        let (line_sender, lines) = bounded(QUEUED_LINES);
        let (input_sender, to_write) = bounded(QUEUED_LINES);
        // From here on, dropping it ends the program.
        let process = Process {
            child,
            input: input_sender,
            lines,
        };
        thread::Builder::new()
            .name("engine-output".to_owned())
            .spawn(move || read_lines(BufReader::new(output), &line_sender))?;
        // Writing to a program that does not read would block.
        thread::Builder::new()
            .name("engine-input".to_owned())
            .spawn(move || write_lines(input, &to_write))?;
        Ok(process)
    }

    /// Sends a line. A program that has exited or does not read is noticed by its missing answer.
    pub fn send(&self, line: impl Into<String>) {
        let _ = self.input.try_send(line.into());
    }

    /// Returns the next line and the time it came.
    ///
    /// # Errors
    /// Fails when no line comes in time, or none can come any more.
    pub fn line_within(&self, time: Duration) -> Result<(Instant, String), NoLine> {
        self.lines.recv_timeout(time).map_err(|error| match error {
            RecvTimeoutError::Timeout => NoLine::Timeout,
            RecvTimeoutError::Disconnected => NoLine::Closed,
        })
    }

    /// Returns the exit status, such as `exit status: 1`, if the program has exited.
    pub fn exit_status(&mut self) -> Option<String> {
        let end = Instant::now() + EXIT_PATIENCE;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status.to_string()),
                Ok(None) if Instant::now() < end => thread::sleep(Duration::from_millis(5)),
                _ => return None,
            }
        }
    }

    /// Kills the program with its children: an engine may be a script that starts the engine.
    fn kill(&mut self) {
        #[cfg(unix)]
        if let Ok(group) = i32::try_from(self.child.id()) {
            use nix::sys::signal::{Signal, killpg};
            let _ = killpg(nix::unistd::Pid::from_raw(group), Signal::SIGKILL);
        }
        let _ = self.child.kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.send("quit");
        if self.exit_status().is_none() {
            self.kill();
            let _ = self.child.wait();
        }
    }
}

fn read_lines(mut output: impl BufRead, lines: &Sender<(Instant, String)>) {
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match output
            .by_ref()
            .take(MAX_LINE_BYTES)
            .read_until(b'\n', &mut bytes)
        {
            Ok(0) | Err(_) => return,
            Ok(_) => {
                if !bytes.ends_with(b"\n") && output.skip_until(b'\n').is_err() {
                    return;
                }
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
