//! Pruning of whole nodes, before any of their moves is searched: razoring, reverse futility, null move, ProbCut.

use super::history;
use super::node::{Node, NonPv};
use super::params;
use super::picker::{Context, Picker};
use super::pruning;
use super::worker::{Stopped, Worker};
use crate::score::{Bound, Score};
use crate::tt::TtEntry;

impl Worker<'_> {
    /// Pruning that needs no move of the node, cheapest first. Nothing here proves a mate, so nothing is done with bounds
    /// that are mates, and no mate is returned.
    pub(super) fn prune_node(&mut self, node: &mut Node<'_>) -> Result<Option<Score>, Stopped> {
        // Razoring: so far below alpha, only captures can help, and quiescence looks at those.
        if node.depth <= params::razoring_max_depth()
            && !node.alpha.is_decisive()
            && node.eval + pruning::razoring_margin(node.depth) <= node.alpha
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
        // Reverse futility: so far above beta that the opponent will not catch up in the plies that are left.
        let margin =
            pruning::reverse_futility_margin(node.depth, node.improving, node.opponent_worsening);
        if node.depth <= params::reverse_futility_max_depth()
            && !node.beta.is_decisive()
            && !node.eval.is_decisive()
            && node.eval - margin >= node.beta
        {
            return Ok(Some(Score::cp((node.eval.raw() + node.beta.raw()) / 2)));
        }
        if let Some(score) = self.null_move(node)? {
            return Ok(Some(score));
        }
        self.probcut(node)
    }

    /// Null move: if passing is good enough, a move will be. In zugzwang that is wrong, so there has to be a piece, and
    /// deep cut-offs are verified by a search in which this side may not pass.
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
            || self.entry_before(ply, 1).played == history::PieceTo::NONE
            || !position.has_non_pawn_material(position.turn())
        {
            return Ok(None);
        }
        let reduced = depth - pruning::null_move_reduction(depth, node.eval.raw() - beta.raw());
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
            return Ok(Some(proven));
        }
        self.null_move_min_ply = ply + (3 * reduced.max(0) as usize) / 4;
        let verified = self.search::<NonPv>(position, ply, reduced, beta - 1, beta, false);
        self.null_move_min_ply = 0;
        Ok((verified? >= beta).then_some(proven))
    }

    /// ProbCut: a capture that a shallow search finds to be far above beta would be above beta in a deep one too.
    fn probcut(&mut self, node: &Node<'_>) -> Result<Option<Score>, Stopped> {
        let Node {
            position,
            ply,
            depth,
            beta,
            ..
        } = *node;
        let raised = beta + params::probcut_margin();
        if depth < params::probcut_min_depth()
            || beta.is_decisive()
            || raised.is_decisive()
            || node.table_score.is_some_and(|score| score < raised)
        {
            return Ok(None);
        }
        let threshold = raised.raw() - node.static_eval;
        let table_move = node
            .table_move
            .filter(|&m| position.is_noisy(m) && position.see_ge(m, threshold));
        let mut picker = Picker::noisy(table_move, Some(threshold));
        let continuation = self.continuation(ply);
        while let Some(m) = picker.next(Context {
            position,
            histories: &self.data.histories,
            continuation: &continuation,
        }) {
            let child = self.make(position, ply, m);
            let mut score = self
                .quiescence::<NonPv>(&child, ply + 1, -raised, -raised + 1, false)
                .map(|score| -score);
            if score.is_ok_and(|score| score >= raised) && depth > 4 {
                score = self
                    .search::<NonPv>(
                        &child,
                        ply + 1,
                        depth - 4,
                        -raised,
                        -raised + 1,
                        !node.cut_node,
                    )
                    .map(|score| -score);
            }
            self.unmake();
            let score = score?;
            if score >= raised {
                let entry = TtEntry::new(
                    Some(m),
                    score,
                    ply,
                    node.raw_eval,
                    depth - 3,
                    Bound::Lower,
                    node.was_pv,
                );
                self.shared.tt.store(position.key(), entry);
                let cut = if score.is_decisive() {
                    score
                } else {
                    score - params::probcut_margin()
                };
                return Ok(Some(cut));
            }
        }
        Ok(None)
    }
}
