//! Random input to the UCI loop: it answers every `isready` and every `go`, and it continues.

use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use quevedo::engine::Searcher;
use quevedo::uci;
use quevedo::uci::command::Command;

const PATIENCE: Duration = Duration::from_secs(20);

/// The UCI loop in a thread of this process.
struct Loop {
    input: Sender<Vec<u8>>,
    output: Receiver<Vec<u8>>,
    text: String,
}

struct Pipe {
    chunks: Receiver<Vec<u8>>,
    rest: Vec<u8>,
}

impl Read for Pipe {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() {
            // The end of the channel is the end of the input.
            self.rest = self.chunks.recv().unwrap_or_default();
        }
        let length = self.rest.len().min(buffer.len());
        let rest = self.rest.split_off(length);
        buffer[..length].copy_from_slice(&self.rest);
        self.rest = rest;
        Ok(length)
    }
}

struct Sink(Sender<Vec<u8>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0
            .send(bytes.to_owned())
            .map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Loop {
    fn new() -> Loop {
        let (input, chunks) = channel();
        let (sink, output) = channel();
        thread::spawn(move || {
            let pipe = Pipe {
                chunks,
                rest: Vec::new(),
            };
            uci::run(Searcher::new(1).unwrap(), pipe, Box::new(Sink(sink)))
        });
        Loop {
            input,
            output,
            text: String::new(),
        }
    }

    fn send(&self, bytes: &[u8]) {
        if !bytes.is_empty() {
            let _ = self.input.send(bytes.to_owned());
        }
    }

    fn count(&self, beginning: &str) -> usize {
        self.text
            .lines()
            .filter(|line| line.starts_with(beginning))
            .count()
    }

    /// Reads until this many lines have this beginning. Returns false if they do not come.
    fn read_to(&mut self, beginning: &str, count: usize) -> bool {
        let end = Instant::now() + PATIENCE;
        while self.count(beginning) < count {
            let left = end.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.text.push_str(&String::from_utf8_lossy(&bytes)),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return false,
            }
        }
        true
    }
}

/// Returns the number of `isready` and of searches in a stream, as the parser counts them.
fn expected(stream: &[u8]) -> (usize, usize) {
    let (mut ready, mut moves) = (0, 0);
    for line in stream.split(|&byte| byte == b'\n') {
        match String::from_utf8_lossy(line).parse() {
            Ok(Command::IsReady) => ready += 1,
            Ok(Command::Go(go)) if go.perft.is_none() => moves += 1,
            _ => {}
        }
    }
    (ready, moves)
}

/// Sends the stream, then `stop` and `isready`. Checks that each command is answered and that
/// another round works.
fn survives(stream: &[u8]) -> Result<(), TestCaseError> {
    let mut engine = Loop::new();
    engine.send(stream);
    engine.send(b"\nstop\nisready\n");
    let (ready, moves) = expected(stream);
    prop_assert!(engine.read_to("readyok", ready + 1), "{}", engine.text);
    prop_assert!(engine.read_to("bestmove", moves), "{}", engine.text);
    engine.send(b"ucinewgame\nposition startpos\ngo depth 1\n");
    prop_assert!(engine.read_to("bestmove", moves + 1), "{}", engine.text);
    engine.send(b"isready\nquit\n");
    prop_assert!(engine.read_to("readyok", ready + 2), "{}", engine.text);
    prop_assert_eq!(engine.count("readyok"), ready + 2);
    prop_assert_eq!(engine.count("bestmove"), moves + 1);
    prop_assert_eq!(
        engine.count("info string error: internal"),
        0,
        "{}",
        engine.text
    );
    Ok(())
}

fn line() -> impl Strategy<Value = String> {
    select(vec![
        "uci",
        "debug on",
        "debug off",
        "isready",
        "isready",
        "register later",
        "ucinewgame",
        "position startpos",
        "position startpos moves e2e4 e7e5 g1f3",
        "position startpos moves e2e4 e2e4",
        "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "position fen bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
        "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "position fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "go depth 2",
        "go nodes 100",
        "go movetime 5",
        "go wtime 50 btime 50 winc 1 binc 1",
        "go mate 1 depth 2",
        "go infinite",
        "go infinite",
        "go ponder wtime 30 btime 30",
        "go depth 2 searchmoves e2e4 d2d4",
        "go perft 2",
        "go",
        "stop",
        "stop",
        "ponderhit",
        "setoption name Hash value 2",
        "setoption name Clear Hash",
        "setoption name Threads value 2",
        "setoption name MultiPV value 3",
        "setoption name UCI_Chess960 value true",
        "setoption name UCI_ShowWDL value true",
        "setoption name Syzygy50MoveRule value false",
        "setoption name Nonsense value 1",
        "d",
        "eval",
        "perft 2",
        "help",
    ])
    .prop_map(str::to_owned)
}

fn word() -> impl Strategy<Value = String> {
    let known = select(vec![
        "go",
        "position",
        "startpos",
        "fen",
        "moves",
        "e2e4",
        "e1g1",
        "depth",
        "nodes",
        "movetime",
        "wtime",
        "btime",
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
        "Ponder",
        "true",
        "<empty>",
        "w",
        "-",
        "KQkq",
        "8/8/8/8/8/8/8/8",
        "debug",
        "on",
        "\t",
    ])
    .prop_map(str::to_owned);
    let number = prop_oneof![(-2_i64..5).boxed(), any::<i64>().boxed()].prop_map(|n| n.to_string());
    prop_oneof![6 => known, 2 => number, 1 => "\\PC{0,12}"]
}

/// Returns a line with some bytes changed.
fn mutated() -> impl Strategy<Value = Vec<u8>> {
    (line(), vec((any::<Index>(), any::<u8>(), 0_u8..3), 0..4)).prop_map(|(line, changes)| {
        let mut bytes = line.into_bytes();
        for (index, byte, kind) in changes {
            if bytes.is_empty() {
                break;
            }
            let at = index.index(bytes.len());
            match kind {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => {
                    bytes.remove(at);
                }
            }
        }
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, max_shrink_iters: 50, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_order_of_commands(lines in vec(line(), 0..40)) {
        survives(lines.join("\n").as_bytes())?;
    }

    #[test]
    fn any_words(lines in vec(vec(word(), 0..8), 0..40)) {
        let lines: Vec<String> = lines.iter().map(|words| words.join(" ")).collect();
        survives(lines.join("\n").as_bytes())?;
    }

    #[test]
    fn mutated_commands(lines in vec(mutated(), 0..40)) {
        survives(&lines.join(&b'\n'))?;
    }

    #[test]
    fn any_bytes(bytes in vec(any::<u8>(), 0..2_000)) {
        survives(&bytes)?;
    }
}
