//! Integration tests: the real binary, the suites, and properties.
mod search;
