//! The search: iterative deepening principal variation search on any number of threads ("lazy SMP": every thread
//! searches the same root, and they help each other through the hash table).
//!
//! It knows neither text nor standard output: [`report::Report`] receives what it has to say, and
//! [`control::Control`] is how it is told to stop.

pub mod control;
mod depth;
#[cfg(test)]
mod exact_tests;
mod history;
mod iterate;
mod known;
mod learn;
pub mod limits;
#[cfg(test)]
mod lone_worker;
mod node;
pub mod params;
mod picker;
#[cfg(test)]
mod poll_tests;
mod pruning;
mod quiescence;
pub mod report;
mod root;
pub mod skill;
pub mod time;
mod whole_node;
mod worker;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::eval::nnue::Network;
use crate::position::repetition::KeyHistory;
use crate::position::{Move, Position};
use crate::score::{Bound, Score};
use crate::tablebase::Tablebases;
use crate::tt::TranspositionTable;
use control::Go;
use limits::Limits;
use node::Normal;
use report::{AnalysisLine, Report};
use root::RootMove;
use skill::{MessagesOnly, Skill, StrengthOptions};
use worker::{Counters, SharedState, Worker};

pub use worker::ThreadData;

/// The stack that a thread needs to search: a node takes a few kilobytes, and a search is up to
/// [`MAX_PLY`](crate::score::MAX_PLY) plies deep.
pub const STACK_BYTES: usize = 16 << 20;

/// What a search thread takes, about: histories of 3.5 MB, accumulators of up to 1 MB, and the part of its stack that is used.
pub const THREAD_BYTES: usize = 5 << 20;

/// What a search is to know beyond its position and limits: plain values, set by options.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// How many lines to show.
    pub multipv: usize,
    /// What the way to the GUI and back may take off the clock, in milliseconds.
    pub move_overhead_ms: u64,
    /// Probe tablebases at this depth and deeper.
    pub syzygy_probe_depth: u32,
    /// Probe positions with at most this many men.
    pub syzygy_probe_limit: u32,
    /// Tablebase wins that the fifty-move rule spoils are draws.
    pub syzygy_50_move_rule: bool,
    /// How well to play. Only [`Engine::go`](crate::engine::Engine::go) looks at it.
    pub strength: StrengthOptions,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            multipv: 1,
            move_overhead_ms: 10,
            syzygy_probe_depth: 1,
            syzygy_probe_limit: 7,
            syzygy_50_move_rule: true,
            strength: StrengthOptions::default(),
        }
    }
}

/// Everything that a search looks at.
pub struct SearchRequest<'a> {
    /// The position.
    pub root: &'a Position,
    /// The positions of the game before it.
    pub keys: &'a KeyHistory,
    /// What it may use.
    pub limits: &'a Limits,
    /// The options.
    pub options: &'a SearchOptions,
    /// The hash table.
    pub tt: &'a TranspositionTable,
    /// The evaluation network, the one that the threads were made for; the hand-written evaluation without one.
    pub network: Option<&'a Network>,
    /// The tablebases, if any are loaded.
    pub tablebases: Option<&'a Tablebases>,
    /// Who chooses the move, if not the search itself.
    pub skill: Option<Skill>,
    /// Stop and ponderhit.
    pub go: Go<'a>,
    /// Receives what there is to say.
    pub report: &'a dyn Report,
}

/// What a search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchResult {
    /// The move to play; `None` when there is no legal one.
    pub best_move: Option<Move>,
    /// The reply expected.
    pub ponder_move: Option<Move>,
    /// The score for the side to move.
    pub score: Score,
    /// Tells whether the score is exact or a bound.
    pub bound: Bound,
    /// Nodes over all threads.
    pub nodes: u64,
}

/// What one thread found.
struct ThreadResult {
    root_moves: Vec<RootMove>,
    depth: i32,
}

/// Searches with one thread for each of `threads`: the calling thread, which needs [`STACK_BYTES`] of stack, and others
/// that end with the search. Under `infinite` and `ponder` it returns no sooner than it is told to stop, or the pondered
/// move was played.
pub fn run(request: &SearchRequest<'_>, threads: &mut [ThreadData]) -> SearchResult {
    let (root_moves, root_in_tablebases) = root_moves(request);
    if root_moves.is_empty() {
        return no_legal_move(request);
    }
    request.tt.new_search();
    let messages_only = MessagesOnly(request.report);
    let shared = SharedState {
        tt: request.tt,
        network: request.network,
        tablebases: request.tablebases,
        options: request.options,
        limits: request.limits,
        root: request.root,
        keys: request.keys,
        root_moves: &root_moves,
        root_in_tablebases,
        skill: request.skill.filter(Skill::misses_moves),
        go: request.go,
        report: match request.skill {
            Some(_) => &messages_only,
            None => request.report,
        },
        budget: request
            .limits
            .clock
            .map(|clock| time::budget(clock, request.options.move_overhead_ms)),
        overdue: AtomicBool::new(false),
        stop: AtomicBool::new(false),
        counters: threads.iter().map(|_| Counters::default()).collect(),
    };
    let mut results = search_on_all_threads(&shared, threads);
    if let Some(skill) = request.skill {
        for result in &mut results {
            skill.choose_move(request.root, &mut result.root_moves);
        }
    }
    // The lines shown are the main thread's, and the first of them is what is played.
    let best = if request.options.multipv > 1 {
        results.first()
    } else {
        vote(&results)
    };
    let (best_move, score) = match best {
        Some(result) => (&result.root_moves[0], result.root_moves[0].shown_score()),
        None => (&root_moves[0], Score::DRAW),
    };
    if let (Some(first), Some(best)) = (results.first(), best)
        && (request.skill.is_some() || !std::ptr::eq(first, best))
        && score != -Score::INFINITE
    {
        report_choice(request.report, &shared, best);
    }
    SearchResult {
        best_move: Some(best_move.m),
        ponder_move: best_move
            .pv
            .get(1)
            .copied()
            .or_else(|| expected_reply(request, best_move.m)),
        score,
        bound: best_move.shown_bound(),
        nodes: shared.nodes(),
    }
}

/// The root moves to choose among, and whether the tablebases have ranked them.
fn root_moves(request: &SearchRequest<'_>) -> (Vec<RootMove>, bool) {
    let wanted = &request.limits.searchmoves;
    let mut moves: Vec<RootMove> = request
        .root
        .legal_moves()
        .into_iter()
        .filter(|m| wanted.is_empty() || wanted.contains(m))
        .map(RootMove::new)
        .collect();
    let in_reach = request.root.occupied().count() <= request.options.syzygy_probe_limit as usize;
    let ranking = request
        .tablebases
        .filter(|_| in_reach)
        .and_then(|tablebases| {
            let repeated = request.keys.has_repeated(request.root);
            tablebases.rank_root_moves(request.root, repeated, request.options.syzygy_50_move_rule)
        });
    let Some(ranking) = ranking else {
        return (moves, false);
    };
    for root_move in &mut moves {
        if let Some(ranked) = ranking.iter().find(|ranked| ranked.m == root_move.m) {
            root_move.rank = ranked.rank;
            root_move.tablebase_score = Some(ranked.score);
        }
    }
    // Within a rank in the tablebases' order: quicker wins first.
    let place = |m: Move| ranking.iter().position(|ranked| ranked.m == m);
    moves.sort_by_key(|root_move| (std::cmp::Reverse(root_move.rank), place(root_move.m)));
    (moves, true)
}

/// Runs the threads and collects what they found, the main thread first.
fn search_on_all_threads(
    shared: &SharedState<'_>,
    threads: &mut [ThreadData],
) -> Vec<ThreadResult> {
    let Some((main_memory, other_memories)) = threads.split_first_mut() else {
        return Vec::new();
    };
    thread::scope(|scope| {
        let handles: Vec<_> = other_memories
            .iter_mut()
            .zip(1..)
            .map(|(data, id)| {
                thread::Builder::new()
                    .name(format!("search-{id}"))
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || search_on_one_thread(shared, data, id))
            })
            .collect();
        let mut results = vec![search_on_one_thread(shared, main_memory, 0)];
        for handle in handles {
            match handle.map(|handle| handle.join()) {
                Ok(Ok(result)) => results.push(result),
                Ok(Err(_)) => shared.report.error("a search thread panicked"),
                Err(error) => shared
                    .report
                    .error(&format!("cannot start a search thread: {error}")),
            }
        }
        results
    })
}

/// Searches until a limit is reached or another thread ends the search. A panic is reported, and what was found before
/// it counts.
fn search_on_one_thread(
    shared: &SharedState<'_>,
    data: &mut ThreadData,
    id: usize,
) -> ThreadResult {
    let mut worker = Worker::new(shared, data, id);
    if catch_unwind(AssertUnwindSafe(|| worker.iterate::<Normal>())).is_err() {
        shared.report.error(&format!(
            "search thread {id} panicked; using its last result"
        ));
    }
    if id == 0 {
        if (shared.limits.infinite || shared.limits.ponder) && !shared.go.is_stopped() {
            shared
                .go
                .control
                .wait(shared.go.number, !shared.limits.infinite);
        }
        shared.stop.store(true, Ordering::Relaxed);
    }
    ThreadResult {
        depth: worker.completed_depth,
        root_moves: worker.root_moves,
    }
}

/// The thread whose result is best founded. Threads vote for their move, the more the deeper and the better their
/// result; a shorter mate beats a longer one.
fn vote(results: &[ThreadResult]) -> Option<&ThreadResult> {
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

/// Shows the line that is played, where the main thread has not: it is another thread's, or a skill's choice.
fn report_choice(report: &dyn Report, shared: &SharedState<'_>, result: &ThreadResult) {
    let best = &result.root_moves[0];
    report.line(&AnalysisLine {
        root: shared.root,
        depth: result.depth.max(1) as u32,
        seldepth: best.seldepth,
        multipv: 1,
        score: best.shown_score(),
        bound: best.shown_bound(),
        nodes: shared.nodes(),
        elapsed: shared.elapsed(),
        tt: shared.tt,
        tbhits: shared.tbhits(),
        pv: &best.pv,
    });
}

/// The reply that the hash table knows, for a principal variation of one move.
fn expected_reply(request: &SearchRequest<'_>, best: Move) -> Option<Move> {
    let child = request.root.play(best);
    request
        .tt
        .probe(child.key())?
        .best_move
        .filter(|&m| child.is_legal(m))
}

/// Mate or stalemate on the board, or no move left by `searchmoves`.
fn no_legal_move(request: &SearchRequest<'_>) -> SearchResult {
    let score = if request.root.in_check() {
        Score::mated_in(0)
    } else {
        Score::DRAW
    };
    request.report.line(&AnalysisLine {
        root: request.root,
        depth: 0,
        seldepth: 0,
        multipv: 1,
        score,
        bound: Bound::Exact,
        nodes: 0,
        elapsed: request.go.received.elapsed(),
        tt: request.tt,
        tbhits: 0,
        pv: &[],
    });
    if request.limits.infinite || request.limits.ponder {
        request
            .go
            .control
            .wait(request.go.number, !request.limits.infinite);
    }
    SearchResult {
        best_move: None,
        ponder_move: None,
        score,
        bound: Bound::Exact,
        nodes: 0,
    }
}
