//! Integration tests of the real program, the suites and the library.

#![allow(clippy::expect_used, clippy::panic, clippy::unwrap_used)]

mod analyse;
#[cfg(unix)]
mod analyse_engines;
#[cfg(unix)]
mod analyse_interrupts;
mod analyse_page;
mod analyse_shards;
mod book;
mod browser;
mod build_script;
mod datagen;
mod epd;
#[cfg(unix)]
mod epd_engines;
mod epd_suites;
mod eval_file;
mod exit_codes;
mod fuzz;
mod harness;
mod harvest;
mod lab;
mod lab_page;
mod layers;
mod levels;
mod options;
mod perft;
mod process;
mod properties;
mod protocol;
mod protocol_input;
mod saved_hash;
mod search;
mod search_limits;
mod shell;
mod strange_positions;
mod tablebases;
mod train;
mod windows;
