//! The numbers of the model of wins, draws and losses.
//!
//! Written by `quevedo fit wdl`; fitted to 1471 games of network 10 at 5,000 nodes a move
//! (157799 positions).

use super::Model;

/// The model of this engine.
pub(super) static MODEL: Model = Model {
    least: 8,
    most: 78,
    a: [234.374, -370.928, 390.475, -183.113],
    b: [40.236, -9.092, 117.532, -86.047],
};
