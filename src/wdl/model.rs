//! The numbers of the model of wins, draws and losses.
//!
//! Written by `quevedo fit wdl`; fitted to 1471 games of network 9 at 5,000 nodes a move
//! (157873 positions).

use super::Model;

/// The model of this engine.
pub(super) static MODEL: Model = Model {
    least: 8,
    most: 78,
    a: [248.872, -464.631, 547.692, -261.254],
    b: [48.497, -23.615, 121.655, -75.415],
};
