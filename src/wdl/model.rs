//! The numbers of the model of wins, draws and losses.
//!
//! Written by `quevedo wdl`; fitted to 900 games of network 6 at 5,000 nodes a move
//! (95630 positions).

use super::Model;

/// The model of this engine.
pub(super) static MODEL: Model = Model {
    least: 8,
    most: 78,
    a: [251.587, -589.096, 732.114, -342.843],
    b: [43.182, -17.762, 105.775, -64.684],
};
