//! Writes annotated games in the order of the source. Each game is one write, so that only a killed
//! process can leave an incomplete game.
//!
//! A resumed run compares each game in the file with the source: the tag pairs, the moves, and the
//! `Annotator` tag with the limits have to agree.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read as _, Seek as _, SeekFrom, Write};
use std::path::PathBuf;

use super::move_comment::EVAL;
use super::selection::{GameSelection, SelectedGame};
use super::shard::{self, GAME, ShardPlace};
use super::{AnalyseError, AnalysisArgs};
use crate::pgn::{PgnGame, PgnReader, PgnSplitter, RawGame, tag_pairs, to_pgn};
use crate::tools::kit::files::{is_standard, is_stream, open_locked};

/// The place that games are written to.
#[derive(Debug)]
enum Sink {
    Standard,
    /// A pipe or a device.
    Stream(File),
    File(File),
    /// The stream is closed, or for another file, but the other files are still to be written.
    Nowhere,
}

/// The output of a run.
#[derive(Debug)]
pub struct PgnOutput {
    path: PathBuf,
    sink: Sink,
    /// The index of the next game to write, from 0, and the games that wait for it.
    next: u64,
    waiting: BTreeMap<u64, String>,
    /// A copy of the output, if it goes to a stream and other files are made from it.
    copy: Option<String>,
    /// The games that an earlier run has written.
    pub before: u64,
    /// The number of faults in these games: text that could not be read, and moves without an
    /// evaluation.
    pub faults: u64,
    /// The bytes of an incomplete game that were removed.
    pub cut: u64,
}

impl PgnOutput {
    /// Opens the output and skips the games in the source that an earlier run has written.
    ///
    /// # Errors
    /// Fails when the file cannot be used, is in use, or holds other games or annotations.
    pub fn open(
        args: &AnalysisArgs,
        source: &mut GameSelection,
    ) -> Result<PgnOutput, AnalyseError> {
        let path = args.out();
        let mut output = PgnOutput {
            path: path.to_owned(),
            sink: Sink::Standard,
            next: 0,
            waiting: BTreeMap::new(),
            copy: (args.documents.files().next().is_some() && is_stream(path)).then(String::new),
            before: 0,
            faults: 0,
            cut: 0,
        };
        let failed = |source| AnalyseError::io(path, source);
        if is_standard(path) {
            if args.documents.use_standard_output() {
                output.sink = Sink::Nowhere;
            }
            return Ok(output);
        }
        if is_stream(path) {
            let stream = OpenOptions::new().write(true).open(path);
            output.sink = Sink::Stream(stream.map_err(failed)?);
            return Ok(output);
        }
        let mut file = open_locked(path)?;
        if args.overwrite {
            file.set_len(0).map_err(failed)?;
        }
        let length = file.metadata().map_err(failed)?.len();
        let end = whole_games(&file).map_err(failed)?;
        file.rewind().map_err(failed)?;
        (output.before, output.faults) = compare(args, &file, end, source)?;
        check_rest(args, &mut file, end, source)?;
        file.set_len(end).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        output.cut = length - end;
        output.next = output.before;
        output.sink = Sink::File(file);
        Ok(output)
    }

    /// Adds the text of the game with this index, and writes it when all games before it are
    /// written.
    ///
    /// # Errors
    /// Fails when it cannot be written.
    pub fn add(&mut self, index: u64, text: String) -> Result<(), AnalyseError> {
        self.waiting.insert(index, text);
        while let Some(text) = self.waiting.remove(&self.next) {
            if let Some(copy) = &mut self.copy {
                copy.push_str(&text);
            }
            let written = match &mut self.sink {
                Sink::Standard => write_out(&text),
                Sink::Stream(file) | Sink::File(file) => file.write_all(text.as_bytes()),
                Sink::Nowhere => Ok(()),
            };
            match written {
                Err(error) if self.copy.is_some() && error.kind() == io::ErrorKind::BrokenPipe => {
                    self.sink = Sink::Nowhere;
                }
                written => written.map_err(|source| AnalyseError::io(&self.path, source))?,
            }
            self.next += 1;
        }
        Ok(())
    }

    /// Flushes the output to the disk, writes the other files, and returns the number of games.
    ///
    /// # Errors
    /// Fails when a file cannot be written.
    pub fn close(mut self, args: &AnalysisArgs) -> Result<u64, AnalyseError> {
        let path = &self.path;
        let Sink::File(file) = &mut self.sink else {
            let mut text = self.copy.as_deref().unwrap_or_default().as_bytes();
            args.documents.write(&mut text, path)?;
            return Ok(self.next);
        };
        let synced = file.sync_data().and_then(|()| file.rewind());
        synced.map_err(|source| AnalyseError::io(path, source))?;
        let mut reader = BufReader::with_capacity(1 << 20, file);
        args.documents.write(&mut reader, path)?;
        Ok(self.next)
    }
}

/// Returns the text of a game as it is written.
pub fn text(game: &PgnGame, place: Option<ShardPlace>) -> String {
    let line = place.map(ShardPlace::line).unwrap_or_default();
    line + &to_pgn(game)
}

/// Writes text to standard output.
///
/// # Errors
/// Fails when it cannot be written.
pub fn write_out(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// Returns the end of the last complete game. Games written by `pgn` end with a result and an empty
/// line.
fn whole_games(file: &File) -> io::Result<u64> {
    let mut splitter = PgnSplitter::new(BufReader::with_capacity(1 << 20, file));
    let mut end = 0;
    let mut last: Option<RawGame> = None;
    while let Some(game) = splitter.next_game()? {
        end = game.offset;
        last = Some(game);
    }
    Ok(match last {
        Some(game) if is_whole(&game.text) => splitter.offset(),
        Some(_) => end,
        None => 0,
    })
}

fn is_whole(text: &[u8]) -> bool {
    text.ends_with(b"\n\n")
        && text
            .trim_ascii_end()
            .rsplit(u8::is_ascii_whitespace)
            .next()
            .is_some_and(|word| [&b"1-0"[..], b"0-1", b"1/2-1/2", b"*"].contains(&word))
}

/// Compares the games in the file with the source. Returns their number, and how much was wrong
/// with them.
fn compare(
    args: &AnalysisArgs,
    file: &File,
    end: u64,
    source: &mut GameSelection,
) -> Result<(u64, u64), AnalyseError> {
    let path = args.out();
    let other = |reason: String| AnalyseError::OtherGames {
        path: path.to_owned(),
        reason,
    };
    let mut complaint = None;
    let mut done = PgnReader::new(BufReader::with_capacity(1 << 20, io::Read::take(file, end)));
    let (mut games, mut faults) = (0, 0);
    loop {
        let written = done
            .next_game(&mut |text| complaint = Some(text.to_owned()))
            .map_err(|source| AnalyseError::io(path, source))?;
        if let Some(complaint) = complaint {
            return Err(other(complaint));
        }
        let Some((written, _)) = written else {
            return Ok((games, faults));
        };
        games += 1;
        let game = source
            .next_game(&mut |_| faults += 1)
            .map_err(|source| AnalyseError::io(args.input(), source))?;
        let Some(game) = game else {
            return Err(other(format!(
                "it holds more than the {} games of the source",
                games - 1
            )));
        };
        if let Some(reason) = difference(&game, &written, args) {
            return Err(other(format!("game {games} in it {reason}")));
        }
        faults += game.game.faults.len() as u64 + moves_without_evaluation(&written);
    }
}

/// Returns the number of moves of an analysed game after which the engine found no evaluation.
fn moves_without_evaluation(game: &PgnGame) -> u64 {
    let moves = game.main_line.moves.iter();
    let positions = game.positions().into_iter().skip(1);
    let without = moves.zip(positions).filter(|(ply, position)| {
        // Mates have none.
        let is_searched = position.has_legal_move();
        is_searched && !ply.comments.iter().any(|comment| comment.contains(EVAL))
    });
    without.count() as u64
}

/// Checks that the incomplete game at the end of the file, which will be removed, is the next game
/// of the source.
fn check_rest(
    args: &AnalysisArgs,
    file: &mut File,
    end: u64,
    source: &mut GameSelection,
) -> Result<(), AnalyseError> {
    let path = args.out();
    let failed = |source| AnalyseError::io(path, source);
    let mut rest = Vec::new();
    file.seek(SeekFrom::Start(end)).map_err(failed)?;
    file.read_to_end(&mut rest).map_err(failed)?;
    if rest.trim_ascii().is_empty() {
        return Ok(());
    }
    let next = source
        .peek()
        .map_err(|source| AnalyseError::io(args.input(), source))?;
    let beginning = next.map_or_else(String::new, |(game, place)| match &game.verbatim {
        Some(_) => text(&game, place),
        None => tag_pairs(&expected_tags(&game, place, args)),
    });
    let agrees = rest.iter().zip(beginning.as_bytes()).all(|(a, b)| a == b);
    if agrees && !beginning.is_empty() {
        return Ok(());
    }
    let reason = format!("the text at byte {end} is not the next game of the source");
    Err(AnalyseError::OtherGames {
        path: path.to_owned(),
        reason,
    })
}

/// Returns the reason why a game in the file is not the analysis of this game under these limits.
fn difference(
    SelectedGame { game, place, .. }: &SelectedGame,
    written: &PgnGame,
    args: &AnalysisArgs,
) -> Option<String> {
    let expected = expected_tags(game, *place, args);
    for (expected, found) in expected.iter().zip(&written.tags) {
        if expected != found {
            return Some(format!(
                "has [{} {:?}], not [{} {:?}]",
                found.0, found.1, expected.0, expected.1
            ));
        }
    }
    let moves = |game: &PgnGame| game.replay().map(|(_, m)| m).collect::<Vec<_>>();
    (expected.len() != written.tags.len() || moves(game) != moves(written))
        .then(|| format!("is not game {} of the source", game.number))
}

/// Returns the tag pairs of the analysed game.
fn expected_tags(
    game: &PgnGame,
    place: Option<ShardPlace>,
    args: &AnalysisArgs,
) -> Vec<(String, String)> {
    let place = place.map(|place| (shard::TAG.to_owned(), place.describe(GAME)));
    let mut tags: Vec<_> = place.into_iter().chain(game.tags.iter().cloned()).collect();
    if game.verbatim.is_none() {
        sign(&mut tags, &args.annotator());
    }
    tags
}

/// Returns whether the last analysis of a game has this annotator.
pub fn is_signed(tags: &[(String, String)], annotator: &str) -> bool {
    let mut values = tags.iter().filter(|(name, _)| name == "Annotator");
    let before = values
        .next()
        .and_then(|(_, value)| value.strip_suffix(annotator));
    before.is_some_and(|before| before.is_empty() || before.ends_with("; "))
}

/// Adds the annotator to the `Annotator` tag, unless it is the last one there.
pub fn sign(tags: &mut Vec<(String, String)>, annotator: &str) {
    if is_signed(tags, annotator) {
        return;
    }
    match tags.iter_mut().find(|(name, _)| name == "Annotator") {
        Some((_, value)) if value.is_empty() || value == "?" => annotator.clone_into(value),
        Some((_, value)) => *value = format!("{value}; {annotator}"),
        None => tags.push(("Annotator".to_owned(), annotator.to_owned())),
    }
}
