//! `quevedo analyse --fens`: a table of positions with their scores, best moves and lines.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read as _, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::{Mutex, MutexGuard};
use serde::{Deserialize, Serialize};

use super::analyst::{Analyst, Assessment, Observer};
use super::journal::Journal;
use super::run::analysts;
use super::{AnalyseError, AnalysisArgs, is_standard};
use crate::atomic_write;
use crate::position::{Position, notation};
use crate::tools::epd::record::Record;
use crate::tools::kit::csv_text;
use crate::tools::kit::engines::EngineFailure;
use crate::tools::kit::engines::info::UciScore;
use crate::tools::kit::interrupt::Interrupt;
use crate::tools::kit::jobs::run_on_threads;
use crate::tools::kit::progress::{Progress, count, say};
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
}

/// Keeps the messages about one position, and its assessment in the journal.
struct RowObserver<'a> {
    journal: &'a Journal,
    line: u64,
    messages: Mutex<Vec<String>>,
}

impl Observer for RowObserver<'_> {
    fn known(&self, ply: usize, position: &Position) -> Option<Assessment> {
        self.journal.find(self.line, ply, position)
    }

    fn searched(&self, ply: usize, position: &Position, assessment: &Assessment) {
        // The journal has no place for messages.
        if self.messages().is_empty() {
            self.journal.add(self.line, ply, position, assessment);
        }
    }

    fn message(&self, text: &str) {
        let text = text.trim_start_matches("ply 0: ").to_owned();
        self.messages().push(text);
    }
}

impl RowObserver<'_> {
    fn messages(&self) -> MutexGuard<'_, Vec<String>> {
        self.messages.lock()
    }
}

/// Analyses all positions, and writes the table when all are done or the run is interrupted.
///
/// # Errors
/// Fails when a file or the engine cannot be used, a line cannot be read, or the run is
/// interrupted. The table has the positions done until then.
pub fn run(
    args: &AnalysisArgs,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Exit, AnalyseError> {
    let (spec, limits) = (args.engine_spec()?, args.limits());
    let analysts = analysts(args, &spec, &limits, interrupt)?;
    let text = read(args.input()).map_err(|source| AnalyseError::io(args.input(), source))?;
    let mut unread = 0;
    let mut positions = Vec::new();
    let mut read = 0;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match Record::parse(line) {
            Ok(record) => {
                read += 1;
                if args.shard.is_none_or(|shard| shard.contains(read)) {
                    positions.push((number, record.position));
                }
            }
            Err(error) => {
                unread += 1;
                say(&format!("{}:{number}: {error}", args.input().display()));
            }
        }
    }
    let journal = open_journal(args)?;
    if journal.positions() > 0 {
        let done = count(journal.positions(), "position");
        say(&format!("{}: resumes after {done}", args.out.display()));
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
    finished.map_err(|source| AnalyseError::io(&args.out, source))?;
    match unread {
        0 if rows.iter().any(|row| row.fault.is_some()) => Ok(Exit::Incomplete),
        0 => Ok(Exit::Done),
        lines => Err(AnalyseError::UnreadLines(lines)),
    }
}

/// Opens the journal of the table. There is none for standard output.
///
/// The table is written as a whole at the end. A file without a journal is a complete table, or no
/// table at all, and is not replaced unless the user says so.
fn open_journal(args: &AnalysisArgs) -> Result<Journal, AnalyseError> {
    let out = &args.out;
    if is_standard(out) {
        return Ok(Journal::default());
    }
    let metadata = fs::metadata(out);
    let is_filled = metadata.is_ok_and(|metadata| metadata.is_file() && metadata.len() > 0);
    if args.overwrite {
        Journal::discard(out).map_err(|source| AnalyseError::io(out, source))?;
    } else if is_filled && !Journal::exists(out) {
        return Err(AnalyseError::OtherGames {
            path: out.clone(),
            reason: "the file exists, and no interrupted run has written it".to_owned(),
        });
    }
    Journal::open(out, &args.annotator(), 1)
}

fn read(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    if is_standard(path) {
        io::stdin().lock().read_to_end(&mut bytes)?;
    } else {
        bytes = fs::read(path)?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The positions and their rows, which several workers fill in.
struct Table<'a> {
    positions: &'a [(u64, Position)],
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
            let Some((line, position)) = self.positions.get(index) else {
                return Ok(());
            };
            let observer = RowObserver {
                journal: self.journal,
                line: *line,
                messages: Mutex::default(),
            };
            let assessment = match analyst.analyse_game(position, &[], &observer) {
                Ok(assessments) => assessments.into_iter().next().flatten(),
                Err(EngineFailure::Interrupted) => return Ok(()),
                Err(EngineFailure::Fault(reason)) => {
                    self.interrupt.set();
                    let number = *line;
                    return Err(AnalyseError::Line { number, reason });
                }
            };
            let messages = std::mem::take(&mut *observer.messages());
            let row = row(*line, position, assessment, &messages);
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

fn row(line: u64, position: &Position, assessment: Option<Assessment>, messages: &[String]) -> Row {
    let mut row = Row {
        line,
        fen: notation::fen(position),
        score: None,
        best: None,
        san: None,
        depth: 0,
        nodes: 0,
        pv: String::new(),
        fault: (!messages.is_empty()).then(|| messages.join("; ")),
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
        TableFormat::Csv => csv(rows),
        TableFormat::Json => json(rows),
    };
    let written = text.and_then(|text| {
        if is_standard(&args.out) {
            out.write_all(text.as_bytes())
        } else {
            atomic_write::replace(&args.out, text.as_bytes())
        }
    });
    written.map_err(|source| ToolError::file(&args.out, source).into())
}

const HEADER: [&str; 9] = [
    "line", "fen", "score", "best", "san", "depth", "nodes", "pv", "fault",
];

fn csv(rows: &[Row]) -> io::Result<String> {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let cells = rows.iter().map(|row| {
        [
            row.line.to_string(),
            row.fen.clone(),
            text(&row.score.map(|score| score.to_string())),
            text(&row.best),
            text(&row.san),
            row.depth.to_string(),
            row.nodes.to_string(),
            row.pv.clone(),
            text(&row.fault),
        ]
    });
    csv_text(HEADER, cells)
}

fn json(rows: &[Row]) -> io::Result<String> {
    let json = serde_json::to_string_pretty(rows).map_err(io::Error::from);
    json.map(|json| json + "\n")
}

/// Merges the tables that shards have written, and returns the text.
///
/// # Errors
/// Fails when a file cannot be read, is no such table, or has a line of a preceding file.
pub fn merge(files: &[PathBuf], format: TableFormat) -> Result<String, AnalyseError> {
    let mut cells: BTreeMap<u64, [String; 9]> = BTreeMap::new();
    let mut rows: BTreeMap<u64, Row> = BTreeMap::new();
    for path in files {
        let part = |reason: String| AnalyseError::Part {
            path: path.clone(),
            reason,
        };
        let text = read(path).map_err(|source| AnalyseError::io(path, source))?;
        let mut lines = Vec::new();
        match format {
            TableFormat::Csv => {
                for (line, row) in read_csv(&text).map_err(part)? {
                    lines.push((line, cells.insert(line, row).is_some()));
                }
            }
            TableFormat::Json => {
                let read: Vec<Row> =
                    serde_json::from_str(&text).map_err(|error| part(error.to_string()))?;
                for row in read {
                    lines.push((row.line, rows.insert(row.line, row).is_some()));
                }
            }
        }
        if let Some((line, _)) = lines.iter().find(|(_, is_known)| *is_known) {
            return Err(part(format!("line {line} is also in a preceding file")));
        }
    }
    let text = match format {
        TableFormat::Csv => csv_text(HEADER, cells.into_values()),
        TableFormat::Json => json(&rows.into_values().collect::<Vec<_>>()),
    };
    text.map_err(|source| ToolError::output(source).into())
}

/// Returns the rows of a table with their lines.
fn read_csv(text: &str) -> Result<Vec<(u64, [String; 9])>, String> {
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().map_err(|error| error.to_string())?;
    if header != HEADER.as_slice() {
        return Err(format!(
            "expected a table that begins with {}",
            HEADER.join(",")
        ));
    }
    let mut rows = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| error.to_string())?;
        let cells: Vec<String> = record.iter().map(str::to_owned).collect();
        let cells = <[String; 9]>::try_from(cells).map_err(|_| "expected 9 columns")?;
        let [line, ..] = &cells;
        let line = line.parse().map_err(|_| format!("{line:?} is no line"))?;
        rows.push((line, cells));
    }
    Ok(rows)
}
