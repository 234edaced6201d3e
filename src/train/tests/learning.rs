//! Tests of learning, averaging and rounding.

use std::collections::HashSet;
use std::ops::Range;

use super::super::Settings;
use super::super::loss::outputs;
use super::super::network::{Parameters, Shape};
use super::super::order::uniform;
use super::super::quantise::{Quantised, centred};
use super::super::sample::Sample;
use super::super::state::TrainState;
use super::super::trainer::Trainer;
use super::{Record, random_records, samples};
use crate::eval::nnue::Network;
use crate::games::GameResult;

/// Trains on samples and returns the resulting network and its loss.
fn learn(samples: &[Sample], settings: &Settings) -> (Parameters, f64) {
    let network = Parameters::random(settings.shape(), settings.seed);
    let mut trainer =
        Trainer::new(settings.clone(), TrainState::new(network, settings), 2).unwrap();
    for _ in 0..settings.steps() {
        trainer.step(samples, &[]);
    }
    let loss = trainer.mean_loss(samples);
    (trainer.result().into_owned(), loss)
}

/// Learns positions with random scores, which have to be memorised one by one, and returns the
/// loss.
fn learnt_by_heart(count: usize, hidden: usize, epochs: u64) -> f64 {
    let mut records: Vec<Record> = random_records(count);
    // Games begin alike, and a position cannot have two scores.
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
fn ten_thousand_positions_are_learnt_by_heart_slow() {
    let loss = learnt_by_heart(10_000, 256, 150);
    assert!(loss < 0.0001, "{loss}");
}

#[test]
fn siblings_are_ranked_as_the_search_does() {
    let records = random_records(600);
    let samples = samples(&records);
    let (siblings, _) = samples.as_chunks();
    let right = [0.0, 1.0].map(|ranking| {
        let settings = Settings {
            hidden: 64,
            batch: 200,
            superbatch: 2000,
            superbatches: 20,
            rate: 0.003,
            warm_up: 10,
            scale: 400,
            ranking,
            ..Settings::default()
        };
        let network = Parameters::random(settings.shape(), 1);
        let state = TrainState::new(network, &settings);
        let mut trainer = Trainer::new(settings.clone(), state, 2).unwrap();
        for _ in 0..settings.steps() {
            trainer.step(&samples, siblings);
        }
        trainer.share_ranked_right(siblings)
    });
    assert!(right[0] < 0.7 && right[1] > 0.9, "{right:?}");
}

#[test]
fn own_weights_and_those_with_small_gradients_can_move_less() {
    let samples = samples(&random_records(200));
    // Returns how far the shared input weights and the others move in the first step, together.
    let moved = |own_rate: f64, epsilon: f64| {
        let settings = Settings {
            hidden: 64,
            king_buckets: 8,
            batch: 50,
            superbatch: 50,
            superbatches: 1,
            rate: 0.01,
            warm_up: 1,
            decay: 0.0,
            scale: 400,
            factoriser: true,
            own_rate,
            epsilon,
            ..Settings::default()
        };
        let before = TrainState::new(Parameters::random(settings.shape(), 1), &settings);
        let mut trainer = Trainer::new(settings, before.clone(), 1).unwrap();
        trainer.step(&samples, &[]);
        let after = trainer.state();
        let distance = |before: &Parameters, after: &Parameters| {
            let pairs = before.canonical().zip(after.canonical());
            let inputs = pairs.take(before.shape.inputs() * before.shape.hidden);
            inputs.map(|(a, b)| f64::from((b - a).abs())).sum::<f64>()
        };
        let shared = |state: &TrainState| state.shared.clone().unwrap().values;
        [
            distance(&shared(&before), &shared(after)),
            distance(&before.network.values, &after.network.values),
        ]
    };
    let [shared, own] = moved(1.0, 1e-8);
    let [still_shared, less] = moved(0.1, 1e-8);
    assert_eq!(still_shared.to_bits(), shared.to_bits());
    assert!((less / own - 0.1).abs() < 0.001, "{less} {own}");
    let careful = moved(1.0, 1.0);
    assert!(careful[0] < shared / 100.0 && careful[1] < own / 100.0);
}

#[test]
fn the_average_is_that_of_the_definition() {
    let samples = samples(&random_records(200));
    for factoriser in [false, true] {
        let settings = Settings {
            hidden: 64,
            king_buckets: 8,
            batch: 50,
            superbatch: 50,
            superbatches: 40,
            rate: 0.01,
            final_rate: 0.01,
            warm_up: 1,
            round_from: 0.8,
            scale: 400,
            average: 0.75,
            factoriser,
            ..Settings::default()
        };
        let network = Parameters::random(settings.shape(), 1);
        let state = TrainState::new(network.clone(), &settings);
        let mut trainer = Trainer::new(settings.clone(), state, 2).unwrap();
        let mut expected = vec![0.0; network.shape.canonical_len()];
        for step in 0..settings.steps() {
            trainer.step(&samples, &[]);
            // The share kept rises from 0 by way of 1/11, 2/12, and so on.
            let kept = (step as f64 / (step + 10) as f64).min(0.75);
            for (mean, last) in expected.iter_mut().zip(trainer.state().last().canonical()) {
                *mean = kept * *mean + (1.0 - kept) * f64::from(last);
            }
        }
        let (last, average) = (trainer.state().last(), trainer.state().result());
        for (mean, average) in expected.iter().zip(average.canonical()) {
            assert!((mean - f64::from(average)).abs() < 1e-5, "{mean} {average}");
        }
        let moved = last.canonical().zip(average.canonical());
        assert!(
            moved
                .filter(|(last, mean)| (last - mean).abs() > 1e-3)
                .count()
                > 1000
        );
        // The reported loss is that of the network that is written.
        let written = Quantised::new(&average, 400);
        assert!(written == Quantised::new(&trainer.result(), 400));
        assert!(written != Quantised::new(&last, 400));
    }
}

#[test]
fn the_factoriser_moves_weights_that_no_position_has() {
    // With both kings on the back rank, half of the buckets get no positions.
    let mut records = random_records(3000);
    records.retain(|(position, ..)| {
        [shakmaty::Color::White, shakmaty::Color::Black]
            .into_iter()
            .all(|color| {
                let king = position.king(color);
                color.fold_wb(king, king.flip_vertical()).rank() == shakmaty::Rank::First
            })
    });
    assert!(records.len() > 300, "{}", records.len());
    for factoriser in [false, true] {
        let settings = Settings {
            hidden: 64,
            king_buckets: 8,
            marks: true,
            batch: 100,
            superbatch: 1000,
            superbatches: 2,
            warm_up: 1,
            decay: 0.0,
            scale: 400,
            average: 0.0,
            factoriser,
            ..Settings::default()
        };
        let without_marks = Shape {
            has_marks: false,
            ..settings.shape().shared()
        };
        let start = Parameters::random(without_marks, 3).with_input_sets(8, true);
        let state = TrainState::new(start.clone(), &settings);
        let mut trainer = Trainer::new(settings.clone(), state, 2).unwrap();
        for _ in 0..settings.steps() {
            trainer.step(&samples(&records), &[]);
        }
        let result = trainer.state().result();
        let moved = |inputs: Range<usize>| {
            let pairs = result.canonical().zip(start.canonical());
            let weights = pairs.take(inputs.end * 64).skip(inputs.start * 64);
            weights.filter(|(after, before)| after != before).count()
        };
        let last_bucket = moved(7 * 768..8 * 768);
        assert_eq!(last_bucket > 1000, factoriser, "{last_bucket}");
        // No pawn that hangs stands on the first rank, but on others they do.
        let marks = 8 * 768;
        assert!(moved(marks + 8..marks + 56) > 1000);
        assert_eq!(moved(marks..marks + 8) > 0, factoriser);
    }
}

#[test]
fn the_network_file_says_what_the_floats_say() {
    let settings = Settings {
        hidden: 64,
        king_buckets: 8,
        marks: true,
        buckets: 8,
        small_layers: 8,
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
    let written = centred(&network, settings.scale, &samples).unwrap();
    let rounding = written.rounding(&network, &samples).unwrap();
    // The second layer sees activations of 7 bits.
    assert!(rounding.mean < 2.0 && rounding.worst < 6.0, "{rounding:?}");
    let engine = Network::parse(&written.to_bytes()).unwrap();
    let values = records
        .iter()
        .map(|(position, ..)| engine.evaluate(position));
    let values: Vec<_> = values.collect();
    assert!(values.iter().max() > Some(&200) && values.iter().min() < Some(&-200));
    for ((value, output), sample) in values.iter().zip(outputs(&network, &samples)).zip(&samples) {
        assert!((*value as f32 - output * 400.0).abs() < 6.0, "{sample:?}");
    }
}

#[test]
fn the_network_file_has_no_mean_error_in_any_bucket() {
    let shape = Settings {
        hidden: 256,
        buckets: 8,
        ..Settings::default()
    }
    .shape();
    let mut network = Parameters::random(shape, 5);
    network.scale_output(0.2);
    let samples = samples(&random_records(4000));
    let mean_errors = |written: &Quantised| -> Vec<f64> {
        let engine = Network::parse(&written.to_bytes()).unwrap();
        let mut errors = vec![Vec::new(); shape.buckets];
        for (sample, output) in samples.iter().zip(outputs(&network, &samples)) {
            let value = engine.evaluate_board(&sample.board(), shakmaty::Color::White);
            errors[sample.bucket(shape)].push(f64::from(value) - f64::from(output) * 400.0);
        }
        // The mean of fewer is not known well enough.
        errors.retain(|errors| errors.len() >= 50);
        assert!(errors.len() > 4);
        let mean = |errors: &Vec<f64>| errors.iter().sum::<f64>() / errors.len() as f64;
        errors.iter().map(mean).collect()
    };
    let largest = |errors: Vec<f64>| errors.into_iter().fold(0.0, |most, e| e.abs().max(most));
    let rounded = largest(mean_errors(&Quantised::new(&network, 400)));
    let centred = largest(mean_errors(&centred(&network, 400, &samples).unwrap()));
    assert!(rounded > 1.0, "another network is needed here: {rounded}");
    assert!(centred < 0.5, "{centred}");
}
