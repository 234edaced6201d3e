//! The network in whole numbers, as the engine reads it.
//!
//! ```text
//! 16 bytes  "Quevedo NNUE 1\0\0"
//! u32       N, neurons for each side          all numbers little-endian
//! u32       B, output buckets
//! u32       QA, what 1.0 is in the hidden layer: 255
//! u32       QB, what 1.0 is among the output weights: 64
//! u32       K, centipawns for each unit of the output
//! u64       FNV-1a of everything below
//! i16       [768][N]  weights of the first layer, times QA
//! i16       [N]       its biases, times QA
//! i16       [B][2N]   output weights, times QB, within +-127; the side to move's half first
//! i32       [B]       output biases, times QA * QB
//! ```

use super::fnv1a;
use super::network::{FEATURES, Parameters};

/// What a network file begins with.
pub const MAGIC: [u8; 16] = *b"Quevedo NNUE 1\0\0";
/// What 1.0 is in the hidden layer.
pub const QA: u32 = 255;
/// What 1.0 is among the output weights.
pub const QB: u32 = 64;
/// Times an activation of up to [`QA`], an output weight still fits 16 bits.
const MAX_OUTPUT_WEIGHT: f32 = 127.0;

/// The bytes of a network file. `scale` is K, in centipawns.
pub fn network_file(parameters: &Parameters, scale: u32) -> Vec<u8> {
    let body = body(parameters);
    let shape = parameters.shape;
    let mut bytes = MAGIC.to_vec();
    for number in [shape.hidden as u32, shape.buckets as u32, QA, QB, scale] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(fnv1a(&body).to_le_bytes());
    bytes.extend(body);
    bytes
}

fn body(parameters: &Parameters) -> Vec<u8> {
    let shape = parameters.shape;
    let first_layer = (FEATURES + 1) * shape.hidden;
    let output = first_layer + 2 * shape.hidden * shape.buckets;
    let mut bytes = Vec::with_capacity(2 * output + 4 * shape.buckets);
    for (index, number) in parameters.canonical().enumerate() {
        if index < first_layer {
            let whole = (number * QA as f32).round() as i16;
            bytes.extend(whole.to_le_bytes());
        } else if index < output {
            let whole = (number * QB as f32).round();
            let whole = whole.clamp(-MAX_OUTPUT_WEIGHT, MAX_OUTPUT_WEIGHT) as i16;
            bytes.extend(whole.to_le_bytes());
        } else {
            let whole = (f64::from(number) * f64::from(QA * QB)).round() as i32;
            bytes.extend(whole.to_le_bytes());
        }
    }
    bytes
}
