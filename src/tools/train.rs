//! `quevedo train`: trains the network on games.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::Args;

use super::kit::ToolError;
use super::kit::args::file_path;
use super::kit::files::open_locked;
use super::kit::interrupt::Interrupt;
use super::kit::jobs::available_threads;
use super::kit::progress::{Progress, say};
use crate::tools::Exit;
use crate::train::{
    self, Completion, DataCounts, DataSet, MeanPart, Settings, Start, TrainError, TrainJob,
    TrainObserver,
};

/// Arguments of `quevedo train`.
#[derive(Debug, Args)]
pub struct TrainArgs {
    /// Files of games written by `datagen`, or folders of such files
    #[arg(required = true, value_name = "GAMES")]
    pub games: Vec<PathBuf>,
    /// The folder for the checkpoint, the network, and the table and chart of losses
    #[arg(long, value_name = "DIR", value_parser = file_path())]
    pub out: PathBuf,
    /// Resume the run in the folder, with its settings and the same games
    #[arg(long, conflicts_with_all = ["from", "Settings", "w_start"])]
    pub resume: bool,
    /// Start with the weights of a checkpoint, and the outputs multiplied to suit the targets; its
    /// size is kept, and its K unless --scale is given
    #[arg(long, value_name = "CHECKPOINT")]
    pub from: Option<PathBuf>,
    /// Start with the weighted mean of --from, which has weight 1, and of another checkpoint with a
    /// network of its size. Can be repeated. With --superbatches 0 the mean is only written
    #[arg(long, value_name = "CHECKPOINT=WEIGHT", requires = "from")]
    pub mix: Vec<MeanPart>,
    #[command(flatten)]
    settings: Settings,
    /// The share of the result at the start, from which it changes linearly to --w [default: the
    /// same]
    #[arg(long, value_name = "W")]
    pub w_start: Option<f64>,
    /// Validate with these files or folders of games instead, which are not trained on. They are
    /// the same for every run, and forks of a game are never on both sides
    #[arg(long, value_name = "GAMES", num_args = 1.., conflicts_with = "validation")]
    pub validation_games: Vec<PathBuf>,
    /// Threads; their number changes the last digits of the weights [default: the threads of the
    /// machine]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

impl TrainArgs {
    fn settings(&self) -> Settings {
        let mut settings = self.settings.clone();
        settings.w_start = self.w_start.unwrap_or(settings.w_end);
        if !self.validation_games.is_empty() {
            settings.validation = 0.0;
        }
        settings
    }

    fn job(&self) -> TrainJob {
        let start = match &self.from {
            Some(path) => {
                let first = MeanPart::only(path.clone());
                Start::Weights([&[first], &self.mix[..]].concat())
            }
            None if self.resume => Start::Resume,
            None => Start::Random,
        };
        TrainJob {
            settings: self.settings(),
            start,
            out: self.out.clone(),
            threads: self.threads.map_or_else(available_threads, usize::from),
        }
    }
}

/// Trains a network, until it is done or a signal stops it.
///
/// # Errors
/// Fails when the games cannot be read, a setting is invalid, or the results cannot be written.
pub fn run(args: &TrainArgs) -> Result<Exit, TrainError> {
    let job = args.job();
    let settings = job.settings()?;
    job.check_folder()?;
    let mut reporter = TrainReporter::default();
    let start = Instant::now();
    let mut count = |path: &Path, counts: &DataCounts| {
        reporter.message(&format!("{}: {counts}", path.display()));
    };
    let data = DataSet::read(&args.games, &args.validation_games, &settings, &mut count)?;
    let seconds = start.elapsed().as_secs_f64();
    reporter.message(&format!("{}; read in {seconds:.1} s", data.counts));
    // Not before, because it creates the folder.
    let _lock = lock(&args.out)?;
    // A signal that comes before ends the process.
    let interrupt = Interrupt::on_signal()
        .map_err(|error| TrainError::Setting(format!("signals cannot be handled: {error}")))?;
    let outcome = train::run(&job, &data, interrupt.flag(), &mut reporter);
    let [network, checkpoint] = [train::NETWORK, train::CHECKPOINT].map(|name| args.out.join(name));
    let completion = outcome?;
    reporter.message(&match completion {
        Completion::Done => format!("done: the network is {}", network.display()),
        Completion::Stopped if checkpoint.exists() => {
            format!("stopped; --resume continues from {}", checkpoint.display())
        }
        Completion::Stopped => "stopped before the first step".to_owned(),
    });
    Ok(match completion {
        Completion::Done => Exit::Done,
        Completion::Stopped => Exit::Interrupted,
    })
}

/// Keeps other runs out of a folder until the file is closed. Without that, whichever ends last
/// would take the place of the other.
fn lock(folder: &Path) -> Result<File, TrainError> {
    let io = |source| TrainError::Io {
        path: folder.to_owned(),
        source,
    };
    fs::create_dir_all(folder).map_err(io)?;
    open_locked(&folder.join(".lock")).map_err(|error| match error {
        ToolError::InUse(_) => TrainError::InUse(folder.to_owned()),
        error => io(io::Error::other(error)),
    })
}

/// Reports the progress of training.
#[derive(Default)]
struct TrainReporter {
    /// Created at the first step, when the number of steps is known.
    progress: Option<Progress>,
}

impl TrainObserver for TrainReporter {
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
