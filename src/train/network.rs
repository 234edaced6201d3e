//! The network's parameters as floats, in the layout that the loops over them like best.

use super::order::uniform;

/// The inputs of one side whose king stays in one bucket: 2 colours, 6 kinds of men, 64 squares.
pub const FEATURES: usize = 768;
/// How many neurons are worked on at a time. As many floats fill eight of AVX2's sixteen registers; the weights of so many
/// neurons fit into a second-level cache.
pub const TILE: usize = 64;
/// The most sets of output weights; their biases share a row.
pub const MAX_BUCKETS: usize = 32;
/// Weights stay within +-1.98, so that they fit when they are multiplied by 64 and kept in 8 bits.
pub const CLIP: f32 = 1.98;
/// About as many inputs are on at once; 768 would make the first values far too small.
const FAN_IN: f32 = 32.0;

/// The numbers of the neurons of a tile: parameters, gradients or moments.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C, align(64))]
pub struct Row(pub [f32; TILE]);

impl Row {
    /// Zeros.
    pub const ZERO: Row = Row([0.0; TILE]);
}

/// The size of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Neurons of the hidden layer for each side, a multiple of [`TILE`].
    pub hidden: usize,
    /// Sets of input weights: 1, or 4 ([`king_bucket`](crate::eval::nnue::king_bucket)).
    pub king_buckets: usize,
    /// Sets of output weights.
    pub buckets: usize,
}

impl Shape {
    /// How many inputs a side has.
    pub const fn inputs(self) -> usize {
        self.king_buckets * FEATURES
    }

    /// How many tiles the hidden layer has for each side.
    pub const fn tiles(self) -> usize {
        self.hidden / TILE
    }

    /// The set of output weights for a position of so many men.
    #[inline]
    pub const fn bucket(self, men: usize) -> usize {
        let bucket = men.saturating_sub(2) / 32_usize.div_ceil(self.buckets);
        if bucket < self.buckets {
            bucket
        } else {
            self.buckets - 1
        }
    }

    /// Where the biases of the hidden layer begin, in rows.
    pub const fn biases(self) -> usize {
        self.tiles() * self.inputs()
    }

    /// Where the output weights begin, in rows: for each bucket those of the side to move, then the opponent's.
    pub const fn output(self) -> usize {
        self.biases() + self.tiles()
    }

    /// The rows with the output weights of a bucket.
    pub const fn output_of(self, bucket: usize) -> std::ops::Range<usize> {
        let first = self.output() + bucket * 2 * self.tiles();
        first..first + 2 * self.tiles()
    }

    /// The row with the output biases, one for each bucket.
    pub const fn output_biases(self) -> usize {
        self.output() + self.buckets * 2 * self.tiles()
    }

    /// How many rows there are in all.
    pub const fn rows(self) -> usize {
        self.output_biases() + 1
    }

    /// How many numbers [`Parameters::canonical`] gives.
    pub const fn canonical_len(self) -> usize {
        (self.inputs() + 1 + 2 * self.buckets) * self.hidden + self.buckets
    }

    /// Returns the size of the part that a factoriser shares between the king buckets.
    pub const fn shared(self) -> Shape {
        Shape {
            king_buckets: 1,
            ..self
        }
    }

    /// Returns the row of the shared weights that belongs to a row of the first layer, if it is one.
    pub const fn shared_row(self, row: usize) -> Option<usize> {
        if row >= self.biases() {
            return None;
        }
        let (tile, input) = (row / self.inputs(), row % self.inputs());
        Some(tile * FEATURES + input % FEATURES)
    }

    /// Returns the rows of the first layer that a row of the shared weights is part of, one for each
    /// king bucket.
    pub fn rows_of_shared(self, shared_row: usize) -> impl Iterator<Item = usize> {
        let (tile, feature) = (shared_row / FEATURES, shared_row % FEATURES);
        (0..self.king_buckets).map(move |bucket| tile * self.inputs() + bucket * FEATURES + feature)
    }

    /// What optimisation may do to a row.
    pub const fn treatment(self, row: usize) -> Treatment {
        let is_bias = (row >= self.biases() && row < self.output()) || row == self.output_biases();
        Treatment {
            decays: !is_bias,
            is_clipped: row != self.output_biases(),
        }
    }

    /// The rows and lanes in an order that depends on no tile: the first layer's weights `[input][neuron]`, its biases,
    /// the output weights `[bucket][side][neuron]`, the output biases.
    fn places(self) -> impl Iterator<Item = (usize, usize)> {
        let neurons = move |first: usize, stride: usize| {
            (0..self.hidden).map(move |n| (first + n / TILE * stride, n % TILE))
        };
        let weights = (0..self.inputs()).flat_map(move |input| neurons(input, self.inputs()));
        let rest = (0..1 + 2 * self.buckets)
            .flat_map(move |i| neurons(self.biases() + i * self.tiles(), 1));
        let biases = (0..self.buckets).map(move |bucket| (self.output_biases(), bucket));
        weights.chain(rest).chain(biases)
    }
}

/// What optimisation may do to a row of parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Treatment {
    /// Weights are pulled towards zero; biases are not.
    pub decays: bool,
    /// Everything that becomes a small integer stays within [`CLIP`].
    pub is_clipped: bool,
}

/// One number for each parameter: the parameters themselves, or a gradient, or a moment.
///
/// The first layer is stored tile by tile, `[tile][input][neuron of the tile]`: one tile stays in the cache while all
/// positions of a chunk pass.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters {
    /// The network's size.
    pub shape: Shape,
    /// The numbers.
    pub rows: Vec<Row>,
}

impl Parameters {
    /// All zero.
    pub fn zero(shape: Shape) -> Parameters {
        Parameters {
            shape,
            rows: vec![Row::ZERO; shape.rows()],
        }
    }

    /// Where training begins: weights drawn evenly from +- 1 / sqrt(inputs that are on), biases zero.
    pub fn random(shape: Shape, seed: u64) -> Parameters {
        let first = 1.0 / FAN_IN.sqrt();
        let second = 1.0 / ((2 * shape.hidden) as f32).sqrt();
        let weights = shape.inputs() * shape.hidden;
        let output = weights + shape.hidden;
        let numbers = (0..shape.canonical_len()).map(|index| {
            let range = if index < weights {
                first
            } else if (output..output + 2 * shape.hidden * shape.buckets).contains(&index) {
                second
            } else {
                0.0
            };
            range * uniform(seed, index as u64)
        });
        let mut parameters = Parameters::zero(shape);
        parameters.set_canonical(numbers);
        parameters
    }

    /// The same network with so many sets of input weights, a multiple of those that it has: copies of them.
    #[must_use]
    pub fn with_king_buckets(&self, king_buckets: usize) -> Parameters {
        let shape = Shape {
            king_buckets,
            ..self.shape
        };
        let numbers: Vec<f32> = self.canonical().collect();
        let (weights, rest) = numbers.split_at(self.shape.inputs() * shape.hidden);
        let copies = std::iter::repeat_n(weights, king_buckets / self.shape.king_buckets);
        let mut parameters = Parameters::zero(shape);
        parameters.set_canonical(copies.flatten().chain(rest).copied());
        parameters
    }

    /// The numbers in an order that depends on no layout: `[input][neuron]`, biases, `[bucket][side][neuron]`, output
    /// biases.
    pub fn canonical(&self) -> impl Iterator<Item = f32> {
        self.shape
            .places()
            .map(|(row, lane)| self.rows[row].0[lane])
    }

    /// Takes numbers in the order of [`Parameters::canonical`].
    pub fn set_canonical(&mut self, numbers: impl IntoIterator<Item = f32>) {
        for ((row, lane), number) in self.shape.places().zip(numbers) {
            self.rows[row].0[lane] = number;
        }
    }
}
