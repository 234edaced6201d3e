//! What the settings of a run must be.

use super::super::error::TrainError;
use super::super::network::TILE;
use super::{MAX_SCALE, Settings};
use crate::eval::nnue::{KING_BUCKETS, MAX_BUCKETS, MAX_WIDTH};

/// The largest K with which the scores of all expectations fit 16 bits.
const MOST_WITH_SCORES: u32 = 2_800;

/// The most neighbours of a position that can be labelled.
const MOST_NEIGHBOURS: usize = 100;

impl Settings {
    /// Checks that all settings are valid.
    ///
    /// # Errors
    /// Returns an error for the first setting out of range.
    pub fn check(&self) -> Result<(), TrainError> {
        let is_share = |value: f64| (0.0..=1.0).contains(&value);
        let rules = [
            (
                (TILE..=MAX_WIDTH).contains(&self.hidden) && self.hidden.is_multiple_of(TILE),
                "hidden must be a multiple of 64, up to 1024",
            ),
            (
                matches!(self.king_buckets, 1 | KING_BUCKETS),
                "king buckets must be 1 or 8",
            ),
            (
                (1..=MAX_BUCKETS).contains(&self.buckets),
                "buckets must be from 1 to 32",
            ),
            (
                (1..=1 << 24).contains(&self.batch),
                "the batch must have 1 to 16,777,216 positions",
            ),
            (
                self.superbatch
                    .checked_mul(self.superbatches.max(1))
                    .is_some_and(|visits| visits < 1 << 60),
                "too many positions to visit",
            ),
            (
                self.rate > 0.0 && self.rate <= 1.0 && (0.0..=self.rate).contains(&self.final_rate),
                "the learning rate must be above 0 and at most 1, and must not rise",
            ),
            (is_share(self.decay), "the decay must be from 0 to 1"),
            (
                (f64::from(f32::MIN_POSITIVE)..=1.0).contains(&self.epsilon),
                "epsilon must be from 1.2e-38 to 1",
            ),
            (
                self.mark_rate > 0.0 && self.mark_rate <= 1000.0,
                "the marks' learning rate must be above 0 and at most 1000 times the others'",
            ),
            (
                self.small_layers <= self.buckets,
                "no more output buckets can have small layers than there are",
            ),
            (
                self.small_rate > 0.0 && self.small_rate <= 1000.0,
                "the small layers' learning rate must be above 0 and at most 1000 times the others'",
            ),
            (
                is_share(self.w_start) && is_share(self.w_end),
                "the share of the result must be from 0 to 1",
            ),
            (
                is_share(self.round_from),
                "the start of rounding must be from 0 to 1",
            ),
            (
                is_share(self.validation),
                "the share held out must be from 0 to 1",
            ),
            (is_share(self.lambda), "lambda must be from 0 to 1"),
            (
                self.lambda == 0.0 || self.scale > 0,
                "lambda needs a scale, which turns later scores into expectations",
            ),
            (
                is_share(self.labels),
                "the share of the labels must be from 0 to 1",
            ),
            (
                self.labels == 0.0 || self.scale > 0,
                "labels need a scale, which turns them into expectations",
            ),
            (
                self.neighbours <= MOST_NEIGHBOURS,
                "the neighbours of each position must be 100 at most",
            ),
            (
                is_share(self.ranking),
                "the weight of the ranking loss must be from 0 to 1",
            ),
            (
                (0.0..=100.0).contains(&self.distill),
                "the positions to distill around each must be from 0 to 100",
            ),
            (
                self.teacher.fits_a_line(),
                "the teacher's file name must be UTF-8 without line breaks",
            ),
            (
                (0.0..1.0).contains(&self.average),
                "the decay of the average must be at least 0 and below 1",
            ),
            (
                !self.factoriser || self.king_buckets > 1,
                "the factoriser needs 8 king buckets",
            ),
            (
                self.factoriser || self.own_rate == 1.0,
                "only the factoriser tells shared weights from others",
            ),
            (
                self.own_rate > 0.0 && self.own_rate <= 1000.0,
                "the learning rate of weights that are not shared must be above 0 and at most 1000 times the others'",
            ),
            (
                !self.marks || self.king_buckets > 1,
                "marks need 8 king buckets",
            ),
            (
                [self.scale, self.output_scale, self.label_scale]
                    .iter()
                    .all(|scale| *scale <= MAX_SCALE),
                "a scale must not exceed 10,000 centipawns",
            ),
            (
                self.scale <= MOST_WITH_SCORES || self.lambda == 0.0 && self.labels == 0.0,
                "with lambda or labels the scale must not exceed 2,800 centipawns",
            ),
        ];
        match rules.iter().find(|(holds, _)| !holds) {
            Some((_, rule)) => Err(TrainError::Setting((*rule).to_owned())),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_refused() {
        assert!(Settings::default().check().is_ok());
        for (name, value) in [
            ("hidden", "100"),
            ("hidden", "0"),
            ("king_buckets", "2"),
            ("buckets", "0"),
            ("batch", "0"),
            ("epsilon", "0"),
            ("epsilon", "1e-50"),
            ("own_rate", "0.5"),
            ("rate", "NaN"),
            ("rate", "1e300"),
            ("final_rate", "0.5"),
            ("w_start", "1.5"),
            ("lambda", "0.9"),
            ("labels", "0.5"),
            ("neighbours", "101"),
            ("label_scale", "10001"),
            ("ranking", "2"),
            ("distill", "-1"),
            ("average", "1"),
            ("factoriser", "true"),
            ("marks", "true"),
            ("mark_rate", "0"),
            ("small_layers", "33"),
            ("small_rate", "0"),
            ("output_scale", "10001"),
            ("superbatch", "18446744073709551615"),
        ] {
            let mut settings = Settings::default();
            assert!(settings.set(name, value));
            assert!(settings.check().is_err(), "{name} {value}");
        }
        let with_scores = Settings {
            scale: MOST_WITH_SCORES + 1,
            lambda: 0.5,
            ..Settings::default()
        };
        assert!(with_scores.check().is_err());
        let settings = Settings {
            king_buckets: 8,
            factoriser: true,
            own_rate: 0.5,
            ..Settings::default()
        };
        assert!(settings.check().is_ok());
    }
}
