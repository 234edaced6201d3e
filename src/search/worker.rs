//! One search thread during a search, and the small steps that every node takes.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::IterationResult;
use super::history::{CONTINUATION_PLIES, Continuation, Histories, PieceTo};
use super::root_moves::{RootMove, Variation};
use super::shared::SharedState;
use super::thread_data::{STACK_OFFSET, StackEntry, ThreadData};
use super::time::{self, IterationStats};
use crate::position::repetition::KeyHistory;
use crate::position::{Move, Position};
use crate::score::{MAX_PLY, Score};

/// The search was stopped, so the value being computed is meaningless.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stopped;

/// Nodes between two polls of the limits.
const POLL_INTERVAL: u64 = 512;

/// Nodes that the first iteration may take even when the search is told to stop: a millisecond.
const FIRST_NODES: u64 = 2000;

/// A thread during a search.
pub struct Worker<'a> {
    /// The state shared with the other threads.
    pub shared: &'a SharedState<'a>,
    /// The data that the thread keeps between searches.
    pub thread: &'a mut ThreadData,
    /// The thread's number; thread 0 decides on the end and reports.
    pub id: usize,
    /// The positions of the game and of the current line.
    pub keys: KeyHistory,
    /// The root moves, best first.
    pub root_moves: Vec<RootMove>,
    /// The range `[first, last)` of root moves that the current line may choose from: MultiPV
    /// excludes the moves of earlier lines.
    pub root_range: (usize, usize),
    /// The first root move as it was before it failed low in the current pass over the root moves.
    pub before_fail_low: Option<RootMove>,
    /// The depth of the current iteration.
    pub root_depth: i32,
    /// What the evaluation moves in favour of the side to move at the root, in centipawns.
    pub optimism: i32,
    /// The result of the last iteration that was completed.
    pub completed: Option<IterationResult>,
    /// The longest line of this iteration in plies; with MultiPV, for the current line of analysis.
    pub seldepth: usize,
    /// The first ply at which a null move is allowed; above 0 while a null move is verified.
    pub null_move_min_ply: usize,
    nodes: u64,
    tbhits: u64,
    next_poll: u64,
}

impl<'a> Worker<'a> {
    /// Prepares a thread for a search.
    pub fn new(shared: &'a SharedState<'a>, thread: &'a mut ThreadData, id: usize) -> Worker<'a> {
        let request = &shared.request;
        thread.reset(request.network);
        let mut keys = request.keys.clone();
        keys.reserve_for_search(MAX_PLY + 8);
        Worker {
            shared,
            thread,
            id,
            keys,
            root_moves: shared.root_moves.clone(),
            root_range: (0, shared.root_moves.len()),
            before_fail_low: None,
            root_depth: 0,
            optimism: 0,
            completed: None,
            seldepth: 0,
            null_move_min_ply: 0,
            nodes: 0,
            tbhits: shared.ranking_probes.filter(|_| id == 0).unwrap_or(0),
            next_poll: POLL_INTERVAL,
        }
    }

    /// Returns the nodes that this thread has searched.
    #[inline]
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the stack entry of a ply.
    #[inline]
    pub fn stack(&self, ply: usize) -> &StackEntry {
        &self.thread.stack[ply + STACK_OFFSET]
    }

    /// Returns the stack entry of a ply for modification.
    #[inline]
    pub fn stack_mut(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.thread.stack[ply + STACK_OFFSET]
    }

    /// Returns the stack entry a number of plies earlier, which may lie before the root.
    #[inline]
    pub fn stack_before(&self, ply: usize, plies: usize) -> &StackEntry {
        &self.thread.stack[ply + STACK_OFFSET - plies]
    }

    /// Clears the reduction of the move that led to a ply.
    #[inline]
    pub fn clear_reduction_before(&mut self, ply: usize) {
        self.thread.stack[ply + STACK_OFFSET - 1].reduction = 0;
    }

    /// Returns the moves that led to a ply, as far as continuation histories look back.
    #[inline]
    pub fn continuation(&self, ply: usize) -> Continuation {
        self.continuation_before(ply, 0)
    }

    /// Returns the moves that led to the position a number of plies before `ply`.
    #[inline]
    pub fn continuation_before(&self, ply: usize, before: usize) -> Continuation {
        CONTINUATION_PLIES.map(|plies| self.stack_before(ply, before + plies).played)
    }

    /// Returns the root moves for modification, and the principal variation found at a ply.
    #[inline]
    pub fn root_moves_and_pv(&mut self, ply: usize) -> (&mut [RootMove], &Variation) {
        (&mut self.root_moves, &self.thread.pv[ply])
    }

    /// Clears the principal variation of a ply.
    #[inline]
    pub fn clear_pv(&mut self, ply: usize) {
        self.thread.pv[ply].clear();
    }

    /// Sets the principal variation of a ply to a move followed by the variation of the next ply.
    pub fn update_pv(&mut self, ply: usize, m: Move) {
        let (before, after) = self.thread.pv.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(m);
        let rest = &after[0];
        let _ = line.try_extend_from_slice(&rest[..rest.len().min(line.remaining_capacity())]);
    }

    /// Counts a node and checks for the end of the search.
    #[inline]
    pub fn enter_node(&mut self, ply: usize) -> Result<(), Stopped> {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes >= self.next_poll {
            self.poll()?;
        }
        if self.shared.stop.load(Ordering::Relaxed) {
            Err(Stopped)
        } else {
            Ok(())
        }
    }

    /// Publishes the counters and checks the limit of nodes and, on the main thread, the clock and
    /// commands.
    ///
    /// The main thread tells all threads to stop. At a limit the others stop by themselves: the
    /// main thread may be waiting for a processor.
    #[cold]
    pub fn poll(&mut self) -> Result<(), Stopped> {
        self.publish();
        self.next_poll = self.nodes + POLL_INTERVAL;
        if let Some(limit) = self.shared.request.limits.nodes {
            // Poll again exactly when the limit can be reached first.
            let left =
                limit.saturating_sub(self.shared.nodes()) / self.shared.counters.len() as u64;
            self.next_poll = self.next_poll.min(self.nodes + left.max(1));
        }
        let limit_reached = self.shared.node_limit_reached();
        if self.id != 0 {
            let is_over = limit_reached || self.shared.must_stop();
            return if is_over { Err(Stopped) } else { Ok(()) };
        }
        // A search that is stopped at once still answers with a move that it has searched, unless
        // that takes long.
        let just_begun = self.completed.is_none() && self.nodes < FIRST_NODES;
        let may_end = !just_begun || self.has_scored_a_move();
        if may_end && limit_reached || !just_begun && self.shared.must_stop() {
            self.shared.stop.store(true, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Returns whether the search has a score for any root move.
    fn has_scored_a_move(&self) -> bool {
        let is_scored = |root_move: &RootMove| root_move.latest_score() != -Score::INFINITE;
        self.root_moves.iter().any(is_scored)
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
        // The probe may have read from a slow disk, and hundreds of slow reads can exceed the time
        // limit: poll at the next node.
        self.next_poll = self.nodes;
    }

    /// Plays a move of the position at a ply, and returns the position after it. Undo with
    /// [`Worker::unmake`].
    #[inline(always)]
    pub fn make(&mut self, position: &Position, ply: usize, m: Move) -> Position {
        // First, because memory takes longer than everything below.
        self.shared.request.tt.prefetch(position.key_after(m));
        let mut child = position.clone();
        let entry = self.stack_mut(ply);
        entry.played = PieceTo::of(position, m);
        entry.slot = Some(Histories::slot(position, m));
        self.keys.push(position);
        if let Some(accumulators) = &mut self.thread.accumulators {
            accumulators.push();
        }
        child.advance(m);
        self.thread
            .histories
            .prefetch_correction(&child, &self.continuation(ply + 1));
        child
    }

    /// Plays a null move, if that is possible. Undo with [`Worker::unmake`].
    pub fn make_null(&mut self, position: &Position, ply: usize) -> Option<Position> {
        let child = position.play_null()?;
        self.shared.request.tt.prefetch(child.search_key());
        let entry = self.stack_mut(ply);
        entry.played = PieceTo::NONE;
        entry.slot = None;
        self.keys.push_null(position);
        if let Some(accumulators) = &mut self.thread.accumulators {
            accumulators.push_null();
        }
        Some(child)
    }

    /// Takes back the last [`Worker::make`] or [`Worker::make_null`].
    #[inline]
    pub fn unmake(&mut self) {
        self.keys.pop();
        if let Some(accumulators) = &mut self.thread.accumulators {
            accumulators.pop();
        }
    }

    /// Returns the score of a draw: close to zero and not constant, so that the search
    /// distinguishes drawn lines and does not settle for the first one.
    #[inline]
    pub fn draw_score(&self) -> Score {
        Score::cp((self.nodes & 2) as i32 - 1)
    }

    /// Returns whether the position, which is not the root, is a draw by rule as the search
    /// counts it: one repetition within the search is enough.
    pub fn is_draw(&self, position: &Position) -> bool {
        position.is_insufficient_material()
            || self.keys.is_repetition(position)
            || position.is_drawn_by_fifty_moves()
    }

    /// Returns the part of the soft budget to use now; `None` without a clock.
    pub fn soft_limit(&self, stats: IterationStats) -> Option<Duration> {
        self.shared
            .budget
            .map(|budget| budget.soft.mul_f64(time::scale(stats)).min(budget.hard))
    }
}
