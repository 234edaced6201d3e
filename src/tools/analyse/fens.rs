//! `quevedo analyse --fens`: a table of positions with their scores, best moves and lines.

use std::io::{self, Read as _, Write};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use serde::Serialize;

use super::analyst::{Analyst, Assessment, Observer};
use super::run::analysts;
use super::{AnalyseArgs, AnalyseError, is_standard};
use crate::position::{Move, Position, notation};
use crate::tools::ToolError;
use crate::tools::epd::record::Record;
use crate::tools::kit::engines::Failure;
use crate::tools::kit::engines::info::UciScore;
use crate::tools::kit::interrupt::Interrupt;
use crate::tools::kit::jobs::run_on_threads;
use crate::tools::kit::progress::{Progress, count, say};
use crate::tools::kit::{atomic_write, csv_text};

/// The format of the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum TableFormat {
    /// Comma-separated values, with a header
    Csv,
    /// A JSON array
    Json,
}

/// A row of the table.
#[derive(Clone, Debug, Serialize)]
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

/// Keeps the messages about one position.
#[derive(Default)]
struct Messages(Mutex<Vec<String>>);

impl Observer for Messages {
    fn position_done(&self) {}

    fn message(&self, text: &str) {
        let mut messages = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        messages.push(text.trim_start_matches("ply 0: ").to_owned());
    }
}

/// Analyses all positions, and writes the table when all are done or the run is interrupted.
///
/// # Errors
/// Fails when a file or the engine cannot be used, a line cannot be read, or the run is
/// interrupted. The table has the positions done until then.
pub fn run(
    args: &AnalyseArgs,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<(), AnalyseError> {
    let (spec, limits) = (args.engine_spec()?, args.limits());
    let analysts = analysts(args, &spec, &limits, interrupt)?;
    let text = read(args).map_err(|source| AnalyseError::io(&args.input, source))?;
    let mut unread = 0;
    let mut positions = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match Record::parse(line) {
            Ok(record) => positions.push((number, record.position)),
            Err(error) => {
                unread += 1;
                say(&format!("{}:{number}: {error}", args.input.display()));
            }
        }
    }
    let table = Table {
        positions: &positions,
        next: AtomicUsize::new(0),
        rows: Mutex::new(vec![None; positions.len()]),
        progress: Progress::new(Some(positions.len() as u64), 0),
        interrupt,
    };
    let job = |analyst| || table.fill(analyst);
    let result = run_on_threads("analyse", analysts.into_iter().map(job));
    let rows = table
        .rows
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let rows: Vec<Row> = rows.into_iter().flatten().collect();
    write(args, &rows, out)?;
    result?;
    if interrupt.is_set() {
        return Err(AnalyseError::Interrupted {
            done: rows.len() as u64,
            noun: "position",
            advice: "",
        });
    }
    match unread {
        0 => Ok(()),
        lines => Err(AnalyseError::UnreadLines(lines)),
    }
}

fn read(args: &AnalyseArgs) -> io::Result<String> {
    let mut bytes = Vec::new();
    if is_standard(&args.input) {
        io::stdin().lock().read_to_end(&mut bytes)?;
    } else {
        bytes = std::fs::read(&args.input)?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The positions and their rows, which several workers fill in.
struct Table<'a> {
    positions: &'a [(u64, Position)],
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
            let messages = Messages::default();
            let assessment = match analyst.analyse_game(position, &[], &messages) {
                Ok(assessments) => assessments.into_iter().next().flatten(),
                Err(Failure::Interrupted) => return Ok(()),
                Err(Failure::Fault(reason)) => {
                    self.interrupt.set();
                    let number = *line;
                    return Err(AnalyseError::Line { number, reason });
                }
            };
            let messages = messages.0.into_inner();
            let messages = messages.unwrap_or_else(PoisonError::into_inner);
            let row = row(*line, position, assessment, &messages);
            let mut rows = self.rows.lock().unwrap_or_else(PoisonError::into_inner);
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
        let uci = uci_line(position, &assessment.best);
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

fn uci_line(position: &Position, moves: &[Move]) -> Vec<String> {
    let mut position = position.clone();
    let mut words = Vec::new();
    for &m in moves {
        words.push(notation::uci(&position, m).to_string());
        position = position.play(m);
    }
    words
}

fn write(args: &AnalyseArgs, rows: &[Row], out: &mut dyn Write) -> Result<(), AnalyseError> {
    let text = match args.format {
        TableFormat::Csv => csv(rows),
        TableFormat::Json => serde_json::to_string_pretty(rows)
            .map(|json| json + "\n")
            .map_err(io::Error::from),
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

fn csv(rows: &[Row]) -> io::Result<String> {
    let header = [
        "line", "fen", "score", "best", "san", "depth", "nodes", "pv", "fault",
    ];
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
    csv_text(header, cells)
}
