//! Games in PGN, read as a stream, so that files may be of any size.

use std::collections::HashSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::BookToolError;
use super::build::{Side, WeightBy};
use super::builder::{BookBuilder, MoveStats};
use crate::book::entry::move_code;
use crate::book::key;
use crate::pgn::{PgnGame, PgnReader};
use crate::tools::kit::progress::Progress;
use crate::tools::kit::{IoContext as _, input};

/// The rating at which a game counts once when weights follow ratings.
const RATING_BASE: f64 = 2000.0;
/// The additional rating at which a game counts twice.
const RATING_DOUBLES: f64 = 200.0;
/// The highest rating that can be one. Others are errors, and would outweigh all other games.
const MAX_RATING: u32 = 4_500;

/// Which games count, and how far into them.
#[derive(Clone, Debug, clap::Args)]
pub struct GameFilter {
    /// Take this many plies of each game
    #[arg(long, value_name = "PLIES", default_value_t = 40)]
    pub max_ply: usize,
    /// Leave out games with fewer plies than this
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
    pub min_plies: usize,
    /// Leave out games in which a player has a lower rating, or none
    #[arg(long, value_name = "ELO")]
    pub min_elo: Option<u32>,
    /// Take only the moves of players whose name contains this
    #[arg(long, value_name = "NAME")]
    pub player: Option<String>,
    /// Take only the moves of one side
    #[arg(long, value_name = "SIDE")]
    pub side: Option<Side>,
}

/// The number of games of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameCount {
    /// Games that were used.
    pub used: u64,
    /// Games that the filter left out, or that have no result where results matter.
    pub filtered: u64,
    /// Invalid games.
    pub faulty: u64,
    /// Pieces of text that are not games.
    pub other: u64,
}

impl GameCount {
    /// Returns whether there is text, but no game.
    fn is_other_text(self) -> bool {
        self.other > 0 && self.used + self.filtered + self.faulty == 0
    }
}

/// Adds the games of a file; of standard input when the path is `-`. Invalid games are left out.
///
/// # Errors
/// Fails when the file cannot be read, or is other text.
pub fn add(
    builder: &mut BookBuilder,
    path: &Path,
    filter: &GameFilter,
    weight_by: WeightBy,
) -> Result<GameCount, BookToolError> {
    let (input, length): (Box<dyn Read>, Option<u64>) = if path == Path::new("-") {
        (Box::new(io::stdin().lock()), None)
    } else {
        let file = File::open(path).of_file(path)?;
        let length = file.metadata().of_file(path)?.len();
        (Box::new(file), Some(length))
    };
    let progress = Progress::new(length, 0);
    let counted = ProgressReader {
        input,
        length,
        done: 0,
        progress: &progress,
    };
    let source = input::buffered(counted).of_file(path)?;
    let mut reader = PgnReader::main_lines(source);
    let mut count = GameCount::default();
    loop {
        let mut complain = |complaint: &str| {
            count.other += 1;
            progress.say(&format!("left out: {}: {complaint}", path.display()));
        };
        let Some((game, _)) = reader.next_game(&mut complain).of_file(path)? else {
            break;
        };
        match game.faults.first() {
            Some(fault) => {
                count.faulty += 1;
                let (path, number) = (path.display(), game.number);
                progress.say(&format!("left out: {path}: game {number}: {fault}"));
            }
            None if add_game(builder, &game, filter, weight_by) => count.used += 1,
            None => count.filtered += 1,
        }
    }
    if count.is_other_text() {
        let path = path.to_owned();
        let expected = "games in PGN";
        return Err(BookToolError::OtherKind { path, expected });
    }
    Ok(count)
}

/// Tells the progress what has been read.
struct ProgressReader<'a> {
    input: Box<dyn Read>,
    length: Option<u64>,
    done: u64,
    progress: &'a Progress,
}

impl Read for ProgressReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.done += count as u64;
        let length = self.length.map(|length| format!(" of {length}"));
        let message = format!("{}{} bytes of games", self.done, length.unwrap_or_default());
        self.progress.set(self.done, message);
        Ok(count)
    }
}

/// Adds the moves of a game. Returns false if the filter leaves the game out.
fn add_game(
    builder: &mut BookBuilder,
    game: &PgnGame,
    filter: &GameFilter,
    weight_by: WeightBy,
) -> bool {
    let elo = ["WhiteElo", "BlackElo"].map(|name| {
        let rating = game.tag(name)?.trim().parse().ok();
        rating.filter(|&rating| rating <= MAX_RATING)
    });
    let outcome = game.outcome();
    let has_result = outcome.is_known() || weight_by == WeightBy::Games;
    let is_rated = filter.min_elo.is_none() || elo.iter().all(|&elo| elo >= filter.min_elo);
    if !has_result || !is_rated || game.main_line.moves.len() < filter.min_plies.max(1) {
        return false;
    }
    let is_wanted = |name: &str| {
        let name = game.tag(name).unwrap_or_default().to_lowercase();
        let wanted = filter.player.as_ref();
        wanted.is_none_or(|wanted| name.contains(&wanted.to_lowercase()))
    };
    let (white, black) = (is_wanted("White"), is_wanted("Black"));
    let mut used = false;
    // Games that repeat positions count once for each move.
    let mut counted = HashSet::new();
    for (position, m) in game.replay().take(filter.max_ply) {
        let side = position.turn();
        if !side.fold_wb(white, black) || filter.side.is_some_and(|wanted| wanted.color() != side) {
            continue;
        }
        used = true;
        let half_points = match outcome.winner() {
            Some(winner) => 2 * u32::from(winner == side),
            None => u32::from(outcome.is_known()),
        };
        let stats = MoveStats {
            games: 1,
            results: u32::from(outcome.is_known()),
            half_points,
            weight: weight(half_points, elo, weight_by),
            is_required: false,
        };
        let (key, code) = (key(&position), move_code(m));
        if counted.insert((key, code)) {
            builder.add(key, code, stats);
        }
    }
    used
}

/// Returns the weight of a move in a game between players with these ratings.
fn weight(half_points: u32, elo: [Option<u32>; 2], weight_by: WeightBy) -> f64 {
    let score = f64::from(half_points);
    match weight_by {
        WeightBy::Games => 1.0,
        WeightBy::Score => score,
        WeightBy::Rating => {
            let known: Vec<f64> = elo.iter().flatten().map(|&elo| f64::from(elo)).collect();
            let above = match known.len() {
                0 => 0.0,
                count => known.iter().sum::<f64>() / count as f64 - RATING_BASE,
            };
            // The factor keeps the weights of weak games apart when they become whole numbers.
            100.0 * score * (above / RATING_DOUBLES).exp2()
        }
    }
}
