//! Searches that go on where an earlier one stopped, from a table that was saved.

use std::sync::atomic::Ordering;

use super::worker::Worker;
use crate::position::Move;
use crate::score::{Bound, Score};

impl Worker<'_> {
    /// Takes the best move and score of an earlier search of the root from the table, if the
    /// options ask for it, and reports them as an iteration completed at the depth of that search,
    /// at most `last_depth`.
    ///
    /// Mates are searched again, because their lines have to be complete, and so is the root of a
    /// game that has repeated positions or would with the move, because the TT scores do not
    /// know of repetitions.
    pub(super) fn resume(&mut self, last_depth: i32) {
        let request = &self.shared.request;
        let (root, limits) = (request.root, request.limits);
        let may_resume = request.options.resume
            && request.options.multipv == 1
            && limits.searchmoves.is_empty()
            && limits.mate.is_none()
            && self.shared.ranking_probes.is_none()
            && !self.keys.has_repeated(root);
        if !may_resume {
            return;
        }
        let Some(entry) = request.tt.probe(root.search_key()) else {
            return;
        };
        let score = entry.score(0, root.halfmoves());
        let place = self
            .root_moves
            .iter()
            .position(|root_move| Some(root_move.m) == entry.best_move);
        let depth = entry.depth.min(last_depth);
        let Some(place) = place.filter(|_| entry.bound == Bound::Exact && !score.is_decisive())
        else {
            return;
        };
        let pv = self.exact_line(self.root_moves[place].m, depth);
        if !pv.is_empty() {
            self.take_result(place, score, pv, depth);
        }
    }

    /// Makes a root move the best one, as after an iteration of this depth.
    fn take_result(&mut self, place: usize, score: Score, pv: Vec<Move>, depth: i32) {
        self.root_moves[..=place].rotate_right(1);
        let best = &mut self.root_moves[0];
        best.score = score;
        best.seldepth = pv.len() as u32;
        best.pv = pv;
        self.root_depth = depth;
        self.complete_iteration();
        if self.id == 0 {
            self.shared.resumed.store(true, Ordering::Relaxed);
            self.report_lines(0..1);
        }
    }

    /// Returns the line of best moves that begins with a root move, as far as their scores are
    /// exact. It ends before a position that has occurred before or is a draw by rule.
    pub(super) fn exact_line(&mut self, first: Move, depth: i32) -> Vec<Move> {
        let request = &self.shared.request;
        let mut line = Vec::new();
        let mut position = request.root.clone();
        let mut next = Some(first);
        while let Some(m) = next.filter(|_| (line.len() as i32) < depth) {
            let child = position.play(m);
            self.keys.push(&position);
            if self.keys.occurrences(&child) > 0 || self.is_draw(&child) {
                self.keys.pop();
                break;
            }
            line.push(m);
            let entry = request.tt.probe(child.search_key());
            next = entry
                .filter(|entry| entry.bound == Bound::Exact)
                .and_then(|entry| entry.best_move)
                .filter(|&m| child.is_legal(m));
            position = child;
        }
        for _ in &line {
            self.keys.pop();
        }
        line
    }
}
