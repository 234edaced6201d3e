//! Tests of what is read of games.

use std::path::{Path, PathBuf};

use shakmaty::{Color, Square};

use super::super::data::{DataCounts, DataSet};
use super::super::network::Parameters;
use super::super::quantise::Quantised;
use super::super::{Settings, Teacher, TrainError};
use super::{Folder, random_games};
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
    DataSet::read(paths, &[], settings, &mut |_, _| {})
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
        // The folder contains both.
        let mut read = Vec::new();
        let both = DataSet::read(
            &[folder.path().to_owned()],
            std::slice::from_ref(&judge),
            &settings,
            &mut |path, counts| read.push((path.to_owned(), counts.games)),
        )
        .unwrap();
        assert_eq!(read, [(learn.clone(), 30), (judge.clone(), 10)]);
        assert_eq!(both.training, alone.training);
        assert_eq!(both.validation, read_one(&judge, &all()).unwrap().training);
        assert_eq!(both.counts.validation, both.validation.len() as u64);
    }
    let twice = read(&[folder.path().to_owned(), learn], &all()).unwrap_err();
    assert!(
        twice
            .to_string()
            .contains("a.viri: this file is given twice"),
        "{twice}"
    );
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
    let positions = distilled(Teacher::HandWritten);
    assert!(positions.len() > 100);
    for (position, score) in positions {
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
