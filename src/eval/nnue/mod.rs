//! The efficiently updatable neural network (NNUE): its arithmetic, its file format, and the
//! accumulators of a search thread.
//!
//! # Arithmetic
//! The position is seen from both sides. From the perspective of a colour c, every piece is one of
//! [`FEATURES`] = 768 features,
//!
//! ```text
//! (0 own | 1 other) * 384 + role (pawn 0 .. king 5) * 64 + square
//! ```
//!
//! where the square is flipped vertically for Black, and horizontally if c's king stands on files e
//! to h. The square of that king also selects one of 8 sets of weights ([`king_bucket`]), or a
//! network has only one. A network with marks has 3 sets more: a piece with a [mark](PieceMarks),
//! for example one that hangs, is a feature of that mark's set as well, whatever the king's bucket.
//! The first layer adds up the weights of all features that are present: N numbers for each
//! perspective, the accumulators. A move changes few features, so accumulators are updated instead
//! of recomputed ([`AccumulatorStack`]). The output layer squares each number v, clamped to 0..=QA,
//! and adds up v * v * w over both accumulators, the side to move's first. The number of pieces on
//! the board selects one of B sets of weights, each in units of its own 1/QB:
//!
//! ```text
//! sum   = sum over 2N of v * v * w                                  wrapping 32 bits
//! value = (sum / QA + bias) * K / (QA * QB), within +-20000         centipawns for the side to move
//! ```
//!
//! `sum / QA`, the value and what small layers add to it are each rounded towards 0.
//!
//! The first S output buckets, those with the fewest pieces, have two more layers of 16 and of 32
//! neurons, whose output is added: in endings much depends on two things at once, and a sum of
//! squares cannot say so. The second layer sees the squares rounded to 7 bits, and computes in
//! integers; the third is so small that floats cost little:
//!
//! ```text
//! a   = (v * v + 256) / 512                                         0..=127
//! z   = (sum over 2N of a * w) / (127 * 128) + bias                 16 numbers
//! y   = sum over z of clamp(z, 0, 1) * w + min(z * z, 1) * w', + bias         32 numbers
//! value += K * (sum over y of clamp(y, 0, 1) * w)
//! ```
//!
//! # File format
//! Little-endian, without padding:
//!
//! | bytes | content |
//! |---|---|
//! | 16 | [`MAGIC`] |
//! | 4 each | u32 N (a multiple of 32 up to 1024), I (1, 8 or 11), B (1 to 32), S (up to B), QA (255), K (centipawns) |
//! | 8 | u64 FNV-1a of all that follows |
//! | I * 768 * N * 2 | i16 weights of the first layer, `[king bucket or mark][feature][N]`, in units of 1/QA |
//! | N * 2 | i16 biases of the first layer |
//! | B * 2N * 2 | i16 weights to the output, `[bucket][2N]`, in units of 1/QB, within +-127 |
//! | B * 4 | i32 biases of the output, in units of 1/(QA * QB) |
//! | B * 4 | u32 QB of each bucket, 1 to 192 |
//!
//! and for each of the first S output buckets
//!
//! | bytes | content |
//! |---|---|
//! | 2N * 16 | i8 weights of the second layer, `[2N / 4][16][4]`, in units of 1/128, within +-127 |
//! | 16 * 4 | f32 biases of the second layer |
//! | 2 * 16 * 32 * 4 | f32 weights of the third layer, `[clamped or squared][16][32]` |
//! | 32 * 4 | f32 biases of the third layer |
//! | 32 * 4 | f32 weights to the output |

mod accumulator;
mod explain;
mod features;
mod format;
mod marks;
mod network;
mod refresh;
pub mod simd;
mod small_layers;

pub use accumulator::AccumulatorStack;
pub use explain::{explain, piece_values};
pub use features::{BoardInputs, Perspective, king_bucket};
pub use format::{
    FEATURES, HEADER_BYTES, KING_BUCKETS, MAGIC, MARKS, MAX_BUCKETS, MAX_OUTPUT_WEIGHT, MAX_QB,
    MAX_WIDTH, NetworkError, QA, SECOND, THIRD, checksum, output_bucket,
};
pub use marks::PieceMarks;
pub use network::Network;
pub use small_layers::Q_SECOND;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod timing;
