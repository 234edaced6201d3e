//! Results that a node can have before its moves are searched: from the rules, the transposition
//! table and the tablebases.

use super::super::history;
use super::super::params;
use super::super::worker::Worker;
use super::{Node, NodeType};
use crate::position::Position;
use crate::score::{Bound, MAX_PLY, Score};
use crate::tablebase::Wdl;
use crate::tt::TtEntry;

/// Plies that a tablebase result counts deeper than the node it was found at.
const TABLEBASE_EXTRA_DEPTH: i32 = 6;

impl Worker<'_> {
    /// Returns a score that follows from the rules or from the distance to the root, and tightens
    /// the window where they bound the score.
    pub(super) fn draw_or_mate_distance(
        &mut self,
        position: &Position,
        ply: usize,
        alpha: &mut Score,
        beta: &mut Score,
    ) -> Option<Score> {
        if let Some(score) = self.draw_or_max_ply(position, ply) {
            return Some(score);
        }
        // Mate-distance pruning: no line from here is better than mate on the next move or worse
        // than being mated now.
        *alpha = (*alpha).max(Score::mated_in(ply));
        *beta = (*beta).min(Score::mate_in(ply + 1));
        if alpha >= beta {
            return Some(*alpha);
        }
        self.upcoming_repetition(position, alpha, *beta)
    }

    /// Returns the score of a draw by rule, and of a position at the maximum ply.
    #[inline(always)]
    pub(in super::super) fn draw_or_max_ply(
        &mut self,
        position: &Position,
        ply: usize,
    ) -> Option<Score> {
        if self.is_draw(position) {
            return Some(self.draw_score());
        }
        if ply >= MAX_PLY {
            return Some(if position.in_check() {
                Score::DRAW
            } else {
                Score::cp(self.raw_eval(position))
            });
        }
        None
    }

    /// Raises alpha to a draw when the side to move can repeat a position. Returns the score when
    /// that reaches beta.
    #[inline]
    pub(in super::super) fn upcoming_repetition(
        &self,
        position: &Position,
        alpha: &mut Score,
        beta: Score,
    ) -> Option<Score> {
        if *alpha < Score::DRAW && self.keys.has_upcoming_repetition(position) {
            *alpha = self.draw_score();
        }
        (*alpha >= beta).then_some(*alpha)
    }

    /// Probes the transposition table. Returns the entry, and its score seen from this ply.
    #[inline(always)]
    pub(in super::super) fn probe_tt(
        &self,
        position: &Position,
        ply: usize,
    ) -> (Option<TtEntry>, Option<Score>) {
        let entry = self.shared.request.tt.probe(position.search_key());
        let score = entry.map(|entry| entry.score(ply, position.halfmoves()));
        (entry, score)
    }

    /// Creates the state of a node from its arguments and its transposition table entry.
    pub(super) fn new_node<'p, K: NodeType>(
        &self,
        position: &'p Position,
        ply: usize,
        depth: i32,
        alpha: Score,
        beta: Score,
        cut_node: bool,
    ) -> Node<'p> {
        let (tt_entry, tt_score) = self.probe_tt(position, ply);
        let tt_move = if K::ROOT {
            // The best move of the last iteration. MultiPV or searchmoves may exclude the table's.
            self.root_moves
                .get(self.root_range.0)
                .map(|root_move| root_move.m)
        } else {
            tt_entry
                .and_then(|entry| entry.best_move)
                .filter(|&m| position.is_legal(m))
        };
        Node {
            position,
            ply,
            depth,
            alpha,
            beta,
            cut_node,
            tt_entry,
            tt_move,
            tt_score,
            tt_pv: K::PV || tt_entry.is_some_and(|entry| entry.is_pv),
            raw_eval: None,
            static_eval: 0,
            correction: 0,
            eval: Score::DRAW,
            improving: false,
            opponent_worsening: false,
            tb_min: -Score::INFINITE,
            tb_max: Score::INFINITE,
        }
    }

    /// Returns the TT score if it was searched deep enough and its bound decides the window.
    ///
    /// A shallow node whose score contradicts its expected type is searched again, which is cheap.
    pub(super) fn tt_cutoff<K: NodeType>(&mut self, node: &Node<'_>) -> Option<Score> {
        let (entry, score) = (node.tt_entry?, node.tt_score?);
        let fails_high = score >= node.beta;
        let is_shallow = node.depth <= params::tt_recheck_max_depth();
        if entry.depth < node.depth
            || (!K::EXACT && is_shallow && node.cut_node != fails_high)
            || (K::EXACT && entry.depth > node.depth)
            || !bound_decides(entry.bound, score, node.beta)
        {
            return None;
        }
        if fails_high
            && let Some(m) = node.tt_move
            && !node.position.is_noisy(m)
        {
            let continuation = self.continuation(node.ply);
            let bonus = history::bonus(node.depth);
            self.thread
                .histories
                .update_quiet(node.position, &continuation, m, bonus);
        }
        Some(score)
    }

    /// Probes the tablebases. A decisive result bounds a node on the principal variation and ends
    /// the search of any other.
    pub(super) fn probe_tablebase<K: NodeType>(&mut self, node: &mut Node<'_>) -> Option<Score> {
        let request = &self.shared.request;
        let tablebases = request.tablebases.filter(|_| self.shared.probe_tree)?;
        let options = request.options;
        let position = node.position;
        let pieces = position.piece_count();
        let limit = options
            .syzygy_probe_limit
            .min(tablebases.max_pieces() as u32);
        if pieces > limit
            || (pieces == limit && node.depth < options.syzygy_probe_depth as i32)
            || position.halfmoves() != 0
        {
            return None;
        }
        let wdl = tablebases.probe_wdl(position)?;
        self.count_tbhit();
        let wdl = if options.syzygy_50_move_rule {
            wdl
        } else {
            wdl.without_fifty_move_rule()
        };
        let score = wdl.score(node.ply);
        let bound = match wdl {
            Wdl::Win => Bound::Lower,
            Wdl::Loss => Bound::Upper,
            _ => Bound::Exact,
        };
        if bound == Bound::Exact
            || bound_decides(bound, score, node.beta)
                && (bound == Bound::Lower || score <= node.alpha)
        {
            let depth = node.depth + TABLEBASE_EXTRA_DEPTH;
            let entry = TtEntry::new(None, score, node.ply, None, depth, bound, node.tt_pv);
            self.shared.request.tt.store(position.search_key(), entry);
            return Some(score);
        }
        if K::PV {
            if bound == Bound::Lower {
                node.tb_min = score;
                node.alpha = node.alpha.max(score);
            } else {
                node.tb_max = score;
            }
        }
        None
    }
}

/// Returns what has raised alpha before any move was searched, or minus infinity if nothing has.
/// The score of the node is no less, also when the moves that are searched do not show it: a
/// repetition may be pruned, and quiescence searches no quiet moves.
#[inline]
pub(in super::super) fn proven_bound(before: Score, alpha: Score) -> Score {
    if alpha > before {
        alpha
    } else {
        -Score::INFINITE
    }
}

/// Returns whether a bound settles a null window that ends at beta.
#[inline]
pub(in super::super) fn bound_decides(bound: Bound, score: Score, beta: Score) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score < beta,
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::super::super::control::Control;
    use super::super::super::limits::Limits;
    use super::super::super::tests::with_tablebases;
    use super::super::node_type::{NonPv, Pv};
    use super::*;
    use crate::position::notation::parse_fen;
    use crate::tablebase::Tablebases;

    fn tables() -> Tablebases {
        let data = std::env::var_os("QUEVEDO_TEST_DATA").expect("QUEVEDO_TEST_DATA is set");
        let path = PathBuf::from(data).join("syzygy/3-4-men");
        Tablebases::load(path).0.expect("tablebases")
    }

    /// Runs a closure with a position on a thread of a search of the initial position, which the
    /// tablebases do not contain.
    fn with_position<T>(fen: &str, act: impl FnOnce(&mut Worker<'_>, &Position) -> T) -> T {
        let (root, limits, control) = (Position::initial(), Limits::default(), Control::default());
        let position = parse_fen(fen, false).unwrap().position;
        with_tablebases(&root, &limits, &control, Some(&tables()), |worker| {
            worker.root_depth = 4;
            act(worker, &position)
        })
    }

    #[test]
    fn a_check_at_the_maximum_ply_is_not_evaluated() {
        let (root, limits, control) = (Position::initial(), Limits::default(), Control::default());
        let check = parse_fen("4k3/4R3/8/8/8/8/8/3QK3 b - - 0 1", false);
        let check = check.unwrap().position;
        with_tablebases(&root, &limits, &control, None, |worker| {
            assert_eq!(worker.draw_or_max_ply(&check, MAX_PLY - 1), None);
            assert_eq!(worker.draw_or_max_ply(&check, MAX_PLY), Some(Score::DRAW));
            let quiet = worker.draw_or_max_ply(&root, MAX_PLY);
            assert!(quiet.is_some_and(|score| score != Score::DRAW));
        });
    }

    #[test]
    #[ignore = "needs QUEVEDO_TEST_DATA"]
    fn results_end_the_search_of_a_node_after_a_capture_with_test_data() {
        let (win, loss) = (Score::tablebase_win(3), Score::tablebase_loss(3));
        for (fen, expected) in [
            ("8/8/8/3k4/8/8/8/K6R w - - 0 1", Some((win, Bound::Lower))),
            ("8/8/8/3k4/8/8/8/K6R b - - 0 1", Some((loss, Bound::Upper))),
            (
                "8/8/8/3k4/8/8/8/K6N w - - 0 1",
                Some((Score::DRAW, Bound::Exact)),
            ),
            ("8/8/8/3k4/8/8/8/K6R w - - 1 1", None),
            ("8/8/8/3k4/3pp3/8/8/K6R w - - 0 1", None),
        ] {
            let found = with_position(fen, |worker, position| {
                let (alpha, beta) = (Score::DRAW, Score::cp(1));
                let mut node = worker.new_node::<NonPv>(position, 3, 2, alpha, beta, false);
                let score = worker.probe_tablebase::<NonPv>(&mut node)?;
                let entry = worker.probe_tt(position, 3).0.expect("an entry");
                assert_eq!(entry.score(3, 0), score);
                Some((score, entry.bound))
            });
            assert_eq!(found, expected, "{fen}");
        }
    }

    #[test]
    #[ignore = "needs QUEVEDO_TEST_DATA"]
    fn results_bound_the_score_of_the_principal_variation_with_test_data() {
        for (fen, is_won) in [
            ("8/8/8/3k4/8/8/8/K6R w - - 0 1", true),
            ("8/8/8/3k4/8/8/8/K6R b - - 0 1", false),
        ] {
            let score = with_position(fen, |worker, position| {
                let (alpha, beta) = (-Score::INFINITE, Score::INFINITE);
                worker.search::<Pv>(position, 1, 2, alpha, beta, false)
            });
            let score = score.unwrap();
            assert_eq!(
                (score.is_win(), score.is_loss()),
                (is_won, !is_won),
                "{fen}"
            );
        }
    }
}
