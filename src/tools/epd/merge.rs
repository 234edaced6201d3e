//! `quevedo epd merge`: combines the reports of shards.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::args::{Outputs, Require};
use super::report::{EngineReport, FORMAT, SuiteReport};
use super::{EpdError, solve, summary};
use crate::plural::count;
use crate::tools::Exit;
use crate::tools::kit::progress::say;
use crate::tools::kit::{IoContext as _, files, input};

/// Merge the JSON reports of runs with --shard
///
/// All reports must come from the same suite, version of this program, engines and limits.
#[derive(Clone, Debug, clap::Args)]
pub struct MergeArgs {
    /// Reports written with --json
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Exit with code 1 if the first engine has solved fewer positions than this number, or than
    /// this share (90%)
    #[arg(long, value_name = "N")]
    require: Option<Require>,
    #[command(flatten)]
    outputs: Outputs,
}

/// Merges reports, prints the summary, writes the output files, and returns the exit code.
///
/// # Errors
/// Fails when a file cannot be read or written, or the reports do not match.
pub fn run(args: &MergeArgs, out: &mut dyn Write) -> Result<Exit, EpdError> {
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    files::check(&inputs, &args.outputs.files().collect::<Vec<_>>())?;
    let mut merged: Option<SuiteReport> = None;
    for path in &args.files {
        let part = read(path)?;
        merged = Some(match merged {
            None => part,
            Some(report) => merge(report, part).map_err(|reason| EpdError::Part {
                path: path.clone(),
                reason,
            })?,
        });
    }
    let Some(mut report) = merged else {
        return Err(EpdError::NoFile);
    };
    // What an interrupted part lacks is missing; the merge itself is not interrupted.
    report.interrupted = false;
    report.positions.sort_by_key(|position| position.number);
    report.collect_faults();
    let printed = if args.outputs.print_failures() {
        print_failures(&report, out)
    } else {
        Ok(())
    };
    // The positions of missing shards count as unsolved.
    let asked = report.suite_size;
    let searched = report.positions.iter().filter(|found| found.is_searched());
    let searched: HashSet<usize> = searched.map(|position| position.number).collect();
    if let Some(first) = (1..=asked).find(|number| !searched.contains(number)) {
        let missing = count(asked.saturating_sub(searched.len()) as u64, "position");
        say(&format!(
            "{missing} of {asked} missing, the first is position {first} of the suite: \
             some shards were not given, or interrupted"
        ));
    }
    solve::conclude(&report, &args.outputs, (args.require, asked), printed, out)
}

fn print_failures(report: &SuiteReport, out: &mut dyn Write) -> io::Result<()> {
    let several = report.engines.len() > 1;
    for (number, engine) in report.engines.iter().enumerate() {
        let name = several.then_some(engine.name.as_str());
        for position in &report.positions {
            if let Some(Some(attempt)) = position.attempts.get(number)
                && (!attempt.solved || attempt.fault.is_some())
            {
                writeln!(out, "{}", summary::failure(position, name, attempt))?;
            }
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<SuiteReport, EpdError> {
    let text = input::decode(&input::read(path).of_file(path)?);
    let part = |reason: String| EpdError::Part {
        path: path.to_owned(),
        reason,
    };
    let report: SuiteReport = serde_json::from_str(&text)
        .map_err(|error| part(format!("expected a report, as --json writes it: {error}")))?;
    if report.format != FORMAT {
        return Err(part(format!(
            "format {} instead of {FORMAT}",
            report.format
        )));
    }
    if report
        .positions
        .iter()
        .any(|position| position.attempts.len() != report.engines.len())
    {
        return Err(part(
            "the number of attempts differs from that of the engines".to_owned(),
        ));
    }
    Ok(report)
}

/// Adds a part to a report. The error says why the part does not match.
fn merge(mut report: SuiteReport, part: SuiteReport) -> Result<SuiteReport, String> {
    let commands = |report: &SuiteReport| -> Vec<_> {
        let engines = report.engines.iter();
        engines
            .map(|engine| (engine.command.clone(), engine.options.clone()))
            .collect()
    };
    if commands(&report) != commands(&part) {
        return Err("its engines differ from those of the preceding files".to_owned());
    }
    if report.program != part.program {
        let (program, other) = (part.program, report.program);
        return Err(format!("it was written by {program}, not {other}"));
    }
    for (known, engine) in report.engines.iter().zip(&part.engines) {
        if let (Some(known), Some(name)) = (reported_name(known), reported_name(engine))
            && known != name
        {
            return Err(format!("its engine is {name}, not {known}"));
        }
    }
    if report.search != part.search {
        return Err(format!(
            "its limits are {}, not {}",
            part.search.describe(),
            report.search.describe()
        ));
    }
    if report.suite_size != part.suite_size {
        return Err(format!(
            "its suite has {}, not {}",
            count(part.suite_size, "position"),
            report.suite_size
        ));
    }
    if report.suite_checksum != part.suite_checksum {
        return Err("its suite has other positions".to_owned());
    }
    let known = |number: usize| {
        report
            .positions
            .iter()
            .any(|position| position.number == number)
    };
    if let Some(twice) = part
        .positions
        .iter()
        .find(|position| known(position.number))
    {
        return Err(format!(
            "position {} ({}) is also in a preceding file",
            twice.number, twice.id
        ));
    }
    // The shard of a report may have failed to start an engine.
    for (engine, other) in report.engines.iter_mut().zip(part.engines) {
        if reported_name(engine).is_none() {
            engine.name = other.name;
        }
    }
    report.positions.extend(part.positions);
    for unread in part.unread {
        if !report.unread.contains(&unread) {
            report.unread.push(unread);
        }
    }
    Ok(report)
}

/// Returns the name that an engine has sent; `None` if it has sent none. The number that tells
/// engines of one name apart is left out: it depends on which of them sent it first.
fn reported_name(engine: &EngineReport) -> Option<&str> {
    let EngineReport { name, command, .. } = engine;
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let name = match name.rsplit_once(" #") {
        Some((name, number)) if is_number(number) => name,
        _ => name,
    };
    (command.as_deref() != Some(name)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_engines_have_sent_count() {
        let reported = |name: &str, command: Option<&str>| {
            let engine = EngineReport {
                name: name.to_owned(),
                command: command.map(str::to_owned),
                ..EngineReport::default()
            };
            reported_name(&engine).map(str::to_owned)
        };
        let known = |name: &str| Some(name.to_owned());
        assert_eq!(reported("Quevedo 1", None), known("Quevedo 1"));
        assert_eq!(reported("Fritz 9", Some("fritz")), known("Fritz 9"));
        assert_eq!(reported("Fritz 9 #2", Some("fritz")), known("Fritz 9"));
        assert_eq!(reported("fritz", Some("fritz")), None);
    }
}
