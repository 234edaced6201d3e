//! Whether it learns, and what the network file makes of what has been learnt.

use super::super::network::{FEATURES, Parameters};
use super::super::quantise::{MAGIC, network_file};
use super::super::sample::Sample;
use super::super::trainer::{State, Trainer, outputs};
use super::super::{Settings, fnv1a, random};
use super::{Record, random_records, samples};
use crate::games::GameResult;

/// Trains on samples and returns the network and its last loss.
fn learn(samples: &[Sample], settings: &Settings) -> (Parameters, f64) {
    let network = Parameters::random(settings.shape(), settings.seed);
    let mut trainer = Trainer::new(settings.clone(), State::new(network), 2).unwrap();
    for _ in 0..settings.steps() {
        trainer.step(samples);
    }
    let loss = trainer.mean_loss(samples);
    (trainer.state.network, loss)
}

/// Positions with scores that follow no rule can only be learnt one by one.
fn learnt_by_heart(count: usize, hidden: usize, epochs: u64) -> f64 {
    let mut records: Vec<Record> = Vec::new();
    for (i, (position, ..)) in random_records(count).into_iter().enumerate() {
        let score = (800.0 * random::uniform(4, i as u64)) as i16;
        records.push((position, score, GameResult::Draw));
    }
    let settings = Settings {
        hidden,
        batch: 250,
        superbatch: count as u64,
        superbatches: epochs,
        rate: 0.003,
        warm_up: 50,
        decay: 0.0,
        w_start: 0.0,
        w_end: 0.0,
        scale: 400,
        ..Settings::default()
    };
    learn(&samples(&records), &settings).1
}

#[test]
fn positions_are_learnt_by_heart() {
    let loss = learnt_by_heart(1000, 64, 150);
    assert!(loss < 0.0005, "{loss}");
}

#[test]
#[ignore = "takes a minute"]
fn ten_thousand_positions_are_learnt_by_heart() {
    let loss = learnt_by_heart(10_000, 256, 150);
    assert!(loss < 0.0005, "{loss}");
}

/// The network in integers, read from the bytes of its file in the plainest way.
struct Integers {
    hidden: usize,
    buckets: usize,
    scale: i32,
    small: Vec<i32>,
    output_biases: Vec<i32>,
}

impl Integers {
    fn read(bytes: &[u8]) -> Integers {
        let (magic, rest) = bytes.split_at(16);
        assert_eq!(magic, MAGIC);
        let word = |i: usize| u32::from_le_bytes(rest[4 * i..4 * i + 4].try_into().unwrap());
        let (hidden, buckets) = (word(0) as usize, word(1) as usize);
        assert_eq!([word(2), word(3)], [255, 64]);
        let checksum = u64::from_le_bytes(rest[20..28].try_into().unwrap());
        let body = &rest[28..];
        assert_eq!(checksum, fnv1a(body));
        let (small, large) = body.split_at(2 * hidden * (FEATURES + 1 + 2 * buckets));
        let small = small.as_chunks().0.iter();
        let large = large.as_chunks().0.iter();
        assert_eq!(large.len(), buckets);
        Integers {
            hidden,
            buckets,
            scale: word(4) as i32,
            small: small.map(|&b| i32::from(i16::from_le_bytes(b))).collect(),
            output_biases: large.map(|&b| i32::from_le_bytes(b)).collect(),
        }
    }

    /// Centipawns for the side to move.
    fn value(&self, sample: &Sample) -> i32 {
        let n = self.hidden;
        let bucket = ((sample.men() - 2) / 32_usize.div_ceil(self.buckets)).min(self.buckets - 1);
        let weights = &self.small[(FEATURES + 1 + 2 * bucket) * n..][..2 * n];
        let mut sum = 0_i32;
        for (active, weights) in sample.features().iter().zip(weights.chunks(n)) {
            for (neuron, weight) in weights.iter().enumerate() {
                let mut h = self.small[FEATURES * n + neuron];
                for &feature in active.indices() {
                    h += self.small[usize::from(feature) * n + neuron];
                }
                assert!(i16::try_from(h).is_ok() && weight.abs() <= 127);
                let v = h.clamp(0, 255);
                sum = sum.wrapping_add(v * v * weight);
            }
        }
        let out = i64::from(sum / 255 + self.output_biases[bucket]);
        (out * i64::from(self.scale) / (255 * 64)) as i32
    }
}

#[test]
fn the_network_file_says_what_the_floats_say() {
    let settings = Settings {
        hidden: 64,
        buckets: 8,
        batch: 500,
        superbatch: 2000,
        superbatches: 60,
        rate: 0.003,
        warm_up: 20,
        w_start: 0.2,
        w_end: 0.2,
        scale: 400,
        ..Settings::default()
    };
    let samples = samples(&random_records(2000));
    let (network, loss) = learn(&samples, &settings);
    assert!(loss < 0.02, "{loss}");
    let integers = Integers::read(&network_file(&network, settings.scale));
    let (mut worst, mut sum, mut spread) = (0_f32, 0.0, 0.0);
    for (sample, output) in samples.iter().zip(outputs(&network, &samples)) {
        let error = (output * 400.0 - integers.value(sample) as f32).abs();
        worst = worst.max(error);
        sum += error;
        spread += (output * 400.0).abs();
    }
    let count = samples.len() as f32;
    println!(
        "worst {worst}, mean {}, mean value {}",
        sum / count,
        spread / count
    );
    assert!(sum / count < 2.0, "{}", sum / count);
    assert!(worst < 5.0, "{worst}");
    assert!(spread / count > 50.0, "the values differ enough to tell");
}
