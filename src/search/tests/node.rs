//! What a node leaves on the stack and in the transposition table.

use super::super::control::Control;
use super::super::history::Histories;
use super::super::limits::Limits;
use super::super::node::{NonPv, Root};
use super::super::worker::Worker;
use super::with_worker;
use crate::position::Position;
use crate::position::notation::{INITIAL_FEN, parse_fen, parse_uci};
use crate::score::{Bound, Score};
use crate::tt::TtEntry;

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
        |worker| {
            assert_eq!(worker.stack(1).cutoffs, 0);
            // Its result is not the position's.
            let request = &worker.shared.request;
            assert_eq!(request.tt.probe(request.root.search_key()), None);
        },
    );
}

/// Searches a position at ply 1 without one of its moves, in the null window above alpha.
fn search_without(
    fen: &str,
    excluded: &str,
    alpha: Score,
    prepare: impl FnOnce(&mut Worker<'_>),
) -> Score {
    let root = parse_fen(fen, false).unwrap().position;
    with_worker(&root, &Limits::default(), &Control::default(), |worker| {
        worker.root_depth = 4;
        worker.stack_mut(1).excluded = Some(parse_uci(&root, excluded).unwrap());
        worker.stack_mut(1).static_eval = Some(0);
        prepare(worker);
        let score = worker.search::<NonPv>(&root, 1, 4, alpha, alpha + 1, true);
        score.unwrap()
    })
}

#[test]
fn without_its_only_move_a_position_is_neither_mate_nor_stalemate() {
    let alpha = Score::cp(100);
    for fen in [
        "7k/8/8/8/8/8/6q1/K7 w - - 0 1",
        "7k/8/8/8/8/q7/8/K7 w - - 0 1",
    ] {
        let score = search_without(fen, "a1b1", alpha, |_| {});
        assert_eq!(score, alpha, "{fen}");
    }
}

#[test]
fn the_entry_of_a_position_says_nothing_of_it_without_a_move() {
    let score = search_without(INITIAL_FEN, "e2e4", Score::DRAW, |worker| {
        let request = &worker.shared.request;
        let known = Score::cp(2_000);
        let entry = TtEntry::new(None, known, 1, None, 30, Bound::Exact, false);
        request.tt.store(request.root.search_key(), entry);
    });
    assert!(score < Score::cp(500), "{score:?}");
}

#[test]
fn quiescence_counts_the_plies_to_a_mate() {
    let mated = parse_fen("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1", false);
    let mated = mated.unwrap().position;
    let root = Position::initial();
    with_worker(&root, &Limits::default(), &Control::default(), |worker| {
        let (alpha, beta) = (Score::cp(-1), Score::DRAW);
        let score = worker.quiescence::<NonPv>(&mated, 3, alpha, beta, false);
        assert_eq!(score, Ok(Score::mated_in(3)));
    });
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
fn the_best_of_some_root_moves_is_not_stored() {
    let root = Position::initial();
    let moves = root.legal_moves();
    let is_stored = |limits: &Limits, first: usize| {
        with_worker(&root, limits, &Control::default(), |worker| {
            worker.root_depth = 2;
            worker.root_range.0 = first;
            let window = (-Score::INFINITE, Score::INFINITE);
            let score = worker.search::<Root>(&root, 0, 2, window.0, window.1, false);
            assert!(score.is_ok());
            worker.shared.request.tt.probe(root.search_key()).is_some()
        })
    };
    let searchmoves = Limits {
        searchmoves: moves[..5].to_vec(),
        ..Limits::default()
    };
    assert!(is_stored(&Limits::default(), 0));
    // The second line of MultiPV, and searchmoves.
    assert!(!is_stored(&Limits::default(), 1));
    assert!(!is_stored(&searchmoves, 0));
}

#[test]
fn a_root_move_knows_what_its_score_is() {
    let root = Position::initial();
    for (alpha, beta, expected) in [
        (-Score::INFINITE, Score::INFINITE, Bound::Exact),
        (Score::cp(500), Score::cp(501), Bound::Upper),
        (Score::cp(-501), Score::cp(-500), Bound::Lower),
    ] {
        with_worker(&root, &Limits::default(), &Control::default(), |worker| {
            worker.root_depth = 2;
            let score = worker.search::<Root>(&root, 0, 2, alpha, beta, false);
            assert!(score.is_ok());
            let bounds = worker.root_moves.iter().filter(|best| best.is_scored());
            let bounds: Vec<Bound> = bounds.map(|best| best.bound).collect();
            assert!(bounds.contains(&expected), "{bounds:?}");
        });
    }
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
