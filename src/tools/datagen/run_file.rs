//! The output file of a run, which can be interrupted and resumed at any time.
//!
//! Each game is written with one call, so the file has whole games and, if the process was killed
//! during a write, the beginning of one, which is removed when the run resumes. A small file beside
//! it, `FILE.run`, records the games played:
//!
//! ```text
//! score-unit normalised-centipawn
//! seed 42
//! nodes 5000
//! ..
//! next-game 512
//! ```
//!
//! `next-game` is a number from which on no game has been begun. It is moved on a block at a time
//! before the first game of the block is begun, so that no number is ever used twice: after an
//! orderly end it is exact, after a `kill -9` the rest of the block is skipped. The recipe is there
//! because a file is to have one; a run with another is refused.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use super::DatagenError;
use super::format::{Game, GameResult};
use super::game::PlayError;
use super::reader::{ReadError, Reader, move_count};
use crate::position::notation::fen;

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
    set_aside: u64,
    /// The counts of the file.
    pub tally: Tally,
    /// The bytes of an incomplete game that were removed when the file was opened.
    pub cut: u64,
}

impl RunFile {
    /// Opens or creates a file, and the directory that it is to be in, to go on with games of this
    /// recipe, a line for each part of it.
    ///
    /// # Errors
    /// When it cannot be used, is in use, is damaged before its last game, or was begun with
    /// another recipe.
    pub fn open(path: &Path, recipe: String) -> Result<RunFile, DatagenError> {
        let failed = |source| DatagenError::io(path, source);
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory).map_err(failed)?;
        }
        // Not by appending: Windows does not let such a file be shortened.
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed)?;
        file.try_lock().map_err(|error| match error {
            fs::TryLockError::WouldBlock => DatagenError::InUse(path.to_owned()),
            fs::TryLockError::Error(source) => failed(source),
        })?;
        // A file that no run has begun is not touched. Of one that is empty there is nothing to
        // know.
        let length = file.metadata().map_err(failed)?.len();
        let next_game = if length == 0 {
            0
        } else {
            read_next_game(path, &recipe)?
        };
        let (tally, end) = survey(path, &file)?;
        file.set_len(end).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let mut run = RunFile {
            path: path.to_owned(),
            file,
            recipe,
            next_game,
            set_aside: next_game,
            tally,
            cut: length - end,
        };
        run.set_aside(next_game)?;
        Ok(run)
    }

    /// Returns the number of the next game to play.
    ///
    /// # Errors
    /// Fails when the file beside the games cannot be written.
    pub fn take_number(&mut self) -> Result<u64, DatagenError> {
        if self.next_game >= self.set_aside {
            self.set_aside(self.next_game + BLOCK)?;
        }
        self.next_game += 1;
        Ok(self.next_game - 1)
    }

    /// Adds a game.
    ///
    /// # Errors
    /// When the format does not hold it or it cannot be written.
    pub fn add(&mut self, game: &Game) -> Result<(), DatagenError> {
        let bytes = game
            .to_bytes()
            .ok_or_else(|| PlayError::TooManyMen(fen(&game.start)))?;
        self.file
            .write_all(&bytes)
            .map_err(|source| DatagenError::io(&self.path, source))?;
        self.tally.games += 1;
        self.tally.positions += game.moves.len() as u64;
        self.tally.draws += u64::from(game.result == GameResult::Draw);
        Ok(())
    }

    /// Ends the run and releases the reserved numbers that were not used.
    ///
    /// # Errors
    /// When the files cannot be written.
    pub fn close(mut self) -> Result<Tally, DatagenError> {
        self.file
            .sync_data()
            .map_err(|source| DatagenError::io(&self.path, source))?;
        self.set_aside(self.next_game)?;
        Ok(self.tally)
    }

    /// Replaces the file beside the games.
    fn set_aside(&mut self, next_game: u64) -> Result<(), DatagenError> {
        let path = beside(&self.path, "run");
        let temporary = beside(&self.path, "run.new");
        let text = format!("{}next-game {next_game}\n", self.recipe);
        let write = || -> io::Result<()> {
            let mut file = File::create(&temporary)?;
            file.write_all(text.as_bytes())?;
            file.sync_data()?;
            fs::rename(&temporary, &path)
        };
        write().map_err(|source| DatagenError::io(&path, source))?;
        self.set_aside = next_game;
        Ok(())
    }
}

/// Returns the path of the file beside this one.
pub fn beside(path: &Path, extension: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    name.into()
}

/// Goes through the file game by game. What it holds, and where its last whole game ends.
fn survey(path: &Path, file: &File) -> Result<(Tally, u64), DatagenError> {
    let mut reader = Reader::new(BufReader::with_capacity(1 << 20, file));
    let mut tally = Tally::default();
    loop {
        match reader.next_game() {
            Ok(None) | Err(ReadError::Cut) => return Ok((tally, reader.offset())),
            Err(ReadError::Io(source)) => return Err(DatagenError::io(path, source)),
            Ok(Some(bytes)) => {
                tally.games += 1;
                tally.positions += move_count(bytes) as u64;
                let game = Game::from_bytes(bytes).map_err(|error| {
                    DatagenError::bad_game(path, reader.offset(), tally.games, error)
                })?;
                tally.draws += u64::from(game.result == GameResult::Draw);
            }
        }
    }
}

fn read_next_game(path: &Path, recipe: &str) -> Result<u64, DatagenError> {
    let path = beside(path, "run");
    let text = fs::read_to_string(&path).map_err(|source| DatagenError::NoRun {
        path: path.clone(),
        source,
    })?;
    let mut lines = text.lines();
    for expected in recipe.lines() {
        let found = lines.next().unwrap_or_default();
        if found != expected {
            return Err(DatagenError::OtherRecipe {
                path,
                found: found.to_owned(),
                asked: expected.to_owned(),
            });
        }
    }
    lines
        .next()
        .and_then(|line| line.strip_prefix("next-game "))
        .and_then(|number| number.parse().ok())
        .ok_or(DatagenError::DamagedRun(path))
}
