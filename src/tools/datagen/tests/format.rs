//! Compares the format with the crate that defines it.

use super::super::format::{self, GameError, GameResult, RecordedGame, ScoredMove};
use crate::games::openings::double_chess960;
use crate::position::Position;
use crate::position::notation::{fen, parse_fen};
use crate::random::Random;
use crate::score::Score;

/// Returns a game of random moves that castles whenever possible.
fn random_game(start: Position, random: &mut Random) -> RecordedGame {
    let mut position = start.clone();
    let mut moves = Vec::new();
    for _ in 0..120 {
        let legal = position.legal_moves();
        let special = legal
            .iter()
            .copied()
            .find(|m| m.is_castling() || m.is_en_passant());
        let Some(m) = special.or_else(|| legal.get(random.below(legal.len())).copied()) else {
            break;
        };
        let score = random.below(4_001) as i32 - 2_000;
        moves.push(ScoredMove::new(m, Score::cp(score)));
        position = position.play(m);
    }
    let result = match random.below(3) {
        0 => GameResult::Black,
        1 => GameResult::Draw,
        _ => GameResult::White,
    };
    RecordedGame {
        start,
        result,
        expected: None,
        moves,
    }
}

/// Checks that a game survives a round trip through this module, that the crate reads the same game
/// with the same legal moves in every position, and that this module reads what the crate writes.
fn check_against_the_crate(game: &RecordedGame) {
    use viriformat::dataformat::{Game as Theirs, WDL};
    let bytes = game.to_bytes().unwrap();
    let again = RecordedGame::from_bytes(&bytes).unwrap();
    assert_eq!(fen(&again.start), fen(&game.start));
    assert_eq!(again.start.key(), game.start.key());
    assert_eq!((again.result, &again.moves), (game.result, &game.moves));
    assert_eq!(again.to_bytes().unwrap(), bytes);

    let theirs = Theirs::deserialise_from(&mut bytes.as_slice(), Vec::new()).unwrap();
    let outcome = match game.result {
        GameResult::Black => WDL::Loss,
        GameResult::Draw => WDL::Draw,
        GameResult::White => WDL::Win,
    };
    assert_eq!(theirs.outcome(), outcome);
    assert_eq!(theirs.len(), game.moves.len());
    let mut written = Vec::new();
    theirs.serialise_into(&mut written).unwrap();
    assert_eq!(written, bytes);
    // The crate packs its own board to the same bytes, except for the result.
    let mut packed = Vec::new();
    Theirs::new(&theirs.initial_position())
        .serialise_into(&mut packed)
        .unwrap();
    packed[30] = bytes[30];
    assert_eq!(packed[..32], bytes[..32], "{}", fen(&game.start));

    let mut positions = Vec::new();
    theirs.visit_positions(|board, score| {
        let mut codes: Vec<u16> = board
            .clone()
            .legal_moves()
            .iter()
            .map(|m| m.inner())
            .collect();
        codes.sort_unstable();
        positions.push((score, codes));
    });
    let mut theirs = positions.into_iter();
    game.replay(|_, position, scored| {
        let legal = position.legal_moves();
        let mut codes: Vec<u16> = legal.iter().map(|&m| format::pack_move(m)).collect();
        codes.sort_unstable();
        let expected = (i32::from(scored.score), codes);
        assert_eq!(theirs.next(), Some(expected), "{}", fen(position));
    })
    .unwrap();
}

#[test]
fn expected_points_survive_a_round_trip() {
    let mut game = random_game(Position::initial(), &mut Random::new(3));
    for points in [None, Some(0.0), Some(0.4215), Some(1.0)] {
        game.expected = points;
        let bytes = game.to_bytes().unwrap();
        let again = RecordedGame::from_bytes(&bytes).unwrap();
        assert_eq!(again.expected, points);
        assert_eq!(again.points(), points.unwrap_or(game.result.points()));
        // The crate reads the same game.
        let theirs = viriformat::dataformat::Game::deserialise_from(&mut bytes.as_slice(), vec![]);
        assert_eq!(theirs.unwrap().len(), game.moves.len());
    }
    let mut bytes = game.to_bytes().unwrap();
    bytes[29] = 255;
    let damaged = RecordedGame::from_bytes(&bytes).unwrap_err();
    assert_eq!(damaged, GameError::Header("more than a point"));
}

#[test]
fn the_crate_reads_what_is_written() {
    let mut random = Random::new(5);
    let (mut castled, mut en_passant, mut promoted) = (0, 0, 0);
    for number in 0..150 {
        let start = if number % 3 == 0 {
            Position::initial()
        } else {
            double_chess960(random.below(960), random.below(960))
        };
        let game = random_game(start, &mut random);
        castled += game.moves.iter().filter(|s| s.m.is_castling()).count();
        en_passant += game.moves.iter().filter(|s| s.m.is_en_passant()).count();
        promoted += game.moves.iter().filter(|s| s.m.is_promotion()).count();
        check_against_the_crate(&game);
    }
    assert!(castled > 50 && en_passant > 20 && promoted > 20);
}

#[test]
fn positions_of_all_kinds_keep_what_they_are() {
    for text in [
        "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w Kq - 3 17",
        "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b Gb - 0 40",
        "rkr5/8/8/8/8/8/8/RKR5 w ACac - 0 1",
        "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 30",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ] {
        let position = parse_fen(text, false).unwrap().position;
        for m in position.legal_moves() {
            let game = RecordedGame {
                start: position.clone(),
                result: GameResult::Draw,
                expected: None,
                moves: vec![ScoredMove::new(m, Score::mate_in(7))],
            };
            assert_eq!(game.moves[0].score, format::WON);
            check_against_the_crate(&game);
        }
    }
    // Positions that no game can reach. The crate does not say whether it takes them.
    for text in [
        "4k3/8/8/1b5r/8/3n1n2/8/r3K3 w - - 0 1",
        "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1",
    ] {
        let game = RecordedGame {
            start: parse_fen(text, false).unwrap().position,
            result: GameResult::Draw,
            expected: None,
            moves: Vec::new(),
        };
        let again = RecordedGame::from_bytes(&game.to_bytes().unwrap()).unwrap();
        assert_eq!(fen(&again.start), text);
    }
    let crowd = "rnbqkbnr/pppppppp/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let game = RecordedGame {
        start: parse_fen(crowd, false).unwrap().position,
        result: GameResult::Draw,
        expected: None,
        moves: Vec::new(),
    };
    assert!(game.to_bytes().is_none());
}

#[test]
fn what_the_crate_documents_is_read() {
    // The example of the crate's README, with the nibbles of each byte in the order of its code.
    let bytes = [
        0xff, 0xff, 0, 0, 0, 0, 0xff, 0xff, 0x16, 0x42, 0x25, 0x61, 0, 0, 0, 0, 0x88, 0x88, 0x88,
        0x88, 0x9e, 0xca, 0xad, 0xe9, 0x40, 0, 1, 0, 0, 0, 2, 0, 0x0c, 0x07, 0x0a, 0, 0x34, 0x09,
        0x14, 0, 0xc3, 0x09, 0xe2, 0xff, 0x3c, 0x0d, 0xff, 0x7f, 0x27, 0x09, 0xff, 0x7f, 0, 0, 0,
        0,
    ];
    let game = RecordedGame::from_bytes(&bytes).unwrap();
    assert_eq!(game.moves_text(), "e2e4 e7e5 d1h5 e8e7 h5e5");
    assert_eq!(game.result, GameResult::White);
    assert_eq!(game.moves.first().map(|scored| scored.score), Some(10));
    assert!(game.moves.last().unwrap().is_decisive());
    assert_eq!(game.verify(), Ok(()));
    assert_eq!(game.to_bytes().unwrap(), bytes);
}
