//! The output file of a run, which can be interrupted and resumed at any time.
//!
//! Each game is written with one call, so the file holds complete games and, if the process was
//! killed during a write, the beginning of one, which is removed when the run resumes, as are the
//! zeros that a power failure can leave at the end. A small file
//! beside it, `FILE.run`, records the games played:
//!
//! ```text
//! score-unit normalised-centipawn
//! seed 42
//! nodes 5000
//! ..
//! next-game 512
//! ```
//!
//! No game with the number `next-game` or a higher one has begun. The number is raised by a block
//! at a time, before the first game of the block begins, so that no number is ever used twice:
//! after an orderly end it is exact, and after a `kill -9` the rest of the block is skipped. A run
//! with another recipe is refused, because a file holds games of one recipe.

use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader, Seek as _, SeekFrom, Write as _};
use std::iter;
use std::path::{Path, PathBuf};

use super::DatagenError;
use super::format::{GameError, GameResult, RecordedGame};
use super::game::PlayError;
use super::reader::{ReadError, Reader};
use crate::position::notation::fen;
use crate::tools::kit::files::open_locked;
use crate::tools::kit::{IoContext as _, replace_file};

/// The game numbers that are reserved at a time.
const BLOCK: u64 = 256;

/// The counts of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Tally {
    /// Games.
    pub games: u64,
    /// Positions, one for each move.
    pub positions: u64,
    /// Games that ended in a draw.
    pub draws: u64,
}

/// The file of a run, locked against a second run.
#[derive(Debug)]
pub struct RunFile {
    path: PathBuf,
    file: File,
    recipe: String,
    next_game: u64,
    reserved: u64,
    /// The counts of the file.
    pub tally: Tally,
    /// The bytes of an incomplete game that were removed when the file was opened.
    pub cut: u64,
}

impl RunFile {
    /// Opens a file to add games of this recipe, which has a line for each setting. Creates the
    /// file and its directory if necessary.
    ///
    /// # Errors
    /// Fails when the file cannot be used, is in use, is damaged before its last game, or has games
    /// of another recipe.
    pub fn open(path: &Path, recipe: String) -> Result<RunFile, DatagenError> {
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory).of_file(path)?;
        }
        let mut file = open_locked(path)?;
        // A file without a record of its games is refused, unless it is empty.
        let length = file.metadata().of_file(path)?.len();
        let next_game = if length == 0 {
            0
        } else {
            read_next_game(path, &recipe)?
        };
        let (tally, end) = survey(path, &file)?;
        file.set_len(end).of_file(path)?;
        file.seek(SeekFrom::End(0)).of_file(path)?;
        let mut run = RunFile {
            path: path.to_owned(),
            file,
            recipe,
            next_game,
            reserved: next_game,
            tally,
            cut: length - end,
        };
        run.reserve(next_game)?;
        Ok(run)
    }

    /// Returns the number of the next game to play.
    ///
    /// # Errors
    /// Fails when the file beside the games cannot be written.
    pub fn take_number(&mut self) -> Result<u64, DatagenError> {
        if self.next_game >= self.reserved {
            self.reserve(self.next_game + BLOCK)?;
        }
        self.next_game += 1;
        Ok(self.next_game - 1)
    }

    /// Adds a game.
    ///
    /// # Errors
    /// Fails when the format cannot store the game or the file cannot be written.
    pub fn add(&mut self, game: &RecordedGame) -> Result<(), DatagenError> {
        let bytes = game
            .to_bytes()
            .ok_or_else(|| PlayError::TooManyPieces(fen(&game.start)))?;
        let end = self.file.stream_position().of_file(&self.path)?;
        if let Err(error) = self.file.write_all(&bytes) {
            // Other threads may still have games, and must not write them behind half a game.
            self.file.set_len(end).of_file(&self.path)?;
            self.file.seek(SeekFrom::Start(end)).of_file(&self.path)?;
            return Ok(Err(error).of_file(&self.path)?);
        }
        self.tally.games += 1;
        self.tally.positions += game.moves.len() as u64;
        self.tally.draws += u64::from(game.result == GameResult::Draw);
        Ok(())
    }

    /// Ends the run and releases the reserved numbers that were not used.
    ///
    /// # Errors
    /// Fails when the files cannot be written.
    pub fn close(mut self) -> Result<Tally, DatagenError> {
        self.file.sync_data().of_file(&self.path)?;
        self.reserve(self.next_game)?;
        Ok(self.tally)
    }

    /// Reserves the numbers below this one, by replacing the record of the games.
    fn reserve(&mut self, next_game: u64) -> Result<(), DatagenError> {
        let text = format!("{}next-game {next_game}\n", self.recipe);
        replace_file(&record_path(&self.path), text.as_bytes())?;
        self.reserved = next_game;
        Ok(())
    }
}

/// Returns the first line in which a record does not begin with a recipe, and that of the recipe.
pub fn first_difference<'a>(record: &'a str, recipe: &'a str) -> Option<(&'a str, &'a str)> {
    let found = record.lines().chain(iter::repeat(""));
    found
        .zip(recipe.lines())
        .find(|(found, asked)| found != asked)
}

/// Returns the path of the file beside another that records how it was made.
pub fn record_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".run");
    name.into()
}

/// Reads the file game by game. Returns its counts and the end of its last complete game.
fn survey(path: &Path, file: &File) -> Result<(Tally, u64), DatagenError> {
    let mut reader = Reader::new(BufReader::with_capacity(1 << 20, file));
    let mut tally = Tally::default();
    loop {
        match reader.next_game() {
            Ok(None) | Err(ReadError::Cut) => return Ok((tally, reader.offset())),
            Err(ReadError::Io(error)) => return Ok(Err(error).of_file(path)?),
            Err(ReadError::TooLong) => {
                let (offset, error) = (reader.offset(), GameError::TooLong);
                return Err(DatagenError::bad_game(path, offset, tally.games + 1, error));
            }
            Ok(Some(bytes)) => {
                let game = match RecordedGame::from_bytes(bytes) {
                    Ok(game) => game,
                    // A power failure can leave zeros where the last games were to be written.
                    Err(_) if is_zero_from(path, reader.offset()).of_file(path)? => {
                        return Ok((tally, reader.offset()));
                    }
                    Err(error) => {
                        let number = tally.games + 1;
                        return Err(DatagenError::bad_game(path, reader.offset(), number, error));
                    }
                };
                tally.games += 1;
                tally.positions += game.moves.len() as u64;
                tally.draws += u64::from(game.result == GameResult::Draw);
            }
        }
    }
}

/// Returns whether a file holds nothing but zeros from this offset on.
fn is_zero_from(path: &Path, offset: u64) -> io::Result<bool> {
    let mut file = BufReader::new(File::open(path)?);
    file.seek(SeekFrom::Start(offset))?;
    loop {
        let length = match file.fill_buf()? {
            [] => return Ok(true),
            bytes if bytes.iter().any(|byte| *byte != 0) => return Ok(false),
            bytes => bytes.len(),
        };
        file.consume(length);
    }
}

fn read_next_game(path: &Path, recipe: &str) -> Result<u64, DatagenError> {
    let path = record_path(path);
    let text = fs::read_to_string(&path).map_err(|source| DatagenError::NoRun {
        path: path.clone(),
        source,
    })?;
    if let Some((found, asked)) = first_difference(&text, recipe) {
        let [found, asked] = [found, asked].map(str::to_owned);
        return Err(DatagenError::OtherRecipe { path, found, asked });
    }
    text.lines()
        .nth(recipe.lines().count())
        .and_then(|line| line.strip_prefix("next-game "))
        .and_then(|number| number.parse().ok())
        .ok_or(DatagenError::DamagedRun(path))
}
