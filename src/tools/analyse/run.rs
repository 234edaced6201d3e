//! Runs the analysis: several workers, each with its own engine and thread.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::analyst::{Analyst, Observer};
use super::annotate::annotate;
use super::output::{Output, sign};
use super::{AnalyseArgs, AnalyseError, fens, is_standard};
use crate::pgn::{PgnGame, PgnReader, RawGame, to_pgn};
use crate::position::Move;
use crate::tools::kit::args::{EngineSpec, LimitArgs};
use crate::tools::kit::engines::{Failure, Setup};
use crate::tools::kit::interrupt::Interrupt;
use crate::tools::kit::jobs::{job_count, run_on_threads};
use crate::tools::kit::progress::{Progress, count};

/// Analyses all games, or as many as are done when SIGINT or SIGTERM comes.
///
/// # Errors
/// Fails when a file or the engine cannot be used, or the run is interrupted. The games written
/// until then are complete.
pub fn run(args: &AnalyseArgs, out: &mut dyn Write) -> Result<(), AnalyseError> {
    let interrupt = Interrupt::on_signal()?;
    if args.fens {
        return fens::run(args, &interrupt, out);
    }
    analyse(args, &interrupt)
}

fn analyse(args: &AnalyseArgs, interrupt: &Interrupt) -> Result<(), AnalyseError> {
    let files = [
        Some(&args.input),
        Some(&args.out),
        args.html.as_ref(),
        args.csv.as_ref(),
    ];
    let files: Vec<&PathBuf> = files.into_iter().flatten().collect();
    for (number, file) in files.iter().enumerate() {
        if files
            .iter()
            .take(number)
            .any(|other| is_same_file(other, file))
        {
            return Err(AnalyseError::SameFile((*file).clone()));
        }
    }
    if is_standard(&args.input) {
        let input = BufReader::with_capacity(1 << 16, io::stdin());
        return analyse_stream(args, interrupt, input, None);
    }
    let failed = |source| AnalyseError::io(&args.input, source);
    let file = File::open(&args.input).map_err(failed)?;
    let length = file.metadata().map_err(failed)?.len();
    let input = BufReader::with_capacity(1 << 20, file);
    analyse_stream(args, interrupt, input, Some(length))
}

/// Returns whether two paths lead to the same file, which need not exist.
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
    interrupt: &Interrupt,
    input: R,
    length: Option<u64>,
) -> Result<(), AnalyseError> {
    // Check the engine first, so that a failure leaves the output untouched.
    let (spec, limits) = (args.engine_spec()?, args.limits());
    let analysts = analysts(args, &spec, &limits, interrupt)?;
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
    // The total is unknown when only some games are analysed.
    let total = length.filter(|_| args.games.is_none());
    let progress = Progress::new(total, source.offset());
    let path = args.out.display();
    if output.cut > 0 {
        progress.say(&format!(
            "{path}: analyses an incomplete game of {} bytes again",
            output.cut
        ));
    }
    if output.before > 0 {
        let games = count(output.before, "game");
        progress.say(&format!("{path}: resumes after {games}"));
    }
    let run = AnalysisRun {
        args,
        interrupt,
        progress,
        counts: Mutex::new(Counts {
            bytes: source.offset(),
            games: 0,
            positions: 0,
        }),
        queue: Mutex::new(GameQueue {
            left: args.games.map(|games| games.saturating_sub(output.before)),
            source,
            output,
        }),
    };
    let result = run.work_on_all_threads(analysts);
    let queue = run
        .queue
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    let done = queue.output.close(args)?;
    let counts = run
        .counts
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    run.progress.say(&counts.message());
    result?;
    if interrupt.is_set() {
        let advice = args.advice();
        let noun = "game";
        return Err(AnalyseError::Interrupted { done, noun, advice });
    }
    Ok(())
}

/// Returns an analyst for each job.
pub fn analysts<'a>(
    args: &'a AnalyseArgs,
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
    setup.check(spec).map_err(unusable)?;
    (0..job_count(args.jobs, args.resources.threads))
        .map(|_| setup.engine(spec).map(Analyst::new).map_err(unusable))
        .collect()
}

/// The state that all workers share.
struct AnalysisRun<'a, R> {
    args: &'a AnalyseArgs,
    interrupt: &'a Interrupt,
    progress: Progress,
    counts: Mutex<Counts>,
    queue: Mutex<GameQueue<R>>,
}

/// The work done so far.
struct Counts {
    /// The analysed part of the source.
    bytes: u64,
    games: u64,
    positions: u64,
}

impl Counts {
    fn message(&self) -> String {
        let (games, positions) = (count(self.games, "game"), count(self.positions, "position"));
        format!("{games}, {positions} analysed")
    }
}

/// The games to analyse and the games done.
struct GameQueue<R> {
    source: PgnReader<R>,
    output: Output,
    /// The number of games that may still be taken.
    left: Option<u64>,
}

/// Reports the analysis of one game to the user.
struct GameObserver<'a, 'b, R> {
    run: &'a AnalysisRun<'b, R>,
    game: u64,
    /// The bytes of the source for each position.
    bytes: u64,
}

impl<R: BufRead + Send> Observer for GameObserver<'_, '_, R> {
    fn position_done(&self) {
        self.run.advance(|counts| {
            counts.positions += 1;
            counts.bytes += self.bytes;
        });
    }

    fn message(&self, text: &str) {
        self.run
            .progress
            .say(&format!("game {}, {text}", self.game));
    }
}

impl<R: BufRead + Send> AnalysisRun<'_, R> {
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
        while let Some((mut game, raw)) = self.next_game()? {
            match self.analyse_game(&mut analyst, &mut game, &raw) {
                Ok(()) => {}
                Err(Failure::Interrupted) => break,
                Err(Failure::Fault(reason)) => {
                    let number = game.number;
                    return Err(AnalyseError::Search { number, reason });
                }
            }
            self.queue().output.add(game.number, to_pgn(&game))?;
            self.advance(|counts| counts.games += 1);
        }
        Ok(())
    }

    fn analyse_game(
        &self,
        analyst: &mut Analyst<'_>,
        game: &mut PgnGame,
        raw: &RawGame,
    ) -> Result<(), Failure> {
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
            return Ok(());
        }
        let moves: Vec<Move> = game.main_line.moves.iter().map(|ply| ply.m).collect();
        let observer = GameObserver {
            run: self,
            game: game.number,
            bytes: raw.text.len() as u64 / (moves.len() as u64 + 1),
        };
        let assessments = analyst.analyse_game(&game.start, &moves, &observer)?;
        annotate(game, &assessments, &self.args.style);
        sign(&mut game.tags, &self.args.annotator());
        Ok(())
    }

    fn next_game(&self) -> Result<Option<(PgnGame, RawGame)>, AnalyseError> {
        let mut queue = self.queue();
        if self.interrupt.is_set() || queue.left == Some(0) {
            return Ok(None);
        }
        queue.left = queue.left.map(|left| left - 1);
        queue
            .source
            .next_game(&mut |message| self.progress.say(message))
            .map_err(|source| AnalyseError::io(&self.args.input, source))
    }

    fn advance(&self, step: impl FnOnce(&mut Counts)) {
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
        step(&mut counts);
        self.progress.set(counts.bytes, counts.message());
    }

    fn queue(&self) -> MutexGuard<'_, GameQueue<R>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
