//! `book eval`: the weights of a book, by search.

use std::collections::HashSet;
use std::path::PathBuf;

use super::draft;
use super::graph::{Graph, Node};
use super::judge::judge_all;
use super::scores::Scores;
use super::weigh::{Rules, weigh};
use super::{BookToolError, open, say};
use crate::book::Entry;
use crate::tools::kit::jobs::available_threads;

/// The largest loss of a move that is kept, in centipawns, if not told otherwise.
const DEFAULT_MAX_LOSS: i32 = 50;

/// What `book eval` is asked.
#[derive(Clone, Debug, clap::Args)]
pub struct EvalArgs {
    /// The book
    #[arg(value_name = "FILE")]
    pub book: PathBuf,
    /// The book to write; one that is there is replaced
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    /// Nodes to search in each position
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    #[command(flatten)]
    pub weighing: Weighing,
}

/// How moves are weighed by search. What comes out follows from the nodes alone and not from the number of jobs.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Weighing {
    /// Positions to search at once; as many as the machine has threads if not given
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    /// Take scores from this EPD file where it has them, and add the others to it: a run that was broken off goes on
    #[arg(long, value_name = "FILE")]
    pub scores: Option<PathBuf>,
    /// Leave out moves that are worse than the best by more, in centipawns [default: 50]
    #[arg(long, value_name = "CP")]
    pub max_loss: Option<i32>,
    /// Leave out moves that lead out of the book to a score beyond this, in centipawns, for either side
    #[arg(long, value_name = "CP")]
    pub within: Option<i32>,
    /// Search the positions at which the book ends with so many nodes instead, until all of them have been
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub exit_nodes: Option<u64>,
}

impl Weighing {
    /// For a command that weighs nothing.
    ///
    /// # Errors
    /// When there is something that goes with weighing.
    pub fn refuse(&self) -> Result<(), BookToolError> {
        let given = self.jobs.is_some()
            || self.scores.is_some()
            || self.max_loss.is_some()
            || self.within.is_some()
            || self.exit_nodes.is_some();
        if given {
            return Err(BookToolError::Usage(
                "--jobs, --scores, --max-loss, --within and --exit-nodes go with --nodes",
            ));
        }
        Ok(())
    }

    /// Positions to search at once.
    pub fn jobs(jobs: Option<usize>) -> usize {
        jobs.unwrap_or_else(available_threads).max(1)
    }
}

/// Weighs the moves of a book.
///
/// # Errors
/// When a file cannot be used, a search fails, or no move is left.
pub fn run(args: &EvalArgs) -> Result<(), BookToolError> {
    let book = open(Some(&args.book))?;
    let graph = Graph::new(book.entries(), 0);
    let reached: usize = graph.nodes.iter().map(|node| node.edges.len()).sum();
    if reached < book.len() {
        say(&format!(
            "{}: {} of {} entries are not moves that play from the initial position reaches, they are left out",
            args.book.display(),
            book.len() - reached,
            book.len()
        ));
    }
    let entries = weigh_graph(&graph, args.nodes, &args.weighing)?;
    draft::write(&args.out, &entries)
}

/// The moves of a book that search finds good, with the weights that follow.
///
/// # Errors
/// When the scores cannot be read or written, a search fails, or no move is left.
pub fn weigh_by_search(
    entries: &[Entry],
    nodes: u64,
    weighing: &Weighing,
) -> Result<Vec<Entry>, BookToolError> {
    weigh_graph(&Graph::new(entries.iter().copied(), 0), nodes, weighing)
}

fn weigh_graph(
    graph: &Graph,
    nodes: u64,
    weighing: &Weighing,
) -> Result<Vec<Entry>, BookToolError> {
    let mut scores = Scores::open(weighing.scores.as_deref(), nodes)?;
    let positions = graph.nodes.iter().map(|node| &node.position);
    let mut found = judge_all(positions, &mut scores, Weighing::jobs(weighing.jobs))?;
    let rules = Rules {
        max_loss: weighing.max_loss.unwrap_or(DEFAULT_MAX_LOSS),
        within: weighing.within,
    };
    let mut kept = reached(weigh(graph, &found, rules));
    if let Some(nodes) = weighing.exit_nodes {
        let mut scores = Scores::open(weighing.scores.as_deref(), nodes)?;
        let mut judged = HashSet::new();
        while judge_exits(graph, &kept, &mut found, &mut judged, &mut scores, weighing)? {
            kept = reached(weigh(graph, &found, rules));
        }
    }
    let moves: usize = graph.nodes.iter().map(|node| node.edges.len()).sum();
    say(&format!(
        "{} positions searched with {nodes} nodes each; {} of {moves} moves kept",
        graph.nodes.len(),
        kept.len()
    ));
    if kept.is_empty() {
        return Err(BookToolError::NothingLeft(
            ": every move is worse than --max-loss and --within allow",
        ));
    }
    Ok(kept)
}

/// Gives the exits of what is kept the score of their own search. Says whether there were any that had none yet: others may be
/// exits now.
fn judge_exits(
    graph: &Graph,
    kept: &[Entry],
    found: &mut [i32],
    judged: &mut HashSet<usize>,
    scores: &mut Scores,
    weighing: &Weighing,
) -> Result<bool, BookToolError> {
    let book = Graph::new(kept.iter().copied(), 1);
    let keys: HashSet<u64> = book.exits().map(|node| node.key).collect();
    let new: Vec<(usize, &Node)> = graph
        .nodes
        .iter()
        .enumerate()
        .filter(|(index, node)| keys.contains(&node.key) && !judged.contains(index))
        .collect();
    let positions = new.iter().map(|(_, node)| &node.position);
    let searched = judge_all(positions, scores, Weighing::jobs(weighing.jobs))?;
    for (&(index, _), score) in new.iter().zip(searched) {
        judged.insert(index);
        if let Some(place) = found.get_mut(index) {
            *place = score;
        }
    }
    Ok(!new.is_empty())
}

/// The entries that play from the initial position still reaches when moves on the way have been left out.
fn reached(mut entries: Vec<Entry>) -> Vec<Entry> {
    let graph = Graph::new(entries.iter().copied(), 0);
    let keys: HashSet<u64> = graph.nodes.iter().map(|node| node.key).collect();
    entries.retain(|entry| keys.contains(&entry.key));
    entries
}
