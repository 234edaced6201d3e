//! Integration tests: the real binary, the suites, and properties.

mod datagen;
mod eval_file;
mod harness;
mod levels;
mod options;
mod perft;
mod properties;
mod protocol;
mod search;
mod strange_positions;
mod train;
