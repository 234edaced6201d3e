//! Logistic regression: the likelihood of the results, its gradient, and Adam's steps along it.

use rayon::prelude::*;

use super::data::{FitSample, FitSamples, PositionData};
use crate::eval::classical::Pair;
use crate::random::Random;
use crate::train::scale::golden_section;
use crate::wdl::logistic;

/// The positions of one task. Fixed, so that sums do not depend on the number of cores.
const CHUNK: usize = 1024;
/// The decay of the mean of gradients, and of their squares (Kingma and Ba's values).
const MOMENTUM: f64 = 0.9;
const SQUARES: f64 = 0.999;
/// Avoids a division by zero, in units of the gradient.
const TINY: f64 = 1e-12;
/// The range of the steepness, per centipawn.
const STEEPNESS: (f64, f64) = (0.0005, 0.03);
/// The factor of the rate after an epoch without progress.
const COOLING: f64 = 0.5;

/// A logistic model of results, linear in the features.
#[derive(Clone)]
pub struct LinearModel {
    /// Middlegame and endgame weights of each feature in turn, in centipawns.
    pub weights: Vec<f64>,
    /// The slope of the logistic function, per centipawn.
    pub steepness: f64,
    /// The share of the score in the target.
    score_share: f64,
}

impl LinearModel {
    /// Returns a model with these weights and a preliminary steepness.
    pub fn new(weights: &[Pair], score_share: f64) -> LinearModel {
        LinearModel {
            weights: weights
                .iter()
                .flat_map(|pair| [pair.middlegame(), pair.endgame()].map(f64::from))
                .collect(),
            // An advantage of 400 centipawns: ten wins for one loss.
            steepness: std::f64::consts::LN_10 / 400.0,
            score_share,
        }
    }

    /// Returns the value of a position for White, in centipawns.
    pub fn value(&self, sample: &FitSample<'_>) -> f64 {
        let (mut middlegame, mut endgame) = (0.0, 0.0);
        for &(feature, count) in sample.counts {
            let index = usize::from(feature) * 2;
            middlegame += self.weights[index] * f64::from(count);
            endgame += self.weights[index + 1] * f64::from(count);
        }
        sample.scale * (middlegame * sample.phase + endgame * (1.0 - sample.phase))
    }

    /// Returns the result that the model should predict.
    fn target(&self, sample: &FitSample<'_>) -> f64 {
        match sample.score {
            Some(score) => {
                let expected = logistic(self.steepness * score);
                sample.result + self.score_share * (expected - sample.result)
            }
            None => sample.result,
        }
    }

    /// Returns the cross-entropy of a position's result, in nats.
    fn loss(&self, sample: &FitSample<'_>) -> f64 {
        let exponent = self.steepness * self.value(sample);
        let target = self.target(sample);
        // -target ln p - (1 - target) ln (1 - p), without a logarithm of 0.
        exponent.abs().mul_add(0.5, (-exponent.abs()).exp().ln_1p()) + exponent * (0.5 - target)
    }

    /// Returns the mean loss of the samples.
    pub fn mean_loss(&self, samples: &FitSamples) -> f64 {
        let chunks: Vec<f64> = (0..samples.len().div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let end = (chunk * CHUNK + CHUNK).min(samples.len());
                (chunk * CHUNK..end)
                    .map(|index| self.loss(&samples.get(index)))
                    .sum()
            })
            .collect();
        chunks.iter().sum::<f64>() / samples.len().max(1) as f64
    }

    /// Returns the gradient of the mean loss over some samples, by weight.
    pub fn gradient(&self, samples: &FitSamples, indices: &[u32]) -> Vec<f64> {
        let parts: Vec<Vec<f64>> = indices
            .par_chunks(CHUNK)
            .map(|chunk| {
                let mut gradient = vec![0.0; self.weights.len()];
                for &index in chunk {
                    self.add_gradient(&samples.get(index as usize), &mut gradient);
                }
                gradient
            })
            .collect();
        let mut sum = vec![0.0; self.weights.len()];
        for part in parts {
            for (total, value) in sum.iter_mut().zip(part) {
                *total += value;
            }
        }
        let count = indices.len().max(1) as f64;
        sum.iter_mut().for_each(|value| *value /= count);
        sum
    }

    fn add_gradient(&self, sample: &FitSample<'_>, gradient: &mut [f64]) {
        let expected = logistic(self.steepness * self.value(sample));
        let slope = (expected - self.target(sample)) * self.steepness * sample.scale;
        let (middlegame, endgame) = (slope * sample.phase, slope * (1.0 - sample.phase));
        for &(feature, count) in sample.counts {
            let index = usize::from(feature) * 2;
            gradient[index] += middlegame * f64::from(count);
            gradient[index + 1] += endgame * f64::from(count);
        }
    }

    /// Fits the steepness to the results. The loss is convex in it.
    pub fn fit_steepness(&mut self, samples: &FitSamples) {
        // The score in the target depends on the steepness.
        let mut trial = LinearModel {
            score_share: 0.0,
            ..self.clone()
        };
        self.steepness = golden_section(STEEPNESS, 1e-5, |steepness| {
            trial.steepness = steepness;
            trial.mean_loss(samples)
        });
    }
}

/// The settings of a fit.
#[derive(Clone, Debug, clap::Args)]
pub struct FitSettings {
    /// Stop after this many passes over all positions
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub epochs: usize,
    /// Stop after this many consecutive passes without progress on the held-out games; each of them
    /// halves the rate
    #[arg(long, value_name = "N", default_value_t = 5)]
    pub patience: usize,
    /// Positions of each step
    #[arg(long, value_name = "N", default_value_t = 16_384, value_parser = clap::value_parser!(u32).range(1..))]
    pub batch: u32,
    /// The largest change of a weight in the first steps, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 1.0)]
    pub rate: f64,
    /// The pull of each weight towards its start: 0.01 counts for about a thousand positions
    #[arg(long, value_name = "L2", default_value_t = 0.01)]
    pub l2: f64,
    /// The seed of the choice of held-out games and of the order of positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// A fit in progress.
pub struct Fit<'a> {
    data: &'a PositionData,
    settings: &'a FitSettings,
    model: LinearModel,
    /// The weights that the regularisation pulls to.
    anchor: Vec<f64>,
    mean: Vec<f64>,
    squares: Vec<f64>,
    steps: i32,
    random: Random,
}

impl<'a> Fit<'a> {
    /// Fits the steepness of `start` and prepares to fit its weights.
    pub fn new(
        data: &'a PositionData,
        mut start: LinearModel,
        settings: &'a FitSettings,
    ) -> Fit<'a> {
        start.fit_steepness(&data.training);
        Fit {
            data,
            settings,
            anchor: start.weights.clone(),
            mean: vec![0.0; start.weights.len()],
            squares: vec![0.0; start.weights.len()],
            steps: 0,
            random: Random::new(settings.seed ^ 0x5eed),
            model: start,
        }
    }

    /// Sets the steepness.
    #[cfg(test)]
    pub fn hold_steepness(&mut self, steepness: f64) {
        self.model.steepness = steepness;
    }

    /// Runs until the held-out games are no longer predicted better. Returns the best model.
    pub fn run(mut self, report: &mut dyn FnMut(&str)) -> LinearModel {
        let held_out = if self.data.validation.is_empty() {
            &self.data.training
        } else {
            &self.data.validation
        };
        let mut best = (self.model.mean_loss(held_out), self.model.clone());
        report(&format!(
            "steepness {:.6} per centipawn; initial loss {:.6}",
            self.model.steepness, best.0
        ));
        let mut order: Vec<u32> = (0..self.data.training.len() as u32).collect();
        let (mut rate, mut without_progress) = (self.settings.rate, 0);
        for epoch in 0..self.settings.epochs {
            self.epoch(rate, &mut order);
            let loss = self.model.mean_loss(held_out);
            let training = self.model.mean_loss(&self.data.training);
            report(&format!(
                "epoch {:3}: loss {training:.6}, held out {loss:.6}",
                epoch + 1
            ));
            if loss < best.0 {
                best = (loss, self.model.clone());
                without_progress = 0;
            } else {
                // Near the best weights, large steps only oscillate.
                rate *= COOLING;
                without_progress += 1;
                if without_progress >= self.settings.patience {
                    break;
                }
            }
        }
        report(&format!("best loss on the held-out games: {:.6}", best.0));
        best.1
    }

    /// Makes a pass over all positions, in a new order.
    fn epoch(&mut self, rate: f64, order: &mut [u32]) {
        self.random.shuffle(order);
        for batch in order.chunks(self.settings.batch as usize) {
            let mut gradient = self.model.gradient(&self.data.training, batch);
            let firmness = self.settings.l2 / self.data.training.len() as f64;
            for ((value, weight), anchor) in gradient
                .iter_mut()
                .zip(&self.model.weights)
                .zip(&self.anchor)
            {
                *value += firmness * (weight - anchor);
            }
            self.step(&gradient, rate);
        }
    }

    /// Makes a step of Adam: each weight moves by about the rate, less where its gradient is noisy.
    fn step(&mut self, gradient: &[f64], rate: f64) {
        self.steps += 1;
        let mean_share = 1.0 - MOMENTUM.powi(self.steps);
        let square_share = 1.0 - SQUARES.powi(self.steps);
        for (((weight, mean), square), &value) in self
            .model
            .weights
            .iter_mut()
            .zip(&mut self.mean)
            .zip(&mut self.squares)
            .zip(gradient)
        {
            *mean += (1.0 - MOMENTUM) * (value - *mean);
            *square += (1.0 - SQUARES) * (value * value - *square);
            let deviation = (*square / square_share).sqrt();
            *weight -= rate * (*mean / mean_share) / (deviation + TINY);
        }
    }
}
