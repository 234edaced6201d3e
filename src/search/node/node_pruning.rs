//! Pruning of whole nodes before any of their moves is searched: razoring, reverse futility, null
//! move and ProbCut.

use super::super::history::PieceTo;
use super::super::move_picker::{MovePicker, PickerContext};
use super::super::params;
use super::super::worker::{Stopped, Worker};
use super::node_type::NonPv;
use super::{Node, margins};
use crate::score::{Bound, Score};
use crate::tt::TtEntry;

impl Worker<'_> {
    /// Tries the pruning rules for whole nodes, the cheapest first. They skip decisive bounds. Only
    /// ProbCut may return a mate, one that its search of a capture has found; the others prove
    /// none.
    pub(super) fn prune_node(&mut self, node: &Node<'_>) -> Result<Option<Score>, Stopped> {
        // Razoring: this far below alpha only captures can help, and quiescence searches those.
        if node.depth <= params::razoring_max_depth()
            && !node.alpha.is_decisive()
            && node.eval + margins::razoring_margin(node.depth) <= node.alpha
        {
            let score = self.quiescence::<NonPv>(
                node.position,
                node.ply,
                node.alpha,
                node.alpha + 1,
                true,
            )?;
            if score <= node.alpha {
                return Ok(Some(score));
            }
        }
        // Reverse futility: the opponent cannot make up this much in the remaining plies.
        let margin = margins::reverse_futility_margin(
            node.depth,
            node.improving,
            node.opponent_worsening,
            node.correction,
        );
        if node.depth <= params::reverse_futility_max_depth()
            && !node.beta.is_decisive()
            && node.eval - margin >= node.beta
        {
            self.keep_static_eval(node);
            return Ok(Some(Score::cp((node.eval.raw() + node.beta.raw()) / 2)));
        }
        if let Some(score) = self.null_move(node)? {
            return Ok(Some(score));
        }
        self.probcut(node)
    }

    /// Null move: if passing is good enough, a move will be too. Zugzwang is the exception, so the
    /// side to move needs a piece, and deep cutoffs are verified by a search in which it may not
    /// pass.
    fn null_move(&mut self, node: &Node<'_>) -> Result<Option<Score>, Stopped> {
        let Node {
            position,
            ply,
            depth,
            beta,
            ..
        } = *node;
        if depth < params::null_move_min_depth()
            || node.eval < beta
            || node.static_eval + params::null_move_depth_factor() * depth
                < beta.raw() + params::null_move_margin()
            || beta.is_decisive()
            || ply < self.null_move_min_ply
            || self.stack_before(ply, 1).played == PieceTo::NONE
            || !position.has_non_pawn_material(position.turn())
        {
            return Ok(None);
        }
        let reduced = depth - margins::null_move_reduction(depth, node.eval.raw() - beta.raw());
        let Some(child) = self.make_null(position, ply) else {
            return Ok(None);
        };
        let score =
            self.search::<NonPv>(&child, ply + 1, reduced, -beta, -beta + 1, !node.cut_node);
        self.unmake();
        let score = -score?;
        if score < beta {
            return Ok(None);
        }
        let proven = if score.is_win() { beta } else { score };
        if depth < params::null_move_verification_depth() || self.null_move_min_ply > 0 {
            self.keep_static_eval(node);
            return Ok(Some(proven));
        }
        let verified_plies = params::null_move_verification_share() * reduced.max(0) / 128;
        self.null_move_min_ply = ply + verified_plies as usize;
        let verified = self.search::<NonPv>(position, ply, reduced, beta - 1, beta, false);
        self.null_move_min_ply = 0;
        Ok((verified? >= beta).then_some(proven))
    }

    /// Keeps the evaluation of a pruned node in the transposition table for the next visit, as the
    /// lower bound that quiescence would store: the side to move need not capture.
    fn keep_static_eval(&self, node: &Node<'_>) {
        if node.tt_entry.is_none() {
            let score = Score::cp(node.static_eval);
            let entry = TtEntry::new(
                None,
                score,
                node.ply,
                node.raw_eval,
                0,
                Bound::Lower,
                node.tt_pv,
            );
            self.shared
                .request
                .tt
                .store(node.position.search_key(), entry);
        }
    }

    /// ProbCut: a capture that a shallow search finds far above beta would stay above beta in a
    /// deep search too.
    fn probcut(&mut self, node: &Node<'_>) -> Result<Option<Score>, Stopped> {
        let Node {
            position,
            ply,
            depth,
            beta,
            ..
        } = *node;
        let margin = margins::probcut_margin(node.improving);
        let probcut_beta = beta + margin;
        if depth < params::probcut_min_depth()
            || beta.is_decisive()
            || probcut_beta.is_decisive()
            || node.tt_score.is_some_and(|score| score < probcut_beta)
        {
            return Ok(None);
        }
        let threshold = probcut_beta.raw() - node.static_eval;
        let tt_move = node
            .tt_move
            .filter(|&m| position.is_noisy(m) && position.see_ge(m, threshold));
        let mut picker = MovePicker::noisy(tt_move, Some(threshold));
        let continuation = self.continuation(ply);
        let probcut_depth = depth - params::probcut_reduction();
        while let Some(m) = picker.next(PickerContext {
            position,
            histories: &self.thread.histories,
            continuation: &continuation,
        }) {
            let child = self.make(position, ply, m);
            let (alpha, beta) = (-probcut_beta, -probcut_beta + 1);
            let mut score = self
                .quiescence::<NonPv>(&child, ply + 1, alpha, beta, false)
                .map(|score| -score);
            if score.is_ok_and(|score| score >= probcut_beta) && probcut_depth > 0 {
                score = self
                    .search::<NonPv>(&child, ply + 1, probcut_depth, alpha, beta, !node.cut_node)
                    .map(|score| -score);
            }
            self.unmake();
            let score = score?;
            if score >= probcut_beta {
                let entry = TtEntry::new(
                    Some(m),
                    score,
                    ply,
                    node.raw_eval,
                    probcut_depth + 1,
                    Bound::Lower,
                    node.tt_pv,
                );
                self.shared.request.tt.store(position.search_key(), entry);
                return Ok(Some(if score.is_decisive() {
                    score
                } else {
                    score - margin
                }));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::control::Control;
    use super::super::super::limits::Limits;
    use super::super::super::tests::with_worker;
    use super::*;
    use crate::position::Position;
    use crate::position::notation::parse_fen;

    /// Tries a null move in a position at ply 1, with a beta this far below its evaluation. Null
    /// moves are not verified by a search if `in_verification` is set. `prepare` gets the worker
    /// and the position after the null move. Returns the result and beta.
    fn null_move(
        fen: &str,
        (depth, below): (i32, i32),
        in_verification: bool,
        prepare: impl FnOnce(&Worker<'_>, &Position),
    ) -> (Option<Score>, Score) {
        let root = parse_fen(fen, false).unwrap().position;
        with_worker(&root, &Limits::default(), &Control::default(), |worker| {
            worker.root_depth = depth;
            worker.null_move_min_ply = usize::from(in_verification);
            // Some move has led to the position.
            worker.stack_mut(0).played = PieceTo::of(&root, root.legal_moves()[0]);
            prepare(worker, &root.play_null().unwrap());
            let (alpha, beta) = (Score::DRAW, Score::cp(1));
            let mut node = worker.new_node::<NonPv>(&root, 1, depth, alpha, beta, true);
            worker.evaluate_node(&mut node);
            node.beta = node.eval - below;
            node.alpha = node.beta - 1;
            (worker.null_move(&node).unwrap(), node.beta)
        })
    }

    #[test]
    fn a_verification_finds_a_zugzwang() {
        // Every move of the bishop allows the knight to mate. If Black could pass, White could
        // not.
        let fen = "8/8/2N5/8/8/2b1p3/p1K1P3/k7 b - - 0 1";
        let deep = (params::null_move_verification_depth(), 10);
        assert!(null_move(fen, deep, true, |_, _| {}).0.is_some());
        assert_eq!(null_move(fen, deep, false, |_, _| {}).0, None);
    }

    #[test]
    fn nobody_passes_with_pawns_alone() {
        // The side to move loses its pawn, and would win the other one if it could pass.
        let trebuchet = "8/8/8/1pK5/kP6/8/8/8 w - - 0 1";
        assert_eq!(null_move(trebuchet, (8, 50), false, |_, _| {}).0, None);
    }

    #[test]
    fn a_null_move_proves_no_mate() {
        let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 1";
        let (proven, beta) = null_move(fen, (8, 300), false, |worker, after| {
            let mated = Score::mated_in(6);
            let entry = TtEntry::new(None, mated, 2, None, 30, Bound::Exact, false);
            worker.shared.request.tt.store(after.search_key(), entry);
        });
        assert_eq!(proven, Some(beta));
    }
}
