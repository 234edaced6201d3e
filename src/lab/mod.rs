//! The classical algorithms of adversarial search, side by side, on real games.
//!
//! Each algorithm is a small generic function over a [`Game`] that works through a
//! [`search::Search`], which counts. For chess they use the engine's [`position`](crate::position)
//! and [`eval`](crate::eval), and nothing of its search.
//!
//! - [`game`]: the rules of a game as the algorithms see them; [`games`]: the games;
//! - [`search`], [`meter`], [`counters`], [`table`]: the state that the algorithms share;
//! - [`algorithms`]: the algorithms; [`catalogue`]: their names and promises; [`run`]: runs one by
//!   name;
//! - [`trace`], [`outline`], [`drawing`]: logs and pictures of searches; [`growth`]: leaves against
//!   depth.
//!
//! `README.md` and, in Spanish, `LEEME.md` beside this file follow the lecture notes section by
//! section.

#![deny(clippy::indexing_slicing)]

pub mod algorithms;
pub mod catalogue;
pub mod counters;
pub mod drawing;
pub mod examples;
pub mod exercise;
pub mod game;
pub mod games;
pub mod growth;
pub mod language;
pub mod meter;
pub mod outline;
pub mod pseudocode;
pub mod run;
pub mod search;
pub mod table;
pub mod trace;

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use game::Game;

/// Returns at most `most` reachable positions, in the order of a breadth-first search from the
/// start.
pub fn reachable<G: Game>(game: &G, most: usize) -> Vec<G::State> {
    let mut seen = HashSet::from([game.start()]);
    let mut states = vec![game.start()];
    let mut next = 0;
    while let Some(state) = states.get(next).cloned() {
        next += 1;
        if game.utility(&state).is_some() {
            continue;
        }
        for m in game.moves(&state) {
            let child = game.apply(&state, &m);
            if states.len() < most && seen.insert(child.clone()) {
                states.push(child);
            }
        }
    }
    states
}
