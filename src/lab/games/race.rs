//! The simplified backgammon race: two pieces a side on the fields 0 to 5. Max's walk up to 5, Min's down to 0.
//!
//! The rules, where lectures leave them open, are these:
//! - before each turn a coin says how far one piece goes: one field (heads) or two (tails);
//! - a field with a piece of the opponent's is closed, and may be jumped over; own pieces may share a field;
//! - a piece may not go beyond its goal, so the last step needs the exact throw;
//! - who has no legal move passes, and who has one has to move;
//! - who first has both pieces at the goal wins: 20 for Max, 0 for Min, the ends of the evaluation's range.
//!
//! The evaluation is the sum of the four fields, which all are good for Max if large. Pieces never go back, but
//! two throws on which both pass lead to the same position again, so that no depth is enough for the exact value.
//! [`Solution`] finds it by value iteration.

use std::collections::HashMap;

use crate::lab::game::{Game, Player, Value};

/// The last field, Max's goal. Min's is 0.
const LAST: u8 = 5;
/// The units of a value of one: 20 throws halve it without remainder.
const UNIT: Value = 1 << 20;
/// What a game that Max wins is worth: the largest evaluation.
const WON: Value = 4 * LAST as Value;

/// The game.
#[derive(Clone, Copy, Debug)]
pub struct Race {
    /// The position to begin with.
    pub start: Pieces,
}

/// Where the pieces are, and what happens next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pieces {
    /// Max's pieces, the rear one first.
    max: [u8; 2],
    /// Min's pieces, the one on the smaller field first.
    min: [u8; 2],
    max_turn: bool,
    /// How far a piece goes, once the coin has been tossed.
    throw: Option<u8>,
}

impl Default for Pieces {
    /// All pieces at their beginning, Max to toss the coin.
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
    /// Max's pieces on two fields and Min's on two others, before Max's or Min's coin is tossed.
    ///
    /// # Errors
    /// When a field does not exist, or both sides are on one, or the game is over for both.
    pub fn new(mut max: [u8; 2], mut min: [u8; 2], max_turn: bool) -> Result<Pieces, String> {
        max.sort_unstable();
        min.sort_unstable();
        if let Some(field) = max.iter().chain(&min).find(|field| **field > LAST) {
            return Err(format!("field {field}: fields are 0 to {LAST}"));
        }
        if let Some(field) = max.iter().find(|field| min.contains(field)) {
            return Err(format!("field {field}: both sides have a piece there"));
        }
        if max == [LAST; 2] && min == [0; 2] {
            return Err("both sides are at their goals".to_owned());
        }
        Ok(Pieces {
            max,
            min,
            max_turn,
            throw: None,
        })
    }
}

/// A toss of the coin, or what a player does with it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// The coin says how far.
    Throw(u8),
    /// A piece goes from one field to another.
    Walk(u8, u8),
    /// No piece can go.
    Pass,
}

impl Race {
    /// Where the piece on a field comes to, if it may go there.
    fn target(pieces: &Pieces, from: u8, distance: u8) -> Option<u8> {
        if pieces.max_turn {
            let to = from + distance;
            (to <= LAST && !pieces.min.contains(&to)).then_some(to)
        } else {
            let to = from.checked_sub(distance)?;
            (!pieces.max.contains(&to)).then_some(to)
        }
    }

    fn walks(pieces: &Pieces, distance: u8) -> Vec<Step> {
        let mut own = if pieces.max_turn {
            pieces.max
        } else {
            pieces.min
        }
        .to_vec();
        own.dedup();
        let walk = |from| Some(Step::Walk(from, Race::target(pieces, from, distance)?));
        own.into_iter().filter_map(walk).collect()
    }
}

impl Game for Race {
    type State = Pieces;
    type Move = Step;

    fn start(&self) -> Pieces {
        self.start
    }

    fn player(&self, pieces: &Pieces) -> Player {
        match pieces.throw {
            None => Player::Chance,
            Some(_) if pieces.max_turn => Player::Max,
            Some(_) => Player::Min,
        }
    }

    fn moves(&self, pieces: &Pieces) -> Vec<Step> {
        let Some(distance) = pieces.throw else {
            return vec![Step::Throw(1), Step::Throw(2)];
        };
        let walks = Race::walks(pieces, distance);
        if walks.is_empty() {
            vec![Step::Pass]
        } else {
            walks
        }
    }

    fn apply(&self, pieces: &Pieces, step: &Step) -> Pieces {
        let mut next = *pieces;
        if let Step::Throw(distance) = step {
            next.throw = Some(*distance);
            return next;
        }
        if let Step::Walk(from, to) = step {
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

    /// The sum of the four fields: e(3, 4, 1, 2) = 10.
    fn evaluate(&self, pieces: &Pieces) -> Value {
        let fields = pieces.max.iter().chain(&pieces.min);
        fields.map(|field| Value::from(*field)).sum::<Value>() * UNIT
    }

    fn range(&self) -> (Value, Value) {
        (0, WON * UNIT)
    }

    fn move_text(&self, _pieces: &Pieces, step: &Step) -> String {
        match step {
            Step::Throw(distance) => format!("coin:{distance}"),
            Step::Walk(from, to) => format!("{from}-{to}"),
            Step::Pass => "pass".to_owned(),
        }
    }

    fn state_text(&self, pieces: &Pieces) -> String {
        let field = |field: u8| {
            let count = |side: [u8; 2]| side.iter().filter(|piece| **piece == field).count();
            match (count(pieces.max), count(pieces.min)) {
                (0, 0) => "--".to_owned(),
                (0, min) => "O".repeat(min),
                (max, _) => "X".repeat(max),
            }
        };
        let fields: Vec<String> = (0..=LAST).map(|n| format!("{n}:{:<2}", field(n))).collect();
        format!("{}   (X walks up, O down)", fields.join(" "))
    }

    fn unit(&self) -> Value {
        UNIT
    }

    fn has_chance(&self) -> bool {
        true
    }
}

/// The exact value of every position that can come about.
pub struct Solution {
    values: HashMap<Pieces, f64>,
    /// How often all values were computed anew.
    pub rounds: u32,
    /// The largest change in the last round.
    pub change: f64,
}

impl Solution {
    /// Value iteration (Shapley 1953, Bellman 1957): computes all values from each other, beginning with the evaluation,
    /// until no value changes by more than `tolerance`, at most `most_rounds` times. Positions in which the game can never end keep
    /// what they have.
    pub fn new(race: &Race, tolerance: f64, most_rounds: u32) -> Solution {
        let unit = UNIT as f64;
        let states = super::super::reachable(race, usize::MAX);
        let mut solution = Solution {
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

    /// The exact value for Max of a position that can come about from the game's start.
    pub fn value(&self, pieces: &Pieces) -> Option<f64> {
        self.values.get(pieces).copied()
    }

    fn backed_up(&self, race: &Race, pieces: &Pieces) -> f64 {
        let steps = race.moves(pieces);
        let values = steps
            .iter()
            .filter_map(|step| self.value(&race.apply(pieces, step)));
        match race.player(pieces) {
            Player::Max => values.fold(f64::NEG_INFINITY, f64::max),
            Player::Min => values.fold(f64::INFINITY, f64::min),
            Player::Chance => values.sum::<f64>() / steps.len() as f64,
        }
    }
}
