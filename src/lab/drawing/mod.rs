//! Pictures as SVG: trees with what a search did in them, and charts of how searches grow.

pub mod chart;
mod layout;
pub mod tree;
