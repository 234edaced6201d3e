//! Integration tests: the real binary, the suites, and properties.

mod analyse;
mod book;
mod browser;
mod datagen;
mod epd;
#[cfg(unix)]
mod epd_engines;
mod eval_file;
mod fuzz;
mod harness;
mod lab;
mod layers;
mod levels;
mod options;
mod perft;
mod properties;
mod protocol;
mod search;
mod strange_positions;
mod train;
