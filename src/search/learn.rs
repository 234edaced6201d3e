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
        let histories = &mut self.data.histories;
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

    /// Every answer failed low: the opponent's last move, if it was a quiet one, was a good one, in itself and as a
    /// continuation.
    pub(super) fn reward_last_move(&mut self, node: &Node<'_>) {
        let last = *self.entry_before(node.ply, 1);
        if let Some(slot) = last.quiet {
            let continuation = self.continuation_before(node.ply, 1);
            let bonus = history::bonus(node.depth) * params::fail_low_bonus() / 128;
            let histories = &mut self.data.histories;
            histories.update_slot(slot, bonus);
            histories.update_continuation(&continuation, last.played, bonus);
        }
    }

    /// The evaluation has changed with the opponent's last move: if it was a quiet one, that says what it was worth, before
    /// any search does. It is compared with what a move usually brings.
    pub(super) fn judge_last_move(&mut self, node: &Node<'_>) {
        let last = *self.entry_before(node.ply, 1);
        if let (Some(slot), Some(before)) = (last.quiet, last.static_eval) {
            let gain = params::swing_offset() - (before + node.static_eval);
            let limit = params::swing_max();
            let bonus = (gain * params::swing_factor()).clamp(-limit, limit);
            self.data.histories.update_slot(slot, bonus);
        }
    }

    /// A quiet move was searched again, since it had done better than expected in a reduced search: learns what came of it.
    pub(super) fn learn_from_research(&mut self, node: &Node<'_>, score: Score) {
        let played = self.entry(node.ply).played;
        let continuation = self.continuation(node.ply);
        let bonus = if score <= node.alpha {
            -history::malus(node.depth) * params::research_bonus() / 128
        } else if score >= node.beta {
            history::bonus(node.depth) * params::research_bonus() / 128
        } else {
            return;
        };
        self.data
            .histories
            .update_continuation(&continuation, played, bonus);
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
        self.data
            .histories
            .update_correction(position, &continuation, node.depth, error);
    }
}
