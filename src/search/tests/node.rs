//! What a node leaves on the stack and in the transposition table.

use super::super::control::Control;
use super::super::history::Histories;
use super::super::limits::Limits;
use super::super::node::NonPv;
use super::super::worker::Worker;
use super::with_worker;
use crate::position::Position;
use crate::position::notation::parse_fen;
use crate::score::Score;

/// Searches the initial position at ply 1 in a null window that it exceeds, after a closure has
/// prepared the stack, and passes the worker to another one.
fn search_at_ply_one(prepare: impl FnOnce(&mut Worker<'_>), check: impl FnOnce(&Worker<'_>)) {
    let root = Position::initial();
    with_worker(&root, &Limits::default(), &Control::default(), |worker| {
        worker.root_depth = 4;
        prepare(worker);
        let (alpha, beta) = (Score::cp(-500), Score::cp(-499));
        let score = worker.search::<NonPv>(&root, 1, 4, alpha, beta, true);
        assert!(score.is_ok_and(|score| score >= beta));
        check(worker);
    });
}

#[test]
fn a_search_without_the_excluded_move_counts_no_cutoff() {
    search_at_ply_one(
        |worker| {
            let m = worker.root_moves[0].m;
            let entry = worker.stack_mut(1);
            entry.excluded = Some(m);
            entry.static_eval = Some(0);
        },
        |worker| assert_eq!(worker.stack(1).cutoffs, 0),
    );
}

#[test]
fn double_extensions_are_those_of_the_path() {
    search_at_ply_one(
        |worker| {
            worker.stack_mut(0).double_extensions = 2;
            // Of a node searched before.
            worker.stack_mut(1).double_extensions = 9;
        },
        |worker| assert_eq!(worker.stack(1).double_extensions, 2),
    );
}

#[test]
fn hindsight_adjusts_a_node_once() {
    search_at_ply_one(
        |worker| {
            let parent = worker.stack_mut(0);
            parent.reduction = 3;
            parent.static_eval = Some(0);
        },
        |worker| assert_eq!(worker.stack(0).reduction, 0),
    );
}

#[test]
fn a_capture_without_a_good_reply_is_rewarded() {
    let root = Position::initial();
    let before = parse_fen("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", false)
        .unwrap()
        .position;
    let capture = before
        .legal_moves()
        .into_iter()
        .find(|&m| before.is_noisy(m))
        .expect("exd5");
    with_worker(&root, &Limits::default(), &Control::default(), |worker| {
        worker.root_depth = 4;
        worker.stack_mut(0).slot = Some(Histories::slot(&before, capture));
        let (alpha, beta) = (Score::cp(500), Score::cp(501));
        let score = worker.search::<NonPv>(&root, 1, 4, alpha, beta, false);
        assert!(score.is_ok_and(|score| score <= alpha));
        assert!(worker.thread.histories.noisy_score(&before, capture) > 0);
    });
}

#[test]
fn a_pruned_node_keeps_its_evaluation() {
    search_at_ply_one(
        |_| {},
        |worker| {
            let request = &worker.shared.request;
            let entry = request.tt.probe(request.root.key()).expect("an entry");
            assert_eq!((entry.depth, entry.best_move), (0, None));
            assert!(entry.raw_eval().is_some());
        },
    );
}
