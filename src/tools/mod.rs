//! The sub-commands for use at a shell. Each has its clap arguments, which implement [`Tool`](kit::Tool).

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

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
