//! The network's weights, and the file that they are read from.

use std::fmt;

use shakmaty::{Board, Color};
use thiserror::Error;

use super::features::{Difference, FEATURES, INPUTS, KING_BUCKETS, Perspective};
use super::simd::{Block, Kernel, LANES, QA};
use crate::eval::MAX_EVALUATION;
use crate::position::Position;

/// The first bytes of a network file.
pub const MAGIC: [u8; 16] = *b"Quevedo NNUE 2\0\0";

/// The file of the network that the program comes with.
const EMBEDDED: &[u8] = include_bytes!("quevedo.nnue");

/// What a weight of 1 is in the second layer.
const QB: i16 = 64;

/// The widest accumulator.
const MAX_WIDTH: usize = 1024;

/// The most sets of output weights.
const MAX_BUCKETS: usize = 32;

/// The largest weight in the second layer, either way: multiplied by [`QA`] it still fits 16 bits.
const MAX_OUTPUT_WEIGHT: i16 = 127;

/// The largest scale K, in centipawns; far beyond any useful one.
const MAX_SCALE: u32 = 65_535;

/// Numbers in the header.
const NUMBERS: usize = 6;

/// What comes before the weights: magic, numbers, checksum.
pub const HEADER_BYTES: usize = MAGIC.len() + NUMBERS * 4 + 8;

/// Why a file is not a network that can be used.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NetworkError {
    /// It is another kind of file.
    #[error("not a Quevedo network: it does not begin with \"Quevedo NNUE 2\"")]
    Magic,
    /// It ends within the header.
    #[error("truncated: {0} bytes, and the header alone has {HEADER_BYTES}")]
    Header(usize),
    /// The accumulators have a width that there is no code for.
    #[error("hidden layer of {0}: it has to be a multiple of 32 up to {MAX_WIDTH}")]
    Width(u32),
    /// A number of king buckets that there is no code for.
    #[error("{0} king buckets: there can be 1 or {KING_BUCKETS}")]
    KingBuckets(u32),
    /// A number of output buckets that there is no code for.
    #[error("{0} output buckets: there can be 1 to {MAX_BUCKETS}")]
    Buckets(u32),
    /// The weights have other units.
    #[error("quantised by {qa} and {qb}: it has to be {QA} and {QB}")]
    Quantisation {
        /// Of the first layer.
        qa: u32,
        /// Of the second layer.
        qb: u32,
    },
    /// A scale that makes no sense.
    #[error("scale of {0} centipawns: it has to be 1 to {MAX_SCALE}")]
    Scale(u32),
    /// There are too few or too many weights.
    #[error("{found} bytes, but its header asks for {expected}")]
    Size {
        /// Bytes of a file with this header.
        expected: usize,
        /// Bytes of this file.
        found: usize,
    },
    /// The weights are not what was written.
    #[error("damaged: the checksum is {found:016x} and should be {expected:016x}")]
    Checksum {
        /// What the header says.
        expected: u64,
        /// What the weights give.
        found: u64,
    },
    /// A weight does not fit the arithmetic.
    #[error("output weight {index} of bucket {bucket} is {weight}: beyond +-{MAX_OUTPUT_WEIGHT}")]
    OutputWeight {
        /// The output bucket.
        bucket: usize,
        /// The input, below 2N.
        index: usize,
        /// The weight.
        weight: i16,
    },
}

/// A network, ready to evaluate. Immutable, and large (6 KiB for each of the N hidden neurons): share it.
#[derive(Clone)]
pub struct Network {
    kernel: Kernel,
    /// Blocks in an accumulator: N / 32.
    blocks: usize,
    /// `[king bucket][feature][block]`. All buckets have the same weights where the file has one set.
    feature_weights: Vec<Block>,
    /// `[block]`
    feature_biases: Vec<Block>,
    /// `[bucket][half][block]`, the side to move's half first.
    output_weights: Vec<Block>,
    /// `[bucket]`, in units of 1/(QA * QB).
    output_biases: Vec<i32>,
    /// The output bucket for each number of men.
    bucket_of_men: [u8; 65],
    /// K, in centipawns.
    scale: u32,
    checksum: u64,
    /// The sets of input weights that the file has: 1 or [`KING_BUCKETS`].
    king_buckets: usize,
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Network")
            .field("width", &self.width())
            .field("king_buckets", &self.king_buckets)
            .field("buckets", &self.buckets())
            .field("scale", &self.scale)
            .field("checksum", &self.checksum)
            .field("kernel", &self.kernel)
            .finish_non_exhaustive()
    }
}

impl Network {
    /// The network that the program comes with.
    ///
    /// # Panics
    /// Never: the file is part of the program, and a test reads it.
    #[expect(clippy::expect_used, reason = "the bytes are part of the program")]
    pub fn embedded() -> Network {
        Network::parse(EMBEDDED).expect("the network of the program")
    }

    /// Reads a network file, for the fastest kernel of this processor.
    ///
    /// # Errors
    /// When the bytes are not such a file, whole and unharmed, of a size and units that there is code for.
    pub fn parse(bytes: &[u8]) -> Result<Network, NetworkError> {
        let (header, payload) = Header::parse(bytes)?;
        let blocks = header.width / LANES;
        let (features, rest) = payload.split_at(header.king_buckets * FEATURES * header.width * 2);
        let (biases, rest) = rest.split_at(header.width * 2);
        let (outputs, output_biases) = rest.split_at(header.buckets * 2 * header.width * 2);
        let network = Network {
            kernel: Kernel::best(),
            blocks,
            feature_weights: to_blocks(features).repeat(KING_BUCKETS / header.king_buckets),
            feature_biases: to_blocks(biases),
            output_weights: to_blocks(outputs),
            output_biases: output_biases
                .as_chunks()
                .0
                .iter()
                .map(|&bytes| i32::from_le_bytes(bytes))
                .collect(),
            bucket_of_men: bucket_of_men(header.buckets),
            scale: header.scale,
            checksum: header.checksum,
            king_buckets: header.king_buckets,
        };
        debug_assert_eq!(network.feature_weights.len(), INPUTS * blocks);
        network.check_output_weights()?;
        Ok(network)
    }

    /// Refuses weights whose products would not fit 16 bits.
    fn check_output_weights(&self) -> Result<(), NetworkError> {
        let weights = self.output_weights.iter().flat_map(|block| block.0);
        let allowed = -MAX_OUTPUT_WEIGHT..=MAX_OUTPUT_WEIGHT;
        match weights
            .enumerate()
            .find(|(_, weight)| !allowed.contains(weight))
        {
            None => Ok(()),
            Some((index, weight)) => Err(NetworkError::OutputWeight {
                bucket: index / (2 * self.width()),
                index: index % (2 * self.width()),
                weight,
            }),
        }
    }

    /// The same network, computed with another kernel: for tests and timing.
    #[must_use]
    pub fn with_kernel(mut self, kernel: Kernel) -> Network {
        self.kernel = kernel;
        self
    }

    /// What computes it.
    pub const fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// N, the neurons of an accumulator.
    pub const fn width(&self) -> usize {
        self.blocks * LANES
    }

    /// I, the sets of input weights.
    pub const fn king_buckets(&self) -> usize {
        self.king_buckets
    }

    /// B, the sets of output weights.
    pub const fn buckets(&self) -> usize {
        self.output_biases.len()
    }

    /// K: centipawns for an output of 1.
    pub const fn scale(&self) -> u32 {
        self.scale
    }

    /// The checksum of the weights.
    pub const fn checksum(&self) -> u64 {
        self.checksum
    }

    /// What tells networks apart: the checksum of the weights, and what the header says of them (N, I, B, K).
    pub const fn identity(&self) -> (u64, [usize; 3], u32) {
        let sizes = [self.width(), self.king_buckets, self.buckets()];
        (self.checksum, sizes, self.scale)
    }

    /// Blocks in an accumulator.
    #[inline]
    pub(super) const fn blocks(&self) -> usize {
        self.blocks
    }

    /// The first layer's weights, `[king bucket][feature][block]`.
    #[inline]
    pub(super) fn feature_weights(&self) -> &[Block] {
        &self.feature_weights
    }

    /// The first layer's weights for one input.
    #[inline]
    pub(super) fn row(&self, input: usize) -> &[Block] {
        &self.feature_weights[input * self.blocks..][..self.blocks]
    }

    /// The first layer's biases: the accumulator of an empty board.
    #[inline]
    pub(super) fn feature_biases(&self) -> &[Block] {
        &self.feature_biases
    }

    /// The set of output weights for this many men.
    #[inline]
    pub fn bucket(&self, men: usize) -> usize {
        usize::from(self.bucket_of_men[men.min(64)])
    }

    /// The value in centipawns, from the accumulators of the side to move and of the other side.
    #[inline]
    pub(super) fn output(&self, us: &[Block], them: &[Block], men: usize) -> i32 {
        let bucket = self.bucket(men);
        let length = 2 * self.blocks;
        let weights = &self.output_weights[bucket * length..][..length];
        let sum = self.kernel.forward(us, them, weights);
        let output = i64::from(sum / i32::from(QA)) + i64::from(self.output_biases[bucket]);
        let value = output * i64::from(self.scale) / (i64::from(QA) * i64::from(QB));
        let limit = i64::from(MAX_EVALUATION);
        value.clamp(-limit, limit) as i32
    }

    /// The value of a position for the side to move, in centipawns, computed from nothing. A search uses an
    /// [`AccumulatorStack`](super::AccumulatorStack), which gives the same value faster.
    pub fn evaluate(&self, position: &Position) -> i32 {
        self.evaluate_board(position.board(), position.turn())
    }

    /// The value of a board, which need not be a legal position, for the side to move, in centipawns.
    pub fn evaluate_board(&self, board: &Board, turn: Color) -> i32 {
        let mut halves = [[Block::ZERO; MAX_WIDTH / LANES]; 2];
        for (half, color) in halves.iter_mut().zip([turn, !turn]) {
            self.accumulate(board, color, &mut half[..self.blocks]);
        }
        let men = board.occupied().count();
        self.output(&halves[0][..self.blocks], &halves[1][..self.blocks], men)
    }

    /// One side's accumulator, from nothing.
    fn accumulate(&self, board: &Board, color: Color, accumulator: &mut [Block]) {
        accumulator.copy_from_slice(&self.feature_biases);
        // A board without a king is seen as if it stood on the left.
        let king = board.king_of(color).unwrap_or(shakmaty::Square::A1);
        let perspective = Perspective::new(color, king);
        let inputs = Difference::new(&Board::empty(), board, perspective).adds;
        self.kernel
            .refresh(accumulator, &self.feature_weights, &inputs, &[]);
    }
}

/// What stands before the weights.
struct Header {
    width: usize,
    king_buckets: usize,
    buckets: usize,
    scale: u32,
    checksum: u64,
}

impl Header {
    /// Reads the header, and holds the bytes after it to what it says about them.
    fn parse(bytes: &[u8]) -> Result<(Header, &[u8]), NetworkError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(NetworkError::Magic);
        }
        let (header, payload) = bytes
            .split_first_chunk::<HEADER_BYTES>()
            .ok_or(NetworkError::Header(bytes.len()))?;
        let (numbers, checksum_bytes) = header[MAGIC.len()..].split_at(NUMBERS * 4);
        let mut numbers = numbers
            .as_chunks()
            .0
            .iter()
            .copied()
            .map(u32::from_le_bytes);
        let mut number = || numbers.next().unwrap_or_default();
        let (width, king_buckets, buckets) = (number(), number(), number());
        let (qa, qb, scale) = (number(), number(), number());
        let header = Header {
            width: checked_width(width)?,
            king_buckets: checked_king_buckets(king_buckets)?,
            buckets: checked_buckets(buckets)?,
            scale,
            checksum: checksum_bytes
                .first_chunk()
                .map_or(0, |&bytes| u64::from_le_bytes(bytes)),
        };
        if (qa, qb) != (QA as u32, QB as u32) {
            return Err(NetworkError::Quantisation { qa, qb });
        }
        if !(1..=MAX_SCALE).contains(&scale) {
            return Err(NetworkError::Scale(scale));
        }
        header.check_payload(payload)?;
        Ok((header, payload))
    }

    /// Bytes after the header.
    const fn payload_bytes(&self) -> usize {
        (self.king_buckets * FEATURES + 1 + 2 * self.buckets) * self.width * 2 + self.buckets * 4
    }

    fn check_payload(&self, payload: &[u8]) -> Result<(), NetworkError> {
        let (expected, found) = (self.payload_bytes(), payload.len());
        if expected != found {
            return Err(NetworkError::Size {
                expected: HEADER_BYTES + expected,
                found: HEADER_BYTES + found,
            });
        }
        let found = checksum(payload);
        if self.checksum != found {
            return Err(NetworkError::Checksum {
                expected: self.checksum,
                found,
            });
        }
        Ok(())
    }
}

fn checked_width(width: u32) -> Result<usize, NetworkError> {
    let size = width as usize;
    if size == 0 || size > MAX_WIDTH || !size.is_multiple_of(LANES) {
        return Err(NetworkError::Width(width));
    }
    Ok(size)
}

fn checked_king_buckets(buckets: u32) -> Result<usize, NetworkError> {
    match buckets as usize {
        size @ (1 | KING_BUCKETS) => Ok(size),
        _ => Err(NetworkError::KingBuckets(buckets)),
    }
}

fn checked_buckets(buckets: u32) -> Result<usize, NetworkError> {
    let size = buckets as usize;
    if size == 0 || size > MAX_BUCKETS {
        return Err(NetworkError::Buckets(buckets));
    }
    Ok(size)
}

/// The output bucket for 0 to 64 men: equal shares of 2 to 32, and the last one for any more.
fn bucket_of_men(buckets: usize) -> [u8; 65] {
    let share = 32_usize.div_ceil(buckets);
    std::array::from_fn(|men| (men.saturating_sub(2) / share).min(buckets - 1) as u8)
}

/// 16-bit numbers, a multiple of 32 of them, as blocks.
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

/// The checksum of a network file's weights: FNV-1a, 64 bits (Fowler, Noll and Vo; RFC 9923).
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
