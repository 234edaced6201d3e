//! Tests of the network and its gradient against an independent computation.

use shakmaty::{Color, File, Rank};

use super::super::Settings;
use super::super::loss::outputs;
use super::super::network::{Parameters, Shape};
use super::super::order::uniform;
use super::super::siblings::TEMPERATURES;
use super::super::state::TrainState;
use super::super::trainer::Trainer;
use super::{Record, random_records, samples};
use crate::eval::nnue::{BoardInputs, MARKS};

/// The network in doubles, from the definitions in the module's documentation.
struct Plain {
    shape: Shape,
    numbers: Vec<f64>,
}

impl Plain {
    fn hidden(&self, (position, ..): &Record, side: Color) -> Vec<f64> {
        let n = self.shape.hidden;
        let inputs = self.shape.inputs();
        let mut sums = self.numbers[inputs * n..(inputs + 1) * n].to_vec();
        let king = match side {
            Color::White => position.king(side),
            Color::Black => position.king(side).flip_vertical(),
        };
        let first = match (self.shape.king_buckets, king.rank(), king.file()) {
            (1, ..) => 0,
            (_, Rank::First, File::A | File::H) => 0,
            (_, Rank::First, File::B | File::G) => 768,
            (_, Rank::First, File::C | File::F) => 2 * 768,
            (_, Rank::First, _) => 3 * 768,
            (_, Rank::Second, File::A | File::B | File::G | File::H) => 4 * 768,
            (_, Rank::Second, _) => 5 * 768,
            (_, Rank::Third, _) => 6 * 768,
            _ => 7 * 768,
        };
        let inputs = BoardInputs::of_position(position, true);
        let board_marks = inputs.marks();
        for (square, piece) in position.board() {
            let mut seen = square as usize;
            if side == Color::Black {
                seen ^= 56;
            }
            if position.king(side).file() as usize >= 4 {
                seen ^= 7;
            }
            let relative = usize::from(piece.color != side);
            let feature = 384 * relative + 64 * (piece.role as usize - 1) + seen;
            let marks = match self.shape.has_marks {
                true => board_marks.of(square),
                false => 0,
            };
            let marked = (0..4).filter(|mark| marks >> mark & 1 == 1);
            for set in marked.map(|mark| (8 + mark) * 768).chain([first]) {
                for (sum, weight) in sums.iter_mut().zip(&self.numbers[(set + feature) * n..]) {
                    *sum += weight;
                }
            }
        }
        sums
    }

    fn output(&self, record: &Record) -> f64 {
        let (n, us) = (self.shape.hidden, record.0.turn());
        let pieces = record.0.occupied().count();
        let bucket =
            ((pieces - 2) / 32_usize.div_ceil(self.shape.buckets)).min(self.shape.buckets - 1);
        let first = (self.shape.inputs() + 1 + 2 * bucket) * n;
        let hidden = [self.hidden(record, us), self.hidden(record, !us)].concat();
        let products = hidden
            .iter()
            .zip(&self.numbers[first..])
            .map(|(h, v)| h.clamp(0.0, 1.0).powi(2) * v);
        let biases = (self.shape.inputs() + 1 + 2 * self.shape.buckets) * n;
        let mut output = self.numbers[biases + bucket] + products.sum::<f64>();
        if bucket < self.shape.small_layers {
            let size = 16 * 2 * n + 2 * 16 * 32 + 16 + 32 + 32;
            let first = biases + self.shape.buckets + bucket * size;
            output += self.small_layers(&hidden, &self.numbers[first..first + size]);
        }
        output
    }

    /// The output of a bucket's small layers, with these numbers.
    fn small_layers(&self, hidden: &[f64], numbers: &[f64]) -> f64 {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let activations: Vec<f64> = hidden.iter().map(|h| h.clamp(0.0, 1.0).powi(2)).collect();
        let (second, numbers) = numbers.split_at(16 * hidden.len());
        let (third, numbers) = numbers.split_at(2 * 16 * 32);
        let (second_biases, numbers) = numbers.split_at(16);
        let (third_biases, weights) = numbers.split_at(32);
        let second: Vec<f64> = (second.chunks(hidden.len()).zip(second_biases))
            .map(|(weights, bias)| dot(&activations, weights) + bias)
            .collect();
        let clamped = second.iter().map(|z| z.clamp(0.0, 1.0));
        let squares = second.iter().map(|z| (z * z).min(1.0));
        let mut values = third_biases.to_vec();
        for (input, weights) in clamped.chain(squares).zip(third.chunks(32)) {
            for (value, weight) in values.iter_mut().zip(weights) {
                *value += input * weight;
            }
        }
        let values: Vec<f64> = values.iter().map(|value| value.clamp(0.0, 1.0)).collect();
        dot(&values, weights)
    }

    fn loss(&self, records: &[Record], w: f64, scale: f64) -> f64 {
        let logistic = |x: f64| 1.0 / (1.0 + (-x).exp());
        let losses = records.iter().map(|record| {
            let (position, score, result) = record;
            let (score, points) = match position.turn() {
                Color::White => (f64::from(*score), result.points()),
                Color::Black => (-f64::from(*score), 1.0 - result.points()),
            };
            let target = w * points + (1.0 - w) * logistic(score / scale);
            (logistic(self.output(record)) - target).powi(2)
        });
        losses.sum::<f64>() / records.len() as f64
    }
}

fn plain(network: &Parameters) -> Plain {
    Plain {
        shape: network.shape,
        numbers: network.canonical().map(f64::from).collect(),
    }
}

/// Creates random parameters, including biases, large enough to saturate neurons at both ends.
fn parameters(shape: Shape) -> Parameters {
    let mut network = Parameters::zero(shape);
    let number = |index| 0.4 * uniform(9, index as u64);
    network.set_canonical((0..shape.canonical_len()).map(number));
    network
}

#[test]
fn outputs_are_those_of_the_definition() {
    let records = random_records(300);
    for (king_buckets, has_marks, buckets, small_layers) in [
        (1, false, 1, 0),
        (1, false, 8, 8),
        (8, false, 8, 0),
        (8, true, 8, 7),
    ] {
        let network = parameters(Shape {
            hidden: 128,
            king_buckets,
            has_marks,
            buckets,
            small_layers,
        });
        let plain = plain(&network);
        let outputs = outputs(&network, &samples(&records));
        assert_eq!(outputs.len(), records.len());
        for (record, output) in records.iter().zip(outputs) {
            let expected = plain.output(record);
            assert!(
                (f64::from(output) - expected).abs() < 1e-4,
                "{output} {expected}"
            );
        }
    }
}

/// Returns the derivative of the loss when all these parameters change by the same amount.
fn slope(plain: &mut Plain, records: &[Record], indices: &[usize]) -> f64 {
    slope_of(plain, indices, |plain| plain.loss(records, 0.3, 350.0))
}

/// Returns the derivative of a function when all these parameters change by the same amount.
fn slope_of(plain: &mut Plain, indices: &[usize], loss: impl Fn(&Plain) -> f64) -> f64 {
    const EPSILON: f64 = 1e-6;
    let old: Vec<f64> = indices.iter().map(|&i| plain.numbers[i]).collect();
    let [higher, lower] = [EPSILON, -EPSILON].map(|change| {
        for (&index, old) in indices.iter().zip(&old) {
            plain.numbers[index] = old + change;
        }
        loss(plain)
    });
    for (&index, old) in indices.iter().zip(&old) {
        plain.numbers[index] = *old;
    }
    (higher - lower) / (2.0 * EPSILON)
}

#[track_caller]
fn assert_close(found: f32, expected: f64, name: &str) {
    let error = (f64::from(found) - expected).abs();
    let limit = 1e-3 * expected.abs() + 1e-7;
    assert!(error < limit, "{name}: {found} for {expected}");
}

fn settings(records: &[Record]) -> Settings {
    Settings {
        hidden: 64,
        king_buckets: 8,
        marks: true,
        buckets: 3,
        small_layers: 2,
        batch: records.len(),
        superbatches: 1,
        superbatch: 150,
        w_start: 0.3,
        w_end: 0.3,
        scale: 350,
        ..Settings::default()
    }
}

#[test]
fn gradients_are_those_of_finite_differences() {
    let records = random_records(150);
    let settings = settings(&records);
    let network = parameters(settings.shape());
    let mut plain = plain(&network);
    let state = TrainState::new(network, &settings);
    let mut trainer = Trainer::new(settings.clone(), state, 2).unwrap();
    let samples = samples(&records);
    let loss = plain.loss(&records, 0.3, 350.0);
    assert!((trainer.mean_loss(&samples) - loss).abs() < 1e-6);

    let gradient: Vec<f32> = trainer.gradient(&samples, &[]).0.canonical().collect();
    let largest = gradient.iter().fold(0_f32, |a, b| a.max(b.abs()));
    let first_layer = settings.shape().inputs() * 64;
    let some = (0..first_layer)
        .filter(|&i| gradient[i].abs() > largest * 0.01)
        .step_by(37);
    let rest = (first_layer..gradient.len()).step_by(5);
    let last = gradient.len() - 3..gradient.len();
    let mut checked = 0;
    for index in some.chain(rest).chain(last) {
        let expected = slope(&mut plain, &records, &[index]);
        assert_close(gradient[index], expected, &format!("parameter {index}"));
        checked += 1;
    }
    assert!(checked > 100, "{checked}");
}

#[test]
fn gradients_of_shared_weights_are_those_of_finite_differences() {
    let records = random_records(150);
    let settings = Settings {
        factoriser: true,
        ..settings(&records)
    };
    let network = parameters(settings.shape());
    let mut plain = plain(&network);
    let state = TrainState::new(network.clone(), &settings);
    let shared: Vec<f32> = state.shared.as_ref().unwrap().values.canonical().collect();
    let own: Vec<f32> = state.network.values.canonical().collect();
    let mut trainer = Trainer::new(settings, state, 2).unwrap();
    let samples = samples(&records);
    let is_sum = |(sum, whole): (f32, f32)| (sum - whole).abs() < 1e-6;
    assert!(
        trainer
            .network()
            .canonical()
            .zip(network.canonical())
            .all(is_sum)
    );
    assert!((trainer.mean_loss(&samples) - plain.loss(&records, 0.3, 350.0)).abs() < 1e-6);

    let set_len = 768 * 64;
    let gradient: Vec<f32> = trainer.gradient(&samples, &[]).1.canonical().collect();
    let largest = gradient.iter().fold(0_f32, |a, b| a.max(b.abs()));
    let mut checked = 0;
    for index in (0..set_len).step_by(7) {
        let alike: Vec<usize> = (0..8).map(|set| set * set_len + index).collect();
        let mean = alike.iter().map(|&i| plain.numbers[i]).sum::<f64>() / 8.0;
        assert!((f64::from(shared[index]) - mean).abs() < 1e-6);
        assert!(alike.iter().map(|&i| own[i]).sum::<f32>().abs() < 1e-5);
        if gradient[index].abs() > largest * 0.02 {
            let expected = slope(&mut plain, &records, &alike);
            assert_close(gradient[index], expected, &format!("shared weight {index}"));
            checked += 1;
        }
    }
    assert!(checked > 100, "{checked}");

    // The squares of a marked piece share the weights of the first.
    let (piece_len, mut checked) = (64 * 64, 0);
    for piece in 0..12 * MARKS {
        let (first, first_own) = (set_len + piece * piece_len, 8 * set_len + piece * piece_len);
        for neuron in (0..64).step_by(7) {
            let index = first + neuron;
            let alike: Vec<usize> = (0..64)
                .map(|square| first_own + square * 64 + neuron)
                .collect();
            let mean = alike.iter().map(|&i| plain.numbers[i]).sum::<f64>() / 64.0;
            assert!((f64::from(shared[index]) - mean).abs() < 1e-6);
            if gradient[index].abs() > largest * 0.02 {
                let expected = slope(&mut plain, &records, &alike);
                assert_close(gradient[index], expected, &format!("shared weight {index}"));
                checked += 1;
            }
        }
        let other_squares = &gradient[first + 64..first + piece_len];
        assert!(other_squares.iter().all(|&slope| slope == 0.0));
    }
    assert!(checked > 20, "{checked}");
    let rest = &gradient[(1 + MARKS) * set_len..];
    assert!(rest.iter().all(|&slope| slope == 0.0));
}

#[test]
fn gradients_of_siblings_are_those_of_finite_differences() {
    let records = random_records(150);
    let settings = Settings {
        ranking: 0.25,
        ..settings(&records)
    };
    let network = parameters(settings.shape());
    let mut plain = plain(&network);
    let state = TrainState::new(network, &settings);
    let mut trainer = Trainer::new(settings.clone(), state, 2).unwrap();
    let samples = samples(&records);
    // A batch of 150 positions comes with 75 pairs.
    let (siblings, _) = samples.as_chunks();
    let loss = |plain: &Plain| {
        let pairs = records.as_chunks::<2>().0.iter();
        let losses = pairs.map(|pair| {
            let pieces = pair[0].0.occupied().count();
            let temperature = f64::from(TEMPERATURES[(pieces - 2) / 4]);
            let [first, second] = pair
                .each_ref()
                .map(|record| 1.0 / (1.0 + (-plain.output(record) * 350.0 / 300.0).exp()));
            (1.0 + (1200.0 / temperature * (first - second)).exp()).ln()
        });
        plain.loss(&records, 0.3, 350.0) + 0.25 * losses.sum::<f64>() / 75.0
    };
    let right = records.as_chunks::<2>().0.iter();
    let right = right.filter(|[first, second]| plain.output(first) < plain.output(second));
    let share = right.count() as f64 / 75.0;
    assert!((trainer.share_ranked_right(siblings) - share).abs() < 1e-9);
    assert!(share > 0.2 && share < 0.8, "{share}");

    let gradient: Vec<f32> = trainer.gradient(&samples, siblings).0.canonical().collect();
    let largest = gradient.iter().fold(0_f32, |a, b| a.max(b.abs()));
    let first_layer = settings.shape().inputs() * 64;
    let some = (0..first_layer)
        .filter(|&i| gradient[i].abs() > largest * 0.01)
        .step_by(97);
    let mut checked = 0;
    for index in some.chain((first_layer..gradient.len()).step_by(11)) {
        let expected = slope_of(&mut plain, &[index], loss);
        assert_close(gradient[index], expected, &format!("parameter {index}"));
        checked += 1;
    }
    assert!(checked > 50, "{checked}");
}

#[test]
fn more_sets_of_input_weights_say_the_same_at_first() {
    let samples = samples(&random_records(300));
    let network = parameters(Shape {
        hidden: 64,
        king_buckets: 1,
        has_marks: false,
        buckets: 2,
        small_layers: 0,
    });
    let wider = network.with_input_sets(8, false);
    assert_eq!(wider.shape.input_sets(), 8);
    assert_eq!(outputs(&network, &samples), outputs(&wider, &samples));
    let widest = parameters(wider.shape).with_input_sets(8, true);
    assert_eq!(widest.shape.input_sets(), 11);
    assert_eq!(
        outputs(&parameters(wider.shape), &samples),
        outputs(&widest, &samples)
    );
    assert!(network.with_input_sets(1, false) == network);
}

#[test]
fn small_layers_say_nothing_at_first() {
    let samples = samples(&random_records(300));
    let network = parameters(Shape {
        hidden: 64,
        king_buckets: 8,
        has_marks: false,
        buckets: 2,
        small_layers: 0,
    });
    let mut deeper = network.with_small_layers(2, 1);
    assert_eq!(outputs(&network, &samples), outputs(&deeper, &samples));
    assert!(deeper.with_small_layers(2, 2) == deeper);
    let wider = deeper.with_input_sets(8, true);
    assert_eq!(outputs(&network, &samples), outputs(&wider, &samples));
    // All of the output is scaled.
    let last = deeper.shape.small_layers_of(1).end - 1;
    deeper.rows[last].0.fill(0.3);
    let before = outputs(&deeper, &samples);
    deeper.scale_output(2.0);
    let twice = outputs(&deeper, &samples);
    assert!(before != outputs(&network, &samples));
    assert!((before.iter().zip(twice)).all(|(one, two)| (2.0 * one - two).abs() < 1e-4));
}
