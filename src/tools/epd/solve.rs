//! The sub-command: reads, runs, tells, writes.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::args::{Args, EpdCommand, Outputs, Require, SolveArgs};
use super::limits::SearchArgs;
use super::report::{Attempt, EngineReport, FORMAT, PositionReport, Report};
use super::runner::{Event, Run};
use super::solver::{EngineSpec, Interrupt};
use super::suite::{Entry, Suite, Unread};
use super::{EpdError, annotate, builtin, harvest, html, merge, normalize, summary, tabular};
use crate::position::notation;
use crate::tools::progress::{Progress, say};
use crate::tools::{ToolError, available_threads};

/// All is done, and no threshold missed.
const DONE: u8 = 0;
/// Less was solved than was required.
const BELOW: u8 = 1;
/// Broken off by a signal, as a shell would say.
const BROKEN_OFF: u8 = 130;

/// Runs the sub-command; the exit code.
///
/// # Errors
/// When a file cannot be read or written, or there is nothing to solve.
pub fn run(args: Args, out: &mut dyn Write) -> Result<u8, EpdError> {
    match args.command {
        Some(EpdCommand::Merge(args)) => merge::run(&args, out),
        Some(EpdCommand::Normalize(args)) => normalize::run(&args, out).map(|()| DONE),
        Some(EpdCommand::Harvest(args)) => {
            let interrupt = interrupt_on_signal()?;
            harvest::run(&args, &interrupt, out)?;
            Ok(if interrupt.is_set() { BROKEN_OFF } else { DONE })
        }
        None => solve(args.solve, &*interrupt_on_signal()?, out),
    }
}

/// What a signal sets.
fn interrupt_on_signal() -> Result<Arc<Interrupt>, EpdError> {
    let interrupt = Arc::new(Interrupt::default());
    let signalled = interrupt.clone();
    ctrlc::set_handler(move || {
        if signalled.is_set() {
            // Asked twice: whoever asks does not want to wait.
            std::process::exit(i32::from(BROKEN_OFF));
        }
        signalled.set();
    })?;
    Ok(interrupt)
}

/// Solves until all is done, or told to stop.
fn solve(args: SolveArgs, interrupt: &Interrupt, out: &mut dyn Write) -> Result<u8, EpdError> {
    if args.files.is_empty() {
        return Err(EpdError::NoFile);
    }
    let search = args.search.limited();
    let suite = Suite::read(&args.files)?;
    complain_about(&suite.unread);
    let (problems, others): (Vec<&Entry>, Vec<&Entry>) = suite
        .entries
        .iter()
        .partition(|entry| !entry.goal.is_empty());
    if problems.is_empty() {
        return Err(EpdError::NothingToSolve(args.files.join(", ")));
    }
    let numbered: Vec<(usize, &Entry)> = (1..)
        .zip(problems.iter().copied())
        .filter(|&(number, _)| args.shard.is_none_or(|shard| shard.contains(number)))
        .collect();
    let entries: Vec<&Entry> = numbered.iter().map(|&(_, entry)| entry).collect();
    let threads = usize::try_from(search.threads).unwrap_or(1).max(1);
    let jobs = args.jobs.and_then(|jobs| usize::try_from(jobs).ok());
    let run = Run {
        entries: &entries,
        engines: &args.engines.0,
        search: &search,
        timeout: args.timeout,
        jobs: jobs.unwrap_or_else(|| (available_threads() / threads).max(1)),
        interrupt,
    };
    run.check()?;
    check_outputs(&args.outputs)?;
    let total = (numbered.len() * args.engines.0.len()) as u64;
    let mut collector = Collector {
        report: new_report(&numbered, &args.engines.0, search.clone()),
        told: 0,
        done: 0,
        total,
        solved: 0,
        notes: HashSet::new(),
        progress: Progress::new(Some(total), 0),
        quiet: args.outputs.quiet,
        is_wanted: args.require.is_some() || args.outputs.files().next().is_some(),
        out,
        output: Ok(()),
    };
    collector.report.suite_size = problems.len();
    collector.report.unread = suite.unread.clone();
    collector.report.without_goal = others.len();
    run.run(|event| collector.hear(event, interrupt))
        .map_err(|source| ToolError::Io {
            what: "thread".to_owned(),
            source,
        })?;
    let (report, told) = collector.finish(interrupt.is_set());
    let required = args
        .require
        .map(|require| (require, report.positions.len()));
    conclude(&report, &args.outputs, required, told, out)
}

/// Shows the summary, if what was `told` before could be, and writes the files that were asked for; the exit code. What is
/// required is a share of so many positions.
///
/// # Errors
/// When something cannot be written. All files are written that can be, whether anybody reads the summary or not.
pub fn conclude(
    report: &Report,
    outputs: &Outputs,
    required: Option<(Require, usize)>,
    told: io::Result<()>,
    out: &mut dyn Write,
) -> Result<u8, EpdError> {
    let told = told.and_then(|()| writeln!(out, "{}", summary::summary(report).trim_end()));
    write_outputs(report, outputs)?;
    let solved = summary::Total::of_engine(&report.positions, 0).solved;
    let is_below = required.is_some_and(|(require, of)| !require.is_met(solved, of));
    match told {
        // Who reads the exit code alone is told the truth as well.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe || !is_below => {
            Err(ToolError::output(error).into())
        }
        _ if report.interrupted => Ok(BROKEN_OFF),
        _ => Ok(if is_below { BELOW } else { DONE }),
    }
}

/// A line on standard error for each line that was not understood.
pub fn complain_about(unread: &[Unread]) {
    for Unread { place, reason } in unread {
        say(&format!("{}:{}: {reason}", place.file, place.line));
    }
}

/// Writes the files that were asked for: all that can be written, before it complains of one.
fn write_outputs(report: &Report, outputs: &Outputs) -> Result<(), ToolError> {
    let json = || {
        let json = serde_json::to_string_pretty(report).map_err(io::Error::from);
        json.map(|json| json + "\n")
    };
    let annotated = || annotate::annotated(report).map_err(io::Error::other);
    [
        write_file(&outputs.json, json),
        write_file(&outputs.csv, || tabular::csv(report)),
        write_file(&outputs.junit, || Ok(tabular::junit(report))),
        write_file(&outputs.html, || Ok(html::page(report))),
        write_file(&outputs.annotate, annotated),
    ]
    .into_iter()
    .collect()
}

fn write_file(
    path: &Option<PathBuf>,
    text: impl FnOnce() -> io::Result<String>,
) -> Result<(), ToolError> {
    let Some(path) = path else {
        return Ok(());
    };
    text()
        .and_then(|text| fs::write(path, text))
        .map_err(|source| cannot_write(path, source))
}

/// Finds out before a long run that a file cannot be written after it.
fn check_outputs(outputs: &Outputs) -> Result<(), ToolError> {
    for path in outputs.files() {
        let is_new = !path.exists();
        let mut options = fs::OpenOptions::new();
        options.write(true).create(true).truncate(false);
        options
            .open(path)
            .and_then(|_| {
                if is_new {
                    fs::remove_file(path)
                } else {
                    Ok(())
                }
            })
            .map_err(|source| cannot_write(path, source))?;
    }
    Ok(())
}

fn cannot_write(path: &Path, source: io::Error) -> ToolError {
    ToolError::Io {
        what: path.display().to_string(),
        source,
    }
}

fn new_report(numbered: &[(usize, &Entry)], engines: &[EngineSpec], search: SearchArgs) -> Report {
    let positions = numbered.iter().map(|&(number, entry)| PositionReport {
        number,
        place: entry.place.clone(),
        id: entry.name(),
        epd: normalize::canonical(entry).to_string(),
        fen: notation::fen(&entry.record.position),
        goal: entry.goal.describe(&entry.record.position),
        max_points: entry.goal.max_points(),
        attempts: vec![None; engines.len()],
    });
    let engines = engines.iter().map(|engine| {
        let command = engine.command.as_ref().map(|words| words.join(" "));
        EngineReport {
            name: command.clone().unwrap_or_else(|| builtin::NAME.to_owned()),
            command,
            options: engine
                .options
                .iter()
                .map(|(name, value)| format!("{name}={value}"))
                .collect(),
            faults: Vec::new(),
        }
    });
    Report {
        format: FORMAT,
        program: builtin::NAME.to_owned(),
        search,
        suite_size: numbered.len(),
        interrupted: false,
        engines: engines.collect(),
        unread: Vec::new(),
        without_goal: 0,
        positions: positions.collect(),
    }
}

/// Takes in what happens in a run, and tells of it in the order of the suite.
struct Collector<'a> {
    report: Report,
    /// How many attempts, in order, have been told.
    told: usize,
    done: u64,
    total: u64,
    solved: usize,
    notes: HashSet<(usize, String)>,
    progress: Progress,
    quiet: bool,
    /// Whether the run is good for something when nobody reads what is told.
    is_wanted: bool,
    out: &'a mut dyn Write,
    output: io::Result<()>,
}

impl Collector<'_> {
    fn hear(&mut self, event: Event, interrupt: &Interrupt) {
        match event {
            Event::Name(engine, name) => self.rename(engine, name),
            Event::Note(engine, note) => {
                let text = format!("{}: {note}", self.engine_name(engine));
                if self.notes.insert((engine, note)) {
                    self.progress.say(&text);
                }
            }
            Event::Done {
                engine,
                entry,
                attempt,
            } => {
                self.take(engine, entry, *attempt);
                if let Err(error) = self.tell() {
                    self.output = Err(error);
                    self.quiet = true;
                    if !self.is_wanted {
                        interrupt.set();
                    }
                }
            }
        }
    }

    /// Two engines may have one name.
    fn rename(&mut self, engine: usize, name: String) {
        let earlier = self.report.engines.iter().take(engine);
        let same = earlier
            .filter(|other| other.name == name || other.name.starts_with(&format!("{name} #")))
            .count();
        let name = if same == 0 {
            name
        } else {
            format!("{name} #{}", same + 1)
        };
        if let Some(engine) = self.report.engines.get_mut(engine) {
            engine.name = name;
        }
    }

    fn engine_name(&self, engine: usize) -> &str {
        self.report
            .engines
            .get(engine)
            .map_or("", |engine| engine.name.as_str())
    }

    fn take(&mut self, engine: usize, entry: usize, attempt: Attempt) {
        self.done += 1;
        self.solved += usize::from(attempt.solved);
        let (done, total, solved) = (self.done, self.total, self.solved);
        let message = format!(
            "{done}/{total} {solved} solved, {}",
            self.engine_name(engine)
        );
        let Some(position) = self.report.positions.get_mut(entry) else {
            return;
        };
        if let Some(slot) = position.attempts.get_mut(engine) {
            *slot = Some(attempt);
        }
        self.progress.set(done, message);
    }

    /// Tells of failures, as far as everything before them is done.
    fn tell(&mut self) -> io::Result<()> {
        let count = self.report.positions.len().max(1);
        let several = self.report.engines.len() > 1;
        loop {
            let (engine, entry) = (self.told / count, self.told % count);
            let position = self.report.positions.get(entry);
            let attempt = position.and_then(|position| position.attempts.get(engine)?.as_ref());
            let (Some(position), Some(attempt)) = (position, attempt) else {
                return Ok(());
            };
            self.told += 1;
            if self.quiet || attempt.solved && attempt.fault.is_none() {
                continue;
            }
            let name = self
                .report
                .engines
                .get(engine)
                .map(|engine| engine.name.as_str());
            let line = summary::failure(position, name.filter(|_| several), attempt);
            let out = &mut *self.out;
            self.progress
                .aside(|| writeln!(out, "{line}").and_then(|()| out.flush()))?;
        }
    }

    /// What all comes to, and whether it could be told. Positions that no engine came to are left out.
    fn finish(mut self, interrupted: bool) -> (Report, io::Result<()>) {
        self.report.interrupted = interrupted;
        if interrupted {
            self.report
                .positions
                .retain(|position| position.attempts.iter().any(Option::is_some));
        }
        self.report.collect_faults();
        (self.report, self.output)
    }
}
