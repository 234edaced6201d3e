//! Scores of positions, kept in a file, so that a book can be rebuilt without searching.
//!
//! The file is EPD: `acn` is the limit of the search in nodes, `ce` the score in centipawns for the
//! side to move.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::BookToolError;
use crate::tools::kit::{IoContext as _, replace_file};

/// The scores of searches with one limit.
#[derive(Debug)]
pub struct Scores {
    path: Option<PathBuf>,
    nodes: u64,
    /// Scores by EPD and nodes.
    known: BTreeMap<(String, u64), i32>,
    /// The length of the file up to the end of its last whole line.
    length: u64,
    /// The file to which new scores are appended. Opened for the first of them.
    added: Option<File>,
}

impl Scores {
    /// Reads a file if it exists. Without a path, no scores are kept.
    ///
    /// # Errors
    /// Fails when the file cannot be read, or has a line in another format.
    pub fn open(path: Option<&Path>, nodes: u64) -> Result<Scores, BookToolError> {
        let mut scores = Scores {
            path: path.map(Path::to_owned),
            nodes,
            known: BTreeMap::new(),
            length: 0,
            added: None,
        };
        let Some(path) = path else {
            return Ok(scores);
        };
        let text = if path.exists() {
            std::fs::read_to_string(path).of_file(path)?
        } else {
            String::new()
        };
        // A line without an end is the rest of an interrupted write.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        for (number, line) in (1..).zip(text.get(..whole).unwrap_or_default().lines()) {
            let (key, score) = parse(line).ok_or_else(|| BookToolError::Line {
                path: path.to_owned(),
                line: number,
                reason: "expected a position, acn and ce".to_owned(),
            })?;
            scores.known.insert(key, score);
        }
        scores.length = whole as u64;
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
        let file = match &mut self.added {
            Some(file) => file,
            none => none.insert(open_end(path, self.length).of_file(path)?),
        };
        let line = line(epd, self.nodes, score);
        Ok(file.write_all(line.as_bytes()).of_file(path)?)
    }

    /// Writes the file in order, independent of which search finished first.
    ///
    /// # Errors
    /// Fails when the file cannot be written.
    pub fn finish(&mut self) -> Result<(), BookToolError> {
        self.added = None;
        let Some(path) = &self.path else {
            return Ok(());
        };
        let lines = self.known.iter();
        let text: String = lines
            .map(|((epd, nodes), &score)| line(epd, *nodes, score))
            .collect();
        Ok(replace_file(path, text.as_bytes())?)
    }
}

/// Opens a file, cuts it to this length, and seeks to its end.
fn open_end(path: &Path, length: u64) -> io::Result<File> {
    // Not by appending: Windows does not let such a file be shortened.
    let mut file = OpenOptions::new()
        .create(true)
        .write(true)
        .truncate(false)
        .open(path)?;
    file.set_len(length)?;
    file.seek(SeekFrom::End(0))?;
    Ok(file)
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
