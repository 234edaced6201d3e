//! Chunks of positions that share the work on a tile of weights.

use super::kernel::{self, Tile};
use super::network::{Parameters, TileRow};
use super::sample::Active;
use super::small_layers::{self, SmallValues};

/// The number of positions in a chunk: enough to reuse a tile of weights while it is in the cache,
/// and few enough for their hidden layers to fit there too.
pub const CHUNK: usize = 128;

/// The inputs, targets and outputs of a chunk of positions, and their hidden layers.
#[derive(Debug)]
pub struct Chunk {
    /// The inputs `[position][side]`, the side to move's first.
    inputs: Vec<Active>,
    /// The output bucket of each position.
    buckets: Vec<u8>,
    /// The expected result that the network should predict, for each position.
    pub targets: Vec<f32>,
    /// The network's outputs before the logistic function.
    pub outputs: Vec<f32>,
    /// `[position][side][tile]`: the hidden layer before the activation, then its gradient.
    hidden: Vec<TileRow>,
    /// The values of each position's small layers, if the network has any.
    small: Vec<SmallValues>,
    /// The derivatives by one position's activations along the small layers.
    slopes: Vec<TileRow>,
}

impl Chunk {
    /// Allocates an empty chunk.
    pub fn new(tiles: usize) -> Chunk {
        Chunk {
            inputs: Vec::with_capacity(2 * CHUNK),
            buckets: Vec::with_capacity(CHUNK),
            targets: Vec::with_capacity(CHUNK),
            outputs: Vec::with_capacity(CHUNK),
            hidden: vec![TileRow::ZERO; CHUNK * 2 * tiles],
            small: vec![SmallValues::ZERO; CHUNK],
            slopes: vec![TileRow::ZERO; 2 * tiles],
        }
    }

    /// Removes all positions.
    pub fn clear(&mut self) {
        self.inputs.clear();
        self.buckets.clear();
        self.targets.clear();
    }

    /// Adds a position. A chunk holds at most [`CHUNK`].
    #[inline]
    pub fn push(&mut self, features: [Active; 2], bucket: usize, target: f32) {
        self.inputs.extend(features);
        self.buckets.push(bucket as u8);
        self.targets.push(target);
    }

    /// Computes the outputs.
    pub fn evaluate(&mut self, network: &Parameters) {
        let shape = network.shape;
        let count = shape.tiles();
        for number in 0..count {
            let weights = &network.rows[number * shape.inputs()..(number + 1) * shape.inputs()];
            let bias = &network.rows[shape.biases() + number];
            let tile = Tile { number, count };
            kernel::sum_inputs(weights, bias, &self.inputs, tile, &mut self.hidden);
        }
        let biases = &network.rows[shape.output_biases()].0;
        self.outputs.clear();
        let hidden = self.hidden.chunks_exact(2 * count);
        for ((&bucket, hidden), small) in self.buckets.iter().zip(hidden).zip(&mut self.small) {
            let bucket = usize::from(bucket);
            let mut output = biases[bucket];
            let weights = &network.rows[shape.output_of(bucket)];
            kernel::add_products(hidden, weights, &mut output);
            if bucket < shape.small_layers {
                let layers = &network.rows[shape.small_layers_of(bucket)];
                small_layers::add_output(hidden, layers, small, &mut output);
            }
            self.outputs.push(output);
        }
    }

    /// Adds the gradient of the loss to `gradient`, given its derivatives by the outputs. Call
    /// [`Chunk::evaluate`] first.
    pub fn backward(&mut self, network: &Parameters, slopes: &[f32], gradient: &mut Parameters) {
        let shape = network.shape;
        let count = shape.tiles();
        let hidden = self.hidden.chunks_exact_mut(2 * count);
        let positions = self.buckets.iter().zip(slopes).zip(&self.small);
        for (((&bucket, &slope), small), hidden) in positions.zip(hidden) {
            let bucket = usize::from(bucket);
            gradient.rows[shape.output_biases()].0[bucket] += slope;
            self.slopes.fill(TileRow::ZERO);
            if bucket < shape.small_layers {
                let rows = shape.small_layers_of(bucket);
                let layers = &network.rows[rows.clone()];
                let gradient = &mut gradient.rows[rows];
                small_layers::spread(slope, hidden, layers, small, gradient, &mut self.slopes);
            }
            let rows = shape.output_of(bucket);
            let weights = &network.rows[rows.clone()];
            let gradient = &mut gradient.rows[rows];
            kernel::spread_to_hidden(slope, weights, &self.slopes, hidden, gradient);
        }
        let (weights, rest) = gradient.rows.split_at_mut(shape.biases());
        let tiles = weights.chunks_exact_mut(shape.inputs()).zip(rest);
        for (number, (weights, bias)) in tiles.enumerate() {
            let tile = Tile { number, count };
            kernel::spread_to_inputs(&self.hidden, &self.inputs, tile, weights, bias);
        }
    }
}
