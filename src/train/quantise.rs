//! The network in integers, as in the engine's network file ([`crate::eval::nnue`]).

use shakmaty::Color;

use super::loss::outputs;
use super::network::{Parameters, Shape, TILE, TileRow};
use super::sample::Sample;
use super::small_layers::SmallRows;
use crate::eval::nnue::{
    self, MAGIC, MAX_OUTPUT_WEIGHT, MAX_QB, Network, NetworkError, Q_SECOND, SECOND, checksum,
};

/// The integer that stands for 1.0 in the hidden layer.
const QA: u32 = nnue::QA as u32;

/// The number of positions in a bucket from which its mean error is known well enough to be taken
/// out.
const MIN_POSITIONS: u32 = 50;

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
    /// `[B][2N]`, times the bucket's QB.
    pub output: Vec<i16>,
    /// `[B]`, times QA * QB.
    pub output_biases: Vec<i32>,
    /// `[B]`: QB, the integer that stands for 1.0 among the output weights of the bucket.
    pub output_units: Vec<u32>,
    /// The small layers of each bucket as in the file, if any.
    pub small_layers: Vec<u8>,
}

/// Returns QB of each bucket: the finest that its largest output weight allows.
/// [`CLIP`](super::network::CLIP) makes it 64 at least.
pub fn output_units(parameters: &Parameters) -> Vec<u32> {
    let unit = |bucket| {
        let weights = &parameters.rows[parameters.shape.output_of(bucket)];
        let weights = weights.iter().flat_map(|row| row.0);
        let largest = weights.fold(0.0_f32, |largest, weight| largest.max(weight.abs()));
        // A little more, since floats may put 127 / (127 / unit) just below the unit.
        ((f32::from(MAX_OUTPUT_WEIGHT) / largest + 0.001) as u32).clamp(1, MAX_QB)
    };
    (0..parameters.shape.buckets).map(unit).collect()
}

/// Returns the numbers nearest to a row of parameters that the network file can hold, given the
/// [units of the output](output_units).
pub fn round_row(numbers: &TileRow, row: usize, shape: Shape, output_units: &[u32]) -> TileRow {
    if let Some(own) = shape.small_row(row) {
        let mut rounded = *numbers;
        if own < SmallRows::of(shape).third() {
            let unit = Q_SECOND as f32;
            rounded.0 = rounded.0.map(|n| (n * unit).round_ties_even() / unit);
        }
        return rounded;
    }
    let mut rounded = *numbers;
    let nearest = |number: f32, unit: u32| (number * unit as f32).round_ties_even() / unit as f32;
    if row < shape.output() {
        rounded.0 = rounded.0.map(|number| nearest(number, QA));
    } else if row < shape.output_biases() {
        let unit = output_units[(row - shape.output()) / (2 * shape.tiles())];
        rounded.0 = rounded.0.map(|number| nearest(number, unit));
    } else {
        for (number, unit) in rounded.0.iter_mut().zip(output_units) {
            *number = nearest(*number, QA * unit);
        }
    }
    rounded
}

/// Rounds all parameters with [`round_row`].
pub fn round(parameters: &mut Parameters) {
    let (shape, units) = (parameters.shape, output_units(parameters));
    for (row, numbers) in parameters.rows.iter_mut().enumerate() {
        *numbers = round_row(numbers, row, shape, &units);
    }
}

/// The difference between the engine's values and those of the network in floats.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Rounding {
    /// The mean absolute difference, in centipawns.
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
        let output_units = output_units(parameters);
        let output = output_units
            .iter()
            .flat_map(|&unit| whole(2 * shape.hidden, unit))
            .collect();
        Quantised {
            shape,
            scale,
            weights,
            biases,
            output,
            output_biases: (numbers.zip(&output_units))
                .map(|(n, unit)| (n * (QA * unit) as f32).round() as i32)
                .collect(),
            output_units,
            small_layers: small_layers(&rounded),
        }
    }

    /// Returns the bytes of the network file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let small = [&self.weights[..], &self.biases, &self.output];
        let small = small.into_iter().flatten().flat_map(|n| n.to_le_bytes());
        let biases = self.output_biases.iter().flat_map(|n| n.to_le_bytes());
        let units = self.output_units.iter().flat_map(|n| n.to_le_bytes());
        let body: Vec<u8> = small
            .chain(biases)
            .chain(units)
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
        for number in sizes.into_iter().chain([QA, self.scale]) {
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

/// Rounds a network and shifts the biases of its output so that the values in the positions have no
/// mean error in any bucket that at least 50 of them belong to. The errors of rounding hundreds of
/// weights add up to a shift of some centipawns, another one in each bucket, because activations
/// are never negative.
///
/// # Errors
/// Fails when the engine refuses the file.
pub fn centred(
    parameters: &Parameters,
    scale: u32,
    samples: &[Sample],
) -> Result<Quantised, NetworkError> {
    let mut network = Quantised::new(parameters, scale);
    let mut errors = vec![(0.0, 0_u32); network.shape.buckets];
    for (sample, error) in samples.iter().zip(network.errors(parameters, samples)?) {
        let (sum, count) = &mut errors[sample.bucket(network.shape)];
        *sum += error;
        *count += 1;
    }
    let outputs = network.output_biases.iter_mut().zip(&network.output_units);
    for ((bias, unit), (sum, count)) in outputs.zip(errors) {
        if count >= MIN_POSITIONS {
            let mean = sum / f64::from(count) / f64::from(scale);
            *bias -= (mean * f64::from(QA * unit)).round() as i32;
        }
    }
    Ok(network)
}

impl Quantised {
    /// Compares the engine's values of positions with those of the network in floats.
    ///
    /// # Errors
    /// Fails when the engine refuses the file.
    pub fn rounding(
        &self,
        parameters: &Parameters,
        samples: &[Sample],
    ) -> Result<Rounding, NetworkError> {
        let mut rounding = Rounding::default();
        for error in self.errors(parameters, samples)? {
            rounding.mean += error.abs() / samples.len() as f64;
            rounding.worst = rounding.worst.max(error.abs());
        }
        Ok(rounding)
    }

    /// Returns what the engine's value of each position is above that of the network in floats, in
    /// centipawns.
    fn errors(
        &self,
        parameters: &Parameters,
        samples: &[Sample],
    ) -> Result<Vec<f64>, NetworkError> {
        let engine = Network::parse(&self.to_bytes())?;
        let errors = samples.iter().zip(outputs(parameters, samples));
        let errors = errors.map(|(sample, output)| {
            let value = engine.evaluate_board(&sample.board(), Color::White);
            f64::from(value) - f64::from(output) * f64::from(self.scale)
        });
        Ok(errors.collect())
    }
}
