//! Training steps: the gradient of a batch, computed by all threads, and AdamW.

use std::borrow::Cow;
use std::ops::Range;

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::chunk::{CHUNK, Chunk};
use super::error::TrainError;
use super::kernel::{self, AdamStep, MEAN_KEPT, SQUARE_KEPT};
use super::loss::{TargetParameters, load, losses, outputs};
use super::network::{Parameters, TileRow};
use super::order::Order;
use super::quantise::{output_units, round, round_row};
use super::sample::Sample;
use super::settings::Settings;
use super::siblings::{SiblingPair, ranking_loss};
use super::state::{Optimised, TrainState, add_shared};

/// The working memory of a thread.
struct TrainWorker {
    gradient: Parameters,
    chunk: Chunk,
    slopes: Vec<f32>,
    indices: Vec<u32>,
    loss: f64,
}

/// What all threads need for a step.
#[derive(Clone, Copy)]
struct Step<'a> {
    network: &'a Parameters,
    samples: &'a [Sample],
    siblings: &'a [SiblingPair],
    target: TargetParameters,
    /// The weight of the ranking loss.
    ranking: f32,
    seed: u64,
    /// The number of positions in a batch, to which half as many pairs of siblings are added.
    batch: u64,
}

impl TrainWorker {
    fn new(settings: &Settings) -> TrainWorker {
        TrainWorker {
            gradient: Parameters::zero(settings.shape()),
            chunk: Chunk::new(settings.shape().tiles()),
            slopes: Vec::with_capacity(CHUNK),
            indices: vec![0; CHUNK],
            loss: 0.0,
        }
    }

    /// Sets gradient and loss to their sums over some visits. The loss is that of the samples
    /// alone.
    fn learn(&mut self, step: Step<'_>, visits: Range<u64>) {
        self.gradient.rows.fill(TileRow::ZERO);
        self.loss = 0.0;
        if step.ranking > 0.0 && !step.siblings.is_empty() {
            self.learn_siblings(step, visits.start / 2..visits.end / 2);
        }
        let Step {
            network,
            samples,
            target,
            ..
        } = step;
        let weight = 1.0 / step.batch as f32;
        let order = Order::new(step.seed, samples.len());
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

    /// Adds the gradient of the ranking loss over some visits of pairs.
    fn learn_siblings(&mut self, step: Step<'_>, visits: Range<u64>) {
        const PAIRS: u64 = CHUNK as u64 / 2;
        let weight = step.ranking / (step.batch / 2).max(1) as f32;
        let order = Order::new(!step.seed, step.siblings.len());
        let mut first = visits.start;
        while first < visits.end {
            let count = (visits.end - first).min(PAIRS);
            let indices = &mut self.indices[..count as usize];
            order.fill(first, indices);
            let chosen = indices.iter().map(|&index| &step.siblings[index as usize]);
            let samples = chosen.clone().flatten().copied();
            load(&mut self.chunk, samples, step.network, step.target);
            self.chunk.evaluate(step.network);
            self.slopes.clear();
            for (outputs, [first, _]) in self.chunk.outputs.as_chunks().0.iter().zip(chosen) {
                let pieces = first.piece_count();
                let (_, slopes) = ranking_loss(*outputs, step.target.inverse_scale, pieces);
                self.slopes.extend(slopes.map(|slope| weight * slope));
            }
            self.chunk
                .backward(step.network, &self.slopes, &mut self.gradient);
            first += count;
        }
    }
}

/// The number of rows that a thread updates at a time.
const PART: usize = 64;

/// Trains a network, and evaluates it.
pub struct Trainer {
    settings: Settings,
    /// The state of the run.
    state: TrainState,
    /// The network that the next step sees, if it is not the state's own: with the shared weights
    /// added, or rounded as in the network file, or both.
    view: Parameters,
    workers: Vec<TrainWorker>,
    pool: ThreadPool,
}

impl Trainer {
    /// Continues from a state with this number of threads. The settings must include the scale.
    ///
    /// # Errors
    /// Fails when the threads cannot be started.
    pub fn new(
        settings: Settings,
        state: TrainState,
        threads: usize,
    ) -> Result<Trainer, TrainError> {
        let threads = threads.max(1);
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|number| format!("train {number}"))
            .build()
            .map_err(|error| TrainError::Threads(error.to_string()))?;
        let workers = (0..threads).map(|_| TrainWorker::new(&settings)).collect();
        let mut trainer = Trainer {
            settings,
            view: state.network.values.clone(),
            state,
            workers,
            pool,
        };
        trainer.add_shared();
        trainer.round();
        Ok(trainer)
    }

    /// Returns the state of the run.
    pub const fn state(&self) -> &TrainState {
        &self.state
    }

    /// Returns the network that the next step sees: rounded from some step on.
    pub fn network(&self) -> &Parameters {
        if self.has_view() {
            &self.view
        } else {
            &self.state.network.values
        }
    }

    /// Returns the network that the run has produced, rounded if the steps see it so.
    pub fn result(&self) -> Cow<'_, Parameters> {
        if self.state.average.is_none() {
            return Cow::Borrowed(self.network());
        }
        let mut result = self.state.result();
        if self.settings.rounds_at(self.state.step) {
            round(result.to_mut());
        }
        result
    }

    fn has_view(&self) -> bool {
        self.state.shared.is_some() || self.settings.rounds_at(self.state.step)
    }

    /// Sets the view to the sum of each bucket's own weights and the shared ones.
    fn add_shared(&mut self) {
        let network = &self.state.network.values;
        if let Some(shared) = &self.state.shared {
            self.pool.install(|| {
                for_each_row(&mut self.view, |number, row| {
                    *row = add_shared(&network.rows[number], number, &shared.values, network.shape);
                });
            });
        }
    }

    /// Moves the average towards the network, which is in the view if there is a factoriser.
    fn average(&mut self) {
        let share = self.settings.average_share_at(self.state.step);
        let network = match self.state.shared {
            Some(_) => &self.view,
            None => &self.state.network.values,
        };
        if let Some(average) = &mut self.state.average {
            self.pool.install(|| {
                for_each_row(average, |number, row| {
                    kernel::move_towards(&network.rows[number], share, row);
                });
            });
        }
    }

    /// Rounds the view if the next step sees rounded parameters.
    fn round(&mut self) {
        if !self.settings.rounds_at(self.state.step) {
            return;
        }
        let network = &self.state.network.values;
        let is_shared = self.state.shared.is_some();
        let units = output_units(network);
        self.pool.install(|| {
            for_each_row(&mut self.view, |number, row| {
                let exact = if is_shared {
                    &*row
                } else {
                    &network.rows[number]
                };
                *row = round_row(exact, number, network.shape, &units);
            });
        });
    }

    /// Returns the settings.
    pub const fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Takes a step with the next batch and returns the mean loss of its samples. There must be at
    /// least one sample. Siblings are ignored if the weight of the ranking loss is 0.
    pub fn step(&mut self, samples: &[Sample], siblings: &[SiblingPair]) -> f64 {
        self.compute_gradient(samples, siblings);
        self.descend();
        self.add_shared();
        self.average();
        self.state.step += 1;
        self.round();
        let loss: f64 = self.workers.iter().map(|worker| worker.loss).sum();
        loss / self.settings.batch as f64
    }

    /// Computes the gradient of the next batch, in parts that stay with the workers.
    fn compute_gradient(&mut self, samples: &[Sample], siblings: &[SiblingPair]) {
        let settings = &self.settings;
        let (number, batch) = (self.state.step, settings.batch as u64);
        let step = Step {
            network: if self.has_view() {
                &self.view
            } else {
                &self.state.network.values
            },
            samples,
            siblings,
            target: TargetParameters::new(settings.result_share_at(number), settings.scale),
            ranking: settings.ranking as f32,
            seed: settings.seed,
            batch,
        };
        let threads = self.workers.len() as u64;
        let workers = &mut self.workers;
        self.pool.install(|| {
            workers.par_iter_mut().enumerate().for_each(|(i, worker)| {
                let start = number * batch;
                let share = |i: u64| start + batch * i / threads;
                let visits = share(i as u64)..share(i as u64 + 1);
                worker.learn(step, visits);
            });
        });
    }

    /// Takes a step of AdamW along the workers' gradient.
    fn descend(&mut self) {
        let steps = (self.state.step + 1).min(1 << 30) as i32;
        let rate = self.settings.rate_at(self.state.step);
        let step = AdamStep {
            rate: rate as f32,
            mark_rate: (self.settings.mark_rate * rate) as f32,
            small_rate: (self.settings.small_rate * rate) as f32,
            decay: (self.settings.decay * rate) as f32,
            mean_correction: 1.0 / (1.0 - MEAN_KEPT.powi(steps)),
            square_correction: 1.0 / (1.0 - SQUARE_KEPT.powi(steps)),
            epsilon: self.settings.epsilon as f32,
        };
        let own_rate = self.settings.own_rate as f32;
        let own_step = AdamStep {
            rate: own_rate * step.rate,
            mark_rate: own_rate * step.mark_rate,
            ..step
        };
        let workers = &mut self.workers;
        let TrainState {
            network, shared, ..
        } = &mut self.state;
        self.pool.install(|| {
            if let Some(shared) = shared {
                sum_gradients(workers);
                let gradient = &workers[0].gradient;
                let inputs = network.values.shape.biases();
                let step_of = |row| if row < inputs { own_step } else { step };
                descend(&|_| step, shared, &|row| shared_gradient(gradient, row));
                descend(&step_of, network, &|row| gradient.rows[row]);
            } else {
                descend(&|_| step, network, &|row| sum_of_row(workers, row));
            }
        });
    }

    /// Returns the gradients of the next batch by the network and by the shared weights, for tests.
    #[cfg(test)]
    pub fn gradient(
        &mut self,
        samples: &[Sample],
        siblings: &[SiblingPair],
    ) -> (Parameters, Parameters) {
        self.compute_gradient(samples, siblings);
        sum_gradients(&mut self.workers);
        let gradient = self.workers[0].gradient.clone();
        let mut shared = Parameters::zero(gradient.shape.shared());
        for row in 0..shared.shape.biases() {
            shared.rows[row] = shared_gradient(&gradient, row);
        }
        (gradient, shared)
    }

    /// Returns the mean loss of the [result](Trainer::result) over samples, with the result share
    /// at the end of the run.
    pub fn mean_loss(&self, samples: &[Sample]) -> f64 {
        let target = TargetParameters::new(self.settings.w_end, self.settings.scale);
        let network = &*self.result();
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

    /// Returns the share of siblings that the [result](Trainer::result) ranks as the search did.
    pub fn share_ranked_right(&self, siblings: &[SiblingPair]) -> f64 {
        let network = &*self.result();
        let parts = siblings.par_chunks(CHUNK * 8);
        let right: usize = self.pool.install(|| {
            let right = parts.map(|part| {
                let outputs = outputs(network, part.as_flattened());
                let pairs = outputs.as_chunks().0.iter();
                pairs.filter(|[first, second]| first < second).count()
            });
            right.sum()
        });
        right as f64 / siblings.len().max(1) as f64
    }
}

/// Takes a step of AdamW for every row, given the step's constants and the gradient.
fn descend(
    step: &(impl Fn(usize) -> AdamStep + Sync),
    part: &mut Optimised,
    gradient: &(impl Fn(usize) -> TileRow + Sync),
) {
    let shape = part.values.shape;
    let parts = part
        .values
        .rows
        .par_chunks_mut(PART)
        .zip(part.mean.rows.par_chunks_mut(PART))
        .zip(part.square.rows.par_chunks_mut(PART));
    parts
        .enumerate()
        .for_each(|(part, ((weights, means), squares))| {
            let rows = weights.iter_mut().zip(means).zip(squares);
            for (row, ((weight, mean), square)) in (part * PART..).zip(rows) {
                let treatment = shape.treatment(row);
                let gradient = gradient(row);
                kernel::adam(step(row), treatment, &gradient, weight, mean, square);
            }
        });
}

fn for_each_row(parameters: &mut Parameters, f: impl Fn(usize, &mut TileRow) + Sync) {
    let parts = parameters.rows.par_chunks_mut(PART).enumerate();
    parts.for_each(|(part, rows)| {
        for (number, row) in (part * PART..).zip(rows) {
            f(number, row);
        }
    });
}

fn sum_of_row(workers: &[TrainWorker], row: usize) -> TileRow {
    let mut sum = TileRow::ZERO;
    for worker in workers {
        kernel::add_row(&mut sum, &worker.gradient.rows[row]);
    }
    sum
}

/// Adds up all workers' gradients in the first.
fn sum_gradients(workers: &mut [TrainWorker]) {
    if let Some((first, rest)) = workers.split_first_mut() {
        for_each_row(&mut first.gradient, |number, sum| {
            for worker in &*rest {
                kernel::add_row(sum, &worker.gradient.rows[number]);
            }
        });
    }
}

/// Returns the gradient of a row of shared weights: the sum over the rows that share them. It is
/// zero for rows that are not shared.
fn shared_gradient(gradient: &Parameters, row: usize) -> TileRow {
    let shape = gradient.shape;
    let mut sum = TileRow::ZERO;
    for own in shape.rows_of_shared(row) {
        kernel::add_row(&mut sum, &gradient.rows[own]);
    }
    sum
}
