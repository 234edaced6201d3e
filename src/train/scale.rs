//! The fit of the scale K between centipawns and results, and of the size of a network's outputs.

use rayon::prelude::*;

use super::loss::logistic;
use super::sample::Sample;

/// The number of positions used, which is enough to fit one number.
const ENOUGH: usize = 1_000_000;
/// The range of the search for the scale, in centipawns.
const RANGE: (f64, f64) = (50.0, 2000.0);

/// Fits K in `points = 1 / (1 + exp(-score / K))` to results by logistic regression and rounds it
/// to whole centipawns.
pub fn fit(samples: &[Sample]) -> u32 {
    let step = samples.len().div_ceil(ENOUGH).max(1);
    let some = samples.iter().step_by(step);
    let some: Vec<(f64, f64)> = some
        .filter_map(|sample| Some((f64::from(sample.score()), f64::from(sample.result()?))))
        .collect();
    golden_section(RANGE, 0.5, |scale| cross_entropy(&some, scale)).round() as u32
}

/// The natural logarithms between which the factor of the outputs is searched for.
const LOG_FACTORS: (f64, f64) = (-1.5, 1.5);

/// Returns the factor by which a network's outputs have to be multiplied to predict the targets
/// with the least squared error.
pub fn fit_factor(outputs: &[f32], targets: &[f32]) -> f64 {
    let loss = |log_factor: f64| -> f64 {
        let factor = log_factor.exp() as f32;
        let errors = outputs.iter().zip(targets);
        let errors = errors.map(|(output, target)| f64::from(logistic(factor * output) - target));
        errors.map(|error| error * error).sum()
    };
    golden_section(LOG_FACTORS, 1e-4, loss).exp()
}

/// Returns the cross-entropy of the results, in nats.
fn cross_entropy(samples: &[(f64, f64)], scale: f64) -> f64 {
    let parts: Vec<f64> = samples
        .par_chunks(1 << 14)
        .map(|part| {
            part.iter()
                .map(|(score, result)| {
                    let exponent = score / scale;
                    let missing = 0.5 - result;
                    // -result ln p - (1 - result) ln (1 - p), written so that no logarithm of 0
                    // occurs.
                    0.5 * exponent.abs() + (-exponent.abs()).exp().ln_1p() + exponent * missing
                })
                .sum()
        })
        .collect();
    parts.iter().sum()
}

/// Finds the minimum of a unimodal function in a range, to within the tolerance.
pub fn golden_section(
    (mut low, mut high): (f64, f64),
    tolerance: f64,
    mut f: impl FnMut(f64) -> f64,
) -> f64 {
    let golden = (5_f64.sqrt() - 1.0) / 2.0;
    let mut left = high - golden * (high - low);
    let mut right = low + golden * (high - low);
    let (mut at_left, mut at_right) = (f(left), f(right));
    while high - low > tolerance {
        if at_left < at_right {
            (high, right, at_right) = (right, left, at_left);
            left = high - golden * (high - low);
            at_left = f(left);
        } else {
            (low, left, at_left) = (left, right, at_right);
            right = low + golden * (high - low);
            at_right = f(right);
        }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_factor_of_outputs_is_found_through_noise() {
        let outputs: Vec<f32> = (-2000..2000).map(|n| n as f32 / 1000.0).collect();
        for factor in [0.5, 0.84, 1.0, 2.0] {
            let noise = [-0.1, 0.1].into_iter().cycle();
            let targets = outputs.iter().zip(noise);
            let targets: Vec<f32> = targets
                .map(|(output, noise)| logistic(factor * output) + noise)
                .collect();
            let found = fit_factor(&outputs, &targets);
            assert!((found - f64::from(factor)).abs() < 0.01, "{factor} {found}");
        }
    }
}
