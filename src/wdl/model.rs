//! The numbers of the model of wins, draws and losses.
//!
//! Written by `quevedo wdl`; fitted to 900 games of network 4 at 5,000 nodes a move
//! (95456 positions).

use super::Model;

/// The model of this engine.
pub(super) static MODEL: Model = Model {
    least: 7,
    most: 78,
    a: [267.066, -511.185, 415.930, -112.267],
    b: [43.900, 54.800, -78.984, 47.896],
};
