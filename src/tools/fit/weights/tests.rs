use super::data::FitSamples;
use super::*;
use crate::eval::classical::features;
use crate::eval::classical::terms::Term;
use crate::position::Position;
use crate::random::Random;

/// Returns positions of random games.
fn random_positions(games: usize, seed: u64) -> Vec<Position> {
    let mut random = Random::new(seed);
    let mut positions = Vec::new();
    for _ in 0..games {
        let mut position = Position::initial();
        for ply in 0..120 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[random.below(moves.len())]);
            if ply >= 6 && ply % 4 == 0 {
                positions.push(position.clone());
            }
        }
    }
    positions
}

/// Returns the positions with the results that `target` computes from their features.
fn samples(
    positions: &[Position],
    target: impl Fn(&crate::eval::classical::Features) -> f32,
) -> FitSamples {
    let mut samples = FitSamples::default();
    for features in positions.iter().filter_map(features) {
        samples.push(&features, target(&features), None);
    }
    samples
}

fn settings() -> FitSettings {
    FitSettings {
        epochs: 60,
        patience: 60,
        batch: 512,
        rate: 2.0,
        l2: 0.0,
        seed: 3,
    }
}

#[test]
fn the_gradient_is_the_slope_of_the_loss() {
    let positions = random_positions(20, 5);
    let samples = samples(&positions, |features| {
        (features.counts.len() % 3) as f32 / 2.0
    });
    let model = LinearModel::new(&initial::weights(), 0.0);
    let indices: Vec<u32> = (0..samples.len() as u32).collect();
    let gradient = model.gradient(&samples, &indices);
    let mut checked = 0;
    for (weight, &slope) in gradient.iter().enumerate() {
        let loss = |by: f64| {
            let mut moved = model.clone();
            moved.weights[weight] += by;
            moved.mean_loss(&samples)
        };
        let numeric = (loss(0.5) - loss(-0.5)) / 1.0;
        assert!(
            (numeric - slope).abs() < 1e-7 + 1e-3 * slope.abs(),
            "{weight}"
        );
        checked += usize::from(slope != 0.0);
    }
    assert!(checked > 300, "{checked}");
}

#[test]
fn the_fit_finds_the_weights_behind_the_results() {
    let truth = LinearModel::new(&initial::weights(), 0.0);
    let target = |features: &crate::eval::classical::Features| {
        let mut one = FitSamples::default();
        one.push(features, 0.0, None);
        let value = truth.value(&one.get(0));
        (1.0 / (1.0 + (-truth.steepness * value).exp())) as f32
    };
    let data = PositionData {
        training: samples(&random_positions(400, 1), target),
        validation: samples(&random_positions(40, 2), target),
        ..PositionData::default()
    };
    let mut start = truth.clone();
    let terms = [
        Term::Material,
        Term::KnightMobility,
        Term::Tempo,
        Term::PassedPawn,
    ];
    for term in terms {
        for feature in term.start()..term.start() + term.info().len {
            start.weights[2 * feature] *= 0.7;
            start.weights[2 * feature + 1] *= 0.7;
        }
    }
    let error = |model: &LinearModel| {
        let count = data.validation.len();
        let squares: f64 = (0..count)
            .map(|index| data.validation.get(index))
            .map(|sample| (model.value(&sample) - truth.value(&sample)).powi(2))
            .sum();
        (squares / count as f64).sqrt()
    };
    let settings = settings();
    let mut fit = Fit::new(&data, start.clone(), &settings);
    // The scale of the weights is free but for the steepness: hold it at the true one.
    fit.hold_steepness(truth.steepness);
    let tuned = fit.run(&mut |_| ());
    assert!(error(&start) > 50.0, "{}", error(&start));
    assert!(error(&tuned) < 15.0, "{}", error(&tuned));
    let tempo = 2 * Term::Tempo.start();
    assert!((tuned.weights[tempo] - truth.weights[tempo]).abs() < 4.0);
    let rook = 2 * (Term::Material.start() + 3);
    assert!((tuned.weights[rook] - truth.weights[rook]).abs() < 60.0);
}

#[test]
fn the_fit_is_repeatable() {
    let target = |features: &crate::eval::classical::Features| (features.counts.len() % 2) as f32;
    let data = PositionData {
        training: samples(&random_positions(30, 1), target),
        ..PositionData::default()
    };
    let run = || {
        let start = LinearModel::new(&initial::weights(), 0.0);
        let settings = FitSettings {
            epochs: 3,
            ..settings()
        };
        Fit::new(&data, start, &settings).run(&mut |_| ()).weights
    };
    assert_eq!(run(), run());
}

#[test]
fn steepness_is_found() {
    let truth = LinearModel::new(&initial::weights(), 0.0);
    let steep = 0.004;
    let samples = samples(&random_positions(60, 9), |features| {
        let mut one = FitSamples::default();
        one.push(features, 0.0, None);
        let value = truth.value(&one.get(0));
        (1.0 / (1.0 + (-steep * value).exp())) as f32
    });
    let mut model = truth.clone();
    model.fit_steepness(&samples);
    assert!(
        (model.steepness - steep).abs() < 1e-4,
        "{}",
        model.steepness
    );
}

/// Writes the weights of the formulas. Run it with `QUEVEDO_WRITE_WEIGHTS=1` after a change to the
/// list of terms.
#[test]
#[ignore = "writes src/eval/classical/weights.rs"]
fn write_the_weights_of_the_formulas() {
    if std::env::var_os("QUEVEDO_WRITE_WEIGHTS").is_none() {
        return;
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/classical/weights.rs");
    std::fs::write(path, weights_source(&initial::weights())).expect("weights");
}
