//! Tests of runs: their files, how they begin, and how they go on.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::super::data::DataSet;
use super::super::loss::outputs;
use super::super::quantise::Quantised;
use super::super::{
    CHECKPOINT, Checkpoint, Completion, LOSSES, MeanPart, NETWORK, PICTURE, Settings, Start,
    TrainError, TrainJob, TrainObserver, TrainProgress, run,
};
use super::reading::{all, bytes, read};
use super::{Folder, random_games, random_records};
use crate::eval::nnue::Network;

/// Stops a run after some step.
struct StopAfter<'a>(u64, &'a AtomicBool);

impl TrainObserver for StopAfter<'_> {
    fn message(&mut self, _: &str) {}

    fn step(&mut self, progress: &TrainProgress) {
        if progress.step == self.0 {
            self.1.store(true, Ordering::Relaxed);
        }
    }
}

fn job(folder: &Folder) -> TrainJob {
    TrainJob {
        settings: Settings {
            hidden: 64,
            batch: 100,
            superbatch: 2000,
            superbatches: 3,
            warm_up: 5,
            w_start: 0.2,
            w_end: 0.4,
            ..Settings::default()
        },
        start: Start::Random,
        out: folder.path().join("run"),
        threads: 2,
    }
}

fn data() -> DataSet {
    let folder = Folder::new();
    let file = folder.file("games.viri", &bytes(&random_games(60, 80)));
    let settings = Settings {
        validation: 0.2,
        ranking: 0.1,
        ..all()
    };
    read(&[file], &settings).unwrap()
}

fn train(job: &TrainJob, data: &DataSet, last: u64) -> Result<Completion, TrainError> {
    let stop = AtomicBool::new(false);
    run(job, data, &stop, &mut StopAfter(last, &stop))
}

#[test]
fn a_run_can_be_repeated_and_resumed() {
    check_repeats_and_resumes(|_| ());
}

#[test]
fn a_run_with_average_and_factoriser_can_be_repeated_and_resumed() {
    check_repeats_and_resumes(|settings| {
        settings.king_buckets = 8;
        settings.factoriser = true;
        settings.average = 0.9;
    });
}

#[test]
fn a_run_with_siblings_can_be_repeated_and_resumed() {
    check_repeats_and_resumes(|settings| settings.ranking = 0.1);
}

fn check_repeats_and_resumes(change: impl Fn(&mut Settings)) {
    let data = data();
    let [straight, again, broken] = [(); 3].map(|()| Folder::new());
    let jobs = [&straight, &again, &broken].map(|folder| {
        let mut job = job(folder);
        change(&mut job.settings);
        job
    });
    for job in &jobs[..2] {
        assert_eq!(train(job, &data, u64::MAX).unwrap(), Completion::Done);
    }
    assert_eq!(train(&jobs[2], &data, 27).unwrap(), Completion::Stopped);
    let resumed = TrainJob {
        start: Start::Resume,
        settings: Settings::default(),
        ..jobs[2].clone()
    };
    assert_eq!(train(&resumed, &data, 43).unwrap(), Completion::Stopped);
    assert_eq!(train(&resumed, &data, u64::MAX).unwrap(), Completion::Done);
    for name in [NETWORK, CHECKPOINT, LOSSES, PICTURE] {
        let [straight, again, broken] =
            [&jobs[0], &jobs[1], &jobs[2]].map(|job| fs::read(job.out.join(name)).unwrap());
        assert!(straight == again, "{name} differs in a second run");
        assert!(
            straight == broken,
            "{name} differs in a run that was interrupted"
        );
    }
    // A finished run has no steps left.
    let checkpoint = fs::read(jobs[2].out.join(CHECKPOINT)).unwrap();
    assert_eq!(train(&resumed, &data, u64::MAX).unwrap(), Completion::Done);
    assert!(checkpoint == fs::read(jobs[2].out.join(CHECKPOINT)).unwrap());
    let losses = fs::read_to_string(jobs[0].out.join(LOSSES)).unwrap();
    assert_eq!(losses.lines().count(), 61);

    let less = DataSet {
        training: data.training[1..].to_vec(),
        ..DataSet::default()
    };
    assert!(matches!(
        train(&resumed, &less, 1),
        Err(TrainError::Checkpoint { .. })
    ));
    // A missing --resume does not overwrite a run.
    assert!(matches!(
        train(&jobs[2], &data, 1),
        Err(TrainError::Exists(_))
    ));
}

#[test]
fn a_run_goes_on_with_the_games_held_out_before() {
    let (mut data, folder) = (data(), Folder::new());
    let job = job(&folder);
    assert_eq!(train(&job, &data, 27).unwrap(), Completion::Stopped);
    let resumed = TrainJob {
        start: Start::Resume,
        ..job
    };
    // They decide how the network is rounded.
    let held_out = std::mem::take(&mut data.validation);
    assert!(matches!(
        train(&resumed, &data, 43),
        Err(TrainError::Checkpoint { .. })
    ));
    data.validation = held_out;
    assert_eq!(train(&resumed, &data, 43).unwrap(), Completion::Stopped);
}

#[test]
fn a_run_can_begin_with_weights_and_refuses_nonsense() {
    let (mut data, folder, second) = (data(), Folder::new(), Folder::new());
    let first = job(&folder);
    train(&first, &data, u64::MAX).unwrap();
    // The next run learns what the network knows, as it would from games that it has played.
    let known = Checkpoint::read(&first.out.join(CHECKPOINT)).unwrap();
    let scores = outputs(&known.state.result(), &data.training);
    for (sample, output) in data.training.iter_mut().zip(scores) {
        *sample = sample.with_score((output * known.settings.scale as f32) as i16);
    }
    let mut next = job(&second);
    next.start = Start::Weights(vec![MeanPart::only(first.out.join(CHECKPOINT))]);
    next.settings.hidden = 128;
    next.settings.rate = 1e-9;
    next.settings.final_rate = 0.0;
    let network = |job: &TrainJob| {
        let bytes = fs::read(job.out.join(NETWORK)).unwrap();
        Network::parse(&bytes).unwrap()
    };
    let values = |job: &TrainJob| {
        let checkpoint = Checkpoint::read(&job.out.join(CHECKPOINT)).unwrap();
        let scale = checkpoint.settings.file_scale() as f32;
        let outputs = outputs(&checkpoint.state.result(), &data.validation).into_iter();
        outputs.map(|output| output * scale).collect::<Vec<_>>()
    };
    let assert_times = |factor: f32, before: &[f32], after: &[f32]| {
        for (before, after) in before.iter().zip(after) {
            let expected = factor * before;
            // The scale of the file is rounded to whole centipawns.
            let tolerance = 0.1 + 0.01 * expected.abs();
            assert!((expected - after).abs() < tolerance, "{expected} {after}");
        }
    };
    let output_scale = |job: &TrainJob| {
        let checkpoint = Checkpoint::read(&job.out.join(CHECKPOINT)).unwrap();
        checkpoint.settings.output_scale as f32
    };
    let old = values(&first);
    train(&next, &data, u64::MAX).unwrap();
    assert_times(1.0, &old, &values(&next));
    let kept = output_scale(&next);

    // Another K makes other outputs, but the same values.
    next.out = second.path().join("another K");
    next.settings.scale = 500;
    train(&next, &data, u64::MAX).unwrap();
    assert_times(1.0, &old, &values(&next));
    next.settings.scale = 0;

    // The scale of the values can be set, and is kept by the next run.
    next.out = second.path().join("smaller");
    next.settings.output_scale = 100;
    train(&next, &data, u64::MAX).unwrap();
    assert_times(100.0 / kept, &old, &values(&next));
    next.start = Start::Weights(vec![MeanPart::only(next.out.join(CHECKPOINT))]);
    next.settings.output_scale = 0;
    next.out = second.path().join("as small");
    train(&next, &data, u64::MAX).unwrap();
    assert_times(100.0 / kept, &old, &values(&next));
    assert!((output_scale(&next) - 100.0).abs() < 2.0);
    next.start = Start::Weights(vec![MeanPart::only(first.out.join(CHECKPOINT))]);

    next.out = second.path().join("wider");
    next.settings.king_buckets = 8;
    next.settings.factoriser = true;
    train(&next, &data, u64::MAX).unwrap();
    let wider = network(&next);
    assert_eq!((network(&first).input_sets(), wider.input_sets()), (1, 8));
    assert_times(1.0, &old, &values(&next));

    next.out = second.path().join("deeper");
    next.settings.small_layers = 1;
    train(&next, &data, u64::MAX).unwrap();
    let deeper = network(&next);
    assert_ne!(deeper.identity(), wider.identity());
    for (position, ..) in random_records(100) {
        assert_eq!(wider.evaluate(&position), deeper.evaluate(&position));
    }

    // Small layers stay in as many buckets, and what is wrong leaves no folder behind.
    next.start = Start::Weights(vec![MeanPart::only(next.out.join(CHECKPOINT))]);
    next.out = second.path().join("other");
    next.settings.small_layers = 2;
    assert!(matches!(
        train(&next, &data, 1),
        Err(TrainError::Setting(_))
    ));
    next.start = Start::Weights(vec![MeanPart::only(first.out.join(LOSSES))]);
    assert!(matches!(
        train(&next, &data, 1),
        Err(TrainError::Checkpoint { .. })
    ));
    next.start = Start::Random;
    assert!(matches!(
        train(&next, &data, 1),
        Err(TrainError::Setting(_))
    ));
    next.settings.small_layers = 0;
    next.settings.hidden = 100;
    assert!(matches!(
        train(&next, &data, 1),
        Err(TrainError::Setting(_))
    ));
    assert!(!next.out.exists());
    assert!(matches!(
        train(&first, &DataSet::default(), 1),
        Err(TrainError::NoData(_))
    ));
    // A run that is stopped before its first step writes nothing.
    let nothing = Folder::new();
    let job = job(&nothing);
    let stopped = run(
        &job,
        &data,
        &AtomicBool::new(true),
        &mut StopAfter(1, &AtomicBool::new(false)),
    );
    assert_eq!(stopped.unwrap(), Completion::Stopped);
    assert!(!job.out.join(CHECKPOINT).exists());
}

#[test]
fn a_run_that_diverges_ends_with_an_error_and_keeps_its_files() {
    let (data, folder, second) = (data(), Folder::new(), Folder::new());
    let first = job(&folder);
    train(&first, &data, u64::MAX).unwrap();
    let path = first.out.join(CHECKPOINT);
    let mut checkpoint = Checkpoint::read(&path).unwrap();
    let values = &mut checkpoint.state.network.values;
    for row in &mut values.rows {
        row.0 = std::array::from_fn(|lane| [f32::MAX, f32::MIN][lane % 2]);
    }
    checkpoint.write(&path).unwrap();
    let next = TrainJob {
        start: Start::Weights(vec![MeanPart::only(path)]),
        ..job(&second)
    };
    let error = train(&next, &data, u64::MAX).unwrap_err();
    assert!(matches!(error, TrainError::Diverged(_)), "{error}");
    assert!(!next.out.join(NETWORK).exists() && !next.out.join(CHECKPOINT).exists());
}

#[test]
fn without_superbatches_the_network_is_written_as_it_begins() {
    struct Messages(Vec<String>);
    impl TrainObserver for Messages {
        fn message(&mut self, line: &str) {
            self.0.push(line.to_owned());
        }
        fn step(&mut self, _: &TrainProgress) {}
    }
    let (data, folder) = (data(), Folder::new());
    let first = job(&folder);
    train(&first, &data, u64::MAX).unwrap();
    let mut next = job(&folder);
    next.start = Start::Weights(vec![MeanPart::only(first.out.join(CHECKPOINT))]);
    next.settings.superbatches = 0;
    next.out = folder.path().join("as it is");
    let mut messages = Messages(Vec::new());
    let done = run(&next, &data, &AtomicBool::new(false), &mut messages).unwrap();
    assert_eq!(done, Completion::Done);
    assert!(messages.0.last().unwrap().starts_with("held out 0."));

    let read = |job: &TrainJob| Checkpoint::read(&job.out.join(CHECKPOINT)).unwrap();
    let (mut before, after) = (read(&first).state.result().into_owned(), read(&next));
    let factor = before.shape.output();
    let factor = after.state.result().rows[factor].0[0] / before.rows[factor].0[0];
    before.scale_output(factor);
    for (before, after) in before.canonical().zip(after.state.result().canonical()) {
        assert!((before - after).abs() < 1e-5);
    }
    assert!(Network::parse(&fs::read(next.out.join(NETWORK)).unwrap()).is_ok());
}

#[test]
fn the_checkpoint_of_the_embedded_network_becomes_that_network() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("networks/quevedo.qtc");
    if !path.exists() {
        return; // A published package has no checkpoint.
    }
    let checkpoint = Checkpoint::read(&path).unwrap();
    let network = Quantised::new(&checkpoint.state.result(), checkpoint.settings.file_scale());
    let (network, embedded) = (
        Network::parse(&network.to_bytes()).unwrap(),
        Network::embedded(),
    );
    // Files of later networks have finer units, and biases that are shifted for positions that are
    // not here.
    for position in random_records(500)
        .into_iter()
        .map(|(position, ..)| position)
    {
        let difference = network.evaluate(&position) - embedded.evaluate(&position);
        assert!(difference.abs() < 40, "{difference} {position:?}");
    }
}
