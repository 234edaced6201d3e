//! Tests of the labels of a teacher, and of the records that it labels.

use shakmaty::{Board, Color, File, Piece, Role, Square};

use super::super::sample::Sample;
use super::super::{Settings, TrainError, labels, records};
use super::reading::{all, bytes, read};
use super::{Folder, random_games};
use crate::eval::Evaluator;
use crate::eval::nnue::BoardInputs;
use crate::position::MoveKind;

/// Writes the same labels for each position beside a file of games: its own and its neighbours'.
fn label<const EACH: usize>(folder: &Folder, labels: [i16; EACH], positions: usize) {
    let bytes = labels
        .map(i16::to_le_bytes)
        .as_flattened()
        .repeat(positions);
    folder.file("games.labels", &bytes);
}

#[test]
fn labels_of_neighbours_reach_their_positions() {
    let folder = Folder::new();
    let games = random_games(20, 80);
    let paths = [folder.file("games.vf", &bytes(&games))];
    let mut count = 0;
    let labels = games.iter().flat_map(|game| {
        labels::of_neighbours(&bytes(std::slice::from_ref(game)), 2, |position| {
            count += 1;
            (count % 5 > 0).then(|| 10 * position.piece_count() as i16)
        })
        .unwrap()
    });
    let labels: Vec<u8> = labels.collect();
    folder.file("games.labels", &labels);
    let settings = Settings {
        labels: 1.0,
        neighbours: 2,
        ..all()
    };
    let taught = read(&paths, &settings).unwrap();
    let near: Vec<&Sample> = (taught.training.iter())
        .filter(|sample| sample.result().is_none())
        .collect();
    assert_eq!(near.len(), count - count / 5);
    assert!(
        near.iter()
            .all(|near| near.score().unsigned_abs() as usize == 10 * near.piece_count())
    );
}

#[test]
fn labels_are_part_of_the_scores_and_neighbours_are_learnt() {
    let folder = Folder::new();
    let paths = [folder.file("games.vf", &bytes(&random_games(20, 80)))];
    let plain = Settings {
        scale: 200,
        ..all()
    };
    let without = read(&paths, &plain).unwrap();
    let share = |labels| Settings {
        labels,
        neighbours: 3,
        ..plain.clone()
    };
    assert!(matches!(
        read(&paths, &share(1.0)),
        Err(TrainError::Io { path, .. }) if path.ends_with("games.labels")
    ));
    let positions = without.counts.recorded as usize;
    label(&folder, [100, -50, 60, i16::MIN], positions);
    let taught = read(&paths, &share(1.0)).unwrap();
    assert_eq!(taught.counts.training, without.counts.training);
    let (played, near): (Vec<&Sample>, Vec<&Sample>) =
        taught.training.iter().partition(|s| s.result().is_some());
    assert!(
        played
            .iter()
            .all(|sample| (99..=100).contains(&sample.score()))
    );
    assert!(
        [-50, 60]
            .iter()
            .all(|value| near.iter().any(|sample| sample.score() == *value))
    );
    assert!(
        near.iter()
            .all(|sample| [-50, 60].contains(&sample.score()))
    );
    assert_eq!(taught.counts.distilled, near.len() as u64);
    // Labels on half the scale of the games count twice.
    let scaled = Settings {
        label_scale: 100,
        ..share(1.0)
    };
    let scaled = read(&paths, &scaled).unwrap();
    let mut near = scaled.training.iter().filter(|s| s.result().is_none());
    assert!(near.all(|sample| [-100, 120].contains(&sample.score())));
    // Half and half, as expectations: between the two, and nearer to the smaller one.
    let half = read(&paths, &share(0.5)).unwrap();
    let half = half.training.iter().filter(|s| s.result().is_some());
    for (mean, own) in half.zip(&without.training) {
        let (low, high) = (own.score().min(100), own.score().max(100));
        assert!((low - 1..=high).contains(&mean.score()));
    }
    // A position without a label keeps its score.
    label(&folder, [i16::MIN; 4], positions);
    assert_eq!(
        read(&paths, &share(1.0)).unwrap().training,
        without.training
    );
    for wrong in [positions - 1, positions + 1] {
        label(&folder, [0; 4], wrong);
        assert!(matches!(
            read(&paths, &share(1.0)),
            Err(TrainError::Labels { labels, .. }) if labels == wrong
        ));
    }
    label(&folder, [0; 7], 1);
    let cut = read(&paths, &share(1.0));
    assert!(matches!(
        cut,
        Err(TrainError::CutLabels { neighbours: 3, .. })
    ));
}

#[test]
fn records_are_the_positions_and_neighbours_that_labels_belong_to() {
    let games = random_games(20, 80);
    let folder = Folder::new();
    let paths = [folder.file("games.vf", &bytes(&games))];
    let settings = Settings {
        lambda: 0.5,
        scale: 200,
        neighbours: 3,
        ..all()
    };
    let positions = games.iter().map(|game| game.moves.len()).sum();
    // Positions keep their own scores.
    label(&folder, [i16::MIN, 1, 2, 3], positions);
    let labelled = Settings {
        labels: 0.5,
        ..settings.clone()
    };
    let data = read(&paths, &labelled).unwrap();
    let is_played = |sample: &&Sample| sample.result().is_some();
    let mut samples = data.training.iter().filter(is_played);
    let mut near = data.training.iter().filter(|sample| !is_played(sample));
    let mut promotions = 0;
    let boards = |record: &[u8]| {
        let codes = record[..32].iter().flat_map(|pair| [pair & 15, pair >> 4]);
        let mut board = Board::empty();
        for (square, code) in Square::ALL.into_iter().zip(codes) {
            if let Some(role) = Role::ALL
                .get((usize::from(code) + 5) % 6)
                .filter(|_| code > 0)
            {
                let color = Color::from_white(code <= 6);
                board.set_piece_at(square, Piece { color, role: *role });
            }
        }
        let mut mirrored = board.clone();
        mirrored.flip_horizontal();
        [board, mirrored]
    };
    let number = |record: &[u8], at: usize| i16::from_le_bytes([record[at], record[at + 1]]);
    for game in &games {
        let records = records::of_game(&game.to_bytes().unwrap(), &settings, Evaluator::Classical);
        let records = records.unwrap();
        let mut moves = game.moves.iter();
        let mut position = game.start.clone();
        let mut behind = 0;
        for record in records.chunks(records::BYTES) {
            let inputs = BoardInputs::of_board(&boards(record)[0], true);
            let (marked, _) = record[48..].as_chunks();
            let marked = marked.iter().map(|&bytes| u64::from_le_bytes(bytes));
            assert!(marked.eq(inputs.marks().0.map(u64::from)));
            if record[37] & 128 != 0 {
                let other = near.next().unwrap();
                behind += 1;
                assert_eq!(other.score(), behind);
                assert!(boards(record).contains(&other.board()));
                assert_eq!(number(record, 32), 0);
                continue;
            }
            behind = 0;
            let scored = moves.next().unwrap();
            let own_score = position.turn().fold_wb(1, -1) * scored.score;
            assert_eq!(number(record, 32), own_score);
            let value = Evaluator::Classical.evaluate(&position);
            assert_eq!(i32::from(number(record, 34)), value);
            let promotion = match scored.m.kind() {
                MoveKind::Promotion(role) => role as u8 - Role::Pawn as u8,
                _ => 0,
            };
            assert_eq!(record[42], promotion);
            promotions += u32::from(promotion > 0);
            let king = boards(record)[0].king_of(Color::White).unwrap();
            assert!(king.file() >= File::E);
            if record[37] & 16 != 0 {
                let sample = samples.next().unwrap();
                assert!(boards(record).contains(&sample.board()));
                assert_eq!(number(record, 46), sample.score());
                assert_eq!(f32::from(record[36]) / 2.0, sample.result().unwrap());
                let from = boards(record)[0].piece_at(Square::new(u32::from(record[40])));
                let role = position.role_at(scored.m.from()).unwrap();
                assert_eq!(
                    from,
                    Some(Piece {
                        color: Color::White,
                        role
                    })
                );
            }
            position = position.play(scored.m);
        }
        assert!(moves.next().is_none());
    }
    assert!(samples.next().is_none() && near.next().is_none() && promotions > 0);
}
