//! The network's inputs: pieces on squares as each side sees them, and the changes from one board
//! to another.

use shakmaty::{Bitboard, Board, Color, Square};

use super::format::{FEATURES, KING_BUCKETS};
use super::marks::PieceMarks;
use crate::position::{NO_PIECE, Position, Threats, color_index, piece_index};

/// The number of inputs for pieces on squares; those of marked pieces follow.
const MARK_INPUTS: usize = KING_BUCKETS * FEATURES;

/// Returns the bucket of a king on this square, seen from its own side. Kings of most games stay on
/// the first rank, so its four pairs of files have a bucket each. The wings and the middle of the
/// second rank, the third rank, and everything beyond have the others.
#[inline]
pub const fn king_bucket(king: Square) -> usize {
    match (king.to_usize() / 8, king.to_usize() % 8) {
        (0, 0 | 7) => 0,
        (0, 1 | 6) => 1,
        (0, 2 | 5) => 2,
        (0, _) => 3,
        (1, 0 | 1 | 6 | 7) => 4,
        (1, _) => 5,
        (2, _) => 6,
        _ => 7,
    }
}

/// The pieces on the board and, for networks that know them, their marks. This determines the
/// inputs of both perspectives.
#[derive(Clone, Debug)]
pub struct BoardInputs {
    board: Board,
    /// The piece on each square, by [`piece_index`].
    mailbox: [u8; 64],
    marks: PieceMarks,
}

impl BoardInputs {
    /// An empty board.
    pub const EMPTY: BoardInputs = BoardInputs {
        board: Board::empty(),
        mailbox: [NO_PIECE; 64],
        marks: PieceMarks::NONE,
    };

    /// Sets the inputs to those of a position.
    #[inline]
    pub fn set(&mut self, position: &Position, with_marks: bool) {
        let board = position.board();
        self.board.clone_from(board);
        self.mailbox = *position.mailbox();
        self.marks = if with_marks {
            let ours = Threats::new(board, position.turn());
            let [us, them] = [&ours, position.threats()];
            PieceMarks::new(board, position.turn().fold_wb([us, them], [them, us]))
        } else {
            PieceMarks::NONE
        };
    }

    /// Returns the inputs of a position.
    pub fn of_position(position: &Position, with_marks: bool) -> BoardInputs {
        let mut inputs = BoardInputs::EMPTY;
        inputs.set(position, with_marks);
        inputs
    }

    /// Returns the inputs of a board, which need not be a legal position.
    pub fn of_board(board: &Board, with_marks: bool) -> BoardInputs {
        let mut inputs = BoardInputs {
            board: board.clone(),
            ..BoardInputs::EMPTY
        };
        for (square, piece) in board {
            inputs.mailbox[square.to_usize()] = piece_index(piece) as u8;
        }
        if with_marks {
            let threats = [Color::White, Color::Black].map(|color| Threats::new(board, color));
            inputs.marks = PieceMarks::new(board, threats.each_ref());
        }
        inputs
    }

    /// Returns the squares whose pieces differ from those of another board.
    #[inline]
    fn moved(&self, other: &BoardInputs) -> Bitboard {
        let pieces = |board: &Board| {
            [
                board.white(),
                board.pawns(),
                board.knights(),
                board.bishops(),
                board.rooks(),
                board.queens(),
                board.kings(),
            ]
        };
        let pairs = pieces(&self.board).into_iter().zip(pieces(&other.board));
        pairs.fold(Bitboard::EMPTY, |moved, (own, other)| moved | (own ^ other))
    }

    /// Returns the marks.
    pub const fn marks(&self) -> &PieceMarks {
        &self.marks
    }

    #[inline]
    fn piece(&self, square: Square) -> u8 {
        self.mailbox[square.to_usize()]
    }
}

/// A power of two above the number of pieces.
const PIECES: usize = 16;

/// The first feature of each piece (White's pieces 0 to 5, Black's 6 to 11) as White and as Black
/// see it.
const OWN_FIRST: [[u16; PIECES]; 2] = {
    let mut first = [[0; PIECES]; 2];
    let mut piece = 0;
    while piece < 12 {
        first[0][piece] = 64 * piece as u16;
        first[1][piece] = 64 * ((piece + 6) % 12) as u16;
        piece += 1;
    }
    first
};

/// The board as one side sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Perspective {
    color: Color,
    /// XORed with a square, flips the board as this side sees it.
    flip: u16,
    /// The first input of the king's bucket.
    first: u16,
}

impl Perspective {
    /// Creates the perspective of the side with this king.
    #[inline]
    pub const fn new(color: Color, king: Square) -> Perspective {
        let seen = match color {
            Color::White => king,
            Color::Black => king.flip_vertical(),
        };
        let files = if king.to_usize() & 4 == 0 { 0 } else { 7 };
        let ranks = if matches!(color, Color::White) { 0 } else { 56 };
        Perspective {
            color,
            flip: files ^ ranks,
            first: (king_bucket(seen) * FEATURES) as u16,
        }
    }

    /// Returns the side whose perspective this is.
    #[inline]
    pub const fn color(self) -> Color {
        self.color
    }

    /// Returns an index below [`Perspective::COUNT`] that is unique to this perspective.
    #[inline]
    pub const fn number(self) -> usize {
        let bucket = self.first as usize / FEATURES;
        (bucket * 2 + self.flip as usize % 2) * 2 + color_index(self.color)
    }

    /// The number of different perspectives.
    pub const COUNT: usize = KING_BUCKETS * 2 * 2;

    /// Returns the input of a piece on a square, below [`MARK_INPUTS`].
    #[inline]
    const fn piece_input(self, piece: u8, square: Square) -> u16 {
        self.first + self.feature(piece, square)
    }

    /// Returns the additional input, from [`MARK_INPUTS`] on, of a piece with a mark.
    #[inline]
    const fn mark_input(self, mark: usize, piece: u8, square: Square) -> u16 {
        (MARK_INPUTS + mark * FEATURES) as u16 + self.feature(piece, square)
    }

    /// Returns the number, below [`FEATURES`], of a piece on a square as this side sees them.
    #[inline]
    const fn feature(self, piece: u8, square: Square) -> u16 {
        OWN_FIRST[color_index(self.color)][piece as usize % PIECES] + (square as u16 ^ self.flip)
    }
}

/// The inputs of a board as each of some perspectives sees them. It is large, so that it is kept
/// for the next boards.
#[derive(Clone, Debug)]
pub struct InputLists<const PERSPECTIVES: usize> {
    lists: [[u16; CAPACITY]; PERSPECTIVES],
    /// The length of each list.
    length: usize,
}

/// A power of two, and more than the 64 * 4 inputs of a full board with all marks.
const CAPACITY: usize = 512;

impl<const PERSPECTIVES: usize> InputLists<PERSPECTIVES> {
    const EMPTY: InputLists<PERSPECTIVES> = InputLists {
        lists: [[0; CAPACITY]; PERSPECTIVES],
        length: 0,
    };

    /// Sets the lists to the inputs of a board that another one does not have, which differs from
    /// it in the pieces on the squares `moved` and has these marks.
    #[inline]
    fn set(
        &mut self,
        board: &BoardInputs,
        moved: Bitboard,
        other_marks: &PieceMarks,
        perspectives: &[Perspective; PERSPECTIVES],
    ) {
        let mut length = 0;
        let mut push = |inputs: [u16; PERSPECTIVES]| {
            for (list, input) in self.lists.iter_mut().zip(inputs) {
                list[length % CAPACITY] = input;
            }
            length += 1;
        };
        for square in moved & board.board.occupied() {
            let piece = board.piece(square);
            push(perspectives.map(|perspective| perspective.piece_input(piece, square)));
        }
        for (mark, (&marked, &other)) in board.marks.0.iter().zip(&other_marks.0).enumerate() {
            for square in marked & (moved | !other) {
                let piece = board.piece(square);
                push(perspectives.map(|perspective| perspective.mark_input(mark, piece, square)));
            }
        }
        self.length = length;
    }

    /// Returns the inputs as one perspective sees them, which is numbered from 0.
    #[inline]
    pub fn of(&self, perspective: usize) -> &[u16] {
        &self.lists[perspective][..self.length.min(CAPACITY)]
    }
}

/// The differences between two boards, as inputs of some perspectives.
#[derive(Debug)]
pub struct InputDiff<const PERSPECTIVES: usize> {
    /// The inputs that are on only on the second board.
    pub adds: InputLists<PERSPECTIVES>,
    /// The inputs that are on only on the first board.
    pub subs: InputLists<PERSPECTIVES>,
}

impl<const PERSPECTIVES: usize> InputDiff<PERSPECTIVES> {
    /// No differences.
    pub const EMPTY: InputDiff<PERSPECTIVES> = InputDiff {
        adds: InputLists::EMPTY,
        subs: InputLists::EMPTY,
    };

    /// Computes the inputs that change from one board to another.
    #[inline]
    pub fn compute(
        &mut self,
        from: &BoardInputs,
        to: &BoardInputs,
        perspectives: &[Perspective; PERSPECTIVES],
    ) {
        let moved = from.moved(to);
        self.subs.set(from, moved, &to.marks, perspectives);
        self.adds.set(to, moved, &from.marks, perspectives);
    }
}
