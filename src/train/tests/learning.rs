//! Whether it learns, and what the network file makes of what has been learnt.

use super::super::network::{FEATURES, Parameters, Shape};
use super::super::quantise::{MAGIC, Quantised};
use super::super::sample::Sample;
use super::super::trainer::{State, Trainer};
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
    (trainer.network().clone(), loss)
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
        rate: 0.005,
        round_from: 1.0,
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
    let loss = learnt_by_heart(1000, 64, 250);
    assert!(loss < 0.0005, "{loss}");
}

#[test]
#[ignore = "takes a minute"]
fn ten_thousand_positions_are_learnt_by_heart() {
    let loss = learnt_by_heart(10_000, 256, 150);
    assert!(loss < 0.0005, "{loss}");
}

/// Reads a network file in the plainest way.
fn read(bytes: &[u8]) -> Quantised {
    let (magic, rest) = bytes.split_at(16);
    assert_eq!(magic, MAGIC);
    let word = |i: usize| u32::from_le_bytes(rest[4 * i..4 * i + 4].try_into().unwrap());
    let (hidden, buckets) = (word(0) as usize, word(1) as usize);
    assert_eq!([word(2), word(3)], [255, 64]);
    let checksum = u64::from_le_bytes(rest[20..28].try_into().unwrap());
    let body = &rest[28..];
    assert_eq!(checksum, fnv1a(body));
    let (small, large) = body.split_at(2 * hidden * (FEATURES + 1 + 2 * buckets));
    let small = small.as_chunks().0.iter().map(|&b| i16::from_le_bytes(b));
    let small: Vec<i16> = small.collect();
    let (weights, rest) = small.split_at(FEATURES * hidden);
    let (biases, output) = rest.split_at(hidden);
    let large = large.as_chunks().0.iter().map(|&b| i32::from_le_bytes(b));
    Quantised {
        shape: Shape { hidden, buckets },
        scale: word(4),
        weights: weights.to_vec(),
        biases: biases.to_vec(),
        output: output.to_vec(),
        output_biases: large.collect(),
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
    let whole = Quantised::new(&network, settings.scale);
    assert_eq!(read(&whole.to_bytes()), whole);
    assert!(whole.output.iter().all(|weight| weight.abs() <= 127));
    let rounding = whole.rounding(&network, &samples);
    assert!(rounding.mean < 1.0 && rounding.worst < 2.0, "{rounding:?}");
    let values = samples.iter().map(|sample| whole.value(sample));
    assert!(values.clone().max() > Some(200) && values.min() < Some(-200));
}
