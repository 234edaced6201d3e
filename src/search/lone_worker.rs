//! A search thread without an engine around it, to test with.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::Settings;
use super::control::{Control, Go};
use super::limits::Limits;
use super::report::Silent;
use super::root::RootMove;
use super::worker::{Counters, Memory, Shared, Worker};
use crate::hash::HashTable;
use crate::position::Position;
use crate::position::repetition::KeyStack;

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
    let shared = Shared {
        hash: &HashTable::new(1, None).expect("memory"),
        network: None,
        tablebases: None,
        settings: &Settings::default(),
        limits,
        root,
        keys: &KeyStack::default(),
        root_moves: &root_moves,
        root_in_tablebases: false,
        player: None,
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
    let mut memory = Memory::new(None);
    act(&mut Worker::new(&shared, &mut memory, 0))
}
