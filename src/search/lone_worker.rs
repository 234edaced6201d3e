//! A search thread without an engine around it, to test with.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::SearchOptions;
use super::control::{Control, Go};
use super::limits::Limits;
use super::report::Silent;
use super::root::RootMove;
use super::worker::{Counters, SharedState, ThreadData, Worker};
use crate::position::Position;
use crate::position::repetition::KeyHistory;
use crate::tt::TranspositionTable;

/// The number of its search, for [`Control::stop`].
pub const SEARCH: u64 = 1;

/// Lets the only thread of a search do something. It evaluates by the hand-written evaluation.
pub fn with_worker<T>(
    root: &Position,
    limits: &Limits,
    control: &Control,
    act: impl FnOnce(&mut Worker<'_>) -> T,
) -> T {
    let root_moves: Vec<_> = root.legal_moves().into_iter().map(RootMove::new).collect();
    let shared = SharedState {
        tt: &TranspositionTable::new(1, None).expect("data"),
        network: None,
        tablebases: None,
        options: &SearchOptions::default(),
        limits,
        root,
        keys: &KeyHistory::default(),
        root_moves: &root_moves,
        root_in_tablebases: false,
        skill: None,
        go: Go {
            control,
            number: SEARCH,
            received: Instant::now(),
        },
        report: &Silent,
        budget: None,
        overdue: AtomicBool::new(false),
        stop: AtomicBool::new(false),
        counters: vec![Counters::default()],
    };
    let mut data = ThreadData::new(None);
    act(&mut Worker::new(&shared, &mut data, 0))
}
