//! The numbers of the model of wins, draws and losses.
//!
//! Written by `quevedo fit wdl`; fitted to 900 games of network 7 at 5,000 nodes a move
//! (93880 positions).

use super::Model;

/// The model of this engine.
pub(super) static MODEL: Model = Model {
    least: 8,
    most: 78,
    a: [259.961, -535.904, 592.126, -262.218],
    b: [56.223, -82.597, 247.368, -159.772],
};
