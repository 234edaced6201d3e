//! Tests of reading games and of runs with their files.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use shakmaty::{Color, Square};

use super::super::data::{DataCounts, DataSet};
use super::super::loss::outputs;
use super::super::network::Parameters;
use super::super::quantise::Quantised;
use super::super::{
    CHECKPOINT, Checkpoint, Completion, LOSSES, MeanPart, NETWORK, PICTURE, Settings, Start,
    Teacher, TrainError, TrainJob, TrainObserver, TrainProgress, run,
};
use super::{Folder, random_games, random_records};
use crate::eval::nnue::Network;
use crate::games::{GameResult, RecordedGame, ScoredMove};
use crate::position::notation::parse_fen;
use crate::position::{Move, Position};
use crate::score::Score;

pub(super) fn all() -> Settings {
    Settings {
        validation: 0.0,
        ..Settings::default()
    }
}

pub(super) fn read(paths: &[PathBuf], settings: &Settings) -> Result<DataSet, TrainError> {
    DataSet::read(paths, settings, &mut |_, _| {})
}

fn read_one(path: &Path, settings: &Settings) -> Result<DataSet, TrainError> {
    read(&[path.to_owned()], settings)
}

pub(super) fn bytes(games: &[RecordedGame]) -> Vec<u8> {
    games
        .iter()
        .flat_map(|game| game.to_bytes().unwrap())
        .collect()
}

/// Creates a game from a FEN and moves with White's scores.
fn game(fen: &str, moves: &[(Square, Square, i32)]) -> RecordedGame {
    let scored =
        |&(from, to, score)| ScoredMove::new(Move::normal(from, to), Score::from_raw(score));
    RecordedGame {
        start: parse_fen(fen, false).unwrap().position,
        result: GameResult::won_by(Color::White),
        expected: None,
        moves: moves.iter().map(scored).collect(),
    }
}

#[test]
fn only_quiet_positions_are_used() {
    use Square::*;
    let games = [
        // First, quiet, in check and quiet, noisy, quiet, mate.
        game(
            "r3k3/8/8/8/8/8/3P4/R3K3 w - - 0 1",
            &[
                (D2, D3, 10),
                (A8, B8, 20),
                (A1, A8, 30),
                (B8, A8, 40),
                (E1, E2, -50),
                (A8, A7, -32_000),
            ],
        ),
        game(
            "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
            &[(A1, A8, 500), (E8, E7, 500), (A8, A7, 500)],
        ),
        // First, three quiet, and two that repeat the first two.
        game(
            "4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1",
            &[
                (E1, E2, 1),
                (E8, E7, 2),
                (E2, E1, 3),
                (E7, E8, 4),
                (E1, E2, 5),
                (E8, E7, 6),
            ],
        ),
    ];
    let folder = Folder::new();
    let file = folder.file("games.viri", &bytes(&games));
    let data = read(&[file], &all()).unwrap();
    let scores: Vec<_> = data
        .training
        .iter()
        .map(|sample| (sample.score(), sample.result()))
        .collect();
    assert_eq!(
        scores,
        [
            (-20, Some(0.0)),
            (30, Some(1.0)),
            (-50, Some(1.0)),
            (-2, Some(0.0)),
            (3, Some(1.0)),
            (-4, Some(0.0))
        ]
    );
    let expected = DataCounts {
        games: 3,
        recorded: 15,
        training: 6,
        first: 3,
        in_check: 1,
        noisy: 1,
        decided: 1,
        few_pieces: 1,
        repeated: 2,
        validation: 0,
        distilled: 0,
        siblings: 0,
    };
    assert_eq!(data.counts, expected);
}

#[test]
fn later_scores_and_the_result_are_part_of_a_score() {
    use Square::*;
    let folder = Folder::new();
    // Half a point, three quarters of a point, and a win.
    let moves = [(E1, E2, 0), (E8, E7, 0), (E2, E3, 110)];
    let game = game("4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1", &moves);
    let file = folder.file("games.viri", &bytes(&[game]));
    let scores = |lambda| {
        let settings = Settings {
            lambda,
            scale: 100,
            ..all()
        };
        let data = read_one(&file, &settings).unwrap();
        let scores = data.training.iter().map(|sample| sample.score());
        scores.collect::<Vec<_>>()
    };
    assert_eq!(scores(0.0), [0, 110]);
    let logit = |p: f64| (100.0 * (p / (1.0 - p)).ln()).round() as i16;
    let own = 1.0 / (1.0 + (-1.1_f64).exp());
    let last = 0.5 * own + 0.5;
    // The first of these two scores is Black's.
    assert_eq!(scores(0.5), [-logit(0.5 * 0.5 + 0.5 * last), logit(last)]);
    assert!(scores(1.0)[1] > 1000);
}

#[test]
fn the_end_of_a_game_cut_off_is_what_was_expected() {
    use Square::*;
    let folder = Folder::new();
    let moves = [(E1, E2, 0), (E8, E7, 0), (E2, E3, 0)];
    let mut game = game("4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1", &moves);
    game.expected = Some(0.75);
    let file = folder.file("games.viri", &bytes(&[game]));
    let settings = Settings {
        lambda: 0.5,
        scale: 100,
        ..all()
    };
    let data = read_one(&file, &settings).unwrap();
    let last = 0.5 * 0.5 + 0.5 * 0.75_f64;
    let score = (100.0 * (last / (1.0 - last)).ln()) as i16;
    assert_eq!(data.training[1].score(), score);
}

#[test]
fn folders_are_read_in_the_order_of_names_and_games_split_by_their_moves() {
    let (folder, games) = (Folder::new(), random_games(40, 60));
    let second = folder.file("b.viri", &bytes(&games[20..]));
    let first = folder.file("a.viri", &bytes(&games[..20]));
    folder.file("notes.txt", b"not games");
    let whole = read_one(folder.path(), &all()).unwrap();
    let files = read(&[first, second.clone()], &all()).unwrap();
    assert_eq!(whole.training, files.training);
    assert_eq!(whole.counts.games, 40);
    assert_eq!(whole.fingerprint(), files.fingerprint());
    let half = Settings {
        validation: 0.5,
        ..all()
    };
    let [both, part] = [folder.path().to_owned(), second].map(|path| read(&[path], &half).unwrap());
    assert!(
        both.counts.validation > 400 && both.counts.training > 400,
        "{:?}",
        both.counts
    );
    assert!(both.validation.ends_with(&part.validation));
    assert!(both.training.ends_with(&part.training));
    let one = Settings {
        max_positions: 1,
        ..all()
    };
    let few = read_one(folder.path(), &one).unwrap();
    assert_eq!(few.counts.games, 20, "no second file");
    assert_eq!((few.training.len(), few.counts.training), (1, 1));
}

#[test]
fn validation_games_are_not_trained_on() {
    let (folder, games) = (Folder::new(), random_games(40, 60));
    let [learn, judge] = [("a.viri", &games[..30]), ("b.viri", &games[30..])]
        .map(|(name, games)| folder.file(name, &bytes(games)));
    let one = Settings {
        max_positions: 1,
        ..all()
    };
    for settings in [all(), one] {
        let alone = read_one(&learn, &settings).unwrap();
        let mut both = read_one(&learn, &settings).unwrap();
        both.read_validation(std::slice::from_ref(&judge), &settings, &mut |_, _| {})
            .unwrap();
        assert_eq!(both.training, alone.training);
        assert_eq!(both.validation, read_one(&judge, &all()).unwrap().training);
        assert_eq!(both.counts.validation, both.validation.len() as u64);
    }
}

#[test]
fn damaged_files_are_named_with_the_place() {
    let folder = Folder::new();
    let games = random_games(3, 20);
    let (one, whole) = (bytes(&games[..1]).len(), bytes(&games));
    let said = |name: &str, bytes: &[u8]| {
        let file = folder.file(name, bytes);
        read(&[file], &all()).unwrap_err().to_string()
    };
    let cut = said("cut.viri", &whole[..one + 50]);
    assert!(
        cut.contains("cut.viri") && cut.contains(&format!("byte {one}: ")),
        "{cut}"
    );

    let mut bad_move = whole.clone();
    // The third move of the second game becomes a1 to a8, through occupied squares.
    bad_move[one + 32 + 8..one + 32 + 10].copy_from_slice(&(56_u16 << 6).to_le_bytes());
    let illegal = said("illegal.viri", &bad_move);
    assert!(
        illegal.contains(&format!("byte {}: move 3: illegal", one + 40)),
        "{illegal}"
    );

    let mut bad_header = whole;
    bad_header[one + 30] = 3;
    let header = said("header.viri", &bad_header);
    assert!(header.contains(&format!("byte {one}: ")), "{header}");

    assert!(said("text.viri", b"this is no file of games").contains("no game found"));
    let missing = read(&[folder.path().join("missing.viri")], &all()).unwrap_err();
    assert!(missing.to_string().contains("missing.viri"));
    let empty = Folder::new();
    assert!(matches!(
        read_one(empty.path(), &all()),
        Err(TrainError::EmptyFolder { .. })
    ));
}

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

#[test]
fn siblings_are_read_only_to_be_ranked() {
    let folder = Folder::new();
    let paths = [folder.file("games.vf", &bytes(&random_games(20, 80)))];
    let ranking = Settings {
        ranking: 0.1,
        validation: 0.3,
        ..all()
    };
    let data = read(&paths, &ranking).unwrap();
    let [training, held_out] =
        [&data.training_siblings, &data.validation_siblings].map(|siblings| siblings.len() as u64);
    assert_eq!(training + held_out, data.counts.siblings);
    assert!(held_out > 0 && training > held_out && training < data.counts.training);
    let again = read(&paths, &ranking).unwrap();
    assert_eq!(again.fingerprint(), data.fingerprint());
    let none = Settings {
        ranking: 0.0,
        ..ranking
    };
    let none = read(&paths, &none).unwrap();
    assert_eq!((none.counts.siblings, none.training_siblings.len()), (0, 0));
    assert_eq!(none.training, data.training);
    assert_ne!(none.fingerprint(), data.fingerprint());
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

/// Reads games with and without three distilled positions around each of theirs. Returns the
/// distilled ones that are legal positions without castling rights.
fn distilled(teacher: Teacher) -> Vec<(Position, i32)> {
    let folder = Folder::new();
    let paths = [folder.file("games.vf", &bytes(&random_games(5, 30)))];
    let settings = Settings {
        distill: 3.0,
        teacher,
        ..all()
    };
    let data = read(&paths, &settings).unwrap();
    let games = read(&paths, &all()).unwrap();
    assert_eq!(data.counts.training, games.counts.training);
    assert!(data.counts.distilled > 2 * games.counts.recorded);
    let again = read(&paths, &settings).unwrap();
    assert_eq!(again.fingerprint(), data.fingerprint());
    let around = data.training.iter().filter(|s| s.result().is_none());
    let legal = around.filter_map(|sample| {
        // The side to move is White in a sample's board.
        let setup = shakmaty::Setup {
            board: sample.board(),
            ..shakmaty::Setup::empty()
        };
        let chess = setup.position(shakmaty::CastlingMode::Standard).ok()?;
        let position = Position::from_chess(chess);
        Some((position, i32::from(sample.score())))
    });
    legal.collect()
}

#[test]
fn distilled_positions_have_the_hand_written_evaluation() {
    for (position, score) in distilled(Teacher::HandWritten) {
        // The hand-written evaluation counts castling rights.
        let value = crate::eval::classical::evaluate(&position);
        assert!((value - score).abs() < 150, "{position:?}");
    }
}

#[test]
fn distilled_positions_have_the_value_of_the_network_that_teaches() {
    let folder = Folder::new();
    let network = Parameters::random(Settings::default().shape(), 7);
    let bytes = Quantised::new(&network, 300).to_bytes();
    let path = folder.file("teacher.nnue", &bytes);
    let engine = Network::parse(&bytes).unwrap();
    let positions = distilled(Teacher::Network(path));
    assert!(positions.len() > 100);
    for (position, score) in &positions {
        assert_eq!(engine.evaluate(position), *score, "{position:?}");
    }

    let error = |bytes: &[u8]| {
        let file = folder.file("other.nnue", bytes);
        let settings = Settings {
            distill: 1.0,
            teacher: Teacher::Network(file),
            ..all()
        };
        read(&[], &settings).unwrap_err().to_string()
    };
    assert!(error(b"").contains("other.nnue: not a Quevedo network"));
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
    // Files of later networks have finer units, and biases that are shifted for positions that are not here.
    for position in random_records(500)
        .into_iter()
        .map(|(position, ..)| position)
    {
        let difference = network.evaluate(&position) - embedded.evaluate(&position);
        assert!(difference.abs() < 40, "{difference} {position:?}");
    }
}
