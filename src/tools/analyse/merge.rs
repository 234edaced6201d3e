//! `quevedo analyse merge`: combines the outputs of shards.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use super::documents::Documents;
use super::shard::ShardPlace;
use super::{AnalyseError, check_files, fens, is_standard};
use crate::atomic_write;
use crate::pgn::{PgnReader, PgnSplitter};
use crate::tools::ToolError;
use crate::tools::kit::jobs::Shard;

/// Merge the outputs of runs with --shard
///
/// They must come from the same games and limits. The result equals that of a run without --shard.
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
    /// Write the merged games or table to this file; - for standard output
    #[arg(long, value_name = "FILE", default_value = "-")]
    out: PathBuf,
    /// The other files.
    #[command(flatten)]
    documents: Documents,
}

/// A part of a run: its games, by their numbers.
type Games = BTreeMap<u64, Vec<u8>>;

/// The parts merged so far.
struct Merged {
    shards: Shard,
    games: u64,
    annotator: Option<String>,
    texts: Games,
}

/// Merges parts and writes the output.
///
/// # Errors
/// Fails when a file cannot be read or written, or the parts do not match. When games are missing,
/// fails after writing the others.
pub fn run(args: &AnalysisMergeArgs, out: &mut dyn Write) -> Result<(), AnalyseError> {
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    check_files(&inputs, &args.documents.and(&args.out))?;
    if args.fens {
        let text = fens::merge(&args.files, args.format)?;
        return write(&args.out, text.as_bytes(), out);
    }
    let mut merged: Option<Merged> = None;
    for path in &args.files {
        add(&mut merged, path)?;
    }
    let texts = merged.as_ref().map(|merged| merged.texts.values());
    let text: Vec<u8> = texts.into_iter().flatten().flatten().copied().collect();
    write(&args.out, &text, out)?;
    args.documents.write(&mut &text[..], &args.out)?;
    let Some(merged) = merged else {
        return Ok(());
    };
    let missing = (1..=merged.games).filter(|game| !merged.texts.contains_key(game));
    let missing: Vec<u64> = missing.collect();
    let Some(&first) = missing.first() else {
        return Ok(());
    };
    Err(AnalyseError::MissingGames {
        missing: missing.len() as u64,
        games: merged.games,
        first,
        shard: merged.shards.owner(first),
    })
}

fn write(path: &Path, text: &[u8], out: &mut dyn Write) -> Result<(), AnalyseError> {
    let written = if is_standard(path) {
        out.write_all(text).and_then(|()| out.flush())
    } else {
        atomic_write::replace(path, text)
    };
    written.map_err(|source| ToolError::file(path, source).into())
}

/// Adds the games of a file.
fn add(merged: &mut Option<Merged>, path: &Path) -> Result<(), AnalyseError> {
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
        let merged = merged.get_or_insert_with(|| Merged {
            shards: place.shard,
            games: place.games,
            annotator: None,
            texts: Games::new(),
        });
        if merged.games != place.games {
            let (games, others) = (place.games, merged.games);
            return Err(part(format!("its run has {games} games, not {others}")));
        }
        if merged.shards.owner(1) != place.shard.owner(1) {
            let (shard, other) = (place.shard, merged.shards);
            let reason = format!("it is shard {shard}, which does not go with {other}");
            return Err(part(reason));
        }
        match (&merged.annotator, annotator) {
            (Some(known), Some(other)) if *known != other => {
                return Err(part(format!("its limits are {other:?}, not {known:?}")));
            }
            (None, annotator) => merged.annotator = annotator,
            _ => {}
        }
        if merged.texts.insert(place.game, text.to_vec()).is_some() {
            let reason = format!("game {} is also in a preceding file", place.game);
            return Err(part(reason));
        }
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
