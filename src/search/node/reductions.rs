//! Late move reductions, and their adjustment in hindsight.

use super::super::move_picker::Stage;
use super::super::params;
use super::super::worker::Worker;
use super::{Node, NodeType, margins};
use crate::position::Position;
use crate::tt::TtEntry;

/// Decides on internal iterative reduction: without a move from the table, or with that of a much
/// shallower search, the move order is a guess, and a shallower search finds a move for the next
/// visit. The root has the best move of the last iteration.
pub(super) fn is_move_order_a_guess<K: NodeType>(node: &Node<'_>) -> bool {
    let is_shallow = |entry: TtEntry| entry.depth + params::iir_tt_depth_margin() < node.depth;
    !K::EXACT
        && !K::ROOT
        && node.depth >= params::iir_min_depth()
        && (node.tt_move.is_none() || node.tt_entry.is_some_and(is_shallow))
        && (K::PV || node.cut_node)
}

impl Worker<'_> {
    /// Returns the late move reduction in 1024ths of a ply: the later a move comes and the less it
    /// promises, the shallower its first search.
    pub(super) fn reduction<K: NodeType>(
        &self,
        node: &Node<'_>,
        child: &Position,
        quiet: bool,
        history: i32,
        move_count: usize,
        stage: Stage,
    ) -> i32 {
        if K::EXACT || node.depth < 2 || move_count <= 1 + usize::from(K::ROOT) {
            return 0;
        }
        let tt_move_is_noisy = node.tt_move.is_some_and(|m| node.position.is_noisy(m));
        let many_cutoffs = self.stack(node.ply + 1).cutoffs > params::lmr_cutoff_count() as u32;
        let cut_node_without_tt_move = node.cut_node && node.tt_move.is_none();
        let good_noisy = !quiet && stage <= Stage::GoodNoisy;
        let choose = |condition: bool, amount: i32| if condition { amount } else { 0 };
        self.thread.base_reduction(node.depth, move_count)
            + choose(node.cut_node, params::lmr_cut_node())
            + choose(cut_node_without_tt_move, params::lmr_cut_node_no_tt_move())
            + choose(!node.improving, params::lmr_not_improving())
            + choose(tt_move_is_noisy, params::lmr_noisy_tt_move())
            + choose(many_cutoffs, params::lmr_cutoffs())
            - choose(node.tt_pv, params::lmr_tt_pv())
            - choose(K::PV, params::lmr_pv_node())
            - choose(child.in_check(), params::lmr_check())
            - choose(good_noisy, params::lmr_good_noisy())
            + choose(!quiet, params::lmr_noisy())
            - node.correction.abs() * params::lmr_correction()
            - margins::history_reduction(history)
    }

    /// Corrects the depth that the parent chose by the evaluation after its move (hindsight depth
    /// adjustment): a reduced move that does not improve the opponent's position gets a ply back,
    /// and one that leaves both sides content loses another.
    pub(super) fn adjust_depth_in_hindsight(&mut self, node: &mut Node<'_>) {
        let parent = *self.stack_before(node.ply, 1);
        // A null-move verification searches the same node again and must not adjust it again.
        self.clear_reduction_before(node.ply);
        let Some(parent_eval) = parent.static_eval else {
            return;
        };
        if parent.reduction >= params::hindsight_deeper_reduction() && !node.opponent_worsening {
            node.depth += 1;
        } else if parent.reduction >= params::hindsight_shallower_reduction()
            && node.depth >= 2
            && parent_eval + node.static_eval > params::hindsight_margin()
        {
            node.depth -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::control::Control;
    use super::super::super::limits::Limits;
    use super::super::super::tests::with_worker;
    use super::super::node_type::{NonPv, Root};
    use super::*;
    use crate::score::{Bound, Score};

    /// Decides on the initial position, for which the table has a move that was searched to a
    /// depth.
    fn decide<K: NodeType>(depth: i32, tt_depth: Option<i32>, cut_node: bool) -> bool {
        let root = Position::initial();
        with_worker(&root, &Limits::default(), &Control::default(), |worker| {
            if let Some(tt_depth) = tt_depth {
                let m = Some(worker.root_moves[0].m);
                let entry = TtEntry::new(m, Score::DRAW, 1, None, tt_depth, Bound::Lower, false);
                worker.shared.request.tt.store(root.key(), entry);
            }
            let (alpha, beta) = (Score::DRAW, Score::cp(1));
            is_move_order_a_guess::<K>(
                &worker.new_node::<K>(&root, 1, depth, alpha, beta, cut_node),
            )
        })
    }

    #[test]
    fn nodes_without_a_good_move_to_begin_with_are_reduced() {
        let (depth, margin) = (12, params::iir_tt_depth_margin());
        assert!(decide::<NonPv>(depth, None, true));
        assert!(!decide::<NonPv>(depth, None, false));
        assert!(!decide::<NonPv>(params::iir_min_depth() - 1, None, true));
        assert!(decide::<NonPv>(depth, Some(depth - margin - 1), true));
        assert!(!decide::<NonPv>(depth, Some(depth - margin), true));
        assert!(!decide::<Root>(depth, Some(1), false));
    }
}
