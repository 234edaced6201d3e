//! The simplified backgammon race: two pieces a side on the fields 0 to 5. Max's pieces walk up to
//! 5, Min's down to 0.
//!
//! The lecture notes leave some rules open. Here they are:
//! - before each turn a coin decides how far one piece goes: one field (heads) or two (tails);
//! - a field with an enemy piece is closed, and may be jumped over; own pieces may share a field;
//! - a piece may not go beyond its goal, so the last step needs the exact throw;
//! - a player without a legal move passes; passing is not allowed otherwise;
//! - the first player with both pieces at the goal wins: 20 for Max, 0 for Min, the ends of the
//!   evaluation's range.
//!
//! The evaluation is the sum of the four fields. Pieces never go back, but if both players must
//! pass, the position repeats. So no depth gives the exact value; [`RaceSolution`] finds it by
//! value iteration.

use std::collections::HashMap;

use thiserror::Error;

use crate::lab::game::{Game, Mover, Value};
use crate::lab::language::Language;

/// The last field, Max's goal. Min's is 0.
const LAST: u8 = 5;
/// The units of a value of one: 20 throws halve it without remainder.
const UNIT: Value = 1 << 20;
/// The value of a game that Max wins: the largest evaluation.
const WON: Value = 4 * LAST as Value;

/// The game.
#[derive(Clone, Copy, Debug)]
pub struct Race {
    /// The position to start from.
    pub start: Pieces,
}

/// The pieces, whose turn it is, and the throw.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pieces {
    /// Max's pieces, the rear one first.
    max: [u8; 2],
    /// Min's pieces, the one on the smaller field first.
    min: [u8; 2],
    max_turn: bool,
    /// The distance that a piece moves, once the coin has been tossed.
    throw: Option<u8>,
}

impl Default for Pieces {
    /// Places all pieces on their first fields, before Max's toss.
    fn default() -> Pieces {
        Pieces {
            max: [0, 0],
            min: [LAST, LAST],
            max_turn: true,
            throw: None,
        }
    }
}

impl Pieces {
    /// Places Max's pieces on two fields and Min's on two others, before Max's or Min's toss.
    ///
    /// # Errors
    /// Fails when a field does not exist, both sides are on one field, or both sides have won.
    pub fn new(mut max: [u8; 2], mut min: [u8; 2], max_turn: bool) -> Result<Pieces, FieldsError> {
        max.sort_unstable();
        min.sort_unstable();
        if let Some(field) = max.iter().chain(&min).find(|field| **field > LAST) {
            return Err(FieldsError::NoField(*field));
        }
        if let Some(field) = max.iter().find(|field| min.contains(field)) {
            return Err(FieldsError::Shared(*field));
        }
        if max == [LAST; 2] && min == [0; 2] {
            return Err(FieldsError::TwoWinners);
        }
        Ok(Pieces {
            max,
            min,
            max_turn,
            throw: None,
        })
    }
}

impl Pieces {
    /// Returns the position after a toss of 1 or 2.
    pub fn thrown(mut self, distance: u8) -> Pieces {
        self.throw = Some(distance);
        self
    }
}

/// Errors in the fields of the pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum FieldsError {
    /// The field does not exist.
    #[error("field {0}: fields are 0 to {LAST}")]
    NoField(u8),
    /// Both sides are on the field.
    #[error("field {0}: both sides have a piece there")]
    Shared(u8),
    /// Both sides have won.
    #[error("both sides are at their goals")]
    TwoWinners,
}

impl FieldsError {
    /// Returns the message in Spanish.
    pub fn spanish(self) -> String {
        match self {
            FieldsError::NoField(field) => format!("campo {field}: los campos van de 0 a {LAST}"),
            FieldsError::Shared(field) => format!("campo {field}: los dos bandos están en él"),
            FieldsError::TwoWinners => "los dos bandos han llegado a su meta".to_owned(),
        }
    }
}

/// A toss of the coin, or the move that follows it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RaceStep {
    /// The coin gives the distance.
    Throw(u8),
    /// A piece walks from one field to another.
    Walk(u8, u8),
    /// No piece can move.
    Pass,
}

impl Race {
    /// Returns the field that a piece reaches, if it may go there.
    fn target(pieces: &Pieces, from: u8, distance: u8) -> Option<u8> {
        if pieces.max_turn {
            let to = from + distance;
            (to <= LAST && !pieces.min.contains(&to)).then_some(to)
        } else {
            let to = from.checked_sub(distance)?;
            (!pieces.max.contains(&to)).then_some(to)
        }
    }

    fn walks(pieces: &Pieces, distance: u8) -> Vec<RaceStep> {
        let mut own = if pieces.max_turn {
            pieces.max
        } else {
            pieces.min
        }
        .to_vec();
        own.dedup();
        let walk = |from| Some(RaceStep::Walk(from, Race::target(pieces, from, distance)?));
        own.into_iter().filter_map(walk).collect()
    }
}

impl Game for Race {
    type State = Pieces;
    type Move = RaceStep;

    fn start(&self) -> Pieces {
        self.start
    }

    fn player(&self, pieces: &Pieces) -> Mover {
        match pieces.throw {
            None => Mover::Chance,
            Some(_) if pieces.max_turn => Mover::Max,
            Some(_) => Mover::Min,
        }
    }

    fn moves(&self, pieces: &Pieces) -> Vec<RaceStep> {
        let Some(distance) = pieces.throw else {
            return vec![RaceStep::Throw(1), RaceStep::Throw(2)];
        };
        let walks = Race::walks(pieces, distance);
        if walks.is_empty() {
            vec![RaceStep::Pass]
        } else {
            walks
        }
    }

    fn apply(&self, pieces: &Pieces, step: &RaceStep) -> Pieces {
        let mut next = *pieces;
        if let RaceStep::Throw(distance) = step {
            next.throw = Some(*distance);
            return next;
        }
        if let RaceStep::Walk(from, to) = step {
            let own = if pieces.max_turn {
                &mut next.max
            } else {
                &mut next.min
            };
            if let Some(piece) = own.iter_mut().find(|piece| *piece == from) {
                *piece = *to;
            }
            own.sort_unstable();
        }
        next.max_turn = !pieces.max_turn;
        next.throw = None;
        next
    }

    fn utility(&self, pieces: &Pieces) -> Option<Value> {
        if pieces.max == [LAST; 2] {
            Some(WON * UNIT)
        } else {
            (pieces.min == [0; 2]).then_some(0)
        }
    }

    /// Returns the sum of the four fields: e(3, 4, 1, 2) = 10.
    fn evaluate(&self, pieces: &Pieces) -> Value {
        let fields = pieces.max.iter().chain(&pieces.min);
        fields.map(|field| Value::from(*field)).sum::<Value>() * UNIT
    }

    fn range(&self) -> (Value, Value) {
        (0, WON * UNIT)
    }

    fn draw(&self) -> Option<Value> {
        Some(WON * UNIT / 2)
    }

    fn move_text(&self, _pieces: &Pieces, step: &RaceStep) -> String {
        match step {
            RaceStep::Throw(distance) => distance.to_string(),
            RaceStep::Walk(from, to) => format!("{from}-{to}"),
            RaceStep::Pass => "--".to_owned(),
        }
    }

    fn state_text(&self, pieces: &Pieces, language: Language) -> String {
        let field = |field: u8| {
            let count = |side: [u8; 2]| side.iter().filter(|piece| **piece == field).count();
            match (count(pieces.max), count(pieces.min)) {
                (0, 0) => "--".to_owned(),
                (0, min) => "O".repeat(min),
                (max, _) => "X".repeat(max),
            }
        };
        let fields: Vec<String> = (0..=LAST).map(|n| format!("{n}:{:<2}", field(n))).collect();
        format!(
            "{}   ({})",
            fields.join(" "),
            language.pick("X walks up, O down", "X sube, O baja")
        )
    }

    fn unit(&self) -> Value {
        UNIT
    }

    fn has_chance(&self) -> bool {
        true
    }
}

/// The exact value of every reachable position.
pub struct RaceSolution {
    values: HashMap<Pieces, f64>,
    /// The number of rounds in which all values were computed.
    pub rounds: u32,
    /// The largest change in the last round.
    pub change: f64,
}

impl RaceSolution {
    /// Solves the race by value iteration (Shapley 1953, Bellman 1957): computes all values from
    /// each other, starting with the evaluation, until no value changes by more than `tolerance`,
    /// for at most `most_rounds` rounds. Positions in which the game can never end keep their
    /// evaluation.
    pub fn new(race: &Race, tolerance: f64, most_rounds: u32) -> RaceSolution {
        let unit = UNIT as f64;
        let states = super::super::reachable(race, usize::MAX);
        let mut solution = RaceSolution {
            values: HashMap::new(),
            rounds: 0,
            change: f64::INFINITY,
        };
        for pieces in &states {
            let value = race
                .utility(pieces)
                .unwrap_or_else(|| race.evaluate(pieces));
            solution.values.insert(*pieces, value as f64 / unit);
        }
        while solution.change > tolerance && solution.rounds < most_rounds {
            solution.change = 0.0;
            solution.rounds += 1;
            for pieces in states
                .iter()
                .filter(|pieces| race.utility(pieces).is_none())
            {
                let value = solution.backed_up(race, pieces);
                if let Some(old) = solution.values.insert(*pieces, value) {
                    solution.change = solution.change.max((value - old).abs());
                }
            }
        }
        solution
    }

    /// Returns the exact value, for Max, of a position that can be reached from the game's start.
    pub fn value(&self, pieces: &Pieces) -> Option<f64> {
        self.values.get(pieces).copied()
    }

    /// Returns the moves of a position with their exact values.
    pub fn moves(&self, race: &Race, pieces: &Pieces) -> Vec<(RaceStep, f64)> {
        let steps = race.moves(pieces).into_iter();
        steps
            .filter_map(|step| Some((step, self.value(&race.apply(pieces, &step))?)))
            .collect()
    }

    fn backed_up(&self, race: &Race, pieces: &Pieces) -> f64 {
        let steps = race.moves(pieces);
        let values = steps
            .iter()
            .filter_map(|step| self.value(&race.apply(pieces, step)));
        match race.player(pieces) {
            Mover::Max => values.fold(f64::NEG_INFINITY, f64::max),
            Mover::Min => values.fold(f64::INFINITY, f64::min),
            Mover::Chance => values.sum::<f64>() / steps.len() as f64,
        }
    }
}
