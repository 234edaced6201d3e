//! Labels: what others than the games say of their positions and of neighbours: a teacher outside
//! of this program, or searches.
//!
//! A file of labels lies beside its file of games and has the extension `labels`. For each position
//! of the games, in their order, it contains
//!
//! ```text
//! i16       the value of the position
//! N x i16   the values of its neighbours, in the order in which `records` writes them after it
//! ```
//!
//! little-endian, in centipawns for the side to move, or -32,768 where there is none.

use std::fs;
use std::path::{Path, PathBuf};

use super::data::{expectation, score_of};
use super::error::TrainError;
use super::neighbours::{neighbour_random, neighbours};
use super::sample::Sample;
use super::settings::Settings;
use crate::games::filter::Filter;
use crate::games::{GameError, RecordedGame};
use crate::position::Position;

/// The file extension.
pub const EXTENSION: &str = "labels";

/// The size of a label in bytes.
pub const BYTES: usize = 2;

/// Takes the place of a label where there is none.
const NONE: i16 = i16::MIN;

/// Returns the bytes of a game's labels: none for its own positions, and for up to `count`
/// neighbours of each that training uses the `value` in centipawns for the side to move, if there
/// is one.
///
/// # Errors
/// Fails when the bytes are not a legal game.
pub fn of_neighbours(
    bytes: &[u8],
    count: usize,
    mut value: impl FnMut(&Position) -> Option<i16>,
) -> Result<Vec<u8>, GameError> {
    let game = RecordedGame::from_bytes(bytes)?;
    let mut random = neighbour_random(bytes);
    let mut filter = Filter::default();
    let mut labels = Vec::with_capacity(game.moves.len() * (1 + count));
    game.replay(|ply, position, scored| {
        labels.push(NONE);
        let next = labels.len() + count;
        if filter.is_usable(ply, position, scored) {
            let near = neighbours(position, scored.m, count, &mut random);
            labels.extend(near.iter().map(|near| value(near).unwrap_or(NONE)));
        }
        labels.resize(next, NONE);
    })?;
    Ok(labels
        .iter()
        .flat_map(|label| label.to_le_bytes())
        .collect())
}

/// The labels of a game.
#[derive(Clone, Debug)]
pub(super) struct GameLabels {
    values: Vec<i16>,
    /// The numbers for each position: its own and its neighbours'.
    each: usize,
}

impl GameLabels {
    /// Returns the label of a position, and the places of its neighbours'.
    fn at(&self, ply: usize) -> (Option<i16>, &[i16]) {
        let labels = self.values.get(ply * self.each..(ply + 1) * self.each);
        match labels {
            Some([own, others @ ..]) => (some(*own), others),
            _ => (None, &[]),
        }
    }

    /// Returns a position of the game with a mean of its score and its label, weighted as
    /// expectations.
    pub(super) fn mix_into(&self, ply: usize, sample: Sample, settings: &Settings) -> Sample {
        let (Some(label), _) = self.at(ply) else {
            return sample;
        };
        let scale = f64::from(settings.scale);
        let [taught, found] = [label, sample.score()].map(|score| expectation(score, scale));
        let mean = settings.labels * taught + (1.0 - settings.labels) * found;
        sample.with_score(score_of(mean, scale))
    }

    /// Returns those neighbours of a position that have labels, with these.
    pub(super) fn of_neighbours(
        &self,
        ply: usize,
        near: &[Position],
    ) -> impl Iterator<Item = Sample> {
        let (_, labels) = self.at(ply);
        let labelled = near.iter().zip(labels);
        labelled
            .filter_map(|(near, label)| Some(Sample::new(near, 0, None)?.with_score(some(*label)?)))
    }
}

fn some(label: i16) -> Option<i16> {
    (label != NONE).then_some(label)
}

/// Brings a label to the scale of the games.
fn rescale(label: i16, settings: &Settings) -> i16 {
    if label == NONE || settings.label_scale == 0 {
        return label;
    }
    let factor = f64::from(settings.scale) / f64::from(settings.label_scale);
    let most = f64::from(i16::MAX);
    (f64::from(label) * factor).round().clamp(-most, most) as i16
}

/// The labels beside a file of games.
#[derive(Debug)]
pub(super) struct Labels {
    path: PathBuf,
    values: Vec<i16>,
    each: usize,
    /// The number of positions that have been passed on.
    used: usize,
}

impl Labels {
    /// Reads the labels of a file of games, and brings them to the scale of the games.
    ///
    /// # Errors
    /// Fails when there is no such file.
    pub(super) fn beside(games: &Path, settings: &Settings) -> Result<Labels, TrainError> {
        let path = games.with_extension(EXTENSION);
        let bytes = fs::read(&path).map_err(TrainError::io(&path))?;
        let neighbours = settings.neighbours;
        let each = 1 + neighbours;
        if !bytes.len().is_multiple_of(2 * each) {
            return Err(TrainError::CutLabels { path, neighbours });
        }
        let (values, _) = bytes.as_chunks();
        Ok(Labels {
            path,
            values: (values.iter().copied())
                .map(|label| rescale(i16::from_le_bytes(label), settings))
                .collect(),
            each,
            used: 0,
        })
    }

    /// Returns the labels of the next game.
    ///
    /// # Errors
    /// Fails when there are too few.
    pub(super) fn next(&mut self, positions: usize) -> Result<GameLabels, TrainError> {
        let end = self.used + positions;
        let Some(values) = self.values.get(self.used * self.each..end * self.each) else {
            return Err(self.mismatch(end));
        };
        self.used = end;
        Ok(GameLabels {
            values: values.to_vec(),
            each: self.each,
        })
    }

    /// Checks that all labels have been passed on.
    ///
    /// # Errors
    /// Fails when there are more labels than positions.
    pub(super) fn finish(self) -> Result<(), TrainError> {
        match self.used * self.each == self.values.len() {
            true => Ok(()),
            false => Err(self.mismatch(self.used)),
        }
    }

    fn mismatch(&self, positions: usize) -> TrainError {
        TrainError::Labels {
            path: self.path.clone(),
            labels: self.values.len() / self.each,
            positions,
            neighbours: self.each - 1,
        }
    }
}
