//! Other UCI engines. One that crashes or hangs is restarted for the next search, but not one that
//! does not answer `uci`.

use std::time::{Duration, Instant};

use super::info::{self, InfoLine, ParsedLine};
use super::process::{NoLine, Process};
use super::{
    EngineFailure, Query, SEARCH_PATIENCE, SearchAnswer, SearchEngine, Setup, late_answer,
};
use crate::position::notation;
use crate::tools::kit::args::EngineSpec;

/// The time that an engine may take beyond `movetime`.
const MOVETIME_GRACE: Duration = Duration::from_secs(5);
/// The time to answer `uci` and `isready`.
const START_PATIENCE: Duration = Duration::from_secs(30);
/// The time to answer `stop`.
const STOP_PATIENCE: Duration = Duration::from_secs(2);
/// The interval at which the interrupt is checked.
const TICK: Duration = Duration::from_millis(50);

/// An engine that runs as a process of its own.
pub struct External<'a> {
    program: String,
    arguments: Vec<String>,
    options: &'a [(String, String)],
    setup: Setup<'a>,
    process: Option<Process>,
    name: Option<String>,
    /// What is wrong with a program that runs but does not answer `uci`.
    silence: Option<String>,
    chess960: bool,
    notes: Vec<String>,
}

/// The answer to `uci`.
#[derive(Default)]
struct Identity {
    name: Option<String>,
    options: Vec<String>,
}

impl<'a> External<'a> {
    /// Prepares an engine, which is started when it is first needed.
    ///
    /// # Errors
    /// Fails when there is no command.
    pub fn new(spec: &'a EngineSpec, setup: Setup<'a>) -> Result<External<'a>, String> {
        let Some((program, arguments)) = spec.command.as_deref().and_then(<[String]>::split_first)
        else {
            return Err("there is no command".to_owned());
        };
        Ok(External {
            program: program.clone(),
            arguments: arguments.to_vec(),
            options: &spec.options,
            setup,
            process: None,
            name: None,
            silence: None,
            chess960: false,
            notes: Vec::new(),
        })
    }

    /// Starts the program and ends it again.
    ///
    /// # Errors
    /// Fails when the program does not start.
    pub fn check(&self) -> Result<(), String> {
        Process::start(&self.program, &self.arguments)
            .map(drop)
            .map_err(|error| error.to_string())
    }

    /// Starts the engine and sets its options.
    fn start(&mut self) -> Result<Process, EngineFailure> {
        if let Some(fault) = &self.silence {
            // Waiting again would only take the user's time.
            return Err(EngineFailure::Fault(fault.clone()));
        }
        let mut process = Process::start(&self.program, &self.arguments)
            .map_err(|error| EngineFailure::Fault(format!("does not start: {error}")))?;
        let mut identity = Identity::default();
        process.send("uci");
        let answer = self.wait_for(&mut process, "uciok", |line| identity.read(line));
        if let Err(EngineFailure::Fault(fault)) = &answer
            && process.exit_status().is_none()
        {
            self.silence = Some(fault.clone());
        }
        answer?;
        let resources = self.setup.resources;
        for (name, value) in [("Threads", resources.threads), ("Hash", resources.hash)] {
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
        Ok(process)
    }

    /// Returns the running engine, started if need be. The caller puts it back after a valid
    /// answer.
    fn take_process(&mut self) -> Result<Process, EngineFailure> {
        match self.process.take() {
            Some(process) => Ok(process),
            None => self.start(),
        }
    }

    /// Waits until the engine is ready, and passes over what it may still say of a search before,
    /// such as a second `bestmove`.
    fn synchronise(&self, process: &mut Process) -> Result<(), EngineFailure> {
        process.send("isready");
        self.wait_for(process, "readyok", |_| {})
    }

    /// Waits for a line that begins with this word, and passes on the others.
    fn wait_for(
        &self,
        process: &mut Process,
        word: &str,
        mut hear: impl FnMut(&str),
    ) -> Result<(), EngineFailure> {
        let timeout = self.setup.timeout;
        let patience = timeout.map_or(START_PATIENCE, |timeout| timeout.min(START_PATIENCE));
        let end = Instant::now() + patience;
        loop {
            match self.next_line(process, end)? {
                Some((_, line)) if line.split_whitespace().next() == Some(word) => return Ok(()),
                Some((_, line)) => hear(&line),
                None => {
                    let text = format!("no {word} in {} s", patience.as_secs_f32());
                    return Err(EngineFailure::Fault(text));
                }
            }
        }
    }

    /// Returns the next line, or `None` if no line comes in time.
    fn next_line(
        &self,
        process: &mut Process,
        end: Instant,
    ) -> Result<Option<(Instant, String)>, EngineFailure> {
        loop {
            if self.setup.interrupt.is_set() {
                return Err(EngineFailure::Interrupted);
            }
            // Checked before each line, so that a flood of lines does not extend the time.
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            match process.line_within(left.min(TICK)) {
                Ok(line) => return Ok(Some(line)),
                Err(NoLine::Timeout) => {}
                Err(NoLine::Closed) => {
                    let reason = process
                        .exit_status()
                        .unwrap_or_else(|| "its output is closed".to_owned());
                    return Err(EngineFailure::Fault(format!("it ended: {reason}")));
                }
            }
        }
    }

    /// Sends the position and starts the search.
    fn go(&mut self, process: &mut Process, query: Query<'_>) {
        let chess960 = query.start.castling_mode().is_chess960();
        if chess960 != self.chess960 {
            process.send(format!("setoption name UCI_Chess960 value {chess960}"));
            self.chess960 = chess960;
        }
        let mut command = format!("position fen {}", notation::fen(query.start));
        let mut position = query.start.clone();
        for (number, &m) in query.moves.iter().enumerate() {
            let prefix = if number == 0 { " moves" } else { "" };
            command.push_str(&format!("{prefix} {}", notation::uci(&position, m)));
            position = position.play(m);
        }
        process.send(command);
        process.send(format!("go {}", self.setup.limits));
    }

    /// Listens to a search until the best move. A search that takes too long is told to stop.
    fn listen(
        &self,
        process: &mut Process,
        query: Query<'_>,
        hear: &mut dyn FnMut(InfoLine, Duration) -> bool,
    ) -> Result<SearchAnswer, EngineFailure> {
        let position = query
            .moves
            .iter()
            .fold(query.start.clone(), |position, &m| position.play(m));
        let begin = Instant::now();
        let patience = self.patience();
        let mut end = begin + patience;
        let mut was_told_to_stop = false;
        let mut is_late = false;
        let mut fault = None;
        loop {
            let Some((at, line)) = self.next_line(process, end)? else {
                let seconds = patience.as_secs_f32();
                if is_late {
                    let text = format!("no answer in {seconds} s, nor after stop");
                    return Err(EngineFailure::Fault(text));
                }
                is_late = true;
                fault = Some(late_answer(patience));
                process.send("stop");
                end = Instant::now() + STOP_PATIENCE.min(patience);
                continue;
            };
            let elapsed = at.saturating_duration_since(begin);
            match info::parse(&position, &line) {
                ParsedLine::BestMove(text) => {
                    let best = notation::parse_uci(&position, &text)
                        .map_err(|error| EngineFailure::Fault(format!("bestmove: {error}")))?;
                    return Ok(SearchAnswer {
                        best: Some(best),
                        score: None,
                        elapsed,
                        fault,
                    });
                }
                ParsedLine::Info(info) => {
                    if hear(info, elapsed) && !was_told_to_stop {
                        was_told_to_stop = true;
                        process.send("stop");
                    }
                }
                ParsedLine::IllegalPv(text) => {
                    fault.get_or_insert_with(|| format!("sent a pv that begins with {text:?}"));
                }
                ParsedLine::Other => {}
            }
        }
    }

    fn patience(&self) -> Duration {
        let movetime = self.setup.limits.movetime;
        let limit = movetime.map(|time| Duration::from_millis(time) + MOVETIME_GRACE);
        self.setup.timeout.or(limit).unwrap_or(SEARCH_PATIENCE)
    }
}

impl SearchEngine for External<'_> {
    fn new_game(&mut self) -> Result<(), EngineFailure> {
        let mut process = self.take_process()?;
        process.send("ucinewgame");
        self.synchronise(&mut process)?;
        self.process = Some(process);
        Ok(())
    }

    fn search(
        &mut self,
        query: Query<'_>,
        hear: &mut (dyn FnMut(InfoLine, Duration) -> bool + Send),
    ) -> Result<SearchAnswer, EngineFailure> {
        let mut process = self.take_process()?;
        self.synchronise(&mut process)?;
        self.go(&mut process, query);
        // After a failure the process is dropped, and the next search starts a new one.
        let answer = self.listen(&mut process, query, hear)?;
        self.process = Some(process);
        Ok(answer)
    }

    fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }
}

impl Identity {
    fn read(&mut self, line: &str) {
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
