//! A game for three: the players take one, two or three from a heap in turn. The player who takes
//! the last one wins.
//!
//! A player who cannot win often decides which of the others does. The player's own moves are then
//! equally good, so the rule that breaks ties matters.

use crate::lab::algorithms::max_n::ManyPlayers;
use crate::lab::game::Value;

const PLAYERS: usize = 3;
const MOST: u32 = 3;

/// The game.
#[derive(Clone, Copy, Debug)]
pub struct ThreePlayers {
    /// The size of the heap at the start.
    pub heap: u32,
}

/// The heap and the player to move.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Turn {
    /// The size of the heap.
    pub left: u32,
    /// The player, from 0.
    pub player: usize,
}

impl ManyPlayers for ThreePlayers {
    type State = Turn;
    type Move = u32;

    fn start(&self) -> Turn {
        Turn {
            left: self.heap,
            player: 0,
        }
    }

    fn players(&self) -> usize {
        PLAYERS
    }

    fn player(&self, turn: &Turn) -> usize {
        turn.player
    }

    fn moves(&self, turn: &Turn) -> Vec<u32> {
        (1..=turn.left.min(MOST)).collect()
    }

    fn apply(&self, turn: &Turn, taken: &u32) -> Turn {
        Turn {
            left: turn.left.saturating_sub(*taken),
            player: (turn.player + 1) % PLAYERS,
        }
    }

    fn payoff(&self, turn: &Turn) -> Option<Vec<Value>> {
        if turn.left > 0 {
            return None;
        }
        let winner = (turn.player + PLAYERS - 1) % PLAYERS;
        let prize = |player| Value::from(player == winner);
        Some((0..PLAYERS).map(prize).collect())
    }

    /// Returns zeros: nothing is known before the end.
    fn evaluate(&self, _turn: &Turn) -> Vec<Value> {
        vec![0; PLAYERS]
    }
}
