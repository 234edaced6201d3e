//! The numbers of the model of wins, draws and losses.
//!
//! Written by `quevedo wdl`; fitted to 900 games of network 2 at 5,000 nodes a move
//! (94316 positions).

use super::Model;

/// The model of this engine.
pub(super) static MODEL: Model = Model {
    least: 7,
    most: 78,
    a: [282.326, -632.884, 776.722, -360.999],
    b: [54.472, -7.226, 84.721, -46.794],
};
