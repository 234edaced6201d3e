//! `book build`: builds a book from games, positions and opening lines.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use shakmaty::Color;

use super::builder::{self, BookBuilder};
use super::eval::{Weighing, weigh_by_search};
use super::pgn::{self, GameCount, GameFilter};
use super::{BookToolError, epd, lines, say};
use crate::book::BookEntry;
use crate::plural::count;
use crate::tools::Exit;
use crate::tools::kit::args::file_path;
use crate::tools::kit::files;

/// Arguments of `book build`.
#[derive(Clone, Debug, clap::Args)]
pub struct BuildArgs {
    /// Games (.pgn, or - for standard input), positions with moves (.epd), opening lines (.tsv)
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The book to write; an existing one is replaced
    #[arg(long, value_name = "FILE", value_parser = file_path())]
    pub out: PathBuf,
    #[command(flatten)]
    pub filter: GameFilter,
    /// Leave out moves that were played in fewer games; moves from positions and lines stay
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub min_games: u32,
    /// Leave out moves that scored less than this in games, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0)]
    pub min_score: f64,
    /// The source of the weights of moves from games
    #[arg(long, value_name = "SOURCE", default_value = "score")]
    pub weight_by: WeightBy,
    /// Weigh the moves by search with this many nodes per position, as `book eval` does
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    #[command(flatten)]
    pub weighing: Weighing,
}

/// The source of the weights of moves from games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum WeightBy {
    /// The number of games with the move
    Games,
    /// Two for each win of the side that played the move, one for each draw
    Score,
    /// The score, doubled for every 200 rating points of the players
    Rating,
}

/// One side of the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Side {
    /// White
    White,
    /// Black
    Black,
}

impl Side {
    /// Returns the colour.
    pub fn color(self) -> Color {
        Color::from_white(self == Side::White)
    }
}

/// Builds a book.
///
/// # Errors
/// Fails when a file cannot be read or written, or the book would be empty.
pub fn run(args: &BuildArgs) -> Result<Exit, BookToolError> {
    if args.nodes.is_none() {
        args.weighing.refuse()?;
    }
    let inputs: Vec<&Path> = args.files.iter().map(PathBuf::as_path).collect();
    files::check(&inputs, &args.weighing.outputs(&args.out))?;
    let mut builder = BookBuilder::default();
    let (mut found, mut left_out) = (0, 0);
    for path in &args.files {
        let added = add_file(&mut builder, path, args)?;
        found += added.0;
        left_out += added.1;
    }
    if found == 0 {
        return Err(BookToolError::NothingFound);
    }
    builder.retain(|stats| {
        let score = 50.0 * f64::from(stats.half_points) / f64::from(stats.results.max(1));
        // Nothing is known of a move without results.
        stats.games >= args.min_games && (stats.results == 0 || score >= args.min_score)
    });
    let mut entries = builder.into_entries();
    if let Some(nodes) = args.nodes {
        entries = weigh_by_search(&entries, nodes, &args.weighing)?;
    }
    let entries = with_weight(&entries);
    if entries.is_empty() {
        return Err(BookToolError::NothingLeft(
            "; the filters, such as --min-games, may leave out too much",
        ));
    }
    builder::write(&args.out, &entries)?;
    Ok(match left_out {
        0 => Exit::Done,
        _ => Exit::Incomplete,
    })
}

/// Returns the entries of those positions in which some move has a weight. A book plays nothing in
/// the others.
fn with_weight(entries: &[BookEntry]) -> Vec<BookEntry> {
    let positions = entries.chunk_by(|one, other| one.key == other.key);
    let with_weight = positions.filter(|moves| moves.iter().any(|entry| entry.weight > 0));
    with_weight.flatten().copied().collect()
}

/// Adds the moves of a file. Returns the number of lines or games in it, and of those that cannot
/// be read.
fn add_file(
    builder: &mut BookBuilder,
    path: &Path,
    args: &BuildArgs,
) -> Result<(u64, u64), BookToolError> {
    let extension = path
        .extension()
        .map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    let mut left_out = 0_u64;
    let mut complain = |fault: BookToolError| {
        left_out += 1;
        say(&format!("left out: {fault}"));
    };
    let found = match extension.as_deref() {
        Some("epd" | "fen") => {
            let read = epd::add(builder, path, &mut complain)?;
            if read == 0 && left_out > 0 {
                let path = path.to_owned();
                let expected = "positions with moves, in EPD";
                return Err(BookToolError::OtherKind { path, expected });
            }
            read
        }
        Some("tsv") => {
            let rows = lines::read(path, &mut complain)?;
            lines::add(builder, &rows);
            rows.len() as u64
        }
        _ if extension.as_deref() == Some("pgn") || path == Path::new("-") => {
            let GameCount {
                used,
                filtered,
                faulty,
                other,
            } = pgn::add(builder, path, &args.filter, args.weight_by)?;
            say(&format!(
                "{}: {}, {filtered} left out by filters or without a result, {faulty} faulty",
                path.display(),
                count(used, "game")
            ));
            return Ok((used + filtered, faulty + other));
        }
        _ => return Err(BookToolError::UnknownInput(path.to_owned())),
    };
    if left_out > 0 {
        let lines = count(left_out, "line");
        say(&format!("{}: {lines} left out", path.display()));
    }
    Ok((found, left_out))
}
