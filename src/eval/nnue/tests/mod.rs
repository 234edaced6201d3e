//! Tests of the network: its inputs, its values, and its file.

mod evaluation;
mod inputs;
mod loader;
