//! The sub-commands for people at a shell.
