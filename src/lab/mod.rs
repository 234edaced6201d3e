//! The classical algorithms of adversarial search, side by side, on real games.
//!
//! Each algorithm is a small generic function over a [`Game`] and does its work through a [`search::Search`],
//! which counts. They use the engine's [`position`](crate::position) and [`eval`](crate::eval) for chess, and nothing of its search.
//!
//! - [`game`]: what the algorithms know of a game; [`games`]: the games;
//! - [`search`], [`meter`], [`counters`], [`table`]: what the algorithms search with;
//! - [`algorithms`]: the algorithms; [`catalogue`]: their names, in Spanish too, and what they promise; [`run`]: any of them by
//!   name;
//! - [`trace`], [`drawing`]: pictures of trees and of their growth; [`growth`]: leaves against depth.
//!
//! What the lecture notes behind this have wrong, and what is not built and why, is in `README.md` beside this file.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

pub mod algorithms;
pub mod catalogue;
pub mod counters;
pub mod drawing;
pub mod game;
pub mod games;
pub mod growth;
pub mod meter;
pub mod run;
pub mod search;
pub mod table;
pub mod trace;

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use game::Game;

/// The positions that can come about, at most so many, in the order of a breadth-first search from the start.
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
