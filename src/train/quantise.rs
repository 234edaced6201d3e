//! The network in integers, as in the engine's network file ([`crate::eval::nnue`]).

use shakmaty::Color;

use super::network::{Parameters, Shape, TILE, TileRow};
use super::sample::Sample;
use super::small_layers::SmallRows;
use super::trainer::outputs;
use crate::eval::nnue::{MAGIC, Network, NetworkError, Q_SECOND, SECOND, checksum};

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
    /// The small layers of each bucket as in the file, if any.
    pub small_layers: Vec<u8>,
}

/// Returns the numbers nearest to a row of parameters that the network file can hold.
/// [`CLIP`](super::network::CLIP) is below 127 / 64, so that an output weight times an activation
/// fits 16 bits.
pub fn round_row(numbers: &TileRow, row: usize, shape: Shape) -> TileRow {
    if let Some(own) = shape.small_row(row) {
        let mut rounded = *numbers;
        if own < SmallRows::of(shape).third() {
            let unit = Q_SECOND as f32;
            rounded.0 = rounded.0.map(|n| (n * unit).round_ties_even() / unit);
        }
        return rounded;
    }
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
            output_biases: (numbers.take(shape.buckets))
                .map(|n| (n * unit).round() as i32)
                .collect(),
            small_layers: small_layers(&rounded),
        }
    }

    /// Returns the bytes of the network file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let small = [&self.weights[..], &self.biases, &self.output];
        let small = small.into_iter().flatten().flat_map(|n| n.to_le_bytes());
        let large = self.output_biases.iter().flat_map(|n| n.to_le_bytes());
        let body: Vec<u8> = small
            .chain(large)
            .chain(self.small_layers.iter().copied())
            .collect();
        let shape = self.shape;
        let sizes = [
            shape.hidden,
            shape.input_sets(),
            shape.buckets,
            shape.small_layers,
        ]
        .map(|size| size as u32);
        let mut bytes = MAGIC.to_vec();
        for number in sizes.into_iter().chain([QA, QB, self.scale]) {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend(checksum(&body).to_le_bytes());
        bytes.extend(body);
        bytes
    }
}

/// Returns the bytes of the small layers in the network file.
fn small_layers(network: &Parameters) -> Vec<u8> {
    let (shape, rows) = (network.shape, SmallRows::of(network.shape));
    let mut bytes = Vec::new();
    for bucket in 0..shape.small_layers {
        let layers = &network.rows[shape.small_layers_of(bucket)];
        for four in 0..2 * shape.hidden / 4 {
            for neuron in 0..SECOND {
                let weights = &layers[rows.second(neuron)];
                let four = (4 * four..4 * four + 4).map(|i| weights[i / TILE].0[i % TILE]);
                let whole = four.map(|weight| (weight * Q_SECOND as f32).round() as i8);
                bytes.extend(whole.map(|weight| weight as u8));
            }
        }
        let third = rows.third()..rows.second_biases();
        let floats = std::iter::once(rows.second_biases())
            .chain(third)
            .chain([rows.third_biases(), rows.output()])
            .flat_map(|row| &layers[row].0[..rows.lanes(row)]);
        bytes.extend(floats.flat_map(|number| number.to_le_bytes()));
    }
    bytes
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
