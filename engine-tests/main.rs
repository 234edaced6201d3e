//! Integration tests: the real binary, the suites, and properties.

mod analyse;
mod browser;
mod datagen;
mod epd;
#[cfg(unix)]
mod epd_engines;
mod harness;
mod options;
mod perft;
mod properties;
mod protocol;
mod search;
mod strange_positions;
mod train;
