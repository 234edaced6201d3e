//! Random openings: random moves from the initial position or from a double Chess960 position.

use shakmaty::{Board, CastlingMode, Chess, Color, FromSetup as _, Setup};

use super::GameState;
use crate::position::{Move, Position};
use crate::random::Random;

/// Number of back-rank arrangements in Chess960.
const ARRANGEMENTS: usize = 960;
/// Random moves that lose this much are drawn again: a rook, in centipawns of the static exchange
/// evaluation.
const BLUNDER: i32 = 500;
/// Number of redraws before a losing move is accepted.
const REDRAWS: usize = 8;

/// Rules for random openings.
#[derive(Clone, Debug, PartialEq, clap::Args)]
pub struct OpeningRules {
    /// The share of games that begin from double Chess960 (0 to 1)
    #[arg(long, value_name = "SHARE", default_value_t = 0.2, value_parser = parse_share)]
    pub chess960_share: f64,
    /// Random plies at the beginning; half of the games have one more, so that either side is the
    /// first to think
    #[arg(long, value_name = "PLIES", default_value_t = 8, value_parser = clap::value_parser!(u16).range(0..=100))]
    pub random_plies: u16,
}

/// Parses a share, a number from 0 to 1, for clap.
///
/// # Errors
/// Returns a message if the text is not such a number.
pub fn parse_share(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("expected a number from 0 to 1".to_owned()),
    }
}

impl OpeningRules {
    /// Draws a position to begin a game from. The rules have not ended the game yet.
    pub fn draw(&self, random: &mut Random) -> GameState {
        loop {
            let start = if random.chance(self.chess960_share) {
                double_chess960(random.below(ARRANGEMENTS), random.below(ARRANGEMENTS))
            } else {
                Position::initial()
            };
            if let Some(game) = self.play_randomly(start, random) {
                return game;
            }
        }
    }

    /// Plays random moves from a position. Returns `None` if they end the game.
    pub fn play_randomly(&self, start: Position, random: &mut Random) -> Option<GameState> {
        let mut game = GameState::new(start);
        let plies = usize::from(self.random_plies) + random.below(2);
        for _ in 0..plies {
            game.play(random_move(&game.position, random)?);
        }
        game.result().is_none().then_some(game)
    }
}

/// Draws a legal move, preferring one that does not lose a rook.
fn random_move(position: &Position, random: &mut Random) -> Option<Move> {
    let moves = position.legal_moves();
    let mut choice = None;
    for _ in 0..=REDRAWS {
        choice = moves.get(random.below(moves.len())).copied();
        if choice.is_none_or(|m| position.see_ge(m, 1 - BLUNDER)) {
            break;
        }
    }
    choice
}

/// Returns the initial position with these arrangements, by Scharnagl's numbers (0 to 959), for
/// White and Black.
pub fn double_chess960(white: usize, black: usize) -> Position {
    let arrangement = |number: usize| Board::chess960((number % ARRANGEMENTS) as u32);
    let mut setup = Setup::initial();
    setup.board = Board::empty();
    for (color, board) in [
        (Color::White, arrangement(white)),
        (Color::Black, arrangement(black)),
    ] {
        for (square, piece) in board {
            if piece.color == color {
                setup.board.set_piece_at(square, piece);
            }
        }
    }
    setup.castling_rights = setup.board.rooks();
    let mode = CastlingMode::detect(&setup);
    // Every arrangement is a position; the initial one keeps the compiler from generating a panic.
    Chess::from_setup(setup, mode).map_or_else(|_| Position::initial(), Position::from_chess)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::fen;
    use std::collections::HashSet;

    #[test]
    fn arrangements_have_their_numbers() {
        assert_eq!(
            fen(&double_chess960(518, 518)),
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        );
        assert_eq!(
            fen(&double_chess960(0, 959)),
            "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1"
        );
        let all: HashSet<String> = (0..960).map(|n| fen(&double_chess960(n, 518))).collect();
        assert_eq!(all.len(), 960);
    }

    #[test]
    fn openings_are_of_both_lengths_and_kinds() {
        let rules = OpeningRules {
            chess960_share: 0.2,
            random_plies: 8,
        };
        let (mut nine, mut chess960, mut seen) = (0, 0, HashSet::new());
        for number in 0..1_000 {
            let game = rules.draw(&mut Random::of_item(1, number));
            assert!(game.result().is_none());
            assert!(game.ply == 8 || game.ply == 9);
            assert_eq!(game.position.turn().is_black(), game.ply == 9);
            nine += usize::from(game.ply == 9);
            chess960 += usize::from(game.position.castling_mode().is_chess960());
            seen.insert(game.position.key());
        }
        assert!((450..550).contains(&nine), "{nine}");
        assert!((150..250).contains(&chess960), "{chess960}");
        assert!(seen.len() > 990, "{}", seen.len());
    }
}
