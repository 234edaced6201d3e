//! `book leaves`: the positions in which a book ends.

use std::io::Write;
use std::path::{Path, PathBuf};

use shakmaty::Position as _;

use super::eval::Weighing;
use super::graph::{BookGraph, BookNode};
use super::score_positions::score_positions;
use super::scores::Scores;
use super::{BookToolError, open, say};
use crate::pgn::{AnnotatedMove, PgnGame, PgnVariation, to_pgn};
use crate::plural::count;
use crate::position::Position;
use crate::position::notation::{epd, san};
use crate::tools::kit::args::file_path;
use crate::tools::kit::{IoContext as _, files, replace_file};

/// Arguments of `book leaves`.
#[derive(Clone, Debug, clap::Args)]
pub struct LeavesArgs {
    /// The book; the embedded one if not given
    #[arg(value_name = "FILE")]
    pub book: Option<PathBuf>,
    /// Search each leaf with this many nodes and list those beyond the bound; without it, nothing
    /// is searched
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// The bound for either side, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 80, requires = "nodes")]
    pub within: i32,
    /// Leaves to search at once [default: the threads of the machine]
    #[arg(long, value_name = "N", requires = "nodes")]
    pub jobs: Option<usize>,
    /// Write the leaves in EPD, as openings for matches; an existing file is replaced
    #[arg(long, value_name = "FILE", value_parser = file_path())]
    pub epd: Option<PathBuf>,
    /// Write the shortest line to each leaf in PGN; an existing file is replaced
    #[arg(long, value_name = "FILE", value_parser = file_path())]
    pub pgn: Option<PathBuf>,
}

/// Counts, searches and writes the leaves behind moves with a weight.
///
/// # Errors
/// Fails when a file cannot be used, a search fails, or a leaf is beyond the bound.
pub fn run(args: &LeavesArgs, out: &mut dyn Write) -> Result<(), BookToolError> {
    let inputs: Vec<&Path> = args.book.as_deref().into_iter().collect();
    let outputs = [&args.epd, &args.pgn].into_iter();
    let outputs: Vec<&Path> = outputs.filter_map(Option::as_deref).collect();
    files::check(&inputs, &outputs)?;
    let book = open(args.book.as_deref())?;
    let graph = BookGraph::new(book.entries(), 1);
    let leaves: Vec<&BookNode> = graph.leaves().collect();
    if let Some(path) = &args.epd {
        replace_file(path, epd_openings(&leaves).as_bytes())?;
    }
    if let Some(path) = &args.pgn {
        replace_file(path, pgn_openings(&graph, &leaves).as_bytes())?;
    }
    let Some(nodes) = args.nodes else {
        return Ok(writeln!(out, "{}", count(leaves.len(), "leaf")).of_output()?);
    };
    let mut scores = Scores::open(None, nodes)?;
    let found = score_positions(
        leaves.iter().map(|node| &node.position),
        &mut scores,
        Weighing::jobs(args.jobs),
    )?;
    report(&graph, &leaves, &found, args.within, out)
}

/// Writes the scores of the leaves for White, and lists those beyond the bound.
fn report(
    graph: &BookGraph,
    leaves: &[&BookNode],
    scores: &[i32],
    within: i32,
    out: &mut dyn Write,
) -> Result<(), BookToolError> {
    let mut scored: Vec<(i32, &BookNode)> = leaves
        .iter()
        .zip(scores)
        .map(|(&node, &score)| (node.position.turn().fold_wb(score, -score), node))
        .collect();
    scored.sort_by_key(|&(score, _)| std::cmp::Reverse(score.abs()));
    let mut text = String::new();
    let is_bad = |score: i32| score.abs() > within;
    for (score, node) in scored.iter().filter(|&&(score, _)| is_bad(score)) {
        let moves: Vec<String> = graph
            .path(node)
            .iter()
            .map(|&(position, m)| san(position, m).to_string())
            .collect();
        text.push_str(&format!(
            "{score:+} {} {}\n",
            epd(&node.position),
            moves.join(" ")
        ));
    }
    let bad = scored.iter().filter(|&&(score, _)| is_bad(score)).count();
    let sum: i64 = scored.iter().map(|&(score, _)| i64::from(score)).sum();
    let mean = sum as f64 / scored.len().max(1) as f64;
    let extreme = scored.first().map_or(0, |&(score, _)| score);
    text.push_str(&format!(
        "{}, White's score {mean:+.1} centipawns on average, {extreme:+} at the extreme; {bad} beyond {within}\n",
        count(leaves.len(), "leaf")
    ));
    out.write_all(text.as_bytes()).of_output()?;
    if bad > 0 {
        return Err(BookToolError::UnbalancedLeaves {
            bad,
            leaves: leaves.len(),
            within,
        });
    }
    Ok(())
}

/// Returns the leaves in EPD, with their move counters.
fn epd_openings(leaves: &[&BookNode]) -> String {
    let line = |node: &&BookNode| {
        let number = node.position.chess().fullmoves();
        let clock = node.position.halfmoves();
        format!("{} hmvc {clock}; fmvn {number};\n", epd(&node.position))
    };
    leaves.iter().map(line).collect()
}

/// Returns the shortest line to each leaf as a game.
fn pgn_openings(graph: &BookGraph, leaves: &[&BookNode]) -> String {
    if leaves.is_empty() {
        say("the book has no leaves");
    }
    let game = |(number, node): (u64, &&BookNode)| {
        let event = format!("Leaf {number} of an opening book");
        let unknown = ["Site", "Date", "Round", "White", "Black"].map(|name| {
            let value = if name == "Date" { "????.??.??" } else { "?" };
            (name, value)
        });
        let tags = [("Event", event.as_str())]
            .into_iter()
            .chain(unknown)
            .chain([("Result", "*")]);
        let moves = graph.path(node).into_iter();
        let game = PgnGame {
            tags: tags
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            main_line: PgnVariation {
                comments: Vec::new(),
                moves: moves.map(|(_, m)| AnnotatedMove::new(m)).collect(),
            },
            ..PgnGame::new(Position::initial())
        };
        to_pgn(&game)
    };
    (1..).zip(leaves).map(game).collect()
}
