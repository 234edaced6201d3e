//! The kernel for AArch64, whose processors all have NEON.

use std::arch::aarch64::{
    int8x8_t, int16x8_t, int16x8x4_t, int32x4_t, vaddq_s16, vaddq_s32, vaddvq_s32, vcombine_s8,
    vdup_n_s8, vdupq_n_s16, vdupq_n_s32, vget_low_s8, vget_low_s16, vld1q_s8, vld1q_s16_x4,
    vmaxq_s16, vminq_s16, vmlal_high_s8, vmlal_high_s16, vmlal_s16, vmovn_u16, vmull_s8, vmulq_s16,
    vpadalq_s16, vreinterpret_s8_u8, vreinterpretq_u16_s16, vrshrq_n_u16, vst1q_s16, vsubq_s16,
};

use super::super::format::SECOND;
use super::super::small_layers::SmallLayers;
use super::{Block, LANES, QA};

/// The number of blocks that [`update`] keeps in registers.
const TILE: usize = 4;

/// Loads a block, a form for which compilers use paired loads.
#[inline]
#[target_feature(enable = "neon")]
fn load(block: &Block) -> int16x8x4_t {
    // SAFETY: a block has the size of four vectors, and the instruction needs no alignment.
    unsafe { vld1q_s16_x4(block.0.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store(block: &mut Block, vectors: int16x8x4_t) {
    let (parts, _) = block.0.as_chunks_mut::<8>();
    for (part, vector) in parts
        .iter_mut()
        .zip([vectors.0, vectors.1, vectors.2, vectors.3])
    {
        // SAFETY: the array has the size of the vector, and the instruction needs no alignment.
        unsafe { vst1q_s16(part.as_mut_ptr(), vector) };
    }
}

#[inline]
#[target_feature(enable = "neon")]
fn add(a: int16x8x4_t, b: int16x8x4_t) -> int16x8x4_t {
    int16x8x4_t(
        vaddq_s16(a.0, b.0),
        vaddq_s16(a.1, b.1),
        vaddq_s16(a.2, b.2),
        vaddq_s16(a.3, b.3),
    )
}

#[inline]
#[target_feature(enable = "neon")]
fn subtract(a: int16x8x4_t, b: int16x8x4_t) -> int16x8x4_t {
    int16x8x4_t(
        vsubq_s16(a.0, b.0),
        vsubq_s16(a.1, b.1),
        vsubq_s16(a.2, b.2),
        vsubq_s16(a.3, b.3),
    )
}

/// See `Kernel::update`.
#[target_feature(enable = "neon")]
pub fn update(
    parent: &[Block],
    child: &mut [Block],
    weights: &[Block],
    adds: &[u16],
    subs: &[u16],
) {
    let length = child.len();
    let (parents, last_parents) = parent[..length].as_chunks::<TILE>();
    let (tiles, rest) = child.as_chunks_mut::<TILE>();
    let mut first = 0;
    for (parent, tile) in parents.iter().zip(tiles) {
        update_tile(parent, tile, length, &weights[first..], adds, subs);
        first += TILE;
    }
    let last_parents = last_parents.as_chunks::<1>().0;
    for (parent, block) in last_parents.iter().zip(rest.as_chunks_mut::<1>().0) {
        update_tile(parent, block, length, &weights[first..], adds, subs);
        first += 1;
    }
}

/// Updates a few blocks; `weights` starts at the first of them.
#[inline]
#[target_feature(enable = "neon")]
fn update_tile<const BLOCKS: usize>(
    parent: &[Block; BLOCKS],
    tile: &mut [Block; BLOCKS],
    length: usize,
    weights: &[Block],
    adds: &[u16],
    subs: &[u16],
) {
    let mut sums = [load(&Block::ZERO); BLOCKS];
    for (sum, block) in sums.iter_mut().zip(parent) {
        *sum = load(block);
    }
    for row in adds {
        let row = &weights[usize::from(*row) * length..][..BLOCKS];
        for (sum, block) in sums.iter_mut().zip(row) {
            *sum = add(*sum, load(block));
        }
    }
    for row in subs {
        let row = &weights[usize::from(*row) * length..][..BLOCKS];
        for (sum, block) in sums.iter_mut().zip(row) {
            *sum = subtract(*sum, load(block));
        }
    }
    for (sum, block) in sums.iter().zip(tile) {
        store(block, *sum);
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
    let mut sums = [vdupq_n_s32(0); 4];
    for index in 0..length {
        for (values, weights) in [(&us[index], &own[index]), (&them[index], &other[index])] {
            let (values, weights) = (load(values), load(weights));
            sums[0] = add_products(sums[0], values.0, weights.0);
            sums[1] = add_products(sums[1], values.1, weights.1);
            sums[2] = add_products(sums[2], values.2, weights.2);
            sums[3] = add_products(sums[3], values.3, weights.3);
        }
    }
    let [a, b, c, d] = sums;
    vaddvq_s32(vaddq_s32(vaddq_s32(a, b), vaddq_s32(c, d)))
}

/// Adds v * v * w to sums: v * w in 16 bits, times v in 32.
#[inline]
#[target_feature(enable = "neon")]
fn add_products(sums: int32x4_t, values: int16x8_t, weights: int16x8_t) -> int32x4_t {
    let values = vminq_s16(vmaxq_s16(values, vdupq_n_s16(0)), vdupq_n_s16(QA));
    let products = vmulq_s16(values, weights);
    let sums = vmlal_s16(sums, vget_low_s16(products), vget_low_s16(values));
    vmlal_high_s16(sums, products, values)
}

/// See `Kernel::small_layers`.
#[target_feature(enable = "neon")]
pub fn small_layers(us: &[Block], them: &[Block], layers: &SmallLayers) -> f32 {
    let mut sums = [vdupq_n_s32(0); SECOND];
    for ((us, them), weights) in us.iter().zip(them).zip(&layers.second_weights) {
        let (us, them) = (squares(us), squares(them));
        for (part, (us, them)) in us.into_iter().zip(them).enumerate() {
            let activations = vcombine_s8(us, them);
            for (sum, weights) in sums.iter_mut().zip(weights) {
                let weights: &[i8; 16] = &weights.0.as_chunks().0[part];
                // SAFETY: the array has the size of the vector, and the instruction needs no
                // alignment.
                let weights = unsafe { vld1q_s8(weights.as_ptr()) };
                // Two products of bytes up to 127 fit 16 bits.
                let products = vmull_s8(vget_low_s8(activations), vget_low_s8(weights));
                let products = vmlal_high_s8(products, activations, weights);
                *sum = vpadalq_s16(*sum, products);
            }
        }
    }
    let mut second = [0; SECOND];
    for (value, sum) in second.iter_mut().zip(sums) {
        *value = vaddvq_s32(sum);
    }
    layers.output(&second)
}

/// Returns the squares of a block's clamped values, rounded to 7 bits.
#[inline]
#[target_feature(enable = "neon")]
fn squares(block: &Block) -> [int8x8_t; LANES / 8] {
    let values = load(block);
    let mut squares = [vdup_n_s8(0); LANES / 8];
    let parts = [values.0, values.1, values.2, values.3];
    for (square, values) in squares.iter_mut().zip(parts) {
        let values = vminq_s16(vmaxq_s16(values, vdupq_n_s16(0)), vdupq_n_s16(QA));
        let wide = vreinterpretq_u16_s16(vmulq_s16(values, values));
        // Up to 127, they fit signed bytes.
        *square = vreinterpret_s8_u8(vmovn_u16(vrshrq_n_u16::<9>(wide)));
    }
    squares
}
