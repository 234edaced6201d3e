//! Extensions of the TT move.
//!
//! Extensions of forcing moves were tried and have not shown a gain. At 40,000 nodes a move, UHO
//! 4060 openings: checks from depth 6 and pawns that reach the seventh rank, unless they lose
//! material, +4 +- 16 Elo in 720 games. At 5,000 nodes: checks -7 +- 30 in 400 games, recaptures on
//! the principal variation -33 +- 31 in 300.

use super::super::params;
use super::super::worker::{Stopped, Worker};
use super::node_type::NonPv;
use super::{Node, NodeType, margins};
use crate::position::Move;
use crate::score::{Bound, Score};

/// The result of the test for a singular move.
pub(super) enum Singular {
    /// Search the TT move this many plies deeper.
    Extend(i32),
    /// Several moves fail high: return this score for the node.
    MultiCut(Score),
}

impl Worker<'_> {
    /// Tests whether the TT move is singular: a shallower search without it stays well below
    /// its score. A singular move is extended. If another move reaches beta instead, the node fails
    /// high without a further search (multi-cut).
    ///
    /// At depths too low for this test, low-depth singular extension takes its place: the TT score
    /// is a lower bound, and the static evaluation is below alpha.
    pub(super) fn singular<K: NodeType>(
        &mut self,
        node: &Node<'_>,
        m: Move,
    ) -> Result<Singular, Stopped> {
        let (Some(tt_entry), Some(tt_score)) = (node.tt_entry, node.tt_score) else {
            return Ok(Singular::Extend(0));
        };
        let Node {
            position,
            ply,
            depth,
            beta,
            ..
        } = *node;
        if ply >= (params::extension_max_ply() * self.root_depth) as usize {
            return Ok(Singular::Extend(0));
        }
        if depth < params::singular_min_depth() {
            // A move that lifts a low evaluation probably stands alone.
            let lifts = tt_entry.bound == Bound::Lower
                && !position.in_check()
                && node.static_eval + params::low_depth_singular_margin() <= node.alpha.raw();
            return Ok(Singular::Extend(i32::from(lifts)));
        }
        if tt_entry.depth < depth - params::singular_tt_depth_margin()
            || tt_entry.bound == Bound::Upper
            || tt_score.is_decisive()
        {
            return Ok(Singular::Extend(0));
        }
        let singular_beta = tt_score - margins::singular_margin(depth, node.tt_pv && !K::PV);
        let child_cutoffs = self.stack(ply + 1).cutoffs;
        self.stack_mut(ply).excluded = Some(m);
        let singular_score = self.search::<NonPv>(
            position,
            ply,
            (depth - 1) / 2,
            singular_beta - 1,
            singular_beta,
            node.cut_node,
        );
        self.stack_mut(ply).excluded = None;
        self.stack_mut(ply + 1).cutoffs = child_cutoffs;
        let singular_score = singular_score?;
        Ok(if singular_score < singular_beta {
            let double = singular_score < singular_beta - params::double_extension_margin()
                && self.stack_before(ply, 1).double_extensions
                    < params::double_extension_limit() as u32;
            let triple = double
                && !position.is_noisy(m)
                && singular_score < singular_beta - params::triple_extension_margin();
            Singular::Extend(1 + i32::from(double) + i32::from(triple))
        } else if singular_score >= beta && !singular_score.is_decisive() {
            Singular::MultiCut(singular_score)
        } else if tt_score >= beta {
            Singular::Extend(-params::negative_extension())
        } else if node.cut_node {
            Singular::Extend(-params::negative_extension_cut_node())
        } else {
            Singular::Extend(0)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::control::Control;
    use super::super::super::limits::Limits;
    use super::super::super::tests::with_worker;
    use super::*;
    use crate::position::Position;
    use crate::tt::TtEntry;

    /// Returns the extension of a move from the table, whose score is a pawn, at a depth below that
    /// of singular extensions.
    fn extension(bound: Bound, static_eval: i32) -> i32 {
        let root = Position::initial();
        with_worker(&root, &Limits::default(), &Control::default(), |worker| {
            worker.root_depth = 8;
            let m = worker.root_moves[0].m;
            let entry = TtEntry::new(Some(m), Score::cp(100), 1, None, 3, bound, false);
            worker.shared.request.tt.store(root.key(), entry);
            let depth = params::singular_min_depth() - 1;
            let (alpha, beta) = (Score::cp(40), Score::cp(41));
            let mut node = worker.new_node::<NonPv>(&root, 1, depth, alpha, beta, true);
            node.static_eval = static_eval;
            match worker.singular::<NonPv>(&node, m) {
                Ok(Singular::Extend(plies)) => plies,
                _ => unreachable!("there is no search at this depth"),
            }
        })
    }

    #[test]
    fn a_move_that_lifts_a_low_evaluation_is_extended() {
        let low = 40 - params::low_depth_singular_margin();
        assert_eq!(extension(Bound::Lower, low), 1);
        assert_eq!(extension(Bound::Lower, low + 1), 0);
        assert_eq!(extension(Bound::Upper, low), 0);
        assert_eq!(extension(Bound::Exact, low), 0);
    }
}
