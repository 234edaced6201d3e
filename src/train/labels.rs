//! Labels: what a teacher outside of this program says of the positions of games.
//!
//! A file of labels lies beside its file of games and has the extension `labels`. For each position
//! of the games, in their order, it contains
//!
//! ```text
//! i16   the value of the position
//! i16   the value of its sibling, which `records` writes after it
//! ```
//!
//! little-endian, in centipawns for the side to move, or -32,768 where there is none.

use std::fs;
use std::path::{Path, PathBuf};

use super::data::{expectation, score_of};
use super::error::TrainError;
use super::sample::Sample;
use super::settings::Settings;

/// The file extension.
const EXTENSION: &str = "labels";

/// The size of the labels of a position in bytes.
const BYTES: usize = 4;

/// The labels of a position and its sibling, if they have any.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Label {
    own: Option<i16>,
    sibling: Option<i16>,
}

impl Label {
    fn from_bytes(bytes: [u8; BYTES]) -> Label {
        let [own, sibling] = [[bytes[0], bytes[1]], [bytes[2], bytes[3]]]
            .map(|value| Some(i16::from_le_bytes(value)).filter(|value| *value != i16::MIN));
        Label { own, sibling }
    }

    /// Returns the position with a mean of its score and its label, weighted as expectations.
    pub(super) fn mix_into(self, sample: Sample, settings: &Settings) -> Sample {
        let Some(label) = self.own else { return sample };
        let scale = f64::from(settings.scale);
        let [taught, found] = [label, sample.score()].map(|score| expectation(score, scale));
        let mean = settings.labels * taught + (1.0 - settings.labels) * found;
        sample.with_score(score_of(mean, scale))
    }

    /// Returns the sibling with its label, if it has one.
    pub(super) fn of_sibling(self, sibling: Sample) -> Option<Sample> {
        Some(sibling.with_score(self.sibling?))
    }
}

/// The labels beside a file of games.
#[derive(Debug)]
pub(super) struct Labels {
    path: PathBuf,
    labels: Vec<Label>,
    /// How many have been passed on.
    used: usize,
}

impl Labels {
    /// Reads the labels of a file of games.
    ///
    /// # Errors
    /// Returns an error if there is no such file.
    pub(super) fn beside(games: &Path) -> Result<Labels, TrainError> {
        let path = games.with_extension(EXTENSION);
        let bytes = fs::read(&path).map_err(TrainError::io(&path))?;
        let (labels, rest) = bytes.as_chunks::<BYTES>();
        let labels: Vec<Label> = labels.iter().copied().map(Label::from_bytes).collect();
        if !rest.is_empty() {
            return Err(TrainError::CutLabels { path });
        }
        Ok(Labels {
            path,
            labels,
            used: 0,
        })
    }

    /// Returns the labels of the next game.
    ///
    /// # Errors
    /// Returns an error if there are too few.
    pub(super) fn next(&mut self, positions: usize) -> Result<Vec<Label>, TrainError> {
        let end = self.used + positions;
        let Some(labels) = self.labels.get(self.used..end) else {
            return Err(self.mismatch(end));
        };
        self.used = end;
        Ok(labels.to_vec())
    }

    /// Checks that all labels have been passed on.
    ///
    /// # Errors
    /// Returns an error if there are more labels than positions.
    pub(super) fn finish(self) -> Result<(), TrainError> {
        match self.used == self.labels.len() {
            true => Ok(()),
            false => Err(self.mismatch(self.used)),
        }
    }

    fn mismatch(&self, positions: usize) -> TrainError {
        TrainError::Labels {
            path: self.path.clone(),
            labels: self.labels.len(),
            positions,
        }
    }
}
