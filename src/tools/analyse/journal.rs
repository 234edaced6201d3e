//! The positions that a run has analysed, kept on the disk until the run is complete.
//!
//! Games are written as a whole and in their order. The journal beside the output holds the
//! positions of unfinished games, and of finished ones that wait for an earlier game, so that an
//! interrupted run does not search them again. It is a file of JSON lines: the first identifies the
//! run, and each of the others is a position.

use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use super::AnalyseError;
use super::analyst::Assessment;
use super::evaluation::Evaluation;
use crate::atomic_write;
use crate::position::{Position, notation};
use crate::tools::kit::progress::say;

/// The version of the format.
const FORMAT: u32 = 1;

/// The first line.
#[derive(PartialEq, Eq, Debug, Serialize, Deserialize)]
struct JournalHeader {
    /// The version of the format.
    journal: u32,
    /// The engine and its limits.
    annotator: String,
}

/// A position.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct JournalEntry {
    /// The number of the game or line in the source, from 1.
    game: u64,
    /// The number of moves before the position.
    ply: usize,
    /// The key of the position, in hexadecimal digits.
    key: String,
    evaluation: Option<Evaluation>,
    /// The best line in UCI notation.
    best: Vec<String>,
    depth: u32,
    nodes: u64,
}

/// A journal. Without a file it forgets everything.
#[derive(Debug, Default)]
pub struct Journal {
    path: PathBuf,
    known: HashMap<(u64, usize), JournalEntry>,
    file: Mutex<Option<File>>,
}

impl Journal {
    /// Opens the journal of an output, and reads the positions from this game on.
    ///
    /// # Errors
    /// Fails when the file cannot be read or written, or is the journal of another engine or other
    /// limits.
    pub fn open(output: &Path, annotator: &str, first_game: u64) -> Result<Journal, AnalyseError> {
        let path = Journal::path(output);
        let header = JournalHeader {
            journal: FORMAT,
            annotator: annotator.to_owned(),
        };
        let failed = |source| AnalyseError::io(&path, source);
        let mut entries = match fs::read(&path) {
            Ok(bytes) => {
                let other = |reason| AnalyseError::OtherGames {
                    path: output.to_owned(),
                    reason,
                };
                read(&String::from_utf8_lossy(&bytes), &header).map_err(other)?
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(failed(error)),
        };
        entries.retain(|entry| entry.game >= first_game);
        Journal::write(path.clone(), &header, entries).map_err(failed)
    }

    /// Writes a journal with these entries, to which others can be added.
    fn write(
        path: PathBuf,
        header: &JournalHeader,
        entries: Vec<JournalEntry>,
    ) -> io::Result<Journal> {
        let mut text = serde_json::to_string(header)? + "\n";
        let mut known = HashMap::new();
        for entry in entries {
            text.push_str(&serde_json::to_string(&entry)?);
            text.push('\n');
            known.insert((entry.game, entry.ply), entry);
        }
        atomic_write::replace(&path, text.as_bytes())?;
        let file = OpenOptions::new().append(true).open(&path)?;
        Ok(Journal {
            path,
            known,
            file: Mutex::new(Some(file)),
        })
    }

    /// Removes the journal of an output, if there is one.
    ///
    /// # Errors
    /// Fails when it cannot be removed.
    pub fn discard(output: &Path) -> io::Result<()> {
        match fs::remove_file(Journal::path(output)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Returns whether an output has a journal.
    pub fn exists(output: &Path) -> bool {
        Journal::path(output).exists()
    }

    /// Returns the path beside the file that a link such as `/dev/stdout` leads to.
    pub fn path(output: &Path) -> PathBuf {
        let file = fs::canonicalize(output).unwrap_or_else(|_| output.to_owned());
        let mut path = OsString::from(file);
        path.push(".journal");
        PathBuf::from(path)
    }

    /// Returns the number of positions that an earlier run has analysed.
    pub fn positions(&self) -> u64 {
        self.known.len() as u64
    }

    /// Returns the assessment of a position that an earlier run has analysed.
    pub fn find(&self, game: u64, ply: usize, position: &Position) -> Option<Assessment> {
        let entry = self.known.get(&(game, ply))?;
        if entry.key != key(position) {
            return None;
        }
        let mut best = Vec::new();
        let mut current = position.clone();
        for text in &entry.best {
            let m = notation::parse_uci(&current, text).ok()?;
            current = current.play(m);
            best.push(m);
        }
        let evaluation = entry.evaluation;
        Some(Assessment {
            evaluation,
            expectation: evaluation.map_or(0.5, |evaluation| evaluation.expectation(position)),
            best,
            depth: entry.depth,
            nodes: entry.nodes,
        })
    }

    /// Adds a position. When it cannot be written, the journal ends with a message.
    pub fn add(&self, game: u64, ply: usize, position: &Position, assessment: &Assessment) {
        let mut file = self.file.lock();
        if self.known.contains_key(&(game, ply)) {
            return;
        }
        let Some(open) = file.as_mut() else {
            return;
        };
        let entry = JournalEntry {
            game,
            ply,
            key: key(position),
            evaluation: assessment.evaluation,
            best: assessment.uci_line(position),
            depth: assessment.depth,
            nodes: assessment.nodes,
        };
        let written = serde_json::to_string(&entry)
            .map_err(io::Error::from)
            .and_then(|line| open.write_all((line + "\n").as_bytes()));
        if let Err(error) = written {
            say(&format!("{}: {error}", self.path.display()));
            *file = None;
        }
    }

    /// Removes the journal of a complete run.
    ///
    /// # Errors
    /// Fails when it cannot be removed.
    pub fn finish(self) -> io::Result<()> {
        let file = self.file.into_inner();
        let Some(file) = file else {
            return Ok(());
        };
        drop(file);
        fs::remove_file(&self.path)
    }
}

/// Reads the entries of a journal with this header, or returns the reason why it has another one.
/// The last line of a killed run may be incomplete.
fn read(text: &str, header: &JournalHeader) -> Result<Vec<JournalEntry>, String> {
    let mut lines = text.lines();
    let Some(first) = lines.next() else {
        return Ok(Vec::new());
    };
    match serde_json::from_str::<JournalHeader>(first) {
        Ok(found) if found == *header => {}
        Ok(found) if found.journal == header.journal => {
            let (found, annotator) = (found.annotator, &header.annotator);
            return Err(format!(
                "its journal is that of a run with {found:?}, not {annotator:?}"
            ));
        }
        _ => return Err("its journal was not written by this version".to_owned()),
    }
    Ok(lines
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect())
}

fn key(position: &Position) -> String {
    format!("{:016x}", position.key())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_found_again() {
        let directory = tempfile::tempdir().unwrap();
        let output = directory.path().join("out.pgn");
        let position = Position::initial();
        let assessment = Assessment {
            evaluation: Some(Evaluation::Centipawns(-35)),
            expectation: Evaluation::Centipawns(-35).expectation(&position),
            best: vec![position.legal_moves()[0]],
            depth: 7,
            nodes: 900,
        };
        let open = |annotator| Journal::open(&output, annotator, 2).unwrap();
        let journal = open("one");
        for game in 1..=3 {
            journal.add(game, 0, &position, &assessment);
        }
        drop(journal);
        // A line that is cut off is left out, and so are games that are written already.
        let path = directory.path().join("out.pgn.journal");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, &text[..text.len() - 9]).unwrap();
        let journal = open("one");
        assert_eq!(journal.positions(), 1);
        assert_eq!(journal.find(2, 0, &position), Some(assessment.clone()));
        assert_eq!(journal.find(2, 1, &position), None);
        let other = position.play(position.legal_moves()[0]);
        assert_eq!(journal.find(2, 0, &other), None);
        // Known positions are not added again.
        journal.add(2, 0, &position, &assessment);
        assert_eq!(fs::read_to_string(&path).unwrap().lines().count(), 2);
        drop(journal);
        // The journal of another run is refused, and stays.
        let text = fs::read_to_string(&path).unwrap();
        let refused = |annotator, reason: &str| {
            let error = Journal::open(&output, annotator, 2).unwrap_err();
            assert!(error.to_string().contains(reason), "{error}");
        };
        refused("another", "a run with \"one\", not \"another\"");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
        for other in [
            "My notes\n",
            &text.replace("\"journal\":1", "\"journal\":9"),
        ] {
            fs::write(&path, other).unwrap();
            refused("one", "was not written by this version");
            assert_eq!(fs::read_to_string(&path).unwrap(), other);
        }
        fs::write(&path, "").unwrap();
        let journal = open("another");
        assert_eq!(journal.positions(), 0);
        journal.finish().unwrap();
        assert!(!path.exists());
        assert!(Journal::discard(&output).is_ok());
        Journal::default().add(1, 0, &position, &assessment);
    }

    #[test]
    #[cfg(unix)]
    fn the_journal_of_a_link_is_beside_the_file() {
        let directory = tempfile::tempdir().unwrap();
        let [links, files] = ["links", "files"].map(|name| directory.path().join(name));
        fs::create_dir(&links).unwrap();
        fs::create_dir(&files).unwrap();
        let (link, file) = (links.join("stdout"), files.join("out.pgn"));
        fs::write(&file, "").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let journal = Journal::open(&link, "one", 1).unwrap();
        assert!(files.join("out.pgn.journal").exists());
        assert!(Journal::exists(&link) && Journal::exists(&file));
        assert_eq!(fs::read_dir(&links).unwrap().count(), 1);
        journal.finish().unwrap();
        assert!(!Journal::exists(&link));
    }
}
