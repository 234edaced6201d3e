//! The network's weights, and its value of a position.

use std::fmt;

use shakmaty::{Board, Color, Square};

use super::features::{BoardInputs, InputDiff, Perspective};
use super::format::{
    KING_BUCKETS, MAX_WIDTH, NetworkError, NetworkFile, QA, SECOND, SMALL_LAYER_FLOATS, WIDTH_STEP,
    output_bucket, small_layer_bytes,
};
use super::simd::{Block, Kernel, LANES, WeightBlock};
use super::small_layers::SmallLayers;
use crate::eval::MAX_EVALUATION;
use crate::huge_pages::HugeBox;
use crate::position::Position;

/// The network file that is compiled into the program. The build script has checked it.
const EMBEDDED: &[u8] = include_bytes!(env!("QUEVEDO_NETWORK"));

const _: () = assert!(WIDTH_STEP == LANES);

/// A network, ready to evaluate. It is immutable and large (up to 16.5 KiB for each of the N
/// hidden neurons), so threads share it.
#[derive(Clone)]
pub struct Network {
    kernel: Kernel,
    /// Blocks in an accumulator: N / 32.
    blocks: usize,
    /// `[king bucket][feature][block]`, then those of marks, `[mark][feature][block]`, if any. The
    /// weights of a file with one king bucket are copied to all of them.
    feature_weights: HugeBox<[Block]>,
    /// `[block]`
    feature_biases: Vec<Block>,
    /// `[bucket][half][block]`, the side to move's half first.
    output_weights: Vec<Block>,
    /// `[bucket]`
    outputs: Vec<Output>,
    /// `[bucket]`, for the first S buckets.
    small_layers: Vec<SmallLayers>,
    /// The output bucket for each number of pieces on the board.
    bucket_of_pieces: [u8; 65],
    /// K, in centipawns.
    scale: u32,
    checksum: u64,
    /// The number of sets of input weights in the file.
    input_sets: usize,
}

/// The bias and the unit of a bucket, which turn its sum into a value.
#[derive(Clone, Copy)]
struct Output {
    /// In units of 1/(QA * QB).
    bias: i32,
    /// QA * QB.
    unit: f64,
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network")
            .field("width", &self.width())
            .field("input_sets", &self.input_sets)
            .field("buckets", &self.buckets())
            .field("scale", &self.scale)
            .field("checksum", &self.checksum)
            .field("kernel", &self.kernel)
            .finish_non_exhaustive()
    }
}

impl Network {
    /// Returns the network that is compiled into the program.
    ///
    /// # Panics
    /// Never: a test reads the embedded file.
    #[expect(clippy::expect_used, reason = "the bytes are part of the program")]
    pub fn embedded() -> Network {
        Network::parse(EMBEDDED).expect("the embedded network")
    }

    /// Parses a network file and selects the fastest kernel of this processor.
    ///
    /// # Errors
    /// Fails when the bytes are not a complete, undamaged network of a supported size.
    pub fn parse(bytes: &[u8]) -> Result<Network, NetworkError> {
        let file = NetworkFile::parse(bytes)?;
        let header = file.header;
        let blocks = header.width / LANES;
        let network = Network {
            kernel: Kernel::best(),
            blocks,
            feature_weights: HugeBox::copy_of(
                &to_blocks(file.feature_weights).repeat(KING_BUCKETS.div_ceil(header.input_sets)),
            ),
            feature_biases: to_blocks(file.feature_biases),
            output_weights: to_blocks(file.output_weights),
            outputs: outputs(&file),
            small_layers: file
                .small_layers
                .chunks_exact(small_layer_bytes(header.width))
                .map(to_small_layers)
                .collect(),
            bucket_of_pieces: std::array::from_fn(|pieces| {
                output_bucket(pieces, header.buckets) as u8
            }),
            scale: header.scale,
            checksum: header.checksum,
            input_sets: header.input_sets,
        };
        Ok(network)
    }

    /// Returns the same network with another kernel, for tests and timing.
    #[must_use]
    pub fn with_kernel(mut self, kernel: Kernel) -> Network {
        self.kernel = kernel;
        self
    }

    /// Returns the kernel that computes the network.
    pub const fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// Returns N, the width of an accumulator.
    pub const fn width(&self) -> usize {
        self.blocks * LANES
    }

    /// Returns I, the number of sets of input weights.
    pub const fn input_sets(&self) -> usize {
        self.input_sets
    }

    /// Returns whether marks are among the inputs.
    #[inline]
    pub(super) const fn has_marks(&self) -> bool {
        self.input_sets > KING_BUCKETS
    }

    /// Returns S, the number of output buckets with small layers.
    pub(super) const fn small_layers(&self) -> usize {
        self.small_layers.len()
    }

    /// Returns B, the number of output buckets.
    pub const fn buckets(&self) -> usize {
        self.outputs.len()
    }

    /// Returns K, the centipawns for an output of 1.
    pub const fn scale(&self) -> u32 {
        self.scale
    }

    /// Returns the checksum of the weights.
    pub const fn checksum(&self) -> u64 {
        self.checksum
    }

    /// Returns what identifies the network: the checksum of the weights, the sizes N, I and B, and
    /// K.
    pub const fn identity(&self) -> (u64, [usize; 3], u32) {
        let sizes = [self.width(), self.input_sets, self.buckets()];
        (self.checksum, sizes, self.scale)
    }

    /// Returns the number of blocks in an accumulator.
    #[inline]
    pub(super) const fn blocks(&self) -> usize {
        self.blocks
    }

    /// Returns the first layer's biases: the accumulator of an empty board.
    #[inline]
    pub(super) fn feature_biases(&self) -> &[Block] {
        &self.feature_biases
    }

    /// Returns the output bucket for this number of pieces on the board, pawns and kings included.
    #[inline]
    pub fn bucket(&self, pieces: usize) -> usize {
        usize::from(self.bucket_of_pieces[pieces.min(64)])
    }

    /// Computes the value in centipawns from the accumulators of the side to move and of its
    /// opponent.
    #[inline]
    pub(super) fn output(&self, us: &[Block], them: &[Block], pieces: usize) -> i32 {
        let bucket = self.bucket(pieces);
        let length = 2 * self.blocks;
        let weights = &self.output_weights[bucket * length..][..length];
        let sum = self.kernel.forward(us, them, weights);
        let Output { bias, unit } = self.outputs[bucket];
        let output = i64::from(sum / i32::from(QA)) + i64::from(bias);
        // A float holds the product exactly, so this is what a division of integers gives.
        let mut value = ((output * i64::from(self.scale)) as f64 / unit) as i64;
        if let Some(layers) = self.small_layers.get(bucket) {
            let added = self.kernel.small_layers(us, them, layers) * self.scale as f32;
            value = value.saturating_add(added as i64);
        }
        let limit = i64::from(MAX_EVALUATION);
        value.clamp(-limit, limit) as i32
    }

    /// Returns the value of a position for the side to move, in centipawns, computed from scratch.
    /// A search gets the same value faster from an [`AccumulatorStack`](super::AccumulatorStack).
    pub fn evaluate(&self, position: &Position) -> i32 {
        self.evaluate_board(position.board(), position.turn())
    }

    /// Returns the value of a board, which need not be a legal position, for the side to move, in
    /// centipawns.
    pub fn evaluate_board(&self, board: &Board, turn: Color) -> i32 {
        let inputs = BoardInputs::of_board(board, self.has_marks());
        let perspectives = [turn, !turn].map(|color| {
            // A missing king is treated as one on a1.
            Perspective::new(color, board.king_of(color).unwrap_or(Square::A1))
        });
        let mut diff = InputDiff::EMPTY;
        diff.compute(&BoardInputs::EMPTY, &inputs, &perspectives);
        let mut halves = [[Block::ZERO; MAX_WIDTH / LANES]; 2];
        for (side, half) in halves.iter_mut().enumerate() {
            self.update(&self.feature_biases, &mut half[..self.blocks], &diff, side);
        }
        let pieces = board.occupied().count();
        self.output(&halves[0][..self.blocks], &halves[1][..self.blocks], pieces)
    }

    /// Computes an accumulator from that of another board, given the inputs that change, and for
    /// which of their perspectives.
    #[inline]
    pub(super) fn update<const PERSPECTIVES: usize>(
        &self,
        from: &[Block],
        to: &mut [Block],
        diff: &InputDiff<PERSPECTIVES>,
        perspective: usize,
    ) {
        let (adds, subs) = (diff.adds.of(perspective), diff.subs.of(perspective));
        self.kernel
            .update(from, to, &self.feature_weights, adds, subs);
    }
}

/// Reads the biases and units of the output.
fn outputs(file: &NetworkFile<'_>) -> Vec<Output> {
    let biases = file.output_biases.as_chunks().0.iter().copied();
    let units = file.output_units.as_chunks().0.iter().copied();
    let output = |(bias, unit)| Output {
        bias: i32::from_le_bytes(bias),
        unit: f64::from(QA) * f64::from(u32::from_le_bytes(unit)),
    };
    biases.zip(units).map(output).collect()
}

/// Splits 16-bit numbers, a multiple of 32 of them, into blocks.
fn to_blocks(bytes: &[u8]) -> Vec<Block> {
    let (blocks, _) = bytes.as_chunks::<{ 2 * LANES }>();
    blocks
        .iter()
        .map(|block| {
            let mut values = block.as_chunks().0.iter().copied().map(i16::from_le_bytes);
            Block(std::array::from_fn(|_| values.next().unwrap_or_default()))
        })
        .collect()
}

/// Reads the small layers of a bucket: the second layer's weights, which are put into the order of
/// the kernels, then the floats.
fn to_small_layers(bytes: &[u8]) -> SmallLayers {
    let (weights, floats) = bytes.split_at(bytes.len() - 4 * SMALL_LAYER_FLOATS);
    let (fours, _) = weights.as_chunks::<{ 4 * SECOND }>();
    let width = fours.len() * 4 / 2;
    let weights_of = |block: usize, neuron: usize| {
        let mut weights = [0; 2 * LANES];
        for side in 0..2 {
            for lane in 0..LANES {
                let activation = side * width + block * LANES + lane;
                let byte = fours[activation / 4][4 * neuron + activation % 4];
                weights[WeightBlock::index(side, lane)] = byte as i8;
            }
        }
        WeightBlock(weights)
    };
    let mut numbers = floats.as_chunks().0.iter().copied().map(f32::from_le_bytes);
    let mut number = || numbers.next().unwrap_or_default();
    SmallLayers {
        second_weights: (0..width / LANES)
            .map(|block| std::array::from_fn(|neuron| weights_of(block, neuron)))
            .collect(),
        second_biases: std::array::from_fn(|_| number()),
        third_weights: std::array::from_fn(|_| {
            std::array::from_fn(|_| std::array::from_fn(|_| number()))
        }),
        third_biases: std::array::from_fn(|_| number()),
        output_weights: std::array::from_fn(|_| number()),
    }
}
