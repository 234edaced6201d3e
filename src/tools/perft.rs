//! `quevedo perft`: counts the move paths of a length, which tests move generation.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

use std::io::Write;
use std::time::Instant;

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

use super::{ToolError, available_threads};
use crate::position::notation::{fen, parse_fen, uci};
use crate::position::{Move, Position};

/// The deepest count: far more than anyone can wait for, and little enough for the stack.
pub const MAX_DEPTH: u32 = 64;

/// Subtrees of this many plies are counted without looking up whether to stop; they take a fraction of a second.
const UNINTERRUPTED: u32 = 4;

/// The number of move paths of `depth` plies. The last ply is counted, not played.
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

/// The number of move paths of `depth` plies behind each legal move, in the order of generation, counted by `threads`
/// threads. Their sum is [`perft`]; at depth 0 there is nothing to divide.
pub fn divide(position: &Position, depth: u32, threads: usize) -> Vec<(Move, u64)> {
    divide_until(position, depth, threads, &|| false).unwrap_or_default()
}

/// As [`divide`], but gives up, with `None`, soon after `is_stopped` turns true.
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

/// Counts large subtrees child by child, so that threads can share them and a stop is noticed.
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

/// Counts move paths: a test of move generation.
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// The length of the paths in plies
    #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_DEPTH)))]
    depth: u32,
    /// The position to start from; the initial position if not given
    #[arg(long)]
    fen: Option<String>,
    /// Show the count behind each move
    #[arg(long)]
    divide: bool,
    /// Threads to count with; as many as the machine has if not given
    #[arg(long)]
    threads: Option<usize>,
    /// Write castling as king takes rook
    #[arg(long)]
    chess960: bool,
}

/// Runs the sub-command.
///
/// # Errors
/// When the position cannot be used or the output cannot be written.
pub fn run(args: &Args, out: &mut dyn Write) -> Result<(), ToolError> {
    let position = match &args.fen {
        None => Position::initial(),
        Some(text) => {
            parse_fen(text, args.chess960)
                .map_err(|source| ToolError::Fen {
                    fen: text.clone(),
                    source,
                })?
                .position
        }
    };
    let threads = args.threads.unwrap_or_else(available_threads).max(1);
    let start = Instant::now();
    let counts = divide(&position, args.depth, threads);
    let elapsed = start.elapsed();
    let nodes = if args.depth == 0 {
        1
    } else {
        counts.iter().map(|(_, count)| count).sum()
    };
    let mut print = || {
        writeln!(out, "{}", fen(&position))?;
        if args.divide {
            for &(m, count) in &counts {
                writeln!(out, "{}: {count}", uci(&position, m))?;
            }
        }
        let milliseconds = elapsed.as_millis();
        let speed = nodes as f64 / elapsed.as_secs_f64().max(1e-9);
        writeln!(
            out,
            "depth {}: {nodes} nodes, {milliseconds} ms, {speed:.0} nodes/s",
            args.depth
        )
    };
    print().map_err(ToolError::output)
}

#[cfg(test)]
mod tests {
    use super::*;
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
        assert_eq!(one.iter().map(|(_, count)| count).sum::<u64>(), 97_862);
        assert_eq!(divide(&position, 3, 3), one);
        assert!(divide(&position, 0, 2).is_empty());
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

    #[test]
    fn a_depth_that_the_stack_does_not_hold_is_refused() {
        #[derive(clap::Parser)]
        struct Shell {
            #[command(flatten)]
            _args: Args,
        }
        let parse = |depth| <Shell as clap::Parser>::try_parse_from(["perft", depth]).is_ok();
        assert!(parse("0") && parse("64"));
        assert!(!parse("65") && !parse("100000") && !parse("-1"));
    }

    #[test]
    fn the_output_names_each_move_once() {
        let args = Args {
            depth: 2,
            fen: Some("1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1".to_owned()),
            divide: true,
            threads: Some(1),
            chess960: false,
        };
        let mut out = Vec::new();
        run(&args, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("\nf1h1: "), "{text}");
        assert!(text.lines().last().unwrap().starts_with("depth 2: "));
        let bad = Args {
            fen: Some("nonsense".to_owned()),
            ..args
        };
        assert!(run(&bad, &mut Vec::new()).is_err());
    }
}
