//! What the algorithms know of a game.

use std::hash::Hash;

/// What a position is worth to Max, as an integer: null windows are one unit wide, and a floating-point value has no
/// next one. Games with fractions count in small units ([`Game::unit`]).
pub type Value = i64;

/// Beyond every value of a game, and small enough that sums of it with values do not overflow.
pub const INFINITY: Value = 1 << 50;

/// Who decides what happens next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player {
    /// Wants the largest value.
    Max,
    /// Wants the smallest value.
    Min,
    /// A coin or dice.
    Chance,
}

/// The rules of a game for one or two players, with or without chance, and what is known about its positions.
///
/// A position that is not at an end ([`Game::utility`] is `None`) has at least one move; a player who cannot do anything
/// passes with a move of its own.
pub trait Game {
    /// A position. Equal positions have equal values: who is to move is part of it.
    type State: Clone + Eq + Hash;
    /// What leads from one position to another: a move, or a throw of the dice.
    type Move: Clone + PartialEq;

    /// The position to begin with.
    fn start(&self) -> Self::State;

    /// Who decides in this position. At the end of a game: who would.
    fn player(&self, state: &Self::State) -> Player;

    /// The legal moves, in the order in which algorithms try them, or the throws of the dice.
    fn moves(&self, state: &Self::State) -> Vec<Self::Move>;

    /// The position after a legal move.
    fn apply(&self, state: &Self::State, m: &Self::Move) -> Self::State;

    /// The result for Max if the game is over.
    fn utility(&self, state: &Self::State) -> Option<Value>;

    /// What a position is worth to Max by its looks, where the search is cut off.
    fn evaluate(&self, state: &Self::State) -> Value;

    /// The smallest and the largest value that [`Game::utility`] and [`Game::evaluate`] return.
    fn range(&self) -> (Value, Value);

    /// A move as a person writes it.
    fn move_text(&self, state: &Self::State, m: &Self::Move) -> String;

    /// A position as a person reads it, in one or more lines.
    fn state_text(&self, state: &Self::State) -> String;

    /// How many units a value of one has: values are fixed-point numbers.
    fn unit(&self) -> Value {
        1
    }

    /// Whether there are positions in which chance decides.
    fn has_chance(&self) -> bool {
        false
    }

    /// How often chance comes to this throw, in proportion to the other throws; at least 1.
    fn weight(&self, _state: &Self::State, _throw: &Self::Move) -> u32 {
        1
    }

    /// Whether the evaluation can be trusted. Where it cannot (a king in check), heuristic continuation goes on.
    fn is_quiet(&self, _state: &Self::State) -> bool {
        true
    }

    /// The moves that change the evaluation abruptly, which a quiescence search looks at.
    fn noisy_moves(&self, _state: &Self::State) -> Vec<Self::Move> {
        Vec::new()
    }

    /// The position after a move that changes nothing but the player, where the rules come near enough to one.
    fn pass(&self, _state: &Self::State) -> Option<Self::State> {
        None
    }

    /// The move that a book of openings or endings has for the position.
    fn book(&self, _state: &Self::State) -> Option<Self::Move> {
        None
    }
}

/// A value of a game as people write it: `3.1`, not 3100 thousandths.
pub fn value_text(value: Value, unit: Value) -> String {
    if value >= INFINITY {
        return "+∞".to_owned();
    }
    if value <= -INFINITY {
        return "-∞".to_owned();
    }
    if unit == 1 {
        return value.to_string();
    }
    let text = format!("{:.4}", value as f64 / unit as f64);
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0" } else { text }.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fixed_point_values_are_written_without_their_unit() {
        assert_eq!(value_text(3_100, 1_000), "3.1");
        assert_eq!(value_text(-4_000, 1_000), "-4");
        assert_eq!(value_text(0, 1_000), "0");
        assert_eq!(value_text(1_000, 1), "1000");
        assert_eq!(value_text(-INFINITY, 1_000), "-∞");
    }
}
