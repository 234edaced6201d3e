//! The repeated prisoner's dilemma.
//!
//! Axelrod, *The Evolution of Cooperation* (1984). Each strategy knows the moves of both players in
//! the rounds before. Nowak and Sigmund, *Tit for Tat in Heterogeneous Populations* (1992), on
//! forgiveness.

use super::matrix::DILEMMA;
use crate::lab::language::Language;
use crate::random::Random;

/// A move in one round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// Move 0 of the matrix.
    Cooperate,
    /// Move 1 of the matrix.
    Defect,
}

use Act::{Cooperate, Defect};

/// A strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Cooperates first, then repeats the other player's last move.
    TitForTat,
    /// As Tit for Tat, but forgives a defection with a probability of one third.
    GenerousTitForTat,
    /// Defects only after two defections in a row.
    TitForTwoTats,
    /// Always cooperates.
    AlwaysCooperate,
    /// Always defects.
    AlwaysDefect,
    /// Cooperates until the other player defects for the first time, and never again.
    Grudger,
    /// Repeats its move after a good payoff, and changes it otherwise.
    Pavlov,
    /// Tosses a coin.
    Random,
}

impl Strategy {
    /// All strategies.
    pub const ALL: [Strategy; 8] = [
        Strategy::TitForTat,
        Strategy::GenerousTitForTat,
        Strategy::TitForTwoTats,
        Strategy::AlwaysCooperate,
        Strategy::AlwaysDefect,
        Strategy::Grudger,
        Strategy::Pavlov,
        Strategy::Random,
    ];

    /// Returns its name.
    pub fn name(self, lang: Language) -> &'static str {
        match self {
            Strategy::TitForTat => "Tit for Tat",
            Strategy::GenerousTitForTat => {
                lang.pick("generous Tit for Tat", "Tit for Tat generoso")
            }
            Strategy::TitForTwoTats => "Tit for Two Tats",
            Strategy::AlwaysCooperate => lang.pick("always cooperate", "siempre coopera"),
            Strategy::AlwaysDefect => lang.pick("always defect", "siempre delata"),
            Strategy::Grudger => lang.pick("grudger", "rencoroso"),
            Strategy::Pavlov => "Pavlov",
            Strategy::Random => lang.pick("random", "al azar"),
        }
    }

    /// Returns its move after the rounds so far, the last one at the end.
    pub fn act(self, own: &[Act], other: &[Act], random: &mut Random) -> Act {
        let last = other.last().copied().unwrap_or(Cooperate);
        match self {
            Strategy::TitForTat => last,
            Strategy::GenerousTitForTat if random.chance(FORGIVES) => Cooperate,
            Strategy::GenerousTitForTat => last,
            Strategy::TitForTwoTats if other.ends_with(&[Defect, Defect]) => Defect,
            Strategy::TitForTwoTats | Strategy::AlwaysCooperate => Cooperate,
            Strategy::AlwaysDefect => Defect,
            Strategy::Grudger if other.contains(&Defect) => Defect,
            Strategy::Grudger => Cooperate,
            // The payoff was good if the other player cooperated.
            Strategy::Pavlov => match own.last() {
                None => Cooperate,
                Some(own) if *own == last => Cooperate,
                Some(_) => Defect,
            },
            Strategy::Random if random.chance(0.5) => Cooperate,
            Strategy::Random => Defect,
        }
    }
}

/// The probability that the generous Tit for Tat forgives.
const FORGIVES: f64 = 1.0 / 3.0;

fn payoff(own: Act, other: Act) -> i64 {
    let [[both, sucker], [temptation, neither]] = DILEMMA.first;
    match (own, other) {
        (Cooperate, Cooperate) => both,
        (Cooperate, Defect) => sucker,
        (Defect, Cooperate) => temptation,
        (Defect, Defect) => neither,
    }
}

/// Returns the payoffs of two strategies in a number of rounds. With the probability `noise` a move
/// turns into its opposite.
pub fn play(first: Strategy, second: Strategy, rounds: u32, noise: f64, seed: u64) -> (i64, i64) {
    let mut random = Random::new(seed);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let mut totals = (0, 0);
    for _ in 0..rounds {
        let own = first.act(&ours, &theirs, &mut random);
        let other = second.act(&theirs, &ours, &mut random);
        let own = mistaken(own, noise, &mut random);
        let other = mistaken(other, noise, &mut random);
        totals.0 += payoff(own, other);
        totals.1 += payoff(other, own);
        ours.push(own);
        theirs.push(other);
    }
    totals
}

fn mistaken(act: Act, noise: f64, random: &mut Random) -> Act {
    match (noise > 0.0 && random.chance(noise), act) {
        (false, act) => act,
        (true, Cooperate) => Defect,
        (true, Defect) => Cooperate,
    }
}

/// Returns the payoffs of a tournament in which each strategy plays each, itself included. Row and
/// column numbers are those of [`Strategy::ALL`].
pub fn tournament(rounds: u32, noise: f64, seed: u64) -> Vec<Vec<i64>> {
    let row = |first| {
        let total = |second| play(first, second, rounds, noise, seed).0;
        Strategy::ALL.into_iter().map(total).collect()
    };
    Strategy::ALL.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_worked_out_by_hand() {
        use Strategy::{AlwaysCooperate, AlwaysDefect, Grudger, Pavlov, TitForTat, TitForTwoTats};
        let play = |first, second, rounds, seed| play(first, second, rounds, 0.0, seed);
        assert_eq!(play(TitForTat, TitForTat, 10, 1), (30, 30));
        // Exploited once, then both defect: 0 + 9 * 1 against 5 + 9 * 1.
        assert_eq!(play(TitForTat, AlwaysDefect, 10, 1), (9, 14));
        assert_eq!(play(TitForTwoTats, AlwaysDefect, 10, 1), (8, 18));
        assert_eq!(play(AlwaysCooperate, AlwaysDefect, 10, 1), (0, 50));
        assert_eq!(play(Grudger, AlwaysDefect, 10, 1), (9, 14));
        // Pavlov cooperates in every second round.
        assert_eq!(play(Pavlov, AlwaysDefect, 10, 1), (5, 30));
    }

    #[test]
    fn with_mistakes_it_pays_to_forgive() {
        let against_itself = |strategy| {
            let (first, second) = play(strategy, strategy, 10_000, 0.05, 1);
            first + second
        };
        let forgiving = against_itself(Strategy::GenerousTitForTat);
        let strict = against_itself(Strategy::TitForTat);
        // A mistake starts a feud between strict players; 60,000 would be cooperation throughout.
        assert!(forgiving > strict + 5_000, "{forgiving} {strict}");
    }
}
