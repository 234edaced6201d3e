//! `quevedo train`: trains the network on games.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use clap::Args;

use super::kit::progress::{Progress, say};
use crate::train::{
    self, Completion, Counts, DataSet, Job, Settings, Start, Teacher, TrainError, TrainObserver,
};

/// Arguments of `quevedo train`.
#[derive(Debug, Args)]
pub struct TrainArgs {
    /// Files of games written by `datagen`, or folders of such files
    #[arg(required = true, value_name = "GAMES")]
    pub games: Vec<PathBuf>,
    /// The folder for the checkpoint, the network, and the table and chart of losses
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    /// Resume the run in the folder, with its settings and the same games
    #[arg(long, conflicts_with = "from")]
    pub resume: bool,
    /// Start with the weights of a checkpoint; its size is kept, and its K unless --scale is given
    #[arg(long, value_name = "CHECKPOINT")]
    pub from: Option<PathBuf>,
    /// Neurons of the hidden layer for each side: a multiple of 64
    #[arg(long, value_name = "N", default_value_t = Settings::default().hidden)]
    pub hidden: usize,
    /// Sets of input weights, selected by the square of the own king: 1, or 4 from about 100
    /// million positions used. With --from, a network with one set starts with four copies of it
    #[arg(long, value_name = "N", default_value_t = Settings::default().king_buckets)]
    pub king_buckets: usize,
    /// Sets of output weights, selected by the number of pieces: 1, or 8 from about 40 million
    /// positions used
    #[arg(long, value_name = "N", default_value_t = Settings::default().buckets)]
    pub buckets: usize,
    /// Positions in a step
    #[arg(long, value_name = "N", default_value_t = Settings::default().batch)]
    pub batch: usize,
    /// Positions visited between validations, each with a checkpoint
    #[arg(long, value_name = "N", default_value_t = Settings::default().superbatch)]
    pub superbatch: u64,
    /// The number of superbatches
    #[arg(long, value_name = "N", default_value_t = Settings::default().superbatches)]
    pub superbatches: u64,
    /// The learning rate after the warm-up
    #[arg(long, value_name = "R", default_value_t = Settings::default().rate)]
    pub rate: f64,
    /// The final learning rate; it falls along a cosine
    #[arg(long, value_name = "R", default_value_t = Settings::default().final_rate)]
    pub final_rate: f64,
    /// Steps in which the learning rate rises from 0
    #[arg(long, value_name = "N", default_value_t = Settings::default().warm_up)]
    pub warm_up: u64,
    /// The decay of weights in a step, times the learning rate
    #[arg(long, value_name = "D", default_value_t = Settings::default().decay)]
    pub decay: f64,
    /// The share of the game's result in the target, from 0 to 1; the rest is the search's score
    #[arg(long = "w", visible_alias = "w-end", value_name = "W", default_value_t = Settings::default().w_end)]
    pub w: f64,
    /// The share of the result at the start, from which it changes linearly to --w [default: the
    /// same]
    #[arg(long, value_name = "W")]
    pub w_start: Option<f64>,
    /// K: the score in centipawns of an expectation of 0.73 points; fitted to the results if not
    /// given
    #[arg(long, value_name = "K", default_value_t = 0, hide_default_value = true)]
    pub scale: u32,
    /// Train with parameters rounded as in the network file after this share of the run; 1 for
    /// never
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().round_from)]
    pub round_from: f64,
    /// The share of games held out for validation
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().validation)]
    pub validation: f64,
    /// Validate with these files or folders of games instead, which are not trained on. They are
    /// the same for every run, and forks of a game are never on both sides
    #[arg(long, value_name = "GAMES", num_args = 1.., conflicts_with = "validation")]
    pub validation_games: Vec<PathBuf>,
    /// Stop reading after this many training positions
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    pub max_positions: usize,
    /// Replace the score of a position by a mean of it and the following scores and the result,
    /// from 0 to 1: the weight of what follows. The mean has less noise than a single score
    #[arg(long, value_name = "L", default_value_t = 0.0, requires = "scale")]
    pub lambda: f64,
    /// Also learn the teacher's evaluation of this many positions around each position of the
    /// games; may be less than 1. With few games, a network trained on them alone misjudges
    /// positions that are not quiet
    #[arg(
        long,
        value_name = "SHARE",
        default_value_t = 0.0,
        hide_default_value = true
    )]
    pub distill: f64,
    /// The evaluation for --distill: hand-written, or a network file
    #[arg(long, value_name = "TEACHER", default_value_t, requires = "distill")]
    pub teacher: Teacher,
    /// The decay of the moving average of the weights, which is what is written; 0 for the weights
    /// of the last step
    #[arg(long, value_name = "DECAY", default_value_t = Settings::default().average)]
    pub average: f64,
    /// Let all king buckets share a set of weights to which each adds its own, which helps rare
    /// buckets
    #[arg(long)]
    pub factoriser: bool,
    /// The seed of the initial weights and the order of positions
    #[arg(long, value_name = "N", default_value_t = Settings::default().seed)]
    pub seed: u64,
    /// Threads [default: the threads of the machine]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

impl TrainArgs {
    fn settings(&self) -> Settings {
        Settings {
            hidden: self.hidden,
            king_buckets: self.king_buckets,
            buckets: self.buckets,
            batch: self.batch,
            superbatch: self.superbatch,
            superbatches: self.superbatches,
            rate: self.rate,
            final_rate: self.final_rate,
            warm_up: self.warm_up,
            decay: self.decay,
            w_start: self.w_start.unwrap_or(self.w),
            w_end: self.w,
            scale: self.scale,
            round_from: self.round_from,
            seed: self.seed,
            validation: if self.validation_games.is_empty() {
                self.validation
            } else {
                0.0
            },
            max_positions: self.max_positions,
            lambda: self.lambda,
            distill: self.distill,
            teacher: self.teacher.clone(),
            average: self.average,
            factoriser: self.factoriser,
        }
    }

    fn job(&self) -> Job {
        let start = match &self.from {
            Some(path) => Start::Weights(path.clone()),
            None if self.resume => Start::Resume,
            None => Start::Random,
        };
        Job {
            settings: self.settings(),
            start,
            out: self.out.clone(),
            threads: self
                .threads
                .map_or_else(super::kit::jobs::available_threads, usize::from),
        }
    }
}

/// Trains a network.
///
/// # Errors
/// Fails when the games cannot be read, a setting is invalid, or the results cannot be written.
pub fn run(args: &TrainArgs) -> Result<(), TrainError> {
    let job = args.job();
    let settings = job.settings()?;
    let stop = stop_on_signals()?;
    let mut voice = Voice::default();
    let start = Instant::now();
    let mut count = |path: &Path, counts: &Counts| {
        voice.message(&format!("{}: {counts}", path.display()));
    };
    let mut data = DataSet::read(&args.games, &settings, &mut count)?;
    data.read_validation(&args.validation_games, &settings, &mut count)?;
    let seconds = start.elapsed().as_secs_f64();
    voice.message(&format!("{}; read in {seconds:.1} s", data.counts));
    let outcome = train::run(&job, &data, &stop, &mut voice);
    let [network, checkpoint] = [train::NETWORK, train::CHECKPOINT].map(|name| args.out.join(name));
    voice.message(&match outcome? {
        Completion::Done => format!("done: the network is {}", network.display()),
        Completion::Stopped if checkpoint.exists() => {
            format!("stopped; --resume goes on from {}", checkpoint.display())
        }
        Completion::Stopped => "stopped before the first step".to_owned(),
    });
    Ok(())
}

/// Returns a flag that SIGINT and SIGTERM set.
fn stop_on_signals() -> Result<Arc<AtomicBool>, TrainError> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))
        .map_err(|error| TrainError::Setting(format!("signals cannot be handled: {error}")))?;
    Ok(stop)
}

/// Reports the progress of training.
#[derive(Default)]
struct Voice {
    /// Created at the first step, when the number of steps is known.
    progress: Option<Progress>,
}

impl TrainObserver for Voice {
    fn message(&mut self, line: &str) {
        match &self.progress {
            Some(progress) => progress.say(line),
            None => say(line),
        }
    }

    fn step(&mut self, now: &train::TrainProgress) {
        let message = format!(
            "step {} of {}: loss {:.5}, {:.0} positions/s",
            now.step, now.steps, now.loss, now.speed
        );
        self.progress
            .get_or_insert_with(|| Progress::new(Some(now.steps), now.step))
            .set(now.step, message);
    }
}
