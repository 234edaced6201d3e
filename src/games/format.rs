//! The file format: `viriformat`, which the community's trainers read.
//!
//! A file is a sequence of games. A game is its first position, followed by pairs of a move and a
//! score:
//!
//! ```text
//! position, 32 bytes, little-endian
//!    0  u64      occupied squares, a1 = bit 0
//!    8  16 x u8  a nibble for each man in the order of the squares, the lower half of a byte first: pawn, knight, bishop,
//!                rook, queen, king = 0 .. 5, a rook that may castle = 6; Black's plus 8
//!   24  u8       en passant square, 64 if none; plus 128 when Black is to move
//!   25  u8       halfmove clock
//!   26  u16      move number
//!   28  u16      White's expected points in two-thousandths if byte 31 is 1, else not used: 0
//!   30  u8       result: 0 Black won, 1 draw, 2 White won
//!   31  u8       1 if the game was cut off and its result drawn by lot, else 0. Only Quevedo uses it
//! pair, 4 bytes
//!    0  u16      from, to (6 bits each), promotion (2 bits: knight .. queen), kind (2 bits: 1 en passant, 2 castling,
//!                3 promotion). Castling is king takes rook
//!    2  i16      White's score in centipawns before the move
//! end of the game: a pair of zeros
//! ```
//!
//! This module does not use the crate `viriformat`, because the crate has its own board, which must
//! be set up from a FEN, panics on damaged files, and depends on `rand`, `serde`, `toml` and
//! `anyhow`. The tests compare this module with it.

use std::num::NonZeroU32;

use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, FromSetup as _, Piece,
    Position as _, PositionError, Role, Setup, Square,
};
use thiserror::Error;

use crate::position::notation::uci;
use crate::position::{Move, MoveKind, Position};
use crate::score::Score;

/// The size of the first position in bytes.
pub const HEADER_BYTES: usize = 32;
/// The size of a move with its score in bytes.
pub const PAIR_BYTES: usize = 4;
/// The recorded score of a win by mate or tablebase, regardless of the distance. A loss has its
/// negative.
pub const WON: i16 = 32_000;

/// The pair that ends a game.
pub const END: [u8; PAIR_BYTES] = [0; PAIR_BYTES];
const CASTLING_ROOK: u8 = 6;
const NO_EN_PASSANT: u8 = 64;
const EXPECTED_UNITS: f64 = 2_000.0;
const BY_LOT: u8 = 1;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// Black won.
    Black,
    /// A draw.
    Draw,
    /// White won.
    White,
}

impl GameResult {
    /// Returns the result of a game that this side won.
    pub const fn won_by(color: Color) -> GameResult {
        match color {
            Color::White => GameResult::White,
            Color::Black => GameResult::Black,
        }
    }

    /// Returns White's points.
    pub const fn points(self) -> f64 {
        match self {
            GameResult::Black => 0.0,
            GameResult::Draw => 0.5,
            GameResult::White => 1.0,
        }
    }
}

/// A move and White's score before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScoredMove {
    /// The move.
    pub m: Move,
    /// The score for White in the search's units; [`WON`] or more for a certain win.
    pub score: i16,
}

impl ScoredMove {
    /// Creates a pair from a move and the score of its search for White.
    pub fn new(m: Move, white_score: Score) -> ScoredMove {
        let score = if white_score.is_win() {
            WON
        } else if white_score.is_loss() {
            -WON
        } else {
            // Other scores are smaller: Score keeps them below its wins.
            white_score
                .raw()
                .clamp(1 - i32::from(WON), i32::from(WON) - 1) as i16
        };
        ScoredMove { m, score }
    }

    /// Returns whether the score is a mate or a tablebase result.
    pub const fn is_decisive(self) -> bool {
        self.score >= WON || self.score <= -WON
    }
}

/// A game.
#[derive(Clone, Debug)]
pub struct RecordedGame {
    /// The first position.
    pub start: Position,
    /// The result.
    pub result: GameResult,
    /// White's expected points, in steps of 1/2000, if the game was cut off and its result drawn by
    /// lot.
    pub expected: Option<f64>,
    /// The moves with their scores.
    pub moves: Vec<ScoredMove>,
}

/// Errors of recorded games.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum GameError {
    /// The first position has an undefined value.
    #[error("the first position is damaged: {0}")]
    Header(&'static str),
    /// The first position is illegal.
    #[error("the first position is illegal: {0}")]
    Position(String),
    /// The game has an incomplete pair, or no end.
    #[error("the game has no end")]
    NoEnd,
    /// More moves follow than games have.
    #[error("no game is so long")]
    TooLong,
    /// The code of a move is undefined. Moves are counted from 1.
    #[error("move {0}: not a move")]
    NotAMove(usize),
    /// A move is illegal. Moves are counted from 1.
    #[error("move {0}: illegal move {1}")]
    IllegalMove(usize, String),
    /// The result contradicts the last position.
    #[error("the game ends in {0}, which contradicts its result")]
    Result(&'static str),
}

impl GameError {
    /// Returns the offset of the error in the game, in bytes.
    pub const fn offset(&self) -> usize {
        match self {
            GameError::NotAMove(number) | GameError::IllegalMove(number, _) => {
                HEADER_BYTES + (*number - 1) * PAIR_BYTES
            }
            _ => 0,
        }
    }
}

impl RecordedGame {
    /// Returns White's points: those of the result, or, if it was drawn by lot, those expected,
    /// which have less noise.
    pub fn points(&self) -> f64 {
        self.expected.unwrap_or(self.result.points())
    }

    /// Returns the bytes of the game, or `None` if the first position has more than 32 pieces.
    pub fn to_bytes(&self) -> Option<Vec<u8>> {
        let mut bytes = Vec::with_capacity(HEADER_BYTES + (self.moves.len() + 1) * PAIR_BYTES);
        bytes.extend(pack_header(&self.start, self.result, self.expected)?);
        for &ScoredMove { m, score } in &self.moves {
            bytes.extend(pack_move(m).to_le_bytes());
            bytes.extend(score.to_le_bytes());
        }
        bytes.extend(END);
        Some(bytes)
    }

    /// Parses the bytes of one game. It does not check that the moves are legal.
    ///
    /// # Errors
    /// Fails when the first position or the code of a move is invalid.
    pub fn from_bytes(bytes: &[u8]) -> Result<RecordedGame, GameError> {
        let (header, pairs) = bytes
            .split_first_chunk::<HEADER_BYTES>()
            .ok_or(GameError::NoEnd)?;
        let (pairs, []) = pairs.as_chunks::<PAIR_BYTES>() else {
            return Err(GameError::NoEnd);
        };
        let Some((&END, pairs)) = pairs.split_last() else {
            return Err(GameError::NoEnd);
        };
        let (start, result, expected) = unpack_header(header)?;
        let moves = pairs
            .iter()
            .zip(1..)
            .map(|(&[from, to, low, high], number)| {
                let m = unpack_move(u16::from_le_bytes([from, to]));
                Ok(ScoredMove {
                    m: m.ok_or(GameError::NotAMove(number))?,
                    score: i16::from_le_bytes([low, high]),
                })
            })
            .collect::<Result<_, GameError>>()?;
        Ok(RecordedGame {
            start,
            result,
            expected,
            moves,
        })
    }

    /// Visits every position with the move played in it and the index of the move. Returns the last
    /// position.
    ///
    /// # Errors
    /// Fails at the first illegal move.
    pub fn replay(
        &self,
        mut visit: impl FnMut(usize, &Position, ScoredMove),
    ) -> Result<Position, GameError> {
        let mut position = self.start.clone();
        for (index, &scored) in self.moves.iter().enumerate() {
            if !position.is_legal(scored.m) {
                let text = format!("{:?}", scored.m);
                return Err(GameError::IllegalMove(index + 1, text));
            }
            visit(index, &position, scored);
            position = position.play(scored.m);
        }
        Ok(position)
    }

    /// Checks that all moves are legal and that the result agrees with a mate or stalemate at the
    /// end.
    ///
    /// # Errors
    /// Returns the first fault.
    pub fn verify(&self) -> Result<(), GameError> {
        let last = self.replay(|_, _, _| {})?;
        if last.has_legal_move() {
            return Ok(());
        }
        let (what, result) = if last.in_check() {
            ("mate", GameResult::won_by(!last.turn()))
        } else {
            ("stalemate", GameResult::Draw)
        };
        if self.result == result {
            Ok(())
        } else {
            Err(GameError::Result(what))
        }
    }

    /// Returns the moves in UCI notation, for messages and tests.
    pub fn moves_text(&self) -> String {
        let mut words = Vec::with_capacity(self.moves.len());
        let _ = self.replay(|_, position, scored| words.push(uci(position, scored.m).to_string()));
        words.join(" ")
    }
}

fn pack_header(
    position: &Position,
    result: GameResult,
    expected: Option<f64>,
) -> Option<[u8; HEADER_BYTES]> {
    let chess = position.chess();
    let castling_rooks = chess.castles().castling_rights();
    let occupied = position.occupied();
    let mut nibbles = [0_u8; 32];
    let mut next = nibbles.iter_mut();
    for square in occupied {
        let piece = position.piece_at(square)?;
        let code = if castling_rooks.contains(square) {
            CASTLING_ROOK
        } else {
            piece.role as u8 - Role::Pawn as u8
        };
        *next.next()? = code | u8::from(piece.color == Color::Black) << 3;
    }
    let en_passant = chess
        .ep_square(EnPassantMode::Legal)
        .map_or(NO_EN_PASSANT, |square| square as u8);
    let black = u8::from(position.turn() == Color::Black);
    let move_number = u16::try_from(chess.fullmoves().get()).unwrap_or(u16::MAX);
    let [number_low, number_high] = move_number.to_le_bytes();
    let points = expected.map_or(0, |points| (points * EXPECTED_UNITS).round() as u16);
    let [points_low, points_high] = points.to_le_bytes();
    let pairs = nibbles.chunks_exact(2).map(|pair| match *pair {
        [low, high] => low | high << 4,
        _ => 0,
    });
    let fields = u64::from(occupied).to_le_bytes().into_iter().chain(pairs);
    let rest = [
        en_passant | black << 7,
        position.halfmoves() as u8,
        number_low,
        number_high,
        points_low,
        points_high,
        result as u8,
        expected.map_or(0, |_| BY_LOT),
    ];
    let mut bytes = [0; HEADER_BYTES];
    for (byte, field) in bytes.iter_mut().zip(fields.chain(rest)) {
        *byte = field;
    }
    Some(bytes)
}

fn unpack_header(
    bytes: &[u8; HEADER_BYTES],
) -> Result<(Position, GameResult, Option<f64>), GameError> {
    let damaged = GameError::Header;
    let (occupied, rest) = bytes.split_first_chunk().ok_or(damaged("too short"))?;
    let (pieces, rest) = rest.split_first_chunk::<16>().ok_or(damaged("too short"))?;
    let &[
        turn_and_en_passant,
        halfmoves,
        number_low,
        number_high,
        points_low,
        points_high,
        result,
        by_lot,
    ] = rest
    else {
        return Err(damaged("too short"));
    };
    let occupied = Bitboard(u64::from_le_bytes(*occupied));
    if occupied.count() > 32 {
        return Err(damaged("more than 32 pieces"));
    }
    let mut setup = Setup::empty();
    setup.board = Board::empty();
    let nibbles = pieces.iter().flat_map(|&byte| [byte & 15, byte >> 4]);
    for (square, nibble) in occupied.into_iter().zip(nibbles) {
        let role = match nibble & 7 {
            0 => Role::Pawn,
            1 => Role::Knight,
            2 => Role::Bishop,
            3 => Role::Rook,
            4 => Role::Queen,
            5 => Role::King,
            CASTLING_ROOK => {
                setup.castling_rights.add(square);
                Role::Rook
            }
            _ => return Err(damaged("no such piece")),
        };
        let color = Color::from_white(nibble & 8 == 0);
        setup.board.set_piece_at(square, Piece { color, role });
    }
    setup.turn = Color::from_white(turn_and_en_passant & 128 == 0);
    setup.ep_square = match turn_and_en_passant & 127 {
        NO_EN_PASSANT => None,
        square => Some(Square::try_from(square).map_err(|_| damaged("no such en passant square"))?),
    };
    setup.halfmoves = u32::from(halfmoves);
    let move_number = u16::from_le_bytes([number_low, number_high]);
    setup.fullmoves = NonZeroU32::new(u32::from(move_number)).unwrap_or(NonZeroU32::MIN);
    let result = match result {
        0 => GameResult::Black,
        1 => GameResult::Draw,
        2 => GameResult::White,
        _ => return Err(damaged("no such result")),
    };
    let points = f64::from(u16::from_le_bytes([points_low, points_high])) / EXPECTED_UNITS;
    let expected = match by_lot {
        BY_LOT if points > 1.0 => return Err(damaged("more than a point")),
        BY_LOT => Some(points),
        _ => None,
    };
    let mode = CastlingMode::detect(&setup);
    let chess = Chess::from_setup(setup, mode)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .or_else(PositionError::ignore_invalid_ep_square)
        .map_err(|error| GameError::Position(error.to_string()))?;
    Ok((Position::from_chess(chess), result, expected))
}

/// Returns the code of a move in a file. Squares and promotion have the same bits as in [`Move`];
/// the numbers of the kinds differ.
pub fn pack_move(m: Move) -> u16 {
    let kind = match m.kind() {
        MoveKind::Normal => 0,
        MoveKind::EnPassant => 1,
        MoveKind::Castling => 2,
        MoveKind::Promotion(_) => 3,
    };
    m.code() & 0x3fff | kind << 14
}

fn unpack_move(code: u16) -> Option<Move> {
    let kind = match code >> 14 {
        0 => 0,
        1 => 2,
        2 => 3,
        _ => 1,
    };
    Move::from_code(code & 0x3fff | kind << 14)
}
