//! Tic-tac-toe in which Max does not see Min's marks, as in Kriegspiel.
//!
//! Max names a square. If Min's mark is there, Max is told so and names another one. Otherwise
//! Max's mark is placed, and Min, who sees everything, answers in secret. Max is told when the game
//! ends.

use std::collections::BTreeSet;

use super::tic_tac_toe::{Board, TicTacToe};
use crate::lab::algorithms::belief::HiddenGame;
use crate::lab::game::{Game, Mover, Value};

/// The game.
#[derive(Clone, Copy, Debug, Default)]
pub struct HiddenTicTacToe;

/// The reply that Max hears after naming a square.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reply {
    /// Max's mark has been placed, and Min has moved.
    Placed,
    /// Min's mark is there; Max names another square.
    Taken,
}

impl HiddenGame for HiddenTicTacToe {
    type State = (Board, u16);
    type Move = u8;
    type Observation = Reply;

    /// Returns the squares that have no mark of Max's and are not known to have one of Min's.
    fn moves(&self, belief: &BTreeSet<(Board, u16)>) -> Vec<u8> {
        let Some((board, refused)) = belief.first() else {
            return Vec::new();
        };
        (0..9)
            .filter(|square| (board.crosses() | refused) >> square & 1 == 0)
            .collect()
    }

    /// Returns the reply to a mark and the possible next states. A state is a board and the squares
    /// that Max knows to be taken.
    fn outcomes(&self, state: &(Board, u16), square: u8) -> (Reply, Vec<(Board, u16)>) {
        let (board, refused) = *state;
        let game = TicTacToe::default();
        if board.noughts() >> square & 1 == 1 {
            return (Reply::Taken, vec![(board, refused | 1 << square)]);
        }
        let placed = game.apply(&board, &square);
        if game.utility(&placed).is_some() {
            return (Reply::Placed, vec![(placed, refused)]);
        }
        let replies = game.moves(&placed);
        let after = |reply: &u8| (game.apply(&placed, reply), refused);
        (Reply::Placed, replies.iter().map(after).collect())
    }

    fn utility(&self, state: &(Board, u16)) -> Option<Value> {
        Some(TicTacToe::default().utility(&state.0)?.signum())
    }

    fn range(&self) -> (Value, Value) {
        (-1, 1)
    }
}

/// Returns the belief state at Max's first turn, which has all positions that Max cannot tell
/// apart, and the worst result for Max of the games that are over by then, if any can be.
pub fn first_belief(board: &Board) -> (BTreeSet<(Board, u16)>, Option<Value>) {
    let game = TicTacToe::default();
    let boards = if game.utility(board).is_none() && game.player(board) == Mover::Min {
        let replies = game.moves(board);
        replies
            .iter()
            .map(|reply| game.apply(board, reply))
            .collect()
    } else {
        vec![*board]
    };
    // Marks on a given board are known.
    let known = board.noughts();
    let mut belief = BTreeSet::new();
    let mut ended = None;
    for board in boards {
        match game.utility(&board) {
            Some(value) => ended = Some(ended.unwrap_or(value).min(value)),
            None => {
                belief.insert((board, known));
            }
        }
    }
    (belief, ended.map(Value::signum))
}
