//! The files that are made from the annotated games: the page and the tables.

use std::io::{self, BufRead};
use std::path::{Path, PathBuf};

use super::output::write_out;
use super::report::{self, GameReport};
use super::{AnalyseError, page, tables};
use crate::atomic_write;
use crate::tools::kit::files::{is_standard, is_stream};

/// The files to make from the annotated games. One of them may be `-`, which is standard output.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Documents {
    /// Also write a page to step through the games, which works without a network. This and the
    /// following files replace existing ones, and can be - for standard output, in place of the
    /// games
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Also write a table of the players' accuracy and mean loss, overall and by phase, as CSV
    #[arg(long, value_name = "FILE")]
    pub csv: Option<PathBuf>,
    /// Also write a table of the moves as CSV
    #[arg(long, value_name = "FILE")]
    pub moves: Option<PathBuf>,
    /// Also write the games with everything that is known about each move as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

impl Documents {
    /// Returns the files to write.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        let files = [&self.html, &self.csv, &self.moves, &self.json];
        files.into_iter().filter_map(Option::as_deref)
    }

    /// Returns the main output, if one is named, and the files to write.
    pub fn and<'a>(&'a self, out: Option<&'a Path>) -> Vec<&'a Path> {
        out.into_iter().chain(self.files()).collect()
    }

    /// Returns whether one of the files takes the place of games on standard output.
    pub fn use_standard_output(&self) -> bool {
        self.files().any(is_standard)
    }

    /// Writes all files. The games come from the PGN text at `out`.
    ///
    /// # Errors
    /// Fails when the text cannot be read or a file cannot be written.
    pub fn write(&self, pgn: &mut dyn BufRead, out: &Path) -> Result<(), AnalyseError> {
        if self.files().next().is_none() {
            return Ok(());
        }
        let games = report::read(pgn).map_err(|source| AnalyseError::io(out, source))?;
        write(self.html.as_deref(), || page::page(&games, &title(out)))?;
        write(self.csv.as_deref(), || tables::players(&games))?;
        write(self.moves.as_deref(), || tables::moves(&games))?;
        write(self.json.as_deref(), || json(&games))
    }
}

fn write(
    path: Option<&Path>,
    text: impl FnOnce() -> io::Result<String>,
) -> Result<(), AnalyseError> {
    let Some(path) = path else {
        return Ok(());
    };
    text()
        .and_then(|text| {
            if is_standard(path) {
                write_out(&text)
            } else {
                atomic_write::replace(path, text.as_bytes())
            }
        })
        .map_err(|source| AnalyseError::io(path, source))
}

fn title(out: &Path) -> String {
    if is_stream(out) {
        return "Analysis by Quevedo".to_owned();
    }
    let name = out.file_stem().unwrap_or_default().to_string_lossy();
    format!("{name}: analysis by Quevedo")
}

fn json(games: &[GameReport]) -> io::Result<String> {
    let json = serde_json::to_string_pretty(games).map_err(io::Error::from);
    json.map(|json| json + "\n")
}
