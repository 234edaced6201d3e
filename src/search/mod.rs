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
pub mod level;
pub mod limits;
#[cfg(test)]
mod lone_worker;
mod node;
pub mod params;
mod picker;
pub mod player;
#[cfg(test)]
mod poll_tests;
mod pruning;
mod quiescence;
pub mod report;
mod root;
pub mod time;
mod whole_node;
mod worker;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use crate::eval::nnue::Network;
use crate::hash::HashTable;
use crate::position::repetition::KeyStack;
use crate::position::{Move, Position};
use crate::score::{Bound, Score};
use crate::tablebase::Tablebases;
use control::Go;
use level::Strength;
use limits::Limits;
use node::Playing;
use player::{Player, WithoutLines};
use report::{Line, Report};
use root::RootMove;
use worker::{Counters, Shared, Worker};

pub use worker::Memory;

/// The stack that a thread needs to search: a node takes a few kilobytes, and a search is up to
/// [`MAX_PLY`](crate::score::MAX_PLY) plies deep.
pub const STACK_BYTES: usize = 16 << 20;

/// What a search thread takes, about: histories of 3.5 MB, accumulators of up to 1 MB, and the part of its stack that is used.
pub const THREAD_BYTES: usize = 5 << 20;

/// What a search is to know beyond its position and limits: plain values, set by options.
#[derive(Clone, Debug)]
pub struct Settings {
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
    pub strength: Strength,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            multipv: 1,
            move_overhead_ms: 10,
            syzygy_probe_depth: 1,
            syzygy_probe_limit: 7,
            syzygy_50_move_rule: true,
            strength: Strength::default(),
        }
    }
}

/// Everything that a search looks at.
pub struct Task<'a> {
    /// The position.
    pub root: &'a Position,
    /// The positions of the game before it.
    pub keys: &'a KeyStack,
    /// What it may use.
    pub limits: &'a Limits,
    /// The options.
    pub settings: &'a Settings,
    /// The hash table.
    pub hash: &'a HashTable,
    /// The evaluation network, the one that the memories were made for; the hand-written evaluation without one.
    pub network: Option<&'a Network>,
    /// The tablebases, if any are loaded.
    pub tablebases: Option<&'a Tablebases>,
    /// Who chooses the move, if not the search itself.
    pub player: Option<Player>,
    /// Stop and ponderhit.
    pub go: Go<'a>,
    /// Receives what there is to say.
    pub report: &'a dyn Report,
}

/// What a search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The move to play; `None` when there is no legal one.
    pub best: Option<Move>,
    /// The reply expected.
    pub ponder: Option<Move>,
    /// The score for the side to move.
    pub score: Score,
    /// Nodes over all threads.
    pub nodes: u64,
}

/// What one thread found.
struct Finding {
    root_moves: Vec<RootMove>,
    depth: i32,
}

/// Searches with one thread for each of `memories`: the calling thread, which needs [`STACK_BYTES`] of stack, and others
/// that end with the search. Under `infinite` and `ponder` it returns no sooner than it is told to stop, or the pondered
/// move was played.
pub fn run(task: &Task<'_>, memories: &mut [Memory]) -> Outcome {
    let (root_moves, root_in_tablebases) = root_moves(task);
    if root_moves.is_empty() {
        return no_legal_move(task);
    }
    task.hash.new_search();
    let without_lines = WithoutLines(task.report);
    let shared = Shared {
        hash: task.hash,
        network: task.network,
        tablebases: task.tablebases,
        settings: task.settings,
        limits: task.limits,
        root: task.root,
        keys: task.keys,
        root_moves: &root_moves,
        root_in_tablebases,
        player: task.player.filter(Player::errs),
        go: task.go,
        report: match task.player {
            Some(_) => &without_lines,
            None => task.report,
        },
        budget: task
            .limits
            .clock
            .map(|clock| time::budget(clock, task.settings.move_overhead_ms)),
        overdue: AtomicBool::new(false),
        stop: AtomicBool::new(false),
        counters: memories.iter().map(|_| Counters::default()).collect(),
    };
    let mut findings = search_on_all_threads(&shared, memories);
    if let Some(player) = task.player {
        for finding in &mut findings {
            player.choose(task.root, &mut finding.root_moves);
        }
    }
    // The lines shown are the main thread's, and the first of them is what is played.
    let best = if task.settings.multipv > 1 {
        findings.first()
    } else {
        vote(&findings)
    };
    let (best_move, score) = match best {
        Some(finding) => (&finding.root_moves[0], finding.root_moves[0].shown_score()),
        None => (&root_moves[0], Score::DRAW),
    };
    if let (Some(first), Some(best)) = (findings.first(), best)
        && (task.player.is_some() || !std::ptr::eq(first, best))
        && score != -Score::INFINITE
    {
        report_choice(task.report, &shared, best);
    }
    Outcome {
        best: Some(best_move.m),
        ponder: best_move
            .pv
            .get(1)
            .copied()
            .or_else(|| expected_reply(task, best_move.m)),
        score,
        nodes: shared.nodes(),
    }
}

/// The root moves to choose among, and whether the tablebases have ranked them.
fn root_moves(task: &Task<'_>) -> (Vec<RootMove>, bool) {
    let wanted = &task.limits.searchmoves;
    let mut moves: Vec<RootMove> = task
        .root
        .legal_moves()
        .into_iter()
        .filter(|m| wanted.is_empty() || wanted.contains(m))
        .map(RootMove::new)
        .collect();
    let in_reach = task.root.occupied().count() <= task.settings.syzygy_probe_limit as usize;
    let ranking = task.tablebases.filter(|_| in_reach).and_then(|tablebases| {
        let repeated = task.keys.has_repeated(task.root);
        tablebases.rank_root_moves(task.root, repeated, task.settings.syzygy_50_move_rule)
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
fn search_on_all_threads(shared: &Shared<'_>, memories: &mut [Memory]) -> Vec<Finding> {
    let Some((main_memory, other_memories)) = memories.split_first_mut() else {
        return Vec::new();
    };
    thread::scope(|scope| {
        let handles: Vec<_> = other_memories
            .iter_mut()
            .zip(1..)
            .map(|(memory, id)| {
                thread::Builder::new()
                    .name(format!("search-{id}"))
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || search_on_one_thread(shared, memory, id))
            })
            .collect();
        let mut findings = vec![search_on_one_thread(shared, main_memory, 0)];
        for handle in handles {
            match handle.map(|handle| handle.join()) {
                Ok(Ok(finding)) => findings.push(finding),
                Ok(Err(_)) => shared
                    .report
                    .message("error: a search thread ended in disorder"),
                Err(error) => shared
                    .report
                    .message(&format!("error: no search thread: {error}")),
            }
        }
        findings
    })
}

/// Searches until a limit is reached or another thread ends the search. A panic is reported, and what was found before
/// it counts.
fn search_on_one_thread(shared: &Shared<'_>, memory: &mut Memory, id: usize) -> Finding {
    let mut worker = Worker::new(shared, memory, id);
    if catch_unwind(AssertUnwindSafe(|| worker.iterate::<Playing>())).is_err() {
        shared.report.message(&format!(
            "error: search thread {id} failed, its last result is used"
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
    Finding {
        depth: worker.completed_depth,
        root_moves: worker.root_moves,
    }
}

/// The thread whose result is best founded. Threads vote for their move, the more the deeper and the better their
/// result; a shorter mate beats a longer one.
fn vote(findings: &[Finding]) -> Option<&Finding> {
    let score = |finding: &Finding| finding.root_moves[0].latest_score();
    let worst = findings.iter().map(score).min()?.raw();
    let weight = |finding: &Finding| {
        i64::from(score(finding).raw() - worst + 10) * i64::from(finding.depth.max(1))
    };
    let votes = |m: Move| -> i64 {
        findings
            .iter()
            .filter(|finding| finding.root_moves[0].m == m)
            .map(weight)
            .sum()
    };
    let mut best = findings.first()?;
    for finding in &findings[1..] {
        let (challenger, champion) = (&finding.root_moves[0], &best.root_moves[0]);
        let exact = challenger.bound == Bound::Exact && finding.depth > 0;
        let better = if score(best).is_win() || score(finding).is_win() {
            exact && score(finding) > score(best)
        } else {
            exact && votes(challenger.m) > votes(champion.m)
        };
        if better {
            best = finding;
        }
    }
    Some(best)
}

/// Shows the line that is played, where the main thread has not: it is another thread's, or a player's choice.
fn report_choice(report: &dyn Report, shared: &Shared<'_>, finding: &Finding) {
    let best = &finding.root_moves[0];
    report.line(&Line {
        root: shared.root,
        depth: finding.depth.max(1) as u32,
        seldepth: best.seldepth,
        multipv: 1,
        score: best.shown_score(),
        bound: best.shown_bound(),
        nodes: shared.nodes(),
        elapsed: shared.elapsed(),
        hash: shared.hash,
        tbhits: shared.tbhits(),
        pv: &best.pv,
    });
}

/// The reply that the hash table knows, for a principal variation of one move.
fn expected_reply(task: &Task<'_>, best: Move) -> Option<Move> {
    let child = task.root.play(best);
    task.hash
        .probe(child.key())?
        .best
        .filter(|&m| child.is_legal(m))
}

/// Mate or stalemate on the board, or no move left by `searchmoves`.
fn no_legal_move(task: &Task<'_>) -> Outcome {
    let score = if task.root.in_check() {
        Score::mated_in(0)
    } else {
        Score::DRAW
    };
    task.report.line(&Line {
        root: task.root,
        depth: 0,
        seldepth: 0,
        multipv: 1,
        score,
        bound: Bound::Exact,
        nodes: 0,
        elapsed: task.go.received.elapsed(),
        hash: task.hash,
        tbhits: 0,
        pv: &[],
    });
    if task.limits.infinite || task.limits.ponder {
        task.go.control.wait(task.go.number, !task.limits.infinite);
    }
    Outcome {
        best: None,
        ponder: None,
        score,
        nodes: 0,
    }
}
