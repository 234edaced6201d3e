//! Random numbers: reproducible ones from a seed, and seeds that are not.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};

/// 2^64 divided by the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Returns SplitMix64's output for a state. It is a bijection in which every output bit depends on
/// all input bits.
#[inline]
pub const fn mix(state: u64) -> u64 {
    let mut z = state.wrapping_add(GOLDEN);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Returns a number from 0 to 1, without 1 itself, that is uniformly distributed if the bits are
/// random.
pub fn unit(bits: u64) -> f64 {
    // A double holds 53 bits.
    (bits >> 11) as f64 / (1_u64 << 53) as f64
}

/// Returns another seed each time.
pub fn unpredictable_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}

/// The generator SplitMix64 by Steele, Lea and Flood.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Creates the sequence of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Creates the sequence of an item, counted from 0. Neighbouring items and neighbouring seeds
    /// have unrelated sequences.
    pub fn of_item(seed: u64, number: u64) -> Random {
        let mut outer = Random(seed);
        let mut inner = Random(outer.next().wrapping_add(number));
        Random(inner.next())
    }

    /// Returns 64 random bits.
    pub fn next(&mut self) -> u64 {
        let bits = mix(self.0);
        self.0 = self.0.wrapping_add(GOLDEN);
        bits
    }

    /// Returns a number below a bound, or 0 if the bound is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// Returns true with a probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        unit(self.next()) < probability
    }

    /// Shuffles items with the Fisher-Yates algorithm.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last + 1);
            items.swap(last, other);
        }
    }
}
