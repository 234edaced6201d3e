//! The games of the source that belong to a run.

use std::io::{self, BufRead as _, Cursor, Read as _};

use super::shard::{self, ShardPlace};
use super::{AnalyseError, AnalysisArgs};
use crate::pgn::{PgnGame, PgnReader, RawGame};
use crate::tools::epd::record::Record;
use crate::tools::kit::files::is_standard;
use crate::tools::kit::input::{self, Source};
use crate::tools::kit::jobs::Shard;

/// The games that `--first`, `--games` and `--shard` select.
pub struct GameSelection {
    source: PgnReader<Source>,
    /// The length of the source in bytes, if it is known.
    pub length: Option<u64>,
    /// The games read since `--first`.
    read: u64,
    /// The bytes of games of other shards that have not been taken.
    skipped: u64,
    /// The most games to read, and the division into shards with the exact number of games.
    limit: Option<u64>,
    shard: Option<(Shard, u64)>,
}

/// A game to analyse.
pub struct SelectedGame {
    /// The game.
    pub game: PgnGame,
    /// Its text.
    pub raw: RawGame,
    /// Its place in a run with shards.
    pub place: Option<ShardPlace>,
}

/// Removes the place in an earlier run from the tags of a game that has one in this run.
fn forget_place(game: &mut PgnGame, place: Option<ShardPlace>) {
    if place.is_some() && game.verbatim.is_none() {
        game.tags.retain(|(name, _)| name != shard::TAG);
    }
}

impl GameSelection {
    /// Opens the source.
    ///
    /// # Errors
    /// Fails when it cannot be read.
    pub fn open(args: &AnalysisArgs) -> Result<GameSelection, AnalyseError> {
        let failed = |source| AnalyseError::io(args.input(), source);
        let mut source = input::open(args.input()).map_err(failed)?;
        let beginning = source.fill_buf().map_err(failed)?;
        if is_list_of_positions(beginning) {
            return Err(AnalyseError::NotGames(args.input().to_owned()));
        }
        let length = file_length(args).map_err(failed)?;
        let mut shard = None;
        if let Some(part) = args.shard {
            // Each game says how many there are. A pipe can be read only once.
            let mut text = Vec::new();
            let counted = if length.is_some() {
                input::open(args.input()).map_err(failed)?
            } else {
                source.read_to_end(&mut text).map_err(failed)?;
                source = Box::new(Cursor::new(text.clone()));
                Box::new(Cursor::new(text))
            };
            shard = Some((part, count_games(args, counted).map_err(failed)?));
        }
        let mut source = PgnReader::new(source);
        for _ in 1..args.first {
            if source.next_game(&mut |_| {}).map_err(failed)?.is_none() {
                break;
            }
        }
        Ok(GameSelection {
            source,
            length,
            read: 0,
            skipped: 0,
            limit: args.games,
            shard,
        })
    }

    /// Returns the bytes of the source read so far.
    pub fn offset(&self) -> u64 {
        self.source.offset()
    }

    /// Returns the bytes of games of other shards since the last call.
    pub const fn take_skipped(&mut self) -> u64 {
        std::mem::replace(&mut self.skipped, 0)
    }

    /// Returns the next game; `None` at the end. Text that is not a game is reported to `complain`
    /// and skipped.
    ///
    /// # Errors
    /// Fails when the source cannot be read.
    pub fn next_game(
        &mut self,
        complain: &mut dyn FnMut(&str),
    ) -> io::Result<Option<SelectedGame>> {
        if !self.skip_others()? {
            return Ok(None);
        }
        let next = self.source.next_game(complain)?;
        Ok(next.map(|(mut game, raw)| {
            let place = self.next_place();
            forget_place(&mut game, place);
            self.read += 1;
            SelectedGame { game, raw, place }
        }))
    }

    /// Returns the game that `next_game` will return, with its place.
    ///
    /// # Errors
    /// Fails when the source cannot be read.
    pub fn peek(&mut self) -> io::Result<Option<(PgnGame, Option<ShardPlace>)>> {
        if !self.skip_others()? {
            return Ok(None);
        }
        let place = self.next_place();
        Ok(self.source.peek()?.map(|game| {
            let mut game = game.clone();
            forget_place(&mut game, place);
            (game, place)
        }))
    }

    /// Skips the games of other shards. Returns false when the limit is reached.
    fn skip_others(&mut self) -> io::Result<bool> {
        loop {
            if self.limit.is_some_and(|limit| self.read >= limit) {
                return Ok(false);
            }
            match self.shard {
                Some((shard, total)) if self.read < total && !shard.contains(self.read + 1) => {
                    let before = self.source.offset();
                    self.source.next_game(&mut |_| {})?;
                    self.skipped += self.source.offset() - before;
                    self.read += 1;
                }
                _ => return Ok(true),
            }
        }
    }

    fn next_place(&self) -> Option<ShardPlace> {
        self.shard.map(|(shard, total)| ShardPlace {
            shard,
            number: self.read + 1,
            total,
        })
    }
}

/// Returns whether a file begins with a line of EPD or a FEN. PGN never does.
fn is_list_of_positions(beginning: &[u8]) -> bool {
    let text = input::decode(beginning);
    let first = input::list_lines(&text).next();
    first.is_some_and(|(_, line)| Record::parse(line).is_ok())
}

/// Returns the length of the input; `None` for a pipe.
fn file_length(args: &AnalysisArgs) -> io::Result<Option<u64>> {
    if is_standard(args.input()) {
        return Ok(None);
    }
    let metadata = args.input().metadata()?;
    Ok(metadata.is_file().then_some(metadata.len()))
}

/// Returns the number of games that `--first` and `--games` select.
fn count_games(args: &AnalysisArgs, source: Source) -> io::Result<u64> {
    let mut reader = PgnReader::main_lines(source);
    let mut games = 0;
    while reader.next_game(&mut |_| {})?.is_some() {
        games += 1;
    }
    let selected = (games + 1u64).saturating_sub(args.first);
    Ok(args.games.map_or(selected, |limit| selected.min(limit)))
}
