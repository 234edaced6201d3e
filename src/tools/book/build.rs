//! `book build`: a book from games, positions and opening lines.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use shakmaty::Color;

use super::draft::{self, Draft};
use super::eval::{Weighing, weigh_by_search};
use super::pgn::{self, GameCount, GameFilter};
use super::{BookToolError, epd, lines, say};

/// What `book build` is asked.
#[derive(Clone, Debug, clap::Args)]
pub struct BuildArgs {
    /// Games (.pgn, or - for standard input), positions with moves (.epd), opening lines (.tsv)
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The book to write; one that is there is replaced
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
    #[command(flatten)]
    pub filter: GameFilter,
    /// Leave out moves that were played in fewer games; those from positions and lines stay
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub min_games: u32,
    /// Leave out moves that scored less than this in games, in per cent
    #[arg(long, value_name = "PERCENT", default_value_t = 0.0)]
    pub min_score: f64,
    /// What the weights of moves from games follow
    #[arg(long, value_name = "WHAT", default_value = "score")]
    pub weight_by: WeightBy,
    /// Weigh the moves by search with so many nodes for each position, as `book eval` does
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub nodes: Option<u64>,
    #[command(flatten)]
    pub weighing: Weighing,
}

/// What the weights of moves from games follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum WeightBy {
    /// How often a move was played
    Games,
    /// Two for each win of the side that played it and one for each draw
    Score,
    /// The same, and twice as much for every 200 points of rating that the players have more
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
    /// Its colour.
    pub fn color(self) -> Color {
        Color::from_white(self == Side::White)
    }
}

/// Builds a book.
///
/// # Errors
/// When a file cannot be read or written, or there is nothing to write.
pub fn run(args: &BuildArgs) -> Result<(), BookToolError> {
    if args.nodes.is_none() {
        args.weighing.refuse()?;
    }
    let mut draft = Draft::default();
    for path in &args.files {
        add_file(&mut draft, path, args)?;
    }
    draft.retain(|tally| {
        let score = 50.0 * f64::from(tally.half_points) / f64::from(tally.games.max(1));
        tally.games >= args.min_games && score >= args.min_score
    });
    let mut entries = draft.into_entries();
    if entries.is_empty() {
        return Err(BookToolError::NothingLeft(
            "; --min-games and the other filters may leave out too much",
        ));
    }
    if let Some(nodes) = args.nodes {
        entries = weigh_by_search(&entries, nodes, &args.weighing)?;
    }
    draft::write(&args.out, &entries)
}

/// Adds what a file holds.
fn add_file(draft: &mut Draft, path: &Path, args: &BuildArgs) -> Result<(), BookToolError> {
    let extension = path
        .extension()
        .map(|extension| extension.to_string_lossy().to_ascii_lowercase());
    let mut left_out = 0_u64;
    let mut complain = |fault: BookToolError| {
        left_out += 1;
        say(&format!("left out: {fault}"));
    };
    match extension.as_deref() {
        Some("epd" | "fen") => epd::add(draft, path, &mut complain)?,
        Some("tsv") => lines::add(draft, &lines::read(path, &mut complain)?),
        _ if extension.as_deref() == Some("pgn") || path == Path::new("-") => {
            let GameCount {
                used,
                filtered,
                faulty,
            } = pgn::add(draft, path, &args.filter, args.weight_by)?;
            say(&format!(
                "{}: {used} games, {filtered} left out by filters or without a result, {faulty} faulty",
                path.display()
            ));
        }
        _ => return Err(BookToolError::UnknownInput(path.to_owned())),
    }
    if left_out > 0 {
        say(&format!("{}: {left_out} lines left out", path.display()));
    }
    Ok(())
}
