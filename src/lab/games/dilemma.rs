//! The prisoner's dilemma, played again and again.
//!
//! Axelrod, *The Evolution of Cooperation* (1984). Each strategy knows what both players did in the rounds before.

use super::matrix::DILEMMA;
use crate::random::Random;

/// What a player does in one round.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Act {
    /// Move 0 of the matrix.
    Cooperate,
    /// Move 1 of the matrix.
    Defect,
}

use Act::{Cooperate, Defect};

/// How a player decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strategy {
    /// Begins friendly, then does what the other player did last.
    TitForTat,
    /// Defects only after two defections in a row.
    TitForTwoTats,
    /// Cooperates, whatever happens.
    AlwaysCooperate,
    /// Defects, whatever happens.
    AlwaysDefect,
    /// Cooperates until the other player defects for the first time, and never again.
    Grudger,
    /// Keeps what it did if it was paid well, and changes it otherwise.
    Pavlov,
    /// Tosses a coin.
    Random,
}

impl Strategy {
    /// All of them.
    pub const ALL: [Strategy; 7] = [
        Strategy::TitForTat,
        Strategy::TitForTwoTats,
        Strategy::AlwaysCooperate,
        Strategy::AlwaysDefect,
        Strategy::Grudger,
        Strategy::Pavlov,
        Strategy::Random,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Strategy::TitForTat => "Tit for Tat",
            Strategy::TitForTwoTats => "Tit for Two Tats",
            Strategy::AlwaysCooperate => "always cooperate",
            Strategy::AlwaysDefect => "always defect",
            Strategy::Grudger => "grudger",
            Strategy::Pavlov => "Pavlov",
            Strategy::Random => "random",
        }
    }

    /// What it does after rounds of which it knows both sides, the last one at the end.
    pub fn act(self, own: &[Act], other: &[Act], random: &mut Random) -> Act {
        let last = other.last().copied().unwrap_or(Cooperate);
        match self {
            Strategy::TitForTat => last,
            Strategy::TitForTwoTats if other.ends_with(&[Defect, Defect]) => Defect,
            Strategy::TitForTwoTats | Strategy::AlwaysCooperate => Cooperate,
            Strategy::AlwaysDefect => Defect,
            Strategy::Grudger if other.contains(&Defect) => Defect,
            Strategy::Grudger => Cooperate,
            // Well paid means that the other player cooperated.
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

fn payoff(own: Act, other: Act) -> i64 {
    let [[both, sucker], [temptation, neither]] = DILEMMA.first;
    match (own, other) {
        (Cooperate, Cooperate) => both,
        (Cooperate, Defect) => sucker,
        (Defect, Cooperate) => temptation,
        (Defect, Defect) => neither,
    }
}

/// What two strategies get in a number of rounds.
pub fn play(first: Strategy, second: Strategy, rounds: u32, seed: u64) -> (i64, i64) {
    let mut random = Random::new(seed);
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    let mut totals = (0, 0);
    for _ in 0..rounds {
        let own = first.act(&ours, &theirs, &mut random);
        let other = second.act(&theirs, &ours, &mut random);
        totals.0 += payoff(own, other);
        totals.1 += payoff(other, own);
        ours.push(own);
        theirs.push(other);
    }
    totals
}

/// What each strategy gets when each plays each, itself included: rows of [`Strategy::ALL`] against columns of it.
pub fn tournament(rounds: u32, seed: u64) -> Vec<Vec<i64>> {
    let row = |first| {
        let total = |second| play(first, second, rounds, seed).0;
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
        assert_eq!(play(TitForTat, TitForTat, 10, 1), (30, 30));
        // Taken in once, then quits: 0 + 9 * 1 against 5 + 9 * 1.
        assert_eq!(play(TitForTat, AlwaysDefect, 10, 1), (9, 14));
        assert_eq!(play(TitForTwoTats, AlwaysDefect, 10, 1), (8, 18));
        assert_eq!(play(AlwaysCooperate, AlwaysDefect, 10, 1), (0, 50));
        assert_eq!(play(Grudger, AlwaysDefect, 10, 1), (9, 14));
        // Pavlov cooperates in every second round.
        assert_eq!(play(Pavlov, AlwaysDefect, 10, 1), (5, 30));
    }
}
