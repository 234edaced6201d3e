//! The numbers of the model of wins, draws and losses.
//!
//! Written by `quevedo fit wdl`; fitted to 1177 games of network 15 at 5,000 nodes a move
//! (118207 positions).

use super::Model;

/// The model of this engine.
pub(super) static MODEL: Model = Model {
    least: 10,
    most: 78,
    a: [177.893, -237.189, 330.949, -192.357],
    b: [37.350, -26.875, 113.037, -57.680],
};
