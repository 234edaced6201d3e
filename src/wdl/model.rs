//! The numbers of the model of wins, draws and losses.
//!
//! Written by `quevedo fit wdl`; fitted to 1024 games of network 14 at 5,000 nodes a move
//! (104027 positions).

use super::Model;

/// The model of this engine.
pub(super) static MODEL: Model = Model {
    least: 9,
    most: 78,
    a: [138.907, 85.352, -242.116, 93.027],
    b: [18.656, 103.715, -98.247, 31.198],
};
