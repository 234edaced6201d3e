//! The kernel in plain Rust, against which the others are tested. Its inner loops have a fixed
//! length, which compilers vectorise.

use super::super::format::SECOND;
use super::super::small_layers::{MAX_SQUARE, SmallLayers};
use super::{Block, LANES, QA, WeightBlock};

/// See [`super::Kernel::update`].
pub fn update(
    parent: &[Block],
    child: &mut [Block],
    weights: &[Block],
    adds: &[u16],
    subs: &[u16],
) {
    let length = child.len();
    for (index, (block, before)) in child.iter_mut().zip(parent).enumerate() {
        let mut sum = *before;
        for row in adds {
            add(&mut sum, &weights[usize::from(*row) * length + index]);
        }
        for row in subs {
            subtract(&mut sum, &weights[usize::from(*row) * length + index]);
        }
        *block = sum;
    }
}

/// See [`super::Kernel::forward`].
pub fn forward(us: &[Block], them: &[Block], weights: &[Block]) -> i32 {
    let (own, other) = weights.split_at(us.len());
    half(us, own).wrapping_add(half(them, other))
}

/// Sums up the output of one accumulator.
#[inline]
fn half(accumulator: &[Block], weights: &[Block]) -> i32 {
    let mut sums = [0_i32; LANES];
    for (Block(values), Block(weights)) in accumulator.iter().zip(weights) {
        for lane in 0..LANES {
            let value = values[lane].clamp(0, QA);
            let product = value.wrapping_mul(weights[lane]);
            sums[lane] = sums[lane].wrapping_add(i32::from(product) * i32::from(value));
        }
    }
    sums.into_iter().fold(0, i32::wrapping_add)
}

/// See [`super::Kernel::small_layers`].
pub fn small_layers(us: &[Block], them: &[Block], layers: &SmallLayers) -> f32 {
    let mut sums = [0; SECOND];
    for ((us, them), weights) in us.iter().zip(them).zip(&layers.second_weights) {
        let mut squares = [0; 2 * LANES];
        for (side, block) in [us, them].into_iter().enumerate() {
            for (lane, value) in block.0.into_iter().enumerate() {
                squares[WeightBlock::index(side, lane)] = square(value);
            }
        }
        for (sum, WeightBlock(weights)) in sums.iter_mut().zip(weights) {
            for (square, weight) in squares.iter().zip(weights) {
                *sum += square * i32::from(*weight);
            }
        }
    }
    layers.output(&sums)
}

/// Returns the activation of a neuron of the first layer: the square of its value, in units of 1 /
/// [`MAX_SQUARE`].
#[inline]
fn square(value: i16) -> i32 {
    const { assert!(MAX_SQUARE as i32 == (QA as i32 * QA as i32 + 256) >> 9) };
    let value = i32::from(value.clamp(0, QA));
    (value * value + 256) >> 9
}

#[inline]
fn add(Block(sum): &mut Block, Block(row): &Block) {
    for lane in 0..LANES {
        sum[lane] = sum[lane].wrapping_add(row[lane]);
    }
}

#[inline]
fn subtract(Block(sum): &mut Block, Block(row): &Block) {
    for lane in 0..LANES {
        sum[lane] = sum[lane].wrapping_sub(row[lane]);
    }
}
