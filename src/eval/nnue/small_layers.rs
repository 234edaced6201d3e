//! The layers behind the accumulators that are so small that they need not be updated.

use super::format::{SECOND, THIRD};
use super::simd::WeightBlock;

/// The largest activation of the first layer as the second one sees it, which stands for 1.0.
pub const MAX_SQUARE: i16 = 127;

/// The quantised weight that stands for 1.0 in the second layer.
pub const Q_SECOND: u32 = 128;

/// The small layers of an output bucket. The order of the fields aligns rows of floats to cache
/// lines.
#[derive(Clone, PartialEq, Debug)]
#[repr(C, align(64))]
pub struct SmallLayers {
    /// The third layer's weights: for the clamped values of the second, then for their squares.
    pub third_weights: [[[f32; THIRD]; SECOND]; 2],
    /// The third layer's biases.
    pub third_biases: [f32; THIRD],
    /// The weights of the output.
    pub output_weights: [f32; THIRD],
    /// The second layer's biases.
    pub second_biases: [f32; SECOND],
    /// The second layer's weights, for each block of the accumulators.
    pub second_weights: Vec<[WeightBlock; SECOND]>,
}

impl SmallLayers {
    /// Computes the output from the second layer's sums of products.
    ///
    /// Inlined into the functions of each instruction set, it is compiled for that. It gives the
    /// same bits in all of them, because each number is a sum in a fixed order, and compilers do
    /// not fuse multiplications and additions.
    #[inline(always)]
    pub fn output(&self, sums: &[i32; SECOND]) -> f32 {
        const UNIT: f32 = 1.0 / (MAX_SQUARE as f32 * Q_SECOND as f32);
        // Loops over whole arrays, which compilers vectorise.
        let mut values = [0.0; SECOND];
        for neuron in 0..SECOND {
            values[neuron] = sums[neuron] as f32 * UNIT + self.second_biases[neuron];
        }
        let clamped = values.map(|value: f32| value.clamp(0.0, 1.0));
        let squares = values.map(|value| (value * value).min(1.0));
        let [of_clamped, of_squares] = &self.third_weights;
        // Two sums, because each addition waits for the one before it.
        let mut third = [self.third_biases, [0.0; THIRD]];
        for neuron in 0..SECOND {
            for lane in 0..THIRD {
                third[0][lane] += clamped[neuron] * of_clamped[neuron][lane];
                third[1][lane] += squares[neuron] * of_squares[neuron][lane];
            }
        }
        let [mut third, other] = third;
        for ((value, other), weight) in third.iter_mut().zip(other).zip(&self.output_weights) {
            *value = (*value + other).clamp(0.0, 1.0) * weight;
        }
        let mut width = THIRD / 2;
        while width > 0 {
            for lane in 0..width {
                third[lane] += third[lane + width];
            }
            width /= 2;
        }
        third[0]
    }
}
