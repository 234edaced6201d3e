//! A complete run: from data and settings to a network file.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::checkpoint::{Checkpoint, LossSum};
use super::data::DataSet;
use super::error::{TrainError, replace_file};
use super::log::{Log, LogRow};
use super::loss::{outputs, targets};
use super::mean::{MeanPart, read_mean};
use super::network::{Parameters, Shape};
use super::quantise::{Quantised, centred};
use super::sample::Sample;
use super::scale;
use super::settings::Settings;
use super::state::TrainState;
use super::trainer::Trainer;

/// The name of the checkpoint in the folder of a run.
pub const CHECKPOINT: &str = "checkpoint.qtc";
/// The name of the network file.
pub const NETWORK: &str = "network.nnue";
/// The name of the table of losses.
pub const LOSSES: &str = "loss.csv";
/// The name of the chart of losses.
pub const PICTURE: &str = "loss.svg";
/// The number of log rows in a superbatch.
const LINES: u64 = 20;

/// The number of positions on which rounding errors are measured.
const ROUNDING_SAMPLES: usize = 20_000;
/// The number of positions to which the size of the first outputs is fitted.
const FACTOR_SAMPLES: usize = 50_000;

/// The starting point of a run.
#[derive(Clone, PartialEq, Debug)]
pub enum Start {
    /// Random weights.
    Random,
    /// The mean of the weights of checkpoints, of which the first also determines the network's
    /// size.
    Weights(Vec<MeanPart>),
    /// The state and settings of the interrupted run in the same folder.
    Resume,
}

/// The description of a run.
#[derive(Clone, Debug)]
pub struct TrainJob {
    /// All settings but the number of threads.
    pub settings: Settings,
    /// The starting point.
    pub start: Start,
    /// The folder for checkpoint, network, table and chart.
    pub out: PathBuf,
    /// The number of threads that compute gradients.
    pub threads: usize,
}

impl TrainJob {
    /// Returns the settings of the run: those of the checkpoint if it resumes, and with what
    /// follows from the checkpoint if it starts with the weights of one.
    ///
    /// # Errors
    /// Fails when a setting is out of range or contradicts the checkpoint, when a checkpoint
    /// cannot be read, or when a new run would overwrite an existing one.
    pub fn settings(&self) -> Result<Settings, TrainError> {
        let path = self.out.join(CHECKPOINT);
        let settings = match &self.start {
            Start::Resume => Checkpoint::read(&path)?.settings,
            Start::Weights(parts) => self.settings.continuing(&read_mean(parts)?.settings)?,
            Start::Random => self.settings.clone(),
        };
        settings.check()?;
        if self.start != Start::Resume && path.exists() {
            return Err(TrainError::Exists(path));
        }
        Ok(settings)
    }

    /// Checks that files can be written to the folder of the run, or to the one that it will be
    /// created in.
    ///
    /// # Errors
    /// Fails when they cannot.
    pub fn check_folder(&self) -> Result<(), TrainError> {
        let existing = self.out.ancestors().find(|folder| folder.exists());
        let folder = existing.unwrap_or(Path::new("."));
        tempfile::tempfile_in(folder)
            .map(drop)
            .map_err(TrainError::io(&self.out))
    }
}

/// The progress of a run.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct TrainProgress {
    /// Steps done, including those before the run was resumed.
    pub step: u64,
    /// Steps in total.
    pub steps: u64,
    /// Training positions per second since the program started or resumed the run.
    pub speed: f64,
    /// The mean loss of the last step.
    pub loss: f64,
}

/// A receiver of messages about a run.
pub trait TrainObserver {
    /// Receives a message.
    fn message(&mut self, line: &str);
    /// Receives the progress after every step.
    fn step(&mut self, progress: &TrainProgress);
}

/// The end of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completion {
    /// All steps are done.
    Done,
    /// The run was stopped. It can be resumed if it had completed a step.
    Stopped,
}

/// Trains a network until all steps are done or `stop` is set. In both cases the folder then
/// contains a checkpoint, unless not even one step was done.
///
/// # Errors
/// Fails when a setting is out of range, when there are no training positions, when the folder
/// contains another run, when the training diverges, or when a file cannot be read or written.
pub fn run(
    job: &TrainJob,
    data: &DataSet,
    stop: &AtomicBool,
    observer: &mut dyn TrainObserver,
) -> Result<Completion, TrainError> {
    if data.training.is_empty() {
        return Err(TrainError::NoData(data.counts.to_string()));
    }
    let settings = job.settings()?;
    TrainingRun::begin(job, settings, data, observer)?.finish(stop, observer)
}

struct TrainingRun<'a> {
    trainer: Trainer,
    data: &'a DataSet,
    fingerprint: u64,
    out: &'a Path,
    log: Log,
    losses: LossSum,
}

impl<'a> TrainingRun<'a> {
    fn begin(
        job: &'a TrainJob,
        settings: Settings,
        data: &'a DataSet,
        observer: &mut dyn TrainObserver,
    ) -> Result<TrainingRun<'a>, TrainError> {
        fs::create_dir_all(&job.out).map_err(TrainError::io(&job.out))?;
        let fingerprint = data.fingerprint();
        let (mut checkpoint, log) = match &job.start {
            Start::Resume => resume(&job.out, fingerprint)?,
            Start::Random => {
                let network = random_network(&settings);
                (fresh(network, settings, fingerprint), Log::default())
            }
            Start::Weights(parts) => {
                let from = read_mean(parts)?;
                let (network, factor) = continued_network(&from, &settings, &data.training);
                let mut checkpoint = fresh(network, settings, fingerprint);
                checkpoint.settings.keep_values(&from.settings, factor);
                observer.message(&format!(
                    "outputs times {factor:.3}, which brings them nearest to the targets"
                ));
                (checkpoint, Log::default())
            }
        };
        if checkpoint.settings.scale == 0 {
            checkpoint.settings.scale = scale::fit(&data.training);
            let scale = checkpoint.settings.scale;
            observer.message(&format!("K = {scale} centipawns, fitted to the results"));
        }
        let settings = checkpoint.settings.to_text().trim_end().replace('\n', ", ");
        observer.message(&format!("{settings}, threads {}", job.threads));
        Ok(TrainingRun {
            trainer: Trainer::new(checkpoint.settings, checkpoint.state, job.threads)?,
            data,
            fingerprint,
            out: &job.out,
            log,
            losses: checkpoint.losses,
        })
    }

    fn finish(
        mut self,
        stop: &AtomicBool,
        observer: &mut dyn TrainObserver,
    ) -> Result<Completion, TrainError> {
        let settings = self.trainer.settings().clone();
        let per_superbatch = settings.superbatch_steps();
        let per_line = per_superbatch.div_ceil(LINES);
        let (start, first) = (Instant::now(), self.trainer.state().step);
        if settings.steps() == 0 && !self.data.validation.is_empty() {
            let loss = self.trainer.mean_loss(&self.data.validation);
            observer.message(&self.held_out(loss));
        }
        while self.trainer.state().step < settings.steps() {
            if stop.load(Ordering::Relaxed) {
                if self.trainer.state().step > first {
                    self.save()?;
                }
                return Ok(Completion::Stopped);
            }
            let loss = self
                .trainer
                .step(&self.data.training, &self.data.training_siblings);
            let step = self.trainer.state().step;
            if !loss.is_finite() {
                return Err(TrainError::Diverged(step));
            }
            self.losses.sum += loss;
            self.losses.steps += 1;
            let visits = (step - first) * settings.batch as u64;
            observer.step(&TrainProgress {
                step,
                steps: settings.steps(),
                speed: visits as f64 / start.elapsed().as_secs_f64().max(1e-9),
                loss,
            });
            let is_end = step.is_multiple_of(per_superbatch);
            if is_end || (step % per_superbatch).is_multiple_of(per_line) {
                self.add_line(is_end);
            }
            if is_end {
                self.save()?;
                observer.message(&self.summary()?);
            }
        }
        self.save()?;
        Ok(Completion::Done)
    }

    fn add_line(&mut self, validates: bool) {
        let settings = self.trainer.settings();
        let step = self.trainer.state().step;
        let can_validate = validates && !self.data.validation.is_empty();
        self.log.rows.push(LogRow {
            step,
            visits: step * settings.batch as u64,
            rate: settings.rate_at(step - 1),
            result_share: settings.result_share_at(step - 1),
            training: self.losses.sum / self.losses.steps.max(1) as f64,
            validation: can_validate.then(|| self.trainer.mean_loss(&self.data.validation)),
        });
        self.losses = LossSum::default();
    }

    fn summary(&self) -> Result<String, TrainError> {
        let settings = self.trainer.settings();
        let superbatch = self.trainer.state().step / settings.superbatch_steps();
        let Some(row) = self.log.rows.last() else {
            return Ok(String::new());
        };
        let validation = row
            .validation
            .map_or(String::new(), |loss| format!(", {}", self.held_out(loss)));
        let network = self.network()?;
        let rounding = network.rounding(&self.trainer.result(), self.some_positions())?;
        Ok(format!(
            "superbatch {superbatch} of {}: loss {:.6}{validation}; rate {:.6}; rounding error {:.1} cp on average, {:.1} at most",
            settings.superbatches, row.training, row.rate, rounding.mean, rounding.worst
        ))
    }

    /// Says how good the network is on positions held out, given its loss on them.
    fn held_out(&self, loss: f64) -> String {
        let siblings = match self.data.validation_siblings.as_slice() {
            [] => String::new(),
            siblings => format!(
                ", {:.2} % of its siblings ranked like the search",
                100.0 * self.trainer.share_ranked_right(siblings)
            ),
        };
        format!("held out {loss:.6}{siblings}")
    }

    /// Returns the network as it is written.
    fn network(&self) -> Result<Quantised, TrainError> {
        let scale = self.trainer.settings().file_scale();
        let network = self.trainer.state().result();
        Ok(centred(&network, scale, self.some_positions())?)
    }

    /// Returns positions on which rounding errors are measured: not those that are learnt from, if
    /// there are others.
    fn some_positions(&self) -> &[Sample] {
        let data = if self.data.validation.is_empty() {
            &self.data.training
        } else {
            &self.data.validation
        };
        &data[..data.len().min(ROUNDING_SAMPLES)]
    }

    /// Writes all files. The checkpoint comes last, so that the others are never older.
    fn save(&self) -> Result<(), TrainError> {
        let settings = self.trainer.settings().clone();
        let state = self.trainer.state().clone();
        // The loss can be finite where an output is not.
        if !state.is_finite() {
            return Err(TrainError::Diverged(state.step));
        }
        replace_file(&self.out.join(NETWORK), &self.network()?.to_bytes())?;
        let losses = self.out.join(LOSSES);
        let csv = self.log.to_csv().map_err(TrainError::io(&losses))?;
        replace_file(&losses, &csv)?;
        let title = format!(
            "Loss: N = {}, {} positions, batches of {}",
            settings.hidden,
            self.data.training.len(),
            settings.batch
        );
        replace_file(&self.out.join(PICTURE), self.log.to_svg(&title).as_bytes())?;
        let checkpoint = Checkpoint {
            settings,
            data: self.fingerprint,
            state,
            losses: self.losses,
        };
        checkpoint.write(&self.out.join(CHECKPOINT))
    }
}

/// Creates the checkpoint of a run before its first step.
fn fresh(network: Parameters, settings: Settings, data: u64) -> Checkpoint {
    Checkpoint {
        state: TrainState::new(network, &settings),
        settings,
        data,
        losses: LossSum::default(),
    }
}

/// Returns a random network to begin with.
fn random_network(settings: &Settings) -> Parameters {
    let shape = settings.shape();
    if !settings.factoriser {
        return Parameters::random(shape, settings.seed);
    }
    // The king buckets start with shared weights only, and the marks with zeros.
    let start = Shape {
        has_marks: false,
        ..shape.shared()
    };
    Parameters::random(start, settings.seed).with_input_sets(shape.king_buckets, shape.has_marks)
}

/// Returns the network of a checkpoint in the size of these settings, and the factor by which its
/// outputs are multiplied to suit the targets.
///
/// Targets of other games, or with another K, have another spread. Until the weights have adapted
/// to it, a run learns little else.
fn continued_network(
    from: &Checkpoint,
    settings: &Settings,
    samples: &[Sample],
) -> (Parameters, f64) {
    let shape = settings.shape();
    let mut network = (from.state.result()).with_input_sets(shape.king_buckets, shape.has_marks);
    let step = samples.len().div_ceil(FACTOR_SAMPLES).max(1);
    let some: Vec<Sample> = samples.iter().step_by(step).copied().collect();
    let targets = targets(settings, &some);
    let factor = scale::fit_factor(&outputs(&network, &some), &targets);
    network.scale_output(factor as f32);
    let network = network.with_small_layers(shape.small_layers, settings.seed);
    (network, factor)
}

/// Loads the interrupted run in this folder.
fn resume(out: &Path, data: u64) -> Result<(Checkpoint, Log), TrainError> {
    let path = out.join(CHECKPOINT);
    let checkpoint = Checkpoint::read(&path)?;
    if checkpoint.data != data {
        return Err(TrainError::checkpoint(
            &path,
            "the games differ from those that the run began with; to continue from its weights, start a new run --from it",
        ));
    }
    let losses = out.join(LOSSES);
    let text = fs::read(&losses).map_err(TrainError::io(&losses))?;
    let log = Log::from_csv(&text, checkpoint.state.step);
    Ok((checkpoint, log))
}
