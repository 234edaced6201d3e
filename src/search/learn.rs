//! What a node's outcome teaches the histories.

use arrayvec::ArrayVec;

use super::node::Node;
use super::worker::Worker;
use super::{history, params};
use crate::position::Move;
use crate::score::{Bound, Score};

/// The moves that were searched without success before a cut-off, to be punished.
#[derive(Default)]
pub(super) struct Tried {
    pub quiets: ArrayVec<Move, 64>,
    pub noisies: ArrayVec<Move, 32>,
}

impl Worker<'_> {
    /// Rewards the move that failed high and punishes those that were tried before it.
    pub(super) fn reward(&mut self, node: &Node<'_>, m: Move, tried: &Tried) {
        let (position, ply) = (node.position, node.ply);
        let continuation = self.continuation(ply);
        let (bonus, malus) = (history::bonus(node.depth), history::malus(node.depth));
        let histories = &mut self.memory.histories;
        if position.is_noisy(m) {
            histories.update_noisy(position, m, bonus);
        } else {
            histories.update_quiet(position, &continuation, m, bonus);
            for &other in &tried.quiets {
                histories.update_quiet(position, &continuation, other, -malus);
            }
        }
        for &other in &tried.noisies {
            histories.update_noisy(position, other, -malus);
        }
    }

    /// Every answer failed low: the opponent's last move, if it was a quiet one, was a good one.
    pub(super) fn reward_last_move(&mut self, node: &Node<'_>) {
        let last = *self.entry_before(node.ply, 1);
        if params::fail_low_bonus() > 0 && last.quiet {
            let continuation = self.continuation_before(node.ply, 1);
            let bonus = history::bonus(node.depth) * params::fail_low_bonus() / 128;
            self.memory
                .histories
                .update_continuation(&continuation, last.played, bonus);
        }
    }

    /// Remembers by how much the search missed the static evaluation, where its result says anything about that: not for
    /// tactics, and not where a bound already agrees with the evaluation.
    pub(super) fn learn_correction(
        &mut self,
        node: &Node<'_>,
        best: Score,
        bound: Bound,
        best_move: Option<Move>,
    ) {
        let position = node.position;
        let eval = Score::cp(node.static_eval);
        if position.in_check()
            || best_move.is_some_and(|m| position.is_noisy(m))
            || best.is_decisive()
            || (bound == Bound::Lower && best <= eval)
            || (bound == Bound::Upper && best >= eval)
        {
            return;
        }
        let continuation = self.continuation(node.ply);
        let error = best.raw() - eval.raw();
        self.memory
            .histories
            .update_correction(position, &continuation, node.depth, error);
    }
}
