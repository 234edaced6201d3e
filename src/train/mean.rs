//! The mean of the networks of several checkpoints.
//!
//! Networks that were trained on from one another use the same neurons for the same things, so that
//! the mean of their weights is a network, too. It knows what they agree on, and less of what each
//! of them has learnt by heart ("model soups", Wortsman et al. 2022).

use std::path::PathBuf;

use super::checkpoint::Checkpoint;
use super::error::TrainError;
use super::network::{Parameters, TileRow};
use super::state::TrainState;

/// A checkpoint and the weight of its network in a mean.
#[derive(Clone, PartialEq, Debug)]
pub struct MeanPart {
    /// The checkpoint.
    pub path: PathBuf,
    /// The weight, greater than 0; the mean is divided by the sum of weights.
    pub weight: f32,
}

impl MeanPart {
    /// A checkpoint on its own, or with weight 1.
    pub fn only(path: PathBuf) -> MeanPart {
        MeanPart { path, weight: 1.0 }
    }
}

impl std::str::FromStr for MeanPart {
    type Err = String;

    /// Reads `CHECKPOINT=WEIGHT`.
    fn from_str(text: &str) -> Result<MeanPart, String> {
        let (path, weight) = text
            .rsplit_once('=')
            .ok_or("expected CHECKPOINT=WEIGHT, as in nets/1/checkpoint.qtc=0.5")?;
        match weight.parse() {
            Ok(weight) if weight > 0.0 && weight < f32::INFINITY => Ok(MeanPart {
                path: path.into(),
                weight,
            }),
            _ => Err(format!("the weight must be greater than 0, not {weight:?}")),
        }
    }
}

/// Reads the first checkpoint, and returns it with the weighted mean of all networks in place of
/// its own. Outputs are brought to the first one's centipawns before.
///
/// # Errors
/// Fails when a checkpoint cannot be read, or when its network has another size than the
/// first.
pub(super) fn read_mean(parts: &[MeanPart]) -> Result<Checkpoint, TrainError> {
    let [first, others @ ..] = parts else {
        return Err(TrainError::Setting(
            "no checkpoint to begin with".to_owned(),
        ));
    };
    let mut checkpoint = Checkpoint::read(&first.path)?;
    if others.is_empty() {
        return Ok(checkpoint);
    }
    let total: f32 = parts.iter().map(|part| part.weight).sum();
    let own = checkpoint.state.result();
    let mut mean = Parameters::zero(own.shape);
    add(&mut mean, &own, first.weight / total);
    let scale = checkpoint.settings.file_scale() as f32;
    for part in others {
        let other = Checkpoint::read(&part.path)?;
        let mut network = other.state.result().into_owned();
        if network.shape != mean.shape {
            let why = format!(
                "its network has another size than that of {}",
                first.path.display()
            );
            return Err(TrainError::checkpoint(&part.path, why));
        }
        network.scale_output(other.settings.file_scale() as f32 / scale);
        add(&mut mean, &network, part.weight / total);
    }
    checkpoint.state = TrainState::finished(mean, checkpoint.state.step);
    Ok(checkpoint)
}

/// Adds the multiple of a network to another of its size.
fn add(sum: &mut Parameters, network: &Parameters, factor: f32) {
    for (TileRow(sum), TileRow(row)) in sum.rows.iter_mut().zip(&network.rows) {
        for (sum, number) in sum.iter_mut().zip(row) {
            *sum += factor * number;
        }
    }
}
