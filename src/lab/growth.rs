//! Measurements of how searches grow with depth.

use std::borrow::Borrow;

use serde::Serialize;

use super::catalogue::Algorithm;
use super::game::{Game, Mover};
use super::run::{AlgorithmSettings, run};
use super::search::{Halt, RunLimits};

/// The measurements of one algorithm at depths from 1 on, as far as its limits allowed.
#[derive(Clone, Debug, Serialize)]
pub struct Curve {
    /// The algorithm, with the order of the children if there are several curves of it.
    pub algorithm: String,
    /// Different leaves.
    pub leaves: Vec<u64>,
    /// Leaves evaluated, with repetitions.
    pub evaluations: Vec<u64>,
    /// Interior nodes and leaves, with repetitions.
    pub nodes: Vec<u64>,
    /// Microseconds.
    pub microseconds: Vec<u64>,
}

/// A quantity that grows with depth.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum)]
pub enum Measure {
    /// Different leaves
    #[default]
    Leaves,
    /// Leaves evaluated, with repetitions
    Evaluations,
    /// Interior nodes and leaves, with repetitions
    Nodes,
    /// Time in microseconds
    Time,
}

impl Curve {
    /// Returns one quantity at depths from 1 on.
    pub fn values(&self, measure: Measure) -> &[u64] {
        match measure {
            Measure::Leaves => &self.leaves,
            Measure::Evaluations => &self.evaluations,
            Measure::Nodes => &self.nodes,
            Measure::Time => &self.microseconds,
        }
    }
}

/// Measures an algorithm at depths from 1 to `deepest`, with a game for each depth. Stops at the
/// first depth for which the limits, which start anew for each run, do not suffice.
///
/// # Errors
/// Fails when the algorithm cannot search games with chance nodes and the game has them.
pub fn curve<G: Game, B: Borrow<G>>(
    algorithm: Algorithm,
    name: String,
    deepest: u32,
    game: impl Fn(u32) -> B,
    settings: &AlgorithmSettings,
    limits: impl Fn() -> RunLimits,
) -> Result<Curve, Halt> {
    let mut curve = Curve {
        algorithm: name,
        leaves: Vec::new(),
        evaluations: Vec::new(),
        nodes: Vec::new(),
        microseconds: Vec::new(),
    };
    for depth in 1..=deepest {
        let game = game(depth);
        let game: &G = game.borrow();
        let report = run(algorithm, game, &game.start(), depth, settings, limits());
        match report.result {
            Ok(_) if report.only_depth.is_none() => {
                let counters = report.counters;
                curve.leaves.push(counters.distinct_leaves);
                curve.evaluations.push(counters.leaves);
                curve.nodes.push(counters.interior + counters.leaves);
                let time = report.time.as_micros();
                curve
                    .microseconds
                    .push(u64::try_from(time).unwrap_or(u64::MAX));
            }
            Err(Halt::Chance) => return Err(Halt::Chance),
            _ => break,
        }
    }
    Ok(curve)
}

/// The number of ways to go on at a game's start: in a uniform tree, at every node.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Branching {
    /// b, the moves of a player.
    #[serde(rename = "branching")]
    pub moves: usize,
    /// n, the throws of the dice that come with each move; 1 without chance.
    pub throws: usize,
}

/// A power of what each move multiplies the tree by, at depths from 1 on.
#[derive(Clone, Debug, Serialize)]
pub struct Reference {
    /// The formula, with b and n of [`Branching`] and the depth d.
    pub name: &'static str,
    /// The leaves of such a tree.
    pub leaves: Vec<f64>,
}

impl Branching {
    /// Counts moves and throws along the first moves of a game.
    pub fn of<G: Game>(game: &G) -> Branching {
        let start = game.start();
        let below = |state: &G::State| Some(game.apply(state, game.moves(state).first()?));
        let count = |state: &G::State| game.moves(state).len();
        let is_chance = |state: &G::State| game.player(state) == Mover::Chance;
        match below(&start) {
            Some(next) if is_chance(&start) => Branching {
                moves: count(&next),
                throws: count(&start),
            },
            Some(next) if game.utility(&next).is_none() && is_chance(&next) => Branching {
                moves: count(&start),
                throws: count(&next),
            },
            _ => Branching {
                moves: count(&start),
                throws: 1,
            },
        }
    }

    /// Returns the curves that growth is compared with.
    pub fn references(self, deepest: u32) -> [Reference; 3] {
        let factor = self.moves as f64 * self.throws as f64;
        let names = match self.throws {
            1 => ["b^d", "b^(3d/4)", "b^(d/2)"],
            _ => ["(n b)^d", "(n b)^(3d/4)", "(n b)^(d/2)"],
        };
        let [all, best_shallow, best] = names;
        [(all, 1.0), (best_shallow, 0.75), (best, 0.5)].map(|(name, share)| Reference {
            name,
            leaves: (1..=deepest)
                .map(|depth| factor.powf(f64::from(depth) * share))
                .collect(),
        })
    }

    /// Writes b and, with chance, n.
    pub fn text(self) -> String {
        match self.throws {
            1 => format!("b = {}", self.moves),
            throws => format!("b = {}, n = {throws}", self.moves),
        }
    }
}
