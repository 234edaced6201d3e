//! Integration tests: the real binary, the suites, and properties.

mod book;
mod datagen;
mod harness;
mod options;
mod perft;
mod properties;
mod protocol;
mod search;
mod strange_positions;
mod train;
