//! Scores of positions, kept in a file, so that a book can be rebuilt without searching.
//!
//! The file is EPD: `acn` is the limit of the search in nodes, `ce` the score in centipawns for the
//! side to move.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::ErrorKind::PermissionDenied;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::BookToolError;
use crate::tools::kit::files::open_locked;
use crate::tools::kit::{IoContext as _, ToolError, replace_file};

/// The scores of searches with one limit.
#[derive(Debug)]
pub struct Scores {
    path: Option<PathBuf>,
    nodes: u64,
    /// Scores by EPD and nodes.
    known: BTreeMap<(String, u64), i32>,
    /// The length of the file up to the end of its last whole line.
    length: u64,
    /// The file, locked until it is finished.
    file: Option<File>,
}

impl Scores {
    /// Reads a file, and creates it if necessary. Without a path, no scores are kept.
    ///
    /// # Errors
    /// Fails when the file cannot be used, is in use, or has a line in another format.
    pub fn open(path: Option<&Path>, nodes: u64) -> Result<Scores, BookToolError> {
        let mut scores = Scores {
            path: path.map(Path::to_owned),
            nodes,
            known: BTreeMap::new(),
            length: 0,
            file: None,
        };
        let Some(path) = path else {
            return Ok(scores);
        };
        // Scores that are all known need not be written.
        let (mut file, is_locked) = match open_locked(path) {
            Err(ToolError::Io { source, .. }) if source.kind() == PermissionDenied => {
                (File::open(path).of_file(path)?, false)
            }
            opened => (opened?, true),
        };
        let mut text = String::new();
        file.read_to_string(&mut text).of_file(path)?;
        // A line without an end is the rest of an interrupted write.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let (lines, rest) = text.split_at(whole);
        let fault = |line| BookToolError::Line {
            path: path.to_owned(),
            line,
            reason: "expected a position, acn and ce".to_owned(),
        };
        for (number, line) in (1..).zip(lines.lines()) {
            let (key, score) = parse(line).ok_or_else(|| fault(number))?;
            scores.known.insert(key, score);
        }
        if lines.is_empty() && !rest.is_empty() && !begins_with_a_board(rest) {
            return Err(fault(1));
        }
        scores.length = whole as u64;
        scores.file = is_locked.then_some(file);
        Ok(scores)
    }

    /// Returns the limit of the searches in nodes.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the score of a position for the side to move.
    pub fn get(&self, epd: &str) -> Option<i32> {
        self.known.get(&(epd.to_owned(), self.nodes)).copied()
    }

    /// Adds a score.
    ///
    /// # Errors
    /// Fails when the file cannot be written.
    pub fn add(&mut self, epd: &str, score: i32) -> Result<(), BookToolError> {
        self.known.insert((epd.to_owned(), self.nodes), score);
        let Some(path) = &self.path else {
            return Ok(());
        };
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(open_locked(path)?),
        };
        let line = line(epd, self.nodes, score);
        add_line(file, self.length, &line).of_file(path)?;
        self.length += line.len() as u64;
        Ok(())
    }

    /// Writes the file in order, independent of which search finished first.
    ///
    /// # Errors
    /// Fails when the file cannot be written.
    pub fn finish(&mut self) -> Result<(), BookToolError> {
        self.file = None;
        let Some(path) = &self.path else {
            return Ok(());
        };
        let lines = self.known.iter();
        let text: String = lines
            .map(|((epd, nodes), &score)| line(epd, *nodes, score))
            .collect();
        self.length = text.len() as u64;
        Ok(replace_file(path, text.as_bytes())?)
    }
}

/// Writes a line at this place, and removes what is behind it.
fn add_line(file: &mut File, place: u64, line: &str) -> io::Result<()> {
    file.set_len(place)?;
    file.seek(SeekFrom::Start(place))?;
    file.write_all(line.as_bytes())
}

/// Returns whether a text can be the beginning of a line.
fn begins_with_a_board(text: &str) -> bool {
    let (board, _) = text.split_once(' ').unwrap_or((text, ""));
    let mut squares = board.bytes();
    board.matches('/').count() == 7 && squares.all(|byte| b"pnbrqkPNBRQK12345678/".contains(&byte))
}

fn line(epd: &str, nodes: u64, score: i32) -> String {
    format!("{epd} acn {nodes}; ce {score};\n")
}

fn parse(line: &str) -> Option<((String, u64), i32)> {
    let (epd, operations) = line.split_once(" acn ")?;
    let (nodes, score) = operations.split_once("; ce ")?;
    let score = score.trim_end().strip_suffix(';')?;
    Some(((epd.to_owned(), nodes.parse().ok()?), score.parse().ok()?))
}
