//! An interior node: principal variation search (NegaScout), fail-soft, in named stages.

mod eval;
mod extensions;
mod margins;
mod move_pruning;
mod node_pruning;
mod node_type;
mod probe;
mod reductions;

use super::history::{SearchedMoves, Slot};
use super::move_picker::{MovePicker, PickerContext};
use super::params;
use super::worker::{Stopped, Worker};
use crate::position::{Move, Position};
use crate::score::{Bound, Score};
use crate::tt::TtEntry;
use extensions::Singular;
use move_pruning::MovePruning;

#[cfg(test)]
pub use node_type::NonPv;
pub use node_type::{NodeType, Normal, Root, SearchMode};
pub(super) use probe::{bound_decides, proven_bound};

/// The result of searching a node: its score, or nothing because the search was stopped.
pub type NodeResult = Result<Score, Stopped>;

/// The state of a node before its moves are searched.
pub(super) struct Node<'p> {
    pub position: &'p Position,
    pub ply: usize,
    pub depth: i32,
    pub alpha: Score,
    pub beta: Score,
    /// Expected to fail high, because the parent is expected to fail low.
    pub cut_node: bool,
    /// The TT entry.
    pub tt_entry: Option<TtEntry>,
    /// The entry's move, if it is legal here.
    pub tt_move: Option<Move>,
    /// The entry's score, seen from this ply.
    pub tt_score: Option<Score>,
    /// On the principal variation, now or in an earlier search.
    pub tt_pv: bool,
    /// The evaluation as the transposition table stores it, without corrections.
    pub raw_eval: Option<i32>,
    /// The corrected evaluation; meaningless in check.
    pub static_eval: i32,
    /// The correction that `static_eval` contains.
    pub correction: i32,
    /// The best estimate of the value: the TT score where its bound allows it, else the
    /// static evaluation.
    pub eval: Score,
    /// The static evaluation is better than two plies ago.
    pub improving: bool,
    /// The static evaluation is better for this side than before the opponent's last move.
    pub opponent_worsening: bool,
    /// The lower bound from a tablebase win.
    pub tb_min: Score,
    /// The upper bound from a tablebase loss.
    pub tb_max: Score,
}

impl Worker<'_> {
    /// Searches a position to a depth within a window.
    ///
    /// Returns a score that is exact inside the window, a lower bound at or above `beta`, and an
    /// upper bound at or below `alpha`. Bounds may lie beyond the window (fail-soft).
    pub fn search<K: NodeType>(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        alpha: Score,
        beta: Score,
        cut_node: bool,
    ) -> NodeResult {
        // 1. The horizon.
        if depth <= 0 && K::EXACT {
            self.enter_node(ply)?;
            return Ok(Self::leaf_score(position, ply));
        }
        if depth <= 0 {
            return self.quiescence::<K>(position, ply, alpha, beta, true);
        }
        self.enter_node(ply)?;
        if K::PV {
            self.clear_pv(ply);
        }
        let (alpha_before, mut alpha, mut beta) = (alpha, alpha, beta);

        // 2. Draws by rule, and bounds that need no search.
        if K::SELECTIVE
            && let Some(score) = self.draw_or_mate_distance(position, ply, &mut alpha, &mut beta)
        {
            return Ok(score);
        }
        let proven = proven_bound(alpha_before, alpha);
        let excluded = self.stack(ply).excluded;

        // 3. The transposition table.
        let mut node = self.new_node::<K>(position, ply, depth, alpha, beta, cut_node);
        if !K::PV
            && excluded.is_none()
            && let Some(score) = self.tt_cutoff::<K>(&node)
        {
            return Ok(score);
        }

        // 4. The tablebases.
        if !K::ROOT
            && excluded.is_none()
            && let Some(score) = self.probe_tablebase::<K>(&mut node)
        {
            return Ok(score);
        }

        // 5. The static evaluation, and its comparison with the parent's.
        self.evaluate_node(&mut node);
        if K::SELECTIVE && excluded.is_none() && !position.in_check() {
            self.update_eval_difference(&node);
            self.adjust_depth_in_hindsight(&mut node);
        }

        // 6. Pruning of the whole node.
        if !K::PV
            && K::SELECTIVE
            && excluded.is_none()
            && !position.in_check()
            && let Some(score) = self.prune_node(&node)?
        {
            return Ok(score);
        }

        // 7. Internal iterative reduction.
        node.depth -= i32::from(reductions::is_move_order_a_guess::<K>(&node));

        // 8. The moves.
        let score = self.search_moves::<K>(&mut node, excluded)?;
        Ok(score.max(proven))
    }

    /// Searches the moves one by one until one fails high or none is left, and learns from the
    /// result.
    fn search_moves<K: NodeType>(
        &mut self,
        node: &mut Node<'_>,
        excluded: Option<Move>,
    ) -> NodeResult {
        let (position, ply) = (node.position, node.ply);
        let alpha_before = node.alpha;
        let continuation = self.continuation(ply);
        let mut picker = MovePicker::all(node.tt_move);
        let mut searched = SearchedMoves::default();
        let mut best = node.tb_min;
        let mut best_move = None;
        let mut move_count = 0;
        let double_extensions = self.stack_before(ply, 1).double_extensions;

        while let Some(m) = picker.next(PickerContext {
            position,
            histories: &self.thread.histories,
            continuation: &continuation,
        }) {
            if Some(m) == excluded || (K::ROOT && !self.is_searched_root_move(m)) {
                continue;
            }
            move_count += 1;
            if K::ROOT && self.id == 0 {
                self.report_current_move(m, move_count);
            }
            let quiet = !position.is_noisy(m);
            let histories = &self.thread.histories;
            let history = match picker.history() {
                Some(history) => history,
                None if quiet => histories.quiets(position, &continuation).score(m),
                None => histories.noisy_score(position, m),
            };

            // 8a. Pruning of the move. While the best score is a loss, every move is searched.
            if K::SELECTIVE
                && !best.is_loss()
                && !self.shared.request.limits.full_width
                && position.has_non_pawn_material(position.turn())
            {
                match self.prune_move(node, m, quiet, history, move_count, &picker) {
                    MovePruning::Search => {}
                    MovePruning::Skip => continue,
                    MovePruning::Futile(score) => {
                        best = best.max(score);
                        continue;
                    }
                    MovePruning::SkipQuiets => {
                        picker.skip_quiets();
                        continue;
                    }
                }
            }

            // 8b. Extensions.
            let mut extension = 0;
            if K::SELECTIVE && Some(m) == node.tt_move && excluded.is_none() {
                match self.singular::<K>(node, m)? {
                    Singular::Extend(plies) => extension = plies,
                    Singular::MultiCut(score) => return Ok(score),
                }
            }

            self.stack_mut(ply).double_extensions = double_extensions + u32::from(extension >= 2);

            // 8c. The search.
            let nodes_before = self.nodes();
            let child = self.make(position, ply, m);
            let reduction =
                self.reduction::<K>(node, &child, quiet, history, move_count, picker.stage());
            let score = self.search_move::<K>(node, &child, best, extension, reduction, move_count);
            self.unmake();
            let score = score?;
            if K::ROOT {
                self.update_root_move(m, score, nodes_before, move_count, node.alpha, node.beta);
            }

            // 8d. The result.
            if score > best {
                best = score;
                if score > node.alpha {
                    best_move = Some(m);
                    if K::PV && !K::ROOT {
                        self.update_pv(ply, m);
                    }
                    if score >= node.beta {
                        self.stack_mut(ply).cutoffs += u32::from(excluded.is_none());
                        break;
                    }
                    node.alpha = score;
                    // The remaining moves have to beat a move that was searched to full depth.
                    if !K::EXACT
                        && node.depth >= params::alpha_raise_min_depth()
                        && node.depth <= params::alpha_raise_max_depth()
                        && !score.is_decisive()
                    {
                        node.depth -= 1;
                    }
                }
            }
            if Some(m) != best_move {
                searched.push(m, quiet);
            }
        }

        // 9. Mate and stalemate.
        if move_count == 0 {
            return Ok(match excluded {
                Some(_) => node.alpha,
                None if position.in_check() => Score::mated_in(ply),
                None => Score::DRAW,
            });
        }

        // 10. Histories, the transposition table and corrections.
        Ok(self.learn_and_store::<K>(node, best, best_move, alpha_before, &searched, excluded))
    }

    /// Updates the histories, the transposition table and the corrections with the result of a
    /// node. Returns its score.
    fn learn_and_store<K: NodeType>(
        &mut self,
        node: &Node<'_>,
        mut best: Score,
        best_move: Option<Move>,
        alpha_before: Score,
        searched: &SearchedMoves,
        excluded: Option<Move>,
    ) -> Score {
        let (position, ply) = (node.position, node.ply);
        best = best.min(node.tb_max);
        if let Some(m) = best_move.filter(|_| best >= node.beta) {
            self.update_cutoff_histories(node, m, best, searched);
        } else if best_move.is_none() && !K::ROOT && excluded.is_none() {
            self.reward_prior_countermove(node);
        }
        if !K::EXACT && best >= node.beta && !best.is_decisive() && !node.beta.is_decisive() {
            // A bound far beyond the window, found with little depth, is not trusted in full.
            best = Score::cp((best.raw() * node.depth + node.beta.raw()) / (node.depth + 1));
        }
        let bound = if best >= node.beta {
            Bound::Lower
        } else if K::PV && best > alpha_before {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // The best of only some root moves does not give the position's value, and neither does what
        // follows from the repetitions of one game.
        let is_partial = K::ROOT
            && (self.root_range.0 > 0
                || !self.shared.request.limits.searchmoves.is_empty()
                || self.keys.has_repeated(position));
        if excluded.is_none() && !is_partial {
            let entry = TtEntry::new(
                best_move,
                best,
                ply,
                node.raw_eval,
                node.depth,
                bound,
                node.tt_pv,
            );
            self.shared.request.tt.store(position.search_key(), entry);
            self.update_correction(node, best, bound, best_move);
        }
        best
    }

    /// Searches one move: at reduced depth and with a null window where it is expected to fail low,
    /// and to full depth with the full window as far as it does not.
    fn search_move<K: NodeType>(
        &mut self,
        node: &Node<'_>,
        child: &Position,
        best: Score,
        extension: i32,
        reduction: i32,
        move_count: usize,
    ) -> NodeResult {
        let (ply, alpha, beta) = (node.ply + 1, node.alpha, node.beta);
        let mut depth = node.depth - 1 + extension;
        let mut score = Score::INFINITE;
        if node.depth >= 2 && move_count > 1 + usize::from(K::ROOT) {
            let reduced = (depth - reduction / 1024)
                .min(depth + i32::from(K::PV))
                .max(1);
            self.stack_mut(node.ply).reduction = depth - reduced;
            let result =
                self.search::<K::NullWindow>(child, ply, reduced, -alpha - 1, -alpha, true);
            self.stack_mut(node.ply).reduction = 0;
            score = -result?;
            if score > alpha && reduced < depth {
                // A score far above the best deserves more depth, one close to it less.
                let deeper = params::deeper_margin() + params::deeper_depth_factor() * depth;
                let shallower = params::shallower_depth_factor() * depth;
                depth += i32::from(score > best + deeper) - i32::from(score < best + shallower);
                if reduced < depth {
                    score = -self.search::<K::NullWindow>(
                        child,
                        ply,
                        depth,
                        -alpha - 1,
                        -alpha,
                        !node.cut_node,
                    )?;
                    if matches!(self.stack(node.ply).slot, Some(Slot::Quiet(_))) {
                        self.update_post_lmr_continuation(node, score);
                    }
                }
            }
        } else if !K::PV || move_count > 1 {
            score = -self.search::<K::NullWindow>(
                child,
                ply,
                depth,
                -alpha - 1,
                -alpha,
                !node.cut_node,
            )?;
        }
        if K::PV && (move_count == 1 || score > alpha) {
            score = -self.search::<K::Child>(child, ply, depth, -beta, -alpha, false)?;
        }
        Ok(score)
    }
}
