//! The numbers of the model of wins, draws and losses.
//!
//! Written by `quevedo wdl`; fitted to 900 games of network 3 at 5,000 nodes a move
//! (94124 positions).

use super::Model;

/// The model of this engine.
pub(super) static MODEL: Model = Model {
    least: 8,
    most: 78,
    a: [229.011, -382.448, 310.082, -100.747],
    b: [37.352, 57.443, -27.556, -2.612],
};
