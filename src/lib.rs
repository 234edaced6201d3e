//! Quevedo, a UCI chess engine, as a library.
//!
//! The modules depend on each other in one direction only:
//!
//! ```text
//! score, position <- wdl, tt, eval <- search <- engine <- uci, tools
//!           position <- book   <- engine
//!           position <- games <- train                  <- tools
//!           position <- pgn                             <- tools
//!     position, eval <- lab                             <- tools
//! ```
//!
//! - [`position`]: a chess position with incremental keys, staged move generation, static exchange evaluation and
//!   repetition detection, over [`shakmaty::Chess`];
//! - [`score`]: what a search returns, and what a mate or a tablebase win is worth;
//! - [`wdl`]: what a score means for the game;
//! - [`tt`]: the transposition table;
//! - [`eval`]: the static evaluation;
//! - [`search`]: iterative deepening principal variation search on any number of threads; it prints nothing;
//! - [`tablebase`]: Syzygy endgame tablebases;
//! - [`book`]: opening books in the Polyglot format;
//! - [`engine`]: owns all of the above; what the UCI loop and the tools call;
//! - [`pgn`]: games in PGN, read and written;
//! - [`games`]: games recorded for a network to learn from, and their files;
//! - [`train`]: the network's trainer;
//! - [`lab`]: the classical game-tree algorithms, which the engine does not use;
//! - [`uci`]: text in, text out;
//! - [`tools`]: the sub-commands for people at a shell.

pub mod book;
pub mod engine;
pub mod eval;
pub mod games;

pub mod lab;
pub mod memory;
pub mod pgn;
pub mod position;
pub mod processor;
mod random;
pub mod score;
pub mod search;
pub mod tablebase;
pub mod tools;
pub mod train;
pub mod tt;
pub mod uci;
pub mod wdl;
