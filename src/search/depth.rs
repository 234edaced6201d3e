//! How deep a move is searched: extensions and late move reductions.

use super::node::{Node, NodeType, NonPv};
use super::picker::Stage;
use super::worker::{Stopped, Worker};
use super::{params, pruning};
use crate::position::{Move, Position};
use crate::score::{Bound, Score};

/// What the test for a singular move says.
pub(super) enum Singular {
    /// Search the table's move this much deeper.
    Extend(i32),
    /// Several moves fail high: give up the node.
    MultiCut(Score),
}

impl Worker<'_> {
    /// Singular extension: if, in a shallower search without it, everything but the table's move stays well below its
    /// score, the move is the only one and is searched deeper. If instead another move reaches beta too, the node will
    /// fail high whatever happens.
    pub(super) fn singular<K: NodeType>(
        &mut self,
        node: &Node<'_>,
        m: Move,
    ) -> Result<Singular, Stopped> {
        let (Some(entry), Some(score)) = (node.table, node.table_score) else {
            return Ok(Singular::Extend(0));
        };
        let Node {
            position,
            ply,
            depth,
            beta,
            ..
        } = *node;
        if depth < params::singular_min_depth()
            || ply >= 2 * self.root_depth as usize
            || entry.depth < depth - 3
            || entry.bound == Bound::Upper
            || score.is_decisive()
        {
            return Ok(Singular::Extend(0));
        }
        let bar = score - pruning::singular_margin(depth);
        let static_eval = self.entry(ply).static_eval;
        self.entry_mut(ply).excluded = Some(m);
        let others =
            self.search::<NonPv>(position, ply, (depth - 1) / 2, bar - 1, bar, node.cut_node);
        let entry_now = self.entry_mut(ply);
        entry_now.excluded = None;
        entry_now.static_eval = static_eval;
        let others = others?;
        Ok(if others < bar {
            let double = !K::PV
                && others < bar - params::double_extension_margin()
                && self.entry(ply).double_extensions < 12;
            if double {
                self.entry_mut(ply).double_extensions += 1;
            }
            let triple =
                double && !position.is_noisy(m) && others < bar - params::triple_extension_margin();
            Singular::Extend(1 + i32::from(double) + i32::from(triple))
        } else if others >= beta && !others.is_decisive() {
            Singular::MultiCut(others)
        } else if score >= beta {
            Singular::Extend(-2)
        } else if node.cut_node {
            Singular::Extend(-1)
        } else {
            Singular::Extend(0)
        })
    }

    /// The advance of a passed pawn to the seventh rank is about to make a queen. (Extensions of checks and of recaptures
    /// were tried too and did not gain.)
    pub(super) fn heuristic_extension(&self, node: &Node<'_>, m: Move) -> i32 {
        let extends = params::passed_pawn_extension() > 0
            && node.ply < 2 * self.root_depth as usize
            && node.position.is_passed_pawn_push(m);
        i32::from(extends)
    }

    /// Late move reduction, in 1024ths of a ply: the later a move comes and the less it promises, the shallower it is
    /// searched at first.
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
        let table_move_is_noisy = node.table_move.is_some_and(|m| node.position.is_noisy(m));
        let choose = |condition: bool, amount: i32| if condition { amount } else { 0 };
        self.base_reduction(node.depth, move_count)
            + choose(node.cut_node, params::lmr_cut_node())
            + choose(!node.improving, params::lmr_not_improving())
            + choose(table_move_is_noisy, params::lmr_noisy_table_move())
            + choose(self.entry(node.ply + 1).cutoffs > 3, params::lmr_cutoffs())
            - choose(node.was_pv, params::lmr_pv())
            - choose(K::PV, params::lmr_pv() / 2)
            - choose(child.in_check(), params::lmr_check())
            - choose(
                !quiet && stage <= Stage::GoodNoisy,
                params::lmr_good_noisy(),
            )
            + choose(!quiet, params::lmr_noisy())
            - node.correction.abs() * params::lmr_correction()
            - history * 1024 / params::lmr_history_divisor()
    }
}
