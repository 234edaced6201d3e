//! The sub-commands for use at a shell. Each has its clap arguments, which implement [`Tool`](kit::Tool).

#![deny(clippy::indexing_slicing)]

pub mod analyse;
pub mod bench;
pub mod book;
pub mod datagen;
pub mod epd;
pub mod eval;
pub mod fit;
pub mod kit;
pub mod lab;
pub mod perft;
pub mod render;
pub mod train;

pub use kit::{Tool, ToolError};
