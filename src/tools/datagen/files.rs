//! Files that are there: verified, put together, shuffled, and written as text.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::DatagenError;
use super::filter::is_usable;
use super::format::{Game, GameError};
use super::reader::{ReadError, Reader};
use crate::position::notation::fen;
use crate::random::Random;
use crate::tools::ToolError;
use crate::tools::kit::progress::say;

/// Large enough that the disk does not matter, in bytes.
const BUFFER: usize = 1 << 20;

/// What `datagen verify` is asked.
#[derive(Clone, Debug, clap::Args)]
pub struct VerifyArgs {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// What `datagen shuffle` is asked.
#[derive(Clone, Debug, clap::Args)]
pub struct ShuffleArgs {
    /// Files of games; all of them have to fit into memory
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The file to write, which must not exist
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// What the order follows from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// What `datagen merge` is asked.
#[derive(Clone, Debug, clap::Args)]
pub struct MergeArgs {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The file to write, which must not exist
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// What `datagen export` is asked.
#[derive(Clone, Debug, clap::Args)]
pub struct ExportArgs {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The file to write, which must not exist; standard output if not given
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Write every K-th quiet position only
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub every: u64,
}

/// A game's place in a file.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    path: &'a Path,
    /// Bytes from the beginning of the file.
    offset: u64,
    /// From 1.
    number: u64,
}

impl Place<'_> {
    /// The error that this game has.
    pub fn fault(self, error: GameError) -> DatagenError {
        DatagenError::bad_game(self.path, self.offset, self.number, error)
    }
}

/// Visits the bytes of every game of a file.
///
/// # Errors
/// When the file cannot be read or its last game is not complete, and whatever the visitor says.
fn each_game(
    path: &Path,
    mut visit: impl FnMut(Place<'_>, &[u8]) -> Result<(), DatagenError>,
) -> Result<(), DatagenError> {
    let failed = |source| DatagenError::io(path, source);
    let file = File::open(path).map_err(failed)?;
    let mut reader = Reader::new(BufReader::with_capacity(BUFFER, file));
    let mut number = 0;
    loop {
        let offset = reader.next_offset();
        match reader.next_game() {
            Ok(None) => return Ok(()),
            Ok(Some(bytes)) => {
                number += 1;
                visit(
                    Place {
                        path,
                        offset,
                        number,
                    },
                    bytes,
                )?;
            }
            Err(ReadError::Io(source)) => return Err(failed(source)),
            Err(ReadError::Cut) => {
                let path = path.to_owned();
                return Err(DatagenError::Cut { path, offset });
            }
        }
    }
}

/// Visits the bytes of every whole game of files. A last game that is not complete is no reason to stop: a run may just be
/// writing it.
///
/// # Errors
/// When a file cannot be read, and whatever the visitor says.
pub fn each_whole_game(
    paths: &[PathBuf],
    mut visit: impl FnMut(Place<'_>, &[u8]) -> Result<(), DatagenError>,
) -> Result<(), DatagenError> {
    for path in paths {
        match each_game(path, &mut visit) {
            Err(error @ DatagenError::Cut { .. }) => say(&format!("left out: {error}")),
            outcome => outcome?,
        }
    }
    Ok(())
}

/// Creates a file, and never replaces one. It is gone again when it could not be written as a whole, so that the corrected
/// command may create it.
fn create(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<(), DatagenError>,
) -> Result<(), DatagenError> {
    let failed = |source| DatagenError::io(path, source);
    let file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(path)
        .map_err(failed)?;
    let mut out = BufWriter::with_capacity(BUFFER, file);
    let written = write(&mut out).and_then(|()| out.flush().map_err(failed));
    if written.is_err() {
        // Closed first: Windows does not remove a file that is open. What is the matter has been said already.
        drop(out.into_parts());
        let _ = fs::remove_file(path);
    }
    written
}

/// Plays through every game of every file, and says how many there are.
///
/// # Errors
/// The first fault: where it is, and what.
pub fn verify(args: &VerifyArgs, out: &mut dyn Write) -> Result<(), DatagenError> {
    for path in &args.files {
        let (mut games, mut positions) = (0_u64, 0);
        each_game(path, |place, bytes| {
            let game = Game::from_bytes(bytes).map_err(|error| place.fault(error))?;
            game.verify().map_err(|error| place.fault(error))?;
            games += 1;
            positions += game.moves.len();
            Ok(())
        })?;
        let path = path.display();
        writeln!(
            out,
            "{path}: {games} games, {positions} positions, no fault"
        )
        .map_err(ToolError::output)?;
    }
    Ok(())
}

/// Writes the games of all files in a random order.
///
/// # Errors
/// When a file cannot be read or written.
pub fn shuffle(args: &ShuffleArgs) -> Result<(), DatagenError> {
    let mut all = Vec::new();
    let mut games = Vec::new();
    each_whole_game(&args.files, |_, bytes| {
        games.push((all.len(), bytes.len()));
        all.extend_from_slice(bytes);
        Ok(())
    })?;
    Random::new(args.seed).shuffle(&mut games);
    let failed = |source| DatagenError::io(&args.out, source);
    create(&args.out, |out| {
        for &(start, length) in &games {
            let bytes = all.get(start..start + length).unwrap_or_default();
            out.write_all(bytes).map_err(failed)?;
        }
        Ok(())
    })?;
    say(&format!("{} games", games.len()));
    Ok(())
}

/// Writes the games of all files one after the other. A game that has been there already, because two runs had one seed
/// or one file was given twice, is left out.
///
/// # Errors
/// When a file cannot be read or written.
pub fn merge(args: &MergeArgs) -> Result<(), DatagenError> {
    let failed = |source| DatagenError::io(&args.out, source);
    let mut seen = HashSet::new();
    let mut twice = 0_u64;
    create(&args.out, |out| {
        each_whole_game(&args.files, |_, bytes| {
            let mut hasher = DefaultHasher::new();
            bytes.hash(&mut hasher);
            if !seen.insert(hasher.finish()) {
                twice += 1;
                return Ok(());
            }
            out.write_all(bytes).map_err(failed)
        })
    })?;
    say(&format!(
        "{} games; {twice} that had been there already left out",
        seen.len()
    ));
    Ok(())
}

/// Writes quiet positions as text: `FEN;RESULT;SCORE`, both White's, an empty line after each game.
///
/// # Errors
/// When a file cannot be read or written, or is damaged.
pub fn export(args: &ExportArgs) -> Result<(), DatagenError> {
    match &args.out {
        None => export_to(args, &mut BufWriter::new(io::stdout().lock()), "output"),
        Some(path) => create(path, |out| {
            export_to(args, out, &path.display().to_string())
        }),
    }
}

fn export_to(args: &ExportArgs, out: &mut dyn Write, name: &str) -> Result<(), DatagenError> {
    let failed = |source| ToolError::Io {
        what: name.to_owned(),
        source,
    };
    let mut usable = 0_u64;
    each_whole_game(&args.files, |place, bytes| {
        let game = Game::from_bytes(bytes).map_err(|error| place.fault(error))?;
        let mut text = String::new();
        game.replay(|index, position, scored| {
            if !is_usable(index, position, scored) {
                return;
            }
            if usable.is_multiple_of(args.every) {
                let (fen, score) = (fen(position), scored.score);
                text.push_str(&format!("{fen};{:.1};{score}\n", game.result.points()));
            }
            usable += 1;
        })
        .map_err(|error| place.fault(error))?;
        if !text.is_empty() {
            text.push('\n');
        }
        Ok(out.write_all(text.as_bytes()).map_err(failed)?)
    })?;
    Ok(out.flush().map_err(failed)?)
}
