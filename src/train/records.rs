//! Records of positions, for a teacher outside of this program to learn from and to label, and for
//! its student on a GPU.
//!
//! A record has 72 bytes, little-endian. Squares are seen by the side to move: ranks are flipped
//! for Black, and files if the own king is on files a to d.
//!
//! ```text
//!  0  32 x u8  two squares a byte, the first (a1, b1) with a1 in the lower half: 0 empty, 1 .. 6 own pawn .. king, 7 .. 12 the
//!              other side's
//! 32  i16      the score of the search for the side to move, in centipawns
//! 34  i16      the static evaluation, for the same side
//! 36  u8       the result for the same side: 0 lost, 1 drawn, 2 won
//! 37  u8       flags: 1, 2 own castling towards files h, a; 4, 8 the other side's; 16 used for training; 32 first of its game;
//!              64 the score is a mate or a tablebase result; 128 neighbour
//! 38  u8       en passant square, 64 if none
//! 39  u8       halfmove clock
//! 40  2 x u8   the move played: from, to (castling is king takes rook)
//! 42  u8       its promotion: 0 none, 1 knight .. 4 queen
//! 43  u8       0
//! 44  u16      plies since the first position of the game
//! 46  i16      the lambda-return for the side to move, in centipawns
//! 48  3 x u64  the squares of pieces with each of the `PieceMarks`, the lowest bit for a1
//! ```
//!
//! A position that is used for training is followed by its `neighbours`, quiet positions one or two
//! other moves away, of which there may be fewer than asked for. A neighbour has no score, move or
//! lambda-return of its own; these fields are 0.

use shakmaty::{CastlingSide, Color, Position as _};

use super::data::lambda_returns;
use super::neighbours::{neighbour_random, neighbours};
use super::settings::Settings;
use crate::eval::Evaluator;
use crate::eval::nnue::BoardInputs;
use crate::games::filter::Filter;
use crate::games::format::pack_move;
use crate::games::{GameError, RecordedGame, ScoredMove};
use crate::position::Position;

/// The size of a record in bytes.
pub const BYTES: usize = 72;

/// The place of the marked pieces.
const MARKED: usize = 48;

const USED: u8 = 16;
const FIRST: u8 = 32;
const DECISIVE: u8 = 64;
const NEIGHBOUR: u8 = 128;

/// Returns the records of a game's positions and their neighbours, with static evaluations by
/// `evaluator` and lambda-returns according to the settings.
///
/// # Errors
/// Fails when the bytes are not a legal game.
pub fn of_game(
    bytes: &[u8],
    settings: &Settings,
    evaluator: Evaluator<'_>,
) -> Result<Vec<u8>, GameError> {
    let game = RecordedGame::from_bytes(bytes)?;
    let returns = lambda_returns(&game, settings);
    let mut random = neighbour_random(bytes);
    let mut filter = Filter::default();
    let mut records = Vec::with_capacity(game.moves.len() * (1 + settings.neighbours) * BYTES);
    game.replay(|ply, position, scored| {
        let is_used = filter.is_usable(ply, position, scored);
        let flags = if is_used { USED } else { 0 }
            | if ply == 0 { FIRST } else { 0 }
            | if scored.is_decisive() { DECISIVE } else { 0 };
        let mut record = of_position(position, evaluator, flags, game.result as u8);
        let later = returns.get(ply).copied().unwrap_or(scored.score);
        add_move(&mut record, position, scored, ply, later);
        records.extend(record);
        if is_used {
            for near in neighbours(position, scored.m, settings.neighbours, &mut random) {
                records.extend(of_position(&near, evaluator, NEIGHBOUR, game.result as u8));
            }
        }
    })?;
    Ok(records)
}

/// Returns the flip that shows a square to the side to move.
fn flip(position: &Position) -> u8 {
    let us = position.turn();
    let files = if position.king(us) as u8 & 4 == 0 {
        7
    } else {
        0
    };
    us.fold_wb(0, 56) ^ files
}

fn of_position(
    position: &Position,
    evaluator: Evaluator<'_>,
    flags: u8,
    white_result: u8,
) -> [u8; BYTES] {
    let us = position.turn();
    let flip = flip(position);
    let mut record = [0; BYTES];
    for square in position.occupied() {
        let Some(piece) = position.piece_at(square) else {
            continue;
        };
        let code = piece.role as u8 + if piece.color == us { 0 } else { 6 };
        let seen = square as u8 ^ flip;
        record[usize::from(seen / 2)] |= code << (4 * (seen & 1));
    }
    let value = evaluator.evaluate(position) as i16;
    record[34..36].copy_from_slice(&value.to_le_bytes());
    record[36] = us.fold_wb(white_result, 2 - white_result);
    record[37] = flags | castling(position, flip & 7 != 0);
    record[38] = position.en_passant().map_or(64, |at| at as u8 ^ flip);
    record[39] = position.halfmoves().min(255) as u8;
    let inputs = BoardInputs::of_position(position, true);
    let (places, _) = record[MARKED..].as_chunks_mut();
    for (place, marked) in places.iter_mut().zip(inputs.marks().0) {
        let seen = marked.into_iter().map(|at| 1_u64 << (at as u8 ^ flip));
        *place = seen.sum::<u64>().to_le_bytes();
    }
    record
}

/// Returns the flags of the castling rights.
fn castling(position: &Position, is_mirrored: bool) -> u8 {
    let us = position.turn();
    let mut flags = 0;
    for (color, first) in [(us, 1), (!us, 4)] {
        for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
            let towards_h = (side == CastlingSide::KingSide) != is_mirrored;
            if position.chess().castles().has(color, side) {
                flags |= if towards_h { first } else { 2 * first };
            }
        }
    }
    flags
}

/// Adds to a record what the game has beyond the position; the lambda-return is White's.
fn add_move(
    record: &mut [u8; BYTES],
    position: &Position,
    scored: ScoredMove,
    ply: usize,
    lambda_return: i16,
) {
    let own = |white_score: i16| match position.turn() {
        Color::White => white_score,
        Color::Black => white_score.saturating_neg(),
    };
    record[32..34].copy_from_slice(&own(scored.score).to_le_bytes());
    let (code, flip) = (pack_move(scored.m), flip(position));
    record[40] = (code as u8 & 63) ^ flip;
    record[41] = ((code >> 6) as u8 & 63) ^ flip;
    if scored.m.is_promotion() {
        record[42] = 1 + ((code >> 12) as u8 & 3);
    }
    record[44..46].copy_from_slice(&(ply as u16).to_le_bytes());
    record[46..48].copy_from_slice(&own(lambda_return).to_le_bytes());
}
