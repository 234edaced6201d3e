//! The choice of a move to play.

use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::path::Path;

use shakmaty::Position as _;

use super::{Book, BookError, WeightedMove, key};
use crate::position::{Move, Position, notation};
use crate::random::Random;

/// The [`OwnBook::variety`] at which moves are played as often as their weights say.
pub const FULL_VARIETY: u32 = 100;

/// The last move number for which the book is asked, if not told otherwise.
pub const DEFAULT_BOOK_DEPTH: u32 = 255;

/// The book that the engine plays from, and how.
#[derive(Debug)]
pub struct OwnBook {
    /// Whether to play from it at all.
    pub enabled: bool,
    /// Whether the engine is to analyse, for which the book is of no use.
    pub analysing: bool,
    /// Play from it up to this move number.
    pub max_move: u32,
    /// 0 for the heaviest move only, up to [`FULL_VARIETY`].
    pub variety: u32,
    /// What the choice follows from, together with the position; 0 for a different choice each time.
    pub seed: u64,
    /// The book. `None` when there is none to use.
    pub book: Option<Book>,
}

impl Default for OwnBook {
    fn default() -> OwnBook {
        OwnBook {
            enabled: false,
            analysing: false,
            max_move: DEFAULT_BOOK_DEPTH,
            variety: FULL_VARIETY,
            seed: 0,
            book: Book::embedded().ok(),
        }
    }
}

/// A move to play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The move.
    pub m: Move,
    /// Its weight.
    pub weight: u16,
    /// The weights of all moves that there were to choose among.
    pub total: u32,
}

impl Choice {
    /// The choice for people.
    pub fn describe(&self, position: &Position) -> String {
        format!(
            "book move {}, weight {} of {}",
            notation::uci(position, self.m),
            self.weight,
            self.total
        )
    }
}

impl OwnBook {
    /// Takes the moves from this file from now on, or from the embedded book when the path is empty, and says what there is to
    /// say about the file.
    ///
    /// # Errors
    /// When it is not a book; the one before stays.
    pub fn load(&mut self, path: &str) -> Result<Option<String>, BookError> {
        if path.is_empty() {
            self.book = Some(Book::embedded()?);
            return Ok(None);
        }
        let book = Book::open(Path::new(path))?;
        let summary = format!("book {path}: {}", book.summary());
        self.book = Some(book);
        Ok(Some(summary))
    }

    /// A move for a position, if the book is in use and has one. It is legal, and one of `wanted` unless that is empty.
    pub fn choose(&self, position: &Position, wanted: &[Move]) -> Option<Choice> {
        let in_use = self.enabled && !self.analysing;
        if !in_use || position.chess().fullmoves().get() > self.max_move {
            return None;
        }
        let mut moves = self.book.as_ref()?.moves(position);
        moves.retain(|known| known.weight > 0 && (wanted.is_empty() || wanted.contains(&known.m)));
        let chosen = draw(&moves, self.variety, &mut self.random(position))?;
        Some(Choice {
            m: chosen.m,
            weight: chosen.weight,
            total: moves.iter().map(|known| u32::from(known.weight)).sum(),
        })
    }

    fn random(&self, position: &Position) -> Random {
        let seed = match self.seed {
            0 => RandomState::new().build_hasher().finish(),
            seed => seed,
        };
        Random::of_item(seed, key(position))
    }
}

/// Draws one of some moves, the heaviest first. The chances are as the weights to the power of
/// [`FULL_VARIETY`] / `variety`: equal to them at full variety, the more uneven the less of it.
fn draw(moves: &[WeightedMove], variety: u32, random: &mut Random) -> Option<WeightedMove> {
    let heaviest = *moves.first()?;
    if variety == 0 {
        return Some(heaviest);
    }
    let exponent = f64::from(FULL_VARIETY) / f64::from(variety);
    let chance = |known: &WeightedMove| {
        (f64::from(known.weight) / f64::from(heaviest.weight.max(1))).powf(exponent)
    };
    let total: f64 = moves.iter().map(chance).sum();
    // 53 bits are what a double holds.
    let mut left = total * (random.next() >> 11) as f64 / (1_u64 << 53) as f64;
    let drawn = moves.iter().find(|known| {
        left -= chance(known);
        left < 0.0
    });
    Some(drawn.copied().unwrap_or(heaviest))
}
