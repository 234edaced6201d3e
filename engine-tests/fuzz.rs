//! The fuzz targets on stable Rust: each is given mutations of real inputs, from a fixed seed, for
//! a limited time.
//!
//! `QUEVEDO_FUZZ_SECONDS` sets the time for each target (2 by default) and `QUEVEDO_FUZZ_SEED` the
//! seed. An input that fails is written to a file in the temporary directory, which the message
//! names, and `QUEVEDO_FUZZ_INPUT` runs just that file:
//!
//! ```text
//! QUEVEDO_FUZZ_SECONDS=600 cargo test --test engine-tests fuzz::uci -- --nocapture
//! QUEVEDO_FUZZ_INPUT=/tmp/quevedo-fuzz-uci cargo test --test engine-tests fuzz::uci
//! ```
//!
//! The same targets run under libFuzzer from the crate in `fuzz/`.

use std::env;
use std::fs;
use std::panic::catch_unwind;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use quevedo::games::format::{GameResult, RecordedGame, ScoredMove};
use quevedo::position::Position;
use quevedo::position::notation;

mod targets;

/// The default time for each target, in seconds.
const SECONDS: f64 = 2.0;

/// The time limit of a single input, generous for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Inputs longer than this are cut, in bytes.
const MAX_INPUT: usize = 1 << 14;

const FEN_SUITES: &[&str] = &[
    include_str!("../epd-suites/perft-standard.epd"),
    include_str!("../epd-suites/perft-chess960.epd"),
    include_str!("../epd-suites/perft-tricky.epd"),
];

const EPD_SUITES: &[&str] = &[
    include_str!("../epd-suites/wac.epd"),
    include_str!("../epd-suites/sts.epd"),
    include_str!("../epd-suites/quevedo.epd"),
    include_str!("../epd-suites/short-mates.epd"),
    include_str!("../epd-suites/see.epd"),
];

const PGN_FILES: &[&str] = &[
    "[Event \"a\"]\n[White \"M\u{fc}ller\"]\n\n1. e4 { [%clk 0:01:00] } e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n",
    "[Event \"b\"]\n\n1. f3 e5 2. Ke3 Qh4# 0-1\n\n[Event \"c\"]\n[Variant \"Atomic\"]\n\n1. Nf3 e5 2. Nxe5 *\n\n",
    "[FEN \"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. Ra8# $1 ; mate\n1-0\n",
    "[FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"]\n[Variant \"Chess960\"]\n\n9. O-O O-O *\n",
    "%escaped\n[Event \"d \\\"quoted\\\"\"]\n\n1. d4 (1. c4 c5 (1... e5!?) 2. Nc3 {line}) 1... d5 2. c4 e6?! 1/2-1/2\n",
    // This input was once written with two `Event` tags and read again as two games.
    "[Event \"x 3. Bc4 N\n1. f3 e5 *\n\n[Event\u{1}\"c\"]\n[V\"a\"]\n\n1. e4 *\n\n",
];

const UCI_SESSIONS: &[&str] = &[
    "uci\nisready\nucinewgame\nposition startpos moves e2e4 e7e5 g1f3\ngo depth 3\nisready\nstop\nquit\n",
    "setoption name Hash value 2\nsetoption name Threads value 2\nisready\ngo infinite\nstop\ngo nodes 200\n",
    "setoption name UCI_Chess960 value true\nposition fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9\n\
     go movetime 1 searchmoves g1h1 e2e4\nd\neval\n",
    "position fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3\ngo wtime 100 btime 100 winc 1 binc 1 movestogo 4\n",
    "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\ngo mate 2\ngo perft 2\nperft 1\nhelp\ndebug on\ngo ponder wtime 50\nponderhit\n",
    "setoption name MultiPV value 4\nsetoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1000\n\
     setoption name OwnBook value true\nsetoption name Skill Level value 3\nposition startpos\ngo wtime 60 btime 60\nregister later\n",
    "setoption name EvalFile value hand-written\nsetoption name SyzygyPath value <empty>\nsetoption name Clear Hash\ngo depth 2\n",
];

const FEN_WORDS: &[&str] = &[
    "w",
    "b",
    "-",
    "KQkq",
    "HAha",
    "e3",
    "e6",
    "0",
    "1",
    "100",
    "4294967295",
    "8",
    "/",
    "K",
    "k",
    "P",
    "p",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
];

const EPD_WORDS: &[&str] = &[
    " bm ",
    " am ",
    " dm ",
    " id ",
    " c0 ",
    " c7 ",
    " c9 ",
    " ce ",
    " acd ",
    " hmvc ",
    " fmvn ",
    " pv ",
    ";",
    "\"",
    "=",
    ", ",
    "e4",
    "O-O",
    "Nf3",
    "e8=Q",
    "#3",
    "-5",
    "99999999999999999999",
    "\n",
    "\0",
    "\u{e9}",
];

const PGN_WORDS: &[&str] = &[
    "[Event \"",
    "\"]",
    "[FEN \"",
    "[Variant \"Chess960\"]",
    "\n\n",
    "{",
    "}",
    "(",
    ")",
    ";",
    "%",
    "$1",
    "$255",
    "1.",
    "1...",
    "e4",
    "Nf3",
    "O-O-O",
    "e8=Q+",
    "N",
    "e.p.",
    "--",
    "0-1",
    "1/2-1/2",
    "*",
    "!?",
    "[%eval ",
    "\\\"",
];

const UCI_WORDS: &[&str] = &[
    "\n",
    " ",
    "go",
    "position",
    "startpos",
    "fen",
    "moves",
    "e2e4",
    "e7e8q",
    "0000",
    "depth",
    "nodes",
    "movetime",
    "wtime",
    "winc",
    "movestogo",
    "infinite",
    "ponder",
    "searchmoves",
    "mate",
    "perft",
    "isready",
    "stop",
    "ponderhit",
    "setoption",
    "name",
    "value",
    "MultiPV",
    "Threads",
    "Hash",
    "true",
    "<empty>",
    "-1",
    "99999999999999999999",
    "quit",
    "\u{feff}",
    "\r",
];

#[test]
fn fen() {
    let fields = |line: &&str| !line.is_empty();
    let seeds = FEN_SUITES.iter().flat_map(|suite| suite.lines());
    let seeds = seeds.filter(fields).map(|line| {
        let fields: Vec<&str> = line.split(' ').take(4).collect();
        format!("{} 0 1", fields.join(" ")).into_bytes()
    });
    fuzz("fen", seeds.collect(), FEN_WORDS, targets::fen);
}

#[test]
fn epd() {
    let seeds = EPD_SUITES.iter().flat_map(|suite| suite.lines());
    let seeds = seeds.map(|line| line.as_bytes().to_owned());
    fuzz("epd", seeds.collect(), EPD_WORDS, targets::epd);
}

#[test]
fn pgn() {
    let seeds = PGN_FILES.iter().map(|text| text.as_bytes().to_owned());
    fuzz("pgn", seeds.collect(), PGN_WORDS, targets::pgn);
}

#[test]
fn viriformat() {
    let mut random = Random(7);
    let starts = FEN_SUITES.iter().flat_map(|suite| suite.lines().take(20));
    let seeds = starts.filter_map(|line| recorded_game(line, &mut random));
    fuzz("viriformat", seeds.collect(), &[], targets::viriformat);
}

#[test]
fn uci() {
    let seeds = UCI_SESSIONS.iter().map(|text| text.as_bytes().to_owned());
    fuzz("uci", seeds.collect(), UCI_WORDS, targets::uci);
}

/// Returns the bytes of a game of random moves from the position of an EPD line.
fn recorded_game(line: &str, random: &mut Random) -> Option<Vec<u8>> {
    let fields: Vec<&str> = line.split(' ').take(4).collect();
    let start = notation::parse_fen(&fields.join(" "), false).ok()?.position;
    let mut position: Position = start.clone();
    let mut moves = Vec::new();
    for _ in 0..30 {
        let legal = position.legal_moves();
        let Some(&m) = legal.get(random.below(legal.len().max(1))) else {
            break;
        };
        let score = random.below(2_000) as i16 - 1_000;
        moves.push(ScoredMove { m, score });
        position = position.play(m);
    }
    let result = GameResult::Draw;
    let game = RecordedGame {
        start,
        result,
        expected: None,
        moves,
    };
    game.to_bytes()
}

/// The progress of the thread that tries inputs, for the one that watches it.
#[derive(Default)]
struct Progress {
    input: Mutex<Vec<u8>>,
    tried: AtomicU64,
    lines: AtomicU64,
    is_done: AtomicBool,
}

/// Tries inputs until the time is up. Panics when one of them panics or takes longer than
/// [`PATIENCE`].
fn fuzz(
    name: &'static str,
    seeds: Vec<Vec<u8>>,
    words: &'static [&'static str],
    target: fn(&[u8]),
) {
    if let Ok(path) = env::var("QUEVEDO_FUZZ_INPUT") {
        return target(&fs::read(path).expect("QUEVEDO_FUZZ_INPUT names a file"));
    }
    assert!(!seeds.is_empty());
    let time = Duration::from_secs_f64(variable("QUEVEDO_FUZZ_SECONDS", SECONDS));
    let mut random = Random(variable("QUEVEDO_FUZZ_SEED", 1));
    let progress = Arc::new(Progress::default());
    let shared = progress.clone();
    let worker = thread::spawn(move || {
        let start = Instant::now();
        let mut is_good = true;
        // All seeds, however long they take, and then what the time allows.
        let mutated = std::iter::repeat_with(|| mutate(&seeds, words, &mut random));
        let in_time = mutated.take_while(|_| start.elapsed() < time);
        for input in seeds.iter().cloned().chain(in_time) {
            shared.remember(&input);
            if catch_unwind(|| target(&input)).is_err() {
                is_good = false;
                break;
            }
            let lines = input.split(|&byte| byte == b'\n').count() as u64;
            shared.lines.fetch_add(lines, Ordering::Relaxed);
            shared.tried.fetch_add(1, Ordering::Relaxed);
        }
        shared.is_done.store(true, Ordering::Release);
        is_good
    });
    progress.watch(name);
    let is_good = worker.join().expect("panics of the target are caught");
    if !is_good {
        progress.fail(name, "panicked");
    }
    println!(
        "fuzz {name}: {} inputs, {} lines",
        progress.tried.load(Ordering::Relaxed),
        progress.lines.load(Ordering::Relaxed)
    );
}

impl Progress {
    fn remember(&self, input: &[u8]) {
        let mut kept = self.input.lock().unwrap();
        kept.clear();
        kept.extend_from_slice(input);
    }

    /// Returns when the worker is done. Fails when it makes no progress.
    fn watch(&self, name: &str) {
        let mut seen = (Instant::now(), 0);
        while !self.is_done.load(Ordering::Acquire) {
            thread::sleep(Duration::from_millis(20));
            let tried = self.tried.load(Ordering::Relaxed);
            if tried != seen.1 {
                seen = (Instant::now(), tried);
            } else if seen.0.elapsed() > PATIENCE {
                self.fail(name, "hangs");
            }
        }
    }

    fn fail(&self, name: &str, what: &str) -> ! {
        let path = env::temp_dir().join(format!("quevedo-fuzz-{name}"));
        let input = self.input.lock().unwrap();
        let kept = match fs::write(&path, &*input) {
            Ok(()) => format!("kept in {}", path.display()),
            Err(error) => format!("{}: {error}", path.display()),
        };
        panic!(
            "fuzz {name} {what} after {} inputs at {:?} ({kept})",
            self.tried.load(Ordering::Relaxed),
            String::from_utf8_lossy(&input),
        );
    }
}

/// Returns the value of an environment variable, or a default.
fn variable<T: FromStr>(name: &str, default: T) -> T {
    match env::var(name) {
        Ok(text) => text
            .parse()
            .unwrap_or_else(|_| panic!("{name}: number expected, not {text:?}")),
        Err(_) => default,
    }
}

/// Returns one of the seeds with up to eight changes.
fn mutate(seeds: &[Vec<u8>], words: &[&str], random: &mut Random) -> Vec<u8> {
    let mut bytes = seeds[random.below(seeds.len())].clone();
    for _ in 0..=random.below(8) {
        let at = random.below(bytes.len() + 1);
        let end = (at + 1 + random.below(16)).min(bytes.len());
        match random.below(9) {
            0 if at < bytes.len() => bytes[at] ^= 1 << random.below(8),
            1 if at < bytes.len() => bytes[at] = random.below(256) as u8,
            2 => bytes.insert(at, random.below(256) as u8),
            3 => drop(bytes.drain(at..end)),
            4 => {
                let copy = bytes[at..end].to_owned();
                let place = random.below(bytes.len() + 1);
                bytes.splice(place..place, copy);
            }
            5 if !words.is_empty() => {
                let word = words[random.below(words.len())];
                bytes.splice(at..at, word.bytes());
            }
            6 if !words.is_empty() => {
                let word = words[random.below(words.len())];
                bytes.splice(at..end, word.bytes());
            }
            7 => {
                let other = &seeds[random.below(seeds.len())];
                bytes.truncate(at);
                bytes.extend_from_slice(&other[random.below(other.len() + 1)..]);
            }
            8 => bytes.truncate(at),
            _ => {}
        }
        bytes.truncate(MAX_INPUT);
    }
    bytes
}

/// SplitMix64, by Sebastiano Vigna.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below a bound, which is at least 1.
    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}
