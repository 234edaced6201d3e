//! When a search looks at its limits.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::Settings;
use super::control::{Control, Go};
use super::limits::Limits;
use super::report::Silent;
use super::root::RootMove;
use super::worker::{Counters, Memory, Shared, Stopped, Worker};
use crate::hash::HashTable;
use crate::position::Position;
use crate::position::repetition::KeyStack;

#[test]
fn a_stop_is_noticed_at_the_first_node_after_a_tablebase_hit() {
    let root = Position::initial();
    let root_moves: Vec<_> = root.legal_moves().into_iter().map(RootMove::new).collect();
    let control = Control::default();
    let shared = Shared {
        hash: &HashTable::new(1, None).expect("memory"),
        network: None,
        tablebases: None,
        settings: &Settings::default(),
        limits: &Limits::default(),
        root: &root,
        keys: &KeyStack::default(),
        root_moves: &root_moves,
        root_in_tablebases: false,
        player: None,
        go: Go {
            control: &control,
            number: 1,
            received: Instant::now(),
        },
        report: &Silent,
        budget: None,
        overdue: AtomicBool::new(false),
        stop: AtomicBool::new(false),
        counters: vec![Counters::default()],
    };
    let mut memory = Memory::new(None);
    let mut worker = Worker::new(&shared, &mut memory, 0);
    worker.completed_depth = 1;
    worker.start_polling();
    control.stop(1);
    for _ in 0..3 {
        assert_eq!(worker.enter_node(1), Ok(()), "it is not the time to look");
    }
    worker.count_tbhit();
    assert_eq!(worker.enter_node(1), Err(Stopped));
}
