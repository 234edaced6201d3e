//! A middlegame and an endgame value in one integer.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middlegame and an endgame value in centipawns, added and multiplied together: the endgame half lies in the upper 32
/// bits. Sixty-two queens stay far from an overflow of either half.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Pair(i64);

/// A pair from its middlegame and endgame values, in centipawns. Short, because the weights are written with it.
#[inline]
pub const fn s(middlegame: i32, endgame: i32) -> Pair {
    Pair(((endgame as i64) << 32) + middlegame as i64)
}

impl Pair {
    /// Nothing in either half.
    pub const ZERO: Pair = Pair(0);

    /// The middlegame half, in centipawns.
    #[inline]
    pub const fn middlegame(self) -> i32 {
        self.0 as i32
    }

    /// The endgame half, in centipawns.
    #[inline]
    pub const fn endgame(self) -> i32 {
        // A negative middlegame half has borrowed one from the upper bits.
        ((self.0 + 0x8000_0000) >> 32) as i32
    }

    /// The sum, for constants.
    #[inline]
    pub const fn plus(self, other: Pair) -> Pair {
        Pair(self.0 + other.0)
    }
}

impl Add for Pair {
    type Output = Pair;
    #[inline]
    fn add(self, other: Pair) -> Pair {
        Pair(self.0 + other.0)
    }
}

impl Sub for Pair {
    type Output = Pair;
    #[inline]
    fn sub(self, other: Pair) -> Pair {
        Pair(self.0 - other.0)
    }
}

impl Neg for Pair {
    type Output = Pair;
    #[inline]
    fn neg(self) -> Pair {
        Pair(-self.0)
    }
}

impl Mul<i32> for Pair {
    type Output = Pair;
    #[inline]
    fn mul(self, count: i32) -> Pair {
        Pair(self.0 * i64::from(count))
    }
}

impl AddAssign for Pair {
    #[inline]
    fn add_assign(&mut self, other: Pair) {
        self.0 += other.0;
    }
}

impl SubAssign for Pair {
    #[inline]
    fn sub_assign(&mut self, other: Pair) {
        self.0 -= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_disturb_each_other() {
        let values = [-70_000, -301, -1, 0, 1, 299, 70_000];
        for (a, b) in values.iter().flat_map(|a| values.map(|b| (*a, b))) {
            let pair = s(a, b);
            assert_eq!((pair.middlegame(), pair.endgame()), (a, b));
            let triple = pair * -3;
            assert_eq!((triple.middlegame(), triple.endgame()), (-3 * a, -3 * b));
            assert!(pair + -pair == Pair::ZERO);
            assert!(pair - pair == Pair::ZERO);
        }
    }
}
