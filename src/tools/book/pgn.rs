//! Games, in PGN: read as a stream, so that a file may be of any size.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::ops::ControlFlow;
use std::path::Path;

use pgn_reader::{RawTag, SanPlus, Visitor};
use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, Color, EnPassantMode, Outcome, Position as _};

use super::BookToolError;
use super::build::{Side, WeightBy};
use super::draft::{Draft, Tally};
use crate::book::entry::move_code;
use crate::position::{Move, notation};
use crate::tools::kit::pgn_splitter::Splitter;
use crate::tools::kit::progress::Progress;

/// At this rating a game counts once when weights follow ratings.
const RATING_BASE: f64 = 2000.0;
/// So many points more, and it counts twice.
const RATING_DOUBLES: f64 = 200.0;

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

/// How many games there were.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameCount {
    /// Games that were used.
    pub used: u64,
    /// Games that the filter left out, or that have no result.
    pub filtered: u64,
    /// Games that make no sense.
    pub faulty: u64,
}

/// Adds the games of a file; of standard input when the path is `-`. A game that makes no sense is left out.
///
/// # Errors
/// When the file cannot be read.
pub fn add(
    draft: &mut Draft,
    path: &Path,
    filter: &GameFilter,
    weight_by: WeightBy,
) -> Result<GameCount, BookToolError> {
    let failed = |source| BookToolError::io(path, source);
    let (input, length): (Box<dyn Read>, Option<u64>) = if path == Path::new("-") {
        (Box::new(io::stdin().lock()), None)
    } else {
        let file = File::open(path).map_err(failed)?;
        let length = file.metadata().map_err(failed)?.len();
        (Box::new(file), Some(length))
    };
    let progress = Progress::new(length, 0);
    let counted = Counted {
        input,
        length,
        done: 0,
        progress: &progress,
    };
    let mut splitter = Splitter::new(BufReader::with_capacity(1 << 20, counted));
    let mut games = Games {
        draft,
        filter,
        weight_by,
    };
    let mut count = GameCount::default();
    let mut number = 0_u64;
    loop {
        let raw = match splitter.next_game() {
            Ok(None) => return Ok(count),
            Ok(Some(raw)) => Ok(raw),
            // A game without an end. The splitter has gone on behind what it had read of it.
            Err(error) if error.kind() == io::ErrorKind::InvalidData => Err(error),
            Err(source) => return Err(failed(source)),
        };
        number += 1;
        let used = raw.and_then(|raw| raw.read(&mut games));
        match used.unwrap_or_else(|error| Some(Err(error.to_string()))) {
            None => {}
            Some(Ok(true)) => count.used += 1,
            Some(Ok(false)) => count.filtered += 1,
            Some(Err(reason)) => {
                count.faulty += 1;
                progress.say(&format!(
                    "left out: {}: game {number}: {reason}",
                    path.display()
                ));
            }
        }
    }
}

/// Tells the progress what has been read.
struct Counted<'a> {
    input: Box<dyn Read>,
    length: Option<u64>,
    done: u64,
    progress: &'a Progress,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.done += count as u64;
        let length = self.length.map(|length| format!(" of {length}"));
        let message = format!("{}{} bytes of games", self.done, length.unwrap_or_default());
        self.progress.set(self.done, message);
        Ok(count)
    }
}

/// Whether a game was used, or what is wrong with it.
type Used = Result<bool, String>;

/// Puts games into a draft.
struct Games<'a> {
    draft: &'a mut Draft,
    filter: &'a GameFilter,
    weight_by: WeightBy,
}

/// What the tags of a game say.
#[derive(Default)]
struct Tags {
    fen: Option<String>,
    chess960: bool,
    /// A variant of chess that this engine does not play.
    other_variant: Option<String>,
    outcome: Option<Outcome>,
    // [White, Black]
    elo: [Option<u32>; 2],
    names: [String; 2],
}

/// A game so far.
struct Game {
    tags: Tags,
    position: Chess,
    plies: usize,
    /// The side that moved, the key before the move, and the move.
    moves: Vec<(Color, u64, u16)>,
}

impl Visitor for Games<'_> {
    type Tags = Tags;
    type Movetext = Game;
    type Output = Used;

    fn begin_tags(&mut self) -> ControlFlow<Used, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(&mut self, tags: &mut Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Used> {
        let text = value.decode_utf8_lossy();
        let [white_elo, black_elo] = &mut tags.elo;
        let [white, black] = &mut tags.names;
        match name {
            b"FEN" => tags.fen = Some(text.into_owned()),
            b"Variant" => match text.to_ascii_lowercase().replace([' ', '-'], "").as_str() {
                "standard" | "chess" | "normal" | "fromposition" => {}
                "chess960" | "fischerandom" | "fischerrandom" | "freestyle" => tags.chess960 = true,
                _ => tags.other_variant = Some(text.into_owned()),
            },
            b"Result" => tags.outcome = Outcome::from_ascii(text.as_bytes()).ok(),
            b"WhiteElo" => *white_elo = text.trim().parse().ok(),
            b"BlackElo" => *black_elo = text.trim().parse().ok(),
            b"White" => *white = text.into_owned(),
            b"Black" => *black = text.into_owned(),
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Used, Game> {
        if let Some(variant) = &tags.other_variant {
            return ControlFlow::Break(Err(format!("the variant {variant:?} is not known")));
        }
        let low = |elo: &Option<u32>| *elo < self.filter.min_elo;
        if self.filter.min_elo.is_some() && tags.elo.iter().any(low) {
            return ControlFlow::Break(Ok(false));
        }
        let position = match &tags.fen {
            None => Chess::default(),
            Some(fen) => match notation::parse_fen(fen, tags.chess960) {
                Ok(parsed) => parsed.position.chess().clone(),
                Err(error) => return ControlFlow::Break(Err(error.to_string())),
            },
        };
        ControlFlow::Continue(Game {
            tags,
            position,
            plies: 0,
            moves: Vec::new(),
        })
    }

    fn san(&mut self, game: &mut Game, san: SanPlus) -> ControlFlow<Used> {
        game.plies += 1;
        // Behind what is taken, moves are only counted.
        if game.moves.len() >= self.filter.max_ply {
            return ControlFlow::Continue(());
        }
        let m = match san.san.to_move(&game.position) {
            Ok(m) => m,
            Err(error) => {
                return ControlFlow::Break(Err(format!("ply {}: {error}: {san}", game.plies)));
            }
        };
        let key = game
            .position
            .zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal)
            .0;
        let code = move_code(Move::from_shakmaty(m));
        game.moves.push((game.position.turn(), key, code));
        game.position.play_unchecked(m);
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, game: &mut Game, outcome: Outcome) -> ControlFlow<Used> {
        if outcome.is_known() {
            game.tags.outcome = Some(outcome);
        }
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: Game) -> Used {
        Ok(self.add_game(&game))
    }
}

impl Games<'_> {
    fn add_game(&mut self, game: &Game) -> bool {
        let outcome = game.tags.outcome.unwrap_or(Outcome::Unknown);
        let has_result = outcome.is_known() || self.weight_by == WeightBy::Games;
        if !has_result || game.plies < self.filter.min_plies.max(1) {
            return false;
        }
        let is_player = |name: &String| {
            let wanted = self.filter.player.as_ref();
            wanted.is_none_or(|wanted| name.to_lowercase().contains(&wanted.to_lowercase()))
        };
        let [white, black] = game.tags.names.each_ref().map(is_player);
        let mut used = false;
        for &(side, key, code) in &game.moves {
            let by_player = if side.is_white() { white } else { black };
            if !by_player
                || self
                    .filter
                    .side
                    .is_some_and(|wanted| wanted.color() != side)
            {
                continue;
            }
            used = true;
            let half_points = match outcome.winner() {
                Some(winner) => 2 * u32::from(winner == side),
                None => u32::from(outcome.is_known()),
            };
            let tally = Tally {
                games: 1,
                half_points,
                weight: self.weight(half_points, &game.tags),
                named: false,
            };
            self.draft.add(key, code, tally);
        }
        used
    }

    fn weight(&self, half_points: u32, tags: &Tags) -> f64 {
        let score = f64::from(half_points);
        match self.weight_by {
            WeightBy::Games => 1.0,
            WeightBy::Score => score,
            WeightBy::Rating => {
                let known: Vec<f64> = tags
                    .elo
                    .iter()
                    .flatten()
                    .map(|&elo| f64::from(elo))
                    .collect();
                let mean = known.iter().sum::<f64>() / known.len().max(1) as f64;
                let above = if known.is_empty() {
                    0.0
                } else {
                    mean - RATING_BASE
                };
                // The hundred keeps weak games apart when weights become whole numbers.
                100.0 * score * (above / RATING_DOUBLES).exp2()
            }
        }
    }
}
