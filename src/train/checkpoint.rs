//! Checkpoints: files from which a run resumes exactly.
//!
//! ```text
//! 16 bytes  "Quevedo train 1\0"
//! u64       FNV-1a of everything below        all numbers little-endian
//! u32       length of the text
//! text      lines of a name and a value: the settings, then "data", "step", "loss_sum", "loss_steps"
//! f32       the parameters: [I * 768][N], [N], [B][2N], [B]; for each output bucket with small
//!           layers also [16][2N], [2][16][32], [16], [32], [32]
//! f32       the means of their gradients, in the same order
//! f32       the means of their squared gradients
//! f32       with a factoriser: the shared weights, as parameters with one king bucket, and their two means
//! f32       with an average: the averaged parameters
//! ```
//!
//! With a factoriser, the first layer of an unfinished run holds differences from the shared
//! weights. After the last step the file holds only the resulting network: averaged, and with the
//! shared weights added.

use std::path::Path;

use super::error::{TrainError, replace_file};
use super::network::Parameters;
use super::settings::Settings;
use super::state::TrainState;
use crate::eval::nnue::checksum;
use crate::regular_file;

const MAGIC: [u8; 16] = *b"Quevedo train 1\0";
const MOST_TEXT: usize = 1 << 16;

/// The losses since the last row of the log.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct LossSum {
    /// The sum of the mean losses of the steps.
    pub sum: f64,
    /// The number of steps.
    pub steps: u64,
}

/// The state of a run and what identifies it.
#[derive(Clone, PartialEq, Debug)]
pub struct Checkpoint {
    /// The run's settings.
    pub settings: Settings,
    /// The fingerprint of the positions.
    pub data: u64,
    /// The state of the run.
    pub state: TrainState,
    /// The losses since the last row of the log.
    pub losses: LossSum,
}

impl Checkpoint {
    /// Writes the file atomically.
    ///
    /// # Errors
    /// Fails when the file cannot be written.
    pub fn write(&self, path: &Path) -> Result<(), TrainError> {
        replace_file(path, &self.to_bytes())
    }

    fn to_bytes(&self) -> Vec<u8> {
        let text = format!(
            "{}data {}\nstep {}\nloss_sum {}\nloss_steps {}\n",
            self.settings.to_text(),
            self.data,
            self.state.step,
            self.losses.sum,
            self.losses.steps
        );
        let mut body = (text.len() as u32).to_le_bytes().to_vec();
        body.extend(text.bytes());
        let mut add = |parameters: &Parameters| {
            body.extend(parameters.canonical().flat_map(f32::to_le_bytes));
        };
        if self.state.step >= self.settings.steps() {
            add(&self.state.result());
        } else {
            self.state.parts().for_each(add);
        }
        [&MAGIC[..], &checksum(&body).to_le_bytes(), &body].concat()
    }

    /// Reads a checkpoint.
    ///
    /// # Errors
    /// Fails when the file cannot be read or is not a complete checkpoint.
    pub fn read(path: &Path) -> Result<Checkpoint, TrainError> {
        let bytes = regular_file::read(path).map_err(TrainError::io(path))?;
        Checkpoint::from_bytes(&bytes).map_err(|why| TrainError::checkpoint(path, why))
    }

    fn from_bytes(bytes: &[u8]) -> Result<Checkpoint, String> {
        let cut = "the checkpoint is cut off";
        let rest = bytes.strip_prefix(&MAGIC).ok_or("not a checkpoint")?;
        let (expected, body) = rest.split_first_chunk().ok_or(cut)?;
        if checksum(body) != u64::from_le_bytes(*expected) {
            return Err("the checkpoint is damaged or cut off: its checksum is wrong".to_owned());
        }
        let (length, rest) = body.split_first_chunk().ok_or(cut)?;
        let length = u32::from_le_bytes(*length) as usize;
        let (text, numbers) = rest.split_at_checked(length.min(MOST_TEXT)).ok_or(cut)?;
        let text = std::str::from_utf8(text).map_err(|error| error.to_string())?;
        let mut checkpoint = Checkpoint::from_text(text)?;
        checkpoint.take_numbers(numbers)?;
        Ok(checkpoint)
    }

    fn from_text(text: &str) -> Result<Checkpoint, String> {
        let mut settings = Settings::of_old_checkpoint();
        let (mut data, mut step, mut losses) = (0, 0, LossSum::default());
        for line in text.lines() {
            let bad = || format!("unknown setting in the checkpoint: {line:?}");
            let (name, value) = line.split_once(' ').ok_or_else(bad)?;
            let is_known = match name {
                "data" => value.parse().map(|value| data = value).is_ok(),
                "step" => value.parse().map(|value| step = value).is_ok(),
                "loss_sum" => value.parse().map(|value| losses.sum = value).is_ok(),
                "loss_steps" => value.parse().map(|value| losses.steps = value).is_ok(),
                // Older checkpoints use this name.
                "imitate" => settings.set("distill", value),
                _ => settings.set(name, value),
            };
            if !is_known {
                return Err(bad());
            }
        }
        settings.check().map_err(|error| error.to_string())?;
        let mut state = TrainState::zero(&settings);
        state.step = step;
        Ok(Checkpoint {
            settings,
            data,
            state,
            losses,
        })
    }

    fn take_numbers(&mut self, numbers: &[u8]) -> Result<(), String> {
        let (numbers, rest) = numbers.as_chunks();
        if !rest.is_empty() {
            return Err("the checkpoint does not end with a whole number".to_owned());
        }
        if let Some(bad) = floats(numbers).position(|number| !number.is_finite()) {
            return Err(format!(
                "number {} of the checkpoint is not finite",
                bad + 1
            ));
        }
        let length = self.settings.shape().canonical_len();
        if self.state.step >= self.settings.steps() && numbers.len() == length {
            let network = Parameters::zero(self.settings.shape());
            self.state = TrainState::finished(network, self.state.step);
            self.state.network.values.set_canonical(floats(numbers));
            return Ok(());
        }
        let lengths = self.state.parts().map(|part| part.shape.canonical_len());
        let expected: usize = lengths.sum();
        if numbers.len() != expected {
            let count = numbers.len();
            return Err(format!(
                "the checkpoint holds {count} numbers, and a run with its settings has {expected}"
            ));
        }
        let mut numbers = floats(numbers);
        for part in self.state.parts_mut() {
            let length = part.shape.canonical_len();
            part.set_canonical(numbers.by_ref().take(length));
        }
        Ok(())
    }
}

fn floats(numbers: &[[u8; 4]]) -> impl Iterator<Item = f32> {
    numbers.iter().map(|&bytes| f32::from_le_bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checkpoint() -> Checkpoint {
        checkpoint_with(Settings {
            average: 0.0,
            ..Settings::default()
        })
    }

    fn checkpoint_with(settings: Settings) -> Checkpoint {
        let settings = Settings {
            hidden: 64,
            buckets: 2,
            small_layers: 2,
            scale: 321,
            ..settings
        };
        let mut state = TrainState::zero(&settings);
        for (number, part) in state.parts_mut().enumerate() {
            *part = Parameters::random(part.shape, number as u64);
        }
        state.step = 77;
        Checkpoint {
            settings,
            data: 5,
            state,
            losses: LossSum {
                sum: 0.1 + 0.2,
                steps: 3,
            },
        }
    }

    #[test]
    fn what_is_written_is_read() {
        for (average, king_buckets) in [(0.0, 1), (0.999, 1), (0.0, 8), (0.999, 8)] {
            let checkpoint = checkpoint_with(Settings {
                average,
                king_buckets,
                factoriser: king_buckets > 1,
                teacher: "a network.nnue".parse().unwrap(),
                ..Settings::default()
            });
            let read = Checkpoint::from_bytes(&checkpoint.to_bytes()).unwrap();
            assert!(read == checkpoint);
        }
    }

    #[test]
    fn the_last_checkpoint_of_a_run_has_the_result_alone() {
        for (average, factoriser) in [(0.0, false), (0.999, false), (0.0, true), (0.999, true)] {
            let mut last = checkpoint_with(Settings {
                average,
                king_buckets: 8,
                factoriser,
                ..Settings::default()
            });
            last.state.step = last.settings.steps();
            let bytes = last.to_bytes();
            let read = Checkpoint::from_bytes(&bytes).unwrap();
            let result = last.state.result().into_owned();
            assert!(read.state == TrainState::finished(result, last.state.step));
            assert_eq!(read.to_bytes(), bytes);
            let length = last.settings.shape().canonical_len();
            assert!(bytes.len() > 4 * length && bytes.len() < 4 * length + 1000);
        }
    }

    #[test]
    fn checkpoints_from_before_there_were_averages_can_be_read() {
        let old = checkpoint();
        let bytes = old.to_bytes();
        let (_, body) = bytes.split_at(MAGIC.len() + 8 + 4);
        let length = old.settings.to_text().len();
        let text = std::str::from_utf8(&body[..length]).unwrap();
        let new = ["average", "factoriser", "teacher"];
        let lines = text
            .lines()
            .filter(|line| !new.iter().any(|name| line.starts_with(name)));
        let old_text: String = lines
            .map(|line| line.replace("distill 0", "imitate 0.25") + "\n")
            .collect();
        let rest = format!("data 5\nstep 77\nloss_sum {}\nloss_steps 3\n", 0.1 + 0.2);
        let text = old_text + &rest;
        assert!(text.contains("imitate 0.25") && !text.contains("average"));
        let numbers = old.state.parts().flat_map(Parameters::canonical);
        let mut body = (text.len() as u32).to_le_bytes().to_vec();
        body.extend(text.bytes());
        body.extend(numbers.flat_map(f32::to_le_bytes));
        let bytes = [&MAGIC[..], &checksum(&body).to_le_bytes(), &body].concat();
        let read = Checkpoint::from_bytes(&bytes).unwrap();
        assert_eq!(read.settings.distill, 0.25);
        assert!(read.state == old.state);
    }

    #[test]
    fn damage_is_noticed() {
        let bytes = checkpoint().to_bytes();
        let why = |bytes: &[u8]| Checkpoint::from_bytes(bytes).unwrap_err();
        assert_eq!(why(b"hello"), "not a checkpoint");
        for length in [16, 20, 30, 500, bytes.len() - 1] {
            assert!(why(&bytes[..length]).contains("cut off"), "{length}");
        }
        let mut changed = bytes;
        changed[1000] ^= 1;
        assert!(why(&changed).contains("checksum"));
    }

    #[test]
    fn what_no_run_writes_is_refused() {
        let with_checksum = |body: &[u8]| {
            let bytes = [&MAGIC[..], &checksum(body).to_le_bytes(), body].concat();
            Checkpoint::from_bytes(&bytes)
        };
        let mut finished = checkpoint();
        finished.state.step = finished.settings.steps();
        for checkpoint in [checkpoint(), finished] {
            let bytes = checkpoint.to_bytes();
            let body = &bytes[MAGIC.len() + 8..];
            assert!(with_checksum(body).is_ok());
            assert!(with_checksum(&[body, b"\0"].concat()).is_err());
            for strange in [f32::NAN, f32::INFINITY] {
                let mut body = body.to_vec();
                let (_, last) = body.split_last_chunk_mut().unwrap();
                *last = strange.to_le_bytes();
                assert!(with_checksum(&body).unwrap_err().contains("not finite"));
            }
        }
    }
}
