//! Which positions a static evaluation can be held to.

use super::format::ScoredMove;
use crate::position::Position;

/// Fewer men than these are known endings.
const MIN_MEN: usize = 4;

/// Whether nothing hangs and nothing is decided: no check, no capture or promotion played, no mate or tablebase score,
/// not the first move of a game (whose search had another budget, and whose score has been chosen), four men or more.
pub fn is_usable(index: usize, position: &Position, scored: ScoredMove) -> bool {
    index > 0
        && !scored.is_decisive()
        && !position.in_check()
        && !position.is_noisy(scored.m)
        && position.occupied().count() >= MIN_MEN
}
