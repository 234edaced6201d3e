//! The numbers of the model of wins, draws and losses.
//!
//! Written by `quevedo fit wdl`; fitted to 1513 games of network 11 at 5,000 nodes a move
//! (157532 positions).

use super::Model;

/// The model of this engine.
pub(super) static MODEL: Model = Model {
    least: 9,
    most: 78,
    a: [236.779, -438.023, 573.041, -311.612],
    b: [37.204, 12.369, 118.088, -109.509],
};
