//! Tests of means of checkpoints.

use std::path::PathBuf;

use super::super::mean::read_mean;
use super::super::network::Parameters;
use super::super::{Checkpoint, LossSum, MeanPart, Settings, TrainError, TrainState};
use super::Folder;

fn settings(hidden: usize, output_scale: u32) -> Settings {
    Settings {
        hidden,
        scale: 200,
        output_scale,
        average: 0.0,
        ..Settings::default()
    }
}

/// Writes the checkpoint of a finished run.
fn write(folder: &Folder, name: &str, network: &Parameters, settings: Settings) -> PathBuf {
    let path = folder.path().join(name);
    let checkpoint = Checkpoint {
        state: TrainState::finished(network.clone(), settings.steps()),
        settings,
        data: 1,
        losses: LossSum::default(),
    };
    checkpoint.write(&path).unwrap();
    path
}

#[test]
fn a_mean_counts_weights_and_brings_outputs_to_the_same_centipawns() {
    let folder = Folder::new();
    let settings = |output_scale| settings(64, output_scale);
    let first = Parameters::random(settings(160).shape(), 1);
    let other = Parameters::random(first.shape, 2);
    // The other network's outputs are half as large, and their centipawns twice.
    let mut halved = other.clone();
    halved.scale_output(0.5);
    let parts = [
        MeanPart::only(write(&folder, "first", &first, settings(160))),
        MeanPart {
            path: write(&folder, "other", &halved, settings(320)),
            weight: 3.0,
        },
    ];

    let mean = read_mean(&parts).unwrap();
    assert_eq!(mean.settings.file_scale(), 160);
    let numbers = first.canonical().zip(other.canonical());
    for (mean, (first, other)) in mean.state.result().canonical().zip(numbers) {
        assert!((mean - (0.25 * first + 0.75 * other)).abs() < 1e-5);
    }

    let alone = read_mean(&parts[..1]).unwrap();
    assert_eq!(*alone.state.result(), first);
}

#[test]
fn networks_of_other_sizes_have_no_mean() {
    let folder = Folder::new();
    let parts = [64, 128].map(|hidden| {
        let settings = settings(hidden, 0);
        let network = Parameters::random(settings.shape(), 1);
        MeanPart::only(write(&folder, &hidden.to_string(), &network, settings))
    });
    let error = read_mean(&parts).unwrap_err();
    assert!(matches!(error, TrainError::Checkpoint { .. }));
    assert!(error.to_string().contains("another size"), "{error}");
}

#[test]
fn a_part_of_a_mean_is_a_checkpoint_and_a_positive_weight() {
    let part: MeanPart = "a=b/checkpoint.qtc=0.25".parse().unwrap();
    let expected = MeanPart {
        path: "a=b/checkpoint.qtc".into(),
        weight: 0.25,
    };
    assert_eq!(part, expected);
    for bad in [
        "checkpoint.qtc",
        "c=",
        "c=0",
        "c=-1",
        "c=inf",
        "c=NaN",
        "c=x",
    ] {
        assert!(bad.parse::<MeanPart>().is_err(), "{bad}");
    }
}
