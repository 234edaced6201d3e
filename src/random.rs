//! Repeatable random numbers.

/// 2^64 over the golden ratio.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// What SplitMix64 makes of a state: a bijection, in which every bit depends on all others.
#[inline]
pub const fn mix(state: u64) -> u64 {
    let mut z = state.wrapping_add(GOLDEN);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// Steele, Lea and Flood's SplitMix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The sequence of one of the things that a run makes, counted from 0. Neighbouring numbers and neighbouring seeds have
    /// sequences that share nothing.
    pub fn of_item(seed: u64, number: u64) -> Random {
        let mut outer = Random(seed);
        let mut inner = Random(outer.next().wrapping_add(number));
        Random(inner.next())
    }

    /// 64 random bits.
    pub fn next(&mut self) -> u64 {
        let bits = mix(self.0);
        self.0 = self.0.wrapping_add(GOLDEN);
        bits
    }

    /// A number below a bound; 0 if that is 0.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        // 53 bits are what a double holds.
        ((self.next() >> 11) as f64) < probability * (1_u64 << 53) as f64
    }

    /// Fisher and Yates' shuffle.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last + 1);
            items.swap(last, other);
        }
    }
}
