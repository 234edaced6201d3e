//! The games, each in a file of its own with its rules.

pub mod chess;
pub mod dilemma;
pub mod eight_puzzle;
pub mod explicit;
mod explicit_parser;
pub mod grundy;
pub mod hidden_tic_tac_toe;
pub mod kinds;
pub mod matrix;
pub mod nim;
pub mod race;
pub mod random_tree;
pub mod three_players;
pub mod tic_tac_toe;
