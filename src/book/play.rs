//! The choice of a move to play.

use std::path::Path;

use shakmaty::Position as _;

use super::{Book, BookError, WeightedMove, key};
use crate::position::{Move, Position, notation};
use crate::random::{Random, unit, unpredictable_seed};

/// The [`OwnBook::variety`] at which move frequencies equal the weights.
pub const FULL_VARIETY: u32 = 100;

/// The default of the last move number at which the book is used.
pub const DEFAULT_BOOK_DEPTH: u32 = 255;

/// The engine's own book and its settings.
#[derive(Debug)]
pub struct OwnBook {
    /// True if the engine may play from the book.
    pub enabled: bool,
    /// True if the engine analyses, which turns the book off.
    pub analysing: bool,
    /// The last move number at which the book is used.
    pub max_move: u32,
    /// The variety of the choice, from 0 for the heaviest move only to [`FULL_VARIETY`].
    pub variety: u32,
    /// The seed that, with the position, determines the choice; 0 for a different choice each time.
    pub seed: u64,
    /// The book, if any.
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

/// A chosen book move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice {
    /// The move.
    pub m: Move,
    /// Its weight.
    pub weight: u16,
    /// The total weight of the moves to choose from.
    pub total: u32,
}

impl Choice {
    /// Describes the choice in words.
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
    /// Loads a book from a file, or the embedded book if the path is empty. Returns a description
    /// of the file.
    ///
    /// # Errors
    /// Fails when the file is not a book; the previous book stays in use.
    pub fn load(&mut self, path: impl AsRef<Path>) -> Result<Option<String>, BookError> {
        let path = path.as_ref();
        if path.as_os_str().is_empty() {
            self.book = Some(Book::embedded()?);
            return Ok(None);
        }
        let book = Book::open(path)?;
        let summary = format!("book {}: {}", path.display(), book.summary());
        self.book = Some(book);
        Ok(Some(summary))
    }

    /// Chooses a legal move for a position if the book is in use and has one. The move is one of
    /// `wanted` unless that is empty.
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
            0 => unpredictable_seed(),
            seed => seed,
        };
        Random::of_item(seed, key(position))
    }
}

/// Draws one of some moves, heaviest first. Probabilities are proportional to the weights raised to
/// [`FULL_VARIETY`] / `variety`: equal to them at full variety, and more uneven below.
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
    let mut left = total * unit(random.next());
    let drawn = moves.iter().find(|known| {
        left -= chance(known);
        left < 0.0
    });
    Some(drawn.copied().unwrap_or(heaviest))
}
