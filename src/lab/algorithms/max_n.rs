//! max^n: minimax for any number of players. A value is a vector with the payoff of each player,
//! and each player chooses the move with the largest payoff for itself.
//!
//! Luckhardt and Irani, *An Algorithmic Solution of N-Person Games* (1986). Moves that are equally
//! good for the player who moves can differ for the others, so the rule that breaks ties can change
//! every value.

use crate::lab::counters::NodeCounts;
use crate::lab::game::{Game, Mover, Value};
use crate::lab::search::{Halt, Meter};

/// The rules of a game for any number of players, without chance.
pub trait ManyPlayers {
    /// A position.
    type State: Clone;
    /// A move.
    type Move: Clone;

    /// Returns the position to start from.
    fn start(&self) -> Self::State;
    /// Returns the number of players.
    fn players(&self) -> usize;
    /// Returns the player who moves, from 0.
    fn player(&self, state: &Self::State) -> usize;
    /// Returns the legal moves.
    fn moves(&self, state: &Self::State) -> Vec<Self::Move>;
    /// Returns the position after a legal move.
    fn apply(&self, state: &Self::State, m: &Self::Move) -> Self::State;
    /// Returns the payoff of each player if the game is over.
    fn payoff(&self, state: &Self::State) -> Option<Vec<Value>>;
    /// Estimates the payoff of each player.
    fn evaluate(&self, state: &Self::State) -> Vec<Value>;
}

/// The rule by which a player chooses among equally good moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TieRule {
    /// The first.
    First,
    /// The last.
    Last,
}

/// The result of max^n.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shares<M> {
    /// The payoff of each player.
    pub values: Vec<Value>,
    /// The moves that the players choose.
    pub line: Vec<M>,
}

/// Returns the payoff of each player if all of them search `depth` moves.
///
/// # Errors
/// Fails when the time is up.
pub fn max_n<G: ManyPlayers>(
    game: &G,
    state: &G::State,
    depth: u32,
    ties: TieRule,
    meter: &mut Meter,
) -> Result<Shares<G::Move>, Halt> {
    meter.tick()?;
    if let Some(values) = leaf(game, state, depth, &mut meter.counters) {
        let line = Vec::new();
        return Ok(Shares { values, line });
    }
    meter.counters.interior += 1;
    let player = game.player(state);
    let mut best: Option<Shares<G::Move>> = None;
    for m in game.moves(state) {
        let child = game.apply(state, &m);
        let mut shares = max_n(game, &child, depth - 1, ties, meter)?;
        let is_better = |best: &Shares<G::Move>| match ties {
            TieRule::First => shares.values.get(player) > best.values.get(player),
            TieRule::Last => shares.values.get(player) >= best.values.get(player),
        };
        if best.as_ref().is_none_or(is_better) {
            shares.line.insert(0, m);
            best = Some(shares);
        }
    }
    Ok(best.unwrap_or_else(|| Shares {
        values: vec![0; game.players()],
        line: Vec::new(),
    }))
}

/// Returns the payoffs at a leaf, and counts it; `None` for an interior node. Each leaf is met
/// once.
fn leaf<G: ManyPlayers>(
    game: &G,
    state: &G::State,
    depth: u32,
    counters: &mut NodeCounts,
) -> Option<Vec<Value>> {
    let end = game.payoff(state);
    if end.is_none() && depth > 0 {
        return None;
    }
    counters.cut_off += u64::from(end.is_none());
    counters.leaves += 1;
    counters.distinct_leaves += 1;
    Some(end.unwrap_or_else(|| game.evaluate(state)))
}

/// A game for two players as a game for any number: Min loses what Max gets.
pub struct TwoPlayers<'g, G: Game> {
    game: &'g G,
}

impl<'g, G: Game> TwoPlayers<'g, G> {
    /// Wraps a game, which must not have chance.
    pub fn new(game: &'g G) -> TwoPlayers<'g, G> {
        TwoPlayers { game }
    }
}

impl<G: Game> ManyPlayers for TwoPlayers<'_, G> {
    type State = G::State;
    type Move = G::Move;

    fn start(&self) -> G::State {
        self.game.start()
    }

    fn players(&self) -> usize {
        2
    }

    fn player(&self, state: &G::State) -> usize {
        usize::from(self.game.player(state) != Mover::Max)
    }

    fn moves(&self, state: &G::State) -> Vec<G::Move> {
        self.game.moves(state)
    }

    fn apply(&self, state: &G::State, m: &G::Move) -> G::State {
        self.game.apply(state, m)
    }

    fn payoff(&self, state: &G::State) -> Option<Vec<Value>> {
        let value = self.game.utility(state)?;
        Some(vec![value, -value])
    }

    fn evaluate(&self, state: &G::State) -> Vec<Value> {
        let value = self.game.evaluate(state);
        vec![value, -value]
    }
}
