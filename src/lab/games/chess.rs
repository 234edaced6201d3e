//! Chess, cut off by the hand-written evaluation or by material. White is Max.
//!
//! The game ends with mate and stalemate. Draws by repetition and by the fifty-move rule depend on
//! more than the position and are left out, so that a position has one value.

use std::hash::{Hash, Hasher};

use shakmaty::{Color, Rank, Role};

use crate::eval::classical;
use crate::lab::algorithms::minimax::minimax;
use crate::lab::game::{Game, Mover, Value};
use crate::lab::language::Language;
use crate::lab::search::{Halt, Search};
use crate::position::notation::{fen, parse_uci, uci};
use crate::position::{Move, Position};
use crate::score::Score;

/// The game from a position.
#[derive(Clone, Debug)]
pub struct Chess {
    /// The position to start from.
    pub start: Position,
    /// The evaluation where the search is cut off.
    pub evaluation: ChessEvaluation,
}

impl Chess {
    /// Creates the game with the hand-written evaluation.
    pub fn new(start: Position) -> Chess {
        let evaluation = ChessEvaluation::HandWritten;
        Chess { start, evaluation }
    }
}

/// The evaluations of chess positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChessEvaluation {
    /// The engine's hand-written evaluation.
    HandWritten,
    /// The sum of the values of the pieces: 1, 3, 3, 5 and 9 pawns.
    Material,
}

/// The values of pawn, knight, bishop, rook and queen, in centipawns.
const MATERIAL: [(Role, Value); 5] = [
    (Role::Pawn, 100),
    (Role::Knight, 300),
    (Role::Bishop, 300),
    (Role::Rook, 500),
    (Role::Queen, 900),
];

fn material(position: &Position) -> Value {
    let count = |color, role| Value::from(position.pieces(color, role).count() as u32);
    let value = |(role, value): &(Role, Value)| {
        value * (count(Color::White, *role) - count(Color::Black, *role))
    };
    MATERIAL.iter().map(value).sum()
}

/// A position and its distance from the start: a mate is worth more the sooner it comes.
#[derive(Clone, Debug)]
pub struct ChessState {
    /// The position.
    pub position: Position,
    /// Plies from the start.
    pub ply: u16,
}

/// Move counters are ignored.
impl PartialEq for ChessState {
    fn eq(&self, other: &ChessState) -> bool {
        self.position.key() == other.position.key() && self.ply == other.ply
    }
}

impl Eq for ChessState {}

impl Hash for ChessState {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.position.key().hash(hasher);
        self.ply.hash(hasher);
    }
}

/// Returns the score, for the side to move, of plain minimax at a fixed depth with the hand-written
/// evaluation at its leaves. Mates at the horizon are recognised.
///
/// # Errors
/// Never without a time limit; the type is that of all searches.
pub fn fixed_depth_minimax(position: &Position, depth: u32) -> Result<Score, Halt> {
    let game = Chess::new(position.clone());
    let mut search = Search::new(&game);
    let root = search.root(depth);
    let value = minimax(&mut search, &root)?.value;
    let sign = position.turn().fold_wb(1, -1);
    Ok(Score::from_raw((sign * value) as i32))
}

/// The openings of the book, as moves from the initial position.
const OPENINGS: [&[&str]; 4] = [
    &["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"],
    &["e2e4", "c7c5", "g1f3", "d7d6", "d2d4"],
    &["d2d4", "d7d5", "c2c4", "e7e6", "b1c3"],
    &["d2d4", "g8f6", "c2c4", "g7g6", "b1c3"],
];

impl Game for Chess {
    type State = ChessState;
    type Move = Move;

    fn start(&self) -> ChessState {
        ChessState {
            position: self.start.clone(),
            ply: 0,
        }
    }

    fn player(&self, state: &ChessState) -> Mover {
        match state.position.turn() {
            Color::White => Mover::Max,
            Color::Black => Mover::Min,
        }
    }

    /// Returns the moves: captures and promotions first, the largest victims before the others.
    fn moves(&self, state: &ChessState) -> Vec<Move> {
        let position = &state.position;
        let mut moves: Vec<Move> = position.legal_moves().into_iter().collect();
        let promise = |m: &Move| {
            let victim = position.captured(*m).map_or(0, |role| role as i32);
            -(victim + 8 * i32::from(m.is_queen_promotion()))
        };
        moves.sort_by_key(promise);
        moves
    }

    fn apply(&self, state: &ChessState, m: &Move) -> ChessState {
        ChessState {
            position: state.position.play(*m),
            ply: state.ply.saturating_add(1),
        }
    }

    fn utility(&self, state: &ChessState) -> Option<Value> {
        let position = &state.position;
        if position.has_legal_move() {
            return None;
        }
        if !position.in_check() {
            return Some(0);
        }
        let mated = Value::from(Score::mated_in(state.ply.into()).raw());
        Some(position.turn().fold_wb(mated, -mated))
    }

    /// Returns the evaluation in centipawns.
    fn evaluate(&self, state: &ChessState) -> Value {
        if self.evaluation == ChessEvaluation::Material {
            return material(&state.position);
        }
        let value = Score::cp(classical::evaluate(&state.position)).raw();
        state.position.turn().fold_wb(value, -value).into()
    }

    fn margin_unit(&self) -> Value {
        100
    }

    fn range(&self) -> (Value, Value) {
        let mate = Value::from(Score::mate_in(0).raw());
        (-mate, mate)
    }

    fn move_text(&self, state: &ChessState, m: &Move) -> String {
        uci(&state.position, *m).to_string()
    }

    fn state_text(&self, state: &ChessState, _language: Language) -> String {
        fen(&state.position)
    }

    /// Returns false if the king is in check or a pawn is about to promote.
    fn is_quiet(&self, state: &ChessState) -> bool {
        let position = &state.position;
        let us = position.turn();
        let seventh = us.relative_rank(Rank::Seventh);
        let mut pawns = position.pieces(us, Role::Pawn).into_iter();
        !position.in_check() && !pawns.any(|square| square.rank() == seventh)
    }

    /// Returns captures and promotions.
    fn noisy_moves(&self, state: &ChessState) -> Vec<Move> {
        let is_noisy = |m: &Move| state.position.is_noisy(*m);
        self.moves(state).into_iter().filter(is_noisy).collect()
    }

    /// Returns the position after a pass; none in check, and none with pawns alone, where zugzwang
    /// is common.
    fn pass(&self, state: &ChessState) -> Option<ChessState> {
        let position = &state.position;
        if position.in_check() || !position.has_non_pawn_material(position.turn()) {
            return None;
        }
        Some(ChessState {
            position: position.play_null()?,
            ply: state.ply.saturating_add(1),
        })
    }

    fn book(&self, state: &ChessState) -> Option<Move> {
        OPENINGS.iter().find_map(|opening| {
            let mut position = Position::initial();
            for text in *opening {
                let m = parse_uci(&position, text).ok()?;
                if position.key() == state.position.key() {
                    return Some(m);
                }
                position = position.play(m);
            }
            None
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::parse_fen;

    #[test]
    fn minimax_finds_mates_and_counts_plies() {
        let position = parse_fen("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", false)
            .unwrap()
            .position;
        assert_eq!(fixed_depth_minimax(&position, 1), Ok(Score::mate_in(1)));
        assert_eq!(fixed_depth_minimax(&position, 3), Ok(Score::mate_in(1)));
        let black = parse_fen("7k/5KR1/8/8/8/8/8/8 b - - 0 1", false)
            .unwrap()
            .position;
        assert_eq!(fixed_depth_minimax(&black, 1), Ok(Score::DRAW));
    }

    #[test]
    fn the_book_knows_the_beginning_only() {
        let game = Chess::new(Position::initial());
        let m = game.book(&game.start()).unwrap();
        assert_eq!(game.move_text(&game.start(), &m), "e2e4");
        let other = parse_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1", false).unwrap();
        let game = Chess::new(other.position);
        assert_eq!(game.book(&game.start()), None);
    }
}
