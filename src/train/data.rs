//! Games read from files, once, into positions in memory.

#![deny(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

use std::fmt;
use std::fs::{self, File};
use std::io::BufReader;
use std::ops::AddAssign;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::error::TrainError;
use super::sample::Sample;
use super::settings::Settings;
use crate::eval::Evaluator;
use crate::eval::nnue::checksum;
use crate::games::{Game, GameError, ReadError, Reader, Unusable, filter};
use crate::position::Position;
use crate::random::{Random, mix};

/// What files of games are called.
pub const EXTENSIONS: [&str; 3] = ["viri", "vf", "viriformat"];
/// Games that are decoded at a time.
const GAMES_AT_ONCE: usize = 4096;

/// How many positions there are and why some are not used.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Counts {
    /// Games read.
    pub games: u64,
    /// Positions in them.
    pub recorded: u64,
    /// Positions to learn from.
    pub training: u64,
    /// Positions of games held out.
    pub validation: u64,
    /// Positions around those of the games, to learn the teacher's evaluation from.
    pub distilled: u64,
    /// Not used: the first position of a game, whose score is that of another search.
    pub first: u64,
    /// Not used: the side to move is in check.
    pub in_check: u64,
    /// Not used: the move played captures or promotes.
    pub noisy: u64,
    /// Not used: a mate or a tablebase result.
    pub decided: u64,
    /// Not used: fewer than four men.
    pub few_men: u64,
}

impl Counts {
    fn leave_out(&mut self, reason: Unusable) {
        *match reason {
            Unusable::First => &mut self.first,
            Unusable::InCheck => &mut self.in_check,
            Unusable::Noisy => &mut self.noisy,
            Unusable::Decided => &mut self.decided,
            Unusable::FewMen => &mut self.few_men,
        } += 1;
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.games += other.games;
        self.recorded += other.recorded;
        self.training += other.training;
        self.validation += other.validation;
        self.distilled += other.distilled;
        self.first += other.first;
        self.in_check += other.in_check;
        self.noisy += other.noisy;
        self.decided += other.decided;
        self.few_men += other.few_men;
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let used = self.training + self.validation;
        write!(
            f,
            "{} games, {} positions recorded, {} used ({:.1} %): {} to learn from, {} held out; not used: {} in check, \
             {} noisy, {} decided, {} with few men, {} first of a game; {} distilled",
            self.games,
            self.recorded,
            used,
            100.0 * used as f64 / self.recorded.max(1) as f64,
            self.training,
            self.validation,
            self.in_check,
            self.noisy,
            self.decided,
            self.few_men,
            self.first,
            self.distilled,
        )
    }
}

/// Positions to learn from, and others to judge by.
#[derive(Debug, Default)]
pub struct DataSet {
    /// To learn from.
    pub training: Vec<Sample>,
    /// Of games held out.
    pub validation: Vec<Sample>,
    /// How many were read and used.
    pub counts: Counts,
}

impl DataSet {
    /// Reads games from files, and from folders of files, as the settings want them. `progress` is told of each file when it
    /// has been read.
    ///
    /// # Errors
    /// When a file cannot be read, is cut off, or holds anything that is not a legal game.
    pub fn read(
        paths: &[PathBuf],
        settings: &Settings,
        progress: &mut dyn FnMut(&Path, &Counts),
    ) -> Result<DataSet, TrainError> {
        let mut data = DataSet::default();
        let network = if settings.distill > 0.0 {
            settings.teacher.load()?
        } else {
            None
        };
        let teacher = Evaluator::new(network.as_ref());
        for path in files(paths)? {
            data.read_file(&path, settings, teacher, Use::Learn)?;
            progress(&path, &data.counts);
            if data.training.len() >= settings.max_positions {
                data.training.truncate(settings.max_positions);
                let played = data.training.iter().filter(|s| s.result().is_some());
                data.counts.training = played.count() as u64;
                data.counts.distilled = data.training.len() as u64 - data.counts.training;
                break;
            }
        }
        Ok(data)
    }

    /// Reads files and folders of games to judge by, and leaves what has been read to be learnt from as it is.
    ///
    /// # Errors
    /// As [`DataSet::read`].
    pub fn read_to_judge_by(
        &mut self,
        paths: &[PathBuf],
        settings: &Settings,
        progress: &mut dyn FnMut(&Path, &Counts),
    ) -> Result<(), TrainError> {
        let settings = Settings {
            distill: 0.0,
            ..settings.clone()
        };
        for path in files(paths)? {
            self.read_file(&path, &settings, Evaluator::Classical, Use::Judge)?;
            progress(&path, &self.counts);
        }
        Ok(())
    }

    fn read_file(
        &mut self,
        path: &Path,
        settings: &Settings,
        teacher: Evaluator<'_>,
        purpose: Use,
    ) -> Result<(), TrainError> {
        let is_full =
            |data: &DataSet| purpose == Use::Learn && data.training.len() >= settings.max_positions;
        let file = File::open(path).map_err(TrainError::io(path))?;
        let mut reader = Reader::new(BufReader::with_capacity(1 << 20, file));
        loop {
            let games = next_games(&mut reader, path)?;
            if games.is_empty() || is_full(self) {
                return Ok(());
            }
            let decoded: Vec<_> = games
                .par_iter()
                .map(|(offset, bytes)| {
                    decode(bytes, settings, teacher).map_err(|error| (*offset, error))
                })
                .collect();
            for ((_, bytes), game) in games.iter().zip(decoded) {
                let game = game.map_err(|(offset, source)| TrainError::Game {
                    path: path.to_owned(),
                    offset: offset + source.offset() as u64,
                    source,
                })?;
                let held_out = purpose == Use::Judge || is_held_out(bytes, settings.validation);
                self.add(game, held_out);
            }
        }
    }

    fn add(&mut self, game: Decoded, held_out: bool) {
        let mut counts = game.counts;
        if held_out {
            counts.validation = game.played.len() as u64;
            self.validation.extend(game.played);
        } else {
            counts.training = game.played.len() as u64;
            counts.distilled = game.distilled.len() as u64;
            self.training.extend(game.played);
            self.training.extend(game.distilled);
        }
        self.counts += counts;
    }

    /// A number that depends on the positions to learn from and on their order.
    pub fn fingerprint(&self) -> u64 {
        // Each part's hash is independent of the others, so that they can be computed at the same time.
        let parts: Vec<u8> = self
            .training
            .par_chunks(1 << 16)
            .flat_map_iter(|part| {
                let hash = part.iter().fold(0_u64, |hash, sample| {
                    hash.rotate_left(5) ^ sample.fingerprint()
                });
                hash.to_le_bytes()
            })
            .collect();
        checksum(&parts)
    }
}

/// What a file's games are for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// To learn from, but for those held out.
    Learn,
    /// All of them to judge by.
    Judge,
}

/// The files meant: those named, and for each folder its files of games in the order of their names.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, TrainError> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let mut inside = Vec::new();
        for entry in fs::read_dir(path).map_err(TrainError::io(path))? {
            let file = entry.map_err(TrainError::io(path))?.path();
            let extension = file.extension().and_then(|extension| extension.to_str());
            if extension.is_some_and(|extension| EXTENSIONS.contains(&extension)) {
                inside.push(file);
            }
        }
        if inside.is_empty() {
            return Err(TrainError::EmptyFolder { path: path.clone() });
        }
        inside.sort_unstable();
        files.extend(inside);
    }
    Ok(files)
}

/// The next games of a file with their places in it; none at its end.
fn next_games(
    reader: &mut Reader<BufReader<File>>,
    path: &Path,
) -> Result<Vec<(u64, Vec<u8>)>, TrainError> {
    let mut games = Vec::new();
    while games.len() < GAMES_AT_ONCE {
        let bytes = match reader.next_game() {
            Ok(Some(bytes)) => bytes.to_vec(),
            Ok(None) => break,
            Err(ReadError::Io(source)) => return Err(TrainError::io(path)(source)),
            Err(ReadError::Cut) => {
                return Err(TrainError::Cut {
                    path: path.to_owned(),
                    offset: reader.offset(),
                });
            }
        };
        games.push((reader.offset(), bytes));
    }
    Ok(games)
}

/// Whether a game is one to judge by. It depends on the game alone, so that no game changes sides when others are added.
fn is_held_out(bytes: &[u8], share: f64) -> bool {
    let number = mix(checksum(bytes));
    ((number >> 11) as f64) < share * (1_u64 << 53) as f64
}

/// What there is to learn from a game.
struct Decoded {
    /// Its positions that are worth learning.
    played: Vec<Sample>,
    /// Positions around them, with the teacher's values.
    distilled: Vec<Sample>,
    counts: Counts,
}

fn decode(bytes: &[u8], settings: &Settings, teacher: Evaluator<'_>) -> Result<Decoded, GameError> {
    let game = Game::from_bytes(bytes)?;
    let mut decoded = Decoded {
        played: Vec::with_capacity(game.moves.len()),
        distilled: Vec::with_capacity((game.moves.len() as f64 * settings.distill) as usize),
        counts: Counts {
            games: 1,
            recorded: game.moves.len() as u64,
            ..Counts::default()
        },
    };
    let scores = outlooks(&game, settings);
    let mut random = Random::new(checksum(bytes));
    game.replay(|ply, position, scored| {
        match filter::unusable(ply, position, scored) {
            Some(reason) => decoded.counts.leave_out(reason),
            None => {
                let score = scores.get(ply).copied().unwrap_or(scored.score);
                let sample = Sample::new(position, score, Some(game.result));
                decoded.played.extend(sample);
            }
        }
        let count = settings.distill as u32 + u32::from(random.chance(settings.distill.fract()));
        let around = (0..count).filter_map(|_| position_around(position, teacher, &mut random));
        decoded.distilled.extend(around);
    })?;
    Ok(decoded)
}

/// The lambda-return of each position, as White's centipawns; nothing when positions keep their own scores.
fn outlooks(game: &Game, settings: &Settings) -> Vec<i16> {
    /// No score is nearer to a won or a lost game.
    const NEAREST: f64 = 1e-5;
    let (lambda, scale) = (settings.lambda, f64::from(settings.scale));
    if lambda == 0.0 {
        return Vec::new();
    }
    let mut expected = game.result.points();
    let mut outlooks = Vec::with_capacity(game.moves.len());
    for scored in game.moves.iter().rev() {
        let own = 1.0 / (1.0 + (-f64::from(scored.score) / scale).exp());
        expected = lambda * expected + (1.0 - lambda) * own;
        let likely = expected.clamp(NEAREST, 1.0 - NEAREST);
        outlooks.push((scale * (likely / (1.0 - likely)).ln()) as i16);
    }
    outlooks.reverse();
    outlooks
}

/// Returns a position one or two random moves away, with the teacher's value for a score.
fn position_around(
    position: &Position,
    teacher: Evaluator<'_>,
    random: &mut Random,
) -> Option<Sample> {
    let mut position = position.clone();
    for _ in 0..1 + random.below(2) {
        let moves = position.legal_moves();
        position = position.play(*moves.get(random.below(moves.len()))?);
    }
    if position.in_check() || !position.has_legal_move() {
        return None;
    }
    let value = position.turn().fold_wb(1, -1) * teacher.evaluate(&position);
    Sample::new(&position, i16::try_from(value).ok()?, None)
}
