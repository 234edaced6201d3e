//! The search threads: starting them, and selecting among their results.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::thread;

use super::STACK_BYTES;
use super::node::Normal;
use super::root_moves::RootMove;
use super::shared::SharedState;
use super::thread_data::ThreadData;
use super::worker::Worker;
use crate::position::Move;
use crate::score::Bound;

/// The result of one thread.
pub(super) struct ThreadResult {
    /// The root moves, best first.
    pub root_moves: Vec<RootMove>,
    /// The last completed depth.
    pub depth: i32,
}

/// Runs the threads and returns their results, the main thread's first.
pub(super) fn search_on_all_threads(
    shared: &SharedState<'_>,
    threads: &mut [ThreadData],
) -> Vec<ThreadResult> {
    let Some((main_thread, helpers)) = threads.split_first_mut() else {
        return Vec::new();
    };
    let report = shared.request.report;
    thread::scope(|scope| {
        let handles: Vec<_> = helpers
            .iter_mut()
            .zip(1..)
            .map(|(data, id)| {
                thread::Builder::new()
                    .name(format!("search-{id}"))
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || search_on_one_thread(shared, data, id))
            })
            .collect();
        let mut results = vec![search_on_one_thread(shared, main_thread, 0)];
        for handle in handles {
            match handle.map(|handle| handle.join()) {
                Ok(Ok(result)) => results.push(result),
                Ok(Err(_)) => report.error("a search thread panicked"),
                Err(error) => {
                    report.error(&format!("cannot start a search thread: {error}"));
                }
            }
        }
        results
    })
}

/// Searches until a limit is reached or another thread ends the search. A panic is reported, and
/// the results before it are kept.
fn search_on_one_thread(
    shared: &SharedState<'_>,
    data: &mut ThreadData,
    id: usize,
) -> ThreadResult {
    let mut worker = Worker::new(shared, data, id);
    if catch_unwind(AssertUnwindSafe(|| worker.iterate::<Normal>())).is_err() {
        shared.request.report.error(&format!(
            "search thread {id} panicked; using its last result"
        ));
    }
    if id == 0 {
        if !shared.request.go.is_stopped() {
            shared.request.wait_until_answerable();
        }
        shared.stop.store(true, Ordering::Relaxed);
    }
    ThreadResult {
        depth: worker.completed_depth,
        root_moves: worker.root_moves,
    }
}

/// Returns the thread with the most reliable result. Threads vote for their best move, with a
/// weight that grows with depth and score; a shorter mate beats a longer one.
pub(super) fn vote(results: &[ThreadResult]) -> Option<&ThreadResult> {
    let score = |result: &ThreadResult| result.root_moves[0].latest_score();
    let worst = results.iter().map(score).min()?.raw();
    let weight = |result: &ThreadResult| {
        i64::from(score(result).raw() - worst + 10) * i64::from(result.depth.max(1))
    };
    let votes = |m: Move| -> i64 {
        results
            .iter()
            .filter(|result| result.root_moves[0].m == m)
            .map(weight)
            .sum()
    };
    let mut best = results.first()?;
    for result in &results[1..] {
        let (challenger, champion) = (&result.root_moves[0], &best.root_moves[0]);
        let exact = challenger.bound == Bound::Exact && result.depth > 0;
        let better = if score(best).is_win() || score(result).is_win() {
            exact && score(result) > score(best)
        } else {
            exact && votes(challenger.m) > votes(champion.m)
        };
        if better {
            best = result;
        }
    }
    Some(best)
}
