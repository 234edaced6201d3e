//! The numbers of the model of wins, draws and losses.
//!
//! Written by `quevedo fit wdl`; fitted to 1362 games of network 13 at 5,000 nodes a move
//! (138891 positions).

use super::Model;

/// The model of this engine.
pub(super) static MODEL: Model = Model {
    least: 9,
    most: 78,
    a: [228.015, -393.296, 528.673, -284.066],
    b: [51.942, -67.839, 191.439, -110.855],
};
