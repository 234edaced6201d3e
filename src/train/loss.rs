//! The loss of positions: their targets, the outputs of a network, and the difference between the
//! two.

use super::chunk::{CHUNK, Chunk};
use super::network::Parameters;
use super::sample::Sample;
use super::settings::Settings;

/// The parameters of the targets in a batch.
#[derive(Clone, Copy, Debug)]
pub(super) struct TargetParameters {
    /// The share of the result; the rest is the score.
    result_share: f32,
    /// 1 / K.
    pub inverse_scale: f32,
}

impl TargetParameters {
    /// Returns the parameters for a share of the result and K.
    pub fn new(result_share: f64, scale: u32) -> TargetParameters {
        TargetParameters {
            result_share: result_share as f32,
            inverse_scale: 1.0 / scale as f32,
        }
    }

    /// Returns the result that a network should predict for a sample.
    pub fn of(self, sample: &Sample) -> f32 {
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

/// Fills a chunk with samples.
pub(super) fn load(
    chunk: &mut Chunk,
    samples: impl Iterator<Item = Sample>,
    network: &Parameters,
    target: TargetParameters,
) {
    chunk.clear();
    for sample in samples {
        let bucket = sample.bucket(network.shape);
        chunk.push(sample.inputs(network.shape), bucket, target.of(&sample));
    }
}

/// Returns the sum of a chunk's losses, and stores the derivatives by the outputs, times a weight.
pub(super) fn losses(chunk: &Chunk, mut slopes: Option<(&mut Vec<f32>, f32)>) -> f64 {
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

/// Returns the results that a network should predict at the beginning of a run.
pub fn targets(settings: &Settings, samples: &[Sample]) -> Vec<f32> {
    let target = TargetParameters::new(settings.result_share_at(0), settings.scale);
    samples.iter().map(|sample| target.of(sample)).collect()
}

/// Returns the network's outputs for the side to move, in units of the scale.
pub fn outputs(network: &Parameters, samples: &[Sample]) -> Vec<f32> {
    let target = TargetParameters::new(0.0, 1);
    let mut chunk = Chunk::new(network.shape.tiles());
    let mut outputs = Vec::with_capacity(samples.len());
    for samples in samples.chunks(CHUNK) {
        load(&mut chunk, samples.iter().copied(), network, target);
        chunk.evaluate(network);
        outputs.extend(&chunk.outputs);
    }
    outputs
}
