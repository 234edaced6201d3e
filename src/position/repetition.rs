//! Repetition detection: the keys of the game and of the search's current line, and the test
//! whether the side to move can repeat one of their positions with a single move.

use std::sync::LazyLock;

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{Bitboard, Color, Role, Square, attacks};

use super::{Move, Position};

/// The keys of the positions before the current one, oldest first.
#[derive(Clone, Debug, Default)]
pub struct KeyHistory {
    keys: Vec<u64>,
    /// The number of keys that belong to the game and not to the search.
    game: usize,
    /// The number of keys after each null move of the line. Positions before a null move cannot be
    /// repeated after it.
    nulls: Vec<usize>,
}

impl KeyHistory {
    /// Reserves room for a search after the game, so that a push within the search never
    /// allocates.
    pub fn reserve_for_search(&mut self, plies: usize) {
        self.keys.reserve(plies);
        self.nulls.reserve(plies);
        self.game = self.keys.len();
    }

    /// Adds a position before a move is played in it.
    #[inline]
    pub fn push(&mut self, position: &Position) {
        self.keys.push(position.key());
    }

    /// Adds a position before a null move is played in it.
    #[inline]
    pub fn push_null(&mut self, position: &Position) {
        self.push(position);
        self.nulls.push(self.keys.len());
    }

    /// Removes the last [`KeyHistory::push`] or [`KeyHistory::push_null`].
    #[inline]
    pub fn pop(&mut self) {
        if self.nulls.last() == Some(&self.keys.len()) {
            self.nulls.pop();
        }
        self.keys.pop();
    }

    /// Returns how many plies back a repeated position can lie.
    #[inline]
    fn reach(&self, position: &Position) -> usize {
        let since_null = self.keys.len() - self.nulls.last().copied().unwrap_or(0);
        (position.halfmoves() as usize).min(since_null)
    }

    /// Removes all keys.
    pub fn clear(&mut self) {
        self.keys.clear();
        self.nulls.clear();
        self.game = 0;
    }

    /// Returns whether the position is a draw by repetition as a search counts it: it occurred
    /// once before within the search, or twice before in all.
    pub fn is_repetition(&self, position: &Position) -> bool {
        let end = self.keys.len();
        let reach = self.reach(position);
        let key = position.key();
        let mut seen = 0;
        let mut back = 4;
        while back <= reach {
            let index = end - back;
            if self.keys[index] == key {
                seen += 1;
                if index >= self.game || seen == 2 {
                    return true;
                }
            }
            back += 2;
        }
        false
    }

    /// Returns how often the position occurred before, since the last capture or pawn move.
    pub fn occurrences(&self, position: &Position) -> usize {
        let reach = (position.halfmoves() as usize).min(self.keys.len());
        let since = self.keys.len() - reach;
        let key = position.key();
        self.keys
            .iter()
            .skip(since)
            .filter(|&&earlier| earlier == key)
            .count()
    }

    /// Returns whether any position since the last capture or pawn move, including this one,
    /// occurred more than once.
    pub fn has_repeated(&self, position: &Position) -> bool {
        let reach = (position.halfmoves() as usize).min(self.keys.len());
        let mut keys = self.keys[self.keys.len() - reach..].to_vec();
        keys.push(position.key());
        keys.sort_unstable();
        keys.windows(2).any(|pair| pair[0] == pair[1])
    }

    /// Returns whether the side to move can reach a position of the search again, or one that
    /// occurred twice in the game, with a single reversible move. A draw is then its lower bound.
    ///
    /// The algorithm is from M. N. J. van Kervinck, "The design and implementation of the Rookie
    /// 2.0 chess playing program" (2002): the difference of two keys an odd number of plies apart
    /// is looked up among the key differences of all reversible moves, which are stored in a
    /// cuckoo hash table.
    pub fn has_upcoming_repetition(&self, position: &Position) -> bool {
        let end = self.keys.len();
        let reach = self.reach(position);
        if reach < 3 {
            return false;
        }
        let key = position.key();
        let turn = Zobrist64::zobrist_for_white_turn().0;
        // The opponent's moves since the older position must cancel out, and ours must except for
        // one.
        let mut opponent = key ^ self.keys[end - 1] ^ turn;
        let mut back = 3;
        while back <= reach {
            let index = end - back;
            opponent ^= self.keys[index + 1] ^ self.keys[index] ^ turn;
            if opponent == 0
                && let Some(m) = CUCKOO.find(key ^ self.keys[index])
                && (attacks::between(m.from(), m.to()) & position.occupied()).is_empty()
                && (index >= self.game || self.stood_before(index))
            {
                return true;
            }
            back += 2;
        }
        false
    }

    /// Returns whether the position of an earlier ply had occurred before it.
    fn stood_before(&self, index: usize) -> bool {
        self.keys[..index]
            .iter()
            .rev()
            .skip(1)
            .step_by(2)
            .any(|&key| key == self.keys[index])
    }
}

/// The key difference of each reversible move, with the move.
struct Cuckoo {
    slots: Vec<(u64, Option<Move>)>,
}

static CUCKOO: LazyLock<Cuckoo> = LazyLock::new(Cuckoo::new);

const CUCKOO_SLOTS: usize = 8192;

const fn first_slot(key: u64) -> usize {
    key as usize % CUCKOO_SLOTS
}

const fn second_slot(key: u64) -> usize {
    (key >> 16) as usize % CUCKOO_SLOTS
}

impl Cuckoo {
    fn new() -> Cuckoo {
        let mut slots = vec![(0, None); CUCKOO_SLOTS];
        for color in Color::ALL {
            for role in [
                Role::Knight,
                Role::Bishop,
                Role::Rook,
                Role::Queen,
                Role::King,
            ] {
                let piece = role.of(color);
                for from in Square::ALL {
                    for to in attacks::attacks(from, piece, Bitboard::EMPTY) {
                        if to <= from {
                            continue;
                        }
                        let key = Zobrist64::zobrist_for_piece(from, piece).0
                            ^ Zobrist64::zobrist_for_piece(to, piece).0
                            ^ Zobrist64::zobrist_for_white_turn().0;
                        let mut entry = (key, Some(Move::normal(from, to)));
                        let mut slot = first_slot(key);
                        while {
                            std::mem::swap(&mut slots[slot], &mut entry);
                            entry.1.is_some()
                        } {
                            let (one, other) = (first_slot(entry.0), second_slot(entry.0));
                            slot = if slot == one { other } else { one };
                        }
                    }
                }
            }
        }
        Cuckoo { slots }
    }

    #[inline]
    fn find(&self, key: u64) -> Option<Move> {
        let (one, other) = (self.slots[first_slot(key)], self.slots[second_slot(key)]);
        if one.0 == key {
            one.1
        } else if other.0 == key {
            other.1
        } else {
            None
        }
    }
}

/// Builds the table in advance, so that the first search does not have to.
pub fn prepare() {
    LazyLock::force(&CUCKOO);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation;

    fn play(moves: &[&str]) -> (Position, KeyHistory) {
        let mut position = Position::initial();
        let mut keys = KeyHistory::default();
        for text in moves {
            let m = notation::parse_uci(&position, text).unwrap();
            keys.push(&position);
            position = position.play(m);
        }
        (position, keys)
    }

    #[test]
    fn all_reversible_moves_are_in_the_table() {
        assert_eq!(
            CUCKOO.slots.iter().filter(|slot| slot.1.is_some()).count(),
            3668
        );
    }

    #[test]
    fn twice_in_the_search_or_three_times_in_the_game() {
        let once = ["g1f3", "g8f6", "f3g1", "f6g8"];
        let (position, mut keys) = play(&once);
        assert!(keys.is_repetition(&position));
        keys.game = keys.keys.len();
        assert!(
            !keys.is_repetition(&position),
            "a second time in the game is no draw yet"
        );
        let (position, mut keys) = play(&[once, once].concat());
        keys.game = keys.keys.len();
        assert!(keys.is_repetition(&position));
    }

    #[test]
    fn a_repetition_is_seen_one_move_ahead() {
        let (position, keys) = play(&["g1f3", "g8f6", "f3g1"]);
        assert!(
            keys.has_upcoming_repetition(&position),
            "Ng8 repeats the initial position"
        );
        let (position, keys) = play(&["g1f3", "g8f6", "b1c3"]);
        assert!(!keys.has_upcoming_repetition(&position));
        let (position, keys) = play(&["e2e4", "g8f6", "e4e5"]);
        assert!(!keys.has_upcoming_repetition(&position));
    }

    #[test]
    fn a_position_of_the_game_has_to_have_stood_twice() {
        let there_and_back = ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"];
        for (moves, expected) in [(&there_and_back[..3], false), (&there_and_back, true)] {
            let (position, mut keys) = play(moves);
            keys.reserve_for_search(1);
            assert_eq!(keys.has_upcoming_repetition(&position), expected);
        }
    }

    #[test]
    fn nothing_is_repeated_across_a_null_move() {
        // After Nf3 Nf6 White passes twice while Black's knight goes back and returns: the
        // position is the same, but White has not moved back.
        let mut keys = KeyHistory::default();
        let mut position = Position::initial();
        for text in ["g1f3", "g8f6"] {
            keys.push(&position);
            position = position.play(notation::parse_uci(&position, text).unwrap());
        }
        for text in ["f6g8", "g8f6"] {
            keys.push_null(&position);
            position = position.play_null().unwrap();
            if text == "g8f6" {
                assert!(!keys.has_upcoming_repetition(&position));
            }
            keys.push(&position);
            position = position.play(notation::parse_uci(&position, text).unwrap());
        }
        assert!(!keys.is_repetition(&position));
        for _ in 0..4 {
            keys.pop();
        }
        assert!(keys.nulls.is_empty());
        assert_eq!(keys.keys.len(), 2);
    }

    #[test]
    fn upcoming_repetitions_agree_with_trying_every_move() {
        let mut seed = 7_u64;
        for number in 0..200 {
            let mut position = Position::initial();
            let mut keys = KeyHistory::default();
            for ply in 0..80 {
                // In half of the games, the search begins after some moves.
                if ply == number % 2 * 30 {
                    keys.game = keys.keys.len();
                }
                let moves = position.legal_moves();
                if moves.is_empty() || position.halfmoves() >= 100 {
                    break;
                }
                let found = keys.has_upcoming_repetition(&position);
                keys.push(&position);
                let tried = moves.iter().any(|&m| keys.is_repetition(&position.play(m)));
                assert_eq!(found, tried, "{}", notation::fen(&position));
                // Prefer quiet piece moves, so that repetitions happen.
                let quiet: Vec<Move> = moves
                    .iter()
                    .copied()
                    .filter(|&m| {
                        !position.is_noisy(m) && position.role_at(m.from()) == Some(Role::Knight)
                    })
                    .collect();
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let pool: &[Move] = if quiet.is_empty() { &moves } else { &quiet };
                position = position.play(pool[(seed >> 33) as usize % pool.len()]);
            }
        }
    }
}
