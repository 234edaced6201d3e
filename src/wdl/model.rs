//! The numbers of the model of wins, draws and losses.
//!
//! Written by `quevedo wdl`; fitted to 896 games of the hand-written evaluation at 5,000 nodes a move
//! (97871 positions).

use super::Model;

/// The model of this engine.
pub(super) static MODEL: Model = Model {
    least: 8,
    most: 78,
    a: [158.623, -166.379, 124.472, -57.847],
    b: [21.722, 147.371, -137.910, 46.148],
};
