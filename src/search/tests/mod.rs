//! Tests of the search without an engine around it.

mod exact;
mod node;
mod polling;
mod resume;

use std::time::Instant;

use super::control::{Control, Go};
use super::limits::Limits;
use super::report::Silent;
use super::shared::SharedState;
use super::thread_data::ThreadData;
use super::worker::Worker;
use super::{SearchOptions, SearchRequest, root_moves};
use crate::position::Position;
use crate::position::repetition::KeyHistory;
use crate::tablebase::Tablebases;
use crate::tt::TranspositionTable;

/// The number of the search, for [`Control::stop`].
const SEARCH: u64 = 1;

/// Runs a closure on the only thread of a search, which uses the hand-written evaluation.
pub(super) fn with_worker<T>(
    root: &Position,
    limits: &Limits,
    control: &Control,
    act: impl FnOnce(&mut Worker<'_>) -> T,
) -> T {
    with_tablebases(root, limits, control, None, act)
}

/// Runs a closure as [`with_worker`] does, in a search with tablebases.
pub(super) fn with_tablebases<T>(
    root: &Position,
    limits: &Limits,
    control: &Control,
    tablebases: Option<&Tablebases>,
    act: impl FnOnce(&mut Worker<'_>) -> T,
) -> T {
    let request = SearchRequest {
        root,
        keys: &KeyHistory::default(),
        limits,
        options: &SearchOptions::default(),
        tt: &TranspositionTable::new(1, None).expect("memory"),
        network: None,
        tablebases,
        skill: None,
        go: Go {
            control,
            number: SEARCH,
            received: Instant::now(),
        },
        report: &Silent,
    };
    let candidates = root_moves::collect(&request);
    let shared = SharedState::new(request, candidates, 1);
    let mut thread = ThreadData::new(None);
    act(&mut Worker::new(&shared, &mut thread, 0))
}
