//! `book exits`: the positions in which a book leaves the game.

use std::io::Write;
use std::path::PathBuf;

use shakmaty::Position as _;

use super::eval::Weighing;
use super::graph::{Graph, Node};
use super::judge::judge_all;
use super::lines::san;
use super::scores::{Scores, epd};
use super::{BookToolError, open, say, write_file};
use crate::tools::ToolError;

/// What `book exits` is asked.
#[derive(Clone, Debug, clap::Args)]
pub struct ExitsArgs {
    /// The book; the embedded one if not given
    #[arg(value_name = "FILE")]
    pub book: Option<PathBuf>,
    /// Search each exit with so many nodes, and list those that are not within the bound; without it nothing is searched
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    /// The bound for either side, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 80, requires = "nodes")]
    pub within: i32,
    /// Exits to search at once; as many as the machine has threads if not given
    #[arg(long, value_name = "N", requires = "nodes")]
    pub jobs: Option<usize>,
    /// Write the exits as openings for matches, in EPD
    #[arg(long, value_name = "FILE")]
    pub epd: Option<PathBuf>,
    /// Write the shortest line to each exit as a game, in PGN
    #[arg(long, value_name = "FILE")]
    pub pgn: Option<PathBuf>,
}

/// Lists, searches and writes the exits that moves with a weight lead to.
///
/// # Errors
/// When a file cannot be used, a search fails, or an exit is not within the bound.
pub fn run(args: &ExitsArgs, out: &mut dyn Write) -> Result<(), BookToolError> {
    let book = open(args.book.as_deref())?;
    let graph = Graph::new(book.entries(), 1);
    let exits: Vec<&Node> = graph.exits().collect();
    if let Some(path) = &args.epd {
        write_file(path, epd_openings(&exits).as_bytes())?;
    }
    if let Some(path) = &args.pgn {
        write_file(path, pgn_openings(&graph, &exits).as_bytes())?;
    }
    let Some(nodes) = args.nodes else {
        return writeln!(out, "{} exits", exits.len())
            .map_err(|error| ToolError::output(error).into());
    };
    let mut scores = Scores::open(None, nodes)?;
    let found = judge_all(
        exits.iter().map(|node| &node.position),
        &mut scores,
        Weighing::jobs(args.jobs),
    )?;
    report(&graph, &exits, &found, args.within, out)
}

/// Says how good the exits are for White, and which are too good for a side.
fn report(
    graph: &Graph,
    exits: &[&Node],
    scores: &[i32],
    within: i32,
    out: &mut dyn Write,
) -> Result<(), BookToolError> {
    let mut judged: Vec<(i32, &Node)> = exits
        .iter()
        .zip(scores)
        .map(|(&node, &score)| {
            let for_white = if node.position.turn().is_white() {
                score
            } else {
                -score
            };
            (for_white, node)
        })
        .collect();
    judged.sort_by_key(|&(score, _)| std::cmp::Reverse(score.abs()));
    let mut text = String::new();
    let is_bad = |score: i32| score.abs() > within;
    for (score, node) in judged.iter().filter(|&&(score, _)| is_bad(score)) {
        let moves: Vec<String> = graph
            .path(node)
            .iter()
            .map(|&(position, m)| san(position, m))
            .collect();
        text.push_str(&format!(
            "{score:+} {} {}\n",
            epd(&node.position),
            moves.join(" ")
        ));
    }
    let bad = judged.iter().filter(|&&(score, _)| is_bad(score)).count();
    let sum: i64 = judged.iter().map(|&(score, _)| i64::from(score)).sum();
    let mean = sum as f64 / judged.len().max(1) as f64;
    let extreme = judged.first().map_or(0, |&(score, _)| score);
    text.push_str(&format!(
        "{} exits, White's score {mean:+.1} centipawns in the mean, {extreme:+} at the extreme; {bad} not within {within}\n",
        exits.len()
    ));
    out.write_all(text.as_bytes()).map_err(ToolError::output)?;
    if bad > 0 {
        return Err(BookToolError::BadExits {
            bad,
            exits: exits.len(),
            within,
        });
    }
    Ok(())
}

/// A position a line, with its move counters.
fn epd_openings(exits: &[&Node]) -> String {
    let line = |node: &&Node| {
        let number = node.position.chess().fullmoves();
        let clock = node.position.halfmoves();
        format!("{} hmvc {clock}; fmvn {number};\n", epd(&node.position))
    };
    exits.iter().map(line).collect()
}

/// A game for each exit, with its moves and nothing else.
fn pgn_openings(graph: &Graph, exits: &[&Node]) -> String {
    let mut text = String::new();
    for (node, number) in exits.iter().zip(1..) {
        text.push_str(&format!(
            "[Event \"Exit {number} of an opening book\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
             [White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n"
        ));
        let mut width = 0;
        for (ply, &(position, m)) in graph.path(node).iter().enumerate() {
            let mut word = san(position, m);
            if ply % 2 == 0 {
                word = format!("{}. {word}", ply / 2 + 1);
            }
            // Lines of at most 80 characters.
            if width + word.len() >= 79 {
                text.push('\n');
                width = 0;
            }
            width += word.len() + 1;
            text.push_str(&word);
            text.push(' ');
        }
        text.push_str("*\n\n");
    }
    if exits.is_empty() {
        say("there are no exits");
    }
    text
}
