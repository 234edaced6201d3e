//! A run: workers that analyse games, each with an engine and a thread of its own, since searches may not wait inside of a
//! work-stealing pool.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::analyst::Analyst;
use super::annotate::annotate;
use super::output::{Output, sign};
use super::{AnalyseArgs, AnalyseError, is_standard};
use crate::engine::{Control, Searcher};
use crate::pgn::{PgnGame, PgnReader, RawGame, to_pgn};
use crate::tablebase::Tablebases;
use crate::tools::ToolError;
use crate::tools::kit::jobs::available_threads;
use crate::tools::kit::jobs::run_on_threads;
use crate::tools::kit::progress::Progress;

/// Analyses until all games are done, or SIGINT or SIGTERM comes.
///
/// # Errors
/// When a file cannot be used, the engine fails, or the run is broken off. The games written until then are whole.
pub fn run(args: &AnalyseArgs) -> Result<(), AnalyseError> {
    let control = Arc::new(Control::default());
    let signalled = control.clone();
    ctrlc::set_handler(move || {
        if signalled.is_stopped(1) {
            // Asked twice: whoever asks does not want to wait. The file is whole all the same.
            std::process::exit(130);
        }
        signalled.stop(u64::MAX);
    })?;
    analyse(args, &control)
}

/// Analyses until all games are done, or the control says stop.
///
/// # Errors
/// As [`run`].
pub fn analyse(args: &AnalyseArgs, control: &Control) -> Result<(), AnalyseError> {
    let page = args.html.as_deref().unwrap_or(Path::new("-"));
    for (one, other) in [
        (&*args.input, &*args.out),
        (&*args.input, page),
        (&*args.out, page),
    ] {
        if is_same_file(one, other) {
            return Err(AnalyseError::SameFile(other.to_owned()));
        }
    }
    if is_standard(&args.input) {
        let input = BufReader::with_capacity(1 << 16, io::stdin());
        return analyse_stream(args, control, input, None);
    }
    let failed = |source| AnalyseError::io(&args.input, source);
    let file = File::open(&args.input).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    let input = BufReader::with_capacity(1 << 20, file);
    analyse_stream(args, control, input, Some(length))
}

/// Whether two paths lead to one file, be it there or not.
fn is_same_file(one: &Path, other: &Path) -> bool {
    if is_standard(one) || is_standard(other) {
        return false;
    }
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => one == other,
    }
}

fn analyse_stream<R: BufRead + Send>(
    args: &AnalyseArgs,
    control: &Control,
    input: R,
    length: Option<u64>,
) -> Result<(), AnalyseError> {
    // Engines first: what cannot be had should not have touched the output.
    let jobs = args.jobs.map_or_else(
        || (available_threads() / usize::from(args.search.threads)).max(1),
        usize::from,
    );
    let engines = (0..jobs)
        .map(|_| new_engine(args))
        .collect::<Result<Vec<_>, _>>()?;
    let mut source = PgnReader::new(input);
    for _ in 1..args.first {
        let skipped = source.next_game(&mut |_| {});
        if skipped
            .map_err(|source| AnalyseError::io(&args.input, source))?
            .is_none()
        {
            break;
        }
    }
    let output = Output::open(args, &mut source)?;
    // Of a part of the source it is not known how long it is.
    let total = length.filter(|_| args.games.is_none());
    let progress = Progress::new(total, source.offset());
    if output.cut > 0 {
        let path = args.out.display();
        progress.say(&format!(
            "{path}: a game of {} bytes had been broken off, it is done anew",
            output.cut
        ));
    }
    if output.before > 0 {
        let path = args.out.display();
        progress.say(&format!("{path}: goes on after {} games", output.before));
    }
    let run = Run {
        args,
        control,
        progress,
        done: Mutex::new(Done {
            bytes: source.offset(),
            games: 0,
            positions: 0,
        }),
        desk: Mutex::new(Desk {
            left: args.games.map(|games| games.saturating_sub(output.before)),
            source,
            output,
        }),
    };
    let outcome = run.work_on_all_threads(engines);
    let desk = run
        .desk
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let done = desk.output.close(args.html.as_deref())?;
    let told = run.done.into_inner();
    let told = told.unwrap_or_else(PoisonError::into_inner).message();
    run.progress.say(&told);
    outcome?;
    if control.is_stopped(1) {
        let advice = args.advice();
        return Err(AnalyseError::BrokenOff { done, advice });
    }
    Ok(())
}

fn new_engine(args: &AnalyseArgs) -> Result<Searcher, AnalyseError> {
    let mut engine = Searcher::new(args.search.hash).map_err(ToolError::Memory)?;
    let threads = usize::from(args.search.threads);
    engine.set_threads(threads).map_err(ToolError::Memory)?;
    if let Some(path) = &args.search.syzygy {
        // Tables that were asked for and are not there would spoil a long run.
        if let (None, message) = Tablebases::load(path) {
            return Err(AnalyseError::Tablebases(message));
        }
        engine.set_syzygy_path(path);
    }
    Ok(engine)
}

/// What all workers share.
struct Run<'a, R> {
    args: &'a AnalyseArgs,
    control: &'a Control,
    progress: Progress,
    done: Mutex<Done>,
    desk: Mutex<Desk<R>>,
}

/// How far a run has got.
struct Done {
    /// Where it is in the source, as far as that is analysed.
    bytes: u64,
    games: u64,
    positions: u64,
}

impl Done {
    fn message(&self) -> String {
        format!(
            "{} games, {} positions analysed",
            self.games, self.positions
        )
    }
}

/// Where games are given out and handed in.
struct Desk<R> {
    source: PgnReader<R>,
    output: Output,
    /// Games that may still be given out.
    left: Option<u64>,
}

impl<R: BufRead + Send> Run<'_, R> {
    fn work_on_all_threads(&self, engines: Vec<Searcher>) -> Result<(), AnalyseError> {
        let job = |engine: Searcher| {
            move || {
                let outcome = self.work(engine);
                if outcome.is_err() {
                    self.control.stop(u64::MAX);
                }
                outcome
            }
        };
        run_on_threads("analyse", engines.into_iter().map(job))
    }

    /// Analyses games until there are no more, or it is told to stop.
    fn work(&self, engine: Searcher) -> Result<(), AnalyseError> {
        let mut analyst = Analyst::new(engine, self.args.search.limits(), self.control);
        while let Some((mut game, raw)) = self.next_game()? {
            if !self.examine(&mut analyst, &mut game, &raw)? {
                break;
            }
            self.desk().output.add(game.number, to_pgn(&game))?;
            self.advance(|done| done.games += 1);
        }
        Ok(())
    }

    /// Analyses a game; says whether it came to the end.
    fn examine(
        &self,
        analyst: &mut Analyst<'_>,
        game: &mut PgnGame,
        raw: &RawGame,
    ) -> Result<bool, AnalyseError> {
        let suffix = match game.verbatim {
            Some(_) => "; the game is passed on unchanged",
            None => "",
        };
        for fault in &game.faults {
            let (number, line) = (game.number, raw.line);
            self.progress
                .say(&format!("game {number} (line {line}): {fault}{suffix}"));
        }
        if game.verbatim.is_some() {
            return Ok(true);
        }
        let positions = game.positions();
        let worth = raw.text.len() as u64 / positions.len() as u64;
        let findings = analyst
            .examine(&positions, &|| {
                self.advance(|done| {
                    done.positions += 1;
                    done.bytes += worth;
                });
            })
            .map_err(|message| AnalyseError::Search {
                number: game.number,
                message: message.to_string(),
            })?;
        let Some(findings) = findings else {
            return Ok(false);
        };
        annotate(game, &positions, &findings, &self.args.style);
        sign(&mut game.tags, &self.args.annotator());
        Ok(true)
    }

    fn next_game(&self) -> Result<Option<(PgnGame, RawGame)>, AnalyseError> {
        let mut desk = self.desk();
        if self.control.is_stopped(1) || desk.left == Some(0) {
            return Ok(None);
        }
        desk.left = desk.left.map(|left| left - 1);
        desk.source
            .next_game(&mut |complaint| self.progress.say(complaint))
            .map_err(|source| AnalyseError::io(&self.args.input, source))
    }

    fn advance(&self, step: impl FnOnce(&mut Done)) {
        let mut done = self.done.lock().unwrap_or_else(PoisonError::into_inner);
        step(&mut done);
        self.progress.set(done.bytes, done.message());
    }

    fn desk(&self) -> MutexGuard<'_, Desk<R>> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
