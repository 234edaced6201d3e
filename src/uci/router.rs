//! The reading thread: decides which commands act at once and which wait in the queue.
//!
//! Two threads meet here. The reading thread never waits for the engine: `stop`, `ponderhit` and
//! `quit` act through [`Control`] on the `go` they are meant for, even if that is still in the
//! queue. All other commands are appended to one queue, which the thread that owns the engine works
//! through in order.
//!
//! `isready` is a special case, because GUIs send it for two reasons. Between games it asks whether
//! the options set before it have taken effect, so it waits behind them in the queue. During a
//! search it asks whether the engine is alive, so it is answered at once, unless the search has been
//! told to stop. Behind a search that has not begun it is answered when that search begins, since
//! behind `go infinite` it would wait forever.

use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::time::Instant;

use crossbeam_channel::Sender;
use parking_lot::Mutex;

use super::command::{Command, CommandError};
use super::line_text;
use super::output::UciOutput;
use crate::engine::Control;

/// The longest line that is read, in bytes. A game of 3,000 moves takes 15,000.
const MAX_LINE: u64 = 1 << 24;

/// An entry of the queue.
#[derive(Debug)]
pub enum Job {
    /// A command that takes no time.
    Command(Command),
    /// A command that may take long and that `stop` reaches: `go`, `perft`, `bench`, `genfens`.
    Work {
        /// Its number, from 1.
        number: u64,
        /// When its line was read.
        received: Instant,
        /// The command.
        command: Command,
    },
    /// A line that is not a command. It waits its turn so that the error appears in order.
    Refused(CommandError),
    /// A line that was too long to be kept.
    TooLong,
}

/// Routes commands: to the running search or into the queue.
#[derive(Debug, Default)]
pub struct CommandRouter {
    control: Control,
    state: Mutex<RouterState>,
}

#[derive(Debug, Default)]
struct RouterState {
    /// The number of the newest work.
    latest: u64,
    /// Number of jobs in the queue.
    waiting: usize,
    /// The running work, if any.
    running: Option<Running>,
    /// Number of `readyok` to send when the next work begins.
    pending_readyok: usize,
    /// Set at the end of input, after which nobody can send `stop`.
    input_ended: bool,
}

#[derive(Clone, Copy, Debug)]
struct Running {
    number: u64,
    ending: Ending,
}

/// The events that end work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Its own limits.
    Limits,
    /// Its own limits, after a `ponderhit`.
    LimitsAfterPonderHit,
    /// Only `stop`.
    Stop,
}

impl CommandRouter {
    /// Returns the control that stops searches and counts.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// Stops all work, running or not, because the output is closed.
    pub fn stop_everything(&self) {
        self.control.stop(u64::MAX);
    }

    /// Returns the queue entry of a command. Work gets its number.
    pub fn job(&self, command: Command, received: Instant) -> Job {
        if !matches!(
            command,
            Command::Go(_) | Command::Perft(_) | Command::Bench(_) | Command::GenFens(_)
        ) {
            return Job::Command(command);
        }
        let mut state = self.state.lock();
        state.latest += 1;
        state.waiting += 1;
        Job::Work {
            number: state.latest,
            received,
            command,
        }
    }

    /// Marks the next work as running and returns the number of pending `readyok`. Work that only
    /// input can end is stopped if the input has ended.
    pub fn begin_work(&self, number: u64, ending: Ending) -> usize {
        let mut state = self.state.lock();
        state.waiting = state.waiting.saturating_sub(1);
        state.running = Some(Running { number, ending });
        if state.input_ended {
            self.stop_unless_bounded(Running { number, ending });
        }
        std::mem::take(&mut state.pending_readyok)
    }

    /// Stops work that waits for input.
    fn stop_unless_bounded(&self, Running { number, ending }: Running) {
        let is_bounded = match ending {
            Ending::Limits => true,
            Ending::LimitsAfterPonderHit => self.control.ponderhit_time(number).is_some(),
            Ending::Stop => false,
        };
        if !is_bounded {
            self.control.stop(number);
        }
    }

    /// Marks the running work as done. For `go` and `perft` this is called before the last line is
    /// written, because a GUI may answer that line with `setoption` and `isready`, which must then
    /// take their turn.
    pub fn end_work(&self) {
        self.state.lock().running = None;
    }

    /// Routes one command. Breaks after the last one.
    fn accept(
        &self,
        command: Command,
        received: Instant,
        queue: &Sender<Job>,
        output: &UciOutput,
    ) -> ControlFlow<()> {
        let job = match command {
            Command::Blank => return ControlFlow::Continue(()),
            Command::Stop => {
                self.stop_latest();
                return ControlFlow::Continue(());
            }
            Command::PonderHit => {
                self.ponderhit(received);
                return ControlFlow::Continue(());
            }
            Command::Quit => {
                self.stop_latest();
                let _ = queue.send(Job::Command(Command::Quit));
                return ControlFlow::Break(());
            }
            Command::IsReady => {
                let mut state = self.state.lock();
                let is_searching = |running: Running| !self.control.is_stopped(running.number);
                if state.running.is_some_and(is_searching) {
                    drop(state);
                    output.line("readyok");
                    return ControlFlow::Continue(());
                }
                if state.waiting > 0 {
                    state.pending_readyok += 1;
                    return ControlFlow::Continue(());
                }
                Job::Command(Command::IsReady)
            }
            command => self.job(command, received),
        };
        send(queue, job)
    }

    /// Stops all work read so far.
    fn stop_latest(&self) {
        let latest = self.state.lock().latest;
        self.control.stop(latest);
    }

    /// Records that the pondered move of the newest work was played.
    pub fn ponderhit(&self, received: Instant) {
        let latest = self.state.lock().latest;
        self.control.ponderhit(latest, received);
    }

    /// Decides whether unbounded work is stopped when it begins, because no more input will come.
    pub fn set_input_ended(&self, ended: bool) {
        self.state.lock().input_ended = ended;
    }

    /// Handles the end of input: bounded work still runs to its end, unbounded work is stopped.
    fn end_input(&self) {
        let mut state = self.state.lock();
        state.input_ended = true;
        if let Some(running) = state.running {
            self.stop_unless_bounded(running);
        }
    }
}

fn send(queue: &Sender<Job>, job: Job) -> ControlFlow<()> {
    match queue.send(job) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    }
}

/// Reads and routes lines until `quit` or the end of input.
pub fn read_commands(
    input: impl Read,
    router: &CommandRouter,
    queue: &Sender<Job>,
    output: &UciOutput,
) {
    let mut input = BufReader::new(input);
    let mut bytes = Vec::new();
    loop {
        let next = match read_line(&mut input, &mut bytes) {
            Ok(InputLine::Complete) => {
                let received = Instant::now();
                output.log_input(&line_text::decode(&bytes));
                match line_text::parse(&bytes) {
                    Ok(command) => router.accept(command, received, queue, output),
                    Err(error) => send(queue, Job::Refused(error)),
                }
            }
            Ok(InputLine::TooLong) => send(queue, Job::TooLong),
            Ok(InputLine::End) | Err(_) => {
                router.end_input();
                // The loop ends when the rest of the queue is done.
                let _ = queue.send(Job::Command(Command::Quit));
                ControlFlow::Break(())
            }
        };
        if next.is_break() {
            return;
        }
    }
}

enum InputLine {
    Complete,
    TooLong,
    End,
}

/// Reads one line as bytes, because a line may be invalid UTF-8.
fn read_line(input: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<InputLine> {
    bytes.clear();
    let read = input.by_ref().take(MAX_LINE).read_until(b'\n', bytes)?;
    if read == 0 {
        return Ok(InputLine::End);
    }
    if read as u64 == MAX_LINE && !bytes.ends_with(b"\n") {
        *bytes = Vec::new();
        input.skip_until(b'\n')?;
        return Ok(InputLine::TooLong);
    }
    Ok(InputLine::Complete)
}

#[cfg(test)]
mod tests;
