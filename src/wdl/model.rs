//! The numbers of the WDL model.
//!
//! Written by `quevedo wdl`. Not fitted yet.

use super::Model;

pub(super) static MODEL: Model = Model {
    least: 10,
    most: 78,
    a: [139.0, -39.0, 0.0, 0.0],
    b: [58.4, -23.4, 0.0, 0.0],
};
