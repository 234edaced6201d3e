//! When a search looks at its limits.

use super::super::control::Control;
use super::super::limits::Limits;
use super::super::node::Normal;
use super::super::worker::Stopped;
use super::{SEARCH, with_worker};
use crate::position::Position;
use crate::score::Score;

#[test]
fn a_search_that_is_stopped_before_it_begins_scores_a_move() {
    let control = Control::default();
    control.stop(SEARCH);
    let root = Position::initial();
    with_worker(&root, &Limits::default(), &control, |worker| {
        worker.iterate::<Normal>();
        assert_ne!(worker.root_moves[0].latest_score(), -Score::INFINITE);
    });
}

#[test]
fn a_stop_is_noticed_at_the_first_node_after_a_tablebase_hit() {
    let control = Control::default();
    with_worker(
        &Position::initial(),
        &Limits::default(),
        &control,
        |worker| {
            worker.root_depth = 1;
            worker.complete_iteration();
            assert_eq!(worker.poll(), Ok(()));
            control.stop(SEARCH);
            for _ in 0..3 {
                assert_eq!(worker.enter_node(1), Ok(()), "it is not the time to look");
            }
            worker.count_tbhit();
            assert_eq!(worker.enter_node(1), Err(Stopped));
        },
    );
}
