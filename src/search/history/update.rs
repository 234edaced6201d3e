//! Updates of the histories with the results of nodes.

use arrayvec::ArrayVec;

use super::super::node::Node;
use super::super::params;
use super::super::worker::Worker;
use super::{Slot, bonus, malus};
use crate::position::Move;
use crate::score::{Bound, Score};

/// The moves that were searched before a beta cutoff, to be punished.
#[derive(Default)]
pub(in super::super) struct SearchedMoves {
    quiets: ArrayVec<Move, 64>,
    noisies: ArrayVec<Move, 32>,
}

impl SearchedMoves {
    /// Adds a move, unless there is no room left.
    #[inline]
    pub fn push(&mut self, m: Move, quiet: bool) {
        let _ = if quiet {
            self.quiets.try_push(m)
        } else {
            self.noisies.try_push(m)
        };
    }
}

impl Worker<'_> {
    /// Rewards the move that failed high with the score `best` and punishes those searched before
    /// it.
    pub(in super::super) fn update_cutoff_histories(
        &mut self,
        node: &Node<'_>,
        m: Move,
        best: Score,
        searched: &SearchedMoves,
    ) {
        let (position, ply) = (node.position, node.ply);
        let continuation = self.continuation(ply);
        let is_clear = best >= node.beta + params::history_clear_cutoff_margin();
        let depth = node.depth + i32::from(is_clear);
        let (bonus, malus) = (bonus(depth), malus(depth));
        let histories = &mut self.thread.histories;
        if position.is_noisy(m) {
            histories.update_noisy(position, m, bonus);
        } else {
            histories.update_quiet(position, &continuation, m, bonus);
            for &other in &searched.quiets {
                histories.update_quiet(position, &continuation, other, -malus);
            }
        }
        for &other in &searched.noisies {
            histories.update_noisy(position, other, -malus);
        }
    }

    /// Rewards the opponent's last move when every reply to it fails low (prior-countermove bonus).
    pub(in super::super) fn reward_prior_countermove(&mut self, node: &Node<'_>) {
        let last = *self.stack_before(node.ply, 1);
        let Some(slot) = last.slot else {
            return;
        };
        let share = match slot {
            Slot::Quiet(_) => params::prior_countermove_bonus(),
            Slot::Noisy(_) => params::prior_capture_bonus(),
        };
        let bonus = bonus(node.depth) * share / 128;
        let continuation = self.continuation_before(node.ply, 1);
        let histories = &mut self.thread.histories;
        histories.update_slot(slot, bonus);
        if matches!(slot, Slot::Quiet(_)) {
            histories.update_continuation(&continuation, last.played, bonus);
        }
    }

    /// Rewards or punishes the opponent's last move, if it is quiet, by the change of the static
    /// evaluation compared with an average move (eval-difference history), in its own and in the
    /// pawn history. It is known before any search.
    pub(in super::super) fn update_eval_difference(&mut self, node: &Node<'_>) {
        let last = *self.stack_before(node.ply, 1);
        if let (Some(slot @ Slot::Quiet(_)), Some(before)) = (last.slot, last.static_eval) {
            let gain = params::eval_diff_offset() - (before + node.static_eval);
            let limit = params::eval_diff_max();
            let bonus = (gain * params::eval_diff_factor()).clamp(-limit, limit);
            let histories = &mut self.thread.histories;
            histories.update_slot(slot, bonus);
            histories.update_pawn(node.position, last.played, bonus);
        }
    }

    /// Rewards or punishes a quiet move whose reduced search was better than expected, by the
    /// result of the deeper search (post-LMR continuation bonus).
    pub(in super::super) fn update_post_lmr_continuation(&mut self, node: &Node<'_>, score: Score) {
        let played = self.stack(node.ply).played;
        let continuation = self.continuation(node.ply);
        let bonus = if score <= node.alpha {
            -malus(node.depth) * params::post_lmr_bonus() / 128
        } else if score >= node.beta {
            bonus(node.depth) * params::post_lmr_bonus() / 128
        } else {
            return;
        };
        self.thread
            .histories
            .update_continuation(&continuation, played, bonus);
    }

    /// Stores the difference between the search's score and the static evaluation. Tactical
    /// results, and bounds that agree with the evaluation, say nothing about its error.
    pub(in super::super) fn update_correction(
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
        self.thread
            .histories
            .add_correction(position, &continuation, node.depth, error);
    }
}
