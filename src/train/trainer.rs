//! One step after the other: the gradient of a batch, computed by all threads, and AdamW.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::chunk::{CHUNK, Chunk};
use super::error::TrainError;
use super::kernel::{self, AdamStep, MEAN_KEPT, SQUARE_KEPT};
use super::network::{Parameters, Row};
use super::order::Order;
use super::quantise::round_to;
use super::sample::Sample;
use super::settings::Settings;

/// The state of a run: with the settings and the data, everything that its future depends on.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// Steps done.
    pub step: u64,
    /// The network.
    pub network: Parameters,
    /// The mean of the gradients.
    pub mean: Parameters,
    /// The mean of their squares.
    pub square: Parameters,
}

impl State {
    /// Before the first step.
    pub fn new(network: Parameters) -> State {
        State {
            step: 0,
            mean: Parameters::zero(network.shape),
            square: Parameters::zero(network.shape),
            network,
        }
    }
}

/// What one thread does its share of a batch with.
struct Worker {
    gradient: Parameters,
    chunk: Chunk,
    slopes: Vec<f32>,
    indices: Vec<u32>,
    loss: f64,
}

/// What a batch is to be learnt towards.
#[derive(Clone, Copy, Debug)]
struct Target {
    /// The share of the result; the rest is the score's.
    result_share: f32,
    /// 1 / K.
    inverse_scale: f32,
}

impl Target {
    fn new(result_share: f64, scale: u32) -> Target {
        Target {
            result_share: result_share as f32,
            inverse_scale: 1.0 / scale as f32,
        }
    }

    fn of(self, sample: &Sample) -> f32 {
        let expected = logistic(f32::from(sample.score()) * self.inverse_scale);
        sample.result().map_or(expected, |result| {
            self.result_share * result + (1.0 - self.result_share) * expected
        })
    }
}

/// The logistic function.
pub fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl Worker {
    fn new(settings: &Settings) -> Worker {
        Worker {
            gradient: Parameters::zero(settings.shape()),
            chunk: Chunk::new(settings.shape().tiles()),
            slopes: Vec::with_capacity(CHUNK),
            indices: vec![0; CHUNK],
            loss: 0.0,
        }
    }

    /// Sets gradient and loss to the sums over some visits.
    fn learn(
        &mut self,
        network: &Parameters,
        samples: &[Sample],
        order: Order,
        visits: std::ops::Range<u64>,
        target: Target,
        weight: f32,
    ) {
        self.gradient.rows.fill(Row::ZERO);
        self.loss = 0.0;
        let mut first = visits.start;
        while first < visits.end {
            let count = (visits.end - first).min(CHUNK as u64) as usize;
            let indices = &mut self.indices[..count];
            order.fill(first, indices);
            let chosen = indices.iter().map(|&index| samples[index as usize]);
            load(&mut self.chunk, chosen, network, target);
            self.chunk.evaluate(network);
            self.loss += losses(&self.chunk, Some((&mut self.slopes, weight)));
            self.chunk
                .backward(network, &self.slopes, &mut self.gradient);
            first += count as u64;
        }
    }
}

fn load(
    chunk: &mut Chunk,
    samples: impl Iterator<Item = Sample>,
    network: &Parameters,
    target: Target,
) {
    chunk.clear();
    for sample in samples {
        let bucket = sample.bucket(network.shape);
        chunk.push(sample.inputs(network.shape), bucket, target.of(&sample));
    }
}

/// The sum of a chunk's losses, and for each position the gradient by the output, times a weight.
fn losses(chunk: &Chunk, mut slopes: Option<(&mut Vec<f32>, f32)>) -> f64 {
    if let Some((slopes, _)) = &mut slopes {
        slopes.clear();
    }
    let mut sum = 0.0;
    for (&output, &target) in chunk.outputs.iter().zip(&chunk.targets) {
        let expected = logistic(output);
        let error = expected - target;
        sum += f64::from(error * error);
        if let Some((slopes, weight)) = &mut slopes {
            slopes.push(*weight * 2.0 * error * expected * (1.0 - expected));
        }
    }
    sum
}

/// Trains a network, and evaluates it.
pub struct Trainer {
    settings: Settings,
    /// The run so far.
    state: State,
    /// The network as its file has it, while the run is at a step that looks at it.
    rounded: Parameters,
    workers: Vec<Worker>,
    pool: ThreadPool,
}

impl Trainer {
    /// Goes on from a state, with so many threads. The settings' scale has to be known.
    ///
    /// # Errors
    /// When the threads cannot be started.
    pub fn new(settings: Settings, state: State, threads: usize) -> Result<Trainer, TrainError> {
        let threads = threads.max(1);
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|number| format!("train {number}"))
            .build()
            .map_err(|error| TrainError::Threads(error.to_string()))?;
        let workers = (0..threads).map(|_| Worker::new(&settings)).collect();
        let mut trainer = Trainer {
            settings,
            rounded: state.network.clone(),
            state,
            workers,
            pool,
        };
        trainer.round();
        Ok(trainer)
    }

    /// The run so far.
    pub const fn state(&self) -> &State {
        &self.state
    }

    /// The network that the next step looks at: that of the state, or the same in whole numbers.
    pub fn network(&self) -> &Parameters {
        if self.settings.rounds_at(self.state.step) {
            &self.rounded
        } else {
            &self.state.network
        }
    }

    fn round(&mut self) {
        if self.settings.rounds_at(self.state.step) {
            round_to(&self.state.network, &mut self.rounded);
        }
    }

    /// The settings.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Does a step with the next batch of the samples, of which there has to be one, and returns its mean loss.
    pub fn step(&mut self, samples: &[Sample]) -> f64 {
        self.compute_gradient(samples);
        self.descend();
        self.state.step += 1;
        self.round();
        let loss: f64 = self.workers.iter().map(|worker| worker.loss).sum();
        loss / self.settings.batch as f64
    }

    /// Leaves the gradient of the next batch, in parts, with the workers.
    fn compute_gradient(&mut self, samples: &[Sample]) {
        let settings = &self.settings;
        let (step, batch) = (self.state.step, settings.batch as u64);
        let target = Target::new(settings.result_share_at(step), settings.scale);
        let order = Order::new(settings.seed, samples.len());
        let network = if settings.rounds_at(step) {
            &self.rounded
        } else {
            &self.state.network
        };
        let threads = self.workers.len() as u64;
        let weight = 1.0 / batch as f32;
        let workers = &mut self.workers;
        self.pool.install(|| {
            workers.par_iter_mut().enumerate().for_each(|(i, worker)| {
                let start = step * batch;
                let share = |i: u64| start + batch * i / threads;
                let visits = share(i as u64)..share(i as u64 + 1);
                worker.learn(network, samples, order, visits, target, weight);
            });
        });
    }

    /// Takes a step of AdamW along the gradient that the workers hold.
    fn descend(&mut self) {
        /// Rows that a thread updates at a time.
        const PART: usize = 64;
        let steps = (self.state.step + 1).min(1 << 30) as i32;
        let step = AdamStep {
            rate: self.settings.rate_at(self.state.step) as f32,
            decay: self.settings.decay as f32,
            mean_correction: 1.0 / (1.0 - MEAN_KEPT.powi(steps)),
            square_correction: 1.0 / (1.0 - SQUARE_KEPT.powi(steps)),
        };
        let State {
            network,
            mean,
            square,
            ..
        } = &mut self.state;
        let shape = network.shape;
        let workers = &self.workers;
        let parts = network
            .rows
            .par_chunks_mut(PART)
            .zip(mean.rows.par_chunks_mut(PART))
            .zip(square.rows.par_chunks_mut(PART));
        self.pool.install(|| {
            parts
                .enumerate()
                .for_each(|(part, ((weights, means), squares))| {
                    let rows = weights.iter_mut().zip(means).zip(squares);
                    for (row, ((weight, mean), square)) in (part * PART..).zip(rows) {
                        let gradient = sum_of_row(workers, row);
                        let treatment = shape.treatment(row);
                        kernel::adam(step, treatment, &gradient, weight, mean, square);
                    }
                });
        });
    }

    /// The gradient of the next batch, for tests.
    #[cfg(test)]
    pub fn gradient(&mut self, samples: &[Sample]) -> Parameters {
        self.compute_gradient(samples);
        let shape = self.state.network.shape;
        Parameters {
            shape,
            rows: (0..shape.rows())
                .map(|row| sum_of_row(&self.workers, row))
                .collect(),
        }
    }

    /// The mean loss over samples, with the share of the result that holds at the end of the run.
    pub fn mean_loss(&self, samples: &[Sample]) -> f64 {
        let target = Target::new(self.settings.w_end, self.settings.scale);
        let network = self.network();
        let parts: Vec<f64> = self.pool.install(|| {
            let parts = samples.par_chunks(CHUNK * 8);
            parts
                .map(|part| {
                    let mut chunk = Chunk::new(network.shape.tiles());
                    part.chunks(CHUNK)
                        .map(|samples| {
                            load(&mut chunk, samples.iter().copied(), network, target);
                            chunk.evaluate(network);
                            losses(&chunk, None)
                        })
                        .sum()
                })
                .collect()
        });
        parts.iter().sum::<f64>() / samples.len().max(1) as f64
    }
}

fn sum_of_row(workers: &[Worker], row: usize) -> Row {
    let mut sum = Row::ZERO;
    for worker in workers {
        kernel::add_row(&mut sum, &worker.gradient.rows[row]);
    }
    sum
}

/// What a network says of positions: units of the scale for the side to move.
pub fn outputs(network: &Parameters, samples: &[Sample]) -> Vec<f32> {
    let target = Target::new(0.0, 1);
    let mut chunk = Chunk::new(network.shape.tiles());
    let mut outputs = Vec::with_capacity(samples.len());
    for samples in samples.chunks(CHUNK) {
        load(&mut chunk, samples.iter().copied(), network, target);
        chunk.evaluate(network);
        outputs.extend(&chunk.outputs);
    }
    outputs
}
