//! The root moves with what is known about each.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use crate::position::Move;
use crate::score::{Bound, MAX_PLY, Score};

/// A line of moves, at most as long as a search is deep.
pub type Variation = ArrayVec<Move, { MAX_PLY + 1 }>;

/// A move at the root.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub m: Move,
    /// Its score in the current iteration; minus infinity unless it was the best when it was searched.
    pub score: Score,
    /// Its score in the last iteration, likewise.
    pub previous_score: Score,
    /// How `score` relates to the true value.
    pub bound: Bound,
    /// The longest line looked at below it.
    pub seldepth: u32,
    /// Nodes searched below it in the whole search.
    pub nodes: u64,
    /// The principal variation that begins with it.
    pub pv: Variation,
    /// The tablebases' ranking: the search chooses among moves of one rank, best ranks first.
    pub rank: i32,
    /// The score that the tablebases give it, when they know the root.
    pub tablebase_score: Option<Score>,
}

impl RootMove {
    /// A move that nothing is known about.
    pub fn new(m: Move) -> RootMove {
        RootMove {
            m,
            score: -Score::INFINITE,
            previous_score: -Score::INFINITE,
            bound: Bound::Exact,
            seldepth: 0,
            nodes: 0,
            pv: std::iter::once(m).collect(),
            rank: 0,
            tablebase_score: None,
        }
    }

    /// A loss found by an iteration that was broken off proves nothing: another move might have held out longer.
    pub fn doubt_loss(&mut self) {
        if self.score.is_loss() && self.bound == Bound::Exact {
            self.bound = Bound::Lower;
        }
    }

    /// The newest score that the search has found.
    pub fn latest_score(&self) -> Score {
        if self.score == -Score::INFINITE {
            self.previous_score
        } else {
            self.score
        }
    }

    /// The tablebases' score where it says more than the search's own, which it does unless that is a proved mate.
    fn known_score(&self) -> Option<Score> {
        self.tablebase_score
            .filter(|_| !self.latest_score().is_mate())
    }

    /// The score to show: the search's own when it has proved a mate or there are no tablebases, else theirs.
    pub fn shown_score(&self) -> Score {
        self.known_score().unwrap_or_else(|| self.latest_score())
    }

    /// How the score to show relates to the true value: what the tablebases say is no bound.
    pub fn shown_bound(&self) -> Bound {
        match self.known_score() {
            Some(_) => Bound::Exact,
            None => self.bound,
        }
    }
}

/// Sorts by this iteration's score, then by the last one's. Equal moves keep their order.
pub fn sort(moves: &mut [RootMove]) {
    moves.sort_by_key(|root_move| Reverse((root_move.score, root_move.previous_score)));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tablebase_scores_are_shown_as_exact_and_the_searchs_own_as_what_they_are() {
        let position = crate::position::Position::initial();
        let searched = |score, tablebase_score| RootMove {
            score,
            bound: Bound::Upper,
            tablebase_score,
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
