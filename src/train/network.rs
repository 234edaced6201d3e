//! The network's parameters as floats, laid out for fast loops.

use super::order::uniform;
use super::small_layers::SmallRows;
use crate::eval::nnue::{FEATURES, MARKS, MAX_BUCKETS, Q_SECOND, SECOND, THIRD, output_bucket};

/// The inputs for a piece of one colour and kind.
const SQUARES: usize = 64;
/// The number of neurons processed together. Their sums fill eight of AVX2's sixteen registers, and
/// their weights fit into a second-level cache.
pub const TILE: usize = 64;

/// The biases of all output buckets share a row.
const _: () = assert!(MAX_BUCKETS <= TILE);

/// The bound of weights, so that 64 times a weight fits 8 bits.
pub const CLIP: f32 = 1.98;
/// The bound of the second layer's weights, so that [`Q_SECOND`] times a weight fits 8 bits.
const SECOND_CLIP: f32 = 127.0 / Q_SECOND as f32;
/// The typical number of active inputs; a fan-in of 768 would make the initial sums far too small.
const FAN_IN: f32 = 32.0;

/// The range of the second layer's initial weights times the root of their number. It spreads the
/// layer's values about as far as their activation is not constant.
const SECOND_RANGE: f32 = 3.0;
/// The range of the third layer's initial weights.
const THIRD_RANGE: f32 = 0.5;
/// The third layer's initial biases, with which most of its neurons are not at zero.
const THIRD_BIAS: f32 = 0.1;

/// One number for each neuron of a tile: parameters, gradients or moments.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C, align(64))]
pub struct TileRow(pub [f32; TILE]);

impl TileRow {
    /// Zeros.
    pub const ZERO: TileRow = TileRow([0.0; TILE]);
}

/// The size of a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape {
    /// The number of neurons of the hidden layer for each side, a multiple of [`TILE`].
    pub hidden: usize,
    /// The number of king buckets: 1, or 8 ([`king_bucket`](crate::eval::nnue::king_bucket)).
    pub king_buckets: usize,
    /// True if marks ([`PieceMarks`](crate::eval::nnue::PieceMarks)) are among the inputs.
    pub has_marks: bool,
    /// The number of output buckets.
    pub buckets: usize,
    /// The number of output buckets with a second and a third layer, those with the fewest pieces.
    pub small_layers: usize,
}

impl Shape {
    /// Returns the number of sets of input weights.
    pub const fn input_sets(self) -> usize {
        self.king_buckets + if self.has_marks { MARKS } else { 0 }
    }

    /// Returns the number of inputs for each side.
    pub const fn inputs(self) -> usize {
        self.input_sets() * FEATURES
    }

    /// Returns the number of tiles of the hidden layer for each side.
    pub const fn tiles(self) -> usize {
        self.hidden / TILE
    }

    /// Returns the output bucket for this number of pieces on the board.
    #[inline]
    pub const fn bucket(self, pieces: usize) -> usize {
        output_bucket(pieces, self.buckets)
    }

    /// Returns the first row of the hidden layer's biases.
    pub const fn biases(self) -> usize {
        self.tiles() * self.inputs()
    }

    /// Returns the first row of the output weights: for each bucket those of the side to move, then
    /// the opponent's.
    pub const fn output(self) -> usize {
        self.biases() + self.tiles()
    }

    /// Returns the rows of a bucket's output weights.
    pub const fn output_of(self, bucket: usize) -> std::ops::Range<usize> {
        let first = self.output() + bucket * 2 * self.tiles();
        first..first + 2 * self.tiles()
    }

    /// Returns the row of the output biases, one for each bucket.
    pub const fn output_biases(self) -> usize {
        self.output() + self.buckets * 2 * self.tiles()
    }

    /// Returns the rows of a bucket's small layers, if it has any.
    pub const fn small_layers_of(self, bucket: usize) -> std::ops::Range<usize> {
        let count = SmallRows::of(self).count();
        let first = self.output_biases() + 1 + bucket * count;
        first..first + count
    }

    /// Returns the number of rows.
    pub const fn rows(self) -> usize {
        self.small_layers_of(self.small_layers).start
    }

    /// Returns the number of a row among those of its bucket's small layers, or `None` for other
    /// rows.
    pub const fn small_row(self, row: usize) -> Option<usize> {
        match row.checked_sub(self.output_biases() + 1) {
            Some(row) => Some(row % SmallRows::of(self).count()),
            None => None,
        }
    }

    /// Returns the number of values that [`Parameters::canonical`] yields.
    pub const fn canonical_len(self) -> usize {
        let small = 2 * self.hidden * SECOND + SECOND + (2 * SECOND + 2) * THIRD;
        (self.inputs() + 1 + 2 * self.buckets) * self.hidden
            + self.buckets
            + self.small_layers * small
    }

    /// Returns the shape of the weights that a factoriser shares: one set for all king buckets, of
    /// the rows for a mark of a piece on 64 squares only the first, and the small layers of the
    /// first output bucket.
    pub const fn shared(self) -> Shape {
        Shape {
            king_buckets: 1,
            ..self
        }
    }

    /// Returns the row of shared weights for a row of the first layer or of small layers, or `None`
    /// for other rows.
    pub const fn shared_row(self, row: usize) -> Option<usize> {
        let (tile, input) = (row / self.inputs(), row % self.inputs());
        if let Some(small_row) = self.small_row(row) {
            return Some(self.shared().output_biases() + 1 + small_row);
        }
        if row >= self.biases() {
            return None;
        }
        let marks = self.king_buckets * FEATURES;
        let shared = if input < marks {
            input % FEATURES
        } else {
            FEATURES + (input - marks) / SQUARES * SQUARES
        };
        Some(tile * self.shared().inputs() + shared)
    }

    /// Returns the rows that a row of shared weights contributes to.
    pub fn rows_of_shared(self, shared_row: usize) -> impl ExactSizeIterator<Item = usize> {
        let inputs = self.shared().inputs();
        let (tile, input) = (shared_row / inputs, shared_row % inputs);
        let first = tile * self.inputs();
        let is_input = shared_row < self.shared().biases();
        let (first, stride, count) = if let Some(small_row) = self.shared().small_row(shared_row)
            && self.shared().small_layers_of(0).contains(&shared_row)
        {
            let first = self.output_biases() + 1 + small_row;
            (first, SmallRows::of(self).count(), self.small_layers)
        } else if is_input && input < FEATURES {
            (first + input, FEATURES, self.king_buckets)
        } else if is_input && input.is_multiple_of(SQUARES) {
            (
                first + (self.king_buckets - 1) * FEATURES + input,
                1,
                SQUARES,
            )
        } else {
            (0, 0, 0)
        };
        (0..count).map(move |i| first + i * stride)
    }

    /// Returns how the optimiser treats a row.
    pub const fn treatment(self, row: usize) -> Treatment {
        if let Some(own) = self.small_row(row) {
            let rows = SmallRows::of(self);
            return Treatment {
                decays: !rows.is_bias(own),
                bound: if own < rows.third() {
                    SECOND_CLIP
                } else {
                    f32::INFINITY
                },
                group: Group::SmallLayers,
            };
        }
        let is_bias = (row >= self.biases() && row < self.output()) || row == self.output_biases();
        let is_mark = row < self.biases() && row % self.inputs() >= self.king_buckets * FEATURES;
        Treatment {
            decays: !is_bias,
            bound: if row == self.output_biases() {
                f32::INFINITY
            } else {
                CLIP
            },
            group: if is_mark { Group::Marks } else { Group::Main },
        }
    }

    /// Returns rows and lanes in canonical order: the first layer's weights `[input][neuron]`, its
    /// biases, the output weights `[bucket][side][neuron]`, the output biases; for each bucket with
    /// small layers, the second layer's weights `[neuron][side][neuron of the first]`, the third's
    /// `[clamped, square][neuron of the second][neuron]`, the biases of both and the output
    /// weights.
    fn places(self) -> impl Iterator<Item = (usize, usize)> {
        let neurons = move |first: usize, stride: usize| {
            (0..self.hidden).map(move |n| (first + n / TILE * stride, n % TILE))
        };
        let weights = (0..self.inputs()).flat_map(move |input| neurons(input, self.inputs()));
        let rest = (0..1 + 2 * self.buckets)
            .flat_map(move |i| neurons(self.biases() + i * self.tiles(), 1));
        let biases = (0..self.buckets).map(move |bucket| (self.output_biases(), bucket));
        let small = (self.output_biases() + 1..self.rows()).flat_map(move |row| {
            let lanes = self
                .small_row(row)
                .map(|row| SmallRows::of(self).lanes(row));
            (0..lanes.unwrap_or(0)).map(move |lane| (row, lane))
        });
        weights.chain(rest).chain(biases).chain(small)
    }
}

/// The optimiser's treatment of a row of parameters.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Treatment {
    /// True for weights, which decay towards zero; false for biases.
    pub decays: bool,
    /// The largest absolute value, for those that become small integers.
    pub bound: f32,
    /// The parameters with the same learning rate.
    pub group: Group,
}

/// Parameters with a learning rate of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Group {
    /// The input weights of marks.
    Marks,
    /// The second and third layers.
    SmallLayers,
    /// All others.
    Main,
}

/// One number for each parameter: the parameters themselves, a gradient, or a moment.
///
/// The first layer is stored tile by tile, `[tile][input][neuron of the tile]`, so that one tile
/// stays in the cache while all positions of a chunk pass.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters {
    /// The network's size.
    pub shape: Shape,
    /// The numbers.
    pub rows: Vec<TileRow>,
}

impl Parameters {
    /// Creates parameters that are all zero.
    pub fn zero(shape: Shape) -> Parameters {
        Parameters {
            shape,
            rows: vec![TileRow::ZERO; shape.rows()],
        }
    }

    /// Creates initial parameters: weights uniform within +- 1 / sqrt(active inputs), biases zero,
    /// and small layers as [`Parameters::with_small_layers`] does.
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
        parameters.begin_small_layers(seed);
        parameters
    }

    /// Returns the same network with small layers in this number of output buckets, if it has none:
    /// random weights, the same in all buckets, of which the last are zero, so that the output does
    /// not change at first.
    #[must_use]
    pub fn with_small_layers(&self, small_layers: usize, seed: u64) -> Parameters {
        if self.shape.small_layers > 0 {
            return self.clone();
        }
        let mut parameters = Parameters::zero(Shape {
            small_layers,
            ..self.shape
        });
        parameters.rows[..self.rows.len()].copy_from_slice(&self.rows);
        parameters.begin_small_layers(seed);
        parameters
    }

    fn begin_small_layers(&mut self, seed: u64) {
        let (shape, rows) = (self.shape, SmallRows::of(self.shape));
        let second = SECOND_RANGE / ((2 * shape.hidden) as f32).sqrt();
        for row in shape.output_biases() + 1..shape.rows() {
            let own = shape.small_row(row).unwrap_or_default();
            let number = |lane: usize| uniform(!seed, (own * TILE + lane) as u64);
            let numbers = &mut self.rows[row].0[..rows.lanes(own)];
            for (lane, place) in numbers.iter_mut().enumerate() {
                *place = if own < rows.third() {
                    second * number(lane)
                } else if own < rows.second_biases() {
                    THIRD_RANGE * number(lane)
                } else if own == rows.third_biases() {
                    THIRD_BIAS
                } else {
                    0.0
                };
            }
        }
    }

    /// Returns the same network with more sets of input weights: copies of its own for the king
    /// buckets, if it has one set for all of them, and zeros for marks, if it has none.
    #[must_use]
    pub fn with_input_sets(&self, king_buckets: usize, has_marks: bool) -> Parameters {
        let own = self.shape;
        let shape = Shape {
            king_buckets,
            has_marks,
            ..own
        };
        let numbers: Vec<f32> = self.canonical().collect();
        let (weights, rest) = numbers.split_at(own.inputs() * own.hidden);
        let (buckets, marks) = weights.split_at(own.king_buckets * FEATURES * own.hidden);
        let copies = std::iter::repeat_n(buckets, king_buckets / own.king_buckets);
        let new_marks = if has_marks && !own.has_marks {
            MARKS
        } else {
            0
        };
        let zeros = std::iter::repeat_n(&0.0, new_marks * FEATURES * own.hidden);
        let mut parameters = Parameters::zero(shape);
        parameters.set_canonical(
            copies
                .flatten()
                .chain(marks)
                .chain(zeros)
                .chain(rest)
                .copied(),
        );
        parameters
    }

    /// Multiplies the output by a factor.
    pub fn scale_output(&mut self, factor: f32) {
        let shape = self.shape;
        let is_last = |row: usize| match shape.small_row(row) {
            Some(own) => own == SmallRows::of(shape).output(),
            None => row >= shape.output(),
        };
        for (number, row) in self.rows.iter_mut().enumerate() {
            if is_last(number) {
                row.0 = row.0.map(|number| number * factor);
            }
        }
    }

    /// Iterates over the numbers in an order independent of the layout: `[input][neuron]`, biases,
    /// `[bucket][side][neuron]`, output biases.
    pub fn canonical(&self) -> impl Iterator<Item = f32> {
        self.shape
            .places()
            .map(|(row, lane)| self.rows[row].0[lane])
    }

    /// Sets the numbers in the order of [`Parameters::canonical`].
    pub fn set_canonical(&mut self, numbers: impl IntoIterator<Item = f32>) {
        for ((row, lane), number) in self.shape.places().zip(numbers) {
            self.rows[row].0[lane] = number;
        }
    }
}
