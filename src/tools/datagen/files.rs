//! Verifies, merges, shuffles and exports existing files of games.

use std::collections::HashSet;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::filter::Filter;
use super::format::{GameError, RecordedGame};
use super::reader::{ReadError, Reader};
use super::{DatagenError, PlayError};
use crate::atomic_write::NewFile;
use crate::engine::eval_file::network_of;
use crate::eval::Evaluator;
use crate::plural::count;
use crate::position::notation::fen;
use crate::random::Random;
use crate::tools::Exit;
use crate::tools::kit::IoContext as _;
use crate::tools::kit::args::EvalFileArg;
use crate::tools::kit::args::file_path;
use crate::tools::kit::interrupt;
use crate::tools::kit::progress::say;
use crate::train::{Settings, records};

/// The size of read and write buffers in bytes.
const BUFFER: usize = 1 << 20;

/// The damaged games that are named one by one.
const MOST_FAULTS: u64 = 10;

/// The arguments of `datagen info` and `verify`.
#[derive(Clone, Debug, clap::Args)]
pub struct GameFiles {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
}

/// Arguments of `datagen shuffle`.
#[derive(Clone, Debug, clap::Args)]
pub struct ShuffleArgs {
    /// Files of games, which must fit into memory together
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The file to write, which must not exist
    #[arg(long, value_name = "FILE", value_parser = file_path())]
    pub out: PathBuf,
    /// The seed of the order
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// Arguments of `datagen merge`.
#[derive(Clone, Debug, clap::Args)]
pub struct MergeGamesArgs {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The file to write, which must not exist
    #[arg(long, value_name = "FILE", value_parser = file_path())]
    pub out: PathBuf,
}

/// Arguments of `datagen export`.
#[derive(Clone, Debug, clap::Args)]
pub struct ExportArgs {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The file to write, which must not exist; standard output if not given
    #[arg(long, value_name = "FILE", value_parser = file_path())]
    pub out: Option<PathBuf>,
    /// Write only every K-th quiet position
    #[arg(long, value_name = "K", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub every: u64,
}

/// Arguments of `datagen pack`.
#[derive(Clone, Debug, clap::Args)]
pub struct PackArgs {
    /// A file of games
    #[arg(value_name = "FILE")]
    pub games: PathBuf,
    /// The file to write, which must not exist
    #[arg(long, value_name = "FILE", value_parser = file_path())]
    pub out: PathBuf,
    /// The weight of what follows in the lambda-returns, from 0 to 1
    #[arg(long, value_name = "L", default_value_t = 0.5)]
    pub lambda: f64,
    /// K of the lambda-returns: the score in centipawns of an expectation of 0.73 points
    #[arg(long, value_name = "K", default_value_t = 195)]
    pub scale: u32,
    /// The number of quiet positions to write around each that training uses, one or two moves away
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub neighbours: usize,
    /// The network of the static evaluations
    #[command(flatten)]
    pub network: EvalFileArg,
}

/// The location of a game.
#[derive(Clone, Copy, Debug)]
pub struct GameLocation<'a> {
    path: &'a Path,
    /// The offset in bytes.
    offset: u64,
    /// The number of the game in the file, from 1.
    number: u64,
}

impl GameLocation<'_> {
    /// Adds the location to an error of the game.
    pub fn fault(self, error: GameError) -> DatagenError {
        DatagenError::bad_game(self.path, self.offset, self.number, error)
    }
}

/// Visits the bytes of every game of a file.
///
/// # Errors
/// Fails when the file cannot be read, its last game is incomplete, or the visitor fails.
pub fn each_game<'a>(
    path: &'a Path,
    mut visit: impl FnMut(GameLocation<'a>, &[u8]) -> Result<(), DatagenError>,
) -> Result<(), DatagenError> {
    let file = File::open(path).of_file(path)?;
    let mut reader = Reader::new(BufReader::with_capacity(BUFFER, file));
    let mut number = 0;
    loop {
        let offset = reader.next_offset();
        match reader.next_game() {
            Ok(None) => return Ok(()),
            Ok(Some(bytes)) => {
                number += 1;
                visit(
                    GameLocation {
                        path,
                        offset,
                        number,
                    },
                    bytes,
                )?;
            }
            Err(ReadError::Io(error)) => return Ok(Err(error).of_file(path)?),
            Err(error @ (ReadError::Cut | ReadError::TooLong)) => {
                return Err(match (offset, error) {
                    (0, _) => DatagenError::NotGames(path.to_owned()),
                    (_, ReadError::Cut) => DatagenError::Cut {
                        path: path.to_owned(),
                        offset,
                    },
                    _ => DatagenError::bad_game(path, offset, number + 1, GameError::TooLong),
                });
            }
        }
    }
}

/// Visits the bytes of every complete game of files. An incomplete last game, as of a run that is
/// still writing, and files without games are reported and left out; the work is incomplete then.
///
/// # Errors
/// Fails when a file cannot be read, no file has a game, or the visitor fails.
pub fn each_whole_game(
    paths: &[PathBuf],
    mut visit: impl FnMut(GameLocation<'_>, &[u8]) -> Result<(), DatagenError>,
) -> Result<Exit, DatagenError> {
    let mut games = 0_u64;
    let mut visit_and_count = |location: GameLocation<'_>, bytes: &[u8]| {
        games += 1;
        visit(location, bytes)
    };
    let mut cut = Vec::new();
    for path in paths {
        match each_game(path, &mut visit_and_count) {
            Err(error @ (DatagenError::Cut { .. } | DatagenError::NotGames(_))) => cut.push(error),
            outcome => outcome?,
        }
    }
    if games == 0 {
        let first = paths.first().cloned().unwrap_or_default();
        return Err(DatagenError::NotGames(first));
    }
    for error in &cut {
        say(&format!("left out: {error}"));
    }
    Ok(match cut.is_empty() {
        true => Exit::Done,
        false => Exit::Incomplete,
    })
}

/// Creates a file without replacing an existing one. It appears when it is complete, so that
/// neither an error nor Ctrl-C leaves a part that looks whole and is in the way of the next
/// command.
///
/// # Errors
/// Fails when the file exists or cannot be written, or the writer fails.
pub fn create(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> Result<Exit, DatagenError>,
) -> Result<Exit, DatagenError> {
    let new = NewFile::in_directory_of(path).of_file(path)?;
    let temporary = new.temporary_path().to_owned();
    interrupt::exit_after(move || drop(fs::remove_file(temporary)))?;
    let file = new.writer().of_file(path)?;
    let mut out = BufWriter::with_capacity(BUFFER, file);
    let exit = write(&mut out)?;
    out.flush().of_file(path)?;
    drop(out);
    new.publish().of_file(path)?;
    Ok(exit)
}

/// Replays every game of every file, and reports their number.
///
/// # Errors
/// Fails at the first invalid game, and if a file has no game.
pub fn verify(args: &GameFiles, out: &mut dyn Write) -> Result<Exit, DatagenError> {
    for path in &args.files {
        let (mut games, mut positions) = (0_u64, 0);
        each_game(path, |location, bytes| {
            let game = RecordedGame::from_bytes(bytes).map_err(|error| location.fault(error))?;
            game.verify().map_err(|error| location.fault(error))?;
            games += 1;
            positions += game.moves.len();
            Ok(())
        })?;
        if games == 0 {
            return Err(DatagenError::NotGames(path.clone()));
        }
        let path = path.display();
        writeln!(
            out,
            "{path}: {}, {}, no fault",
            count(games, "game"),
            count(positions, "position")
        )
        .of_output()?;
    }
    Ok(Exit::Done)
}

/// Writes the games of all files in a random order.
///
/// # Errors
/// Fails when a file is damaged or cannot be read or written.
pub fn shuffle(args: &ShuffleArgs) -> Result<Exit, DatagenError> {
    let mut all = Vec::new();
    let mut games = Vec::new();
    let exit = each_whole_game(&args.files, |location, bytes| {
        // What only looks like a game would spoil the file for all other commands.
        RecordedGame::from_bytes(bytes).map_err(|error| location.fault(error))?;
        games.push((all.len(), bytes.len()));
        all.extend_from_slice(bytes);
        Ok(())
    })?;
    Random::new(args.seed).shuffle(&mut games);
    create(&args.out, |out| {
        for &(start, length) in &games {
            let bytes = all.get(start..start + length).unwrap_or_default();
            out.write_all(bytes).of_file(&args.out)?;
        }
        Ok(exit)
    })?;
    say(&count(games.len(), "game"));
    Ok(exit)
}

/// Writes the games of all files to one file. Repeated games are left out, which occur when two
/// runs have the same seed or a file is given twice, and so are damaged ones.
///
/// # Errors
/// Fails when a file cannot be read or written, or does not begin with a sound game.
pub fn merge(args: &MergeGamesArgs) -> Result<Exit, DatagenError> {
    let mut seen = HashSet::new();
    let (mut twice, mut damaged) = (0_u64, 0_u64);
    let exit = create(&args.out, |out| {
        let exit = each_whole_game(&args.files, |location, bytes| {
            let checked = RecordedGame::from_bytes(bytes).and_then(|game| game.verify());
            if let Err(error) = checked {
                let fault = location.fault(error);
                // A file that does not even begin with a game is of another kind.
                if location.number == 1 {
                    return Err(fault);
                }
                damaged += 1;
                if damaged <= MOST_FAULTS {
                    say(&format!("left out: {fault}"));
                }
                return Ok(());
            }
            let mut hasher = DefaultHasher::new();
            bytes.hash(&mut hasher);
            if !seen.insert(hasher.finish()) {
                twice += 1;
                return Ok(());
            }
            Ok(out.write_all(bytes).of_file(&args.out)?)
        })?;
        Ok(match damaged {
            0 => exit,
            _ => Exit::Incomplete,
        })
    })?;
    say(&format!(
        "{}; left out {twice} repeated and {damaged} damaged ones",
        count(seen.len(), "game")
    ));
    Ok(exit)
}

/// Writes quiet positions as text, `FEN;RESULT;SCORE` from White's side, with an empty line after
/// each game.
///
/// # Errors
/// Fails when a file is damaged or cannot be read or written.
pub fn export(args: &ExportArgs) -> Result<Exit, DatagenError> {
    match &args.out {
        None => export_to(args, &mut BufWriter::new(io::stdout().lock()), "output"),
        Some(path) => create(path, |out| {
            export_to(args, out, &path.display().to_string())
        }),
    }
}

fn export_to(args: &ExportArgs, out: &mut dyn Write, name: &str) -> Result<Exit, DatagenError> {
    let mut usable = 0_u64;
    let exit = each_whole_game(&args.files, |location, bytes| {
        let game = RecordedGame::from_bytes(bytes).map_err(|error| location.fault(error))?;
        let mut text = String::new();
        let mut filter = Filter::default();
        game.replay(|index, position, scored| {
            if !filter.is_usable(index, position, scored) {
                return;
            }
            if usable.is_multiple_of(args.every) {
                let (fen, score) = (fen(position), scored.score);
                text.push_str(&format!("{fen};{:.1};{score}\n", game.result.points()));
            }
            usable += 1;
        })
        .map_err(|error| location.fault(error))?;
        if !text.is_empty() {
            text.push('\n');
        }
        Ok(out.write_all(text.as_bytes()).of(name)?)
    })?;
    out.flush().of(name)?;
    Ok(exit)
}

/// Writes the positions of games and their neighbours as [records].
///
/// # Errors
/// Fails when a setting is out of range, or a file, also that of the network, is damaged or cannot
/// be read or written.
pub fn pack(args: &PackArgs) -> Result<Exit, DatagenError> {
    let settings = Settings {
        lambda: args.lambda,
        scale: args.scale,
        neighbours: args.neighbours,
        ..Settings::default()
    };
    settings.check()?;
    let network = network_of(&args.network.eval_file).map_err(PlayError::from)?;
    let evaluator = Evaluator::new(network.as_ref());
    let (mut games, mut packed) = (0_u64, 0);
    let exit = create(&args.out, |out| {
        each_game(&args.games, |location, bytes| {
            let game = records::of_game(bytes, &settings, evaluator);
            let game = game.map_err(|error| location.fault(error))?;
            games += 1;
            packed += game.len() / records::BYTES;
            Ok(out.write_all(&game).of_file(&args.out)?)
        })?;
        match games {
            0 => Err(DatagenError::NotGames(args.games.clone())),
            _ => Ok(Exit::Done),
        }
    })?;
    say(&count(packed, "record"));
    Ok(exit)
}
