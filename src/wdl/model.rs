//! The numbers of the model of wins, draws and losses.
//!
//! Written by `quevedo fit wdl`; fitted to 1351 games of network 12 at 5,000 nodes a move
//! (139149 positions).

use super::Model;

/// The model of this engine.
pub(super) static MODEL: Model = Model {
    least: 9,
    most: 78,
    a: [282.336, -670.294, 920.839, -463.997],
    b: [60.449, -125.366, 327.102, -199.666],
};
