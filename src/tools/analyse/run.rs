//! Runs the analysis: several workers, each with its own engine and thread.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::{Mutex, MutexGuard};

use super::analyst::{Analyst, Assessment, Observer};
use super::annotate::annotate;
use super::journal::Journal;
use super::output::{self, PgnOutput, is_signed, sign};
use super::selection::{GameSelection, SelectedGame};
use super::{AnalyseError, AnalysisArgs, fens};
use crate::pgn::{PgnGame, RawGame};
use crate::plural::count;
use crate::position::{Move, Position};
use crate::tools::Exit;
use crate::tools::kit::args::{EngineSpec, LimitArgs};
use crate::tools::kit::engines::{EngineFailure, Setup};
use crate::tools::kit::files::{self, is_stream};
use crate::tools::kit::interrupt::Interrupt;
use crate::tools::kit::jobs::{job_count, run_on_threads};
use crate::tools::kit::progress::Progress;

/// Analyses all games, or as many as are done when a signal comes.
///
/// # Errors
/// Fails when a file or the engine cannot be used, or the run is interrupted. The games written
/// until then are complete.
pub fn run(args: &AnalysisArgs, out: &mut dyn Write) -> Result<Exit, AnalyseError> {
    let input = args.input.as_deref().ok_or(AnalyseError::NoFile)?;
    let outputs = args.outputs();
    let outputs: Vec<&Path> = outputs.iter().map(PathBuf::as_path).collect();
    files::check(&[input], &outputs)?;
    if args.fens {
        return fens::run(args, out);
    }
    analyse(args)
}

fn analyse(args: &AnalysisArgs) -> Result<Exit, AnalyseError> {
    // Open the source and check the engine first, so that a failure leaves the output untouched.
    let mut source = GameSelection::open(args)?;
    // A signal that comes before the first game has been read ends the process.
    source
        .peek()
        .map_err(|source| AnalyseError::io(args.input(), source))?;
    let interrupt = &*Interrupt::on_signal()?;
    let (spec, limits) = (args.engine_spec()?, args.limits());
    let analysts = analysts(args, &spec, &limits, interrupt)?;
    let output = PgnOutput::open(args, &mut source)?;
    // The total is unknown when only some games are analysed.
    let total = source.length.filter(|_| args.games.is_none());
    let progress = Progress::new(total, source.offset());
    let path = args.out().display();
    if output.cut > 0 {
        progress.say(&format!(
            "{path}: analyses an incomplete game of {} bytes again",
            output.cut
        ));
    }
    if output.faults > 0 {
        progress.say(&format!(
            "{path}: {} in the games that are done: text that could not be read, or moves without an evaluation",
            count(output.faults, "fault")
        ));
    }
    let journal = open_journal(args, &mut source)?;
    if output.before + journal.positions() > 0 {
        let games = count(output.before, "game");
        let more = match journal.positions() {
            0 => String::new(),
            positions => format!(" and {}", count(positions, "position")),
        };
        progress.say(&format!("{path}: resumes after {games}{more}"));
    }
    // They are part of the offset.
    source.take_skipped();
    let run = AnalysisRun {
        args,
        interrupt,
        progress,
        journal,
        counts: Mutex::new(Counts {
            bytes: source.offset(),
            games: 0,
            positions: 0,
            faults: output.faults,
        }),
        queue: Mutex::new(GameQueue {
            taken: output.before,
            source,
            output,
        }),
    };
    let result = run.work_on_all_threads(analysts);
    let queue = run.queue.into_inner();
    let done = queue.output.close(args)?;
    let counts = run.counts.into_inner();
    run.progress.say(&counts.message());
    result?;
    if interrupt.is_set() {
        let advice = args.advice();
        let noun = "game";
        return Err(AnalyseError::Interrupted { done, noun, advice });
    }
    let finished = run.journal.finish();
    finished.map_err(|source| AnalyseError::io(args.out(), source))?;
    match counts.faults {
        0 => Ok(Exit::Done),
        _ if done == 0 => Err(AnalyseError::NotGames(args.input().to_owned())),
        _ => Ok(Exit::Incomplete),
    }
}

/// Opens the journal of the games that are not written yet. There is none for streams.
fn open_journal(args: &AnalysisArgs, source: &mut GameSelection) -> Result<Journal, AnalyseError> {
    if is_stream(args.out()) {
        return Ok(Journal::default());
    }
    let next = source
        .peek()
        .map_err(|source| AnalyseError::io(args.input(), source))?;
    let first = next.map_or(u64::MAX, |(game, _)| game.number);
    if args.overwrite {
        let discarded = Journal::discard(args.out());
        discarded.map_err(|source| AnalyseError::io(args.out(), source))?;
    }
    Journal::open(args.out(), &args.annotator(), first)
}

/// Returns an analyst for each job.
pub fn analysts<'a>(
    args: &'a AnalysisArgs,
    spec: &'a EngineSpec,
    limits: &'a LimitArgs,
    interrupt: &'a Interrupt,
) -> Result<Vec<Analyst<'a>>, AnalyseError> {
    let setup = Setup {
        limits,
        resources: &args.resources,
        timeout: args.timeout,
        interrupt,
    };
    let unusable = |reason| AnalyseError::Engine {
        command: spec.to_string(),
        reason,
    };
    let jobs = job_count(args.jobs, args.resources.threads);
    setup.check(spec, jobs).map_err(unusable)?;
    (0..jobs)
        .map(|_| setup.engine(spec).map(Analyst::new).map_err(unusable))
        .collect()
}

/// The state that all workers share.
struct AnalysisRun<'a> {
    args: &'a AnalysisArgs,
    interrupt: &'a Interrupt,
    progress: Progress,
    journal: Journal,
    counts: Mutex<Counts>,
    queue: Mutex<GameQueue>,
}

/// The work done so far.
struct Counts {
    /// The analysed part of the source.
    bytes: u64,
    games: u64,
    positions: u64,
    /// Text and parts of games that could not be read, and failures of the engine.
    faults: u64,
}

impl Counts {
    fn message(&self) -> String {
        let (games, positions) = (count(self.games, "game"), count(self.positions, "position"));
        format!("{games}, {positions} analysed")
    }
}

/// The games to analyse and the games done.
struct GameQueue {
    source: GameSelection,
    output: PgnOutput,
    /// The games taken so far, with those of an earlier run.
    taken: u64,
}

/// Reports the analysis of one game to the user.
struct GameObserver<'a, 'b> {
    run: &'a AnalysisRun<'b>,
    game: u64,
    /// The bytes of the source for each position.
    bytes: u64,
    /// True when something was wrong with the search of the current position.
    is_faulty: AtomicBool,
    /// True when the search of the current position was answered.
    is_answered: AtomicBool,
}

impl Observer for GameObserver<'_, '_> {
    fn known(&self, ply: usize, position: &Position) -> Option<Assessment> {
        self.run.journal.find(self.game, ply, position)
    }

    fn redoes_unfinished(&self) -> bool {
        self.run.args.redo_unfinished
    }

    fn searched(&self, ply: usize, position: &Position, assessment: &Assessment) {
        self.is_answered.store(true, Ordering::Relaxed);
        // The journal has no place for faults.
        if !self.is_faulty.load(Ordering::Relaxed) {
            self.run.journal.add(self.game, ply, position, assessment);
        }
    }

    fn position_done(&self) {
        let is_faulty = self.is_faulty.swap(false, Ordering::Relaxed);
        let is_answered = self.is_answered.swap(false, Ordering::Relaxed);
        self.run.advance(|counts| {
            counts.positions += u64::from(is_answered || !is_faulty);
            counts.bytes += self.bytes;
        });
    }

    fn fault(&self, text: &str) {
        self.is_faulty.store(true, Ordering::Relaxed);
        self.run.advance(|counts| counts.faults += 1);
        self.message(text);
    }

    fn message(&self, text: &str) {
        self.run
            .progress
            .say(&format!("game {}, {text}", self.game));
    }
}

impl AnalysisRun<'_> {
    fn work_on_all_threads(&self, analysts: Vec<Analyst<'_>>) -> Result<(), AnalyseError> {
        let job = |analyst| {
            move || {
                let result = self.work(analyst);
                if result.is_err() {
                    self.interrupt.set();
                }
                result
            }
        };
        run_on_threads("analyse", analysts.into_iter().map(job))
    }

    /// Analyses games until there are no more, or the run is interrupted.
    fn work(&self, mut analyst: Analyst<'_>) -> Result<(), AnalyseError> {
        while let Some((index, selected)) = self.next_game()? {
            let SelectedGame {
                mut game,
                raw,
                place,
            } = selected;
            match self.analyse_game(&mut analyst, &mut game, &raw) {
                Ok(()) => {}
                Err(EngineFailure::Interrupted) => break,
                Err(EngineFailure::Fault(reason)) => {
                    let number = game.number;
                    return Err(AnalyseError::Search { number, reason });
                }
            }
            let text = output::text(&game, place);
            self.queue().output.add(index, text)?;
            self.advance(|counts| counts.games += 1);
        }
        Ok(())
    }

    fn analyse_game(
        &self,
        analyst: &mut Analyst<'_>,
        game: &mut PgnGame,
        raw: &RawGame,
    ) -> Result<(), EngineFailure> {
        let suffix = match game.verbatim {
            Some(_) => "; the game is passed on unchanged",
            None => "",
        };
        for fault in &game.faults {
            let (number, line) = (game.number, raw.line);
            self.advance(|counts| counts.faults += 1);
            self.progress
                .say(&format!("game {number} (line {line}): {fault}{suffix}"));
        }
        if game.verbatim.is_some() {
            return Ok(());
        }
        let moves: Vec<Move> = game.main_line.moves.iter().map(|ply| ply.m).collect();
        let observer = GameObserver {
            run: self,
            game: game.number,
            bytes: raw.text.len() as u64 / (moves.len() as u64 + 1),
            is_faulty: AtomicBool::new(false),
            is_answered: AtomicBool::new(false),
        };
        let assessments = analyst.analyse_game(&game.start, &moves, &observer)?;
        let annotator = self.args.annotator();
        let is_repeated = is_signed(&game.tags, &annotator);
        annotate(game, &assessments, &self.args.style, is_repeated);
        sign(&mut game.tags, &annotator);
        Ok(())
    }

    /// Returns the next game with its index in the output.
    fn next_game(&self) -> Result<Option<(u64, SelectedGame)>, AnalyseError> {
        let mut queue = self.queue();
        if self.interrupt.is_set() {
            return Ok(None);
        }
        let mut complain = |message: &str| {
            self.advance(|counts| counts.faults += 1);
            let path = self.args.input().display();
            self.progress.say(&format!("{path}: {message}"));
        };
        let next = queue
            .source
            .next_game(&mut complain)
            .map_err(|source| AnalyseError::io(self.args.input(), source))?;
        let skipped = queue.source.take_skipped();
        if skipped > 0 {
            self.advance(|counts| counts.bytes += skipped);
        }
        let index = queue.taken;
        queue.taken += u64::from(next.is_some());
        Ok(next.map(|selected| (index, selected)))
    }

    fn advance(&self, step: impl FnOnce(&mut Counts)) {
        let mut counts = self.counts.lock();
        step(&mut counts);
        self.progress.set(counts.bytes, counts.message());
    }

    fn queue(&self) -> MutexGuard<'_, GameQueue> {
        self.queue.lock()
    }
}
