//! Reads suites from files.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::goal::Goal;
use super::pgn;
use super::record::Record;
use crate::tools::ToolError;
use crate::tools::kit::{IoContext as _, input};

/// The place of a line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LinePlace {
    /// The file name, as given on the command line.
    pub file: String,
    /// The line number, from 1.
    pub line: usize,
}

/// A line that could not be read.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct UnreadLine {
    /// Its place.
    #[serde(flatten)]
    pub place: LinePlace,
    /// The reason.
    pub reason: String,
}

/// A position of a suite.
#[derive(Clone, Debug)]
pub struct SuitePosition {
    /// Its file and line.
    pub place: LinePlace,
    /// The record.
    pub record: Record,
    /// The goal; empty when there is nothing to solve.
    pub goal: Goal,
}

/// The contents of several files, in order.
#[derive(Clone, Debug, Default)]
pub struct Suite {
    /// The positions.
    pub positions: Vec<SuitePosition>,
    /// Lines that could not be read.
    pub unread: Vec<UnreadLine>,
}

impl SuitePosition {
    /// Returns the name: the id, or the place.
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
    /// Fails when a file cannot be read. Invalid lines are not errors: [`Suite::unread`] lists
    /// them.
    pub fn read(files: &[String]) -> Result<Suite, ToolError> {
        let mut suite = Suite::default();
        for file in files {
            let path = Path::new(file);
            let bytes = input::read(path).of_file(path)?;
            suite.add(file, &bytes);
        }
        Ok(suite)
    }

    /// Adds the contents of a file.
    pub fn add(&mut self, file: &str, bytes: &[u8]) {
        let text = input::decode(bytes);
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
        for (number, line) in input::list_lines(text) {
            let place = LinePlace {
                file: file.to_owned(),
                line: number,
            };
            self.add_record(
                place,
                Record::parse(line).map_err(|error| error.to_string()),
            );
        }
    }

    /// Adds a position. If the record or its goal is invalid, adds an unread line instead.
    pub fn add_record(&mut self, place: LinePlace, record: Result<Record, String>) {
        let parsed = record.and_then(|record| {
            let goal = Goal::parse(&record).map_err(|error| error.to_string())?;
            Ok((record, goal))
        });
        match parsed {
            Ok((record, goal)) => self.positions.push(SuitePosition {
                place,
                record,
                goal,
            }),
            Err(reason) => self.unread.push(UnreadLine { place, reason }),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn suites_with_comments_errors_and_odd_bytes_are_read() {
        let mut suite = Suite::default();
        suite.add(
            "x.epd",
            b"\xef\xbb\xbf# comment\r\n\r\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e4; id \"caf\xe9\";\0\r\n\
              garbage\r\n4k3/8/8/8/8/8/4P3/4K3 w - - bm e5;\r\n  4k3/8/8/8/8/8/4P3/4K3 w - -\0\0",
        );
        let names: Vec<String> = suite.positions.iter().map(SuitePosition::name).collect();
        assert_eq!(names, ["caf\u{e9}", "x.epd:6"]);
        assert!(suite.positions[1].goal.is_empty());
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
        fn any_bytes_can_be_read_and_written_back(
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
            for position in &suite.positions {
                // Reading back a written line gives the same goal.
                let line = super::super::normalize::canonical(position).to_string();
                let mut again = Suite::default();
                again.add("x.epd", line.as_bytes());
                prop_assert_eq!(again.positions.len(), 1, "{}", line);
                prop_assert_eq!(&again.positions[0].goal, &position.goal, "{}", line);
            }
        }
    }

    #[test]
    fn a_missing_file_is_an_error() {
        let error = Suite::read(&["no such file".to_owned()]).unwrap_err();
        assert!(error.to_string().starts_with("no such file: "), "{error}");
    }
}
