//! Reads files of games, one game at a time.

use std::io::{self, BufRead, Read};

use thiserror::Error;

use super::format::{END, HEADER_BYTES, PAIR_BYTES};

/// More moves than a game has. What begins like a game and does not end by then is none: it would
/// fill the memory.
const MOST_MOVES: usize = 1 << 16;

/// Errors returned by [`Reader::next_game`].
#[derive(Debug, Error)]
pub enum ReadError {
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file ends within a game.
    #[error("the file ends within a game")]
    Cut,
    /// What should be a game goes on for longer than games do.
    #[error("no game is so long")]
    TooLong,
}

/// A reader of games that returns their bytes without parsing them.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    game: Vec<u8>,
    /// The offset of the last game read.
    start: u64,
    /// The offset of the next game.
    end: u64,
}

impl<R: BufRead> Reader<R> {
    /// Creates a reader at the beginning of a file.
    pub fn new(input: R) -> Reader<R> {
        Reader {
            input,
            game: Vec::new(),
            start: 0,
            end: 0,
        }
    }

    /// Returns the bytes of the next game, or `None` at the end of the file.
    ///
    /// # Errors
    /// Fails when reading fails, the last game is incomplete, or something else than a game begins.
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
                Ok(()) if move_count(&self.game) > MOST_MOVES => return Err(ReadError::TooLong),
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

    /// Returns the offset of the next game in bytes.
    pub const fn next_offset(&self) -> u64 {
        self.end
    }

    /// Returns the offset in bytes of the last game read, or of the one that could not be read.
    pub const fn offset(&self) -> u64 {
        self.start
    }
}

/// Returns the number of moves of a game from its bytes.
pub const fn move_count(bytes: &[u8]) -> usize {
    bytes.len().saturating_sub(HEADER_BYTES + PAIR_BYTES) / PAIR_BYTES
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    #[test]
    fn what_never_ends_is_no_game() {
        let mut reader = Reader::new(BufReader::new(io::repeat(b'x')));
        assert!(matches!(reader.next_game(), Err(ReadError::TooLong)));
    }
}
