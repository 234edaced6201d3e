//! Middlegame and endgame values packed into one integer.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middlegame and an endgame value in centipawns that are added and multiplied together. The
/// endgame value is in the upper 32 bits. Even sixty-two queens do not overflow either half.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Pair(i64);

/// Creates a pair from its middlegame and endgame values, in centipawns. The name is short because
/// every weight is written with it.
#[inline]
pub const fn s(middlegame: i32, endgame: i32) -> Pair {
    Pair(((endgame as i64) << 32) + middlegame as i64)
}

impl Pair {
    /// Zero in both halves.
    pub const ZERO: Pair = Pair(0);

    /// Returns the middlegame value, in centipawns.
    #[inline]
    pub const fn middlegame(self) -> i32 {
        self.0 as i32
    }

    /// Returns the endgame value, in centipawns.
    #[inline]
    pub const fn endgame(self) -> i32 {
        // A negative middlegame value borrows one from the upper bits.
        ((self.0 + 0x8000_0000) >> 32) as i32
    }

    /// Returns the sum, in constants too.
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
