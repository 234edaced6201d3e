//! `quevedo lab`: the classical game-tree algorithms side by side, on small games and on chess.

mod algorithm_args;
mod compare;
mod demo;
mod error;
mod exercise;
mod game_args;
mod games;
mod growth;
mod page;
mod play;
mod questions;
mod solve;
mod spanish;
mod spanish_texts;
#[cfg(test)]
mod tests;
mod tree;

use std::fs::File;
use std::io::{self, BufRead, Read as _, Write};
use std::path::Path;

use clap::Subcommand;
use serde::Serialize;

use crate::atomic_write;
use crate::lab::language::Language;

pub use error::LabError;
pub use spanish::parse_arguments;

/// Compares the classical game-tree algorithms, on small games and on chess
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    #[command(subcommand)]
    command: LabCommand,
    /// The language of the output
    #[arg(
        long,
        value_enum,
        value_name = "LANGUAGE",
        default_value = "en",
        global = true
    )]
    lang: Language,
}

#[derive(Clone, Debug, Subcommand)]
enum LabCommand {
    /// Run algorithms on one position and show what each of them did
    Compare(compare::CompareArgs),
    /// Show the value of a game and how it is played best
    Solve(solve::SolveArgs),
    /// Play a small game against an algorithm, here in the terminal
    Play(play::PlayArgs),
    /// Show a game's tree and what an algorithm did in it
    Tree(tree::TreeArgs),
    /// Write a page on which to step through two algorithms
    Page(page::PageArgs),
    /// Write, grade or answer an exercise
    Exercise(exercise::ExerciseArgs),
    /// Measure how searches grow with depth
    Growth(growth::GrowthArgs),
    /// Show a lesson; there is one for each section of the lecture notes
    Demo(demo::DemoArgs),
    /// List the algorithms, with their Spanish names
    Algorithms(algorithm_args::ListArgs),
    /// List the games by players, order of moves, information, chance and sum
    Games(games::GamesArgs),
}

/// The result of comparing exact algorithms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// They have found the same value, or there was nothing to compare.
    Agreement,
    /// They have not, so that one of them is wrong.
    Disagreement,
    /// Some algorithms were stopped before they had found a value.
    Unfinished,
}

/// Runs the sub-command.
///
/// # Errors
/// Fails when the arguments are invalid, a limit is reached, or a file cannot be read or written.
pub fn run(args: &Args, input: &mut dyn BufRead, out: &mut dyn Write) -> Result<Verdict, LabError> {
    run_in(args.lang, &args.command, input, out).map_err(|error| error.translated(args.lang))
}

fn run_in(
    lang: Language,
    command: &LabCommand,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<Verdict, LabError> {
    match command {
        LabCommand::Compare(args) => return compare::run(args, lang, out),
        LabCommand::Solve(args) => solve::run(args, lang, out)?,
        LabCommand::Play(args) => play::run(args, lang, input, out)?,
        LabCommand::Tree(args) => tree::run(args, lang, out)?,
        LabCommand::Page(args) => page::run(args, lang, out)?,
        LabCommand::Exercise(args) => exercise::run(args, lang, out)?,
        LabCommand::Growth(args) => growth::run(args, lang, out)?,
        LabCommand::Demo(args) => demo::run(args, lang, out)?,
        LabCommand::Algorithms(args) => algorithm_args::list(args, lang, out)?,
        LabCommand::Games(args) => games::run(args, lang, out)?,
    }
    Ok(Verdict::Agreement)
}

/// Writes a value as JSON.
fn print_json(out: &mut dyn Write, value: &impl Serialize) -> Result<(), LabError> {
    let text = serde_json::to_string_pretty(value).map_err(io::Error::from)?;
    writeln!(out, "{text}")?;
    Ok(())
}

/// Writes a table. The first column is aligned to the left, the others to the right; the last,
/// which may be long, is written as it is.
fn print_table(out: &mut dyn Write, rows: &[Vec<String>]) -> Result<(), LabError> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let width = width(column);
            line += &match column {
                0 => format!("{cell:<width$}"),
                _ if column + 1 == columns => format!("  {cell}"),
                _ => format!("  {cell:>width$}"),
            };
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}

/// The largest size of a file that is read, in bytes.
const MOST_BYTES: u64 = 64 << 20;

/// Reads a text file in UTF-8, with or without a byte order mark, or in UTF-16 with one, as Windows
/// PowerShell writes.
fn read_text(path: &Path) -> Result<String, LabError> {
    let failed = |source| LabError::File {
        path: path.to_owned(),
        source,
    };
    let file = File::open(path).map_err(failed)?;
    // A device has no size, so that the limit holds for what is read.
    let mut bytes = Vec::new();
    let mut bounded = file.take(MOST_BYTES + 1);
    bounded.read_to_end(&mut bytes).map_err(failed)?;
    if bytes.len() as u64 > MOST_BYTES {
        let (path, limit) = (path.display(), MOST_BYTES >> 20);
        return Err(LabError::usage(
            format!("{path}: larger than {limit} MiB"),
            format!("{path}: más de {limit} MiB"),
        ));
    }
    decoded(bytes).map_err(failed)
}

fn decoded(bytes: Vec<u8>) -> io::Result<String> {
    let text = match bytes.as_slice() {
        [0xff, 0xfe, rest @ ..] => decoded_utf16(rest, u16::from_le_bytes)?,
        [0xfe, 0xff, rest @ ..] => decoded_utf16(rest, u16::from_be_bytes)?,
        _ => String::from_utf8(bytes)
            .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "not UTF-8 text"))?,
    };
    Ok(text.trim_start_matches('\u{feff}').to_owned())
}

fn decoded_utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> io::Result<String> {
    let (units, rest) = bytes.as_chunks();
    char::decode_utf16(units.iter().copied().map(unit))
        .collect::<Result<String, _>>()
        .ok()
        .filter(|_| rest.is_empty())
        .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "not UTF-16 text"))
}

/// Writes a picture or a page to a file, or to the output if the file is called `-`.
fn write_picture(out: &mut dyn Write, path: &Path, picture: &str) -> Result<(), LabError> {
    if path.as_os_str() == "-" {
        out.write_all(picture.as_bytes())?;
        return Ok(());
    }
    atomic_write::replace(path, picture.as_bytes()).map_err(|source| LabError::File {
        path: path.to_owned(),
        source,
    })
}
