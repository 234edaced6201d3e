//! Quevedo at the command line.

fn main() {}
