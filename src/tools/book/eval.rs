//! `book eval`: weighs the moves of a book by search.

use std::collections::HashSet;
use std::iter;
use std::path::{Path, PathBuf};

use super::builder;
use super::graph::{BookGraph, BookNode};
use super::score_positions::score_positions;
use super::scores::Scores;
use super::weigh::{WeighingRules, weigh};
use super::{BookToolError, open, say};
use crate::book::BookEntry;
use crate::plural::count;
use crate::tools::kit::args::file_path;
use crate::tools::kit::files;
use crate::tools::kit::jobs::available_threads;

/// The default of the largest loss of a move that is kept, in centipawns.
const DEFAULT_MAX_LOSS: i32 = 50;

/// Arguments of `book eval`.
#[derive(Clone, Debug, clap::Args)]
pub struct WeighArgs {
    /// The book
    #[arg(value_name = "FILE")]
    pub book: PathBuf,
    /// The book to write; an existing one is replaced
    #[arg(long, value_name = "FILE", value_parser = file_path())]
    pub out: PathBuf,
    /// Nodes of the search of each position
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: u64,
    #[command(flatten)]
    pub weighing: Weighing,
}

/// How moves are weighed by search. The result does not depend on the number of jobs.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Weighing {
    /// Positions to search at once [default: the threads of the machine]
    #[arg(long, value_name = "N")]
    pub jobs: Option<usize>,
    /// Use the scores of this EPD file and add missing ones to it, so that interrupted runs resume
    #[arg(long, value_name = "FILE", value_parser = file_path())]
    pub scores: Option<PathBuf>,
    /// Leave out moves that lose more than this against the best move, in centipawns [default: 50]
    #[arg(long, value_name = "CP")]
    pub max_loss: Option<i32>,
    /// Leave out moves to a leaf with a score beyond this for either side, in centipawns
    #[arg(long, value_name = "CP")]
    pub within: Option<i32>,
    /// Search the leaves, the positions in which the book ends, with this many nodes instead
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub leaf_nodes: Option<u64>,
}

impl Weighing {
    /// Checks that no option for weighing is set.
    ///
    /// # Errors
    /// Fails when there is one.
    pub fn refuse(&self) -> Result<(), BookToolError> {
        let given = self.jobs.is_some()
            || self.scores.is_some()
            || self.max_loss.is_some()
            || self.within.is_some()
            || self.leaf_nodes.is_some();
        if given {
            return Err(BookToolError::Usage(
                "--jobs, --scores, --max-loss, --within and --leaf-nodes go with --nodes",
            ));
        }
        Ok(())
    }

    /// Returns the files that are written, given the book.
    pub fn outputs<'a>(&'a self, out: &'a Path) -> Vec<&'a Path> {
        iter::once(out).chain(self.scores.as_deref()).collect()
    }

    /// Returns the number of positions to search at once.
    pub fn jobs(jobs: Option<usize>) -> usize {
        jobs.unwrap_or_else(available_threads).max(1)
    }
}

/// Weighs the moves of a book.
///
/// # Errors
/// Fails when a file cannot be used, a search fails, or no move is left.
pub fn run(args: &WeighArgs) -> Result<(), BookToolError> {
    // The book itself may be replaced, but not by scores.
    files::check(&[], &args.weighing.outputs(&args.out))?;
    let scores: Vec<&Path> = args.weighing.scores.as_deref().into_iter().collect();
    files::check(&[&args.book], &scores)?;
    let book = open(Some(&args.book))?;
    let graph = BookGraph::new(book.entries(), 0);
    let reached: usize = graph.nodes.iter().map(|node| node.edges.len()).sum();
    if reached < book.len() {
        say(&format!(
            "{}: left out {} of {}, to which the initial position does not lead",
            args.book.display(),
            book.len() - reached,
            count(book.len(), "entry")
        ));
    }
    // Windows does not replace a file that is mapped.
    drop(book);
    let entries = weigh_graph(&graph, args.nodes, &args.weighing)?;
    builder::write(&args.out, &entries)
}

/// Returns the good moves of a book with their weights, by search.
///
/// # Errors
/// Fails when the scores cannot be read or written, a search fails, or no move is left.
pub fn weigh_by_search(
    entries: &[BookEntry],
    nodes: u64,
    weighing: &Weighing,
) -> Result<Vec<BookEntry>, BookToolError> {
    weigh_graph(&BookGraph::new(entries.iter().copied(), 0), nodes, weighing)
}

fn weigh_graph(
    graph: &BookGraph,
    nodes: u64,
    weighing: &Weighing,
) -> Result<Vec<BookEntry>, BookToolError> {
    let positions = graph.nodes.iter().map(|node| &node.position);
    let mut found = {
        let mut scores = Scores::open(weighing.scores.as_deref(), nodes)?;
        score_positions(positions, &mut scores, Weighing::jobs(weighing.jobs))?
    };
    let rules = WeighingRules {
        max_loss: weighing.max_loss.unwrap_or(DEFAULT_MAX_LOSS),
        within: weighing.within,
    };
    let mut kept = reached(weigh(graph, &found, rules));
    if let Some(nodes) = weighing.leaf_nodes {
        let mut scores = Scores::open(weighing.scores.as_deref(), nodes)?;
        let mut searched = HashSet::new();
        while score_leaves(
            graph,
            &kept,
            &mut found,
            &mut searched,
            &mut scores,
            weighing,
        )? {
            kept = reached(weigh(graph, &found, rules));
        }
    }
    let moves: usize = graph.nodes.iter().map(|node| node.edges.len()).sum();
    let of_leaves = weighing.leaf_nodes.map_or_else(String::new, |nodes| {
        format!(", leaves with {}", count(nodes, "node"))
    });
    say(&format!(
        "{}, scored with {} each{of_leaves}; {} of {} kept",
        count(graph.nodes.len(), "position"),
        count(nodes, "node"),
        kept.len(),
        count(moves, "move")
    ));
    if kept.is_empty() {
        return Err(BookToolError::NothingLeft(
            ": every move is worse than --max-loss and --within allow",
        ));
    }
    Ok(kept)
}

/// Scores the leaves of the kept moves by their own search. Returns whether any were new; their
/// scores may turn other positions into leaves.
fn score_leaves(
    graph: &BookGraph,
    kept: &[BookEntry],
    found: &mut [i32],
    searched: &mut HashSet<usize>,
    scores: &mut Scores,
    weighing: &Weighing,
) -> Result<bool, BookToolError> {
    let book = BookGraph::new(kept.iter().copied(), 1);
    let keys: HashSet<u64> = book.leaves().map(|node| node.key).collect();
    let new: Vec<(usize, &BookNode)> = graph
        .nodes
        .iter()
        .enumerate()
        .filter(|(index, node)| keys.contains(&node.key) && !searched.contains(index))
        .collect();
    let positions = new.iter().map(|(_, node)| &node.position);
    let new_scores = score_positions(positions, scores, Weighing::jobs(weighing.jobs))?;
    for (&(index, _), score) in new.iter().zip(new_scores) {
        searched.insert(index);
        if let Some(place) = found.get_mut(index) {
            *place = score;
        }
    }
    Ok(!new.is_empty())
}

/// Returns the entries that can still be reached from the initial position after moves have been
/// left out.
fn reached(mut entries: Vec<BookEntry>) -> Vec<BookEntry> {
    let graph = BookGraph::new(entries.iter().copied(), 0);
    let keys: HashSet<u64> = graph.nodes.iter().map(|node| node.key).collect();
    entries.retain(|entry| keys.contains(&entry.key));
    entries
}
