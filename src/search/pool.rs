//! The search threads: starting them, and selecting among their results.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::thread;

use super::node::Normal;
use super::root_moves::RootMove;
use super::shared::SharedState;
use super::thread_data::ThreadData;
use super::worker::Worker;
use super::{IterationResult, STACK_BYTES};
use crate::position::Move;
use crate::score::{Bound, Score};

/// What is added to the difference of each thread's score to the worst, in centipawns, so that the
/// worst has a vote as well.
const LEAST_VOTE: i32 = 10;

/// The result of one thread.
pub(super) struct ThreadResult {
    /// The root moves, best first.
    pub root_moves: Vec<RootMove>,
    /// The depth of the last iteration, which may have been interrupted.
    pub root_depth: i32,
    /// The result of the last iteration that was completed.
    pub completed: Option<IterationResult>,
}

impl ThreadResult {
    /// Returns the last completed depth in plies, or 0 without one.
    pub fn depth(&self) -> i32 {
        self.completed.map_or(0, |completed| completed.depth)
    }

    /// Returns the depth in plies at which the best move has its score.
    pub fn best_depth(&self) -> i32 {
        if self.root_moves[0].is_scored() {
            self.root_depth
        } else {
            self.depth()
        }
    }
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
        root_depth: worker.root_depth,
        completed: worker.completed,
        root_moves: worker.root_moves,
    }
}

/// Returns the thread with the most reliable result. Threads vote for their best move, with a
/// weight that grows with depth and score. A shorter mate beats a longer one, and a proven loss is
/// overruled only by a longer one.
pub(super) fn vote(results: &[ThreadResult]) -> Option<&ThreadResult> {
    let score = |result: &ThreadResult| result.root_moves[0].latest_score();
    // A thread that was stopped before its first score says nothing.
    let is_scored = |result: &ThreadResult| score(result) != -Score::INFINITE;
    let scored = results.iter().filter(|&result| is_scored(result));
    let worst = scored.map(score).min().unwrap_or(Score::DRAW).raw();
    let weight = |result: &ThreadResult| match is_scored(result) {
        true => {
            i64::from(score(result).raw() - worst + LEAST_VOTE) * i64::from(result.depth().max(1))
        }
        false => 0,
    };
    let votes = |m: Move| -> i64 {
        results
            .iter()
            .filter(|result| result.root_moves[0].m == m)
            .map(weight)
            .sum()
    };
    // A loss of an interrupted iteration is one of a single move.
    let is_proven_loss = |result: &ThreadResult| {
        score(result).is_loss()
            && (result.root_moves[0].bound != Bound::Lower
                || (result.completed).is_some_and(|completed| completed.score.is_loss()))
    };
    let mut best = results.first()?;
    for result in &results[1..] {
        let (challenger, champion) = (&result.root_moves[0], &best.root_moves[0]);
        let exact = challenger.bound == Bound::Exact && result.completed.is_some();
        let better = if score(best).is_win() || score(result).is_win() {
            exact && score(result) > score(best)
        } else if is_proven_loss(best) {
            // What other threads see at less depth is not proven.
            exact && score(result).is_loss() && score(result) > score(best)
        } else {
            exact && votes(challenger.m) > votes(champion.m)
        };
        if better {
            best = result;
        }
    }
    Some(best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::Position;

    /// Returns the result of a thread whose last iteration, one beyond the depth of this result,
    /// was interrupted before a move had a score.
    fn interrupted(best: usize, score: Score, depth: i32) -> ThreadResult {
        let mut root_moves: Vec<RootMove> = Position::initial()
            .legal_moves()
            .into_iter()
            .map(RootMove::new)
            .collect();
        root_moves.swap(0, best);
        root_moves[0].previous_score = score;
        root_moves[0].doubt_loss();
        let completed = (depth > 0).then(|| IterationResult {
            best_move: root_moves[0].m,
            score,
            bound: Bound::Exact,
            depth,
        });
        ThreadResult {
            root_moves,
            root_depth: depth + 1,
            completed,
        }
    }

    #[test]
    fn a_loss_of_one_move_alone_is_overruled() {
        let mut loss = interrupted(0, Score::cp(-90), 10);
        loss.root_moves[0].score = Score::mated_in(2);
        loss.root_moves[0].doubt_loss();
        let results = [loss, interrupted(1, Score::cp(-80), 10)];
        assert_eq!(
            vote(&results).unwrap().root_moves[0].m,
            results[1].root_moves[0].m
        );
    }

    #[test]
    fn interrupted_threads_vote_with_their_last_iteration() {
        let main = interrupted(0, Score::cp(20), 10);
        let helper = interrupted(1, Score::cp(30), 12);
        let idle = interrupted(1, -Score::INFINITE, 0);
        let results = [main, helper, idle];
        let best = vote(&results).unwrap();
        assert!(std::ptr::eq(best, &results[1]));
        assert_eq!(best.best_depth(), 12);
        let idle = [0, 1].map(|best| interrupted(best, -Score::INFINITE, 0));
        assert!(std::ptr::eq(vote(&idle).unwrap(), &idle[0]));
    }

    #[test]
    fn a_proven_loss_is_not_overruled() {
        let mut results = vec![
            interrupted(0, Score::mated_in(8), 20),
            interrupted(1, Score::cp(-500), 12),
        ];
        assert!(std::ptr::eq(vote(&results).unwrap(), &results[0]));
        // The next iteration, too, had found it for its first move.
        results[0].root_moves[0].score = Score::mated_in(8);
        results[0].root_moves[0].doubt_loss();
        assert!(std::ptr::eq(vote(&results).unwrap(), &results[0]));
        results.push(interrupted(2, Score::mated_in(10), 19));
        assert!(std::ptr::eq(vote(&results).unwrap(), &results[2]));
    }

    #[test]
    fn a_shorter_mate_decides_the_vote() {
        let results = [
            interrupted(0, Score::mate_in(9), 12),
            interrupted(1, Score::mate_in(5), 11),
            interrupted(0, Score::mate_in(9), 12),
        ];
        assert!(std::ptr::eq(vote(&results).unwrap(), &results[1]));
        // What is at most a shorter mate is none.
        let mut bound = results;
        bound[1].root_moves[0].bound = Bound::Upper;
        assert!(std::ptr::eq(vote(&bound).unwrap(), &bound[0]));
    }
}
