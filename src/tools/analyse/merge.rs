//! `quevedo analyse merge`: combines the outputs of shards.

use std::fs;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use super::documents::Documents;
use super::shard::{GAME, Merged, ShardPlace};
use super::{AnalyseError, fens};
use crate::atomic_write;
use crate::pgn::{PgnReader, PgnSplitter};
use crate::tools::ToolError;
use crate::tools::kit::files::{self, is_standard, is_stream};

/// Merge the outputs of runs with --shard
///
/// They must come from the same games or positions, engine and limits. The result equals that of a
/// run without --shard.
#[derive(Clone, Debug, clap::Args)]
pub struct AnalysisMergeArgs {
    /// Files written with --shard
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Merge tables of positions, written with --fens, instead of games
    #[arg(long, conflicts_with_all = ["html", "csv", "moves", "json"])]
    fens: bool,
    /// The format of the tables
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = fens::TableFormat::Csv, requires = "fens")]
    format: fens::TableFormat,
    /// Write the merged games or table to this file; - for standard output, which is the default
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long)]
    overwrite: bool,
    /// The other files.
    #[command(flatten)]
    documents: Documents,
}

/// Merges parts and writes the output.
///
/// # Errors
/// Fails when a file cannot be read or written, the parts do not match, or the output exists and is
/// not to be replaced. When games or positions are missing, fails after writing the others.
pub fn run(args: &AnalysisMergeArgs, out: &mut dyn Write) -> Result<(), AnalyseError> {
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    files::check(&inputs, &args.documents.and(args.out.as_deref()))?;
    let is_filled = |path: &Path| fs::metadata(path).is_ok_and(|found| found.len() > 0);
    if let Some(path) = args.out.as_deref()
        && !args.overwrite
        && !is_stream(path)
        && is_filled(path)
    {
        return Err(AnalyseError::OtherGames {
            path: path.to_owned(),
            reason: "the file exists".to_owned(),
        });
    }
    let (text, complete) = if args.fens {
        fens::merge(&args.files, args.format)?
    } else {
        merge_games(&args.files)?
    };
    let path = args.out.as_deref().unwrap_or(Path::new("-"));
    if !is_standard(path) || !args.documents.use_standard_output() {
        write(path, &text, out)?;
    }
    args.documents.write(&mut &text[..], path)?;
    complete
}

fn write(path: &Path, text: &[u8], out: &mut dyn Write) -> Result<(), AnalyseError> {
    let written = if is_standard(path) {
        out.write_all(text).and_then(|()| out.flush())
    } else {
        atomic_write::replace(path, text)
    };
    written.map_err(|source| ToolError::file(path, source).into())
}

/// The merged text, and the error that tells what is missing in it.
pub type MergedText = (Vec<u8>, Result<(), AnalyseError>);

/// Merges games.
fn merge_games(files: &[PathBuf]) -> Result<MergedText, AnalyseError> {
    let mut merged = Merged::new(GAME);
    for path in files {
        add(&mut merged, path)?;
    }
    let complete = merged.check();
    Ok((merged.into_items().flatten().collect(), complete))
}

/// Adds the games of a file.
fn add(merged: &mut Merged<Vec<u8>>, path: &Path) -> Result<(), AnalyseError> {
    let failed = |source| AnalyseError::io(path, source);
    let part = |reason: String| AnalyseError::Part {
        path: path.to_owned(),
        reason,
    };
    let bytes = fs::read(path).map_err(failed)?;
    let mut splitter = PgnSplitter::new(&bytes[..]);
    let mut number = 0;
    while let Some(raw) = splitter.next_game().map_err(failed)? {
        number += 1;
        let Some((place, text)) = ShardPlace::split(&raw.text) else {
            let reason = format!("game {number} in it was not written with --shard");
            return Err(part(reason));
        };
        let annotator = annotator(text).map_err(failed)?;
        merged.add(place, annotator, text.to_vec()).map_err(part)?;
    }
    Ok(())
}

/// Returns the engine and its limits, which the last part of the `Annotator` tag names. Games that
/// were passed through have none.
fn annotator(text: &[u8]) -> io::Result<Option<String>> {
    let mut source: &[u8] = text;
    let game = PgnReader::main_lines(&mut source as &mut dyn BufRead).next_game(&mut |_| {})?;
    Ok(game.and_then(|(game, _)| {
        let is_analysed = game.verbatim.is_none();
        let annotator = game.tag("Annotator").filter(|_| is_analysed)?;
        Some(annotator.rsplit("; ").next()?.to_owned())
    }))
}
