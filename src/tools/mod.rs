//! The sub-commands for people at a shell.

pub mod eval;
pub mod tune;
