//! Measurements of how searches grow with depth.

use std::borrow::Borrow;

use serde::Serialize;

use super::catalogue::Algorithm;
use super::game::Game;
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

/// The powers of the branching factor that growth is compared with.
pub const REFERENCES: [(&str, f64); 3] = [("b^d", 1.0), ("b^(3d/4)", 0.75), ("b^(d/2)", 0.5)];

/// Returns a reference curve at a depth.
pub fn reference(branching: f64, depth: u32, share: f64) -> f64 {
    branching.powf(f64::from(depth) * share)
}
