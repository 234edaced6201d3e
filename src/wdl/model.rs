//! The numbers of the model of wins, draws and losses.
//!
//! Written by `quevedo fit wdl`; fitted to 2615 games of network 8 at 5,000 nodes a move
//! (282881 positions).

use super::Model;

/// The model of this engine.
pub(super) static MODEL: Model = Model {
    least: 8,
    most: 78,
    a: [235.401, -374.564, 347.444, -140.926],
    b: [40.152, 51.023, -52.617, 25.442],
};
