//! Reads games into positions in memory.

#![deny(clippy::indexing_slicing)]

use std::collections::HashSet;
use std::fmt;
use std::fs::{self, File};
use std::io::BufReader;
use std::ops::AddAssign;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::error::TrainError;
use super::labels::{GameLabels, Labels};
use super::neighbours::{neighbour_random, neighbours};
use super::sample::Sample;
use super::settings::Settings;
use super::siblings::{SiblingPair, sibling_pair};
use crate::eval::Evaluator;
use crate::eval::nnue::checksum;
use crate::games::reader::move_count;
use crate::games::{GameError, ReadError, Reader, RecordedGame, Unusable, filter::Filter};
use crate::position::Position;
use crate::random::{Random, mix, unit};
use crate::wdl::logistic;

/// The file extensions of game files.
pub const EXTENSIONS: [&str; 3] = ["viri", "vf", "viriformat"];
/// The number of games decoded at a time.
const GAMES_AT_ONCE: usize = 4096;

/// The numbers of positions read, used and skipped.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct DataCounts {
    /// Games read.
    pub games: u64,
    /// Positions in these games.
    pub recorded: u64,
    /// Positions for training.
    pub training: u64,
    /// Positions of games held out for validation.
    pub validation: u64,
    /// Positions around those of the games, with the values or labels of a teacher.
    pub distilled: u64,
    /// Pairs of siblings, for training and validation.
    pub siblings: u64,
    /// Skipped: the first position of a game, which another search has scored.
    pub first: u64,
    /// Skipped: the side to move is in check.
    pub in_check: u64,
    /// Skipped: the move played is a capture or a promotion.
    pub noisy: u64,
    /// Skipped: the score is a mate or a tablebase result.
    pub decided: u64,
    /// Skipped: fewer than four pieces are left.
    pub few_pieces: u64,
    /// Skipped: the position has occurred before in the game.
    pub repeated: u64,
}

impl DataCounts {
    fn leave_out(&mut self, reason: Unusable) {
        *match reason {
            Unusable::First => &mut self.first,
            Unusable::InCheck => &mut self.in_check,
            Unusable::Noisy => &mut self.noisy,
            Unusable::Decided => &mut self.decided,
            Unusable::FewPieces => &mut self.few_pieces,
            Unusable::Repeated => &mut self.repeated,
        } += 1;
    }
}

impl AddAssign for DataCounts {
    fn add_assign(&mut self, other: DataCounts) {
        self.games += other.games;
        self.recorded += other.recorded;
        self.training += other.training;
        self.validation += other.validation;
        self.distilled += other.distilled;
        self.siblings += other.siblings;
        self.first += other.first;
        self.in_check += other.in_check;
        self.noisy += other.noisy;
        self.decided += other.decided;
        self.few_pieces += other.few_pieces;
        self.repeated += other.repeated;
    }
}

impl fmt::Display for DataCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let used = self.training + self.validation;
        write!(
            f,
            "{} games, {} positions recorded, {} used ({:.1} %): {} for training, {} held out; skipped: {} in check, \
             {} noisy, {} decided, {} with few pieces, {} repeated, {} first of a game; {} distilled, {} pairs of siblings",
            self.games,
            self.recorded,
            used,
            100.0 * used as f64 / self.recorded.max(1) as f64,
            self.training,
            self.validation,
            self.in_check,
            self.noisy,
            self.decided,
            self.few_pieces,
            self.repeated,
            self.first,
            self.distilled,
            self.siblings,
        )
    }
}

/// The positions for training and validation.
#[derive(Debug, Default)]
pub struct DataSet {
    /// The positions for training.
    pub training: Vec<Sample>,
    /// The positions for validation, from games that are not used for training.
    pub validation: Vec<Sample>,
    /// Siblings of which the search chose the first, for training.
    pub training_siblings: Vec<SiblingPair>,
    /// Siblings for validation.
    pub validation_siblings: Vec<SiblingPair>,
    /// The numbers of positions read and used.
    pub counts: DataCounts,
}

impl DataSet {
    /// Reads game files, and folders of them, according to the settings. Those of `validation` are
    /// held out as a whole, and left out of training if they are among the others. Calls `progress`
    /// after each file with what was read of it.
    ///
    /// # Errors
    /// Fails when a file is given twice, cannot be read, is truncated, or contains anything
    /// but legal games.
    pub fn read(
        paths: &[PathBuf],
        validation: &[PathBuf],
        settings: &Settings,
        progress: &mut dyn FnMut(&Path, &DataCounts),
    ) -> Result<DataSet, TrainError> {
        let (mut training, validation) = (files(paths)?, files(validation)?);
        let held_out: HashSet<PathBuf> = validation.iter().map(|path| resolved(path)).collect();
        training.retain(|path| !held_out.contains(&resolved(path)));
        let mut data = DataSet::default();
        let network = if settings.distill > 0.0 {
            settings.teacher.load()?
        } else {
            None
        };
        let teacher = Evaluator::new(network.as_ref());
        for path in training {
            let counts = data.read_file(&path, settings, teacher, Purpose::Train)?;
            progress(&path, &counts);
            if data.training.len() >= settings.max_positions {
                data.training.truncate(settings.max_positions);
                let played = data.training.iter().filter(|s| s.result().is_some());
                data.counts.training = played.count() as u64;
                data.counts.distilled = data.training.len() as u64 - data.counts.training;
                break;
            }
        }
        let settings = Settings {
            distill: 0.0,
            ..settings.clone()
        };
        for path in validation {
            let counts =
                data.read_file(&path, &settings, Evaluator::Classical, Purpose::Validate)?;
            progress(&path, &counts);
        }
        Ok(data)
    }

    /// Reads a file, and returns the numbers of its positions.
    fn read_file(
        &mut self,
        path: &Path,
        settings: &Settings,
        teacher: Evaluator<'_>,
        purpose: Purpose,
    ) -> Result<DataCounts, TrainError> {
        let mut counts = DataCounts::default();
        let is_full = |data: &DataSet| {
            purpose == Purpose::Train && data.training.len() >= settings.max_positions
        };
        let file = File::open(path).map_err(TrainError::io(path))?;
        let mut reader = Reader::new(BufReader::with_capacity(1 << 20, file));
        let mut labels = match settings.labels {
            0.0 => None,
            _ => Some(Labels::beside(path, settings)?),
        };
        loop {
            let games = next_games(&mut reader, path)?;
            if games.is_empty() || is_full(self) {
                if let Some(labels) = labels.filter(|_| games.is_empty()) {
                    labels.finish()?;
                }
                self.counts += counts;
                return Ok(counts);
            }
            let mut labels_of = |bytes: &[u8]| match &mut labels {
                None => Ok(None),
                Some(labels) => labels.next(move_count(bytes)).map(Some),
            };
            let labelled = games
                .iter()
                .map(|(offset, bytes)| Ok((*offset, bytes, labels_of(bytes)?)))
                .collect::<Result<Vec<_>, TrainError>>()?;
            let decoded: Vec<_> = labelled
                .par_iter()
                .map(|(offset, bytes, labels)| {
                    decode(bytes, labels.as_ref(), settings, teacher)
                        .map_err(|error| (*offset, error))
                })
                .collect();
            for ((_, bytes), game) in games.iter().zip(decoded) {
                let game = game.map_err(|(offset, source)| TrainError::Game {
                    path: path.to_owned(),
                    offset: offset + source.offset() as u64,
                    source,
                })?;
                let held_out =
                    purpose == Purpose::Validate || is_held_out(bytes, settings.validation);
                counts += self.add(game, held_out);
            }
        }
    }

    /// Adds the positions of a game, and returns their numbers.
    fn add(&mut self, game: Decoded, held_out: bool) -> DataCounts {
        let mut counts = game.counts;
        counts.siblings = game.siblings.len() as u64;
        if held_out {
            counts.validation = game.played.len() as u64;
            self.validation.extend(game.played);
            self.validation_siblings.extend(game.siblings);
        } else {
            counts.training = game.played.len() as u64;
            counts.distilled = game.distilled.len() as u64;
            self.training.extend(game.played);
            self.training.extend(game.distilled);
            self.training_siblings.extend(game.siblings);
        }
        counts
    }

    /// Returns a hash of what the network learns from, of what is held out, and of the order.
    pub fn fingerprint(&self) -> u64 {
        // The hashes of the parts are independent, so that they can be computed in parallel.
        let hash_of = |samples: &[Sample]| -> Vec<u8> {
            let hash = |part: &[Sample]| {
                let add = |hash: u64, sample: &Sample| hash.rotate_left(5) ^ sample.fingerprint();
                part.iter().fold(0, add).to_le_bytes()
            };
            samples.par_chunks(1 << 16).flat_map_iter(hash).collect()
        };
        let mut parts = hash_of(&self.training);
        parts.extend(hash_of(self.training_siblings.as_flattened()));
        // The games held out decide the last digits of the network file: see `centred`.
        let held_out = [
            hash_of(&self.validation),
            hash_of(self.validation_siblings.as_flattened()),
        ];
        for hash in held_out.iter().filter(|hash| !hash.is_empty()) {
            parts.extend(b"held out");
            parts.extend(hash);
        }
        checksum(&parts)
    }
}

/// The purpose of a file's games.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// Training, except for the share held out.
    Train,
    /// Validation only.
    Validate,
}

/// Returns the named files and, for each named folder, its game files in alphabetical order. None
/// may be named twice.
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
    let mut seen = HashSet::new();
    match files.iter().find(|path| !seen.insert(resolved(path))) {
        Some(twice) => Err(TrainError::Twice(twice.clone())),
        None => Ok(files),
    }
}

/// Returns the absolute path of a file, by which it is known under another name.
fn resolved(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Reads the next games of a file with their offsets; returns none at the end of the file.
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
            Err(error @ (ReadError::Cut | ReadError::TooLong)) => {
                let (path, offset) = (path.to_owned(), reader.offset());
                return Err(match (offset, error) {
                    (0, _) => TrainError::NotGames(path),
                    (_, ReadError::Cut) => TrainError::Cut { path, offset },
                    _ => TrainError::Game {
                        path,
                        offset,
                        source: GameError::TooLong,
                    },
                });
            }
        };
        games.push((reader.offset(), bytes));
    }
    Ok(games)
}

/// Returns whether a game is held out for validation. This depends on the game alone, so that
/// adding games does not move others between the sets.
fn is_held_out(bytes: &[u8], share: f64) -> bool {
    unit(mix(checksum(bytes))) < share
}

/// The positions of a game.
struct Decoded {
    /// The usable positions of the game.
    played: Vec<Sample>,
    /// Positions around these, with the teacher's values.
    distilled: Vec<Sample>,
    /// The children of these and of other moves.
    siblings: Vec<SiblingPair>,
    counts: DataCounts,
}

fn decode(
    bytes: &[u8],
    labels: Option<&GameLabels>,
    settings: &Settings,
    teacher: Evaluator<'_>,
) -> Result<Decoded, GameError> {
    let game = RecordedGame::from_bytes(bytes)?;
    let mut decoded = Decoded {
        played: Vec::with_capacity(game.moves.len()),
        distilled: Vec::with_capacity((game.moves.len() as f64 * settings.distill) as usize),
        siblings: Vec::new(),
        counts: DataCounts {
            games: 1,
            recorded: game.moves.len() as u64,
            ..DataCounts::default()
        },
    };
    let scores = lambda_returns(&game, settings);
    let mut random = Random::new(checksum(bytes));
    let mut sibling_random = Random::of_item(checksum(bytes), 1);
    let mut neighbour_random = neighbour_random(bytes);
    let mut filter = Filter::default();
    game.replay(|ply, position, scored| {
        match filter.unusable(ply, position, scored) {
            Some(reason) => decoded.counts.leave_out(reason),
            None => {
                let score = scores.get(ply).copied().unwrap_or(scored.score);
                let mut sample = Sample::new(position, score, Some(game.result));
                if let Some(labels) = labels {
                    sample = sample.map(|sample| labels.mix_into(ply, sample, settings));
                    let near = neighbours(
                        position,
                        scored.m,
                        settings.neighbours,
                        &mut neighbour_random,
                    );
                    decoded.distilled.extend(labels.of_neighbours(ply, &near));
                }
                decoded.played.extend(sample);
                if settings.ranking > 0.0 {
                    let pair = sibling_pair(position, scored.m, &mut sibling_random);
                    decoded.siblings.extend(pair);
                }
            }
        }
        let count = settings.distill as u32 + u32::from(random.chance(settings.distill.fract()));
        let around = (0..count).filter_map(|_| position_around(position, teacher, &mut random));
        decoded.distilled.extend(around);
    })?;
    Ok(decoded)
}

/// Returns the lambda-return of each position in centipawns for White; empty if positions keep
/// their own scores.
pub(super) fn lambda_returns(game: &RecordedGame, settings: &Settings) -> Vec<i16> {
    let (lambda, scale) = (settings.lambda, f64::from(settings.scale));
    if lambda == 0.0 {
        return Vec::new();
    }
    let mut expected = game.points();
    let mut lambda_returns = Vec::with_capacity(game.moves.len());
    for scored in game.moves.iter().rev() {
        expected = lambda * expected + (1.0 - lambda) * expectation(scored.score, scale);
        lambda_returns.push(score_of(expected, scale));
    }
    lambda_returns.reverse();
    lambda_returns
}

/// Returns the expected points at a score in centipawns, given K.
pub(super) fn expectation(score: i16, scale: f64) -> f64 {
    logistic(f64::from(score) / scale)
}

/// Returns the score in centipawns at which so many points are expected, given K.
pub(super) fn score_of(expected: f64, scale: f64) -> i16 {
    /// The minimum distance of an expectation from 0 and 1.
    const NEAREST: f64 = 1e-5;
    let likely = expected.clamp(NEAREST, 1.0 - NEAREST);
    (scale * (likely / (1.0 - likely)).ln()).round() as i16
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
