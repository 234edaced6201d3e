//! Files of games, game by game.

use std::io::{self, BufRead, Read};

use thiserror::Error;

use super::format::{END, HEADER_BYTES, PAIR_BYTES};

/// What was found where a game was looked for.
#[derive(Debug, Error)]
pub enum ReadError {
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file ends within a game.
    #[error("the file ends within a game")]
    Cut,
}

/// Reads the bytes of one game after the other, and does not look into them.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    game: Vec<u8>,
    /// Where the last game read begins.
    start: u64,
    /// Where the next game begins.
    end: u64,
}

impl<R: BufRead> Reader<R> {
    /// Begins at the beginning of a file.
    pub fn new(input: R) -> Reader<R> {
        Reader {
            input,
            game: Vec::new(),
            start: 0,
            end: 0,
        }
    }

    /// The bytes of the next game; `None` at the end of the file.
    ///
    /// # Errors
    /// When reading fails, or the last game is not complete.
    pub fn next_game(&mut self) -> Result<Option<&[u8]>, ReadError> {
        self.start = self.end;
        self.game.clear();
        let header = HEADER_BYTES as u64;
        match (&mut self.input).take(header).read_to_end(&mut self.game)? {
            0 => return Ok(None),
            HEADER_BYTES => {}
            _ => return Err(ReadError::Cut),
        }
        let mut pair = [1; PAIR_BYTES];
        while pair != END {
            match self.input.read_exact(&mut pair) {
                Ok(()) => self.game.extend(pair),
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    return Err(ReadError::Cut);
                }
                Err(error) => return Err(error.into()),
            }
        }
        self.end = self.start + self.game.len() as u64;
        Ok(Some(&self.game))
    }

    /// Where the next game begins: bytes from the beginning of the file.
    pub const fn next_offset(&self) -> u64 {
        self.end
    }

    /// Where the last game read, or the one that could not be read, begins: bytes from the beginning of the file.
    pub const fn offset(&self) -> u64 {
        self.start
    }
}

/// How many moves the bytes of a game hold.
pub const fn move_count(bytes: &[u8]) -> usize {
    bytes.len().saturating_sub(HEADER_BYTES + PAIR_BYTES) / PAIR_BYTES
}
