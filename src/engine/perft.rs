//! Move-path counts, which test move generation.

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use crate::position::{Move, Position};

/// The greatest depth: more than anyone can wait for, and small enough for the stack.
pub const MAX_DEPTH: u32 = 64;

/// Subtrees of this depth take a fraction of a second and are counted without polling for a stop.
const UNINTERRUPTED: u32 = 4;

/// Counts the move paths of `depth` plies. The last ply is counted, not played.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => position.legal_moves().len() as u64,
        _ => position
            .legal_moves()
            .into_iter()
            .map(|m| perft(&position.play(m), depth - 1))
            .sum(),
    }
}

/// Counts the move paths of `depth` plies behind each legal move, in the order of generation, on
/// `threads` threads. Their sum is [`perft`]; at depth 0 the list is empty.
pub fn divide(position: &Position, depth: u32, threads: usize) -> Vec<(Move, u64)> {
    divide_until(position, depth, threads, &|| false).unwrap_or_default()
}

/// Counts as [`divide`] does, but returns `None` soon after `is_stopped` turns true.
pub fn divide_until(
    position: &Position,
    depth: u32,
    threads: usize,
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<(Move, u64)>> {
    let Some(depth) = depth.checked_sub(1) else {
        return Some(Vec::new());
    };
    let moves = position.legal_moves();
    let count = |&m: &Move| {
        let paths = split(&position.play(m), depth, threads > 1, is_stopped)?;
        Some((m, paths))
    };
    if threads > 1
        && let Ok(pool) = ThreadPoolBuilder::new().num_threads(threads).build()
    {
        return pool.install(|| moves.par_iter().map(count).collect());
    }
    moves.iter().map(count).collect()
}

/// Counts large subtrees child by child, so that threads can share them and stops are noticed.
fn split(
    position: &Position,
    depth: u32,
    parallel: bool,
    is_stopped: &(dyn Fn() -> bool + Sync),
) -> Option<u64> {
    if is_stopped() {
        return None;
    }
    if depth <= UNINTERRUPTED {
        return Some(perft(position, depth));
    }
    let moves = position.legal_moves();
    let count = |&m: &Move| split(&position.play(m), depth - 1, parallel, is_stopped);
    if parallel {
        moves.par_iter().map(count).sum()
    } else {
        moves.iter().map(count).sum()
    }
}

/// Returns the total of the counts that [`divide`] returned for this depth.
pub fn total(counts: &[(Move, u64)], depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => counts.iter().map(|&(_, count)| count).sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::parse_fen;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn counts_of_the_initial_position() {
        let position = Position::initial();
        for (depth, count) in [(0, 1), (1, 20), (2, 400), (3, 8_902), (4, 197_281)] {
            assert_eq!(perft(&position, depth), count);
        }
    }

    #[test]
    fn parts_add_up_on_any_number_of_threads() {
        let text = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let position = parse_fen(text, false).unwrap().position;
        let one = divide(&position, 3, 1);
        assert_eq!(one.len(), 48);
        assert_eq!(total(&one, 3), 97_862);
        assert_eq!(divide(&position, 3, 3), one);
        assert!(divide(&position, 0, 2).is_empty());
        assert_eq!(total(&[], 0), 1);
    }

    #[test]
    fn a_count_that_would_take_years_can_be_stopped() {
        let asked = AtomicU32::new(0);
        let is_stopped = || asked.fetch_add(1, Ordering::Relaxed) > 20;
        for threads in [1, 2] {
            asked.store(0, Ordering::Relaxed);
            assert_eq!(
                divide_until(&Position::initial(), 40, threads, &is_stopped),
                None
            );
        }
    }
}
