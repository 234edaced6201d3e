//! HTML pages and pictures: one file each, with everything in it, that works without a network.

pub mod board;
mod page;

pub use page::{Page, json_in_script};
