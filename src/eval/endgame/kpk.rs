//! King and pawn against king: a bitbase of all positions, computed backwards from promotion.

use std::sync::LazyLock;

use shakmaty::{Bitboard, Color, Square, attacks};

/// Side to move (2), pawn on files a to d and ranks 2 to 7 (24), both kings (64 each).
const POSITIONS: usize = 2 * 24 * 64 * 64;

/// One bit for each position, set if the side with the pawn wins.
static WON: LazyLock<Box<[u64]>> = LazyLock::new(solve);

/// Builds the bitbase now instead of on first use.
pub(super) fn initialize() {
    LazyLock::force(&WON);
}

/// Returns whether the side with the pawn, which moves up the board, wins with best play.
pub(super) fn is_won(king: Square, pawn: Square, enemy_king: Square, to_move: bool) -> bool {
    let mirror = |square: Square| {
        if pawn.to_usize() % 8 < 4 {
            square
        } else {
            square.flip_horizontal()
        }
    };
    let index = Placement {
        king: mirror(king),
        pawn: mirror(pawn),
        enemy_king: mirror(enemy_king),
        to_move,
    }
    .index();
    WON.get(index / 64)
        .is_some_and(|bits| bits >> (index % 64) & 1 == 1)
}

/// A position of this ending with the pawn on files a to d.
#[derive(Clone, Copy)]
struct Placement {
    king: Square,
    pawn: Square,
    enemy_king: Square,
    /// True if the side with the pawn is to move.
    to_move: bool,
}

impl Placement {
    fn index(self) -> usize {
        let pawn = self.pawn.to_usize();
        let pawn_index = (pawn / 8).clamp(1, 6) * 4 - 4 + pawn % 8 % 4;
        ((usize::from(self.to_move) * 24 + pawn_index) * 64 + self.king.to_usize()) * 64
            + self.enemy_king.to_usize()
    }

    fn from_index(index: usize) -> Placement {
        let pawn_index = index >> 12;
        let (to_move, pawn_index) = (pawn_index >= 24, pawn_index % 24);
        let square = |index: usize| Square::new(index as u32 & 63);
        Placement {
            king: square(index >> 6),
            pawn: square((pawn_index / 4 + 1) * 8 + pawn_index % 4),
            enemy_king: square(index),
            to_move,
        }
    }

    /// Returns whether no two pieces share a square, the kings are apart and the side not to move
    /// is not in check.
    fn is_legal(self) -> bool {
        self.king != self.pawn
            && self.enemy_king != self.pawn
            && self.king.distance(self.enemy_king) > 1
            && !(self.to_move && self.pawn_attacks().contains(self.enemy_king))
    }

    fn pawn_attacks(self) -> Bitboard {
        attacks::pawn_attacks(Color::White, self.pawn)
    }

    /// Returns whether the side with the pawn wins, judging by the positions after the next move
    /// that `won` knows to be wins.
    fn is_won(self, won: &impl Fn(Placement) -> bool) -> bool {
        if self.to_move {
            self.king_wins(won) || self.pawn_wins(won)
        } else {
            self.defender_loses(won)
        }
    }

    fn king_wins(self, won: &impl Fn(Placement) -> bool) -> bool {
        let steps = attacks::king_attacks(self.king)
            & !attacks::king_attacks(self.enemy_king)
            & !Bitboard::from_square(self.pawn);
        steps.into_iter().any(|king| {
            won(Placement {
                king,
                to_move: false,
                ..self
            })
        })
    }

    fn pawn_wins(self, won: &impl Fn(Placement) -> bool) -> bool {
        let kings = Bitboard::from_square(self.king).with(self.enemy_king);
        let Some(step) = self.pawn.offset(8).filter(|&step| !kings.contains(step)) else {
            return false;
        };
        if step.to_usize() >= 56 {
            // The queen must not be captured. (Promoting to a rook avoids a stalemate.)
            return self.enemy_king.distance(step) > 1 || self.king.distance(step) == 1;
        }
        let advanced = |pawn| {
            won(Placement {
                pawn,
                to_move: false,
                ..self
            })
        };
        let double = (self.pawn.to_usize() < 16)
            .then(|| step.offset(8))
            .flatten()
            .filter(|&double| !kings.contains(double));
        advanced(step) || double.is_some_and(advanced)
    }

    fn defender_loses(self, won: &impl Fn(Placement) -> bool) -> bool {
        let guarded = attacks::king_attacks(self.king) | self.pawn_attacks();
        let steps = attacks::king_attacks(self.enemy_king) & !guarded;
        if steps.contains(self.pawn) {
            return false;
        }
        if steps.is_empty() {
            return self.pawn_attacks().contains(self.enemy_king);
        }
        steps.into_iter().all(|enemy_king| {
            won(Placement {
                enemy_king,
                to_move: true,
                ..self
            })
        })
    }
}

/// Repeats a step of retrograde analysis until it finds no new wins.
fn solve() -> Box<[u64]> {
    let mut bits = vec![0u64; POSITIONS / 64].into_boxed_slice();
    let mut open: Vec<usize> = (0..POSITIONS)
        .filter(|&index| Placement::from_index(index).is_legal())
        .collect();
    loop {
        let before = open.len();
        open.retain(|&index| {
            let won = |placement: Placement| {
                let index = placement.index();
                bits[index / 64] >> (index % 64) & 1 == 1
            };
            let is_won = Placement::from_index(index).is_won(&won);
            if is_won {
                bits[index / 64] |= 1 << (index % 64);
            }
            !is_won
        });
        if open.len() == before {
            return bits;
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{CastlingMode, Chess, FromSetup, Position as _, Role, Setup};
    use shakmaty_syzygy::{Tablebase, Wdl};

    use super::*;

    #[test]
    fn textbook_positions() {
        // The king stands two squares before the pawn: a win for either side to move.
        assert!(is_won(Square::E6, Square::E4, Square::E8, true));
        assert!(is_won(Square::E6, Square::E4, Square::E8, false));
        // Opposition below the fifth rank decides.
        assert!(is_won(Square::E4, Square::E3, Square::E6, false));
        assert!(!is_won(Square::E4, Square::E3, Square::E6, true));
        // A rook pawn with the enemy king in the corner.
        assert!(!is_won(Square::H6, Square::H5, Square::H8, true));
        assert!(!is_won(Square::A6, Square::A5, Square::A8, false));
        // The rule of the square.
        assert!(is_won(Square::A1, Square::H4, Square::B4, true));
        assert!(!is_won(Square::A1, Square::H4, Square::D4, false));
    }

    /// Compares every legal position with a pawn on files a to d with the tablebase.
    #[test]
    #[ignore = "needs tablebases: set QUEVEDO_TEST_DATA"]
    fn agrees_with_the_tablebase_with_test_data() {
        let data = std::env::var("QUEVEDO_TEST_DATA").expect("QUEVEDO_TEST_DATA");
        let mut tables = Tablebase::new();
        tables
            .add_directory(format!("{data}/syzygy/3-4-men"))
            .expect("tables");
        let mut compared = 0;
        for placement in (0..POSITIONS).map(Placement::from_index) {
            let mut setup = Setup::empty();
            setup.turn = Color::from_white(placement.to_move);
            let board = &mut setup.board;
            board.set_piece_at(placement.pawn, Role::Pawn.of(Color::White));
            board.set_piece_at(placement.king, Role::King.of(Color::White));
            board.set_piece_at(placement.enemy_king, Role::King.of(Color::Black));
            let Ok(position) = Chess::from_setup(setup, CastlingMode::Standard) else {
                continue;
            };
            let wdl = tables.probe_wdl_after_zeroing(&position).expect("probe");
            let won = wdl == position.turn().fold_wb(Wdl::Win, Wdl::Loss);
            let Placement {
                king,
                pawn,
                enemy_king,
                to_move,
            } = placement;
            assert_eq!(
                is_won(king, pawn, enemy_king, to_move),
                won,
                "{wdl:?} {position:?}"
            );
            compared += 1;
        }
        assert!(compared > 150_000, "{compared}");
    }
}
