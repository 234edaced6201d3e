//! Whether it learns, and what the network file makes of what has been learnt.

use std::collections::HashSet;

use super::super::Settings;
use super::super::network::Parameters;
use super::super::order::uniform;
use super::super::quantise::{Quantised, rounding};
use super::super::sample::Sample;
use super::super::trainer::{State, Trainer, outputs};
use super::{Record, random_records, samples};
use crate::eval::nnue::Network;
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
    let mut records: Vec<Record> = random_records(count);
    // Games begin alike, and one position cannot have two scores.
    let mut seen = HashSet::new();
    records.retain(|(position, ..)| seen.insert(position.key()));
    for (i, (_, score, result)) in records.iter_mut().enumerate() {
        *score = (800.0 * uniform(4, i as u64)) as i16;
        *result = GameResult::Draw;
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
    assert!(loss < 0.0001, "{loss}");
}

#[test]
#[ignore = "takes a minute"]
fn ten_thousand_positions_are_learnt_by_heart() {
    let loss = learnt_by_heart(10_000, 256, 150);
    assert!(loss < 0.0001, "{loss}");
}

#[test]
fn the_network_file_says_what_the_floats_say() {
    let settings = Settings {
        hidden: 64,
        king_buckets: 4,
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
    let records = random_records(2000);
    let samples = samples(&records);
    let (network, loss) = learn(&samples, &settings);
    assert!(loss < 0.02, "{loss}");
    let rounding = rounding(&network, settings.scale, &samples).unwrap();
    assert!(rounding.mean < 1.0 && rounding.worst < 2.0, "{rounding:?}");
    let engine = Network::parse(&Quantised::new(&network, settings.scale).to_bytes()).unwrap();
    let values = records
        .iter()
        .map(|(position, ..)| engine.evaluate(position));
    let values: Vec<_> = values.collect();
    assert!(values.iter().max() > Some(&200) && values.iter().min() < Some(&-200));
    for ((value, output), sample) in values.iter().zip(outputs(&network, &samples)).zip(&samples) {
        assert!((*value as f32 - output * 400.0).abs() < 2.0, "{sample:?}");
    }
}
