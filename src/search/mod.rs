//! The search: iterative deepening with principal variation search, on any number of threads
//! (lazy SMP: every thread searches the same root, and the threads share what they find through
//! the transposition table).
//!
//! The search knows neither text nor standard output. It reports through [`report::Report`] and is
//! stopped through [`control::Control`].
//!
//! | module | contents |
//! |---|---|
//! | `pool` | starts the threads and selects the result |
//! | `shared` | what the threads of one search share: the request, counters, the stop flag |
//! | `thread_data` | what a thread keeps between searches: histories, accumulators, its stack |
//! | `worker` | a thread during a search: making moves, counting nodes, polling the limits |
//! | `deepening`, `root_moves` | iterations, aspiration windows, MultiPV; the root moves |
//! | `node` | an interior node: probes, evaluation, pruning, extensions, reductions |
//! | `quiescence` | the search below the horizon |
//! | `move_picker` | staged move ordering |
//! | `history` | history and correction tables, and their updates |
//! | [`params`] | every tunable number |
//! | [`time`], [`limits`], [`control`] | the time budget, the limits of a `go`, stop and ponderhit |
//! | [`skill`] | limited playing strength |

pub mod control;
mod deepening;
mod history;
pub mod limits;
mod move_picker;
mod node;
pub mod params;
mod pool;
mod quiescence;
pub mod report;
mod resume;
mod root_moves;
mod shared;
pub mod skill;
#[cfg(test)]
mod tests;
mod thread_data;
pub mod time;
mod worker;

use std::num::NonZeroU64;

use crate::eval::nnue::Network;
use crate::position::repetition::KeyHistory;
use crate::position::{Move, Position};
use crate::score::{Bound, Score};
use crate::tablebase::Tablebases;
use crate::tt::TranspositionTable;
use control::Go;
use limits::Limits;
use pool::ThreadResult;
use report::{AnalysisLine, Report};
use shared::SharedState;
use skill::{MessagesOnly, Skill, StrengthOptions};

pub use thread_data::ThreadData;

/// The stack size that a searching thread needs: a node takes a few kilobytes, and a search is up
/// to [`MAX_PLY`](crate::score::MAX_PLY) plies deep.
pub const STACK_BYTES: usize = 16 << 20;

/// The approximate memory of a search thread: three huge pages for the histories, accumulators of
/// up to 1 MB, and the used part of the stack.
pub const THREAD_BYTES: usize = 8 << 20;

/// Options of the search: plain values, set by UCI options.
#[derive(Clone, Debug)]
pub struct SearchOptions {
    /// The number of lines to show.
    pub multipv: usize,
    /// The time that communication with the GUI may take off the clock, in milliseconds.
    pub move_overhead_ms: u64,
    /// Expects to ponder, which saves time on the clock.
    pub ponders: bool,
    /// Counts this many nodes as a millisecond, so that games do not depend on the machine's speed;
    /// `None` for real time.
    pub nodes_per_ms: Option<NonZeroU64>,
    /// The minimum depth at which positions with the largest number of pieces are probed in the
    /// tablebases. Positions with fewer pieces are probed at every depth.
    pub syzygy_probe_depth: u32,
    /// The largest number of pieces, kings included, with which a position is probed.
    pub syzygy_probe_limit: u32,
    /// Counts tablebase wins that the fifty-move rule spoils as draws.
    pub syzygy_50_move_rule: bool,
    /// Begins where an earlier search of the same position stopped, if the table has its result.
    pub resume: bool,
    /// The playing strength. Only the [`Searcher`](crate::engine::Searcher) reads it.
    pub strength: StrengthOptions,
}

impl Default for SearchOptions {
    fn default() -> SearchOptions {
        SearchOptions {
            multipv: 1,
            move_overhead_ms: 10,
            ponders: false,
            nodes_per_ms: None,
            syzygy_probe_depth: 1,
            syzygy_probe_limit: 7,
            syzygy_50_move_rule: true,
            resume: false,
            strength: StrengthOptions::default(),
        }
    }
}

/// The input of a search.
#[derive(Clone, Copy)]
pub struct SearchRequest<'a> {
    /// The position to search.
    pub root: &'a Position,
    /// The earlier positions of the game.
    pub keys: &'a KeyHistory,
    /// The limits of the search.
    pub limits: &'a Limits,
    /// The options.
    pub options: &'a SearchOptions,
    /// The transposition table.
    pub tt: &'a TranspositionTable,
    /// The evaluation network, the same one that the thread data was created for. `None` selects
    /// the hand-written evaluation.
    pub network: Option<&'a Network>,
    /// The tablebases, if any are loaded.
    pub tablebases: Option<&'a Tablebases>,
    /// The skill that selects the move, if the playing strength is limited.
    pub skill: Option<Skill>,
    /// Stop and ponderhit.
    pub go: Go<'a>,
    /// Receives lines of analysis and messages.
    pub report: &'a dyn Report,
}

/// The result of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SearchResult {
    /// The move to play; `None` when there is no legal one.
    pub best_move: Option<Move>,
    /// The expected reply.
    pub ponder_move: Option<Move>,
    /// The score for the side to move.
    pub score: Score,
    /// How the score relates to the true value.
    pub bound: Bound,
    /// The result of the last iteration that was completed, by the thread whose move is played.
    pub completed: Option<IterationResult>,
    /// Nodes over all threads.
    pub nodes: u64,
}

impl Default for SearchResult {
    /// Returns the result of no search at all.
    fn default() -> SearchResult {
        SearchResult {
            best_move: None,
            ponder_move: None,
            score: -Score::INFINITE,
            bound: Bound::Exact,
            completed: None,
            nodes: 0,
        }
    }
}

/// The result of an iteration that was completed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IterationResult {
    /// The best move.
    pub best_move: Move,
    /// Its score for the side to move.
    pub score: Score,
    /// How the score relates to the true value.
    pub bound: Bound,
    /// The depth of the iteration, in plies.
    pub depth: i32,
}

/// Runs a search with one thread for each element of `threads`: the calling thread, which needs
/// [`STACK_BYTES`] of stack, and others that end with the search.
///
/// Under `infinite` and `ponder` it returns only after a stop, or after a hit of the pondered move.
pub fn run(request: &SearchRequest<'_>, threads: &mut [ThreadData]) -> SearchResult {
    let candidates = root_moves::collect(request);
    if candidates.moves.is_empty() {
        return no_legal_move(request);
    }
    request.tt.new_search();
    let messages_only = MessagesOnly(request.report);
    let search = SearchRequest {
        skill: request.skill.filter(Skill::misses_moves),
        report: match request.skill {
            Some(_) => &messages_only,
            None => request.report,
        },
        ..*request
    };
    let shared = SharedState::new(search, candidates, threads.len());
    let mut results = pool::search_on_all_threads(&shared, threads);
    if let Some(skill) = request.skill {
        for result in &mut results {
            skill.choose_move(request.root, &mut result.root_moves);
        }
    }
    // MultiPV shows the main thread's lines, so the first of them has to be the move played.
    let best = if request.options.multipv > 1 {
        results.first()
    } else {
        pool::vote(&results)
    };
    let (best_move, score) = match best {
        Some(result) => (&result.root_moves[0], result.root_moves[0].shown_score()),
        None => (&shared.root_moves[0], Score::DRAW),
    };
    if let (Some(first), Some(best)) = (results.first(), best)
        && (request.skill.is_some() || request.limits.ponder || !std::ptr::eq(first, best))
        && score != -Score::INFINITE
    {
        report_selected(request.report, &shared, best);
    }
    SearchResult {
        best_move: Some(best_move.m),
        ponder_move: best_move
            .pv
            .get(1)
            .copied()
            .or_else(|| tt_reply(request, best_move.m)),
        score,
        bound: best_move.shown_bound(),
        completed: best.and_then(|result| result.completed),
        nodes: shared.nodes(),
    }
}

/// Reports the line of the selected move when the main thread did not report it last (it comes
/// from another thread, or a limited skill selected it), and after pondering: GUIs drop the reports
/// from before the ponderhit, and the move would be left without a score.
fn report_selected(report: &dyn Report, shared: &SharedState<'_>, result: &ThreadResult) {
    let best = &result.root_moves[0];
    report.line(&AnalysisLine {
        root: shared.request.root,
        depth: result.best_depth().max(1) as u32,
        seldepth: best.seldepth,
        multipv: 1,
        score: best.shown_score(),
        bound: best.shown_bound(),
        nodes: shared.nodes(),
        elapsed: shared.elapsed(),
        tt: shared.request.tt,
        tbhits: shared.tbhits(),
        pv: &best.pv,
    });
}

/// Returns the transposition table's reply to the best move, for a principal variation of one move.
fn tt_reply(request: &SearchRequest<'_>, best_move: Move) -> Option<Move> {
    let child = request.root.play(best_move);
    request
        .tt
        .probe(child.search_key())?
        .best_move
        .filter(|&m| child.is_legal(m))
}

/// Answers a search without root moves: the side to move is mated or stalemated, or `searchmoves`
/// excludes every move.
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
    request.wait_until_answerable();
    SearchResult {
        best_move: None,
        ponder_move: None,
        score,
        bound: Bound::Exact,
        completed: None,
        nodes: 0,
    }
}

impl SearchRequest<'_> {
    /// Blocks while the protocol forbids an answer: under `infinite` until a stop, under `ponder`
    /// until a stop or a ponderhit.
    fn wait_until_answerable(&self) {
        if self.limits.infinite || self.limits.ponder {
            self.go.control.wait(self.go.number, !self.limits.infinite);
        }
    }
}
