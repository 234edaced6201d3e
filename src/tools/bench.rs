//! `quevedo bench`: searches a fixed set of positions.

use std::io::{self, Write};

use super::ToolError;
use super::kit::IoContext as _;
use super::kit::args::EvalFileArg;
use crate::engine::bench::{self, BenchTotal, DEFAULT_DEPTH, DEFAULT_HASH};
use crate::engine::{Control, Searcher};
use crate::processor;
use crate::score::MAX_PLY;

/// The largest depth of a search.
const MAX_DEPTH: i64 = MAX_PLY as i64 - 1;

/// Search a fixed set of positions: the number of nodes is the signature of the search
#[derive(Clone, Debug, clap::Args)]
pub struct BenchArgs {
    /// Depth in plies
    #[arg(default_value_t = DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(1..=MAX_DEPTH))]
    pub depth: u32,
    /// Search threads; with more than one the number of nodes varies
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Size of the hash table in MiB
    #[arg(long, default_value_t = DEFAULT_HASH as u32, value_parser = clap::value_parser!(u32).range(1..=33_554_432))]
    pub hash: u32,
    /// The evaluation
    #[command(flatten)]
    pub network: EvalFileArg,
}

/// Runs the benchmark and returns the number of nodes. Writes a line for each position and, as the
/// last line, `<nodes> nodes <nodes per second> nps`.
///
/// # Errors
/// Fails when there is not enough memory, the network cannot be used, or the output cannot
/// be written.
pub fn run(args: &BenchArgs, out: &mut dyn Write) -> Result<u64, ToolError> {
    if processor::BUILT_WITHOUT_POPCNT {
        let _ = writeln!(
            io::stderr(),
            "quevedo: slow build: it does not use the instruction popcnt"
        );
    }
    let mut searcher = Searcher::new(args.hash as usize)?;
    searcher.set_threads(args.threads.into())?;
    searcher.set_eval_file(&args.network.eval_file)?;
    let control = Control::default();
    let mut report = |position: &_| writeln!(out, "{position}").of_output();
    let total = bench::run(&mut searcher, args.depth, &control, 1, &mut report)?;
    let nodes = total.map_or(0, |BenchTotal { nodes, .. }| nodes);
    if let Some(total) = total {
        let written = writeln!(out, "{total}").and_then(|()| out.flush());
        written.of_output()?;
    }
    Ok(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(eval_file: &str) -> BenchArgs {
        BenchArgs {
            depth: 3,
            threads: 1,
            hash: 1,
            network: EvalFileArg {
                eval_file: eval_file.to_owned(),
            },
        }
    }

    #[test]
    fn the_last_line_is_the_signature() {
        let mut first = Vec::new();
        let args = args("");
        let nodes = run(&args, &mut first).unwrap();
        let text = String::from_utf8(first).unwrap();
        let last = text.lines().last().unwrap();
        let words: Vec<&str> = last.split(' ').collect();
        assert_eq!(words.len(), 4, "{last}");
        assert_eq!((words[1], words[3]), ("nodes", "nps"));
        assert_eq!(words[0].parse(), Ok(nodes));
        assert!(words[2].parse::<u64>().is_ok());
        assert_eq!(run(&args, &mut Vec::new()).unwrap(), nodes);
    }

    #[test]
    fn the_evaluation_can_be_another_one() {
        let nodes = |eval_file| run(&args(eval_file), &mut Vec::new()).unwrap();
        assert_ne!(nodes("hand-written"), nodes(""));
        let missing = run(&args("no-such-file.nnue"), &mut Vec::new());
        let message = missing.unwrap_err().to_string();
        assert!(message.contains("no-such-file.nnue"), "{message}");
    }
}
