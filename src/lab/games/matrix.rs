//! Games of two players with two moves each, made at the same time: a matrix of payoffs for each
//! player.
//!
//! A player can make sure of some payoff (maximin), and can hold the other player to some payoff
//! (minimax). Von Neumann (1928): with mixed strategies these are the same number. Nash (1950): in
//! an equilibrium neither player gains by changing alone. Maynard Smith and Price (1973): an
//! evolutionarily stable strategy, played by all, resists every rare mutant.

use std::cmp::Ordering;
use std::fmt;

/// A fraction with a positive denominator.
#[derive(Clone, Copy, Debug)]
pub struct Fraction {
    numerator: i64,
    denominator: i64,
}

impl Fraction {
    /// Returns the quotient of two numbers. A denominator of 0 counts as 1.
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

/// The payoffs of one player, `[own move][other player's move]`.
pub type Payoffs = [[i64; 2]; 2];

/// A game: the payoffs of each player, each from its own point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MatrixGame {
    /// The payoffs of the first player.
    pub first: Payoffs,
    /// The payoffs of the second player.
    pub second: Payoffs,
}

/// The prisoner's dilemma: move 0 is to cooperate, move 1 to defect.
pub const DILEMMA: MatrixGame = MatrixGame::symmetric([[3, 0], [5, 1]]);
/// Chicken: move 0 is to swerve, move 1 to go straight on.
pub const CHICKEN: MatrixGame = MatrixGame::symmetric([[0, -1], [1, -10]]);
/// Hawk and dove: move 0 is hawk, move 1 dove. A prize of 2 is shared by doves and fought for by
/// hawks, and a lost fight costs 4.
pub const HAWK_DOVE: MatrixGame = MatrixGame::symmetric([[-1, 2], [0, 1]]);
/// Matching pennies: the first player wins if both show the same side.
pub const PENNIES: MatrixGame = MatrixGame::zero_sum([[1, -1], [-1, 1]]);

impl MatrixGame {
    /// Creates a game that looks the same to both players.
    pub const fn symmetric(payoffs: Payoffs) -> MatrixGame {
        MatrixGame {
            first: payoffs,
            second: payoffs,
        }
    }

    /// Creates a game in which the second player loses what the first wins.
    pub const fn zero_sum(payoffs: Payoffs) -> MatrixGame {
        let [[a, b], [c, d]] = payoffs;
        MatrixGame {
            first: payoffs,
            second: [[-a, -c], [-b, -d]],
        }
    }

    /// Returns whether one player loses what the other wins.
    pub fn is_zero_sum(&self) -> bool {
        let [[a, b], [c, d]] = self.first;
        self.second == [[-a, -c], [-b, -d]]
    }

    /// Returns the move with which the first player makes sure of the most (maximin); the first of
    /// equals.
    pub fn cautious_move(&self) -> usize {
        let [a, b] = self.first.map(|[left, right]| left.min(right));
        usize::from(b > a)
    }

    /// Returns the move with which the first player holds the other to the least (minimax); the
    /// first of equals.
    pub fn hostile_move(&self) -> usize {
        let [[a, b], [c, d]] = self.second;
        usize::from(b.max(d) < a.max(c))
    }

    /// Returns the pairs of moves from which neither player gains by changing alone.
    pub fn pure_equilibria(&self) -> Vec<(usize, usize)> {
        let [[a, b], [c, d]] = self.first;
        let [[e, f], [g, h]] = self.second;
        // The second player's payoffs are [own move][the first player's move].
        let cells = [
            ((0, 0), a >= c && e >= g),
            ((0, 1), b >= d && g >= e),
            ((1, 0), c >= a && f >= h),
            ((1, 1), d >= b && h >= f),
        ];
        let equilibria = cells.into_iter().filter(|(_, is)| *is);
        equilibria.map(|(moves, _)| moves).collect()
    }

    /// Returns the probabilities of the first move in an equilibrium in which both players mix, if
    /// there is one.
    pub fn mixed_equilibrium(&self) -> Option<(Fraction, Fraction)> {
        let mix = |payoffs: Payoffs| {
            let [[a, b], [c, d]] = payoffs;
            // The other player's probability that makes both own moves equally good.
            let (share, total) = (d - b, a - b - c + d);
            let is_inside =
                total != 0 && share.signum() == total.signum() && share.abs() < total.abs();
            is_inside.then(|| Fraction::new(share, total))
        };
        Some((mix(self.second)?, mix(self.first)?))
    }

    /// Returns the evolutionarily stable strategies of a symmetric game, as probabilities of the
    /// first move.
    pub fn evolutionarily_stable(&self) -> Vec<Fraction> {
        if self.first != self.second {
            return Vec::new();
        }
        let [[a, b], [c, d]] = self.first;
        let mut stable = Vec::new();
        if a > c || (a == c && b > d) {
            stable.push(Fraction::from(1));
        }
        if d > b || (d == b && c > a) {
            stable.push(Fraction::from(0));
        }
        if a < c && d < b {
            stable.push(Fraction::new(b - d, b - d + c - a));
        }
        stable
    }
}

/// Returns what a player makes sure of with one move: the largest of the smallest payoffs.
pub fn pure_maximin(payoffs: &Payoffs) -> i64 {
    let [a, b] = payoffs.map(|[left, right]| left.min(right));
    a.max(b)
}

/// Returns what the other player can hold this one to with one move: the smallest of the largest
/// payoffs.
pub fn pure_minimax(payoffs: &Payoffs) -> i64 {
    let [[a, b], [c, d]] = *payoffs;
    a.max(c).min(b.max(d))
}

/// Returns both for mixed strategies, where they are equal: the value of the matrix, and the
/// probability of the first move.
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
    fn equilibria_and_stable_strategies_of_the_classical_games() {
        let texts = |stable: Vec<Fraction>| -> Vec<String> {
            stable.iter().map(Fraction::to_string).collect()
        };
        assert_eq!(DILEMMA.pure_equilibria(), [(1, 1)]);
        assert_eq!(DILEMMA.mixed_equilibrium(), None);
        assert_eq!(texts(DILEMMA.evolutionarily_stable()), ["0"]);
        assert_eq!(PENNIES.pure_equilibria(), []);
        let half = Fraction::new(1, 2);
        assert_eq!(PENNIES.mixed_equilibrium(), Some((half, half)));
        assert_eq!(HAWK_DOVE.pure_equilibria(), [(0, 1), (1, 0)]);
        assert_eq!(HAWK_DOVE.mixed_equilibrium(), Some((half, half)));
        // Half hawks: the prize of 2 divided by the cost of 4.
        assert_eq!(texts(HAWK_DOVE.evolutionarily_stable()), ["1/2"]);
        assert_eq!(texts(CHICKEN.evolutionarily_stable()), ["9/10"]);
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
