//! Random networks and positions for tests.

use super::format::{
    ALL_SETS, FEATURES, HEADER_BYTES, MAGIC, SECOND, SMALL_LAYER_FLOATS, checksum,
};
use super::network::Network;
use crate::position::notation::parse_fen;
use crate::position::{Move, Position};
use crate::random::Random;

/// Returns a random number from `-limit` to `limit`.
pub fn within(limit: i16, random: &mut Random) -> i16 {
    (random.below(2 * limit as usize + 1) as i32 - i32::from(limit)) as i16
}

/// Creates a network file with random weights, I = 11 and small layers in all buckets but the last
/// of several; the first layer's weights are within `limit`.
pub fn random_file(width: usize, buckets: usize, limit: i16, seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut payload = Vec::new();
    for _ in 0..(ALL_SETS * FEATURES + 1) * width {
        payload.extend(within(limit, &mut random).to_le_bytes());
    }
    for _ in 0..buckets * 2 * width {
        payload.extend(within(127, &mut random).to_le_bytes());
    }
    for _ in 0..buckets {
        payload.extend(i32::from(within(i16::MAX, &mut random)).to_le_bytes());
    }
    for _ in 0..buckets {
        payload.extend((64 + random.below(65) as u32).to_le_bytes());
    }
    let small = buckets.max(2) - 1;
    for _ in 0..small {
        payload.extend((0..2 * width * SECOND).map(|_| within(127, &mut random) as i8 as u8));
        for _ in 0..SMALL_LAYER_FLOATS {
            let number = f32::from(within(1000, &mut random)) / 1000.0;
            payload.extend(number.to_le_bytes());
        }
    }
    let sizes = [width, ALL_SETS, buckets, small].map(|size| size as u32);
    let [n, i, b, s] = sizes;
    file([n, i, b, s, 255, 400], &payload)
}

/// Creates a network file with this header (N, I, B, S, QA, K) and payload.
pub fn file(numbers: [u32; 6], payload: &[u8]) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    bytes.extend(checksum(payload).to_le_bytes());
    assert_eq!(bytes.len(), HEADER_BYTES);
    bytes.extend(payload);
    bytes
}

/// Creates a network with random weights of a useful size.
pub fn random_network(width: usize, buckets: usize, seed: u64) -> Network {
    Network::parse(&random_file(width, buckets, 60, seed)).expect("a network")
}

/// Returns the positions of the perft suites for all three kinds of chess.
pub fn suite() -> Vec<Position> {
    let suites = [
        include_str!("../../../epd-suites/perft-standard.epd"),
        include_str!("../../../epd-suites/perft-chess960.epd"),
        include_str!("../../../epd-suites/perft-double-chess960.epd"),
    ];
    let lines = suites.iter().flat_map(|suite| suite.lines());
    lines
        .filter_map(|line| {
            let fields: Vec<&str> = line.split_whitespace().take(4).collect();
            parse_fen(&fields.join(" "), false).ok()
        })
        .map(|parsed| parsed.position)
        .collect()
}

/// Returns positions with more pieces than a game can have.
pub fn crowded() -> Vec<Position> {
    [
        "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/KQQQQQQk b - -",
        "NNNNNNNN/NNNNNNNN/NNNNNNNN/NNNNNNNN/NNNNNNNN/NNNNNNNN/kNNNNNNN/NNNNNNNK b - -",
        "QRBNQRBN/QRBNQRBN/QRBNQRBN/QRBNQRBN/qrbnqrbn/qrbnqrbn/qrbnqrbn/kqqqqqqK w - -",
        "k7/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP/K7 b - -",
    ]
    .iter()
    .map(|fen| parse_fen(fen, false).expect("a position").position)
    .collect()
}

/// Picks a random legal move, mostly of the king (castling included) if `royal`; `None` if there is
/// no legal move.
pub fn random_move(position: &Position, royal: bool, random: &mut Random) -> Option<Move> {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return None;
    }
    let of_king = moves
        .iter()
        .filter(|m| m.from() == position.king(position.turn()));
    let of_king: Vec<Move> = of_king.copied().collect();
    if royal && !of_king.is_empty() && random.below(3) > 0 {
        return Some(of_king[random.below(of_king.len())]);
    }
    Some(moves[random.below(moves.len())])
}
