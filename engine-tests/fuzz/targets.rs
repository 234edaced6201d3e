//! The fuzz targets: one function per format, which panics when the engine breaks a promise.
//!
//! Two programs share them. `engine-tests/fuzz.rs` calls them in a loop on stable Rust, and the
//! crate in `fuzz/` hands them to libFuzzer.

use std::ffi::OsStr;
use std::io::{self, Read, Write};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use quevedo::engine::Searcher;
use quevedo::games::format::RecordedGame;
use quevedo::games::reader::Reader;
use quevedo::pgn::{PgnGame, PgnReader, to_pgn};
use quevedo::position::Position;
use quevedo::position::notation;
use quevedo::tools::epd::record::Record;
use quevedo::tools::epd::suite::Suite;
use quevedo::uci;
use quevedo::uci::command::Command;

/// The time that searches have before `stop` is sent.
const SEARCH_TIME: Duration = Duration::from_millis(1);

/// The deepest perft that is run: it has no time limit.
const MAX_PERFT: u32 = 2;

/// Largest `Hash` and `Threads` that an input may set, so that no input is slow or takes all
/// memory.
const MAX_HASH: u64 = 16;
const MAX_THREADS: u64 = 4;

/// Reads a FEN. A position that is accepted survives a round trip through text, and each of its
/// legal moves can be written, read and played with the right Zobrist key.
pub fn fen(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    for chess960 in [false, true] {
        let Ok(parsed) = notation::parse_fen(&text, chess960) else {
            continue;
        };
        let position = parsed.position;
        let written = notation::fen(&position);
        match notation::parse_fen(&written, chess960) {
            Ok(again) => assert_eq!(notation::fen(&again.position), written, "from {text:?}"),
            Err(error) => panic!("{text:?} was written as {written:?}: {error}"),
        }
        for &m in &position.legal_moves() {
            let uci = notation::uci(&position, m).to_string();
            match notation::parse_uci(&position, &uci) {
                Ok(again) => assert_eq!(again, m, "{uci} in {written}"),
                Err(error) => panic!("{uci} in {written}: {error}"),
            }
            let child = position.play(m);
            let rebuilt = Position::from_chess(child.chess().clone());
            assert_eq!(child.key(), rebuilt.key(), "after {uci} in {written}");
        }
    }
}

/// Reads a suite in EPD. Each record that is accepted survives a round trip through its canonical
/// form.
pub fn epd(data: &[u8]) {
    let mut suite = Suite::default();
    suite.add("fuzz.epd", data);
    for entry in &suite.positions {
        let written = entry.record.to_string();
        match Record::parse(&written) {
            Ok(again) => assert_eq!(again.to_string(), written),
            Err(error) => panic!("{written:?}: {error}"),
        }
        let _ = (entry.name(), entry.goal.describe(&entry.record.position));
    }
}

/// Reads a PGN file as games and as puzzles. All moves that are read are legal, and each game that
/// is written can be read again. Each puzzle becomes an EPD record that can be read again.
pub fn pgn(data: &[u8]) {
    for game in pgn_games(data) {
        let written = to_pgn(&game);
        let games = pgn_games(written.as_bytes());
        let [again] = games.as_slice() else {
            panic!("{} games in {written}", games.len());
        };
        assert_eq!(
            notation::fen(&again.start),
            notation::fen(&game.start),
            "{written}"
        );
        let moves = |game: &PgnGame| game.replay().map(|(_, m)| m).collect::<Vec<_>>();
        assert_eq!(moves(again), moves(&game), "{written}");
    }
    let mut suite = Suite::default();
    suite.add("fuzz.pgn", data);
    for entry in &suite.positions {
        let written = entry.record.to_string();
        assert!(Record::parse(&written).is_ok(), "{written:?}");
    }
}

fn pgn_games(data: &[u8]) -> Vec<PgnGame> {
    let mut reader = PgnReader::new(data);
    let mut games = Vec::new();
    while let Ok(Some((game, _))) = reader.next_game(&mut |_| {}) {
        for (position, m) in game.replay() {
            assert!(position.is_legal(m), "{m:?}");
        }
        games.push(game);
    }
    games
}

/// Reads a file of recorded games. A legal game survives a round trip through its bytes.
pub fn viriformat(data: &[u8]) {
    let mut reader = Reader::new(data);
    while let Ok(Some(bytes)) = reader.next_game() {
        let Ok(game) = RecordedGame::from_bytes(bytes) else {
            continue;
        };
        let _ = game.moves_text();
        if game.verify().is_err() {
            continue;
        }
        let Some(written) = game.to_bytes() else {
            panic!("a game that was read cannot be written");
        };
        match RecordedGame::from_bytes(&written) {
            Ok(again) => {
                assert_eq!(again.result, game.result);
                assert_eq!(again.moves, game.moves);
                assert_eq!(again.start.key(), game.start.key());
            }
            Err(error) => panic!("a game that was written cannot be read: {error}"),
        }
    }
}

/// Sends lines to the UCI loop, then `stop`, and then ends its input. Every `isready` and every
/// `go` is answered, and nothing panics.
///
/// Each input has an engine of its own, so that a failure can be repeated from its input alone.
pub fn uci(data: &[u8]) {
    let lines: Vec<&[u8]> = data
        .split(|&byte| byte == b'\n')
        .filter(|line| is_bounded(&String::from_utf8_lossy(line)))
        .collect();
    let (mut ready, mut searches) = (0, 0);
    for line in &lines {
        match String::from_utf8_lossy(line).parse() {
            Ok(Command::IsReady) => ready += 1,
            Ok(Command::Go(go)) if go.perft.is_none() => searches += 1,
            Ok(Command::Quit) => break,
            _ => {}
        }
    }
    let input = Input {
        bytes: lines.join(&b'\n'),
        read: 0,
        wait: (searches > 0).then_some(SEARCH_TIME),
    };
    let output = Output::default();
    let engine = Searcher::new(1).expect("memory for a small engine");
    uci::run(engine, input, Box::new(output.clone())).expect("a thread for the reader");

    let text = output.text();
    assert!(!text.contains("internal error"), "{text}");
    assert!(!text.contains("error: a search thread"), "{text}");
    let count = |beginning| {
        text.lines()
            .filter(|line| line.starts_with(beginning))
            .count()
    };
    assert_eq!(count("readyok"), ready, "{text}");
    assert_eq!(count("bestmove"), searches, "{text}");
}

/// Returns false for lines that are allowed to take long, to take much memory, or to write files.
fn is_bounded(line: &str) -> bool {
    match line.parse() {
        Ok(Command::Bench(_) | Command::GenFens(_)) => false,
        Ok(Command::Perft(depth)) => depth <= MAX_PERFT,
        Ok(Command::Go(go)) => go.perft.is_none_or(|depth| depth <= MAX_PERFT),
        Ok(Command::SetOption { name, value }) => {
            let value = value.as_deref().and_then(OsStr::to_str);
            let number = value.and_then(|value| value.trim().parse().ok());
            let is_at_most = |limit| number.is_none_or(|number: u64| number <= limit);
            match name.to_ascii_lowercase().as_str() {
                "hash" => is_at_most(MAX_HASH),
                "threads" => is_at_most(MAX_THREADS),
                "debug log file" | "hashfile" => false,
                _ => true,
            }
        }
        _ => true,
    }
}

/// Lines of input, and a `stop` for the searches in them.
struct Input {
    bytes: Vec<u8>,
    read: usize,
    /// The time until `stop`, which is sent once.
    wait: Option<Duration>,
}

impl Read for Input {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.bytes.len()
            && let Some(wait) = self.wait.take()
        {
            thread::sleep(wait);
            self.bytes.extend(b"\nstop\n");
        }
        let rest = &self.bytes[self.read..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.read += length;
        Ok(length)
    }
}

/// Output kept in memory.
#[derive(Clone, Default)]
struct Output(Arc<Mutex<Vec<u8>>>);

impl Output {
    fn text(&self) -> String {
        let bytes = self.0.lock().unwrap();
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut written = self.0.lock().unwrap();
        written.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
