//! What the network is told about pieces beyond the squares they stand on.

use shakmaty::{Bitboard, Board, Color, Square, attacks};

use super::format::MARKS;
use crate::position::{Threats, forward, pawn_attacks};

/// The marked pieces of both colours. The three kinds of marks, each with its own set of input
/// weights:
///
/// | mark | pieces | a king |
/// |---|---|---|
/// | 0 | that the other side wins material by capturing | that a knight or bishop can check safely |
/// | 1 | that a pawn attacks | that a rook can check safely |
/// | 2 | passed pawns | that a queen can check safely |
///
/// Kings are marked for checks because the marks in the second column never apply to them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PieceMarks(pub [Bitboard; MARKS]);

impl PieceMarks {
    /// No marks, as for a network without them.
    pub const NONE: PieceMarks = PieceMarks([Bitboard::EMPTY; MARKS]);

    /// Computes the marks on a board, given what White and Black attack.
    #[inline]
    pub fn new(board: &Board, threats: [&Threats; 2]) -> PieceMarks {
        let [white, black] = threats;
        let (marks, others) = (
            of_side(board, Color::White, white, black),
            of_side(board, Color::Black, black, white),
        );
        PieceMarks(std::array::from_fn(|mark| marks[mark] | others[mark]))
    }

    /// Returns the marks of the piece on a square, one in each bit.
    pub fn of(&self, square: Square) -> u8 {
        let bits = self.0.iter().enumerate();
        bits.fold(0, |bits, (mark, marked)| {
            bits | u8::from(marked.contains(square)) << mark
        })
    }
}

/// Returns the marked pieces of one side, given the attacks of its own pieces and of the others.
#[inline(always)]
fn of_side(board: &Board, color: Color, own: &Threats, theirs: &Threats) -> [Bitboard; MARKS] {
    let kings = board.kings();
    let pieces = board.by_color(color) & !kings;
    let checks = kings_in_reach(board, color, own, theirs);
    [
        hanging(board, pieces, own, theirs) | checks[0],
        (pieces & theirs.by_pawns) | checks[1],
        passed_pawns(board, color) | checks[2],
    ]
}

/// Returns the pieces that the other side wins material by capturing: those that it attacks with a
/// piece of less value, those that are undefended, and those that it attacks twice and that one
/// piece defends. A static exchange evaluation would know better in a few positions, and takes
/// longer.
#[inline]
fn hanging(board: &Board, pieces: Bitboard, own: &Threats, theirs: &Threats) -> Bitboard {
    let by_lesser = ((board.knights() | board.bishops()) & theirs.by_pawns)
        | (board.rooks() & theirs.by_minors_or_less())
        | (board.queens() & theirs.by_rooks_or_less());
    let undefended = theirs.all & !own.all;
    let outnumbered = theirs.twice & !own.twice & !own.by_pawns;
    pieces & (by_lesser | undefended | outnumbered)
}

/// Returns the pawns that no pawn of the other side can stop, the first on each file.
#[inline]
fn passed_pawns(board: &Board, color: Color) -> Bitboard {
    let own = board.pawns() & board.by_color(color);
    let theirs = board.pawns() & board.by_color(!color);
    let guarded = pawn_attacks(!color, theirs);
    own & !guarded & !behind(color, own | theirs | guarded)
}

/// Returns all squares behind others, as seen from one side.
#[inline]
fn behind(color: Color, squares: Bitboard) -> Bitboard {
    let mut behind = forward(!color, squares);
    behind |= forward(!color, behind);
    let two = forward(!color, forward(!color, behind));
    behind |= two;
    behind
        | forward(
            !color,
            forward(!color, forward(!color, forward(!color, behind))),
        )
}

/// Returns the king of one side, if it is on the board, for each kind of piece that can check it
/// from a square that the side does not attack: knights and bishops, rooks, and queens.
#[inline]
fn kings_in_reach(
    board: &Board,
    color: Color,
    own: &Threats,
    theirs: &Threats,
) -> [Bitboard; MARKS] {
    let Some(king) = board.king_of(color) else {
        return [Bitboard::EMPTY; MARKS];
    };
    let free = !own.all & !board.by_color(!color);
    let diagonals = attacks::bishop_attacks(king, board.occupied()) & free;
    let lines = attacks::rook_attacks(king, board.occupied()) & free;
    let jumps = attacks::knight_attacks(king) & free;
    [
        (jumps & theirs.by_knights) | (diagonals & theirs.by_bishops),
        lines & theirs.by_rooks,
        (diagonals | lines) & theirs.by_queens,
    ]
    .map(|checks| {
        if checks.any() {
            king.into()
        } else {
            Bitboard::EMPTY
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the squares with a mark on a board.
    fn marked(fen: &str, mark: usize) -> Vec<Square> {
        let board: Board = fen.parse().expect("a board");
        let threats = [Color::White, Color::Black].map(|color| Threats::new(&board, color));
        let marks = PieceMarks::new(&board, threats.each_ref());
        let squares: Vec<Square> = marks.0[mark].into_iter().collect();
        for square in Square::ALL {
            let bit = marks.of(square) >> mark & 1;
            assert_eq!(bit == 1, squares.contains(&square));
        }
        squares
    }

    /// Returns the squares of all pieces but kings with a mark on a board.
    fn marked_pieces(fen: &str, mark: usize) -> Vec<Square> {
        let kings = fen.parse::<Board>().expect("a board").kings();
        let squares = marked(fen, mark).into_iter();
        squares.filter(|&square| !kings.contains(square)).collect()
    }

    #[test]
    fn pieces_hang_that_are_undefended_or_attacked_by_less_or_by_more() {
        for (fen, squares) in [
            // An undefended knight, a defended one, and one attacked by a pawn.
            ("k7/8/8/3r4/8/3N4/8/K7", vec![Square::D3]),
            ("k7/8/8/3r4/8/3N4/4P3/K7", vec![]),
            ("k7/8/8/8/2p5/3N4/4P3/K7", vec![Square::D3]),
            // A queen attacked by a rook hangs, a rook attacked by a queen does not.
            ("k7/8/8/3r4/8/3Q4/3R4/K7", vec![Square::D3, Square::D5]),
            ("k7/8/8/3q4/8/3R4/3R4/K7", vec![Square::D5]),
            // A knight attacked by a pawn; a pawn attacked by a knight only.
            ("k2r4/8/8/8/2n5/3P4/8/K2R4", vec![Square::C4]),
            ("k2r4/8/2p5/3p4/1n6/3P4/8/K2R4", vec![]),
            // A pawn attacked twice, and defended once, twice, and by a pawn.
            ("k7/8/5n2/3p4/8/2N5/8/K2R4", vec![Square::D5]),
            ("k2r4/8/5n2/3p4/8/2N5/8/K2R4", vec![]),
            ("k7/8/2p5/3p4/8/2N5/8/K2R4", vec![]),
            // The king takes what is undefended, and takes part where no defender is left.
            ("8/8/8/8/8/2k5/3N4/7K", vec![Square::D2]),
            ("8/8/8/8/8/2k5/3N4/4K3", vec![]),
            ("8/8/8/6b1/8/2k5/3N4/4K3", vec![Square::D2]),
            // An attack goes through the other side's king.
            ("8/8/8/8/R2k1n2/8/8/K7", vec![Square::F4]),
        ] {
            assert_eq!(marked_pieces(fen, 0), squares, "{fen}");
        }
    }

    #[test]
    fn pawns_attack_pieces() {
        let board = "k7/8/8/2n5/1P6/8/8/K7";
        assert_eq!(marked_pieces(board, 1), [Square::C5]);
    }

    #[test]
    fn passed_pawns_have_no_pawn_ahead_on_three_files() {
        for (fen, squares) in [
            ("k7/8/8/8/3P4/8/8/K7", vec![Square::D4]),
            ("k7/3p4/8/8/3P4/8/8/K7", vec![]),
            ("k7/4p3/8/8/3P4/8/8/K7", vec![]),
            ("k7/8/8/4p3/3P4/8/8/K7", vec![]),
            ("k7/8/8/8/3Pp3/8/8/K7", vec![Square::D4, Square::E4]),
            ("k7/5p2/8/8/3P4/8/8/K7", vec![Square::D4, Square::F7]),
            ("k7/8/8/3P4/3P4/8/8/K7", vec![Square::D5]),
            ("k7/7p/8/8/P7/8/8/K7", vec![Square::A4, Square::H7]),
        ] {
            assert_eq!(marked_pieces(fen, 2), squares, "{fen}");
        }
    }

    #[test]
    fn kings_are_marked_for_safe_checks() {
        for (fen, mark, is_marked) in [
            ("6k1/8/8/3N4/8/8/8/K7", 0, true),
            ("3q2k1/5p2/8/3N4/8/8/8/K7", 0, false),
            ("6k1/8/8/8/8/8/2B5/K7", 0, true),
            ("6k1/8/8/8/8/8/8/K1B5", 0, false),
            ("7k/8/8/8/8/8/1P6/K1B5", 0, false),
            ("7k/8/8/8/8/8/3P4/K1B5", 0, true),
            ("6k1/8/8/8/8/8/8/K2R4", 1, true),
            ("r5k1/8/8/8/8/8/8/K2R4", 1, true),
            ("r5k1/6p1/8/8/8/8/8/K2R4", 1, false),
            ("6k1/8/8/8/8/8/8/K2Q4", 2, true),
            ("6k1/5ppp/8/8/8/8/8/K3Q3", 2, true),
            ("r5k1/5ppp/8/8/8/8/8/K3Q3", 2, false),
        ] {
            let king = fen.parse::<Board>().expect("a board").king_of(Color::Black);
            let found = marked(fen, mark).contains(&king.expect("a king"));
            assert_eq!(found, is_marked, "{fen}");
        }
    }
}
