//! The loops in which training spends its time.
//!
//! Each is written once, over rows of [`TILE`](super::network::TILE) floats in a form that compilers turn into vector
//! instructions, and compiled twice: for the processor that the program is built for, and for one with AVX2, which is
//! chosen at run time. Sums are taken in the same order in both, so both give the same numbers to the last bit.

use super::network::{CLIP, FEATURES, Parameters, Row, TILE, Treatment};
use super::sample::Active;

/// Positions that are worked on together: enough of them use a tile of weights while it is in the cache, and their hidden
/// layers fit in there beside it.
pub const CHUNK: usize = 128;

/// What the network has to do with a chunk of positions, and room for their hidden layers.
#[derive(Debug)]
pub struct Chunk {
    /// The inputs of each position, the side to move's first.
    pub features: Vec<[Active; 2]>,
    /// The set of output weights of each position.
    pub buckets: Vec<u8>,
    /// What the network should say of each position: the expected points.
    pub targets: Vec<f32>,
    /// What it says, before the logistic function.
    pub outputs: Vec<f32>,
    /// `[position][side][tile]`: the hidden layer before the activation, then its gradient.
    hidden: Vec<Row>,
}

impl Chunk {
    /// Room for a chunk.
    pub fn new(tiles: usize) -> Chunk {
        Chunk {
            features: Vec::with_capacity(CHUNK),
            buckets: Vec::with_capacity(CHUNK),
            targets: Vec::with_capacity(CHUNK),
            outputs: Vec::with_capacity(CHUNK),
            hidden: vec![Row::ZERO; CHUNK * 2 * tiles],
        }
    }

    /// Makes room for other positions.
    pub fn clear(&mut self) {
        self.features.clear();
        self.buckets.clear();
        self.targets.clear();
    }
}

/// What a step of AdamW needs to know beside the gradient.
#[derive(Clone, Copy, Debug)]
pub struct AdamStep {
    /// How far a step goes.
    pub rate: f32,
    /// The share of a weight, times the rate, that is taken off in a step.
    pub decay: f32,
    /// 1 / (1 - 0.9^t): makes up for a mean that began at zero.
    pub mean_correction: f32,
    /// 1 / (1 - 0.999^t).
    pub square_correction: f32,
}

/// How much of the mean of the gradients a step keeps.
pub const MEAN_KEPT: f32 = 0.9;
/// How much of the mean of their squares.
pub const SQUARE_KEPT: f32 = 0.999;
/// Keeps a division by nothing away.
const TINY: f32 = 1e-8;

/// A portable function and its twin for AVX2, from one source.
macro_rules! twins {
    ($(#[$doc:meta])* $name:ident, $portable:ident, $avx2:ident, $body:ident($($argument:ident: $type:ty),*)) => {
        $(#[$doc])*
        pub fn $name($($argument: $type),*) {
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has AVX2.
                return unsafe { $avx2($($argument),*) };
            }
            $portable($($argument),*);
        }

        fn $portable($($argument: $type),*) {
            $body($($argument),*);
        }

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2")]
        fn $avx2($($argument: $type),*) {
            $body($($argument),*);
        }
    };
}

twins!(
    /// Computes the outputs of a chunk.
    evaluate, evaluate_portable, evaluate_avx2,
    evaluate_body(network: &Parameters, chunk: &mut Chunk)
);
twins!(
    /// Adds the gradient of the loss of a chunk, which has been evaluated. `slopes` is the gradient by the outputs.
    backward, backward_portable, backward_avx2,
    backward_body(network: &Parameters, chunk: &mut Chunk, slopes: &[f32], gradient: &mut Parameters)
);
twins!(
    /// A step of AdamW for a row.
    adam, adam_portable, adam_avx2,
    adam_body(step: AdamStep, treatment: Treatment, gradient: &Row, weight: &mut Row, mean: &mut Row, square: &mut Row)
);

#[inline(always)]
fn evaluate_body(network: &Parameters, chunk: &mut Chunk) {
    let shape = network.shape;
    let tiles = shape.tiles();
    let biases = &network.rows[shape.biases()..shape.output()];
    for (tile, bias) in biases.iter().enumerate() {
        let weights = &network.rows[tile * FEATURES..(tile + 1) * FEATURES];
        let hidden = chunk.hidden.chunks_exact_mut(tiles);
        for (active, hidden) in chunk.features.iter().flatten().zip(hidden) {
            hidden[tile] = sum_rows(*bias, weights, active.indices());
        }
    }
    let output_biases = &network.rows[shape.output_biases()].0;
    chunk.outputs.clear();
    let hidden = chunk.hidden.chunks_exact(2 * tiles);
    for (&bucket, hidden) in chunk.buckets.iter().zip(hidden) {
        let bucket = usize::from(bucket);
        let first = shape.output() + bucket * 2 * tiles;
        let sum = activated_product(hidden, &network.rows[first..first + 2 * tiles]);
        chunk.outputs.push(output_biases[bucket] + sum);
    }
}

#[inline(always)]
fn sum_rows(mut sum: Row, weights: &[Row], indices: &[u16]) -> Row {
    for &index in indices {
        add(&mut sum, &weights[usize::from(index)]);
    }
    sum
}

#[inline(always)]
fn add(sum: &mut Row, row: &Row) {
    for (sum, value) in sum.0.iter_mut().zip(&row.0) {
        *sum += value;
    }
}

/// The sum of weights times squared activations, lane by lane and then the lanes by halves.
#[inline(always)]
fn activated_product(hidden: &[Row], weights: &[Row]) -> f32 {
    let mut lanes = Row::ZERO;
    for (hidden, weights) in hidden.iter().zip(weights) {
        for ((lane, hidden), weight) in lanes.0.iter_mut().zip(&hidden.0).zip(&weights.0) {
            let clamped = hidden.clamp(0.0, 1.0);
            *lane += clamped * clamped * weight;
        }
    }
    let mut width = TILE / 2;
    while width > 0 {
        let (low, high) = lanes.0.split_at_mut(width);
        for (low, high) in low.iter_mut().zip(high) {
            *low += *high;
        }
        width /= 2;
    }
    lanes.0[0]
}

#[inline(always)]
fn backward_body(
    network: &Parameters,
    chunk: &mut Chunk,
    slopes: &[f32],
    gradient: &mut Parameters,
) {
    let shape = network.shape;
    let tiles = shape.tiles();
    let hidden = chunk.hidden.chunks_exact_mut(2 * tiles);
    for ((&bucket, &slope), hidden) in chunk.buckets.iter().zip(slopes).zip(hidden) {
        let bucket = usize::from(bucket);
        gradient.rows[shape.output_biases()].0[bucket] += slope;
        let first = shape.output() + bucket * 2 * tiles;
        let rows = first..first + 2 * tiles;
        let weights = &network.rows[rows.clone()];
        output_backward(slope, hidden, weights, &mut gradient.rows[rows]);
    }
    for tile in 0..tiles {
        let (weights, rest) = gradient.rows.split_at_mut(shape.biases());
        let weights = &mut weights[tile * FEATURES..(tile + 1) * FEATURES];
        let mut bias = rest[tile];
        let hidden = chunk.hidden.chunks_exact(tiles);
        for (active, hidden) in chunk.features.iter().flatten().zip(hidden) {
            let slope = hidden[tile];
            add(&mut bias, &slope);
            for &index in active.indices() {
                add(&mut weights[usize::from(index)], &slope);
            }
        }
        rest[tile] = bias;
    }
}

/// The gradient of the output weights is added up; that of the hidden layer takes the layer's place.
#[inline(always)]
fn output_backward(slope: f32, hidden: &mut [Row], weights: &[Row], gradient: &mut [Row]) {
    for ((hidden, weights), gradient) in hidden.iter_mut().zip(weights).zip(gradient) {
        let lanes = hidden.0.iter_mut().zip(&weights.0).zip(&mut gradient.0);
        for ((hidden, weight), gradient) in lanes {
            let clamped = hidden.clamp(0.0, 1.0);
            let is_open = clamped == *hidden;
            *gradient += slope * clamped * clamped;
            *hidden = if is_open {
                2.0 * slope * weight * clamped
            } else {
                0.0
            };
        }
    }
}

#[inline(always)]
fn adam_body(
    step: AdamStep,
    treatment: Treatment,
    gradient: &Row,
    weight: &mut Row,
    mean: &mut Row,
    square: &mut Row,
) {
    let decay = if treatment.decays {
        step.rate * step.decay
    } else {
        0.0
    };
    let bound = if treatment.is_clipped {
        CLIP
    } else {
        f32::INFINITY
    };
    for lane in 0..TILE {
        let slope = gradient.0[lane];
        let new_mean = MEAN_KEPT * mean.0[lane] + (1.0 - MEAN_KEPT) * slope;
        let new_square = SQUARE_KEPT * square.0[lane] + (1.0 - SQUARE_KEPT) * slope * slope;
        let deviation = (new_square * step.square_correction).sqrt() + TINY;
        let old = weight.0[lane];
        let moved = old - decay * old - step.rate * (new_mean * step.mean_correction) / deviation;
        weight.0[lane] = moved.clamp(-bound, bound);
        mean.0[lane] = new_mean;
        square.0[lane] = new_square;
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::super::network::Shape;
    use super::*;

    #[test]
    fn both_twins_give_the_same_numbers() {
        if !is_x86_feature_detected!("avx2") {
            return;
        }
        let shape = Shape {
            hidden: 128,
            buckets: 2,
        };
        let network = Parameters::random(shape, 1);
        let sample = crate::train::sample::Sample::new(
            &crate::position::Position::initial(),
            0,
            crate::games::GameResult::Draw,
        )
        .unwrap();
        let [mut first, mut second] = [(); 2].map(|()| {
            let mut chunk = Chunk::new(shape.tiles());
            chunk.features = vec![sample.features(); 3];
            chunk.buckets = vec![0, 1, 1];
            chunk
        });
        evaluate_portable(&network, &mut first);
        evaluate(&network, &mut second);
        assert_eq!(first.outputs, second.outputs);
        let slopes = [0.5, -0.25, 0.1];
        let [mut one, mut two] = [(); 2].map(|()| Parameters::zero(shape));
        backward_portable(&network, &mut first, &slopes, &mut one);
        backward(&network, &mut second, &slopes, &mut two);
        assert!(one == two);
        let step = AdamStep {
            rate: 0.1,
            decay: 0.01,
            mean_correction: 10.0,
            square_correction: 1000.0,
        };
        let treatment = shape.treatment(0);
        let squares = Row(network.rows[0].0.map(|number| number * number));
        let [mut one, mut two] = [[network.rows[0], network.rows[2], squares]; 2];
        let [weight, mean, square] = &mut one;
        adam_portable(step, treatment, &network.rows[1], weight, mean, square);
        let [weight, mean, square] = &mut two;
        adam(step, treatment, &network.rows[1], weight, mean, square);
        assert_eq!(one, two);
    }
}
