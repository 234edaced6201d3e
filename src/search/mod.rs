//! The search: iterative deepening principal variation search.

pub mod control;
pub mod limits;
pub mod report;
