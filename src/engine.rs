//! The engine: owns position, options, hash table, tablebases and threads. What the UCI loop and the tools call.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

use thiserror::Error;

use crate::book::play::OwnBook;
use crate::eval;
use crate::hash::HashTable;
use crate::position::Position;
use crate::position::notation::{self, FenError, MoveError, ParsedFen};
use crate::position::repetition::{self, KeyStack};
use crate::score::Score;
use crate::search::control::Go;
use crate::search::limits::Limits;
use crate::search::report::Report;
use crate::search::{self, Memory, Task};
use crate::tablebase::Tablebases;

pub use crate::hash::HashError;
pub use crate::search::{Outcome, Settings};

/// Why a position was refused; the one before it is still there.
#[derive(Debug, Error)]
pub enum SetPositionError {
    /// The FEN cannot be used.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A move cannot be played.
    #[error("move {number}: {source}")]
    Move {
        /// The move's number in the list, from 1.
        number: usize,
        /// What is wrong with it.
        source: MoveError,
    },
}

/// The engine.
#[derive(Debug)]
pub struct Engine {
    settings: Settings,
    position: Position,
    keys: KeyStack,
    chess960: bool,
    hash: HashTable,
    tablebases: Option<Tablebases>,
    own_book: OwnBook,
    /// One for each search thread.
    memories: Vec<Memory>,
}

impl Engine {
    /// An engine at the initial position, with a hash table of this many MiB and one thread.
    ///
    /// # Errors
    /// When the memory is not there.
    pub fn new(hash_mebibytes: usize) -> Result<Engine, HashError> {
        repetition::prepare();
        eval::initialize();
        Ok(Engine {
            settings: Settings::default(),
            position: Position::initial(),
            keys: KeyStack::default(),
            chess960: false,
            hash: HashTable::new(hash_mebibytes, None)?,
            tablebases: None,
            own_book: OwnBook::default(),
            memories: vec![Memory::default()],
        })
    }

    /// The values that options set.
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// The opening book that moves are played from, and how.
    pub fn own_book_mut(&mut self) -> &mut OwnBook {
        &mut self.own_book
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Whether castling is always written king takes rook. Takes effect with the next position.
    pub fn set_chess960(&mut self, chess960: bool) {
        self.chess960 = chess960;
    }

    /// Replaces the hash table by one of this many MiB.
    ///
    /// # Errors
    /// When the memory is not there; the old table is kept.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), HashError> {
        if mebibytes != self.hash.mebibytes() {
            self.hash = HashTable::new(mebibytes, Some(&self.hash))?;
        }
        Ok(())
    }

    /// Empties the hash table.
    pub fn clear_hash(&mut self) {
        self.hash.clear();
    }

    /// Searches with this many threads from now on.
    pub fn set_threads(&mut self, threads: usize) {
        self.memories.resize_with(threads.max(1), Memory::default);
    }

    /// Loads the tablebases in these directories (separated by `;`, or `:` where paths have none; empty for no
    /// tablebases) and says what was found. Directories that cannot be read are part of what it says.
    pub fn set_syzygy_path(&mut self, path: &str) -> String {
        let (tablebases, message) = Tablebases::load(path);
        self.tablebases = tablebases;
        message
    }

    /// Forgets what previous searches learnt.
    pub fn new_game(&mut self) {
        self.hash.clear();
        for memory in &mut self.memories {
            memory.histories.clear();
        }
    }

    /// Sets the position: a FEN, or the initial position, and the moves played from it. Says whether the position is of
    /// Chess960 although that was not asked for.
    ///
    /// # Errors
    /// When the FEN or a move cannot be used; then the old position stays.
    pub fn set_position<'a>(
        &mut self,
        fen: Option<&str>,
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Result<bool, SetPositionError> {
        let initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let ParsedFen {
            mut position,
            detected_chess960,
        } = notation::parse_fen(fen.unwrap_or(initial), self.chess960)?;
        let mut keys = KeyStack::default();
        for (index, text) in moves.into_iter().enumerate() {
            let m =
                notation::parse_uci(&position, text).map_err(|source| SetPositionError::Move {
                    number: index + 1,
                    source,
                })?;
            keys.push(&position);
            position = position.play(m);
        }
        self.position = position;
        self.keys = keys;
        Ok(detected_chess960)
    }

    /// Sets the position and the keys of the positions of the game before it, as far back as they can come again: what a
    /// caller that plays games itself has at hand.
    pub fn set_line(&mut self, position: Position, keys: KeyStack) {
        self.position = position;
        self.keys = keys;
    }

    /// Searches the current position, unless the book has a move to play. Returns when a limit is reached or the search is told to stop; under `infinite` and
    /// `ponder` not before it is told to.
    ///
    /// The calling thread searches, and needs [`STACK_BYTES`](search::STACK_BYTES) of stack for that.
    pub fn go(&mut self, limits: &Limits, go: Go<'_>, report: &dyn Report) -> Outcome {
        if let Some(outcome) = self.play_from_book(limits, report) {
            return outcome;
        }
        search::run(
            &Task {
                root: &self.position,
                keys: &self.keys,
                limits,
                settings: &self.settings,
                hash: &self.hash,
                tablebases: self.tablebases.as_ref(),
                go,
                report,
            },
            &mut self.memories,
        )
    }

    /// A move of the book, where one is wanted: not for analysis, and not for the solution of a problem.
    fn play_from_book(&self, limits: &Limits, report: &dyn Report) -> Option<Outcome> {
        if limits.infinite || limits.ponder || limits.mate.is_some() {
            return None;
        }
        let choice = self.own_book.choose(&self.position, &limits.searchmoves)?;
        report.message(&choice.describe(&self.position));
        Some(Outcome {
            best: Some(choice.m),
            ponder: None,
            score: Score::DRAW,
            nodes: 0,
        })
    }
}
