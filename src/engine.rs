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

use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::{Path, PathBuf};
use std::{fs, io, slice};

use thiserror::Error;

use crate::book::play::OwnBook;
use crate::eval;
use crate::eval::nnue::{Network, NetworkError};
use crate::memory::{self, MEBIBYTE};
use crate::position::Position;
use crate::position::notation::{self, FenError, MoveError, ParsedFen};
use crate::position::repetition::{self, KeyHistory};
use crate::score::Score;
use crate::search::control::Go;
use crate::search::limits::Limits;
use crate::search::report::Report;
use crate::search::skill::StrengthOptions;
use crate::search::{self, SearchRequest, ThreadData};
use crate::tablebase::Tablebases;
use crate::tt::TranspositionTable;

pub use crate::memory::MemoryError;
pub use crate::search::{SearchOptions, SearchResult};

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

/// Why a network was refused; the one before it is still there.
#[derive(Debug, Error)]
pub enum EvalFileError {
    /// There is no such file, or it cannot be read.
    #[error("{}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// It is no network, or not one that this engine can use.
    #[error("{}: {source}", path.display())]
    Network {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: NetworkError,
    },
}

/// The hash table of limited play, in MiB: room for the nodes of the highest level.
const LIMITED_HASH: usize = 8;

/// What limited play searches with. It begins empty with every move, so that a move depends on nothing but the game, the
/// level and the seed, and errors never come into what full strength knows.
#[derive(Debug)]
struct LimitedPlay {
    tt: TranspositionTable,
    thread: ThreadData,
}

/// The engine.
#[derive(Debug)]
pub struct Engine {
    options: SearchOptions,
    position: Position,
    keys: KeyHistory,
    chess960: bool,
    tt: TranspositionTable,
    /// What evaluates positions, if not the hand-written rules.
    network: Option<Network>,
    tablebases: Option<Tablebases>,
    own_book: OwnBook,
    /// One for each search thread.
    threads: Vec<ThreadData>,
    /// There as soon as an option limits the strength.
    limited_play: Option<LimitedPlay>,
    /// The seed of limited play in this game, unless the options give one.
    game_seed: u64,
}

impl Engine {
    /// An engine at the initial position, with a hash table of this many MiB and one thread.
    ///
    /// # Errors
    /// When the memory is not there.
    pub fn new(hash_mebibytes: usize) -> Result<Engine, MemoryError> {
        repetition::prepare();
        eval::initialize();
        let network = Network::embedded();
        Ok(Engine {
            options: SearchOptions::default(),
            position: Position::initial(),
            keys: KeyHistory::default(),
            chess960: false,
            tt: TranspositionTable::new(hash_mebibytes, None)?,
            tablebases: None,
            own_book: OwnBook::default(),
            threads: vec![ThreadData::new(Some(&network))],
            network: Some(network),
            limited_play: None,
            game_seed: random_seed(),
        })
    }

    /// The values that options set.
    pub fn settings_mut(&mut self) -> &mut SearchOptions {
        &mut self.options
    }

    /// Changes what the options say about strength.
    ///
    /// # Errors
    /// When the memory for limited play is not there; nothing has changed then.
    pub fn change_strength(
        &mut self,
        change: impl FnOnce(&mut StrengthOptions),
    ) -> Result<(), MemoryError> {
        let mut strength = self.options.strength;
        change(&mut strength);
        if strength.elo().is_some() && self.limited_play.is_none() {
            self.limited_play = Some(LimitedPlay {
                tt: TranspositionTable::new(LIMITED_HASH, None)?,
                thread: ThreadData::new(self.network.as_ref()),
            });
        }
        self.options.strength = strength;
        Ok(())
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
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), MemoryError> {
        if mebibytes != self.tt.mebibytes() {
            self.tt = TranspositionTable::new(mebibytes, Some(&self.tt))?;
        }
        Ok(())
    }

    /// Empties the hash table.
    pub fn clear_hash(&mut self) {
        self.tt.clear();
    }

    /// Searches with this many threads from now on.
    ///
    /// # Errors
    /// When the machine has no memory left for so many; their number is kept.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), MemoryError> {
        let threads = threads.max(1);
        let requested = threads
            .saturating_sub(self.threads.len())
            .saturating_mul(search::THREAD_BYTES);
        if let Some(available) = memory::available()
            && requested > available
        {
            return Err(MemoryError::Threads {
                threads,
                requested: requested / MEBIBYTE,
                available: available / MEBIBYTE,
            });
        }
        self.threads
            .resize_with(threads, || ThreadData::new(self.network.as_ref()));
        Ok(())
    }

    /// The network that evaluates positions, if it is not hand-written rules that do.
    pub fn network(&self) -> Option<&Network> {
        self.network.as_ref()
    }

    /// Evaluates with what [`network_of`] makes of this from now on.
    ///
    /// # Errors
    /// When the file cannot be read or used; what evaluated before still does.
    pub fn set_eval_file(&mut self, path: &str) -> Result<(), EvalFileError> {
        let network = network_of(path)?;
        if network.as_ref().map(Network::identity) != self.network.as_ref().map(Network::identity) {
            let limited = self.limited_play.iter_mut().map(|play| &mut play.thread);
            for thread in self.threads.iter_mut().chain(limited) {
                thread.set_network(network.as_ref());
            }
            self.network = network;
            // What the hash table holds is the other evaluation's opinion.
            self.new_game();
        }
        Ok(())
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
        self.game_seed = random_seed();
        self.tt.clear();
        for thread in &mut self.threads {
            thread.histories.clear();
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
        let mut keys = KeyHistory::default();
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
    pub fn set_line(&mut self, position: Position, keys: KeyHistory) {
        self.position = position;
        self.keys = keys;
    }

    /// Searches the current position, unless the book has a move to play. Returns when a limit is reached or the search is
    /// told to stop; under `infinite` and `ponder` not before it is told to. If the options limit the strength, one thread
    /// searches, without tablebases, and within the level's limits too.
    ///
    /// The calling thread searches, and needs [`STACK_BYTES`](search::STACK_BYTES) of stack for that.
    pub fn go(&mut self, limits: &Limits, go: Go<'_>, report: &dyn Report) -> SearchResult {
        if let Some(outcome) = self.play_from_book(limits, report) {
            return outcome;
        }
        let request = SearchRequest {
            root: &self.position,
            keys: &self.keys,
            limits,
            options: &self.options,
            tt: &self.tt,
            network: self.network.as_ref(),
            tablebases: self.tablebases.as_ref(),
            skill: None,
            go,
            report,
        };
        let strength = &self.options.strength;
        let skill = strength.skill(limits, &self.position, self.game_seed);
        let (Some(skill), Some(play)) = (skill, &mut self.limited_play) else {
            return search::run(&request, &mut self.threads);
        };
        play.tt.clear();
        play.thread.histories.clear();
        search::run(
            &SearchRequest {
                limits: &skill.limits(limits),
                options: &skill.options(&self.options),
                tt: &play.tt,
                tablebases: None,
                skill: Some(skill),
                ..request
            },
            slice::from_mut(&mut play.thread),
        )
    }

    /// A move of the book, where one is wanted: not for analysis, and not for the solution of a problem.
    fn play_from_book(&self, limits: &Limits, report: &dyn Report) -> Option<SearchResult> {
        if limits.infinite || limits.ponder || limits.mate.is_some() {
            return None;
        }
        let choice = self.own_book.choose(&self.position, &limits.searchmoves)?;
        report.message(&choice.describe(&self.position));
        Some(SearchResult {
            best_move: Some(choice.m),
            ponder_move: None,
            score: Score::DRAW,
            nodes: 0,
        })
    }
}

/// The value of the option `EvalFile` for an evaluation by hand-written rules.
pub const HAND_WRITTEN: &str = "hand-written";

/// What a value of the option `EvalFile` means: the network that the program comes with if it is empty, none if it is
/// [`HAND_WRITTEN`], or else the network in this file.
///
/// # Errors
/// When the file cannot be read, or is no network that there is code for.
pub fn network_of(eval_file: &str) -> Result<Option<Network>, EvalFileError> {
    match eval_file {
        "" => Ok(Some(Network::embedded())),
        HAND_WRITTEN => Ok(None),
        path => read_network(Path::new(path)).map(Some),
    }
}

/// Reads a network from a file.
///
/// # Errors
/// When the file cannot be read, or is no network that there is code for.
fn read_network(path: &Path) -> Result<Network, EvalFileError> {
    let bytes = read_file(path).map_err(|source| EvalFileError::Read {
        path: path.to_owned(),
        source,
    })?;
    Network::parse(&bytes).map_err(|source| EvalFileError::Network {
        path: path.to_owned(),
        source,
    })
}

/// Reads a file that a command or an option names.
///
/// # Errors
/// When it cannot be read, or is something else than a file.
pub(crate) fn read_file(path: &Path) -> io::Result<Vec<u8>> {
    // Opening a named pipe would wait for its writer.
    match path.metadata()?.is_file() {
        true => fs::read(path),
        false => Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file")),
    }
}

/// Another one each time.
fn random_seed() -> u64 {
    RandomState::new().build_hasher().finish()
}
