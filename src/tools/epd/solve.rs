//! Solves suites: reads the files, runs the engines, prints failures as they occur, and writes the
//! results.

use std::collections::{BTreeSet, HashSet};
use std::io::{self, Write};
use std::path::Path;

use super::args::{EpdArgs, EpdCommand, Outputs, Require, SuiteArgs};
use super::comparison::Total;
use super::report::{Attempt, EngineReport, FORMAT, PositionReport, SuiteReport};
use super::runner::{Event, SuiteRun};
use super::suite::{Suite, SuitePosition, UnreadLine};
use super::{EpdError, annotate, merge, normalize, page, summary, tabular};
use crate::eval::nnue::checksum;
use crate::plural::count;
use crate::position::notation;
use crate::tools::kit::args::EngineSpec;
use crate::tools::kit::engines::{NAME, Setup};
use crate::tools::kit::files::{self, is_standard};
use crate::tools::kit::interrupt::Interrupt;
use crate::tools::kit::jobs::job_count;
use crate::tools::kit::progress::{Progress, say};
use crate::tools::kit::replace_file;
use crate::tools::{Exit, ToolError};

/// Runs the sub-command and returns the exit code.
///
/// # Errors
/// Fails when a file cannot be read or written, or there is nothing to solve.
pub fn run(args: EpdArgs, out: &mut dyn Write) -> Result<Exit, EpdError> {
    match args.command {
        Some(EpdCommand::Merge(args)) => merge::run(&args, out),
        Some(EpdCommand::Normalize(args)) => normalize::run(&args, out),
        None => solve(&args.solve, out),
    }
}

/// Solves positions until all are done or the run is interrupted.
fn solve(args: &SuiteArgs, out: &mut dyn Write) -> Result<Exit, EpdError> {
    if args.files.is_empty() {
        return Err(EpdError::NoFile);
    }
    let search = args.search.clone().limited();
    let suite = Suite::read(&args.files)?;
    report_unread(&suite.unread);
    let problems: Vec<&SuitePosition> = suite
        .positions
        .iter()
        .filter(|position| !position.goal.is_empty())
        .collect();
    if problems.is_empty() {
        return Err(EpdError::NothingToSolve(args.files.join(", ")));
    }
    let (numbers, positions): (Vec<usize>, Vec<&SuitePosition>) = (1..)
        .zip(problems.iter().copied())
        .filter(|&(number, _)| args.shard.is_none_or(|shard| shard.contains(number as u64)))
        .unzip();
    // Nothing is lost if a suite is named twice.
    let suites: BTreeSet<&str> = args.files.iter().map(String::as_str).collect();
    let suites: Vec<&Path> = suites.into_iter().map(Path::new).collect();
    files::check(&suites, &args.outputs.files().collect::<Vec<_>>())?;
    // A signal that comes before ends the process.
    let interrupt = &*Interrupt::on_signal()?;
    let engines = &args.engines.0;
    let run = SuiteRun {
        positions: &positions,
        engines,
        setup: Setup {
            limits: &search.limits,
            resources: &search.resources,
            timeout: args.timeout,
            interrupt,
        },
        stop_when_solved: search.stop_when_solved,
        jobs: job_count(args.jobs, search.resources.threads),
    };
    run.check()?;
    let total = (positions.len() * engines.len()) as u64;
    let report = SuiteReport {
        format: FORMAT,
        program: NAME.to_owned(),
        search: search.clone(),
        suite_size: problems.len(),
        suite_checksum: suite_checksum(&problems),
        interrupted: false,
        engines: engines.iter().map(engine_report).collect(),
        unread: suite.unread.clone(),
        without_goal: suite.positions.len() - problems.len(),
        positions: numbers
            .iter()
            .zip(&positions)
            .map(|(&number, position)| position_report(number, position, engines.len()))
            .collect(),
    };
    let mut collector = Collector {
        report,
        printed: 0,
        done: 0,
        total,
        solved: 0,
        notes: HashSet::new(),
        progress: Progress::new(Some(total), 0),
        quiet: !args.outputs.print_failures(),
        has_other_use: args.require.is_some() || args.outputs.files().next().is_some(),
        out,
        output: Ok(()),
    };
    run.run(|event| collector.handle(event, interrupt))?;
    let (report, printed) = collector.finish(interrupt.is_set());
    let asked = report.positions.len();
    conclude(&report, &args.outputs, (args.require, asked), printed, out)
}

/// Prints the summary, or the output file that takes its place, writes the others, and returns the
/// exit code.
///
/// Takes the requirement, and the number of positions that should have been searched. `printed` is
/// the result of printing the failures; the summary is printed only if that succeeded.
///
/// # Errors
/// Fails when an output cannot be written, after writing all the others.
pub fn conclude(
    report: &SuiteReport,
    outputs: &Outputs,
    (required, asked): (Option<Require>, usize),
    printed: io::Result<()>,
    out: &mut dyn Write,
) -> Result<Exit, EpdError> {
    let (standard, written) = write_outputs(report, outputs);
    let text = standard.unwrap_or_else(|| format!("{}\n", summary::summary(report).trim_end()));
    let printed = printed.and_then(|()| out.write_all(text.as_bytes()).and_then(|()| out.flush()));
    written?;
    let solved = Total::of_engine(&report.positions, 0).solved;
    let is_below = required.is_some_and(|require| !require.is_met(solved, asked));
    let has_faults = report
        .engines
        .iter()
        .any(|engine| !engine.faults.is_empty());
    if is_below {
        let solved = count(solved as u64, "position");
        say(&format!("{solved} solved, fewer than --require demands"));
    }
    let mut positions = report.positions.iter();
    let is_partial = report.positions.len() < asked
        || !positions.all(PositionReport::is_searched)
        || !report.unread.is_empty();
    let exit = if report.interrupted {
        Exit::Interrupted
    } else if is_below {
        Exit::Failed
    } else if has_faults || is_partial {
        Exit::Incomplete
    } else {
        Exit::Done
    };
    match printed {
        // A closed pipe is an error only if it ended a run that has no other use.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe || report.interrupted => {
            Err(ToolError::output(error).into())
        }
        _ => Ok(exit),
    }
}

/// Reports the unreadable lines on standard error.
pub fn report_unread(unread: &[UnreadLine]) {
    for UnreadLine { place, reason } in unread {
        say(&format!("{}:{}: {reason}", place.file, place.line));
    }
}

/// Writes all output files, even after an error. Returns the text of the one that goes to standard
/// output, and the first error.
fn write_outputs(
    report: &SuiteReport,
    outputs: &Outputs,
) -> (Option<String>, Result<(), ToolError>) {
    let mut standard = None;
    let mut write = |path: Option<&Path>, text: &dyn Fn() -> io::Result<String>| {
        let Some(path) = path else {
            return Ok(());
        };
        let text = text().map_err(|source| ToolError::file(path, source))?;
        if is_standard(path) {
            standard = Some(text);
            return Ok(());
        }
        replace_file(path, text.as_bytes())
    };
    let json = || {
        let json = serde_json::to_string_pretty(report).map_err(io::Error::from);
        json.map(|json| json + "\n")
    };
    let annotated = || annotate::annotated(report).map_err(io::Error::other);
    let written = [
        write(outputs.json.as_deref(), &json),
        write(outputs.csv.as_deref(), &|| tabular::csv(report)),
        write(outputs.junit.as_deref(), &|| tabular::junit(report)),
        write(outputs.html.as_deref(), &|| Ok(page::page(report))),
        write(outputs.annotate.as_deref(), &annotated),
    ];
    (standard, written.into_iter().collect())
}

/// Returns a number that identifies the positions and their operations, whatever the names of their
/// files.
fn suite_checksum(problems: &[&SuitePosition]) -> String {
    let lines = problems.iter();
    let text: String = lines
        .map(|position| format!("{}\n", normalize::canonical(position)))
        .collect();
    format!("{:016x}", checksum(text.as_bytes()))
}

fn position_report(number: usize, position: &SuitePosition, engines: usize) -> PositionReport {
    PositionReport {
        number,
        place: position.place.clone(),
        id: position.name(),
        epd: normalize::canonical(position).to_string(),
        fen: notation::fen(&position.record.position),
        goal: position.goal.describe(&position.record.position),
        max_points: position.goal.max_points(),
        attempts: vec![None; engines],
    }
}

fn engine_report(engine: &EngineSpec) -> EngineReport {
    let command = engine.command.as_ref().map(|words| words.join(" "));
    let options = engine.options.iter();
    EngineReport {
        name: command.clone().unwrap_or_else(|| NAME.to_owned()),
        command,
        options: options
            .map(|(name, value)| format!("{name}={value}"))
            .collect(),
        faults: Vec::new(),
    }
}

/// Collects the results of a run, and prints failures in the order of the suite.
struct Collector<'a> {
    report: SuiteReport,
    /// The number of attempts that `print_failures` has handled, in order.
    printed: usize,
    done: u64,
    total: u64,
    solved: usize,
    notes: HashSet<(usize, String)>,
    progress: Progress,
    quiet: bool,
    /// The run is useful even if nobody reads standard output.
    has_other_use: bool,
    out: &'a mut dyn Write,
    output: io::Result<()>,
}

impl Collector<'_> {
    fn handle(&mut self, event: Event, interrupt: &Interrupt) {
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
                position,
                attempt,
            } => {
                self.add(engine, position, *attempt);
                if let Err(error) = self.print_failures() {
                    self.output = Err(error);
                    self.quiet = true;
                    if !self.has_other_use {
                        interrupt.set();
                    }
                }
            }
        }
    }

    /// Sets the name of an engine. Appends a number if an earlier engine has the same name.
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
        let engine = self.report.engines.get(engine);
        engine.map_or("", |engine| engine.name.as_str())
    }

    fn add(&mut self, engine: usize, position: usize, attempt: Attempt) {
        self.done += 1;
        self.solved += usize::from(attempt.solved);
        let (done, total, solved) = (self.done, self.total, self.solved);
        let name = self.engine_name(engine);
        let message = format!("{done}/{total} {solved} solved, {name}");
        let position = self.report.positions.get_mut(position);
        if let Some(slot) = position.and_then(|position| position.attempts.get_mut(engine)) {
            *slot = Some(attempt);
        }
        self.progress.set(done, message);
    }

    /// Prints failures in order, up to the first attempt that is not done.
    fn print_failures(&mut self) -> io::Result<()> {
        let count = self.report.positions.len().max(1);
        let several = self.report.engines.len() > 1;
        loop {
            let (engine, number) = (self.printed / count, self.printed % count);
            let position = self.report.positions.get(number);
            let attempt = position.and_then(|position| position.attempts.get(engine)?.as_ref());
            let (Some(position), Some(attempt)) = (position, attempt) else {
                return Ok(());
            };
            self.printed += 1;
            if self.quiet || attempt.solved && attempt.fault.is_none() {
                continue;
            }
            let name = Some(self.engine_name(engine)).filter(|_| several);
            let line = summary::failure(position, name, attempt);
            let out = &mut *self.out;
            self.progress
                .aside(|| writeln!(out, "{line}").and_then(|()| out.flush()))?;
        }
    }

    /// Returns the report and the result of printing failures. After an interruption, the report
    /// leaves out positions that no engine has searched.
    fn finish(mut self, interrupted: bool) -> (SuiteReport, io::Result<()>) {
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
