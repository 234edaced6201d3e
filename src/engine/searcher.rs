//! The owner of everything a search needs.

use std::ffi::OsStr;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::slice;

use rayon::prelude::*;

use super::analysis::{Analysis, AnalysisCollector};
use super::eval_file::{EvalFileError, network_of};
use super::hash_file::HashFileError;
use super::node_clock::NodeClock;
use super::options::{self, OptionError};
use super::panic_message;
use crate::book::play::OwnBook;
use crate::eval;
use crate::eval::nnue::Network;
use crate::games::GameState;
use crate::memory::{self, MEBIBYTE, MemoryError};
use crate::position::repetition;
use crate::random::{mix, unpredictable_seed};
use crate::score::Bound;
use crate::search::control::Go;
use crate::search::limits::Limits;
use crate::search::report::Report;
use crate::search::skill::{Skill, StrengthOptions};
use crate::search::{
    self, IterationResult, SearchOptions, SearchRequest, SearchResult, ThreadData,
};
use crate::tablebase::Tablebases;
use crate::tt::{TranspositionTable, TtEntry};

/// Size of the hash table of play at limited strength, in MiB: enough for the nodes of the levels
/// up to 2600. The levels were measured with it, so another size would change their strength.
const LIMITED_HASH: usize = 8;

/// Hash table and histories of play at limited strength. They are cleared before every move, so
/// that a move depends only on the game, the level and the seed, and the deliberate errors never
/// reach full-strength searches.
#[derive(Debug)]
struct LimitedPlay {
    tt: TranspositionTable,
    data: ThreadData,
}

/// A headless engine: hash table, network, tablebases, opening book, search threads and options.
///
/// [The module](crate::engine) shows an example.
#[derive(Debug)]
pub struct Searcher {
    options: SearchOptions,
    tt: TranspositionTable,
    /// The file that the hash table is saved to and loaded from; empty for none.
    hash_file: PathBuf,
    /// Keeps the hash table when a new game begins.
    never_clear_hash: bool,
    /// The key of the last position that was searched with all its moves and at full strength, and
    /// the result of the last iteration that was completed.
    last_result: Option<(u64, IterationResult)>,
    /// `None` selects the hand-written evaluation.
    network: Option<Network>,
    tablebases: Option<Tablebases>,
    own_book: OwnBook,
    /// One for each search thread.
    threads: Vec<ThreadData>,
    /// Allocated when an option first limits the strength.
    limited_play: Option<LimitedPlay>,
    /// The clock of this game if the options let time run in nodes.
    node_clock: NodeClock,
    /// Seed of play at limited strength in this game, unless the options set one.
    game_seed: u64,
    /// The plies from the start of the game to the last position that was searched, and one more
    /// unless the search was pondering.
    next_ply: u32,
}

impl Searcher {
    /// Creates an engine with a hash table of this many MiB, one search thread and the embedded
    /// network.
    ///
    /// # Errors
    /// Fails when there is not enough memory.
    pub fn new(hash_mebibytes: usize) -> Result<Searcher, MemoryError> {
        repetition::prepare();
        eval::initialize();
        let network = Network::embedded();
        Ok(Searcher {
            options: SearchOptions::default(),
            tt: TranspositionTable::new(hash_mebibytes, None)?,
            hash_file: PathBuf::new(),
            never_clear_hash: false,
            last_result: None,
            tablebases: None,
            own_book: OwnBook::default(),
            threads: vec![ThreadData::new(Some(&network))],
            network: Some(network),
            limited_play: None,
            node_clock: NodeClock::default(),
            game_seed: unpredictable_seed(),
            next_ply: 0,
        })
    }

    /// Sets an option of the [table](options::OPTIONS) by its UCI name and returns a message for
    /// the user, if there is one. Options that concern only the UCI front end are accepted and
    /// ignored.
    ///
    /// # Errors
    /// Fails when there is no such option or the value is invalid; nothing has changed
    /// then.
    pub fn set_option(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> Result<Option<String>, OptionError> {
        options::set(self, &mut (), name, value.map(OsStr::new))
    }

    /// Returns the plain values that options set.
    pub fn options_mut(&mut self) -> &mut SearchOptions {
        &mut self.options
    }

    /// Changes the options that limit the strength.
    ///
    /// # Errors
    /// Fails when there is not enough memory for play at limited strength; nothing has
    /// changed then.
    pub fn change_strength(
        &mut self,
        change: impl FnOnce(&mut StrengthOptions),
    ) -> Result<(), MemoryError> {
        let mut strength = self.options.strength;
        change(&mut strength);
        if strength.elo().is_some() && self.limited_play.is_none() {
            self.limited_play = Some(LimitedPlay {
                tt: TranspositionTable::new(LIMITED_HASH, None)?,
                data: ThreadData::new(self.network.as_ref()),
            });
        }
        self.options.strength = strength;
        Ok(())
    }

    /// Returns the opening book and its options.
    pub fn own_book_mut(&mut self) -> &mut OwnBook {
        &mut self.own_book
    }

    /// Replaces the hash table by an empty one of this many MiB, unless it has this size already.
    ///
    /// # Errors
    /// Fails when there is not enough memory; the old table is kept.
    pub fn set_hash(&mut self, mebibytes: usize) -> Result<(), MemoryError> {
        if mebibytes != self.tt.mebibytes() {
            self.tt = TranspositionTable::new(mebibytes, Some(&self.tt))?;
            self.options.resume = false;
            self.last_result = None;
        }
        Ok(())
    }

    /// Clears the hash table and the histories.
    pub fn clear_hash(&mut self) {
        self.clear_table();
        self.clear_histories();
    }

    fn clear_table(&mut self) {
        self.tt.clear();
        self.options.resume = false;
        self.last_result = None;
    }

    fn clear_histories(&mut self) {
        self.threads
            .par_iter_mut()
            .for_each(ThreadData::clear_histories);
    }

    /// Has the system provide the memory of the hash table and the threads, for which the first
    /// search would otherwise wait while its clock runs. Takes time only after they were set.
    pub fn prepare(&mut self) {
        self.tt.touch();
        self.threads.par_iter_mut().for_each(ThreadData::touch);
    }

    /// Keeps the hash table when a new game begins, or not.
    pub fn set_never_clear_hash(&mut self, never: bool) {
        self.never_clear_hash = never;
    }

    /// Sets the file that the hash table is saved to and loaded from.
    pub fn set_hash_file(&mut self, path: &Path) {
        self.hash_file = path.to_owned();
    }

    /// Saves the hash table and returns a message. A failure leaves an existing file as it was.
    ///
    /// # Errors
    /// Fails when the file cannot be written.
    pub fn save_hash(&self) -> Result<String, HashFileError> {
        let path = HashFileError::path_of(&self.hash_file)?;
        self.store_last_result();
        let saved = self.tt.save(path, self.evaluation_identity());
        saved.map_err(|error| HashFileError::of(path, error))?;
        Ok(format!(
            "saved the hash table of {} MiB to {}",
            self.tt.mebibytes(),
            path.display()
        ))
    }

    /// Stores the result of the last search in the table, which may have it with a lower depth: an
    /// iteration that fails high is searched less deeply. A deeper result of an earlier search
    /// stays.
    fn store_last_result(&self) {
        let Some((key, result)) = self
            .last_result
            .filter(|(_, result)| result.bound == Bound::Exact)
        else {
            return;
        };
        let known = self.tt.probe(key);
        let is_known = |entry: TtEntry| entry.bound == Bound::Exact && entry.depth >= result.depth;
        if known.is_some_and(is_known) {
            return;
        }
        let entry = TtEntry::new(
            Some(result.best_move),
            result.score,
            0,
            known.and_then(|entry| entry.raw_eval()),
            result.depth,
            result.bound,
            true,
        );
        self.tt.store(key, entry);
    }

    /// Replaces the hash table by the saved one, which may have another size, and returns a
    /// message.
    ///
    /// # Errors
    /// Fails when the file cannot be read, is not a saved hash table or is damaged, when
    /// another evaluation was in use when it was saved, or when there is not enough memory; the old
    /// table is kept.
    pub fn load_hash(&mut self) -> Result<String, HashFileError> {
        let path = HashFileError::path_of(&self.hash_file)?;
        let evaluation = self.evaluation_identity();
        let old = self.tt.mebibytes();
        let loaded = self.tt.load(path, evaluation);
        loaded.map_err(|error| HashFileError::of(path, error))?;
        self.options.resume = true;
        // The loaded table may know more of that position.
        self.last_result = None;
        let new = self.tt.mebibytes();
        let mut message = format!("loaded a hash table of {new} MiB from {}", path.display());
        if new != old {
            message.push_str(&format!("; Hash is {new} now instead of {old}"));
        }
        Ok(message)
    }

    /// Returns a number that identifies the evaluation in use.
    fn evaluation_identity(&self) -> u64 {
        match &self.network {
            Some(network) => {
                let (checksum, sizes, scale) = network.identity();
                let sizes = sizes.map(|size| size as u64);
                let words = sizes.into_iter().chain([u64::from(scale)]);
                words.fold(checksum, |identity, word| mix(identity ^ word))
            }
            // Its weights belong to the version of the program.
            None => env!("CARGO_PKG_VERSION")
                .bytes()
                .fold(0, |identity, byte| mix(identity ^ u64::from(byte))),
        }
    }

    /// Sets the number of search threads.
    ///
    /// # Errors
    /// Fails when there is not enough memory for them; the old number is kept.
    pub fn set_threads(&mut self, threads: usize) -> Result<(), MemoryError> {
        let threads = threads.max(1);
        let requested = threads
            .saturating_sub(self.threads.len())
            .saturating_mul(search::THREAD_BYTES);
        // A hash table that has not been used will need its memory, too.
        let reserved = self.tt.bytes().saturating_sub(memory::resident());
        let memory = memory::available().map(|bytes| bytes.saturating_sub(reserved));
        // The address space has to hold whole stacks.
        let stacks = threads.saturating_mul(search::STACK_BYTES);
        let address_space = memory::address_space().map(|bytes| bytes.saturating_sub(stacks));
        let available = [memory, address_space].into_iter().flatten().min();
        if let Some(available) = available
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

    /// Returns the evaluation network; `None` if the hand-written evaluation is in use.
    pub fn network(&self) -> Option<&Network> {
        self.network.as_ref()
    }

    /// Evaluates with the network that [`network_of`] returns for this value, and clears the hash
    /// table if it is another one.
    ///
    /// # Errors
    /// Fails when the file is not a supported network; the old evaluation stays in use.
    pub fn set_eval_file(&mut self, path: impl AsRef<Path>) -> Result<(), EvalFileError> {
        let network = network_of(path)?;
        self.set_network(network);
        Ok(())
    }

    /// Evaluates with a network, or with the hand-written evaluation if it is `None`, and clears
    /// the hash table if that is another evaluation.
    pub fn set_network(&mut self, network: Option<Network>) {
        if network.as_ref().map(Network::identity) != self.network.as_ref().map(Network::identity) {
            let limited = self.limited_play.iter_mut().map(|play| &mut play.data);
            for data in self.threads.iter_mut().chain(limited) {
                data.set_network(network.as_ref());
            }
            self.network = network;
            // The scores in the hash table are the old evaluation's.
            self.clear_table();
            self.new_game();
        }
    }

    /// Loads the tablebases in these directories (separated by `;`, or by `:` where paths contain
    /// none; empty for no tablebases) and returns a message on what was found, including
    /// directories that cannot be read.
    ///
    /// # Errors
    /// Returns a message if these directories have no WDL tables; the old tablebases stay in use.
    pub fn set_syzygy_path(&mut self, path: impl AsRef<OsStr>) -> Result<String, String> {
        let path = path.as_ref();
        let (tablebases, message) = Tablebases::load(path);
        if tablebases.is_none() && !Tablebases::is_empty_path(path) {
            return Err(message);
        }
        self.tablebases = tablebases;
        Ok(message)
    }

    /// Clears everything learnt from previous searches, except a hash table that is never cleared.
    pub fn new_game(&mut self) {
        self.game_seed = unpredictable_seed();
        self.node_clock = NodeClock::default();
        if !self.never_clear_hash {
            self.clear_table();
        }
        self.clear_histories();
        self.prepare();
    }

    /// Searches a position, or plays a book move if the options ask for one. Returns when a limit
    /// is reached or the search is stopped; under `infinite` and `ponder` not before that, or a
    /// ponderhit.
    ///
    /// With limited strength, a single thread searches, without tablebases and within the limits of
    /// the level.
    ///
    /// The calling thread searches and needs [`STACK_BYTES`](search::STACK_BYTES) of stack. A panic
    /// during the search is caught and becomes one of the [errors](Analysis::errors); the best move
    /// is then some legal move.
    pub fn search(
        &mut self,
        game: &GameState,
        limits: &Limits,
        go: Go<'_>,
        report: &dyn Report,
    ) -> Analysis {
        let collector = AnalysisCollector::new(report);
        if let Some(result) = self.book_move(game, limits, &collector) {
            return collector.finish(result, go.received.elapsed(), false);
        }
        let nodes_per_ms = self.options.nodes_per_ms;
        let clock_before = self.node_clock;
        // Not all GUIs tell that a new game begins. A takeback looks the same.
        let ply = game.position.ply();
        if ply < self.next_ply {
            self.game_seed = unpredictable_seed();
        }
        self.next_ply = ply + u32::from(!limits.ponder);
        let in_nodes = nodes_per_ms.map(|_| self.node_clock.limits(limits));
        let limits = in_nodes.as_ref().unwrap_or(limits);
        let skill = (self.options.strength).skill(limits, &game.position, self.game_seed);
        // The errors of a level, the best of some moves, and what follows from repetitions are not
        // for the hash table.
        let is_kept = skill.is_none()
            && limits.searchmoves.is_empty()
            && !game.keys.has_repeated(&game.position);
        let search = || self.run_search(game, limits, skill, go, &collector);
        let result = catch_unwind(AssertUnwindSafe(search)).unwrap_or_else(|payload| {
            collector.error(&panic_message(&*payload));
            if limits.infinite || limits.ponder {
                go.control.wait(go.number, !limits.infinite);
            }
            any_legal_move(game, limits)
        });
        let is_ponder_miss = limits.ponder && go.control.ponderhit_time(go.number).is_none();
        if is_ponder_miss {
            // This was on the opponent's time, and the next search is for the same turn.
            self.node_clock = clock_before;
        } else if let Some(rate) = nodes_per_ms.filter(|_| limits.clock.is_some()) {
            self.node_clock.use_up(result.nodes / rate);
        }
        let analysis = collector.finish(result, go.received.elapsed(), go.is_stopped());
        if let Some(completed) = result.completed.filter(|_| is_kept) {
            self.last_result = Some((game.position.search_key(), completed));
        }
        analysis
    }

    fn run_search(
        &mut self,
        game: &GameState,
        limits: &Limits,
        skill: Option<Skill>,
        go: Go<'_>,
        report: &dyn Report,
    ) -> SearchResult {
        let request = SearchRequest {
            root: &game.position,
            keys: &game.keys,
            limits,
            options: &self.options,
            tt: &self.tt,
            network: self.network.as_ref(),
            tablebases: self.tablebases.as_ref(),
            skill: None,
            go,
            report,
        };
        let (Some(skill), Some(play)) = (skill, &mut self.limited_play) else {
            return search::run(&request, &mut self.threads);
        };
        play.tt.clear();
        play.data.clear_histories();
        search::run(
            &SearchRequest {
                limits: &skill.limits(limits),
                options: &skill.options(&self.options),
                tt: &play.tt,
                tablebases: None,
                skill: Some(skill),
                ..request
            },
            slice::from_mut(&mut play.data),
        )
    }

    /// Returns a book move if the options ask for one; never for analysis or the search for a mate.
    fn book_move(
        &self,
        game: &GameState,
        limits: &Limits,
        report: &dyn Report,
    ) -> Option<SearchResult> {
        if limits.infinite || limits.ponder || limits.mate.is_some() {
            return None;
        }
        let choice = self.own_book.choose(&game.position, &limits.searchmoves)?;
        report.message(&choice.describe(&game.position));
        Some(SearchResult {
            best_move: Some(choice.m),
            ..SearchResult::default()
        })
    }
}

/// Returns some legal move as the result of a search that failed.
fn any_legal_move(game: &GameState, limits: &Limits) -> SearchResult {
    let wanted = limits.searchmoves.first().copied();
    SearchResult {
        best_move: wanted.or_else(|| game.position.legal_moves().first().copied()),
        ..SearchResult::default()
    }
}
