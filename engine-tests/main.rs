//! Integration tests: the real binary, the suites, and properties.

mod harness;
mod options;
mod properties;
mod protocol;
mod strange_positions;
