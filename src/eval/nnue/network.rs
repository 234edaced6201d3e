//! The network's weights and the file format that they are read from.

use std::fmt;

use shakmaty::{Board, Color};
use thiserror::Error;

use super::features::{FEATURES, FeatureDiff, INPUTS, KING_BUCKETS, Perspective};
use super::simd::{Block, Kernel, LANES, QA};
use crate::eval::MAX_EVALUATION;
use crate::position::Position;

/// The first bytes of a network file.
pub const MAGIC: [u8; 16] = *b"Quevedo NNUE 2\0\0";

/// The network file that is compiled into the program.
const EMBEDDED: &[u8] = include_bytes!("quevedo.nnue");

/// The quantised weight that stands for 1.0 in the second layer.
const QB: i16 = 64;

/// The maximum width of an accumulator.
const MAX_WIDTH: usize = 1024;

/// The maximum number of sets of output weights.
const MAX_BUCKETS: usize = 32;

/// The largest absolute value of a weight in the second layer: times [`QA`] it still fits 16 bits.
const MAX_OUTPUT_WEIGHT: i16 = 127;

/// The maximum scale K, in centipawns, far beyond any useful one.
const MAX_SCALE: u32 = 65_535;

/// The number of u32 fields in the header.
const NUMBERS: usize = 6;

/// The size of the header: magic, numbers, checksum.
pub const HEADER_BYTES: usize = MAGIC.len() + NUMBERS * 4 + 8;

/// The reasons for which a network file is refused.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum NetworkError {
    /// The file does not begin with [`MAGIC`].
    #[error("not a Quevedo network: the file does not begin with \"Quevedo NNUE 2\"")]
    Magic,
    /// The file ends within the header.
    #[error("truncated: {0} bytes, but the header alone has {HEADER_BYTES}")]
    Header(usize),
    /// The accumulator width is not supported.
    #[error("unsupported hidden layer of {0}: must be a multiple of 32 up to {MAX_WIDTH}")]
    Width(u32),
    /// The number of king buckets is not supported.
    #[error("unsupported number of king buckets {0}: must be 1 or {KING_BUCKETS}")]
    KingBuckets(u32),
    /// The number of output buckets is not supported.
    #[error("unsupported number of output buckets {0}: must be 1 to {MAX_BUCKETS}")]
    Buckets(u32),
    /// The weights are quantised in other units.
    #[error("unsupported quantisation by {qa} and {qb}: must be {QA} and {QB}")]
    Quantisation {
        /// The unit of the first layer.
        qa: u32,
        /// The unit of the second layer.
        qb: u32,
    },
    /// The scale is out of range.
    #[error("scale of {0} centipawns: must be 1 to {MAX_SCALE}")]
    Scale(u32),
    /// The size of the file does not match its header.
    #[error("wrong size: {found} bytes, but the header implies {expected}")]
    Size {
        /// The size that the header implies, in bytes.
        expected: usize,
        /// The size of the file, in bytes.
        found: usize,
    },
    /// The weights do not match the checksum in the header.
    #[error("damaged: the checksum is {found:016x} but should be {expected:016x}")]
    Checksum {
        /// The checksum in the header.
        expected: u64,
        /// The checksum of the weights.
        found: u64,
    },
    /// An output weight is too large for 16-bit products.
    #[error("output weight {index} of bucket {bucket} is {weight}, beyond +-{MAX_OUTPUT_WEIGHT}")]
    OutputWeight {
        /// The output bucket.
        bucket: usize,
        /// The index of the input, below 2N.
        index: usize,
        /// The weight.
        weight: i16,
    },
}

/// A network, ready to evaluate. It is immutable and large (6 KiB for each of the N hidden
/// neurons), so threads share it.
#[derive(Clone)]
pub struct Network {
    kernel: Kernel,
    /// Blocks in an accumulator: N / 32.
    blocks: usize,
    /// `[king bucket][feature][block]`. A file with one king bucket is copied to all of them.
    feature_weights: Vec<Block>,
    /// `[block]`
    feature_biases: Vec<Block>,
    /// `[bucket][half][block]`, the side to move's half first.
    output_weights: Vec<Block>,
    /// `[bucket]`, in units of 1/(QA * QB).
    output_biases: Vec<i32>,
    /// The output bucket for each number of pieces on the board.
    bucket_of_pieces: [u8; 65],
    /// K, in centipawns.
    scale: u32,
    checksum: u64,
    /// The number of king buckets in the file: 1 or [`KING_BUCKETS`].
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
    /// Returns the network that is compiled into the program.
    ///
    /// # Panics
    /// Never: a test reads the embedded file.
    #[expect(clippy::expect_used, reason = "the bytes are part of the program")]
    pub fn embedded() -> Network {
        Network::parse(EMBEDDED).expect("the network of the program")
    }

    /// Parses a network file and selects the fastest kernel of this processor.
    ///
    /// # Errors
    /// Returns an error if the bytes are not a complete, undamaged network of a supported size.
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
            bucket_of_pieces: bucket_of_pieces(header.buckets),
            scale: header.scale,
            checksum: header.checksum,
            king_buckets: header.king_buckets,
        };
        debug_assert_eq!(network.feature_weights.len(), INPUTS * blocks);
        network.check_output_weights()?;
        Ok(network)
    }

    /// Rejects output weights whose products would overflow 16 bits.
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

    /// Returns I, the number of king buckets.
    pub const fn king_buckets(&self) -> usize {
        self.king_buckets
    }

    /// Returns B, the number of output buckets.
    pub const fn buckets(&self) -> usize {
        self.output_biases.len()
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
        let sizes = [self.width(), self.king_buckets, self.buckets()];
        (self.checksum, sizes, self.scale)
    }

    /// Returns the number of blocks in an accumulator.
    #[inline]
    pub(super) const fn blocks(&self) -> usize {
        self.blocks
    }

    /// Returns the first layer's weights, `[king bucket][feature][block]`.
    #[inline]
    pub(super) fn feature_weights(&self) -> &[Block] {
        &self.feature_weights
    }

    /// Returns the first layer's weights for one input.
    #[inline]
    pub(super) fn row(&self, input: usize) -> &[Block] {
        &self.feature_weights[input * self.blocks..][..self.blocks]
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
        let output = i64::from(sum / i32::from(QA)) + i64::from(self.output_biases[bucket]);
        let value = output * i64::from(self.scale) / (i64::from(QA) * i64::from(QB));
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
        let mut halves = [[Block::ZERO; MAX_WIDTH / LANES]; 2];
        for (half, color) in halves.iter_mut().zip([turn, !turn]) {
            self.accumulate(board, color, &mut half[..self.blocks]);
        }
        let pieces = board.occupied().count();
        self.output(&halves[0][..self.blocks], &halves[1][..self.blocks], pieces)
    }

    /// Computes one side's accumulator from scratch.
    fn accumulate(&self, board: &Board, color: Color, accumulator: &mut [Block]) {
        accumulator.copy_from_slice(&self.feature_biases);
        // A missing king is treated as one on a1.
        let king = board.king_of(color).unwrap_or(shakmaty::Square::A1);
        let perspective = Perspective::new(color, king);
        let inputs = FeatureDiff::new(&Board::empty(), board, perspective).adds;
        self.kernel
            .refresh(accumulator, &self.feature_weights, &inputs, &[]);
    }
}

/// The header of a network file.
struct Header {
    width: usize,
    king_buckets: usize,
    buckets: usize,
    scale: u32,
    checksum: u64,
}

impl Header {
    /// Parses the header and checks the remaining bytes against it.
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

    /// Returns the number of bytes after the header.
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

/// Returns the output bucket for 0 to 64 pieces: equal shares of 2 to 32, the last bucket for any
/// more.
fn bucket_of_pieces(buckets: usize) -> [u8; 65] {
    let share = 32_usize.div_ceil(buckets);
    std::array::from_fn(|pieces| (pieces.saturating_sub(2) / share).min(buckets - 1) as u8)
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

/// Computes the checksum of a network file's weights: FNV-1a, 64 bits (Fowler, Noll and Vo; RFC
/// 9923).
pub fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
