//! Suites: what stands in files, line by line, and what could not be understood.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::goal::Goal;
use super::pgn;
use super::record::Record;
use crate::tools::ToolError;

/// What stands for standard input.
pub const STDIN: &str = "-";

/// A place in a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Place {
    /// The file, as it was named.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
}

/// A line that could not be understood.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Unread {
    /// Where it stands.
    #[serde(flatten)]
    pub place: Place,
    /// What is wrong with it.
    pub reason: String,
}

/// A line that was understood.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Where it stands.
    pub place: Place,
    /// What it says.
    pub record: Record,
    /// What it asks for; empty for a position without a question.
    pub goal: Goal,
}

/// Everything that stands in some files, in their order.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// The lines that were understood.
    pub entries: Vec<Entry>,
    /// Those that were not.
    pub unread: Vec<Unread>,
}

impl Entry {
    /// What the position is called: its id, or its place.
    pub fn name(&self) -> String {
        self.record
            .operation("id")
            .map(|id| id.text().trim().to_owned())
            .filter(|id| !id.is_empty())
            .unwrap_or_else(|| format!("{}:{}", self.place.file, self.place.line))
    }
}

impl Suite {
    /// Reads files, EPD or PGN; `-` is standard input.
    ///
    /// # Errors
    /// When a file cannot be read. What stands in it is no reason: lines that cannot be understood are in
    /// [`Suite::unread`].
    pub fn read(files: &[String]) -> Result<Suite, ToolError> {
        let mut suite = Suite::default();
        for file in files {
            let bytes = read_bytes(file).map_err(|source| ToolError::Io {
                what: file.clone(),
                source,
            })?;
            suite.add(file, &bytes);
        }
        Ok(suite)
    }

    /// Adds what stands in a file.
    pub fn add(&mut self, file: &str, bytes: &[u8]) {
        let text = decode(bytes);
        let is_pgn = Path::new(file)
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"));
        if is_pgn || pgn::looks_like_it(&text) {
            pgn::add(self, file, &text);
        } else {
            self.add_epd(file, &text);
        }
    }

    fn add_epd(&mut self, file: &str, text: &str) {
        for (line, number) in text.lines().zip(1..) {
            let line = line.trim();
            if line.is_empty() || line.starts_with(['#', '%', ';']) || line.starts_with("//") {
                continue;
            }
            let place = Place {
                file: file.to_owned(),
                line: number,
            };
            self.add_record(
                place,
                Record::parse(line).map_err(|error| error.to_string()),
            );
        }
    }

    /// Adds a record, if it asks for something that can be understood.
    pub fn add_record(&mut self, place: Place, record: Result<Record, String>) {
        let entry = record.and_then(|record| {
            let goal = Goal::parse(&record).map_err(|error| error.to_string())?;
            Ok((record, goal))
        });
        match entry {
            Ok((record, goal)) => self.entries.push(Entry {
                place,
                record,
                goal,
            }),
            Err(reason) => self.unread.push(Unread { place, reason }),
        }
    }
}

fn read_bytes(file: &str) -> io::Result<Vec<u8>> {
    if file == STDIN {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        Ok(bytes)
    } else {
        fs::read(file)
    }
}

/// The text without byte order mark, NUL bytes and carriage returns. What is not UTF-8 is taken for Latin-1, which every
/// byte is.
fn decode(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let text = std::str::from_utf8(bytes).map_or_else(
        |_| bytes.iter().map(|&byte| char::from(byte)).collect(),
        str::to_owned,
    );
    // Some programs end lines by a carriage return alone.
    text.replace("\r\n", "\n")
        .replace('\r', "\n")
        .replace('\0', "")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_file_with_everything_in_it() {
        let mut suite = Suite::default();
        suite.add(
            "x.epd",
            b"\xef\xbb\xbf# comment\r\n\r\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"caf\xe9\";\0\r\n\
              garbage\r\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e5;\r\n  4k3/8/8/8/8/8/4P3/4K3 w - -\0\0",
        );
        let names: Vec<String> = suite.entries.iter().map(Entry::name).collect();
        assert_eq!(names, ["caf\u{e9}", "x.epd:6"]);
        assert!(suite.entries[1].goal.is_empty());
        let unread: Vec<(usize, &str)> = suite
            .unread
            .iter()
            .map(|unread| (unread.place.line, unread.reason.as_str()))
            .collect();
        assert_eq!(
            unread,
            [
                (4, "a position has four fields, this line has 1"),
                (5, "bm: illegal move: \"e5\"")
            ]
        );
    }

    proptest! {
        #[test]
        fn nothing_that_stands_in_a_file_is_too_odd(
            words in prop::collection::vec(
                prop::sample::select(vec![
                    "4k3/8/8/8/8/8/4P3/4K3", "w", "b", "-", "-0", "0", "1", "bm", "am", "dm", "e4", "e4!?", "#3", "#-", "c0",
                    "\"e4=10, e3=7\"", "c7", "c8", "\"", ";", ",", "=", "e8=Q", "O-O", "hmvc", "99999999999999999999", "\n",
                    "\0", "[FEN \"x\"]\n", "1. e4", "{", "(", "id", "é", "pv", "e2e4", "12...", "+", "\r",
                ]),
                0..40,
            ),
            bytes in prop::collection::vec(any::<u8>(), 0..40),
            is_pgn: bool,
        ) {
            let mut contents = words.join(" ").into_bytes();
            contents.extend(bytes);
            let mut suite = Suite::default();
            suite.add(if is_pgn { "x.pgn" } else { "x.epd" }, &contents);
            for entry in &suite.entries {
                // What is written is read again as the same.
                let line = super::super::normalize::canonical(entry).to_string();
                let mut again = Suite::default();
                again.add("x.epd", line.as_bytes());
                prop_assert_eq!(again.entries.len(), 1, "{}", line);
                prop_assert_eq!(&again.entries[0].goal, &entry.goal, "{}", line);
            }
        }
    }

    #[test]
    fn a_missing_file_is_an_error() {
        let error = Suite::read(&["no such file".to_owned()]).unwrap_err();
        assert!(error.to_string().starts_with("no such file: "), "{error}");
    }
}
