//! Accumulators against evaluation from scratch, formulas, and symmetries.

use shakmaty::{
    CastlingMode, Chess, EnPassantMode, FromSetup, Position as _, PositionError, Square,
};

use super::super::samples::{crowded, file, random_file, random_move, random_network, suite};
use super::super::simd::Kernel;
use super::super::*;
use crate::position::{Move, MoveKind, Position};
use crate::random::Random;

/// Takes a random walk through the tree below a position: moves, null moves and takebacks, with an
/// evaluation now and then. Returns the number of comparisons and of castling moves.
fn walk(
    network: &Network,
    start: Position,
    stack: &mut AccumulatorStack,
    random: &mut Random,
) -> (usize, usize) {
    let royal = random.below(2) == 0;
    let (mut line, mut compared, mut castled) = (vec![start], 0, 0);
    stack.reset(network);
    for _ in 0..100 {
        let position = &line[line.len() - 1];
        match random.below(16) {
            0..3 if line.len() > 1 => {
                line.pop();
                stack.pop();
            }
            3 => {
                if let Some(child) = position.play_null() {
                    stack.push_null();
                    line.push(child);
                }
            }
            _ => {
                let Some(m) = random_move(position, royal, random) else {
                    break;
                };
                castled += usize::from(m.kind() == MoveKind::Castling);
                stack.push();
                line.push(position.play(m));
            }
        }
        let position = &line[line.len() - 1];
        if random.below(3) > 0 {
            let value = stack.evaluate(network, position);
            assert_eq!(value, network.evaluate(position), "{position:?}");
            compared += 1;
        }
    }
    (compared, castled)
}

#[test]
fn updates_equal_evaluation_from_scratch_along_games_of_all_kinds_of_chess() {
    let mut random = Random::new(2026);
    let (mut games, mut compared, mut castled) = (0, 0, 0);
    let networks: Vec<Network> = Kernel::available()
        .into_iter()
        .map(|kernel| random_network(64, 8, 7).with_kernel(kernel))
        .collect();
    let mut stack = AccumulatorStack::new(&networks[0]);
    for start in suite() {
        for _ in 0..2 {
            let network = &networks[games % networks.len()];
            let counts = walk(network, start.clone(), &mut stack, &mut random);
            games += 1;
            compared += counts.0;
            castled += counts.1;
        }
    }
    assert!(games >= 2_000, "{games}");
    assert!(compared > 50 * games, "{compared}");
    assert!(castled > 500, "{castled}");
}

#[test]
fn crowded_boards_and_overflowing_weights_wrap() {
    let mut random = Random::new(1);
    for limit in [60, i16::MAX] {
        let network = Network::parse(&random_file(32, 8, limit, 3)).expect("a network");
        let mut stack = AccumulatorStack::new(&network);
        for position in crowded() {
            stack.reset(&network);
            let value = stack.evaluate(&network, &position);
            assert_eq!(value, network.evaluate(&position));
            for _ in 0..4 {
                walk(&network, position.clone(), &mut stack, &mut random);
            }
            assert_eq!(network.bucket(position.occupied().count()), 7);
        }
    }
}

#[test]
fn the_stack_holds_the_longest_line_and_survives_pops_at_its_start() {
    let network = random_network(32, 1, 5);
    let mut stack = AccumulatorStack::new(&network);
    let mut position = Position::initial();
    stack.reset(&network);
    stack.pop();
    // The knights move out and back.
    let there_and_back = [
        (Square::G1, Square::F3),
        (Square::B8, Square::C6),
        (Square::F3, Square::G1),
        (Square::C6, Square::B8),
    ];
    for ply in 0..=crate::score::MAX_PLY {
        let (from, to) = there_and_back[ply % 4];
        let m = Move::normal(from, to);
        assert!(position.is_legal(m));
        stack.push();
        position = position.play(m);
    }
    assert_eq!(
        stack.evaluate(&network, &position),
        network.evaluate(&position)
    );
}

#[test]
fn a_stack_follows_a_change_of_network() {
    let position = Position::initial();
    let networks =
        [(32, 1, 1), (32, 1, 2), (64, 8, 3)].map(|(n, b, seed)| random_network(n, b, seed));
    let mut stack = AccumulatorStack::new(&networks[0]);
    for network in &networks {
        stack.reset(network);
        assert_eq!(
            stack.evaluate(network, &position),
            network.evaluate(&position)
        );
    }
}

/// Returns the position with its setup changed.
fn changed(position: &Position, change: impl Fn(&mut shakmaty::Setup)) -> Position {
    let mut setup = position.chess().to_setup(EnPassantMode::Legal);
    change(&mut setup);
    let chess = Chess::from_setup(setup, CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .expect("legal");
    Position::from_chess(chess)
}

#[test]
fn colours_and_wings_are_treated_alike() {
    let network = random_network(64, 8, 11);
    for position in suite().into_iter().chain(crowded()) {
        let value = network.evaluate(&position);
        let flipped = changed(&position, |setup| setup.mirror());
        assert_eq!(network.evaluate(&flipped), value, "{position:?}");
        let mirrored = changed(&position, |setup| {
            setup.castling_rights = shakmaty::Bitboard::EMPTY;
            setup.ep_square = None;
            setup.board.flip_horizontal();
        });
        assert_eq!(network.evaluate(&mirrored), value, "{position:?}");
    }
}

#[test]
fn kernels_give_the_same_values() {
    for width in [32, 256, 416] {
        let portable = random_network(width, 8, 13).with_kernel(Kernel::available()[0]);
        for kernel in Kernel::available() {
            let network = portable.clone().with_kernel(kernel);
            for position in suite().iter().step_by(7).chain(&crowded()) {
                assert_eq!(network.evaluate(position), portable.evaluate(position));
            }
        }
    }
}

#[test]
fn the_value_is_what_the_formula_says() {
    // Every neuron is at 100 on both sides, every output weight is 3 of 96, and the bias is a half.
    let mut payload = Vec::new();
    for _ in 0..768 * 32 {
        payload.extend(0_i16.to_le_bytes());
    }
    for _ in 0..32 {
        payload.extend(100_i16.to_le_bytes());
    }
    for _ in 0..64 {
        payload.extend(3_i16.to_le_bytes());
    }
    payload.extend((255 * 96 / 2_i32).to_le_bytes());
    payload.extend(96_u32.to_le_bytes());
    let network = Network::parse(&file([32, 1, 1, 0, 255, 400], &payload)).expect("a network");
    // 64 * 100 * 100 * 3 = 1,920,000; / 255 = 7,529; + 12,240 = 19,769; * 400 / 24,480 = 323.
    assert_eq!(network.evaluate(&Position::initial()), 323);
}

#[test]
fn the_small_layers_are_what_the_formula_says() {
    // Every neuron is at 100 on both sides: its square is (10,000 + 256) >> 9 = 20.
    let mut payload = vec![0; 768 * 32 * 2];
    for _ in 0..32 {
        payload.extend(100_i16.to_le_bytes());
    }
    // No weights from the first layer to the output.
    payload.extend([0; 64 * 2 + 4]);
    payload.extend(64_u32.to_le_bytes());
    // To neuron n of the second layer, the first activation has the weight n, the last 2 n.
    for four in 0..16 {
        for neuron in 0..16 {
            payload.extend([
                if four == 0 { neuron } else { 0 },
                0,
                0,
                if four == 15 { 2 * neuron } else { 0 },
            ]);
        }
    }
    let second = |neuron: usize| 20.0 * 3.0 * neuron as f64 / (127.0 * 128.0) - 0.01;
    let mut floats = vec![-0.01; 16];
    // The third layer has the second's values and their squares, with one weight for each lane.
    for kind in 0..2 {
        for neuron in 0..16 {
            floats.extend((0..32).map(|lane| match lane == neuron + 16 * kind {
                true => 0.5,
                false => 0.0,
            }));
        }
    }
    floats.extend([0.001; 32]);
    floats.extend((0..32).map(|lane| lane as f32 / 8.0));
    payload.extend(floats.iter().flat_map(|number: &f32| number.to_le_bytes()));
    let bytes = file([32, 1, 1, 1, 255, 10_000], &payload);
    let network = Network::parse(&bytes).expect("a network");
    let expected: f64 = (0..32)
        .map(|lane| {
            let value = second(lane % 16);
            let input = if lane < 16 {
                value.max(0.0)
            } else {
                value * value
            };
            (0.5 * input + 0.001) * lane as f64 / 8.0
        })
        .sum();
    let value = f64::from(network.evaluate(&Position::initial()));
    assert!(
        (value - 10_000.0 * expected).abs() < 1.5,
        "{value} {expected}"
    );
    assert!(value > 500.0);
}

#[test]
fn one_set_of_weights_is_several_that_are_the_same() {
    let payload = random_file(32, 2, 60, 1).split_off(HEADER_BYTES);
    let (weights, rest) = payload.split_at(11 * 768 * 32 * 2);
    let one = &weights[..768 * 32 * 2];
    let read = |sets: usize| {
        let marks = vec![0; sets.saturating_sub(8) * one.len()];
        let payload = [&one.repeat(sets.min(8)), &marks, rest].concat();
        Network::parse(&file([32, sets as u32, 2, 1, 255, 400], &payload)).unwrap()
    };
    let networks = [1, 8, 11].map(read);
    for position in suite().iter().step_by(7) {
        let values = networks
            .each_ref()
            .map(|network| network.evaluate(position));
        assert_eq!(values, [values[0]; 3]);
    }
    assert_ne!(networks[0].identity(), networks[1].identity());
    assert_ne!(networks[1].identity(), networks[2].identity());
}

#[test]
fn buckets_share_the_men_of_a_game() {
    let network = random_network(32, 8, 1);
    let buckets = [0, 1, 2, 5, 6, 31, 32, 33, 34, 64, 1000].map(|pieces| network.bucket(pieces));
    assert_eq!(buckets, [0, 0, 0, 0, 1, 7, 7, 7, 7, 7, 7]);
    assert_eq!(random_network(32, 1, 1).bucket(32), 0);
    // 32 / 7 rounded up is 5, so the last bucket takes the rest.
    assert_eq!(
        [31, 32, 64].map(|pieces| random_network(32, 7, 1).bucket(pieces)),
        [5, 6, 6]
    );
}

#[test]
fn pieces_are_worth_what_their_absence_costs() {
    let network = random_network(64, 8, 17);
    for position in [Position::initial(), crowded().swap_remove(0)] {
        let values = piece_values(&network, &position);
        let pieces = position.occupied().count();
        assert_eq!(values.iter().flatten().count(), pieces - 2);
        let text = explain(&network, &position);
        assert_eq!(
            text.lines().filter(|line| line.starts_with('|')).count(),
            16
        );
        assert!(text.contains("In internal pawns: "));
    }
    // Flipping the board changes the signs.
    let position = Position::initial();
    let values = piece_values(&network, &position);
    let black = changed(&position, |setup| setup.mirror());
    let other = piece_values(&network, &black);
    for square in Square::ALL {
        let (value, other) = (values[square.to_usize()], other[square.to_usize() ^ 56]);
        assert_eq!(value, other.map(|value| -value));
    }
}
