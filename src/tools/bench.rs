//! `quevedo bench`: searches a fixed set of positions.

use std::io::Write;

use super::ToolError;
use crate::engine::Control;
use crate::engine::bench::{self, BenchSettings, BenchTotal, DEFAULT_DEPTH, DEFAULT_HASH};

/// Search a fixed set of positions: the number of nodes is the signature of the search
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Args {
    /// Depth in plies
    #[arg(default_value_t = DEFAULT_DEPTH)]
    pub depth: u32,
    /// Search threads; with more than one the number of nodes varies
    #[arg(long, default_value_t = 1)]
    pub threads: usize,
    /// Size of the hash table in MiB
    #[arg(long, default_value_t = DEFAULT_HASH)]
    pub hash: usize,
}

/// Runs the benchmark and returns the number of nodes. Writes a line for each position and, as the
/// last line, `<nodes> nodes <nodes per second> nps`.
///
/// # Errors
/// Returns an error if there is not enough memory or the output cannot be written.
pub fn run(args: Args, out: &mut dyn Write) -> Result<u64, ToolError> {
    let settings = BenchSettings {
        depth: args.depth,
        threads: args.threads,
        hash: args.hash,
    };
    let mut report = |position: &_| writeln!(out, "{position}").map_err(ToolError::output);
    let total = bench::run(&settings, &Control::default(), 1, &mut report)?;
    let nodes = total.map_or(0, |BenchTotal { nodes, .. }| nodes);
    if let Some(total) = total {
        writeln!(out, "{total}")
            .and_then(|()| out.flush())
            .map_err(ToolError::output)?;
    }
    Ok(nodes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_the_signature() {
        let mut first = Vec::new();
        let args = Args {
            depth: 1,
            threads: 1,
            hash: 1,
        };
        let nodes = run(args, &mut first).unwrap();
        let text = String::from_utf8(first).unwrap();
        let last = text.lines().last().unwrap();
        let words: Vec<&str> = last.split(' ').collect();
        assert_eq!(words.len(), 4, "{last}");
        assert_eq!((words[1], words[3]), ("nodes", "nps"));
        assert_eq!(words[0].parse(), Ok(nodes));
        assert!(words[2].parse::<u64>().is_ok());
        assert_eq!(run(args, &mut Vec::new()).unwrap(), nodes);
    }
}
