//! Games of two players with two moves each, made at the same time: a matrix of payoffs for each player.
//!
//! A player can make sure of some payoff (maximin), and can hold the other player to some payoff (minimax). Von Neumann
//! (1928): with mixed strategies, in a game where one loses what the other wins, these are the same number.

use std::cmp::Ordering;
use std::fmt;

/// A number of two integers; the denominator is positive.
#[derive(Clone, Copy, Debug)]
pub struct Fraction {
    numerator: i64,
    denominator: i64,
}

impl Fraction {
    /// The quotient of two numbers. A denominator of 0 counts as 1.
    pub fn new(numerator: i64, denominator: i64) -> Fraction {
        let sign = if denominator < 0 { -1 } else { 1 };
        let divisor = gcd(numerator.abs(), denominator.abs()).max(1);
        Fraction {
            numerator: sign * numerator / divisor,
            denominator: (sign * denominator / divisor).max(1),
        }
    }
}

impl From<i64> for Fraction {
    fn from(value: i64) -> Fraction {
        Fraction::new(value, 1)
    }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

impl PartialEq for Fraction {
    fn eq(&self, other: &Fraction) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Fraction {}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Fraction) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Fraction) -> Ordering {
        let left = i128::from(self.numerator) * i128::from(other.denominator);
        left.cmp(&(i128::from(other.numerator) * i128::from(self.denominator)))
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.denominator == 1 {
            write!(f, "{}", self.numerator)
        } else {
            write!(f, "{}/{}", self.numerator, self.denominator)
        }
    }
}

/// What one player gets, `[own move][other player's move]`.
pub type Payoffs = [[i64; 2]; 2];

/// A game: what each player gets, each seen from its own side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatrixGame {
    /// What the first player gets.
    pub first: Payoffs,
    /// What the second player gets.
    pub second: Payoffs,
}

/// The prisoner's dilemma: move 0 is to cooperate, move 1 to defect.
pub const DILEMMA: MatrixGame = MatrixGame::symmetric([[3, 0], [5, 1]]);
/// Chicken: move 0 is to swerve, move 1 to go straight on.
pub const CHICKEN: MatrixGame = MatrixGame::symmetric([[0, -1], [1, -10]]);
/// Matching pennies: the first player wins if both show the same side.
pub const PENNIES: MatrixGame = MatrixGame::zero_sum([[1, -1], [-1, 1]]);

impl MatrixGame {
    /// A game that looks the same to both players.
    pub const fn symmetric(payoffs: Payoffs) -> MatrixGame {
        MatrixGame {
            first: payoffs,
            second: payoffs,
        }
    }

    /// A game in which the second player loses what the first wins.
    pub const fn zero_sum(payoffs: Payoffs) -> MatrixGame {
        let [[a, b], [c, d]] = payoffs;
        MatrixGame {
            first: payoffs,
            second: [[-a, -c], [-b, -d]],
        }
    }

    /// Whether one loses what the other wins.
    pub fn is_zero_sum(&self) -> bool {
        let [[a, b], [c, d]] = self.first;
        self.second == [[-a, -c], [-b, -d]]
    }

    /// The move with which the first player makes sure of the most (maximin); the first of equal ones.
    pub fn cautious_move(&self) -> usize {
        let [a, b] = self.first.map(|[left, right]| left.min(right));
        usize::from(b > a)
    }

    /// The move with which the first player holds the other to the least (minimax); the first of equal ones.
    pub fn hostile_move(&self) -> usize {
        let [[a, b], [c, d]] = self.second;
        usize::from(b.max(d) < a.max(c))
    }
}

/// What a player makes sure of with one move: the largest of the smallest payoffs.
pub fn pure_maximin(payoffs: &Payoffs) -> i64 {
    let [a, b] = payoffs.map(|[left, right]| left.min(right));
    a.max(b)
}

/// What the other player can hold this one to with one move: the smallest of the largest payoffs.
pub fn pure_minimax(payoffs: &Payoffs) -> i64 {
    let [[a, b], [c, d]] = *payoffs;
    a.max(c).min(b.max(d))
}

/// Both at once, when players may choose by lot: the value of the matrix, and with what probability the first move is
/// played.
pub fn mixed_value(payoffs: &Payoffs) -> (Fraction, Fraction) {
    let [[a, b], [c, d]] = *payoffs;
    let saddle = pure_maximin(payoffs);
    if saddle == pure_minimax(payoffs) {
        let first_is_safe = a.min(b) >= saddle;
        return (saddle.into(), i64::from(first_is_safe).into());
    }
    // Without a saddle point each player makes the other's moves equally good.
    let total = a + d - b - c;
    (
        Fraction::new(a * d - b * c, total),
        Fraction::new(d - c, total),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn in_pure_strategies_a_zero_sum_game_can_have_a_gap() {
        assert_eq!(pure_maximin(&PENNIES.first), -1);
        assert_eq!(pure_minimax(&PENNIES.first), 1);
        let (value, probability) = mixed_value(&PENNIES.first);
        assert_eq!(
            (value.to_string(), probability.to_string()),
            ("0".to_owned(), "1/2".to_owned())
        );
    }

    #[test]
    fn in_the_dilemma_caution_gives_less_than_trust() {
        let game = DILEMMA;
        assert!(!game.is_zero_sum());
        assert_eq!((game.cautious_move(), game.hostile_move()), (1, 1));
        assert_eq!(pure_maximin(&game.first), 1);
        assert!(game.first[0][0] > pure_maximin(&game.first));
    }

    #[test]
    fn in_chicken_caution_and_hostility_differ() {
        assert_eq!((CHICKEN.cautious_move(), CHICKEN.hostile_move()), (0, 1));
    }

    proptest! {
        #[test]
        fn in_zero_sum_games_maximin_is_minimax(
            a in -50_i64..50, b in -50_i64..50, c in -50_i64..50, d in -50_i64..50,
        ) {
            let game = MatrixGame::zero_sum([[a, b], [c, d]]);
            prop_assert!(game.is_zero_sum());
            let (value, _) = mixed_value(&game.first);
            let (other, _) = mixed_value(&game.second);
            // What one makes sure of is what the other can hold him to.
            prop_assert_eq!(value, Fraction::new(-other.numerator, other.denominator));
            prop_assert!(Fraction::from(pure_maximin(&game.first)) <= value);
            prop_assert!(value <= Fraction::from(pure_minimax(&game.first)));
            if pure_maximin(&game.first) == pure_minimax(&game.first) {
                prop_assert_eq!(
                    game.first[game.cautious_move()].iter().min().copied(),
                    Some(pure_maximin(&game.first))
                );
            }
        }
    }
}
