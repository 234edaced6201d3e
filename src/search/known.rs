//! What is known about a node before its moves are searched: the rules, the hash table, the tablebases, the evaluation.

use super::history;
use super::node::{Node, NodeType};
use super::params;
use super::worker::Worker;
use crate::eval::classical;
use crate::position::Position;
use crate::score::{Bound, MAX_PLY, Score};
use crate::tablebase::Wdl;
use crate::tt::TtEntry;

impl Worker<'_> {
    /// Scores that follow from the rules and from the distance to the root; tightens the window where they bound it.
    pub(super) fn known_score(
        &mut self,
        position: &Position,
        ply: usize,
        alpha: &mut Score,
        beta: &mut Score,
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
        // Mate-distance pruning: no line from here is better than mate at once or worse than being mated now.
        *alpha = (*alpha).max(Score::mated_in(ply));
        *beta = (*beta).min(Score::mate_in(ply + 1));
        if alpha >= beta {
            return Some(*alpha);
        }
        // The side to move can repeat a position if it wants to, so it has a draw at least.
        if *alpha < Score::DRAW && self.keys.has_upcoming_repetition(position) {
            *alpha = self.draw_score();
            if alpha >= beta {
                return Some(*alpha);
            }
        }
        None
    }

    pub(super) fn look_up<'p, K: NodeType>(
        &mut self,
        position: &'p Position,
        ply: usize,
        depth: i32,
        alpha: Score,
        beta: Score,
        cut_node: bool,
    ) -> Node<'p> {
        let table = self.shared.tt.probe(position.key());
        let table_move = if K::ROOT {
            // The best move of the last iteration; the table's may be left out by MultiPV or searchmoves.
            self.root_moves
                .get(self.root_range.0)
                .map(|root_move| root_move.m)
        } else {
            table
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
            table,
            table_move,
            table_score: table.map(|entry| entry.score(ply, position.halfmoves())),
            was_pv: K::PV || table.is_some_and(|entry| entry.is_pv),
            raw_eval: None,
            static_eval: 0,
            correction: 0,
            eval: Score::DRAW,
            improving: false,
            opponent_worsening: false,
            floor: -Score::INFINITE,
            ceiling: Score::INFINITE,
        }
    }

    /// The table's score, if it was searched deep enough and its bound decides the window.
    ///
    /// Near the fifty-move rule a position is searched again: the table does not know how near it was. So is one near the
    /// horizon whose score is not what the node is expected to have, which costs little there.
    pub(super) fn table_cutoff<K: NodeType>(&mut self, node: &Node<'_>) -> Option<Score> {
        let (entry, score) = (node.table?, node.table_score?);
        if entry.depth < node.depth
            || (!K::EXACT && node.depth < 6 && node.cut_node != (score >= node.beta))
            || (K::EXACT && entry.depth > node.depth)
            || node.position.halfmoves() >= 90
            || !decides(entry.bound, score, node.beta)
        {
            return None;
        }
        if score >= node.beta
            && let Some(m) = node.table_move
            && !node.position.is_noisy(m)
        {
            let continuation = self.continuation(node.ply);
            self.data.histories.update_quiet(
                node.position,
                &continuation,
                m,
                history::bonus(node.depth),
            );
        }
        Some(score)
    }

    /// Looks the position up in the tablebases. A decisive result bounds a node on the principal variation and cuts any
    /// other.
    pub(super) fn tablebase_score<K: NodeType>(&mut self, node: &mut Node<'_>) -> Option<Score> {
        let tablebases = self
            .shared
            .tablebases
            .filter(|_| !self.shared.root_in_tablebases)?;
        let options = self.shared.options;
        let position = node.position;
        let men = position.occupied().count() as u32;
        let limit = options.syzygy_probe_limit.min(tablebases.max_men() as u32);
        if men > limit
            || (men == limit && node.depth < options.syzygy_probe_depth as i32)
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
            || decides(bound, score, node.beta) && (bound == Bound::Lower || score <= node.alpha)
        {
            let entry = TtEntry::new(
                None,
                score,
                node.ply,
                None,
                node.depth + 6,
                bound,
                node.was_pv,
            );
            self.shared.tt.store(position.key(), entry);
            return Some(score);
        }
        if K::PV {
            if bound == Bound::Lower {
                node.floor = score;
                node.alpha = node.alpha.max(score);
            } else {
                node.ceiling = score;
            }
        }
        None
    }

    /// The value of a leaf of a plain minimax search: mate, stalemate, or the hand-written evaluation as it stands.
    pub(super) fn leaf_score(position: &Position, ply: usize) -> Score {
        match (position.has_legal_move(), position.in_check()) {
            (true, _) => Score::cp(classical::evaluate(position)),
            (false, true) => Score::mated_in(ply),
            (false, false) => Score::DRAW,
        }
    }

    /// Fills in the evaluation, and what follows from it.
    pub(super) fn evaluate_node(&mut self, node: &mut Node<'_>) {
        let ply = node.ply;
        self.entry_mut(ply + 1).cutoffs = 0;
        if node.position.in_check() {
            self.entry_mut(ply).static_eval = None;
            return;
        }
        if let Some(known) = self
            .entry(ply)
            .static_eval
            .filter(|_| self.entry(ply).excluded.is_some())
        {
            // The search around a singular move has evaluated the position already.
            node.static_eval = known;
            node.eval = Score::cp(known);
        } else {
            let raw = match node.table.and_then(|entry| entry.raw_eval()) {
                Some(raw) => raw,
                None => self.raw_eval(node.position),
            };
            node.raw_eval = Some(raw);
            (node.static_eval, node.correction) = self.corrected_eval(node.position, ply, raw);
            node.eval = Score::cp(node.static_eval);
            self.entry_mut(ply).static_eval = Some(node.static_eval);
            if let (Some(entry), Some(score)) = (node.table, node.table_score)
                && !score.is_decisive()
                && bound_agrees(entry.bound, score, node.eval)
            {
                node.eval = score;
            }
        }
        let before = self
            .entry_before(ply, 2)
            .static_eval
            .or(self.entry_before(ply, 4).static_eval);
        node.improving = before.is_some_and(|before| node.static_eval > before);
        let last = self.entry_before(ply, 1).static_eval;
        node.opponent_worsening = last.is_some_and(|last| node.static_eval > -last);
    }

    /// What the evaluation after the opponent's move says about the depth that the move was given: looked at again before
    /// any of it is spent.
    pub(super) fn reconsider_depth(&self, node: &mut Node<'_>) {
        let last = self.entry_before(node.ply, 1);
        let Some(before) = last.static_eval else {
            return;
        };
        if last.reduction >= 3 && !node.opponent_worsening {
            node.depth += 1;
        } else if last.reduction >= 2
            && node.depth >= 2
            && before + node.static_eval > params::hindsight_margin()
        {
            node.depth -= 1;
        }
    }
}

/// Whether a bound settles a null window that ends at beta.
#[inline]
fn decides(bound: Bound, score: Score, beta: Score) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => score >= beta,
        Bound::Upper => score < beta,
    }
}

/// Whether a bound says more than an evaluation: it lies on the side that the bound leaves open.
#[inline]
pub(super) fn bound_agrees(bound: Bound, score: Score, eval: Score) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => score > eval,
        Bound::Upper => score < eval,
    }
}
