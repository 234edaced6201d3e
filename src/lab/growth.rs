//! How many leaves the algorithms look at, against depth.

use std::borrow::Borrow;

use serde::Serialize;

use super::catalogue::Algorithm;
use super::game::Game;
use super::run::{Settings, run};
use super::search::{Budget, Halt};

/// The leaves of one algorithm at depths from 1 on.
#[derive(Clone, Debug, Serialize)]
pub struct Curve {
    /// The algorithm's name.
    pub algorithm: &'static str,
    /// Different leaves at depth 1, 2 and so on, as far as the budget went.
    pub leaves: Vec<u64>,
    /// Leaves at the same depths, each as often as it was evaluated.
    pub evaluations: Vec<u64>,
}

/// Measures the leaves of an algorithm at depths from 1 to `deepest`, with a game for each depth. Stops at the first
/// depth at which the budget, which each run gets anew, does not suffice.
///
/// # Errors
/// When the algorithm knows nothing of chance and the game has it.
pub fn curve<G: Game, B: Borrow<G>>(
    algorithm: Algorithm,
    deepest: u32,
    game: impl Fn(u32) -> B,
    settings: &Settings,
    budget: impl Fn() -> Budget,
) -> Result<Curve, Halt> {
    let mut curve = Curve {
        algorithm: algorithm.entry().name,
        leaves: Vec::new(),
        evaluations: Vec::new(),
    };
    for depth in 1..=deepest {
        let game = game(depth);
        let game: &G = game.borrow();
        let report = run(algorithm, game, &game.start(), depth, settings, budget());
        match report.result {
            Ok(_) if report.only_depth.is_none() => {
                curve.leaves.push(report.counters.distinct_leaves);
                curve.evaluations.push(report.counters.leaves);
            }
            Err(Halt::Chance) => return Err(Halt::Chance),
            _ => break,
        }
    }
    Ok(curve)
}

/// The powers of the branching that growth is compared with.
pub const REFERENCES: [(&str, f64); 3] = [("b^d", 1.0), ("b^(3d/4)", 0.75), ("b^(d/2)", 0.5)];

/// A reference curve at a depth.
pub fn reference(branching: f64, depth: u32, share: f64) -> f64 {
    branching.powf(f64::from(depth) * share)
}
