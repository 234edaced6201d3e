//! Execution of the commands, on the thread that owns the engine.

use std::borrow::Cow;
use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use super::command::{Command, GoCommand};
use super::display;
use super::limits::{is_bounded, limits};
use super::output::UciOutput;
use super::report::UciReport;
use super::router::{CommandRouter, Ending, Job};
use crate::engine::bench;
use crate::engine::explain::explain;
use crate::engine::genfens::GenFens;
use crate::engine::options::set as set_option;
use crate::engine::{FrontEnd, GameState, Go, Searcher, panic_message, perft, shorten};
use crate::position::notation;

/// The engine and the state of the protocol.
#[derive(Debug)]
pub struct Session {
    searcher: Searcher,
    game: GameState,
    settings: ProtocolOptions,
    output: Arc<UciOutput>,
    router: Arc<CommandRouter>,
    debug: bool,
    /// The end of the last work.
    work_ended: Option<Instant>,
}

/// The options that concern the protocol.
#[derive(Debug)]
struct ProtocolOptions {
    chess960: bool,
    show_wdl: bool,
    minimal: bool,
    output: Arc<UciOutput>,
}

impl FrontEnd for ProtocolOptions {
    fn set_chess960(&mut self, chess960: bool) {
        self.chess960 = chess960;
    }

    fn set_show_wdl(&mut self, show: bool) {
        self.show_wdl = show;
    }

    fn set_minimal(&mut self, minimal: bool) {
        self.minimal = minimal;
    }

    fn set_log(&mut self, path: &Path) -> io::Result<()> {
        self.output.set_log(path)
    }
}

impl Session {
    /// Creates a session at the initial position.
    pub fn new(searcher: Searcher, router: Arc<CommandRouter>, output: Arc<UciOutput>) -> Session {
        Session {
            searcher,
            game: GameState::default(),
            settings: ProtocolOptions {
                chess960: false,
                show_wdl: false,
                minimal: false,
                output: output.clone(),
            },
            output,
            router,
            debug: false,
            work_ended: None,
        }
    }

    /// Executes the next job of the queue. Breaks on `quit` or if the output is closed.
    pub fn handle(&mut self, job: Job) -> ControlFlow<()> {
        if matches!(job, Job::Command(Command::Quit)) {
            return ControlFlow::Break(());
        }
        let mut is_work = false;
        if let Job::Work {
            number, command, ..
        } = &job
        {
            is_work = true;
            let ending = match command {
                Command::Go(go) if !is_bounded(go) => Ending::Stop,
                Command::Go(go) if go.ponder && go.perft.is_none() => Ending::LimitsAfterPonderHit,
                _ => Ending::Limits,
            };
            for _ in 0..self.router.begin_work(*number, ending) {
                self.output.line("readyok");
            }
        }
        // A bug in one command is no reason to lose the game.
        if let Err(payload) = catch_unwind(AssertUnwindSafe(|| self.dispatch(job))) {
            self.output.error(panic_message(&*payload));
        }
        if is_work {
            self.router.end_work();
            self.work_ended = Some(Instant::now());
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
            } => {
                // Work that waited for other work has all of its time.
                let ended = self.work_ended.unwrap_or(received);
                self.work(number, received.max(ended), command);
            }
            Job::Refused(error) => self.output.error(error),
            Job::TooLong => self.output.error("line too long, ignored"),
        }
    }

    fn command(&mut self, command: Command) {
        match command {
            Command::Uci => self.output.line(display::identification()),
            Command::Debug(on) => self.debug = on,
            Command::IsReady => {
                self.searcher.prepare();
                self.output.line("readyok");
            }
            Command::SetOption { name, value } => {
                let front_end = &mut self.settings;
                match set_option(&mut self.searcher, front_end, &name, value.as_deref()) {
                    Ok(Some(note)) => self.output.info(note),
                    Ok(None) => {}
                    Err(error) => self.output.error(error),
                }
            }
            Command::Register => self.output.info("no registration needed"),
            Command::NewGame => self.searcher.new_game(),
            Command::Position { fen, moves } => self.set_position(fen.as_deref(), &moves),
            Command::Display => self.output.line(display::diagram(&self.game.position)),
            Command::Eval => self.evaluate(),
            Command::Help => self.output.line(display::help()),
            // The router handles these, or they are work.
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
        let router = self.router.clone();
        let control = router.control();
        let go = Go {
            control,
            number,
            received,
        };
        match command {
            Command::Go(command) => match command.perft {
                Some(depth) => {
                    self.report_problems(&command);
                    self.perft(depth, number);
                }
                None => self.go(&command, go),
            },
            Command::Perft(depth) => self.perft(depth, number),
            Command::Bench(depth) => self.bench(depth, number),
            Command::GenFens(request) => self.generate_openings(&request, go),
            _ => {}
        }
    }

    fn set_position(&mut self, fen: Option<&str>, moves: &[String]) {
        let moves = moves.iter().map(String::as_str);
        let fen = fen.map(without_operations);
        let fen = fen.as_deref();
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
                    "position refused, keeping the previous one: {source}: {error}"
                ));
            }
        }
    }

    fn report_problems(&self, go: &GoCommand) {
        for problem in go.problems.messages() {
            self.output.error(problem);
        }
        if self.debug {
            self.output.info(format_args!("parsed: {go}"));
        }
    }

    fn go(&mut self, command: &GoCommand, go: Go<'_>) {
        self.report_problems(command);
        let mut warn = |text| self.output.error(text);
        let limits = limits(command, &self.game.position, &mut warn);
        let report = UciReport::new(&self.output, self.settings.show_wdl, go.received);
        let report = match self.settings.minimal {
            true => report.minimal(),
            false => report,
        };
        let analysis = self.searcher.search(&self.game, &limits, go, &report);
        report.finish();
        self.router.end_work();
        self.output
            .line(display::best_move(&self.game.position, &analysis));
    }

    fn evaluate(&self) {
        let text = explain(self.searcher.network(), &self.game.position, false);
        self.output.line(text.trim_end());
    }

    /// Runs the benchmark with a searcher of its own, so that the game is not disturbed, but with
    /// the same network.
    fn bench(&self, depth: Option<u32>, number: u64) {
        let depth = depth.unwrap_or(bench::DEFAULT_DEPTH);
        let mut report = |position: &_| {
            self.output.line(position);
            Ok(())
        };
        let result = Searcher::new(bench::DEFAULT_HASH).and_then(|mut searcher| {
            searcher.set_network(self.searcher.network().cloned());
            bench::run(
                &mut searcher,
                depth,
                self.router.control(),
                number,
                &mut report,
            )
        });
        match result {
            Ok(None) => self.output.info("bench stopped"),
            Ok(Some(total)) => self.output.line(total),
            Err(error) => self.output.error(error),
        }
    }

    /// Generates openings with a searcher of its own, so that the game is not disturbed, but with
    /// the same network.
    fn generate_openings(&self, request: &GenFens, go: Go<'_>) {
        let network = self.searcher.network().cloned();
        let mut report = |fen: &str| self.output.info(format_args!("genfens {fen}"));
        if let Err(error) = request.run(network, go, &mut report) {
            self.output.error(error);
        }
    }

    fn perft(&self, depth: u32, number: u64) {
        let position = &self.game.position;
        let is_stopped = || self.router.control().is_stopped(number);
        let Some(counts) = perft::divide_until(position, depth, 1, &is_stopped) else {
            self.output.info("perft stopped");
            return;
        };
        for &(m, count) in &counts {
            self.output
                .line(format_args!("{}: {count}", notation::uci(position, m)));
        }
        let total = perft::total(&counts, depth);
        self.router.end_work();
        self.output
            .line(format_args!("\nNodes searched: {total}\n"));
    }
}

/// Returns the FEN of a line of EPD. Counters that are signs, as some programs write them, are left
/// out, too; any other text stays as it is.
fn without_operations(text: &str) -> Cow<'_, str> {
    let is_counter = |word: &str| word == "-" || word.parse::<i64>().is_ok();
    if text.contains(';') || text.split_whitespace().skip(4).all(is_counter) {
        Cow::Owned(notation::fen_of_line(text))
    } else {
        Cow::Borrowed(text)
    }
}

#[cfg(test)]
mod tests;
