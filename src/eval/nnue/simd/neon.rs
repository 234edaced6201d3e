//! The kernel for AArch64, whose processors all have NEON.

use super::{Block, LANES, QA};
use std::arch::aarch64::{
    int16x8_t, int32x4_t, vaddq_s16, vaddq_s32, vaddvq_s32, vdupq_n_s16, vdupq_n_s32, vget_low_s16,
    vld1q_s16, vmaxq_s16, vminq_s16, vmlal_high_s16, vmlal_s16, vmulq_s16, vst1q_s16, vsubq_s16,
};

/// The number of 16-bit values in a vector.
const VECTOR: usize = 8;

/// The number of vectors in a block.
const PARTS: usize = LANES / VECTOR;

/// The number of blocks that [`refresh`] keeps in registers.
const TILE: usize = 4;

#[inline]
#[target_feature(enable = "neon")]
fn load(block: &Block, part: usize) -> int16x8_t {
    let values: &[i16; VECTOR] = &block.0.as_chunks().0[part];
    // SAFETY: the array has the size of the vector, and the instruction needs no alignment.
    unsafe { vld1q_s16(values.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store(block: &mut Block, part: usize, vector: int16x8_t) {
    let values: &mut [i16; VECTOR] = &mut block.0.as_chunks_mut().0[part];
    // SAFETY: the array has the size of the vector, and the instruction needs no alignment.
    unsafe { vst1q_s16(values.as_mut_ptr(), vector) }
}

/// See `Kernel::update`.
#[target_feature(enable = "neon")]
pub fn update<const ADDS: usize, const SUBS: usize>(
    parent: &[Block],
    child: &mut [Block],
    mut adds: [&[Block]; ADDS],
    mut subs: [&[Block]; SUBS],
) {
    // Equal lengths, known to the compiler, remove the bounds checks from the loop.
    let length = child.len();
    let parent = &parent[..length];
    for row in &mut adds {
        *row = &row[..length];
    }
    for row in &mut subs {
        *row = &row[..length];
    }
    for index in 0..length {
        for part in 0..PARTS {
            let mut sum = load(&parent[index], part);
            for row in adds {
                sum = vaddq_s16(sum, load(&row[index], part));
            }
            for row in subs {
                sum = vsubq_s16(sum, load(&row[index], part));
            }
            store(&mut child[index], part, sum);
        }
    }
}

/// See `Kernel::refresh`.
#[target_feature(enable = "neon")]
pub fn refresh(accumulator: &mut [Block], weights: &[Block], adds: &[usize], subs: &[usize]) {
    let length = accumulator.len();
    let (tiles, rest) = accumulator.as_chunks_mut::<TILE>();
    let mut first = 0;
    for tile in tiles {
        refresh_tile(tile, length, &weights[first..], adds, subs);
        first += TILE;
    }
    for block in rest.as_chunks_mut::<1>().0 {
        refresh_tile(block, length, &weights[first..], adds, subs);
        first += 1;
    }
}

/// Refreshes a few blocks; `weights` starts at the first of them.
#[inline]
#[target_feature(enable = "neon")]
fn refresh_tile<const BLOCKS: usize>(
    tile: &mut [Block; BLOCKS],
    length: usize,
    weights: &[Block],
    adds: &[usize],
    subs: &[usize],
) {
    let mut sums = [[vdupq_n_s16(0); PARTS]; BLOCKS];
    for (sum, block) in sums.iter_mut().zip(&*tile) {
        for part in 0..PARTS {
            sum[part] = load(block, part);
        }
    }
    for row in adds {
        let row = &weights[row * length..][..BLOCKS];
        for (sum, block) in sums.iter_mut().zip(row) {
            for part in 0..PARTS {
                sum[part] = vaddq_s16(sum[part], load(block, part));
            }
        }
    }
    for row in subs {
        let row = &weights[row * length..][..BLOCKS];
        for (sum, block) in sums.iter_mut().zip(row) {
            for part in 0..PARTS {
                sum[part] = vsubq_s16(sum[part], load(block, part));
            }
        }
    }
    for (sum, block) in sums.iter().zip(tile) {
        for part in 0..PARTS {
            store(block, part, sum[part]);
        }
    }
}

/// See `Kernel::forward`.
#[target_feature(enable = "neon")]
pub fn forward(us: &[Block], them: &[Block], weights: &[Block]) -> i32 {
    let length = us.len();
    let them = &them[..length];
    let (own, other) = weights.split_at(length);
    let other = &other[..length];
    // Several sums, because each addition waits for the one before it.
    let mut sums = [vdupq_n_s32(0); PARTS];
    for index in 0..length {
        for part in 0..PARTS {
            sums[part] = add_products(sums[part], &us[index], &own[index], part);
            sums[part] = add_products(sums[part], &them[index], &other[index], part);
        }
    }
    let total = sums
        .into_iter()
        .fold(vdupq_n_s32(0), |a, b| vaddq_s32(a, b));
    vaddvq_s32(total)
}

/// Adds v * v * w for one vector of a block to sums: v * w in 16 bits, times v in 32.
#[inline]
#[target_feature(enable = "neon")]
fn add_products(sums: int32x4_t, values: &Block, weights: &Block, part: usize) -> int32x4_t {
    let values = vminq_s16(
        vmaxq_s16(load(values, part), vdupq_n_s16(0)),
        vdupq_n_s16(QA),
    );
    let products = vmulq_s16(values, load(weights, part));
    let sums = vmlal_s16(sums, vget_low_s16(products), vget_low_s16(values));
    vmlal_high_s16(sums, products, values)
}
