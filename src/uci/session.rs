//! What the commands do: the thread that owns the engine works through the queue.

use std::fmt::Write as _;
use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::time::{Duration, Instant};

use shakmaty::{Color, File, Rank, Square};

use super::command::{COMMANDS, Command, GoCommand};
use super::desk::{Desk, Job};
use super::options;
use super::output::Output;
use super::report::UciReport;
use crate::engine::bench::{self, BenchSettings};
use crate::engine::explain::explain;
use crate::engine::genfens::GenFens;
use crate::engine::options::{OPTIONS, set as set_option};
use crate::engine::{
    Analysis, Clock, FrontEnd, GameState, Go, Limits, MemoryError, Searcher, panic_message, perft,
    shorten,
};
use crate::position::{Move, Position, notation};
#[cfg(feature = "tuning")]
use crate::search::params;

/// How long to search when a `go` had limits and not one of them could be read.
const TIME_WITHOUT_LIMITS: Duration = Duration::from_secs(1);

/// The longest time that a clock can show, in milliseconds: thirty years, with room to calculate.
const MAX_MILLIS: i64 = 1_000_000_000_000;

/// The engine and what the protocol adds to it.
#[derive(Debug)]
pub struct Session {
    searcher: Searcher,
    game: GameState,
    settings: Settings,
    output: Arc<Output>,
    desk: Arc<Desk>,
    debug: bool,
}

/// The options that concern the protocol.
#[derive(Debug)]
struct Settings {
    chess960: bool,
    show_wdl: bool,
    output: Arc<Output>,
}

impl FrontEnd for Settings {
    fn set_chess960(&mut self, chess960: bool) {
        self.chess960 = chess960;
    }

    fn set_show_wdl(&mut self, show: bool) {
        self.show_wdl = show;
    }

    fn set_log(&mut self, path: &str) -> io::Result<()> {
        self.output.set_log(path)
    }
}

impl Session {
    /// A session at the initial position.
    pub fn new(searcher: Searcher, desk: Arc<Desk>, output: Arc<Output>) -> Session {
        Session {
            searcher,
            game: GameState::default(),
            settings: Settings {
                chess960: false,
                show_wdl: false,
                output: output.clone(),
            },
            output,
            desk,
            debug: false,
        }
    }

    /// Does what stands next in the queue. Breaks when that was the end, or nobody listens any more.
    pub fn handle(&mut self, job: Job) -> ControlFlow<()> {
        if matches!(job, Job::Command(Command::Quit)) {
            return ControlFlow::Break(());
        }
        let is_work = matches!(job, Job::Work { .. });
        if is_work {
            for _ in 0..self.desk.begin_work() {
                self.output.line("readyok");
            }
        }
        // A fault in one command is no reason to lose the game.
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| self.dispatch(job))) {
            self.output.error(panic_message(&*payload));
        }
        if is_work {
            self.desk.end_work();
        }
        if self.output.is_closed() {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    fn dispatch(&mut self, job: Job) {
        match job {
            Job::Command(command) => self.command(command),
            Job::Work {
                number,
                received,
                command,
            } => self.work(number, received, command),
            Job::Refused(error) => self.output.error(error),
            Job::TooLong => self.output.error("line ignored: it is too long"),
        }
    }

    fn command(&mut self, command: Command) {
        match command {
            Command::Uci => self.identify(),
            Command::Debug(on) => self.debug = on,
            Command::IsReady => self.output.line("readyok"),
            Command::SetOption { name, value } => {
                let front_end = &mut self.settings;
                match set_option(&mut self.searcher, front_end, &name, value.as_deref()) {
                    Ok(Some(note)) => self.output.info(note),
                    Ok(None) => {}
                    Err(error) => self.output.error(error),
                }
            }
            Command::Register => self.output.info("there is nothing to register"),
            Command::NewGame => self.searcher.new_game(),
            Command::Position { fen, moves } => self.set_position(fen.as_deref(), &moves),
            Command::Display => self.output.line(diagram(&self.game.position)),
            Command::Eval => self.evaluate(),
            Command::Help => self.output.line(help()),
            // These have been seen to where lines are read, or come as work.
            Command::Blank
            | Command::Stop
            | Command::PonderHit
            | Command::Quit
            | Command::Go(_)
            | Command::Bench(_)
            | Command::Perft(_)
            | Command::GenFens(_) => {}
        }
    }

    fn work(&mut self, number: u64, received: Instant, command: Command) {
        match command {
            Command::Go(go) => match go.perft {
                Some(depth) => {
                    self.report_problems(&go);
                    self.perft(depth, number);
                }
                None => self.go(&go, number, received),
            },
            Command::Perft(depth) => self.perft(depth, number),
            Command::Bench(depth) => self.bench(depth, number),
            Command::GenFens(request) => self.generate_openings(&request, number),
            _ => {}
        }
    }

    fn identify(&self) {
        let mut text = format!(
            "id name Quevedo {}\nid author the Quevedo authors\n",
            env!("CARGO_PKG_VERSION")
        );
        for option in OPTIONS {
            let _ = writeln!(text, "{}", options::option_line(option));
        }
        #[cfg(feature = "tuning")]
        for (name, value, min, max) in params::tuning::TABLE {
            let _ = writeln!(
                text,
                "option name {name} type spin default {value} min {min} max {max}"
            );
        }
        text.push_str("uciok");
        self.output.line(text);
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) {
        let moves = moves.iter().map(String::as_str);
        match GameState::parse_chess960(fen, moves, self.settings.chess960) {
            Ok((game, detected_chess960)) => {
                self.game = game;
                if detected_chess960 {
                    self.output.info(
                        "Chess960 position: castling is written as king takes rook in this position",
                    );
                }
            }
            Err(error) => {
                let source = fen.map_or_else(
                    || "startpos".to_owned(),
                    |fen| format!("fen {:?}", shorten(fen)),
                );
                self.output.error(format_args!(
                    "position refused, the one before stays: {source}: {error}"
                ));
            }
        }
    }

    fn report_problems(&self, go: &GoCommand) {
        for problem in go.problems.messages() {
            self.output.error(problem);
        }
        if self.debug {
            self.output.info(format_args!("understood: {go}"));
        }
    }

    fn go(&mut self, go: &GoCommand, number: u64, received: Instant) {
        self.report_problems(go);
        let limits = self.limits(go);
        let report = UciReport::new(&self.output, self.settings.show_wdl, received);
        let go = Go {
            control: self.desk.control(),
            number,
            received,
        };
        let analysis = self.searcher.search(&self.game, &limits, go, &report);
        self.desk.end_work();
        self.output.line(best_move(&self.game.position, &analysis));
    }

    /// The limits that a `go` means in the current position.
    fn limits(&self, go: &GoCommand) -> Limits {
        let mut limits = Limits {
            searchmoves: self.searchmoves(go),
            depth: go.depth,
            nodes: go.nodes,
            soft_nodes: None,
            mate: go.mate,
            movetime: go
                .movetime
                .filter(|_| !go.infinite)
                .map(|ms| Duration::from_millis(ms.min(MAX_MILLIS.unsigned_abs()))),
            clock: self.clock(go).filter(|_| !go.infinite),
            infinite: go.infinite,
            ponder: go.ponder,
        };
        let is_limited = limits.depth.is_some()
            || limits.nodes.is_some()
            || limits.mate.is_some()
            || limits.movetime.is_some()
            || limits.clock.is_some();
        // The GUI wanted an end to this search: better an early one than none.
        if go.problems.lost_limit() && !is_limited && !limits.infinite {
            self.output
                .error("go: no limit could be read, searching for a second");
            limits.movetime = Some(TIME_WITHOUT_LIMITS);
        }
        limits
    }

    fn searchmoves(&self, go: &GoCommand) -> Vec<Move> {
        let mut moves: Vec<Move> = Vec::new();
        for text in &go.searchmoves {
            match notation::parse_uci(&self.game.position, text) {
                Ok(m) if moves.contains(&m) => {}
                Ok(m) => moves.push(m),
                Err(error) => self
                    .output
                    .error(format_args!("go: searchmoves: {error} ignored")),
            }
        }
        if moves.is_empty() && !go.searchmoves.is_empty() {
            self.output
                .error("go: searchmoves without a legal move, searching all moves");
        }
        moves
    }

    /// The clock of the side to move. A GUI that sends only the other side's has one of which nothing is known: almost
    /// nothing left is the safe guess.
    fn clock(&self, go: &GoCommand) -> Option<Clock> {
        let (time, increment) = match self.game.position.turn() {
            Color::White => (go.wtime, go.winc),
            Color::Black => (go.btime, go.binc),
        };
        let is_timed = [go.wtime, go.btime, go.winc, go.binc]
            .iter()
            .any(Option::is_some);
        let millis = |given: Option<i64>| given.unwrap_or(0).clamp(-MAX_MILLIS, MAX_MILLIS);
        is_timed.then(|| Clock {
            remaining_ms: millis(time),
            increment_ms: millis(increment),
            moves_to_go: go.movestogo,
        })
    }

    fn evaluate(&self) {
        let text = explain(self.searcher.network(), &self.game.position);
        self.output.line(text.trim_end());
    }

    /// Runs the benchmark with a searcher of its own, so that the game is not disturbed.
    fn bench(&self, depth: Option<u32>, number: u64) {
        let settings = BenchSettings {
            depth: depth.unwrap_or(bench::DEFAULT_DEPTH),
            ..BenchSettings::default()
        };
        let mut report = |position: &_| {
            self.output.line(position);
            Ok::<(), MemoryError>(())
        };
        match bench::run(&settings, self.desk.interruption(), number, &mut report) {
            Ok(None) => self.output.info("bench stopped"),
            Ok(Some(total)) => self.output.line(total),
            Err(error) => self.output.error(error),
        }
    }

    /// An engine of its own looks at the openings, so that this one's game goes on undisturbed.
    fn generate_openings(&self, request: &GenFens, number: u64) {
        let is_stopped = || self.desk.is_interrupted(number) || self.output.is_closed();
        let mut say = |fen: &str| self.output.info(format_args!("genfens {fen}"));
        if let Err(error) = request.run(&is_stopped, &mut say) {
            self.output.error(error);
        }
    }

    fn perft(&self, depth: u32, number: u64) {
        let position = &self.game.position;
        let is_stopped = || self.desk.is_interrupted(number);
        let Some(counts) = perft::divide_until(position, depth, 1, &is_stopped) else {
            self.output.info("perft stopped");
            return;
        };
        for &(m, count) in &counts {
            self.output
                .line(format_args!("{}: {count}", notation::uci(position, m)));
        }
        let total = perft::total(&counts, depth);
        self.desk.end_work();
        self.output
            .line(format_args!("\nNodes searched: {total}\n"));
    }
}

/// The answer to `go`.
fn best_move(position: &Position, analysis: &Analysis) -> String {
    let Some(best) = analysis.best_move else {
        return "bestmove (none)".to_owned();
    };
    let mut text = format!("bestmove {}", notation::uci(position, best));
    let child = position.play(best);
    if let Some(reply) = analysis.ponder_move.filter(|&reply| child.is_legal(reply)) {
        let _ = write!(text, " ponder {}", notation::uci(&child, reply));
    }
    text
}

/// The position for people.
fn diagram(position: &Position) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    for rank in Rank::ALL.into_iter().rev() {
        let _ = write!(text, "{}  ", rank.char());
        for file in File::ALL {
            let man = position
                .piece_at(Square::from_coords(file, rank))
                .map_or('.', shakmaty::Piece::char);
            let _ = write!(text, " {man}");
        }
        text.push('\n');
    }
    text.push_str("\n    a b c d e f g h\n\n");
    let checkers: Vec<String> = position
        .checkers()
        .into_iter()
        .map(|square| square.to_string())
        .collect();
    let _ = write!(
        text,
        "Fen: {}\nKey: {:016X}\nCheckers: {}",
        notation::fen(position),
        position.key(),
        checkers.join(" ")
    );
    text
}

fn help() -> String {
    let mut text = String::from("Commands:\n");
    for (usage, what) in COMMANDS {
        let _ = writeln!(text, "  {usage}\n      {what}");
    }
    let _ = write!(text, "\nOptions:\n{}", options::help().trim_end());
    text
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use std::sync::{Mutex, PoisonError};

    type Written = Arc<Mutex<Vec<u8>>>;

    struct Shared(Written);

    impl io::Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// A session and what it has written.
    pub fn session() -> (Session, Written) {
        let written = Written::default();
        let desk = Arc::new(Desk::default());
        let output = Output::new(Box::new(Shared(written.clone())), desk.clone());
        let session = Session::new(Searcher::new(1).unwrap(), desk, Arc::new(output));
        (session, written)
    }

    /// What has been written since the last call.
    pub fn written(written: &Written) -> String {
        let mut bytes = written.lock().unwrap();
        String::from_utf8(std::mem::take(&mut *bytes)).unwrap()
    }

    /// Handles a line as the loop does, and returns what it wrote.
    fn answer((session, out): &mut (Session, Written), line: &str) -> String {
        let job = match line.parse() {
            Ok(command) => session.desk.job(command, Instant::now()),
            Err(error) => Job::Refused(error),
        };
        let _ = session.handle(job);
        written(out)
    }

    #[test]
    fn positions_are_kept_when_the_next_one_is_refused() {
        let mut s = session();
        assert_eq!(answer(&mut s, "position startpos moves e2e4 e7e5"), "");
        let key = s.0.game.position.key();
        for (line, part) in [
            (
                "position startpos moves e2e4 e2e4",
                "move 2: illegal move: \"e2e4\"",
            ),
            (
                "position startpos moves e2e4 frob",
                "move 2: not a move: \"frob\"",
            ),
            ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "illegal position"),
            ("position fen nonsense", "fen \"nonsense\": not a FEN"),
            ("position", "startpos or fen expected"),
        ] {
            let text = answer(&mut s, line);
            assert!(text.starts_with("info string error: position"), "{text}");
            assert!(text.contains(part), "{text}");
            assert_eq!(s.0.game.position.key(), key);
        }
    }

    #[test]
    fn limits_follow_the_side_to_move() {
        let mut s = session();
        let limits = |s: &(Session, Written), line: &str| s.0.limits(&GoCommand::parse(line));
        let clock = limits(&s, "wtime -5 btime 7 winc 1 binc 2 movestogo 3").clock;
        assert_eq!(
            clock,
            Some(Clock {
                remaining_ms: -5,
                increment_ms: 1,
                moves_to_go: Some(3)
            })
        );
        answer(&mut s, "position startpos moves e2e4");
        let clock = limits(&s, "wtime -5 btime 7 winc 1 binc 2").clock.unwrap();
        assert_eq!((clock.remaining_ms, clock.increment_ms), (7, 2));
        let clock = limits(&s, "wtime 1000").clock.unwrap();
        assert_eq!(clock.remaining_ms, 0);
        assert_eq!(limits(&s, "movestogo 4").clock, None);
        let moves = limits(&s, "searchmoves e7e5 e7e5 e2e4 x").searchmoves;
        assert_eq!(moves.len(), 1);
        assert!(written(&s.1).contains("illegal move: \"e2e4\""));
        let endless = limits(&s, "infinite wtime 1000 movetime 10");
        assert_eq!((endless.clock, endless.movetime), (None, None));
        assert_eq!(limits(&s, "movetime x").movetime, Some(TIME_WITHOUT_LIMITS));
        assert_eq!(limits(&s, "movetime x depth 3").movetime, None);
        assert_eq!(limits(&s, "frob").movetime, None);
        let clock = limits(&s, "btime 99999999999999999999").clock.unwrap();
        assert_eq!(clock.remaining_ms, MAX_MILLIS);
    }

    #[test]
    fn counts_move_paths() {
        let mut s = session();
        let text = answer(&mut s, "perft 3");
        assert!(text.contains("e2e4: 600\n") && text.contains("Nodes searched: 8902\n"));
        assert!(answer(&mut s, "go perft 1").contains("Nodes searched: 20\n"));
        assert!(answer(&mut s, "perft 0").contains("Nodes searched: 1\n"));
    }

    #[test]
    fn shows_the_position() {
        let mut s = session();
        answer(
            &mut s,
            "position fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3",
        );
        let text = answer(&mut s, "d");
        assert!(text.starts_with("8   r n b . k b n r\n"), "{text}");
        assert!(text.contains("Checkers: h4\n"), "{text}");
        assert!(
            answer(&mut s, "go depth 3").ends_with("info depth 0 score mate 0\nbestmove (none)\n")
        );
        assert!(answer(&mut s, "help").contains("Move Overhead"));
    }

    #[test]
    fn says_what_it_understood() {
        let mut s = session();
        answer(&mut s, "debug on");
        let text = answer(&mut s, "go depth 1 frob searchmoves e2e4");
        assert!(text.contains("understood: go depth 1 searchmoves e2e4\n"));
        assert!(text.contains("error: go: unknown word \"frob\""));
        assert!(text.contains("bestmove "), "{text}");
    }
}
