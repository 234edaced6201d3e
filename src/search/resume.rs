//! Searches that go on where an earlier one stopped, from a table that was saved.

use super::node::TT_CUTOFF_MAX_HALFMOVES;
use super::worker::Worker;
use crate::position::{Move, Position};
use crate::score::{Bound, Score};
use crate::tt::TranspositionTable;

impl Worker<'_> {
    /// Takes the best move and score of an earlier search of the root from the table, if the
    /// options ask for it, reports them, and returns the depth of that search, at most
    /// `last_depth`. Returns 0 if there is none.
    ///
    /// Mates are searched again, because their lines have to be complete.
    pub(super) fn resume(&mut self, last_depth: i32) -> i32 {
        let request = &self.shared.request;
        let (root, limits) = (request.root, request.limits);
        let is_plain = request.options.multipv == 1
            && limits.searchmoves.is_empty()
            && limits.mate.is_none()
            && !self.shared.root_in_tablebases
            && root.halfmoves() < TT_CUTOFF_MAX_HALFMOVES;
        if !request.options.resume || !is_plain {
            return 0;
        }
        let Some(entry) = request.tt.probe(root.key()) else {
            return 0;
        };
        let score = entry.score(0, root.halfmoves());
        let place = self
            .root_moves
            .iter()
            .position(|root_move| Some(root_move.m) == entry.best_move);
        let depth = entry.depth.min(last_depth);
        let Some(place) = place.filter(|_| entry.bound == Bound::Exact && !score.is_decisive())
        else {
            return 0;
        };
        let pv = exact_line(root, request.tt, depth);
        self.take_result(place, score, pv, depth);
        depth
    }

    /// Makes a root move the best one, as after an iteration of this depth.
    fn take_result(&mut self, place: usize, score: Score, pv: Vec<Move>, depth: i32) {
        self.root_moves[..=place].rotate_right(1);
        let best = &mut self.root_moves[0];
        best.score = score;
        best.seldepth = pv.len() as u32;
        best.pv = pv;
        self.root_depth = depth;
        self.completed_depth = depth;
        if self.id == 0 {
            self.report_lines(0..1);
        }
    }
}

/// Returns the line of best moves from the root, as far as their scores are exact and no position
/// repeats.
fn exact_line(root: &Position, tt: &TranspositionTable, depth: i32) -> Vec<Move> {
    let mut line = Vec::new();
    let mut seen = vec![root.key()];
    let mut position = root.clone();
    while (line.len() as i32) < depth {
        let entry = tt.probe(position.key());
        let best_move = entry
            .filter(|entry| entry.bound == Bound::Exact)
            .and_then(|entry| entry.best_move)
            .filter(|&m| position.is_legal(m));
        let Some(m) = best_move else {
            break;
        };
        position = position.play(m);
        if seen.contains(&position.key()) {
            break;
        }
        line.push(m);
        seen.push(position.key());
    }
    line
}
