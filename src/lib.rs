//! Quevedo, a UCI chess engine, as a library.
//!
//! [`engine`] is where to begin: it searches positions without an interface and shows an example.
//!
//! Each row of modules imports only modules of the rows above it (a test checks this):
//!
//! ```text
//! atomic_write, huge_pages, memory, plural, position, processor, random, regular_file, score, svg
//! book, eval, games, pgn, tablebase, tt, wdl
//! lab, search, train
//! engine
//! tools, uci
//! ```
//!
//! - [`position`]: a chess position with incremental keys, staged move generation, static exchange
//!   evaluation and repetition detection, on top of [`shakmaty::Chess`];
//! - [`score`]: scores, including mates and tablebase wins;
//! - [`memory`], [`processor`]: the memory and the instruction sets of the machine;
//! - [`atomic_write`]: replaces files atomically;
//! - [`plural`]: numbers with nouns;
//! - [`svg`]: draws pictures;
//! - [`book`]: opening books in the Polyglot format;
//! - [`eval`]: the static evaluation, by a network or hand-written;
//! - [`games`]: recorded games for training, and random openings;
//! - [`pgn`]: games in PGN;
//! - [`tablebase`]: Syzygy endgame tablebases;
//! - [`tt`]: the transposition table;
//! - [`wdl`]: the probabilities to win, draw and lose at a score, and its conversion to centipawns;
//! - [`search`]: iterative-deepening principal variation search on any number of threads; it prints
//!   nothing;
//! - [`train`]: the trainer of the network;
//! - [`lab`]: the classical game-tree algorithms, which the engine does not use;
//! - [`engine`]: the headless engine, with its options, benchmark and other jobs;
//! - [`uci`]: the Universal Chess Interface, which turns text into calls of the engine;
//! - [`tools`]: the sub-commands.

pub mod atomic_write;
pub mod book;
pub mod engine;
pub mod eval;
pub mod games;
mod huge_pages;
pub mod lab;
pub mod memory;
pub mod pgn;
pub mod plural;
pub mod position;
pub mod processor;
mod random;
mod regular_file;
pub mod score;
pub mod search;
pub mod svg;
pub mod tablebase;
pub mod tools;
pub mod train;
pub mod tt;
pub mod uci;
pub mod wdl;
