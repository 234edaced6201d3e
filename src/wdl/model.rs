//! The numbers of the model of wins, draws and losses.
//!
//! Written by `quevedo wdl`; fitted to 10018 games of the hand-written evaluation at 1,000 nodes a move
//! (955266 positions).

use super::Model;

/// The model of this engine.
pub(super) static MODEL: Model = Model {
    least: 7,
    most: 78,
    a: [153.225, -217.752, 233.292, -112.983],
    b: [23.913, 206.165, -112.057, 32.066],
};
