//! The order of positions and the initial weights as pure functions of a seed, so that a run can
//! resume anywhere.

use crate::random::{Random, mix};

/// Returns the number at an index of a seed's random sequence, from -1 to 1.
pub fn uniform(seed: u64, index: u64) -> f32 {
    let bits = Random::of_item(seed, index).next();
    // A float holds 24 bits.
    (bits >> 40) as f32 / (1 << 23) as f32 - 1.0
}

/// The order in which positions are visited: a different permutation of all of them in every epoch.
///
/// Nothing is stored: an epoch's permutation is a Feistel network over the smallest power of two
/// that covers all indices. Results outside are permuted again until they fall inside ("cycle
/// walking").
#[derive(Clone, Copy, Debug)]
pub struct Order {
    seed: u64,
    count: u64,
}

impl Order {
    /// Creates an order of `count` positions.
    pub const fn new(seed: u64, count: usize) -> Order {
        Order {
            seed,
            count: count as u64,
        }
    }

    /// Writes the positions of the visits that start at number `first`. There must be at least one
    /// position.
    pub fn fill(&self, first: u64, indices: &mut [u32]) {
        let count = self.count.max(1);
        let mut permutation = Permutation::new(self.seed, first / count, count);
        for (visit, index) in (first..).zip(indices) {
            if visit / count != permutation.epoch {
                permutation = Permutation::new(self.seed, visit / count, count);
            }
            *index = permutation.at(visit % count) as u32;
        }
    }
}

const ROUNDS: usize = 6;

struct Permutation {
    epoch: u64,
    count: u64,
    low_bits: u32,
    low_mask: u64,
    high_mask: u64,
    keys: [u64; ROUNDS],
}

impl Permutation {
    fn new(seed: u64, epoch: u64, count: u64) -> Permutation {
        let bits = u64::BITS - (count - 1).leading_zeros();
        let low_bits = bits.div_ceil(2);
        let mut keys = [0; ROUNDS];
        let mut key = mix(seed) ^ epoch;
        for slot in &mut keys {
            key = mix(key);
            *slot = key;
        }
        Permutation {
            epoch,
            count,
            low_bits,
            low_mask: (1 << low_bits) - 1,
            high_mask: (1 << (bits - low_bits)) - 1,
            keys,
        }
    }

    fn at(&self, index: u64) -> u64 {
        let mut index = self.scramble(index);
        while index >= self.count {
            index = self.scramble(index);
        }
        index
    }

    fn scramble(&self, index: u64) -> u64 {
        let (mut low, mut high) = (index & self.low_mask, index >> self.low_bits);
        for pair in self.keys.chunks_exact(2) {
            high ^= mix(low ^ pair[0]) & self.high_mask;
            low ^= mix(high ^ pair[1]) & self.low_mask;
        }
        high << self.low_bits | low
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_epoch_visits_everything_once_in_another_order() {
        for count in [1, 2, 3, 7, 64, 1000] {
            let order = Order::new(5, count);
            let mut indices = vec![0; count * 3];
            order.fill(0, &mut indices);
            for epoch in indices.chunks(count) {
                let mut sorted = epoch.to_vec();
                sorted.sort_unstable();
                assert!(sorted.iter().copied().eq(0..count as u32), "{count}");
            }
            if count >= 64 {
                assert_ne!(indices[..count], indices[count..count * 2]);
            }
            let mut tail = vec![0; count * 2];
            order.fill(count as u64, &mut tail);
            assert_eq!(tail, indices[count..], "an order can be entered anywhere");
        }
    }

    #[test]
    fn neighbours_do_not_stay_neighbours() {
        let mut indices = vec![0; 10_000];
        Order::new(1, 10_000).fill(0, &mut indices);
        let close = indices
            .windows(2)
            .filter(|pair| pair[0].abs_diff(pair[1]) < 100)
            .count();
        // 2 % are expected by chance.
        assert!((100..300).contains(&close), "{close}");
    }

    #[test]
    fn uniform_numbers_are_centred() {
        let mean = (0..10_000).map(|i| uniform(3, i)).sum::<f32>() / 10_000.0;
        assert!(mean.abs() < 0.03, "{mean}");
    }
}
