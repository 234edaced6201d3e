//! `quevedo analyse --fens`: a table of positions with their scores, best moves and lines.

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::analyst::{Analyst, Assessment, Observer};
use super::journal::Journal;
use super::merge::MergedText;
use super::run::analysts;
use super::shard::{Merged, POSITION, ShardPlace};
use super::{AnalyseError, AnalysisArgs};
use crate::atomic_write;
use crate::plural::count;
use crate::position::{Position, notation};
use crate::tools::epd::record::Record;
use crate::tools::kit::engines::EngineFailure;
use crate::tools::kit::engines::info::UciScore;
use crate::tools::kit::files::{is_standard, is_stream};
use crate::tools::kit::interrupt::Interrupt;
use crate::tools::kit::jobs::run_on_threads;
use crate::tools::kit::progress::{Progress, say};
use crate::tools::kit::{csv_text, input};
use crate::tools::{Exit, ToolError};

/// The format of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum TableFormat {
    /// Comma-separated values, with a header
    Csv,
    /// A JSON array
    Json,
}

/// A row of the table.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Row {
    /// The line of the list, from 1.
    line: u64,
    fen: String,
    /// The score for the side to move; `None` for a mated king or a failed search.
    score: Option<UciScore>,
    /// The best move in UCI notation and in SAN.
    best: Option<String>,
    san: Option<String>,
    depth: u32,
    nodes: u64,
    /// The line in UCI notation.
    pv: String,
    /// The reason why there is no score, or what else was wrong with the search.
    fault: Option<String>,
    /// The place in a run with shards, with the engine and its limits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shard: Option<String>,
}

/// A position to analyse.
struct ListPosition {
    /// The line of the list, from 1.
    line: u64,
    position: Position,
    /// The row's text about the shard.
    shard: Option<String>,
}

/// Keeps the faults of one position, and its assessment in the journal.
struct RowObserver<'a> {
    journal: &'a Journal,
    progress: &'a Progress,
    line: u64,
    faults: Mutex<Vec<String>>,
}

impl Observer for RowObserver<'_> {
    fn known(&self, ply: usize, position: &Position) -> Option<Assessment> {
        self.journal.find(self.line, ply, position)
    }

    fn searched(&self, ply: usize, position: &Position, assessment: &Assessment) {
        // The journal has no place for faults.
        if self.faults.lock().is_empty() {
            self.journal.add(self.line, ply, position, assessment);
        }
    }

    fn fault(&self, text: &str) {
        let text = text.trim_start_matches("ply 0: ");
        self.message(text);
        self.faults.lock().push(text.to_owned());
    }

    fn message(&self, text: &str) {
        self.progress.say(&format!("line {}, {text}", self.line));
    }
}

/// Analyses all positions, and writes the table when all are done or the run is interrupted.
///
/// # Errors
/// Fails when a file or the engine cannot be used, a line cannot be read, or the run is
/// interrupted. The table has the positions done until then.
pub fn run(args: &AnalysisArgs, out: &mut dyn Write) -> Result<Exit, AnalyseError> {
    let failed = |source| AnalyseError::io(args.input(), source);
    let text = input::decode(&input::read(args.input()).map_err(failed)?);
    // A signal that comes before ends the process.
    let interrupt = &*Interrupt::on_signal()?;
    let (spec, limits) = (args.engine_spec()?, args.limits());
    let analysts = analysts(args, &spec, &limits, interrupt)?;
    let mut unread = 0;
    let mut list = Vec::new();
    for (number, line) in input::list_lines(&text) {
        match Record::parse(line) {
            Ok(record) => list.push((number as u64, record.position)),
            Err(error) => {
                unread += 1;
                say(&format!("{}:{number}: {error}", args.input().display()));
            }
        }
    }
    let positions = selected(list, args);
    let journal = open_journal(args)?;
    if journal.positions() > 0 {
        let done = count(journal.positions(), "position");
        say(&format!("{}: resumes after {done}", args.out().display()));
    }
    let table = Table {
        positions: &positions,
        journal: &journal,
        next: AtomicUsize::new(0),
        rows: Mutex::new(vec![None; positions.len()]),
        progress: Progress::new(Some(positions.len() as u64), 0),
        interrupt,
    };
    let job = |analyst| || table.fill(analyst);
    let result = run_on_threads("analyse", analysts.into_iter().map(job));
    let rows = table.rows.into_inner();
    let rows: Vec<Row> = rows.into_iter().flatten().collect();
    write(args, &rows, out)?;
    result?;
    if interrupt.is_set() {
        return Err(AnalyseError::Interrupted {
            done: rows.len() as u64,
            noun: "position",
            advice: args.advice(),
        });
    }
    let finished = journal.finish();
    finished.map_err(|source| AnalyseError::io(args.out(), source))?;
    match unread {
        0 if rows.iter().any(|row| row.fault.is_some()) => Ok(Exit::Incomplete),
        0 => Ok(Exit::Done),
        lines => Err(AnalyseError::UnreadLines(lines)),
    }
}

/// Returns the positions of the shard, or all without one.
fn selected(list: Vec<(u64, Position)>, args: &AnalysisArgs) -> Vec<ListPosition> {
    let (total, annotator) = (list.len() as u64, args.annotator());
    let shard_of = |number, shard| {
        let place = ShardPlace {
            shard,
            number,
            total,
        };
        format!("{}; {annotator}", place.describe(POSITION))
    };
    (1..)
        .zip(list)
        .filter(|&(number, _)| args.shard.is_none_or(|shard| shard.contains(number)))
        .map(|(number, (line, position))| ListPosition {
            line,
            position,
            shard: args.shard.map(|shard| shard_of(number, shard)),
        })
        .collect()
}

/// Opens the journal of the table. There is none for streams.
///
/// The table is written as a whole at the end. A file without a journal is a complete table, or no
/// table at all, and is not replaced unless the user says so.
fn open_journal(args: &AnalysisArgs) -> Result<Journal, AnalyseError> {
    let out = args.out();
    if is_stream(out) {
        return Ok(Journal::default());
    }
    let is_filled = fs::metadata(out).is_ok_and(|metadata| metadata.len() > 0);
    if args.overwrite {
        Journal::discard(out).map_err(|source| AnalyseError::io(out, source))?;
    } else if is_filled && !Journal::exists(out) {
        return Err(AnalyseError::OtherGames {
            path: out.to_owned(),
            reason: "the file exists, and no interrupted run has written it".to_owned(),
        });
    }
    Journal::open(out, &args.annotator(), 1)
}

/// The positions and their rows, which several workers fill in.
struct Table<'a> {
    positions: &'a [ListPosition],
    journal: &'a Journal,
    /// The next position.
    next: AtomicUsize,
    rows: Mutex<Vec<Option<Row>>>,
    progress: Progress,
    interrupt: &'a Interrupt,
}

impl Table<'_> {
    /// Analyses positions until there are no more, or the run is interrupted.
    fn fill(&self, mut analyst: Analyst<'_>) -> Result<(), AnalyseError> {
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(listed) = self.positions.get(index) else {
                return Ok(());
            };
            let observer = RowObserver {
                journal: self.journal,
                progress: &self.progress,
                line: listed.line,
                faults: Mutex::default(),
            };
            let assessment = match analyst.analyse_game(&listed.position, &[], &observer) {
                Ok(assessments) => assessments.into_iter().next().flatten(),
                Err(EngineFailure::Interrupted) => return Ok(()),
                Err(EngineFailure::Fault(reason)) => {
                    self.interrupt.set();
                    let number = listed.line;
                    return Err(AnalyseError::Line { number, reason });
                }
            };
            let row = row(listed, assessment, &observer.faults.into_inner());
            let mut rows = self.rows.lock();
            if let Some(slot) = rows.get_mut(index) {
                *slot = Some(row);
            }
            let done = rows.iter().flatten().count() as u64;
            self.progress
                .set(done, format!("{} analysed", count(done, "position")));
        }
    }
}

fn row(listed: &ListPosition, assessment: Option<Assessment>, faults: &[String]) -> Row {
    let position = &listed.position;
    let mut row = Row {
        line: listed.line,
        fen: notation::fen(position),
        score: None,
        best: None,
        san: None,
        depth: 0,
        nodes: 0,
        pv: String::new(),
        fault: (!faults.is_empty()).then(|| faults.join("; ")),
        shard: listed.shard.clone(),
    };
    if let Some(assessment) = assessment {
        let uci = assessment.uci_line(position);
        row.score = assessment
            .evaluation
            .map(|evaluation| evaluation.to_uci(position));
        row.best = uci.first().cloned();
        let best = assessment.best.first();
        row.san = best.map(|&m| notation::san(position, m).to_string());
        row.depth = assessment.depth;
        row.nodes = assessment.nodes;
        row.pv = uci.join(" ");
    }
    row
}

fn write(args: &AnalysisArgs, rows: &[Row], out: &mut dyn Write) -> Result<(), AnalyseError> {
    let text = match args.format {
        TableFormat::Csv => csv(rows, args.shard.is_some()),
        TableFormat::Json => json(rows),
    };
    let written = text.and_then(|text| {
        if is_standard(args.out()) {
            out.write_all(text.as_bytes())
        } else {
            atomic_write::replace(args.out(), text.as_bytes())
        }
    });
    written.map_err(|source| ToolError::file(args.out(), source).into())
}

const HEADER: [&str; 9] = [
    "line", "fen", "score", "best", "san", "depth", "nodes", "pv", "fault",
];

/// The column after these that tables of shards have.
const SHARD_COLUMN: &str = "shard";

fn csv(rows: &[Row], has_shard: bool) -> io::Result<String> {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let cells = rows.iter().map(|row| {
        let cells = [
            row.line.to_string(),
            row.fen.clone(),
            text(&row.score.map(|score| score.to_string())),
            text(&row.best),
            text(&row.san),
            row.depth.to_string(),
            row.nodes.to_string(),
            row.pv.clone(),
            text(&row.fault),
        ];
        cells.into_iter().chain(row.shard.clone())
    });
    let header = HEADER.into_iter().chain(has_shard.then_some(SHARD_COLUMN));
    csv_text(header, cells)
}

fn json(rows: &[Row]) -> io::Result<String> {
    let json = serde_json::to_string_pretty(rows).map_err(io::Error::from);
    json.map(|json| json + "\n")
}

/// Merges the tables that shards have written.
///
/// # Errors
/// Fails when a file cannot be read, is no such table, or does not go with the preceding files.
pub fn merge(files: &[PathBuf], format: TableFormat) -> Result<MergedText, AnalyseError> {
    let (text, complete) = match format {
        TableFormat::Csv => {
            let (rows, complete) = merge_rows(files, read_csv)?;
            (csv_text(HEADER, rows), complete)
        }
        TableFormat::Json => {
            let (rows, complete) = merge_rows(files, read_json)?;
            (json(&rows), complete)
        }
    };
    let text = text.map_err(ToolError::output)?;
    Ok((text.into_bytes(), complete))
}

/// The rows of a table, each with what it says about the shard.
type ShardRows<R> = Vec<(String, R)>;

/// Merges the rows of files, which `read_rows` returns with what they say about the shard. Also
/// returns the error that tells what is missing.
fn merge_rows<R>(
    files: &[PathBuf],
    read_rows: fn(&str) -> Result<ShardRows<R>, String>,
) -> Result<(Vec<R>, Result<(), AnalyseError>), AnalyseError> {
    let mut merged = Merged::new(POSITION);
    for path in files {
        let bytes = input::read(path).map_err(|source| AnalyseError::io(path, source))?;
        read_rows(&input::decode(&bytes))
            .and_then(|rows| add(&mut merged, rows))
            .map_err(|reason| AnalyseError::Part {
                path: path.clone(),
                reason,
            })?;
    }
    let complete = merged.check();
    Ok((merged.into_items().collect(), complete))
}

/// Adds the rows of a file.
fn add<R>(merged: &mut Merged<R>, rows: ShardRows<R>) -> Result<(), String> {
    for (shard, row) in rows {
        let (place, annotator) = shard
            .split_once("; ")
            .and_then(|(place, annotator)| Some((ShardPlace::parse(place, POSITION)?, annotator)))
            .ok_or_else(|| format!("{shard:?} is no shard"))?;
        merged.add(place, Some(annotator.to_owned()), row)?;
    }
    Ok(())
}

const NO_SHARD: &str = "it was not written with --shard";

/// Returns the rows of a table as cells without the shard, and their shards.
fn read_csv(text: &str) -> Result<ShardRows<Vec<String>>, String> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| error.to_string())?;
    if header == HEADER.as_slice() {
        return Err(NO_SHARD.to_owned());
    }
    if !header.iter().eq(HEADER.into_iter().chain([SHARD_COLUMN])) {
        let expected = HEADER.join(",");
        return Err(format!("expected a table that begins with {expected}"));
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        let mut cells: Vec<String> = record.iter().map(str::to_owned).collect();
        // The reader has checked that all rows are as long as the header.
        let shard = cells.pop().unwrap_or_default();
        rows.push((shard, cells));
    }
    Ok(rows)
}

/// Returns the rows of a table without the shard, and their shards.
fn read_json(text: &str) -> Result<ShardRows<Row>, String> {
    let rows: Vec<Row> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    rows.into_iter()
        .map(|mut row| {
            let shard = row.shard.take().ok_or(NO_SHARD)?;
            Ok((shard, row))
        })
        .collect()
}
