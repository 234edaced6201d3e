//! The kernels for x86-64, generated from one macro over the names of the instructions.

/// Defines a module with the two functions for vectors of `$lanes` 16-bit values. An update keeps
/// `$tile` blocks of the accumulator in registers.
macro_rules! kernels {
    (
        $module:ident, $feature:literal, $vector:ident, lanes $lanes:literal, tile $tile:literal,
        $load:ident, $store:ident, $zero:ident, $broadcast:ident, $min:ident, $max:ident,
        $add:ident, $subtract:ident, $multiply:ident, $multiply_add:ident, $add_wide:ident
    ) => {
        pub mod $module {
            use super::super::{Block, LANES, QA};
            use std::arch::x86_64::{
                $add, $add_wide, $broadcast, $load, $max, $min, $multiply, $multiply_add, $store,
                $subtract, $vector, $zero,
            };

            /// The number of vectors in a block.
            const PARTS: usize = LANES / $lanes;

            /// The number of blocks that [`update`] keeps in registers.
            const TILE: usize = $tile;

            #[inline]
            #[target_feature(enable = $feature)]
            fn load(block: &Block, part: usize) -> $vector {
                let values: &[i16; $lanes] = &block.0.as_chunks().0[part];
                // SAFETY: the array has the size of the vector, and the instruction needs no
                // alignment.
                unsafe { $load(values.as_ptr().cast()) }
            }

            #[inline]
            #[target_feature(enable = $feature)]
            fn store(block: &mut Block, part: usize, vector: $vector) {
                let values: &mut [i16; $lanes] = &mut block.0.as_chunks_mut().0[part];
                // SAFETY: the array has the size of the vector, and the instruction needs no
                // alignment.
                unsafe { $store(values.as_mut_ptr().cast(), vector) }
            }

            /// See `Kernel::update`.
            #[target_feature(enable = $feature)]
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
            #[target_feature(enable = $feature)]
            fn update_tile<const BLOCKS: usize>(
                parent: &[Block; BLOCKS],
                tile: &mut [Block; BLOCKS],
                length: usize,
                weights: &[Block],
                adds: &[u16],
                subs: &[u16],
            ) {
                let mut sums = [[$zero(); PARTS]; BLOCKS];
                for (sum, block) in sums.iter_mut().zip(parent) {
                    for part in 0..PARTS {
                        sum[part] = load(block, part);
                    }
                }
                for row in adds {
                    let row = &weights[usize::from(*row) * length..][..BLOCKS];
                    for (sum, block) in sums.iter_mut().zip(row) {
                        for part in 0..PARTS {
                            sum[part] = $add(sum[part], load(block, part));
                        }
                    }
                }
                for row in subs {
                    let row = &weights[usize::from(*row) * length..][..BLOCKS];
                    for (sum, block) in sums.iter_mut().zip(row) {
                        for part in 0..PARTS {
                            sum[part] = $subtract(sum[part], load(block, part));
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
            #[target_feature(enable = $feature)]
            pub fn forward(us: &[Block], them: &[Block], weights: &[Block]) -> i32 {
                let length = us.len();
                let them = &them[..length];
                let (own, other) = weights.split_at(length);
                let other = &other[..length];
                let mut sums = [[$zero(); PARTS]; 2];
                for index in 0..length {
                    for part in 0..PARTS {
                        let terms = products(&us[index], &own[index], part);
                        sums[0][part] = $add_wide(sums[0][part], terms);
                        let terms = products(&them[index], &other[index], part);
                        sums[1][part] = $add_wide(sums[1][part], terms);
                    }
                }
                let mut total = $zero();
                for part in 0..PARTS {
                    total = $add_wide(total, $add_wide(sums[0][part], sums[1][part]));
                }
                sum_of(total)
            }

            /// Computes v * v * w for one vector of a block and adds up neighbours: v * w in 16
            /// bits, times v in 32.
            #[inline]
            #[target_feature(enable = $feature)]
            fn products(values: &Block, weights: &Block, part: usize) -> $vector {
                let values = $min($max(load(values, part), $zero()), $broadcast(QA));
                $multiply_add($multiply(values, load(weights, part)), values)
            }

            /// Adds up a vector's 32-bit values.
            #[inline]
            #[target_feature(enable = $feature)]
            fn sum_of(vector: $vector) -> i32 {
                let mut values = [0_i32; $lanes / 2];
                // SAFETY: the array has the size of the vector, and the instruction needs no
                // alignment.
                unsafe { $store(values.as_mut_ptr().cast(), vector) };
                values.into_iter().fold(0, i32::wrapping_add)
            }
        }
    };
}

kernels!(
    sse2, "sse2", __m128i, lanes 8, tile 2,
    _mm_loadu_si128, _mm_storeu_si128, _mm_setzero_si128, _mm_set1_epi16, _mm_min_epi16, _mm_max_epi16,
    _mm_add_epi16, _mm_sub_epi16, _mm_mullo_epi16, _mm_madd_epi16, _mm_add_epi32
);

kernels!(
    avx2, "avx2", __m256i, lanes 16, tile 4,
    _mm256_loadu_si256, _mm256_storeu_si256, _mm256_setzero_si256, _mm256_set1_epi16, _mm256_min_epi16,
    _mm256_max_epi16, _mm256_add_epi16, _mm256_sub_epi16, _mm256_mullo_epi16, _mm256_madd_epi16, _mm256_add_epi32
);

kernels!(
    avx512, "avx512f,avx512bw", __m512i, lanes 32, tile 12,
    _mm512_loadu_si512, _mm512_storeu_si512, _mm512_setzero_si512, _mm512_set1_epi16, _mm512_min_epi16,
    _mm512_max_epi16, _mm512_add_epi16, _mm512_sub_epi16, _mm512_mullo_epi16, _mm512_madd_epi16, _mm512_add_epi32
);
