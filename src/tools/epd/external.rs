//! Any other UCI engine: started, asked, watched, and started anew when it fails.

use std::time::{Duration, Instant};

use super::info::{self, Said};
use super::limits::SearchArgs;
use super::process::{NoLine, Process};
use super::report::Attempt;
use super::solver::{EngineSpec, Failure, Interrupt, Solver};
use super::suite::Entry;
use super::trace::Trace;
use crate::position::notation;

/// What an engine may take longer than its time.
const GRACE: Duration = Duration::from_secs(5);
/// What it may take when its limit is not a time.
const LONGEST_SEARCH: Duration = Duration::from_secs(600);
/// What it may take to get ready.
const LONGEST_START: Duration = Duration::from_secs(30);
/// What it may take to answer when it was told to stop.
const LONGEST_STOP: Duration = Duration::from_secs(2);
/// How often to see whether the run is to end.
const TICK: Duration = Duration::from_millis(50);

/// Another engine.
pub struct External<'a> {
    program: String,
    arguments: Vec<String>,
    options: &'a [(String, String)],
    search: &'a SearchArgs,
    timeout: Option<Duration>,
    interrupt: &'a Interrupt,
    process: Option<Process>,
    name: Option<String>,
    chess960: bool,
    notes: Vec<String>,
}

/// What the engine said about itself.
#[derive(Default)]
struct Identity {
    name: Option<String>,
    options: Vec<String>,
}

impl<'a> External<'a> {
    /// An engine that is started when it is first needed.
    ///
    /// # Errors
    /// When there is no command.
    pub fn new(
        spec: &'a EngineSpec,
        search: &'a SearchArgs,
        timeout: Option<Duration>,
        interrupt: &'a Interrupt,
    ) -> Result<External<'a>, String> {
        let Some((program, arguments)) = spec.command.as_deref().and_then(<[String]>::split_first)
        else {
            return Err("there is no command".to_owned());
        };
        Ok(External {
            program: program.clone(),
            arguments: arguments.to_vec(),
            options: &spec.options,
            search,
            timeout,
            interrupt,
            process: None,
            name: None,
            chess960: false,
            notes: Vec::new(),
        })
    }

    /// Starts the engine and ends it again, to see whether there is such a program.
    ///
    /// # Errors
    /// When there is not.
    pub fn check(&self) -> Result<(), String> {
        Process::start(&self.program, &self.arguments)
            .map(drop)
            .map_err(|error| error.to_string())
    }

    /// Starts the engine and sets its options.
    fn start(&mut self) -> Result<Process, Failure> {
        let mut process = Process::start(&self.program, &self.arguments)
            .map_err(|error| Failure::Fault(format!("does not start: {error}")))?;
        let mut identity = Identity::default();
        process.send("uci");
        self.wait_for(&mut process, "uciok", |line| identity.hear(line))?;
        let given = [
            ("Threads".to_owned(), self.search.threads.to_string()),
            ("Hash".to_owned(), self.search.hash.to_string()),
        ];
        for (name, value) in &given {
            if identity.has(name) {
                process.send(format!("setoption name {name} value {value}"));
            }
        }
        for (name, value) in self.options {
            if !identity.has(name) {
                self.notes.push(format!("has no option {name:?}"));
            }
            process.send(format!("setoption name {name} value {value}"));
        }
        self.name = identity.name.or(self.name.take());
        self.chess960 = false;
        process.send("isready");
        self.wait_for(&mut process, "readyok", |_| {})?;
        Ok(process)
    }

    /// Waits until the engine says a word that it has been asked for.
    fn wait_for(
        &self,
        process: &mut Process,
        word: &str,
        mut hear: impl FnMut(&str),
    ) -> Result<(), Failure> {
        let patience = self
            .timeout
            .map_or(LONGEST_START, |timeout| timeout.min(LONGEST_START));
        let end = Instant::now() + patience;
        loop {
            match self.next_line(process, end)? {
                Some((_, line)) if line.split_whitespace().next() == Some(word) => return Ok(()),
                Some((_, line)) => hear(&line),
                None => {
                    let text = format!("no {word} in {} s", patience.as_secs_f32());
                    return Err(Failure::Fault(text));
                }
            }
        }
    }

    /// The next line, if one comes in time.
    fn next_line(
        &self,
        process: &mut Process,
        end: Instant,
    ) -> Result<Option<(Instant, String)>, Failure> {
        loop {
            if self.interrupt.is_set() {
                return Err(Failure::Interrupted);
            }
            // A flood of lines is no reason to listen for ever.
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            match process.line_within(left.min(TICK)) {
                Ok(line) => return Ok(Some(line)),
                Err(NoLine::Timeout) => {}
                Err(NoLine::Closed) => {
                    let end = process
                        .end()
                        .unwrap_or_else(|| "its output is closed".to_owned());
                    return Err(Failure::Fault(format!("it ended: {end}")));
                }
            }
        }
    }

    fn solve_with(&mut self, process: &mut Process, entry: &Entry) -> Result<Attempt, Failure> {
        let position = &entry.record.position;
        let chess960 = position.castling_mode().is_chess960();
        if chess960 != self.chess960 {
            process.send(format!("setoption name UCI_Chess960 value {chess960}"));
            self.chess960 = chess960;
        }
        process.send("ucinewgame");
        process.send("isready");
        self.wait_for(process, "readyok", |_| {})?;
        process.send(format!("position fen {}", notation::fen(position)));
        process.send(self.search.go());
        self.listen(process, entry)
    }

    /// Listens to a search until its answer, which it gives at the latest when it is told to stop.
    fn listen(&self, process: &mut Process, entry: &Entry) -> Result<Attempt, Failure> {
        let position = &entry.record.position;
        let mut trace = Trace::new(&entry.goal, self.search.stop_when_solved);
        let begin = Instant::now();
        let patience = self.patience();
        let mut end = begin + patience;
        let mut was_told_to_stop = false;
        let mut is_late = false;
        let mut complaint = None;
        loop {
            let Some((at, line)) = self.next_line(process, end)? else {
                if is_late {
                    let text = format!(
                        "no answer in {} s, nor when told to stop",
                        patience.as_secs_f32()
                    );
                    return Err(Failure::Fault(text));
                }
                is_late = true;
                process.send("stop");
                end = Instant::now() + LONGEST_STOP.min(patience);
                continue;
            };
            match info::parse(position, &line) {
                Said::BestMove(text) => {
                    let best = notation::parse_uci(position, &text)
                        .map_err(|error| Failure::Fault(format!("bestmove: {error}")))?;
                    let elapsed = at.saturating_duration_since(begin);
                    let mut attempt = trace.finish(position, best, elapsed);
                    let late = || {
                        format!(
                            "no answer in {} s, but when told to stop",
                            patience.as_secs_f32()
                        )
                    };
                    attempt.fault = is_late.then(late).or(complaint);
                    return Ok(attempt);
                }
                Said::Info(info) => {
                    let is_enough = trace.hear(info, at.saturating_duration_since(begin));
                    if is_enough && !was_told_to_stop {
                        was_told_to_stop = true;
                        process.send("stop");
                    }
                }
                Said::IllegalPv(text) => {
                    complaint.get_or_insert_with(|| {
                        format!("announced a line that begins with {text:?}")
                    });
                }
                Said::Nothing => {}
            }
        }
    }

    fn patience(&self) -> Duration {
        let movetime = self
            .search
            .movetime
            .map(|time| Duration::from_millis(time) + GRACE);
        self.timeout.or(movetime).unwrap_or(LONGEST_SEARCH)
    }
}

impl Solver for External<'_> {
    fn solve(&mut self, entry: &Entry) -> Result<Attempt, Failure> {
        let mut process = match self.process.take() {
            Some(process) => process,
            None => self.start()?,
        };
        // Without an answer the process ends here, and the next position has a new one.
        let attempt = self.solve_with(&mut process, entry)?;
        self.process = Some(process);
        Ok(attempt)
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }
}

impl Identity {
    fn hear(&mut self, line: &str) {
        if let Some(name) = line.strip_prefix("id name ") {
            self.name = Some(name.trim().chars().take(60).collect());
        } else if let Some(option) = line.strip_prefix("option name ") {
            let name = option.split(" type ").next().unwrap_or(option);
            self.options.push(name.trim().to_owned());
        }
    }

    fn has(&self, name: &str) -> bool {
        self.options
            .iter()
            .any(|option| option.eq_ignore_ascii_case(name))
    }
}
