//! The static evaluation of a node, and what follows from it.

use super::super::params;
use super::super::worker::Worker;
use super::Node;
use crate::eval::{self, classical};
use crate::position::Position;
use crate::score::{Bound, Score};
use crate::tt::TtEntry;

/// The evaluation of a position that is not in check.
pub(in super::super) struct StaticEval {
    /// The evaluation as the transposition table stores it.
    pub raw: i32,
    /// The evaluation with corrections.
    pub corrected: i32,
    /// The correction from histories.
    pub correction: i32,
    /// The TT score where its bound allows it, else the corrected evaluation.
    pub refined: Score,
}

impl Worker<'_> {
    /// Evaluates the current position of the line without any search: as a known ending, with the
    /// network, or with the hand-written evaluation.
    #[inline]
    pub(in super::super) fn raw_eval(&mut self, position: &Position) -> i32 {
        let nodes = self.nodes();
        let (Some(network), Some(accumulators)) =
            (self.shared.request.network, &mut self.thread.accumulators)
        else {
            return classical::evaluate_cached(position, &mut self.thread.pawn_cache);
        };
        eval::known_ending(position).unwrap_or_else(|| {
            let value = accumulators.evaluate(network, position);
            debug_assert!(
                !nodes.is_multiple_of(64) || value == network.evaluate(position),
                "the accumulators do not belong to {:?}",
                position.chess()
            );
            value
        })
    }

    /// Returns the evaluation as the search uses it, and the correction it contains. It is damped
    /// as the fifty-move rule comes near, grows with the pieces on the board, favours the side that
    /// stands better at the root, and is corrected by what searches of similar positions found.
    #[inline(never)]
    fn corrected_eval(&self, position: &Position, ply: usize, raw: i32) -> (i32, i32) {
        let scale = params::fifty_move_scale();
        let damped = raw * (scale - position.halfmoves() as i32) / scale;
        let pieces = position.piece_count() as i32;
        let scaled = damped * (4096 + params::material_scale() * (pieces - 16)) / 4096;
        let optimism = if position.turn() == self.shared.request.root.turn() {
            self.optimism
        } else {
            -self.optimism
        };
        let correction = self
            .thread
            .histories
            .correction(position, &self.continuation(ply));
        (Score::cp(scaled + optimism + correction).raw(), correction)
    }

    /// Evaluates a position that is not in check, reusing its transposition table entry.
    #[inline(always)]
    pub(in super::super) fn static_eval(
        &mut self,
        position: &Position,
        ply: usize,
        tt_entry: Option<TtEntry>,
        tt_score: Option<Score>,
    ) -> StaticEval {
        let raw = match tt_entry.and_then(|entry| entry.raw_eval()) {
            Some(raw) => raw,
            None => self.raw_eval(position),
        };
        let (corrected, correction) = self.corrected_eval(position, ply, raw);
        let mut refined = Score::cp(corrected);
        if let (Some(entry), Some(score)) = (tt_entry, tt_score)
            && !score.is_decisive()
            && bound_refines(entry.bound, score, refined)
        {
            refined = score;
        }
        StaticEval {
            raw,
            corrected,
            correction,
            refined,
        }
    }

    /// Fills in the evaluation of a node, and what follows from comparing it with earlier plies.
    pub(super) fn evaluate_node(&mut self, node: &mut Node<'_>) {
        let ply = node.ply;
        if self.stack(ply).excluded.is_none() {
            self.stack_mut(ply + 2).cutoffs = 0;
        }
        // Null moves and ProbCut's captures are not extended.
        self.stack_mut(ply).double_extensions = self.stack_before(ply, 1).double_extensions;
        if node.position.in_check() {
            self.stack_mut(ply).static_eval = None;
            return;
        }
        let entry = self.stack(ply);
        if let Some(known) = entry.static_eval.filter(|_| entry.excluded.is_some()) {
            // The search around a singular search has evaluated the position already.
            node.static_eval = known;
            node.correction = entry.correction;
            node.eval = Score::cp(known);
        } else {
            let eval = self.static_eval(node.position, ply, node.tt_entry, node.tt_score);
            node.raw_eval = Some(eval.raw);
            node.static_eval = eval.corrected;
            node.correction = eval.correction;
            node.eval = eval.refined;
            let entry = self.stack_mut(ply);
            entry.static_eval = Some(eval.corrected);
            entry.correction = eval.correction;
        }
        let two_plies_ago = self
            .stack_before(ply, 2)
            .static_eval
            .or(self.stack_before(ply, 4).static_eval);
        node.improving = two_plies_ago.is_some_and(|before| node.static_eval > before);
        let parent = self.stack_before(ply, 1).static_eval;
        node.opponent_worsening = parent.is_some_and(|parent| node.static_eval > -parent);
    }

    /// Evaluates a leaf of a plain minimax search: mate, stalemate, or the hand-written evaluation.
    pub(super) fn leaf_score(position: &Position, ply: usize) -> Score {
        match (position.has_legal_move(), position.in_check()) {
            (true, _) => Score::cp(classical::evaluate(position)),
            (false, true) => Score::mated_in(ply),
            (false, false) => Score::DRAW,
        }
    }
}

/// Returns whether a bound is a better estimate than an evaluation: the score lies on the side
/// that the bound leaves open.
#[inline]
fn bound_refines(bound: Bound, score: Score, eval: Score) -> bool {
    match bound {
        Bound::Exact => true,
        Bound::Lower => score > eval,
        Bound::Upper => score < eval,
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::control::Control;
    use super::super::super::limits::Limits;
    use super::super::super::tests::with_worker;
    use super::super::NonPv;
    use crate::position::Position;
    use crate::position::notation::parse_fen;
    use crate::score::Score;

    #[test]
    fn optimism_favours_the_side_to_move_at_the_root() {
        let root = Position::initial();
        let child = root.play(root.legal_moves()[0]);
        with_worker(&root, &Limits::default(), &Control::default(), |worker| {
            let neutral = [&root, &child].map(|position| worker.corrected_eval(position, 1, 50).0);
            worker.optimism = 7;
            let values = [&root, &child].map(|position| worker.corrected_eval(position, 1, 50).0);
            assert_eq!(values, [neutral[0] + 7, neutral[1] - 7]);
        });
    }

    #[test]
    fn evaluations_grow_with_the_pieces_on_the_board() {
        let root = Position::initial();
        let ending = parse_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false)
            .unwrap()
            .position;
        with_worker(&root, &Limits::default(), &Control::default(), |worker| {
            let [full, bare] =
                [&root, &ending].map(|position| worker.corrected_eval(position, 1, 400).0);
            assert!(full > 400 && bare < 400, "{full} {bare}");
        });
    }

    #[test]
    fn a_singular_search_sees_the_correction_of_its_node() {
        let root = Position::initial();
        with_worker(&root, &Limits::default(), &Control::default(), |worker| {
            let continuation = worker.continuation(1);
            for _ in 0..20 {
                let histories = &mut worker.thread.histories;
                histories.add_correction(&root, &continuation, 8, 200);
            }
            let (alpha, beta) = (Score::DRAW, Score::cp(1));
            let mut node = worker.new_node::<NonPv>(&root, 1, 8, alpha, beta, true);
            worker.evaluate_node(&mut node);
            assert!(node.correction > 0);
            worker.stack_mut(1).excluded = Some(worker.root_moves[0].m);
            let mut again = worker.new_node::<NonPv>(&root, 1, 4, alpha, beta, true);
            worker.evaluate_node(&mut again);
            assert_eq!(again.correction, node.correction);
            assert_eq!(again.static_eval, node.static_eval);
        });
    }
}
