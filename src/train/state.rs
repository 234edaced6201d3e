//! The state of a run: with settings and data, it determines the rest of the run.

use std::borrow::Cow;

use super::network::{Parameters, TileRow};
use super::settings::Settings;

/// Parameters and the moments of their gradients that AdamW keeps.
#[derive(Clone, PartialEq, Debug)]
pub struct Optimised {
    /// The parameters.
    pub values: Parameters,
    /// The mean of their gradients.
    pub mean: Parameters,
    /// The mean of their squared gradients.
    pub square: Parameters,
}

impl Optimised {
    /// Creates parameters with zero moments.
    pub fn new(values: Parameters) -> Optimised {
        Optimised {
            mean: Parameters::zero(values.shape),
            square: Parameters::zero(values.shape),
            values,
        }
    }
}

/// The state of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct TrainState {
    /// Steps done.
    pub step: u64,
    /// The network. With a factoriser, its first layer holds only what is added to the shared
    /// weights.
    pub network: Optimised,
    /// The factoriser: first-layer weights shared by all king buckets, or by a marked piece's
    /// squares, stored as a network with one king bucket whose other parameters stay zero.
    pub shared: Option<Optimised>,
    /// The exponential moving average of the whole network.
    pub average: Option<Parameters>,
}

impl TrainState {
    /// Creates the state before the first step.
    pub fn new(network: Parameters, settings: &Settings) -> TrainState {
        let average = (settings.average > 0.0).then(|| network.clone());
        let (network, shared) = if settings.factoriser {
            let (own, shared) = factorise(network);
            (own, Some(Optimised::new(shared)))
        } else {
            (network, None)
        };
        TrainState {
            step: 0,
            network: Optimised::new(network),
            shared,
            average,
        }
    }

    /// Creates a state whose numbers are still to be set.
    pub fn zero(settings: &Settings) -> TrainState {
        TrainState::new(Parameters::zero(settings.shape()), settings)
    }

    /// Creates the state of a finished run: the network alone.
    pub fn finished(network: Parameters, step: u64) -> TrainState {
        TrainState {
            step,
            network: Optimised::new(network),
            shared: None,
            average: None,
        }
    }

    /// Returns the network after the last step, with the shared weights added.
    pub fn last(&self) -> Cow<'_, Parameters> {
        match &self.shared {
            None => Cow::Borrowed(&self.network.values),
            Some(shared) => {
                let mut sum = self.network.values.clone();
                for (row, weights) in sum.rows.iter_mut().enumerate() {
                    *weights = add_shared(weights, row, &shared.values, self.network.values.shape);
                }
                Cow::Owned(sum)
            }
        }
    }

    /// Returns the network that the run has produced: the average, if there is one.
    pub fn result(&self) -> Cow<'_, Parameters> {
        match &self.average {
            Some(average) => Cow::Borrowed(average),
            None => self.last(),
        }
    }

    /// Returns whether all numbers are finite.
    pub fn is_finite(&self) -> bool {
        let mut rows = self.parts().flat_map(|part| &part.rows);
        rows.all(|row| row.0.iter().all(|number| number.is_finite()))
    }

    /// Iterates over everything that a checkpoint of an unfinished run holds, in the order of the
    /// file.
    pub fn parts_mut(&mut self) -> impl Iterator<Item = &mut Parameters> {
        let optimised = std::iter::once(&mut self.network).chain(&mut self.shared);
        let numbers =
            optimised.flat_map(|part| [&mut part.values, &mut part.mean, &mut part.square]);
        numbers.chain(&mut self.average)
    }

    /// Iterates as [`TrainState::parts_mut`] does, for reading.
    pub fn parts(&self) -> impl Iterator<Item = &Parameters> {
        let optimised = std::iter::once(&self.network).chain(&self.shared);
        let numbers = optimised.flat_map(|part| [&part.values, &part.mean, &part.square]);
        numbers.chain(&self.average)
    }
}

/// Returns a row of the network with its shared weights added, clipped like all weights.
pub fn add_shared(
    own: &TileRow,
    row: usize,
    shared: &Parameters,
    shape: super::network::Shape,
) -> TileRow {
    let Some(shared_row) = shape.shared_row(row) else {
        return *own;
    };
    let mut sum = *own;
    let bound = shape.treatment(row).bound;
    for (sum, shared) in sum.0.iter_mut().zip(&shared.rows[shared_row].0) {
        *sum = (*sum + shared).clamp(-bound, bound);
    }
    sum
}

/// Splits what is shared into the mean over the rows that share weights and each row's difference
/// from it. Returns the network with the differences, and the means.
fn factorise(mut network: Parameters) -> (Parameters, Parameters) {
    let shape = network.shape;
    let mut shared = Parameters::zero(shape.shared());
    for row in 0..shape.rows() {
        if let Some(shared_row) = shape.shared_row(row) {
            let share = 1.0 / shape.rows_of_shared(shared_row).len() as f32;
            let sums = &mut shared.rows[shared_row].0;
            for (sum, weight) in sums.iter_mut().zip(network.rows[row].0) {
                *sum += share * weight;
            }
        }
    }
    for row in 0..shape.rows() {
        if let Some(shared_row) = shape.shared_row(row) {
            let means = shared.rows[shared_row].0;
            for (weight, mean) in network.rows[row].0.iter_mut().zip(means) {
                *weight -= mean;
            }
        }
    }
    (network, shared)
}
