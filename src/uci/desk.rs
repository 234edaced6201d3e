//! Where lines arrive and are sorted: what acts at once, and what waits in the queue for its turn.
//!
//! Two threads meet here. The reading thread never waits for the engine: `stop`, `ponderhit` and `quit` act through
//! [`Control`] on the `go` they are meant for, which may still be in the queue; everything else is appended to one ordered
//! queue, which the thread that owns the engine works through.
//!
//! `isready` is a special case, because a GUI sends it for two reasons. Between games it asks whether the options set
//! before it have taken effect, so it stands behind them in the queue. During a search it asks whether the engine is
//! alive, so it is answered at once; behind a search that has not begun it is owed and answered when that begins, since
//! behind `go infinite` it would wait for ever.

use std::io::{self, BufRead, BufReader, Read};
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crossbeam_channel::Sender;

use super::command::{Command, CommandError};
use super::output::Output;
use crate::search::control::Control;

/// The longest line that is read, in bytes. A game of 3,000 moves takes 15,000.
const MAX_LINE: u64 = 1 << 24;

/// What stands in the queue.
#[derive(Debug)]
pub enum Job {
    /// A command that takes its turn.
    Command(Command),
    /// A command that may take long, and that `stop` reaches: `go`, `perft`, `bench`, `genfens`.
    Work {
        /// Counted from 1.
        number: u64,
        /// When its line was read.
        received: Instant,
        /// The command.
        command: Command,
    },
    /// A line that was no command; it has its turn so that the message stands where the line stood.
    Refused(CommandError),
    /// A line that was too long to be kept.
    TooLong,
}

/// See the module's documentation.
#[derive(Debug, Default)]
pub struct Desk {
    control: Control,
    /// How counts and benchmarks are stopped. Kept apart, since the end of input ends a search but lets them finish, so that
    /// `echo "perft 6" | quevedo` counts.
    interruption: Control,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The newest work's number.
    latest: u64,
    /// Pieces of work in the queue.
    waiting: usize,
    /// Whether one of them is being done.
    running: bool,
    /// How many `readyok` are to be said when the next work begins.
    owed: usize,
}

impl Desk {
    /// How searches are stopped.
    pub fn control(&self) -> &Control {
        &self.control
    }

    /// How counts and benchmarks are stopped.
    pub fn interruption(&self) -> &Control {
        &self.interruption
    }

    /// Whether `stop` or `quit` was sent for this work.
    pub fn is_interrupted(&self, number: u64) -> bool {
        self.interruption.is_stopped(number)
    }

    /// Stops whatever runs and whatever will run: nobody is there to see it.
    pub fn stop_everything(&self) {
        self.interruption.stop(u64::MAX);
        self.control.stop(u64::MAX);
    }

    /// A command as it stands in the queue; work gets its number.
    pub fn job(&self, command: Command, received: Instant) -> Job {
        if !matches!(
            command,
            Command::Go(_) | Command::Perft(_) | Command::Bench(_) | Command::GenFens(_)
        ) {
            return Job::Command(command);
        }
        let mut state = self.lock();
        state.latest += 1;
        state.waiting += 1;
        Job::Work {
            number: state.latest,
            received,
            command,
        }
    }

    /// The next piece of work begins: says how many `readyok` are owed.
    pub fn begin_work(&self) -> usize {
        let mut state = self.lock();
        state.waiting = state.waiting.saturating_sub(1);
        state.running = true;
        std::mem::take(&mut state.owed)
    }

    /// The work is done. To be called before the last line of a search or a count is written: whoever answers that line with
    /// `setoption` and `isready` has to find the desk idle.
    pub fn end_work(&self) {
        self.lock().running = false;
    }

    /// Sorts one command. Breaks when it was the last one.
    fn accept(
        &self,
        command: Command,
        received: Instant,
        queue: &Sender<Job>,
        output: &Output,
    ) -> ControlFlow<()> {
        let job = match command {
            Command::Blank => return ControlFlow::Continue(()),
            Command::Stop => {
                let latest = self.lock().latest;
                self.interruption.stop(latest);
                self.control.stop(latest);
                return ControlFlow::Continue(());
            }
            Command::PonderHit => {
                let latest = self.lock().latest;
                self.control.ponderhit(latest, received);
                return ControlFlow::Continue(());
            }
            Command::Quit => {
                self.interruption.stop(self.lock().latest);
                self.quit(queue);
                return ControlFlow::Break(());
            }
            Command::IsReady => {
                let mut state = self.lock();
                if state.running {
                    drop(state);
                    output.line("readyok");
                    return ControlFlow::Continue(());
                }
                if state.waiting > 0 {
                    state.owed += 1;
                    return ControlFlow::Continue(());
                }
                Job::Command(Command::IsReady)
            }
            command => self.job(command, received),
        };
        send(queue, job)
    }

    /// Ends the searches and, when the queue is done, the loop.
    fn quit(&self, queue: &Sender<Job>) {
        let latest = self.lock().latest;
        self.control.stop(latest);
        let _ = queue.send(Job::Command(Command::Quit));
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn send(queue: &Sender<Job>, job: Job) -> ControlFlow<()> {
    match queue.send(job) {
        Ok(()) => ControlFlow::Continue(()),
        Err(_) => ControlFlow::Break(()),
    }
}

/// The reading thread: reads lines until `quit` or the end of input, which is the same.
pub fn read_commands(input: impl Read, desk: &Desk, queue: &Sender<Job>, output: &Output) {
    let mut input = BufReader::new(input);
    let mut bytes = Vec::new();
    loop {
        let next = match read_line(&mut input, &mut bytes) {
            Ok(Line::Complete) => {
                let received = Instant::now();
                let line = String::from_utf8_lossy(&bytes);
                output.log_input(&line);
                match line.parse() {
                    Ok(command) => desk.accept(command, received, queue, output),
                    Err(error) => send(queue, Job::Refused(error)),
                }
            }
            Ok(Line::TooLong) => send(queue, Job::TooLong),
            Ok(Line::End) | Err(_) => {
                desk.quit(queue);
                ControlFlow::Break(())
            }
        };
        if next.is_break() {
            return;
        }
    }
}

enum Line {
    Complete,
    TooLong,
    End,
}

/// Reads one line as bytes, because a line that is not UTF-8 is a line too.
fn read_line(input: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<Line> {
    bytes.clear();
    let read = input.by_ref().take(MAX_LINE).read_until(b'\n', bytes)?;
    if read == 0 {
        return Ok(Line::End);
    }
    if read as u64 == MAX_LINE && !bytes.ends_with(b"\n") {
        *bytes = Vec::new();
        input.skip_until(b'\n')?;
        return Ok(Line::TooLong);
    }
    Ok(Line::Complete)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    /// Feeds text to the desk; what came out at once, and what is in the queue.
    fn feed(desk: &Arc<Desk>, text: &[u8]) -> Vec<Job> {
        let output = Output::new(Box::new(io::sink()), desk.clone());
        let (sender, receiver) = crossbeam_channel::unbounded();
        read_commands(text, desk, &sender, &output);
        receiver.try_iter().collect()
    }

    #[test]
    fn the_queue_keeps_the_order() {
        let desk = Arc::new(Desk::default());
        let jobs = feed(
            &desk,
            b"uci\r\n\r\nisready\n\xff\xfe\ngo depth 1\nd\nquit\nuci\n",
        );
        assert!(
            matches!(
                &jobs[..],
                [
                    Job::Command(Command::Uci),
                    Job::Command(Command::IsReady),
                    Job::Refused(CommandError::Unknown(_)),
                    Job::Work { number: 1, .. },
                    Job::Command(Command::Display),
                    Job::Command(Command::Quit),
                ]
            ),
            "{jobs:?}"
        );
        assert!(desk.control().is_stopped(1) && !desk.control().is_stopped(2));
        assert!(desk.is_interrupted(1) && !desk.is_interrupted(2));
        // The end of input is not as impatient as quit.
        let desk = Arc::new(Desk::default());
        feed(&desk, b"perft 6");
        assert!(desk.control().is_stopped(1) && !desk.is_interrupted(1));
    }

    #[test]
    fn isready_is_owed_behind_work_that_waits() {
        let desk = Arc::new(Desk::default());
        let jobs = feed(&desk, b"go infinite\nisready\nisready\n");
        assert_eq!(jobs.len(), 2, "{jobs:?}");
        assert_eq!(desk.begin_work(), 2);
        let jobs = feed(&desk, b"isready\n");
        assert_eq!(jobs.len(), 1, "answered at once: {jobs:?}");
        desk.end_work();
        let jobs = feed(&desk, b"isready\n");
        assert_eq!(jobs.len(), 2, "takes its turn: {jobs:?}");
    }

    #[test]
    fn stop_reaches_what_was_read_before_it() {
        let desk = Arc::new(Desk::default());
        feed(
            &desk,
            b"stop\ngo infinite\ngo infinite\nstop\ngo infinite\nponderhit",
        );
        assert!(desk.is_interrupted(2) && !desk.is_interrupted(3));
        assert!(desk.control().ponderhit_time(3).is_some());
    }

    #[test]
    fn a_line_without_end_is_not_kept() {
        let desk = Arc::new(Desk::default());
        let mut text = vec![b'x'; MAX_LINE as usize + 10];
        text.extend_from_slice(b"\nuci");
        let jobs = feed(&desk, &text);
        assert!(
            matches!(
                &jobs[..],
                [
                    Job::TooLong,
                    Job::Command(Command::Uci),
                    Job::Command(Command::Quit)
                ]
            ),
            "{}",
            jobs.len()
        );
    }
}
