//! The root moves and the results known for each.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use super::SearchRequest;
use super::worker::Worker;
use crate::position::{Move, Position};
use crate::score::{Bound, MAX_PLY, Score};

/// A line of moves, at most as long as a search is deep.
pub type Variation = ArrayVec<Move, { MAX_PLY + 1 }>;

/// A move at the root.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub m: Move,
    /// Its score in the current iteration; minus infinity unless it was the best when it was
    /// searched.
    pub score: Score,
    /// Its score in the last iteration, with the same convention.
    pub previous_score: Score,
    /// How `score` relates to the true value.
    pub bound: Bound,
    /// The longest line searched in plies, up to this move of the iteration.
    pub seldepth: u32,
    /// Nodes searched below it in the whole search.
    pub nodes: u64,
    /// The principal variation that begins with it.
    pub pv: Vec<Move>,
    /// The tablebases' rank. The search chooses among moves of one rank, the highest rank first.
    pub tb_rank: i32,
    /// The tablebases' score, when they contain the root.
    pub tb_score: Option<Score>,
}

impl RootMove {
    /// Creates a root move without results.
    pub fn new(m: Move) -> RootMove {
        RootMove {
            m,
            score: -Score::INFINITE,
            previous_score: -Score::INFINITE,
            bound: Bound::Exact,
            seldepth: 0,
            nodes: 0,
            pv: vec![m],
            tb_rank: 0,
            tb_score: None,
        }
    }

    /// Marks a loss from an interrupted iteration as a bound: another move might have held out
    /// longer. A move without a score in this iteration keeps the last one's.
    pub fn doubt_loss(&mut self) {
        if self.is_scored() && self.score.is_loss() && self.bound == Bound::Exact {
            self.bound = Bound::Lower;
        }
    }

    /// Returns whether the current iteration has a score for the move.
    pub fn is_scored(&self) -> bool {
        self.score != -Score::INFINITE
    }

    /// Returns the newest score that the search has found.
    pub fn latest_score(&self) -> Score {
        if self.is_scored() {
            self.score
        } else {
            self.previous_score
        }
    }

    /// Returns the tablebases' score, unless the search has proved a mate.
    fn tb_root_score(&self) -> Option<Score> {
        self.tb_score.filter(|_| !self.latest_score().is_mate())
    }

    /// Returns the score to show: the tablebases' score if there is one and the search has not
    /// proved a mate, else the search's own.
    pub fn shown_score(&self) -> Score {
        self.tb_root_score().unwrap_or_else(|| self.latest_score())
    }

    /// Returns how the shown score relates to the true value. Tablebase scores are exact.
    pub fn shown_bound(&self) -> Bound {
        match self.tb_root_score() {
            Some(_) => Bound::Exact,
            None => self.bound,
        }
    }
}

/// Sorts by this iteration's score, then by the last one's. Equal moves keep their order.
pub fn sort(moves: &mut [RootMove]) {
    moves.sort_by_key(|root_move| Reverse((root_move.score, root_move.previous_score)));
}

/// The root moves to choose among.
pub struct Candidates {
    /// The moves, in the tablebases' order.
    pub moves: Vec<RootMove>,
    /// Number of probes by which the tablebases have ranked them; `None` if they have not.
    pub ranking_probes: Option<u64>,
    /// Set when the search probes the tablebases. It need not when they have ranked the moves,
    /// unless they know of a win without its distance: only the search can tell then which moves
    /// make progress.
    pub probe_tree: bool,
}

/// Returns the root moves to choose among.
pub fn collect(request: &SearchRequest<'_>) -> Candidates {
    let wanted = &request.limits.searchmoves;
    let mut moves: Vec<RootMove> = request
        .root
        .legal_moves()
        .into_iter()
        .filter(|m| wanted.is_empty() || wanted.contains(m))
        .map(RootMove::new)
        .collect();
    let options = request.options;
    let in_reach = request.root.piece_count() <= options.syzygy_probe_limit;
    let ranking = request
        .tablebases
        .filter(|_| in_reach)
        .and_then(|tablebases| {
            let repeated = request.keys.has_repeated(request.root);
            let fifty_move_rule = options.syzygy_50_move_rule;
            let mut keys = request.keys.clone();
            keys.push(request.root);
            let is_drawn = |child: &Position| {
                keys.occurrences(child) >= 2 || fifty_move_rule && child.is_drawn_by_fifty_moves()
            };
            tablebases.rank_root_moves(request.root, repeated, fifty_move_rule, &is_drawn)
        });
    let Some(ranking) = ranking else {
        return Candidates {
            moves,
            ranking_probes: None,
            probe_tree: true,
        };
    };
    for root_move in &mut moves {
        if let Some(ranked) = ranking.iter().find(|ranked| ranked.m == root_move.m) {
            root_move.tb_rank = ranked.rank;
            root_move.tb_score = Some(ranked.score);
        }
    }
    // Within a rank the tablebases' order holds: faster wins first.
    let place = |m: Move| ranking.iter().position(|ranked| ranked.m == m);
    moves.sort_by_key(|root_move| (Reverse(root_move.tb_rank), place(root_move.m)));
    Candidates {
        moves,
        // One for each legal move, wanted or not.
        ranking_probes: Some(ranking.len() as u64),
        probe_tree: ranking
            .first()
            .is_some_and(|best| best.score.is_win() && best.dtz.is_none()),
    }
}

impl Worker<'_> {
    /// Returns whether the current line may choose a root move: no earlier line has taken it, and
    /// it has the tablebase rank being searched.
    pub(super) fn is_searched_root_move(&self, m: Move) -> bool {
        let (first, last) = self.root_range;
        self.root_moves[first..last]
            .iter()
            .any(|root_move| root_move.m == m)
    }

    /// Reports the root move about to be searched.
    pub(super) fn report_current_move(&self, m: Move, number: usize) {
        let number = number + self.root_range.0;
        let depth = self.root_depth as u32;
        let request = &self.shared.request;
        request.report.current_move(request.root, depth, m, number);
    }

    /// Takes back the fail low of the first root move when the pass was interrupted before another
    /// move was better: it says nothing of the moves that were not searched.
    pub(super) fn take_back_fail_low(&mut self, first: usize) {
        let Some(before) = self.before_fail_low.take() else {
            return;
        };
        let root_move = &mut self.root_moves[first];
        if root_move.m == before.m {
            let nodes = root_move.nodes;
            *root_move = RootMove { nodes, ..before };
        }
    }

    /// Records the result of a root move.
    pub(super) fn update_root_move(
        &mut self,
        m: Move,
        score: Score,
        nodes_before: u64,
        number: usize,
        alpha: Score,
        beta: Score,
    ) {
        let nodes = self.nodes() - nodes_before;
        let seldepth = self.seldepth as u32;
        let (first, last) = self.root_range;
        let Some(index) = self.root_moves[first..last]
            .iter()
            .position(|root_move| root_move.m == m)
        else {
            return;
        };
        if number == 1 && score <= alpha {
            self.before_fail_low = Some(self.root_moves[first + index].clone());
        }
        let (root_moves, rest) = self.root_moves_and_pv(1);
        let root_move = &mut root_moves[first + index];
        root_move.nodes += nodes;
        if number == 1 || score > alpha {
            root_move.score = score;
            root_move.seldepth = seldepth;
            root_move.bound = if score >= beta {
                Bound::Lower
            } else if score <= alpha {
                Bound::Upper
            } else {
                Bound::Exact
            };
            root_move.pv.clear();
            root_move.pv.push(m);
            root_move.pv.extend_from_slice(rest);
        } else {
            // The move is no better than the best: only a bound is known.
            root_move.score = -Score::INFINITE;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_loss_of_this_iteration_is_doubted() {
        let position = crate::position::Position::initial();
        let doubted = |score, previous_score| {
            let mut root_move = RootMove {
                score,
                previous_score,
                ..RootMove::new(position.legal_moves()[0])
            };
            root_move.doubt_loss();
            (root_move.shown_score(), root_move.shown_bound())
        };
        let (guess, loss) = (Score::cp(90), Score::mated_in(6));
        assert_eq!(doubted(loss, guess), (loss, Bound::Lower));
        assert_eq!(doubted(guess, loss), (guess, Bound::Exact));
        assert_eq!(doubted(-Score::INFINITE, guess), (guess, Bound::Exact));
        assert_eq!(doubted(-Score::INFINITE, loss), (loss, Bound::Exact));
    }

    #[test]
    fn tablebase_scores_are_shown_as_exact_and_search_scores_with_their_bound() {
        let position = crate::position::Position::initial();
        let searched = |score, tb_score| RootMove {
            score,
            bound: Bound::Upper,
            tb_score,
            ..RootMove::new(position.legal_moves()[0])
        };
        let shown = |root_move: RootMove| (root_move.shown_score(), root_move.shown_bound());
        let (guess, known) = (Score::cp(90), Score::tablebase_win(0));
        let mate = Score::mate_in(5);
        assert_eq!(shown(searched(guess, None)), (guess, Bound::Upper));
        assert_eq!(shown(searched(guess, Some(known))), (known, Bound::Exact));
        assert_eq!(shown(searched(mate, Some(known))), (mate, Bound::Upper));
    }
}
