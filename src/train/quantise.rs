//! The network in integers, as in the engine's network file ([`crate::eval::nnue`]).

use shakmaty::Color;

use super::network::{Parameters, Shape, TileRow};
use super::sample::Sample;
use super::trainer::outputs;
use crate::eval::nnue::{MAGIC, Network, NetworkError, checksum};

/// The integer that stands for 1.0 in the hidden layer.
pub const QA: u32 = 255;
/// The integer that stands for 1.0 among the output weights.
pub const QB: u32 = 64;

/// A network in integers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quantised {
    /// The network's size.
    pub shape: Shape,
    /// K, in centipawns.
    pub scale: u32,
    /// `[I * 768][N]`, times QA.
    pub weights: Vec<i16>,
    /// `[N]`, times QA.
    pub biases: Vec<i16>,
    /// `[B][2N]`, times QB.
    pub output: Vec<i16>,
    /// `[B]`, times QA * QB.
    pub output_biases: Vec<i32>,
}

/// Returns the numbers nearest to a row of parameters that the network file can hold.
/// [`CLIP`](super::network::CLIP) is below 127 / 64, so that an output weight times an activation
/// fits 16 bits.
pub fn round_row(numbers: &TileRow, row: usize, shape: Shape) -> TileRow {
    let unit = if row < shape.output() {
        QA
    } else if row < shape.output_biases() {
        QB
    } else {
        QA * QB
    } as f32;
    let mut rounded = *numbers;
    for number in &mut rounded.0 {
        *number = (*number * unit).round_ties_even() / unit;
    }
    rounded
}

/// Rounds all parameters with [`round_row`].
pub fn round(parameters: &mut Parameters) {
    let shape = parameters.shape;
    for (row, numbers) in parameters.rows.iter_mut().enumerate() {
        *numbers = round_row(numbers, row, shape);
    }
}

/// The difference between the engine's values and those of the network in floats.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Rounding {
    /// The mean difference, in centipawns.
    pub mean: f64,
    /// The maximum difference, in centipawns.
    pub worst: f64,
}

impl Quantised {
    /// Rounds a network.
    pub fn new(parameters: &Parameters, scale: u32) -> Quantised {
        let shape = parameters.shape;
        let mut rounded = parameters.clone();
        round(&mut rounded);
        let mut numbers = rounded.canonical();
        let mut whole = |count: usize, unit: u32| -> Vec<i16> {
            let whole = |number: f32| (number * unit as f32).round() as i16;
            numbers.by_ref().take(count).map(whole).collect()
        };
        let weights = whole(shape.inputs() * shape.hidden, QA);
        let biases = whole(shape.hidden, QA);
        let output = whole(2 * shape.hidden * shape.buckets, QB);
        let unit = (QA * QB) as f32;
        Quantised {
            shape,
            scale,
            weights,
            biases,
            output,
            output_biases: numbers.map(|n| (n * unit).round() as i32).collect(),
        }
    }

    /// Returns the bytes of the network file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let small = [&self.weights[..], &self.biases, &self.output];
        let small = small.into_iter().flatten().flat_map(|n| n.to_le_bytes());
        let large = self.output_biases.iter().flat_map(|n| n.to_le_bytes());
        let body: Vec<u8> = small.chain(large).collect();
        let shape = self.shape;
        let sizes = [shape.hidden, shape.input_sets(), shape.buckets].map(|size| size as u32);
        let mut bytes = MAGIC.to_vec();
        for number in sizes.into_iter().chain([QA, QB, self.scale]) {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(checksum(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }
}

/// Compares a network in floats with the engine's evaluation of its file.
///
/// # Errors
/// Returns an error if the engine refuses the file.
pub fn rounding(
    parameters: &Parameters,
    scale: u32,
    samples: &[Sample],
) -> Result<Rounding, NetworkError> {
    let engine = Network::parse(&Quantised::new(parameters, scale).to_bytes())?;
    let mut rounding = Rounding::default();
    for (sample, output) in samples.iter().zip(outputs(parameters, samples)) {
        let exact = f64::from(output) * f64::from(scale);
        let value = engine.evaluate_board(&sample.board(), Color::White);
        let error = (exact - f64::from(value)).abs();
        rounding.mean += error / samples.len() as f64;
        rounding.worst = rounding.worst.max(error);
    }
    Ok(rounding)
}
