//! `quevedo perft`: counts move paths to test move generation.

use std::io::Write;
use std::time::Instant;

use super::ToolError;
use super::kit::IoContext as _;
use super::kit::args::start_position;
use super::kit::jobs::available_threads;
use crate::engine::perft::{MAX_DEPTH, divide, total};
use crate::position::notation::{fen, uci};

/// Count move paths to test move generation
#[derive(Clone, Debug, clap::Args)]
pub struct PerftArgs {
    /// Depth in plies
    #[arg(value_parser = clap::value_parser!(u32).range(..=i64::from(MAX_DEPTH)))]
    depth: u32,
    /// Position to start from [default: the initial position]
    #[arg(long)]
    fen: Option<String>,
    /// Print the count for each move
    #[arg(long)]
    divide: bool,
    /// Number of threads [default: all that the machine has]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Write castling as king takes rook
    #[arg(long)]
    chess960: bool,
}

/// Runs the sub-command.
///
/// # Errors
/// Fails when the position is invalid or the output cannot be written.
pub fn run(args: &PerftArgs, out: &mut dyn Write) -> Result<(), ToolError> {
    let position = start_position(args.fen.as_deref(), args.chess960)?;
    let threads = args.threads.map_or_else(available_threads, usize::from);
    let start = Instant::now();
    let counts = divide(&position, args.depth, threads);
    let elapsed = start.elapsed();
    let nodes = total(&counts, args.depth);
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
    print().of_output()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_depth_that_the_stack_does_not_hold_is_refused() {
        #[derive(clap::Parser)]
        struct Shell {
            #[command(flatten)]
            _args: PerftArgs,
        }
        let parse = |depth| <Shell as clap::Parser>::try_parse_from(["perft", depth]).is_ok();
        assert!(parse("0") && parse("64"));
        assert!(!parse("65") && !parse("100000") && !parse("-1"));
    }

    #[test]
    fn the_output_names_each_move_once() {
        let args = PerftArgs {
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
        let bad = PerftArgs {
            fen: Some("nonsense".to_owned()),
            ..args
        };
        assert!(run(&bad, &mut Vec::new()).is_err());
    }
}
