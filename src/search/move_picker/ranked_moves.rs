//! Moves that are taken from best to worst.

use arrayvec::ArrayVec;

use crate::position::{MAX_MOVES, Move};

/// A move, and what its score is made of.
#[derive(Clone, Copy)]
pub(super) struct RankedMove {
    pub m: Move,
    /// The part of the score that is not history: see [`QuietBonus`](super::QuietBonus).
    pub bonus: i16,
}

/// The rank of a move: its score, and in the lower bits the place in the list, counted from the
/// end, so that the first of equals is the best. The maximum of such numbers is found without
/// branches, several at a time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key(i32);

impl Key {
    /// Of a move that was taken. Its place is beyond the list.
    const TAKEN: Key = Key(i32::MIN);

    /// The number of places.
    const PLACES: i32 = 512;

    #[inline]
    fn new(score: i32, place: usize) -> Key {
        let score = score.clamp(i32::MIN / Key::PLACES + 1, i32::MAX / Key::PLACES);
        Key(score * Key::PLACES + (Key::PLACES - 1 - place as i32))
    }

    #[inline]
    const fn score(self) -> i32 {
        self.0.div_euclid(Key::PLACES)
    }

    #[inline]
    const fn place(self) -> usize {
        (Key::PLACES - 1 - self.0.rem_euclid(Key::PLACES)) as usize
    }
}

const _: () = assert!(MAX_MOVES <= Key::PLACES as usize);

/// The number of keys that are compared at a time.
const ROW: usize = 8;

const _: () = assert!(MAX_MOVES.is_multiple_of(ROW));

/// A list of moves, of which the best is taken each time.
pub(super) struct RankedMoves {
    moves: ArrayVec<RankedMove, MAX_MOVES>,
    /// `[place of the move]`, filled up to whole rows with taken ones.
    keys: ArrayVec<Key, MAX_MOVES>,
}

impl RankedMoves {
    /// Creates an empty list. (`ArrayVec::new_const` would fill the memory with zeros.)
    #[inline]
    pub fn new() -> RankedMoves {
        RankedMoves {
            moves: ArrayVec::new(),
            keys: ArrayVec::new(),
        }
    }

    #[inline]
    pub fn clear(&mut self) {
        self.moves.clear();
        self.keys.clear();
    }

    /// Adds a move. After the last one, [`RankedMoves::fill_row`] has to be called.
    #[inline]
    pub fn push(&mut self, m: Move, bonus: i16, score: i32) {
        let key = Key::new(score, self.moves.len());
        let _ = self.keys.try_push(key);
        let _ = self.moves.try_push(RankedMove { m, bonus });
    }

    /// Fills up the last row of keys.
    #[inline]
    pub fn fill_row(&mut self) {
        while !self.keys.len().is_multiple_of(ROW) {
            let _ = self.keys.try_push(Key::TAKEN);
        }
    }

    /// Takes the best of the remaining moves, and returns its score, too. Most nodes need only the
    /// first ones, so that sorting all would be slower.
    #[inline]
    pub fn take_best(&mut self) -> Option<(RankedMove, i32)> {
        let (rows, _) = self.keys.as_chunks::<ROW>();
        let mut best = [Key::TAKEN; ROW];
        for row in rows {
            best = std::array::from_fn(|lane| best[lane].max(row[lane]));
        }
        let best = best.into_iter().fold(Key::TAKEN, Key::max);
        let &m = self.moves.get(best.place())?;
        self.keys[best.place()] = Key::TAKEN;
        Some((m, best.score()))
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Square;

    use super::*;

    #[test]
    fn keys_are_ordered_by_score_and_then_by_place() {
        let scores = [-5_000_000, -4_000_000, -1, 0, 1, 70_000, 4_000_000];
        let mut last = Key::TAKEN;
        for score in scores {
            for place in [MAX_MOVES - 1, 1, 0] {
                let key = Key::new(score, place);
                assert!(last < key);
                assert_eq!(key.place(), place);
                assert_eq!(key.score(), score.max(i32::MIN / Key::PLACES + 1));
                last = key;
            }
        }
        assert!(Key::TAKEN.place() >= MAX_MOVES);
    }

    #[test]
    fn the_best_comes_first_and_of_equals_the_first() {
        let mut moves = RankedMoves::new();
        for count in [0, 1, 7, 8, 9, 20, MAX_MOVES] {
            moves.clear();
            let score = |place: usize| (place * 7 % 5) as i32 - 2;
            for place in 0..count {
                moves.push(
                    Move::normal(Square::A1, Square::A2),
                    place as i16,
                    score(place),
                );
            }
            moves.fill_row();
            let mut expected: Vec<usize> = (0..count).collect();
            expected.sort_by_key(|&place| -score(place));
            for place in expected {
                let (ranked, taken) = moves.take_best().unwrap();
                assert_eq!((ranked.bonus, taken), (place as i16, score(place)));
            }
            assert!(moves.take_best().is_none());
        }
    }
}
