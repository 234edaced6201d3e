//! Attacked squares and pins.

use shakmaty::{Bitboard, Board, Color, Square, attacks};

use super::Position;

/// The squares that one side attacks, looking through the other's king.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Threats {
    /// By any piece.
    pub all: Bitboard,
    /// By two pieces or more.
    pub twice: Bitboard,
    /// By pawns.
    pub by_pawns: Bitboard,
    /// By knights.
    pub by_knights: Bitboard,
    /// By bishops.
    pub by_bishops: Bitboard,
    /// By rooks.
    pub by_rooks: Bitboard,
    /// By queens.
    pub by_queens: Bitboard,
}

/// `[square]`: the squares that a rook and a bishop reach on an empty board.
static LINES: [[Bitboard; 2]; 64] = {
    let mut lines = [[Bitboard::EMPTY; 2]; 64];
    let mut index = 0;
    while index < 64 {
        let square = Square::new(index as u32);
        lines[index] = [
            attacks::rook_attacks(square, Bitboard::EMPTY),
            attacks::bishop_attacks(square, Bitboard::EMPTY),
        ];
        index += 1;
    }
    lines
};

impl Position {
    /// Returns the pieces that are the only ones between a king and an enemy slider.
    pub(super) fn slider_blockers(&self, color: Color) -> Bitboard {
        let board = self.board();
        let king = self.king(color);
        let [straight, diagonal] = LINES[king.to_usize()];
        let snipers = board.by_color(!color)
            & ((straight & board.rooks_and_queens()) | (diagonal & board.bishops_and_queens()));
        let mut blockers = Bitboard::EMPTY;
        for sniper in snipers {
            let between = attacks::between(king, sniper) & board.occupied();
            if !between.more_than_one() {
                blockers |= between;
            }
        }
        blockers
    }
}

impl Threats {
    /// Computes the attacks of one side.
    #[inline(always)]
    pub fn new(board: &Board, color: Color) -> Threats {
        let king = board.king_of(!color);
        let occupied = board.occupied() & !king.map_or(Bitboard::EMPTY, Bitboard::from_square);
        let own = board.by_color(color);
        let [left, right] = pawn_attacks_by_side(color, board.pawns() & own);
        let mut threats = Threats {
            all: left | right,
            twice: left & right,
            by_pawns: left | right,
            ..Threats::default()
        };
        for square in board.kings() & own {
            threats.add(attacks::king_attacks(square));
        }
        for square in board.knights() & own {
            let attacked = attacks::knight_attacks(square);
            threats.by_knights |= attacked;
            threats.add(attacked);
        }
        for square in board.bishops() & own {
            let attacked = attacks::bishop_attacks(square, occupied);
            threats.by_bishops |= attacked;
            threats.add(attacked);
        }
        for square in board.rooks() & own {
            let attacked = attacks::rook_attacks(square, occupied);
            threats.by_rooks |= attacked;
            threats.add(attacked);
        }
        for square in board.queens() & own {
            let attacked = attacks::queen_attacks(square, occupied);
            threats.by_queens |= attacked;
            threats.add(attacked);
        }
        threats
    }

    /// Adds the attacks of a piece to those of all pieces.
    #[inline]
    fn add(&mut self, attacked: Bitboard) {
        self.twice |= self.all & attacked;
        self.all |= attacked;
    }

    /// Returns the squares attacked by pawns, knights and bishops.
    #[inline]
    pub fn by_minors_or_less(&self) -> Bitboard {
        self.by_pawns | self.by_knights | self.by_bishops
    }

    /// Returns the squares attacked by pawns, knights, bishops and rooks.
    #[inline]
    pub fn by_rooks_or_less(&self) -> Bitboard {
        self.by_minors_or_less() | self.by_rooks
    }
}

/// Returns the squares that pawns of one side attack.
#[inline]
pub const fn pawn_attacks(color: Color, pawns: Bitboard) -> Bitboard {
    let [left, right] = pawn_attacks_by_side(color, pawns);
    Bitboard(left.0 | right.0)
}

/// Returns the squares that pawns of one side attack towards the a file, and towards the h file.
#[inline]
const fn pawn_attacks_by_side(color: Color, pawns: Bitboard) -> [Bitboard; 2] {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let (left, right) = (pawns.0 & NOT_A, pawns.0 & NOT_H);
    match color {
        Color::White => [Bitboard(left << 7), Bitboard(right << 9)],
        Color::Black => [Bitboard(left >> 9), Bitboard(right >> 7)],
    }
}

/// Returns the squares one step ahead of each square, seen from one side.
#[inline]
pub const fn forward(color: Color, squares: Bitboard) -> Bitboard {
    Bitboard(match color {
        Color::White => squares.0 << 8,
        Color::Black => squares.0 >> 8,
    })
}
