//! A game of the engine against itself, and others that fork from it.
//!
//! Games are level for long, and in them whoever has fewer men has something for it. A search looks at errors at every node,
//! and a network that has never seen one takes a missing piece lightly. So games can be taken up again after a random move.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use thiserror::Error;

use super::adjudication::{Adjudicator, for_white, tablebase_result};
use super::format::{Game, GameResult, ScoredMove};
use super::recipe::Recipe;
use crate::engine::{Engine, EvalFileError, MemoryError};
use crate::games::GameState;
use crate::position::Move;
use crate::position::notation::fen;
use crate::random::Random;
use crate::score::Score;
use crate::search::control::{Control, Go};
use crate::search::limits::Limits;
use crate::search::report::{self, Report};
use crate::tablebase::Tablebases;
use crate::wdl::{centipawns, material};

/// A search that does not come to the end of its iteration is broken off after so many budgets.
const HARD_LIMIT: u64 = 8;

/// Something is wrong with the engine.
#[derive(Debug, Error)]
pub enum PlayError {
    /// There is not memory enough.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The network cannot be used.
    #[error(transparent)]
    EvalFile(#[from] EvalFileError),
    /// No move although there are legal ones.
    #[error("the search found no move in {0}")]
    NoMove(String),
    /// A search thread failed.
    #[error("{message} in {fen}")]
    Search {
        /// What it said.
        message: String,
        /// Where.
        fen: String,
    },
    /// A game that the format cannot hold.
    #[error("the position has too many men for the format: {0}")]
    TooManyMen(String),
}

/// Keeps the first complaint of a search.
#[derive(Debug, Default)]
struct Complaints(Mutex<Option<String>>);

impl Complaints {
    fn take(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Report for Complaints {
    fn line(&self, _line: &report::AnalysisLine<'_>) {}

    fn message(&self, text: &str) {
        let mut first = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert_with(|| text.to_owned());
    }
}

/// What a search has found.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The best move.
    pub best: Move,
    /// White's score.
    pub score: Score,
}

/// An engine that searches for a number of nodes, without a clock.
#[derive(Debug)]
pub struct Searcher<'a> {
    engine: Engine,
    control: &'a Control,
}

impl<'a> Searcher<'a> {
    /// An engine with a table of so many MiB and this network, that the control stops.
    ///
    /// # Errors
    /// When the memory is not there or the network cannot be used.
    pub fn new(
        hash_mebibytes: usize,
        eval_file: &str,
        control: &'a Control,
    ) -> Result<Searcher<'a>, PlayError> {
        let mut engine = Engine::new(hash_mebibytes)?;
        engine.set_eval_file(eval_file)?;
        Ok(Searcher { engine, control })
    }

    /// Forgets everything.
    pub fn forget(&mut self) {
        self.engine.new_game();
    }

    /// Searches a position that is not the end of a game for about so many nodes. `None` when the control has stopped the search.
    ///
    /// # Errors
    /// When the search fails.
    pub fn search(&mut self, line: &GameState, nodes: u64) -> Result<Option<Found>, PlayError> {
        let complaints = Complaints::default();
        let limits = Limits {
            nodes: Some(nodes.saturating_mul(HARD_LIMIT)),
            soft_nodes: Some(nodes),
            ..Limits::default()
        };
        let go = Go {
            control: self.control,
            number: 1,
            received: Instant::now(),
        };
        self.engine
            .set_line(line.position.clone(), line.keys.clone());
        let outcome = self.engine.go(&limits, go, &complaints);
        if go.is_stopped() {
            return Ok(None);
        }
        if let Some(message) = complaints.take() {
            let fen = fen(&line.position);
            return Err(PlayError::Search { message, fen });
        }
        let best = outcome
            .best_move
            .ok_or_else(|| PlayError::NoMove(fen(&line.position)))?;
        let score = for_white(line.position.turn(), outcome.score);
        Ok(Some(Found { best, score }))
    }
}

/// Plays games that follow from the seed and their numbers alone.
#[derive(Debug)]
pub struct Player<'a> {
    searcher: Searcher<'a>,
    recipe: &'a Recipe,
    tablebases: Option<&'a Tablebases>,
}

impl<'a> Player<'a> {
    /// A player with an engine of its own.
    ///
    /// # Errors
    /// When the memory is not there or the network cannot be used.
    pub fn new(
        recipe: &'a Recipe,
        control: &'a Control,
        tablebases: Option<&'a Tablebases>,
    ) -> Result<Player<'a>, PlayError> {
        Ok(Player {
            searcher: Searcher::new(recipe.hash, &recipe.eval_file, control)?,
            recipe,
            tablebases,
        })
    }

    /// Plays the game of this number and its forks; `None` when it was told to stop.
    ///
    /// # Errors
    /// When the engine fails.
    pub fn play(&mut self, number: u64) -> Result<Option<Vec<Game>>, PlayError> {
        let mut random = Random::of_item(self.recipe.seed, number);
        self.searcher.forget();
        let Some((line, first)) = self.open(&mut random)? else {
            return Ok(None);
        };
        let Some(game) = self.play_from(line.clone(), first)? else {
            return Ok(None);
        };
        let moves = game.moves.clone();
        let mut games = vec![game];
        for _ in 0..self.recipe.forks {
            let Some(line) = fork(&line, &moves, &mut random) else {
                continue;
            };
            let fork = match self.searcher.search(&line, self.recipe.nodes)? {
                Some(first) => self.play_from(line, first)?,
                None => None,
            };
            match fork {
                Some(game) => games.push(game),
                None => return Ok(None),
            }
        }
        Ok(Some(games))
    }

    /// An opening that is not decided, and what the search at its end found.
    fn open(&mut self, random: &mut Random) -> Result<Option<(GameState, Found)>, PlayError> {
        loop {
            let line = self.recipe.opening.draw(random);
            let Some(found) = self.searcher.search(&line, self.recipe.exit_nodes)? else {
                return Ok(None);
            };
            let score = centipawns(found.score, material(&line.position));
            if score.abs() <= i32::from(self.recipe.exit_score) {
                return Ok(Some((line, found)));
            }
        }
    }

    fn play_from(&mut self, mut line: GameState, first: Found) -> Result<Option<Game>, PlayError> {
        let mut adjudicator = Adjudicator::new(&self.recipe.rules);
        let mut game = Game {
            start: line.position.clone(),
            result: GameResult::Draw,
            moves: Vec::with_capacity(usize::from(self.recipe.rules.max_plies)),
        };
        let mut found = first;
        loop {
            let Found { best, score } = found;
            game.moves.push(ScoredMove::new(best, score));
            let adjudicated = adjudicator.add(line.ply, score, material(&line.position));
            line.play(best);
            let result = line
                .result()
                .or(adjudicated)
                .or_else(|| tablebase_result(self.tablebases?, &line));
            if let Some(result) = result {
                game.result = result;
                return Ok(Some(game));
            }
            match self.searcher.search(&line, self.recipe.nodes)? {
                Some(next) => found = next,
                None => return Ok(None),
            }
        }
    }
}

/// The line of a game up to a random ply, and another move there than was played; `None` when there is none or it ends the
/// game.
fn fork(start: &GameState, moves: &[ScoredMove], random: &mut Random) -> Option<GameState> {
    let ply = random.below(moves.len());
    let mut line = start.clone();
    for scored in moves.iter().take(ply) {
        line.play(scored.m);
    }
    let mut others = line.position.legal_moves();
    others.retain(|m| Some(*m) != moves.get(ply).map(|played| played.m));
    line.play(*others.get(random.below(others.len()))?);
    line.result().is_none().then_some(line)
}
