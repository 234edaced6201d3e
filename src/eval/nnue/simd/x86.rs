//! The kernels for x86-64, generated from one macro over the names of the instructions.

use std::arch::x86_64::{
    __m128i, __m256i, __m512i, _mm_add_epi32, _mm_castps_si128, _mm_castsi128_ps, _mm_madd_epi16,
    _mm_setzero_si128, _mm_shuffle_ps, _mm_srai_epi16, _mm_unpackhi_epi8, _mm_unpacklo_epi8,
    _mm256_add_epi32, _mm256_madd_epi16, _mm256_maddubs_epi16, _mm256_set1_epi16, _mm512_add_epi32,
    _mm512_dpbusd_epi32, _mm512_madd_epi16, _mm512_maddubs_epi16, _mm512_set1_epi16,
};

/// Defines a module with the three functions for vectors of `$lanes` 16-bit values. An update keeps
/// `$tile` blocks of the accumulator in registers.
macro_rules! kernels {
    (
        $module:ident, $feature:literal, $vector:ident, lanes $lanes:literal, tile $tile:literal,
        $load:ident, $store:ident, $zero:ident, $broadcast:ident, $min:ident, $max:ident,
        $add:ident, $subtract:ident, $multiply:ident, $multiply_add:ident, $add_wide:ident,
        small layers $shift:ident, $pack:ident, $dot:ident, $unpack_low:ident, $unpack_high:ident,
        $unpack_low_pairs:ident, $unpack_high_pairs:ident
    ) => {
        pub mod $module {
            use super::super::super::format::SECOND;
            use super::super::super::small_layers::SmallLayers;
            use super::super::{Block, LANES, QA};
            use super::$dot;
            use std::arch::x86_64::{
                $add, $add_wide, $broadcast, $load, $max, $min, $multiply, $multiply_add, $pack,
                $shift, $store, $subtract, $unpack_high, $unpack_high_pairs, $unpack_low,
                $unpack_low_pairs, $vector, $zero,
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

            /// See `Kernel::small_layers`.
            #[target_feature(enable = $feature)]
            pub fn small_layers(us: &[Block], them: &[Block], layers: &SmallLayers) -> f32 {
                let mut sums = [$zero(); SECOND];
                for ((us, them), weights) in us.iter().zip(them).zip(&layers.second_weights) {
                    for part in 0..PARTS {
                        let activations = $pack(squares(us, part), squares(them, part));
                        for (sum, weights) in sums.iter_mut().zip(weights) {
                            let weights: &[i8; 2 * $lanes] = &weights.0.as_chunks().0[part];
                            // SAFETY: the array has the size of the vector, and the instruction
                            // needs no alignment.
                            let weights = unsafe { $load(weights.as_ptr().cast()) };
                            *sum = $dot(*sum, activations, weights);
                        }
                    }
                }
                layers.output(&sums_of(&sums))
            }

            /// Returns the squares of one vector of a block's clamped values, rounded to 7 bits.
            #[inline]
            #[target_feature(enable = $feature)]
            fn squares(values: &Block, part: usize) -> $vector {
                let values = $min($max(load(values, part), $zero()), $broadcast(QA));
                $shift::<9>($add($multiply(values, values), $broadcast(256)))
            }

            /// Adds up each vector's 32-bit values.
            #[inline]
            #[target_feature(enable = $feature)]
            fn sums_of(vectors: &[$vector; SECOND]) -> [i32; SECOND] {
                let mut sums = [0_i32; SECOND];
                let (fours, _) = vectors.as_chunks::<4>();
                for (&[a, b, c, d], sums) in fours.iter().zip(sums.as_chunks_mut::<4>().0) {
                    // In each 128 bits: a + a, b + b, a + a, b + b, then one sum of each.
                    let first = $add_wide($unpack_low(a, b), $unpack_high(a, b));
                    let second = $add_wide($unpack_low(c, d), $unpack_high(c, d));
                    let all = $add_wide(
                        $unpack_low_pairs(first, second),
                        $unpack_high_pairs(first, second),
                    );
                    let mut values = [0_i32; $lanes / 2];
                    // SAFETY: the array has the size of the vector, and the instruction needs no
                    // alignment.
                    unsafe { $store(values.as_mut_ptr().cast(), all) };
                    for values in values.as_chunks::<4>().0 {
                        for (sum, value) in sums.iter_mut().zip(values) {
                            *sum = sum.wrapping_add(*value);
                        }
                    }
                }
                sums
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

/// Adds to each 32-bit sum the products of four bytes up to 127 and four signed weights.
#[inline]
#[target_feature(enable = "sse2")]
fn dot_sse2(sums: __m128i, bytes: __m128i, weights: __m128i) -> __m128i {
    let zero = _mm_setzero_si128();
    // Bytes become words: the weights with their signs.
    let low = _mm_madd_epi16(
        _mm_unpacklo_epi8(bytes, zero),
        _mm_srai_epi16::<8>(_mm_unpacklo_epi8(weights, weights)),
    );
    let high = _mm_madd_epi16(
        _mm_unpackhi_epi8(bytes, zero),
        _mm_srai_epi16::<8>(_mm_unpackhi_epi8(weights, weights)),
    );
    let [low, high] = [low, high].map(|vector| _mm_castsi128_ps(vector));
    let even = _mm_castps_si128(_mm_shuffle_ps::<0b10_00_10_00>(low, high));
    let odd = _mm_castps_si128(_mm_shuffle_ps::<0b11_01_11_01>(low, high));
    _mm_add_epi32(sums, _mm_add_epi32(even, odd))
}

/// See [`dot_sse2`].
#[inline]
#[target_feature(enable = "avx2")]
fn dot_avx2(sums: __m256i, bytes: __m256i, weights: __m256i) -> __m256i {
    // Two products of bytes up to 127 fit 16 bits.
    let pairs = _mm256_maddubs_epi16(bytes, weights);
    _mm256_add_epi32(sums, _mm256_madd_epi16(pairs, _mm256_set1_epi16(1)))
}

/// See [`dot_sse2`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw")]
fn dot_avx512(sums: __m512i, bytes: __m512i, weights: __m512i) -> __m512i {
    let pairs = _mm512_maddubs_epi16(bytes, weights);
    _mm512_add_epi32(sums, _mm512_madd_epi16(pairs, _mm512_set1_epi16(1)))
}

/// See [`dot_sse2`].
#[inline]
#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn dot_avx512_vnni(sums: __m512i, bytes: __m512i, weights: __m512i) -> __m512i {
    _mm512_dpbusd_epi32(sums, bytes, weights)
}

kernels!(
    sse2, "sse2", __m128i, lanes 8, tile 2,
    _mm_loadu_si128, _mm_storeu_si128, _mm_setzero_si128, _mm_set1_epi16, _mm_min_epi16, _mm_max_epi16,
    _mm_add_epi16, _mm_sub_epi16, _mm_mullo_epi16, _mm_madd_epi16, _mm_add_epi32,
    small layers _mm_srli_epi16, _mm_packus_epi16, dot_sse2, _mm_unpacklo_epi32, _mm_unpackhi_epi32,
    _mm_unpacklo_epi64, _mm_unpackhi_epi64
);

kernels!(
    avx2, "avx2", __m256i, lanes 16, tile 4,
    _mm256_loadu_si256, _mm256_storeu_si256, _mm256_setzero_si256, _mm256_set1_epi16, _mm256_min_epi16,
    _mm256_max_epi16, _mm256_add_epi16, _mm256_sub_epi16, _mm256_mullo_epi16, _mm256_madd_epi16, _mm256_add_epi32,
    small layers _mm256_srli_epi16, _mm256_packus_epi16, dot_avx2, _mm256_unpacklo_epi32, _mm256_unpackhi_epi32,
    _mm256_unpacklo_epi64, _mm256_unpackhi_epi64
);

kernels!(
    avx512, "avx512f,avx512bw", __m512i, lanes 32, tile 12,
    _mm512_loadu_si512, _mm512_storeu_si512, _mm512_setzero_si512, _mm512_set1_epi16, _mm512_min_epi16,
    _mm512_max_epi16, _mm512_add_epi16, _mm512_sub_epi16, _mm512_mullo_epi16, _mm512_madd_epi16, _mm512_add_epi32,
    small layers _mm512_srli_epi16, _mm512_packus_epi16, dot_avx512, _mm512_unpacklo_epi32, _mm512_unpackhi_epi32,
    _mm512_unpacklo_epi64, _mm512_unpackhi_epi64
);

kernels!(
    avx512_vnni, "avx512f,avx512bw,avx512vnni", __m512i, lanes 32, tile 12,
    _mm512_loadu_si512, _mm512_storeu_si512, _mm512_setzero_si512, _mm512_set1_epi16, _mm512_min_epi16,
    _mm512_max_epi16, _mm512_add_epi16, _mm512_sub_epi16, _mm512_mullo_epi16, _mm512_madd_epi16, _mm512_add_epi32,
    small layers _mm512_srli_epi16, _mm512_packus_epi16, dot_avx512_vnni, _mm512_unpacklo_epi32, _mm512_unpackhi_epi32,
    _mm512_unpacklo_epi64, _mm512_unpackhi_epi64
);
