//! Tests that the network treats colours and sides of the board alike.

use shakmaty::{CastlingMode, Chess, Color, FromSetup, Position as _};

use super::super::loss::outputs;
use super::super::network::{Parameters, Shape};
use super::super::sample::Sample;
use super::random_records;
use crate::games::GameResult;
use crate::position::Position;

const SHAPE: Shape = Shape {
    hidden: 64,
    king_buckets: 8,
    has_marks: true,
    buckets: 8,
    small_layers: 8,
};

/// Returns the position with its board changed, without castling rights.
fn changed(position: &Position, change: impl Fn(&mut shakmaty::Setup)) -> Option<Position> {
    let mut setup = position.chess().to_setup(shakmaty::EnPassantMode::Legal);
    setup.castling_rights = shakmaty::Bitboard::EMPTY;
    setup.ep_square = None;
    change(&mut setup);
    let chess = Chess::from_setup(setup, CastlingMode::Standard).ok()?;
    Some(Position::from_chess(chess))
}

#[test]
fn colours_exchanged_are_the_same_to_the_network() {
    let mut count = 0;
    for (position, score, result) in random_records(500) {
        let Some(other) = changed(&position, |setup| {
            setup.board.flip_vertical();
            setup.board.swap_colors();
            setup.turn = !setup.turn;
        }) else {
            continue;
        };
        let turned = match result {
            GameResult::Black => GameResult::White,
            GameResult::Draw => GameResult::Draw,
            GameResult::White => GameResult::Black,
        };
        assert_eq!(
            Sample::new(&position, score, Some(result)),
            Sample::new(&other, -score, Some(turned))
        );
        count += 1;
    }
    assert!(count > 400, "{count}");
}

#[test]
fn the_board_mirrored_is_the_same_to_the_network() {
    let network = Parameters::random(SHAPE, 3);
    let mut count = 0;
    for (position, score, result) in random_records(500) {
        let Some(other) = changed(&position, |setup| setup.board.flip_horizontal()) else {
            continue;
        };
        let pair = [&position, &other].map(|p| Sample::new(p, score, Some(result)).unwrap());
        let inputs = pair.map(|sample| {
            sample.inputs(SHAPE).map(|active| {
                let mut indices = active.indices().to_vec();
                indices.sort_unstable();
                indices
            })
        });
        assert_eq!(inputs[0], inputs[1]);
        let outputs = outputs(&network, &pair);
        assert!((outputs[0] - outputs[1]).abs() < 1e-5);
        count += 1;
    }
    assert!(count > 400, "{count}");
}

#[test]
fn samples_keep_score_result_and_men() {
    for (position, score, result) in random_records(500) {
        let sample = Sample::new(&position, score, Some(result)).unwrap();
        let (sign, points) = match position.turn() {
            Color::White => (1, result.points()),
            Color::Black => (-1, 1.0 - result.points()),
        };
        assert_eq!(sample.score(), sign * score);
        assert_eq!(sample.result().map(f64::from), Some(points));
        assert_eq!(sample.piece_count(), position.occupied().count());
        assert_eq!(size_of::<Sample>(), 48);
    }
}

#[test]
fn buckets_go_by_men() {
    let bucket = |buckets, pieces| {
        Shape {
            hidden: 64,
            king_buckets: 1,
            has_marks: false,
            buckets,
            small_layers: 0,
        }
        .bucket(pieces)
    };
    assert!((2..64).all(|pieces| bucket(1, pieces) == 0));
    let eight: Vec<_> = [2, 5, 6, 17, 18, 29, 30, 32, 44]
        .map(|pieces| bucket(8, pieces))
        .into();
    assert_eq!(eight, [0, 0, 1, 3, 4, 6, 7, 7, 7]);
}
