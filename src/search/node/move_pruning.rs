//! Pruning of single moves: late move pruning, futility, history and SEE pruning.

use super::super::history::capture_value;
use super::super::move_picker::MovePicker;
use super::super::params;
use super::super::worker::Worker;
use super::{Node, margins};
use crate::position::Move;
use crate::score::Score;

/// The decision about a move before it is searched.
pub(super) enum MovePruning {
    /// Search the move.
    Search,
    /// Skip the move.
    Skip,
    /// Skip the move: its value is at most this score, which does not reach alpha.
    Futile(Score),
    /// Skip the move and all other quiet moves.
    SkipQuiets,
}

impl Worker<'_> {
    /// Decides whether a move, the last one of the picker, is worth a search.
    pub(super) fn prune_move(
        &self,
        node: &Node<'_>,
        m: Move,
        quiet: bool,
        history: i32,
        move_count: usize,
        picker: &MovePicker,
    ) -> MovePruning {
        let position = node.position;
        let by_history = if quiet {
            margins::history_reduction(history)
        } else {
            0
        };
        let reduction = self.thread.base_reduction(node.depth, move_count) - by_history;
        let reduced = (node.depth - reduction / 1024).max(0);
        if !quiet {
            return self.prune_noisy_move(node, m, history, reduced);
        }
        // A side that stands above beta has no need to improve.
        let improving =
            node.improving || !position.in_check() && Score::cp(node.static_eval) >= node.beta;
        let limit = margins::late_move_limit(node.depth, improving);
        if let Some(skill) = &self.shared.request.skill {
            if skill.always_sees(position, m) {
                return MovePruning::Search;
            }
            if move_count > limit || skill.misses(position, m) {
                return MovePruning::Skip;
            }
        }
        if move_count > limit {
            return MovePruning::SkipQuiets;
        }
        // A check may force a line that the static evaluation does not see.
        if picker.gives_check(position, m) {
            return if position.see_ge(m, margins::see_noisy_margin(node.depth)) {
                MovePruning::Search
            } else {
                MovePruning::Skip
            };
        }
        let futility_value = Score::cp(node.static_eval + margins::futility_margin(reduced));
        if !position.in_check()
            && reduced <= params::futility_max_depth()
            && !node.alpha.is_decisive()
            && futility_value <= node.alpha
        {
            return MovePruning::Futile(futility_value);
        }
        if reduced <= params::history_pruning_max_depth()
            && history < margins::history_threshold(node.depth)
        {
            return MovePruning::Skip;
        }
        if !position.see_ge(m, margins::see_quiet_margin(reduced)) {
            return MovePruning::Skip;
        }
        MovePruning::Search
    }

    /// Decides whether a capture or promotion is worth a search.
    #[inline]
    fn prune_noisy_move(
        &self,
        node: &Node<'_>,
        m: Move,
        history: i32,
        reduced: i32,
    ) -> MovePruning {
        let position = node.position;
        let history_margin = history / params::noisy_history_divisor();
        let futility_value = Score::cp(
            node.static_eval
                + margins::noisy_futility_margin(reduced)
                + position.captured(m).map_or(0, capture_value)
                + history_margin,
        );
        if !position.in_check()
            && reduced <= params::futility_max_depth()
            && !node.alpha.is_decisive()
            && futility_value <= node.alpha
            && !m.is_promotion()
            && !position.gives_check(m)
        {
            return MovePruning::Futile(futility_value);
        }
        let margin = margins::see_noisy_margin(node.depth);
        if position.see_ge(m, margin - history_margin.clamp(margin, -margin)) {
            MovePruning::Search
        } else {
            MovePruning::Skip
        }
    }
}
