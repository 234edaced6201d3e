//! Runs the engine as a process: sends lines, reads lines with a time limit, and ends the process.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(unix)]
pub use nix::sys::signal::Signal;
#[cfg(unix)]
use nix::sys::signal::kill;
#[cfg(unix)]
use nix::unistd::Pid;
use tempfile::TempDir;

/// The time limit of answers that should come at once, generous for a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// The time after which an answer that must not come yet is not expected any more.
pub const MOMENT: Duration = Duration::from_millis(150);

/// Creates a directory whose name contains this one. It is removed at the end of the test.
pub fn temporary_directory(name: &str) -> TempDir {
    tempfile::Builder::new()
        .prefix(&format!("quevedo-{name}-"))
        .tempdir()
        .expect("a temporary directory")
}

/// A running engine.
pub struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    /// All lines so far, for messages.
    seen: Vec<String>,
}

/// Returns a command that runs the program under test, or the Windows program that
/// `QUEVEDO_WINDOWS_EXE` names, under wine.
pub fn command() -> Command {
    match std::env::var_os("QUEVEDO_WINDOWS_EXE") {
        Some(program) => {
            let mut wine = Command::new("wine");
            wine.arg(program);
            wine
        }
        None => Command::new(env!("CARGO_BIN_EXE_quevedo")),
    }
}

/// Sends a signal to a process that has not been waited for.
#[cfg(unix)]
pub fn send_signal(process: &Child, signal: Signal) {
    let id = i32::try_from(process.id()).expect("a process id");
    kill(Pid::from_raw(id), signal).expect("the process is ours");
}

fn spawn(arguments: &[&str]) -> (Child, ChildStdin, ChildStdout) {
    let mut child = command()
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the engine starts");
    let input = child.stdin.take().expect("piped");
    let output = child.stdout.take().expect("piped");
    (child, input, output)
}

impl Engine {
    /// Starts an engine.
    pub fn new() -> Engine {
        Engine::with_arguments(&[])
    }

    /// Starts the program with arguments.
    pub fn with_arguments(arguments: &[&str]) -> Engine {
        let (child, input, output) = spawn(arguments);
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Engine {
            child,
            input: Some(input),
            lines,
            seen: Vec::new(),
        }
    }

    /// Starts an engine whose output is a closed pipe.
    pub fn unheard() -> Engine {
        let (child, input, output) = spawn(&[]);
        drop(output);
        Engine {
            child,
            input: Some(input),
            lines: channel().1,
            seen: Vec::new(),
        }
    }

    /// Sends lines, in one write.
    pub fn send(&mut self, lines: &str) {
        self.send_bytes(format!("{lines}\n").as_bytes());
    }

    /// Sends bytes as they are.
    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("input is open");
        // The missing answer of an engine that has exited is noticed later.
        let _ = input.write_all(bytes).and_then(|()| input.flush());
    }

    /// Closes the engine's input.
    pub fn close_input(&mut self) {
        self.input = None;
    }

    /// Returns the next line if it comes within a time.
    pub fn line_within(&mut self, time: Duration) -> Option<String> {
        match self.lines.recv_timeout(time) {
            Ok(line) => {
                self.seen.push(line.clone());
                Some(line)
            }
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => None,
        }
    }

    /// Reads up to the first line with this beginning. Returns all lines read, with that one last.
    pub fn read_to(&mut self, beginning: &str) -> Vec<String> {
        self.read_to_within(beginning, PATIENCE)
    }

    /// Reads as [`Engine::read_to`] does, with another time limit.
    pub fn read_to_within(&mut self, beginning: &str, time: Duration) -> Vec<String> {
        let end = Instant::now() + time;
        let mut lines = Vec::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Some(line) = self.line_within(left) else {
                panic!(
                    "no {beginning:?} within {time:?}; the engine said\n{}",
                    self.seen.join("\n")
                );
            };
            let found = line.starts_with(beginning);
            lines.push(line);
            if found {
                return lines;
            }
        }
    }

    /// Returns the lines that come within a time, after waiting for all of it.
    pub fn read_for(&mut self, time: Duration) -> Vec<String> {
        let end = Instant::now() + time;
        let mut lines = Vec::new();
        while let Some(line) = self.line_within(end.saturating_duration_since(Instant::now())) {
            lines.push(line);
        }
        lines
    }

    /// Sends `isready` and returns the lines up to `readyok`.
    pub fn ready(&mut self) -> Vec<String> {
        self.send("isready");
        self.read_to("readyok")
    }

    /// Returns the move of the next `bestmove`.
    pub fn best_move(&mut self) -> String {
        let lines = self.read_to("bestmove");
        let last = lines.last().expect("at least that line");
        last.split_whitespace()
            .nth(1)
            .expect("a move or (none)")
            .to_owned()
    }

    /// Checks that no `bestmove` comes within a time and that `isready` is answered.
    pub fn expect_no_move_for(&mut self, time: Duration) {
        let mut lines = self.read_for(time);
        lines.extend(self.ready());
        assert!(
            !lines.iter().any(|line| line.starts_with("bestmove")),
            "too early: {lines:?}"
        );
    }

    /// Returns the FEN that `d` shows.
    pub fn fen(&mut self) -> String {
        self.send("d");
        let lines = self.read_to("Fen: ");
        self.read_to("Checkers:");
        lines
            .last()
            .and_then(|line| line.strip_prefix("Fen: "))
            .expect("a FEN")
            .to_owned()
    }

    /// Returns the number of the process.
    #[cfg(target_os = "linux")]
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a signal.
    #[cfg(unix)]
    pub fn signal(&self, signal: Signal) {
        send_signal(&self.child, signal);
    }

    /// Waits for the end of the process.
    pub fn wait(&mut self) -> ExitStatus {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().expect("the process is ours") {
                return status;
            }
            thread::sleep(Duration::from_millis(5));
        }
        panic!("the engine does not end; it said\n{}", self.seen.join("\n"));
    }

    /// Sends `quit` and checks the exit code.
    pub fn quit(mut self) {
        self.send("quit");
        let status = self.wait();
        assert!(status.success(), "{status}");
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns whether a text looks like a move.
pub fn is_move(text: &str) -> bool {
    matches!(text.len(), 4 | 5)
        && text.chars().all(|c| c.is_ascii_alphanumeric())
        && text.as_bytes().first().is_some_and(u8::is_ascii_lowercase)
}
