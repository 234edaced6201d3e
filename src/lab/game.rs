//! The rules of a game, as the algorithms see them.

use std::hash::Hash;

use super::language::Language;

/// The value of a position for Max. An integer, because null windows are one unit wide. Games with
/// fractions count in small units ([`Game::unit`]).
pub type Value = i64;

/// Larger than every value of a game, and small enough that sums with it do not overflow.
pub const INFINITY: Value = 1 << 50;

/// The player who decides at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mover {
    /// Wants the largest value.
    Max,
    /// Wants the smallest value.
    Min,
    /// A coin or dice.
    Chance,
}

/// The rules of a game for two players, with or without chance, and knowledge about its positions.
///
/// A position where the game is not over ([`Game::utility`] is `None`) has at least one move. A
/// player who cannot do anything passes with a move of its own.
pub trait Game {
    /// A position, including whose turn it is: equal positions have equal values.
    type State: Clone + Eq + Hash;
    /// A move, or a throw of the dice.
    type Move: Clone + PartialEq;

    /// Returns the position to start from.
    fn start(&self) -> Self::State;

    /// Returns who decides in a position; after the end of the game, who would.
    fn player(&self, state: &Self::State) -> Mover;

    /// Returns the legal moves in the order in which algorithms try them, or the throws of the
    /// dice.
    fn moves(&self, state: &Self::State) -> Vec<Self::Move>;

    /// Returns the position after a legal move.
    fn apply(&self, state: &Self::State, m: &Self::Move) -> Self::State;

    /// Returns the result for Max if the game is over.
    fn utility(&self, state: &Self::State) -> Option<Value>;

    /// Estimates the value for Max of a position at which the search is cut off.
    fn evaluate(&self, state: &Self::State) -> Value;

    /// Returns the smallest and the largest value of [`Game::utility`] and [`Game::evaluate`].
    fn range(&self) -> (Value, Value);

    /// Returns the smallest and the largest value of [`Game::utility`], the only ones that a search
    /// to the end meets.
    fn utility_range(&self) -> (Value, Value) {
        self.range()
    }

    /// Writes a move, the same in every language.
    fn move_text(&self, state: &Self::State, m: &Self::Move) -> String;

    /// Writes a position, in one or more lines.
    fn state_text(&self, state: &Self::State, language: Language) -> String;

    /// Returns how many units make a value of one: values are fixed-point numbers.
    fn unit(&self) -> Value {
        1
    }

    /// Returns how many units make one step of the option `--margin`: a pawn in chess, a value of
    /// one elsewhere.
    fn margin_unit(&self) -> Value {
        self.unit()
    }

    /// Returns the result that is a draw: a larger one is a win for Max. `None` if results are
    /// payoffs that nobody wins or loses.
    fn draw(&self) -> Option<Value> {
        Some(0)
    }

    /// Returns a pessimistic and an optimistic value of a position for Max: its true value lies
    /// between them.
    fn bounds(&self, _state: &Self::State) -> (Value, Value) {
        self.range()
    }

    /// Returns whether chance decides somewhere.
    fn has_chance(&self) -> bool {
        false
    }

    /// Returns the weight of a throw, which its probability is proportional to; at least 1.
    fn weight(&self, _state: &Self::State, _throw: &Self::Move) -> u32 {
        1
    }

    /// Returns whether the evaluation can be trusted. If not (a king in check), heuristic
    /// continuation searches on.
    fn is_quiet(&self, _state: &Self::State) -> bool {
        true
    }

    /// Returns the moves that change the evaluation abruptly, which quiescence search looks at.
    fn noisy_moves(&self, _state: &Self::State) -> Vec<Self::Move> {
        Vec::new()
    }

    /// Returns the position after a pass, for null-move pruning, or `None` where passing proves
    /// nothing.
    fn pass(&self, _state: &Self::State) -> Option<Self::State> {
        None
    }

    /// Returns the move that a book of openings or endings has for the position.
    fn book(&self, _state: &Self::State) -> Option<Self::Move> {
        None
    }
}

/// Writes a value: `3.1`, not 3100 thousandths.
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
