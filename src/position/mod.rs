//! A chess position: [`shakmaty::Chess`] for the rules, and the data that a search needs at every
//! node: a mailbox, incremental Zobrist keys, checkers, pins and attacked squares.
//!
//! [`Position::play`] returns a child. A search makes the copy where it wants the child, and calls
//! [`Position::advance`], which saves a second copy.

mod attacks;
mod checks;
mod generate;
mod keys;
mod moves;
pub mod notation;
pub mod repetition;
mod see;

use shakmaty::{
    Bitboard, Board, CastlingMode, CastlingSide, Chess, Color, Piece, Position as _, Role, Square,
};

pub use attacks::{Threats, forward, pawn_attacks};
pub use checks::Checks;
pub use keys::Keys;
pub use moves::{MAX_MOVES, Move, MoveKind, MoveList};
pub use see::SEE_VALUES;

/// The maximum halfmove clock; at 100 the fifty-move rule applies.
const MAX_HALFMOVES: u32 = 100;
/// The least halfmove clock that is a part of [`Position::search_key`].
const CLOCK_IN_SEARCH_KEY: u32 = 90;

/// A legal position of standard chess, Chess960 or double Chess960.
#[derive(Clone, Debug)]
pub struct Position {
    chess: Chess,
    /// The piece on each square, by [`piece_index`]; [`NO_PIECE`] when empty.
    mailbox: [u8; 64],
    keys: Keys,
    checkers: Bitboard,
    /// Pieces of either colour that are the only ones between the king of `[color]` and an enemy
    /// slider.
    blockers: [Bitboard; 2],
    threats: Threats,
    /// The square of a legal en passant capture.
    en_passant: Option<Square>,
}

/// The mailbox value of an empty square.
pub const NO_PIECE: u8 = 12;

/// Returns 0 for White and 1 for Black.
#[inline]
pub const fn color_index(color: Color) -> usize {
    match color {
        Color::White => 0,
        Color::Black => 1,
    }
}

/// Returns 0 to 5: pawn, knight, bishop, rook, queen, king.
#[inline]
pub const fn role_index(role: Role) -> usize {
    role as usize - 1
}

/// Returns 0 to 11: White's pawn, knight, bishop, rook, queen, king, then Black's.
#[inline]
pub const fn piece_index(piece: Piece) -> usize {
    color_index(piece.color) * 6 + role_index(piece.role)
}

const ROLES: [Role; 6] = [
    Role::Pawn,
    Role::Knight,
    Role::Bishop,
    Role::Rook,
    Role::Queen,
    Role::King,
];

impl Position {
    /// Creates the initial position.
    pub fn initial() -> Position {
        Position::from_chess(Chess::new())
    }

    /// Creates a position from a legal position of shakmaty's.
    pub fn from_chess(chess: Chess) -> Position {
        let mut mailbox = [NO_PIECE; 64];
        for (square, piece) in chess.board() {
            mailbox[square.to_usize()] = piece_index(piece) as u8;
        }
        let mut position = Position {
            chess,
            mailbox,
            keys: Keys::default(),
            checkers: Bitboard::EMPTY,
            blockers: [Bitboard::EMPTY; 2],
            threats: Threats::default(),
            en_passant: None,
        };
        position.complete();
        position.keys = position.keys_from_scratch();
        position
    }

    /// Computes the data that follows from the pieces and the side to move, apart from keys.
    fn complete(&mut self) {
        let (us, them) = (self.turn(), !self.turn());
        self.blockers = [
            self.slider_blockers(Color::White),
            self.slider_blockers(Color::Black),
        ];
        self.threats = Threats::new(self.board(), them);
        let king = self.king(us);
        self.checkers = if self.threats.all.contains(king) {
            self.board().attacks_to(king, them, self.occupied())
        } else {
            Bitboard::EMPTY
        };
        self.en_passant = self.chess.maybe_ep_square().filter(|&to| {
            self.pieces(us, Role::Pawn)
                .into_iter()
                .any(|from| self.is_legal_en_passant(from, to))
        });
    }

    /// Returns the position after a legal move.
    ///
    /// An illegal move (see [`Position::is_legal`]) gives a meaningless position.
    pub fn play(&self, m: Move) -> Position {
        let mut child = self.clone();
        child.advance(m);
        child
    }

    /// Plays a legal move in place, as [`Position::play`] does on a copy.
    pub fn advance(&mut self, m: Move) {
        let (us, from, to) = (self.turn(), m.from(), m.to());
        let shakmaty_move = self.to_shakmaty(m);
        self.keys.zobrist ^= self.state_key();
        match m.kind() {
            MoveKind::Castling => {
                let side = CastlingSide::from_queen_side(to < from);
                self.take(from);
                self.take(to);
                self.put(side.king_to(us), us.king());
                self.put(side.rook_to(us), us.rook());
            }
            MoveKind::EnPassant => {
                self.take(Square::from_coords(to.file(), from.rank()));
                self.take(from);
                self.put(to, us.pawn());
            }
            kind => {
                if self.mailbox[to.to_usize()] != NO_PIECE {
                    self.take(to);
                }
                let piece = self.take(from);
                self.put(
                    to,
                    if let MoveKind::Promotion(role) = kind {
                        role.of(us)
                    } else {
                        piece
                    },
                );
            }
        }
        self.chess.play_unchecked(shakmaty_move);
        self.complete();
        self.keys.zobrist ^= self.state_key();
    }

    /// Returns the position after a null move, or `None` in check and in composed positions where
    /// passing gives an illegal position.
    pub fn play_null(&self) -> Option<Position> {
        let mut child = self.clone();
        child.keys.zobrist ^= self.state_key();
        child.chess = self.chess.clone().swap_turn().ok()?;
        child.complete();
        child.keys.zobrist ^= child.state_key();
        Some(child)
    }

    /// Removes the piece on an occupied square from mailbox and keys.
    #[inline]
    fn take(&mut self, square: Square) -> Piece {
        let piece = piece_of_index(self.mailbox[square.to_usize()]);
        self.mailbox[square.to_usize()] = NO_PIECE;
        self.keys.toggle(square, piece);
        piece
    }

    /// Adds a piece on an empty square to mailbox and keys.
    #[inline]
    fn put(&mut self, square: Square, piece: Piece) {
        self.mailbox[square.to_usize()] = piece_index(piece) as u8;
        self.keys.toggle(square, piece);
    }

    /// Converts a legal move to shakmaty's form.
    pub fn to_shakmaty(&self, m: Move) -> shakmaty::Move {
        let (from, to) = (m.from(), m.to());
        match m.kind() {
            MoveKind::Castling => shakmaty::Move::Castle {
                king: from,
                rook: to,
            },
            MoveKind::EnPassant => shakmaty::Move::EnPassant { from, to },
            _ => shakmaty::Move::Normal {
                role: self.role_at(from).unwrap_or(Role::Pawn),
                from,
                capture: self.role_at(to),
                to,
                promotion: m.promotion_role(),
            },
        }
    }

    /// Returns shakmaty's position.
    #[inline]
    pub const fn chess(&self) -> &Chess {
        &self.chess
    }

    /// Returns the bitboards.
    #[inline]
    pub fn board(&self) -> &Board {
        self.chess.board()
    }

    /// Returns the side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.chess.turn()
    }

    /// Returns all occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.board().occupied()
    }

    /// Returns the pieces of one side.
    #[inline]
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.board().by_color(color)
    }

    /// Returns the number of pieces on the board, pawns and kings included.
    #[inline]
    pub fn piece_count(&self) -> u32 {
        self.occupied().count() as u32
    }

    /// Returns the pieces of one side and kind.
    #[inline]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.board().by_color(color) & self.board().by_role(role)
    }

    /// Returns the king's square.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        // A legal position has both kings; the default avoids a panic branch.
        self.board().king_of(color).unwrap_or(Square::A1)
    }

    /// Returns the piece on each square as a [`piece_index`], or [`NO_PIECE`].
    #[inline]
    pub const fn mailbox(&self) -> &[u8; 64] {
        &self.mailbox
    }

    /// Returns the piece on a square as a [`piece_index`], or [`NO_PIECE`].
    #[inline]
    pub fn piece_index_at(&self, square: Square) -> usize {
        self.mailbox[square.to_usize()] as usize
    }

    /// Returns the piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let index = self.mailbox[square.to_usize()];
        (index != NO_PIECE).then(|| piece_of_index(index))
    }

    /// Returns the kind of the piece on a square, of either colour.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.piece_at(square).map(|piece| piece.role)
    }

    /// Returns the kind of piece that a legal move captures.
    #[inline]
    pub fn captured(&self, m: Move) -> Option<Role> {
        match m.kind() {
            MoveKind::EnPassant => Some(Role::Pawn),
            MoveKind::Castling => None,
            _ => self.role_at(m.to()),
        }
    }

    /// Returns true for a legal move that captures or promotes: a noisy move.
    #[inline]
    pub fn is_noisy(&self, m: Move) -> bool {
        match m.kind() {
            MoveKind::Normal => self.mailbox[m.to().to_usize()] != NO_PIECE,
            MoveKind::Castling => false,
            _ => true,
        }
    }

    /// Returns whether the position is quiet with this legal move as its best: not in check, and
    /// the move is not [noisy](Position::is_noisy).
    #[inline]
    pub fn is_quiet(&self, best: Move) -> bool {
        !self.in_check() && !self.is_noisy(best)
    }

    /// Returns the incremental keys.
    #[inline]
    pub const fn keys(&self) -> &Keys {
        &self.keys
    }

    /// Returns the key of the position.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.keys.zobrist
    }

    /// Returns the key for tables of search results. Near the fifty-move rule results hold for one
    /// halfmove clock only, so it is a part of this key there.
    #[inline]
    pub fn search_key(&self) -> u64 {
        let clock = self.halfmoves();
        if clock < CLOCK_IN_SEARCH_KEY {
            self.key()
        } else {
            // An odd number close to 2^64 divided by the golden ratio spreads it over all bits.
            self.key() ^ u64::from(clock).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        }
    }

    /// Returns the pieces that give check.
    #[inline]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Returns whether the side to move is in check.
    #[inline]
    pub const fn in_check(&self) -> bool {
        self.checkers.any()
    }

    /// Returns the pieces of either colour that are the only ones between the king of `color` and
    /// an enemy slider: pinned if they are of `color`, otherwise able to discover a check.
    #[inline]
    pub const fn blockers(&self, color: Color) -> Bitboard {
        self.blockers[color_index(color)]
    }

    /// Returns the squares that the side not to move attacks.
    #[inline]
    pub const fn threats(&self) -> &Threats {
        &self.threats
    }

    /// Returns the square of a legal en passant capture.
    #[inline]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Returns the plies since the last capture or pawn move, at most 100.
    #[inline]
    pub fn halfmoves(&self) -> u32 {
        self.chess.halfmoves().min(MAX_HALFMOVES)
    }

    /// Returns whether the fifty-move rule ends the game: a mate on the last move comes first.
    #[inline]
    pub fn is_drawn_by_fifty_moves(&self) -> bool {
        self.halfmoves() >= MAX_HALFMOVES && (!self.in_check() || self.has_legal_move())
    }

    /// Returns the plies since the start of the game, by the number of the move.
    pub fn ply(&self) -> u32 {
        2 * (self.chess.fullmoves().get() - 1) + self.turn().fold_wb(0, 1)
    }

    /// Returns the castling mode, which decides how castling moves are written.
    #[inline]
    pub fn castling_mode(&self) -> CastlingMode {
        self.chess.castles().mode()
    }

    /// Returns whether neither side can mate by any sequence of moves.
    #[inline]
    pub fn is_insufficient_material(&self) -> bool {
        self.occupied().count() <= 4 && self.chess.is_insufficient_material()
    }

    /// Returns whether the side has a piece other than king and pawns, which makes zugzwang
    /// unlikely.
    #[inline]
    pub fn has_non_pawn_material(&self, color: Color) -> bool {
        let board = self.board();
        (board.by_color(color) & !(board.pawns() | board.kings())).any()
    }
}

/// `[index % 16]`: the piece of a [`piece_index`]. The last four stand for nothing.
static PIECES: [Piece; 16] = {
    let mut pieces = [Color::White.pawn(); 16];
    let mut index = 0;
    while index < 12 {
        let color = [Color::White, Color::Black][index / 6];
        pieces[index] = ROLES[index % 6].of(color);
        index += 1;
    }
    pieces
};

/// Returns the piece of a [`piece_index`].
#[inline]
fn piece_of_index(index: u8) -> Piece {
    PIECES[index as usize % PIECES.len()]
}

#[cfg(test)]
mod tests;
