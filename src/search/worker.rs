//! One search thread: what it shares with the others, what it keeps between searches, and the small steps that every
//! node takes.

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::control::Go;
use super::history::{Continuation, Histories, PieceTo, QuietSlot};
use super::limits::Limits;
use super::report::Report;
use super::root::{RootMove, Variation};
use super::skill::Skill;
use super::time::{self, Budget};
use super::{SearchOptions, params};
use crate::eval;
use crate::eval::classical::{self, PawnCache};
use crate::eval::nnue::{AccumulatorStack, Network};
use crate::position::repetition::KeyHistory;
use crate::position::{Move, Position};
use crate::score::{MAX_PLY, Score};
use crate::tablebase::Tablebases;
use crate::tt::TranspositionTable;

/// The search was told to stop: whatever was being computed is worth nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Nodes between two looks at the clock.
const POLL_INTERVAL: u64 = 512;

/// What the first iteration may take although the search is to stop: a millisecond.
const FIRST_NODES: u64 = 2000;

/// Counters of one thread that the others read, on a cache line of their own.
#[derive(Debug, Default)]
#[repr(align(64))]
pub struct Counters {
    /// Nodes searched.
    pub nodes: AtomicU64,
    /// Positions found in the tablebases.
    pub tbhits: AtomicU64,
}

/// What all threads of a search share.
pub struct SharedState<'a> {
    /// The hash table.
    pub tt: &'a TranspositionTable,
    /// The evaluation network; the hand-written evaluation without one.
    pub network: Option<&'a Network>,
    /// The tablebases, if any are loaded.
    pub tablebases: Option<&'a Tablebases>,
    /// The options.
    pub options: &'a SearchOptions,
    /// The limits.
    pub limits: &'a Limits,
    /// The position to search.
    pub root: &'a Position,
    /// The positions before it.
    pub keys: &'a KeyHistory,
    /// The root moves to choose among, in the tablebases' order.
    pub root_moves: &'a [RootMove],
    /// Whether the tablebases have ranked the root moves, so that probing in the tree adds nothing.
    pub root_in_tablebases: bool,
    /// Who overlooks moves while searching, if anybody does.
    pub skill: Option<Skill>,
    /// Stop and ponderhit.
    pub go: Go<'a>,
    /// Receives lines of analysis.
    pub report: &'a dyn Report,
    /// What the clock allows, if there is one.
    pub budget: Option<Budget>,
    /// Set while pondering has taken longer than a move would: the search ends as soon as the pondered move is played.
    pub overdue: AtomicBool,
    /// Set when all threads are to end.
    pub stop: AtomicBool,
    /// By thread.
    pub counters: Vec<Counters>,
}

impl SharedState<'_> {
    /// Nodes over all threads.
    pub fn nodes(&self) -> u64 {
        self.counters
            .iter()
            .map(|counters| counters.nodes.load(Ordering::Relaxed))
            .sum()
    }

    /// Tablebase hits over all threads.
    pub fn tbhits(&self) -> u64 {
        self.counters
            .iter()
            .map(|counters| counters.tbhits.load(Ordering::Relaxed))
            .sum()
    }

    /// Time since the `go` command was read.
    pub fn elapsed(&self) -> Duration {
        self.go.received.elapsed()
    }

    /// When the budget began to run: with the command, or when the pondered move was played. `None` while pondering.
    fn clock_start(&self) -> Option<Instant> {
        if self.limits.ponder {
            self.go.control.ponderhit_time(self.go.number)
        } else {
            Some(self.go.received)
        }
    }

    /// How much of the budget has been used; `None` while it does not run.
    pub fn time_used(&self) -> Option<Duration> {
        self.clock_start().map(|start| start.elapsed())
    }

    /// Whether the nodes that the search may take have been searched.
    fn nodes_are_used_up(&self) -> bool {
        self.limits.nodes.is_some_and(|limit| self.nodes() >= limit)
    }

    /// Whether a command or the clock ends the search within an iteration.
    fn must_stop(&self) -> bool {
        if self.go.is_stopped() {
            return true;
        }
        let hard = self.budget.map(|budget| budget.hard);
        if hard.is_none() && self.limits.movetime.is_none() {
            return false;
        }
        let overhead = Duration::from_millis(self.options.move_overhead_ms);
        let movetime = self
            .limits
            .movetime
            .map(|time| time.saturating_sub(overhead.min(time / 4)));
        self.time_used().is_some_and(|used| {
            self.overdue.load(Ordering::Relaxed)
                || hard.is_some_and(|hard| used >= hard)
                || movetime.is_some_and(|movetime| used >= movetime)
        })
    }
}

/// What a node leaves for its descendants to look at.
#[derive(Clone, Copy, Debug)]
pub struct StackEntry {
    /// What was played here.
    pub played: PieceTo,
    /// Where its history stands, if it was a quiet move.
    pub quiet: Option<QuietSlot>,
    /// The static evaluation, corrected, unless in check.
    pub static_eval: Option<i32>,
    /// The move that a singular search leaves out.
    pub excluded: Option<Move>,
    /// How often the children of this node failed high.
    pub cutoffs: u32,
    /// Double extensions on the way here.
    pub double_extensions: u32,
    /// Plies by which the move played here is being searched shallower than the rest of this node.
    pub reduction: i32,
}

const EMPTY_ENTRY: StackEntry = StackEntry {
    played: PieceTo::NONE,
    quiet: None,
    static_eval: None,
    excluded: None,
    cutoffs: 0,
    double_extensions: 0,
    reduction: 0,
};

/// Entries before the root, so that looking back needs no test.
const STACK_OFFSET: usize = 6;

/// What a thread keeps between searches. Large, so on the heap.
pub struct ThreadData {
    /// The histories.
    pub histories: Histories,
    pawn_cache: PawnCache,
    /// There if a network evaluates.
    accumulators: Option<AccumulatorStack>,
    stack: Vec<StackEntry>,
    pv: Vec<Variation>,
    reductions: Vec<i32>,
}

impl fmt::Debug for ThreadData {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ThreadData")
    }
}

impl ThreadData {
    /// What a thread that has not searched yet keeps; [`ThreadData::set_network`] when it is to be another one.
    pub fn new(network: Option<&Network>) -> ThreadData {
        ThreadData {
            histories: Histories::default(),
            pawn_cache: PawnCache::new(),
            accumulators: network.map(AccumulatorStack::new),
            stack: vec![EMPTY_ENTRY; MAX_PLY + STACK_OFFSET + 4],
            pv: vec![Variation::new(); MAX_PLY + 2],
            reductions: Vec::new(),
        }
    }

    /// Prepares for searches with another network, or with none.
    pub fn set_network(&mut self, network: Option<&Network>) {
        self.accumulators = network.map(AccumulatorStack::new);
    }
}

/// Depths and move numbers up to which reductions are tabulated.
const REDUCTION_SIZE: usize = 64;

/// The logarithmic part of late move reductions in 1024ths of a ply, `[depth][move number]`.
fn reduction_table() -> Vec<i32> {
    let base = f64::from(params::lmr_base()) / 1024.0;
    let divisor = f64::from(params::lmr_divisor()) / 100.0;
    (0..REDUCTION_SIZE * REDUCTION_SIZE)
        .map(|index| {
            let depth = (index / REDUCTION_SIZE).max(1) as f64;
            let number = (index % REDUCTION_SIZE).max(1) as f64;
            ((base + depth.ln() * number.ln() / divisor) * 1024.0) as i32
        })
        .collect()
}

/// A thread in the middle of a search.
pub struct Worker<'a> {
    /// What all threads share.
    pub shared: &'a SharedState<'a>,
    /// What this thread keeps.
    pub data: &'a mut ThreadData,
    /// The thread's number; thread 0 watches the clock and reports.
    pub id: usize,
    /// The positions of the game and of the current line.
    pub keys: KeyHistory,
    /// The root moves, best first.
    pub root_moves: Vec<RootMove>,
    /// The root moves of the line being searched, `[first, last)`: MultiPV leaves out what came before.
    pub root_range: (usize, usize),
    /// The depth of the current iteration.
    pub root_depth: i32,
    /// The last depth finished.
    pub completed_depth: i32,
    /// The longest line looked at in this iteration.
    pub seldepth: usize,
    /// Plies below which no null move is tried: set while one is verified.
    pub null_move_min_ply: usize,
    nodes: u64,
    tbhits: u64,
    next_poll: u64,
}

impl<'a> Worker<'a> {
    /// A thread ready to search.
    pub fn new(shared: &'a SharedState<'a>, data: &'a mut ThreadData, id: usize) -> Worker<'a> {
        data.stack.fill(EMPTY_ENTRY);
        if let (Some(accumulators), Some(network)) = (&mut data.accumulators, shared.network) {
            accumulators.reset(network, shared.root);
        }
        if data.reductions.is_empty() || cfg!(feature = "tuning") {
            data.reductions = reduction_table();
        }
        let mut keys = shared.keys.clone();
        keys.reserve_for_search(MAX_PLY + 8);
        Worker {
            shared,
            data,
            id,
            keys,
            root_moves: shared.root_moves.to_vec(),
            root_range: (0, shared.root_moves.len()),
            root_depth: 0,
            completed_depth: 0,
            seldepth: 0,
            null_move_min_ply: 0,
            nodes: 0,
            // Each root move was looked up.
            tbhits: if id == 0 && shared.root_in_tablebases {
                shared.root_moves.len() as u64
            } else {
                0
            },
            next_poll: POLL_INTERVAL,
        }
    }

    /// Nodes that this thread has searched.
    #[inline]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The stack entry of a ply.
    #[inline]
    pub fn entry(&self, ply: usize) -> &StackEntry {
        &self.data.stack[ply + STACK_OFFSET]
    }

    /// The stack entry of a ply.
    #[inline]
    pub fn entry_mut(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.data.stack[ply + STACK_OFFSET]
    }

    /// The stack entry some plies before, which may lie before the root.
    #[inline]
    pub fn entry_before(&self, ply: usize, plies: usize) -> &StackEntry {
        &self.data.stack[ply + STACK_OFFSET - plies]
    }

    /// The moves that led to a ply, as far as histories look back.
    #[inline]
    pub fn continuation(&self, ply: usize) -> Continuation {
        self.continuation_before(ply, 0)
    }

    /// The moves that led to the position some plies before, which may be the root.
    #[inline]
    pub fn continuation_before(&self, ply: usize, before: usize) -> Continuation {
        super::history::CONTINUATION_PLIES
            .map(|plies| self.entry_before(ply, before + plies).played)
    }

    /// The root moves, to be changed, and the principal variation found at a ply.
    #[inline]
    pub fn root_moves_and_pv(&mut self, ply: usize) -> (&mut [RootMove], &Variation) {
        (&mut self.root_moves, &self.data.pv[ply])
    }

    /// Forgets the principal variation of a ply.
    #[inline]
    pub fn clear_pv(&mut self, ply: usize) {
        self.data.pv[ply].clear();
    }

    /// Makes a move and what follows it the principal variation of a ply.
    pub fn update_pv(&mut self, ply: usize, m: Move) {
        let (before, after) = self.data.pv.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(m);
        let rest = &after[0];
        let _ = line.try_extend_from_slice(&rest[..rest.len().min(line.remaining_capacity())]);
    }

    /// The tabulated part of a late move reduction, in 1024ths of a ply.
    #[inline]
    pub fn base_reduction(&self, depth: i32, move_number: usize) -> i32 {
        let depth = (depth as usize).min(REDUCTION_SIZE - 1);
        self.data.reductions[depth * REDUCTION_SIZE + move_number.min(REDUCTION_SIZE - 1)]
    }

    /// Counts a node and finds out whether the search goes on.
    #[inline]
    pub fn enter_node(&mut self, ply: usize) -> Result<(), Stopped> {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes >= self.next_poll {
            self.poll();
        }
        if self.shared.stop.load(Ordering::Relaxed) {
            Err(Stopped)
        } else {
            Ok(())
        }
    }

    /// Publishes the counters and, on the main thread, looks at clock and commands.
    #[cold]
    fn poll(&mut self) {
        self.publish();
        self.next_poll = self.nodes + POLL_INTERVAL;
        if let Some(limit) = self.shared.limits.nodes {
            // Look again exactly when the limit can be reached first.
            let left =
                limit.saturating_sub(self.shared.nodes()) / self.shared.counters.len() as u64;
            self.next_poll = self.next_poll.min(self.nodes + left.max(1));
        }
        // A search that is stopped before it has begun still answers with a move that it has looked at.
        let just_begun = self.completed_depth == 0 && self.nodes < FIRST_NODES;
        let may_end = !just_begun || self.has_scored_a_move();
        let used_up = may_end && self.shared.nodes_are_used_up();
        if self.id == 0 && (used_up || !just_begun && self.shared.must_stop()) {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
    }

    /// Whether there is a root move that the search knows something about.
    fn has_scored_a_move(&self) -> bool {
        let is_scored = |root_move: &RootMove| root_move.latest_score() != -Score::INFINITE;
        self.root_moves.iter().any(is_scored)
    }

    /// Prepares the first look at the limits.
    pub fn start_polling(&mut self) {
        self.poll();
    }

    /// Makes the counters visible to the other threads.
    pub fn publish(&self) {
        let counters = &self.shared.counters[self.id];
        counters.nodes.store(self.nodes, Ordering::Relaxed);
        counters.tbhits.store(self.tbhits, Ordering::Relaxed);
    }

    /// Counts a tablebase hit.
    pub fn count_tbhit(&mut self) {
        self.tbhits += 1;
        // It may have been read from a slow disk, and hundreds of those take longer than there is time: the next node
        // looks at the clock.
        self.next_poll = self.nodes;
    }

    /// Plays a move: the child's position. Undo with [`Worker::unmake`].
    #[inline(always)]
    pub fn make(&mut self, position: &Position, ply: usize, m: Move) -> Position {
        self.shared.tt.prefetch(position.key_after(m));
        let entry = self.entry_mut(ply);
        entry.played = PieceTo::of(position, m);
        entry.quiet = (!position.is_noisy(m)).then(|| Histories::slot(position, m));
        self.keys.push(position);
        if let Some(accumulators) = &mut self.data.accumulators {
            accumulators.push(position, m);
        }
        let child = position.play(m);
        self.data
            .histories
            .prefetch_correction(&child, &self.continuation(ply + 1));
        child
    }

    /// Passes, if that is possible. Undo with [`Worker::unmake`].
    pub fn make_null(&mut self, position: &Position, ply: usize) -> Option<Position> {
        let child = position.play_null()?;
        self.shared.tt.prefetch(child.key());
        let entry = self.entry_mut(ply);
        entry.played = PieceTo::NONE;
        entry.quiet = None;
        self.keys.push_null(position);
        if let Some(accumulators) = &mut self.data.accumulators {
            accumulators.push_null();
        }
        Some(child)
    }

    /// Takes back the last [`Worker::make`] or [`Worker::make_null`].
    #[inline]
    pub fn unmake(&mut self) {
        self.keys.pop();
        if let Some(accumulators) = &mut self.data.accumulators {
            accumulators.pop();
        }
    }

    /// The value of a draw: next to nothing, and not always the same, so that the search tells drawn lines apart and does
    /// not settle for the first.
    #[inline]
    pub fn draw_score(&self) -> Score {
        Score::cp((self.nodes & 2) as i32 - 1)
    }

    /// Whether the position, not the root, is drawn by rule as the search sees it.
    pub fn is_draw(&self, position: &Position) -> bool {
        position.is_insufficient_material()
            || self.keys.is_repetition(position)
            || (position.halfmoves() >= 100 && (!position.in_check() || position.has_legal_move()))
    }

    /// The value of the position, the last one of the line, without any search: what is known of its ending, or what the
    /// network or the hand-written evaluation makes of it.
    #[inline]
    pub fn raw_eval(&mut self, position: &Position) -> i32 {
        let (Some(network), Some(accumulators)) =
            (self.shared.network, &mut self.data.accumulators)
        else {
            return classical::evaluate_cached(position, &mut self.data.pawn_cache);
        };
        eval::known_ending(position).unwrap_or_else(|| {
            let value = accumulators.evaluate(network, position);
            debug_assert!(
                !self.nodes.is_multiple_of(64) || value == network.evaluate(position),
                "accumulators that are not those of {:?}",
                position.chess()
            );
            value
        })
    }

    /// The static evaluation as the search uses it: damped as the fifty-move rule comes near, since nothing has been
    /// achieved for so long, and corrected by what searches of similar positions found; and this correction.
    #[inline]
    pub fn corrected_eval(&self, position: &Position, ply: usize, raw: i32) -> (i32, i32) {
        let damped = raw * (200 - position.halfmoves() as i32) / 200;
        let correction = self
            .data
            .histories
            .correction(position, &self.continuation(ply));
        (Score::cp(damped + correction).raw(), correction)
    }

    /// The share of the soft budget to use now, from 0 when there is none.
    pub fn soft_limit(&self, progress: time::Progress) -> Option<Duration> {
        self.shared
            .budget
            .map(|budget| budget.soft.mul_f64(time::scale(progress)).min(budget.hard))
    }
}
