//! A game of the engine against itself, and the games that fork from it.
//!
//! Most positions of a game are balanced, and a side with fewer pieces usually has compensation. A
//! search, however, evaluates errors at every node, and a network that has never seen one
//! underrates a missing piece. Forks, which continue a game after a random move, add such
//! positions.

use thiserror::Error;

use super::adjudication::{Adjudicator, for_white, tablebase_result};
use super::format::{GameResult, RecordedGame, ScoredMove};
use super::recipe::Recipe;
use crate::engine::{
    Analysis, Control, EvalFileError, Go, Limits, MemoryError, SearchError, Searcher, Silent,
};
use crate::games::GameState;
use crate::games::openings::{OpeningError, OpeningFile};
use crate::position::Move;
use crate::position::notation::fen;
use crate::random::Random;
use crate::score::Score;
use crate::tablebase::Tablebases;
use crate::wdl::{Chances, centipawns, chances, material};

/// The hard node limit of a search, as a multiple of its soft limit.
const HARD_LIMIT: u64 = 8;

/// The number of openings that are drawn until one is within the exit score. A file of openings may
/// have none.
const OPENING_ATTEMPTS: usize = 1_000;

/// Errors of self-play.
#[derive(Debug, Error)]
pub enum PlayError {
    /// There is not enough memory.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The network cannot be used.
    #[error(transparent)]
    EvalFile(#[from] EvalFileError),
    /// A line of the file of openings is not a position.
    #[error(transparent)]
    Opening(#[from] OpeningError),
    /// All openings drawn are beyond the exit score, or the game is over.
    #[error("{0} openings were drawn, and all are decided; raise --exit-score")]
    Decided(usize),
    /// The search returned no move in a position with legal moves.
    #[error("the search found no move in {0}")]
    NoMove(String),
    /// A search thread failed.
    #[error("{source} in {fen}")]
    Search {
        /// The reason.
        source: SearchError,
        /// The position.
        fen: String,
    },
    /// The format cannot store the game.
    #[error("the position has too many pieces for the format: {0}")]
    TooManyPieces(String),
}

/// The result of a search.
#[derive(Clone, Copy, Debug)]
pub struct SearchedMove {
    /// The best move.
    pub best: Move,
    /// The score for White.
    pub score: Score,
}

/// An engine that plays against itself. Each game depends on the recipe and its number only.
#[derive(Debug)]
pub struct SelfPlay<'a> {
    searcher: Searcher,
    control: &'a Control,
    recipe: &'a Recipe,
    tablebases: Option<&'a Tablebases>,
    openings: Option<&'a OpeningFile>,
}

impl<'a> SelfPlay<'a> {
    /// Creates an engine for the recipe.
    ///
    /// # Errors
    /// Fails when there is not enough memory or the network cannot be used.
    pub fn new(
        recipe: &'a Recipe,
        control: &'a Control,
        tablebases: Option<&'a Tablebases>,
        openings: Option<&'a OpeningFile>,
    ) -> Result<SelfPlay<'a>, PlayError> {
        let mut searcher = Searcher::new(recipe.hash)?;
        searcher.set_eval_file(&recipe.network.eval_file)?;
        Ok(SelfPlay {
            searcher,
            control,
            recipe,
            tablebases,
            openings,
        })
    }

    /// Plays the game with this number and its forks. Returns `None` if it was stopped.
    ///
    /// # Errors
    /// Fails when the engine fails.
    pub fn play(&mut self, number: u64) -> Result<Option<Vec<RecordedGame>>, PlayError> {
        let mut random = Random::of_item(self.recipe.seed, number);
        self.searcher.new_game();
        let Some((line, first)) = self.open(&mut random)? else {
            return Ok(None);
        };
        let Some(game) = self.play_from(line.clone(), first, &mut random)? else {
            return Ok(None);
        };
        let moves = game.moves.clone();
        let mut games = vec![game];
        for _ in 0..self.recipe.forks {
            let Some(line) = fork(&line, &moves, &mut random) else {
                continue;
            };
            let fork = match self.search_move(&line)? {
                Some(first) => self.play_from(line, first, &mut random)?,
                None => None,
            };
            match fork {
                Some(game) => games.push(game),
                None => return Ok(None),
            }
        }
        Ok(Some(games))
    }

    /// Searches a position of a game to choose the next move. Returns `None` if it was stopped.
    fn search_move(&mut self, game: &GameState) -> Result<Option<SearchedMove>, PlayError> {
        self.search(game, self.recipe.nodes, self.recipe.noisy_nodes)
    }

    /// Searches a position in which the game is not over, for about this many nodes. Returns `None`
    /// if it was stopped.
    fn search(
        &mut self,
        game: &GameState,
        nodes: u64,
        noisy_soft_nodes: Option<u64>,
    ) -> Result<Option<SearchedMove>, PlayError> {
        let limits = Limits {
            nodes: Some(nodes.saturating_mul(HARD_LIMIT)),
            soft_nodes: Some(nodes),
            noisy_soft_nodes,
            ..Limits::default()
        };
        let analysis = match self.analyse(game, &limits)? {
            // Long sequences of captures can take the first iteration beyond the limit.
            Some(analysis) if analysis.score.is_none() => {
                let whole_iteration = Limits {
                    depth: Some(1),
                    ..Limits::default()
                };
                self.analyse(game, &whole_iteration)?
            }
            analysis => analysis,
        };
        let Some(analysis) = analysis else {
            return Ok(None);
        };
        let (Some(best), Some(score)) = (analysis.best_move, analysis.score) else {
            return Err(PlayError::NoMove(fen(&game.position)));
        };
        let score = for_white(game.position.turn(), score);
        Ok(Some(SearchedMove { best, score }))
    }

    /// Searches a position. Returns `None` if the search was stopped.
    fn analyse(
        &mut self,
        game: &GameState,
        limits: &Limits,
    ) -> Result<Option<Analysis>, PlayError> {
        let go = Go::now(self.control);
        let analysis = self.searcher.search(game, limits, go, &Silent).completed();
        analysis.map_err(|source| PlayError::Search {
            source,
            fen: fen(&game.position),
        })
    }

    /// Draws a balanced opening. Returns it with the search result of its last position.
    fn open(
        &mut self,
        random: &mut Random,
    ) -> Result<Option<(GameState, SearchedMove)>, PlayError> {
        for _ in 0..OPENING_ATTEMPTS {
            let Some(line) = self.recipe.opening.draw(self.openings, random)? else {
                continue;
            };
            let Some(found) = self.search(&line, self.recipe.exit_nodes, None)? else {
                return Ok(None);
            };
            let score = centipawns(found.score, material(&line.position));
            if score.abs() <= i32::from(self.recipe.exit_score) {
                return Ok(Some((line, found)));
            }
        }
        Err(PlayError::Decided(OPENING_ATTEMPTS))
    }

    fn play_from(
        &mut self,
        mut line: GameState,
        first: SearchedMove,
        random: &mut Random,
    ) -> Result<Option<RecordedGame>, PlayError> {
        let Recipe {
            endgame_share,
            endgame_pieces,
            ..
        } = *self.recipe;
        // Without a share, the lot is not drawn, and games are those of recipes from before it.
        let has_endgame = endgame_share >= 1.0 || random.chance(endgame_share);
        let mut adjudicator = Adjudicator::new(&self.recipe.rules);
        let mut game = RecordedGame {
            start: line.position.clone(),
            result: GameResult::Draw,
            expected: None,
            moves: Vec::with_capacity(usize::from(self.recipe.rules.max_plies)),
        };
        let mut found = first;
        loop {
            let SearchedMove { best, score } = found;
            game.moves.push(ScoredMove::new(best, score));
            let material = material(&line.position);
            let adjudicated = adjudicator.add(line.ply, score, material);
            // A cut waits for a quiet position, because only such a one has been searched in full.
            let is_cut = !has_endgame
                && line.position.piece_count() <= endgame_pieces
                && line.position.is_quiet(best);
            line.play(best);
            let result = line
                .result()
                .or(adjudicated)
                .or_else(|| tablebase_result(self.tablebases?, &line));
            if let Some(result) = result {
                game.result = result;
                return Ok(Some(game));
            }
            if is_cut {
                let chances = chances(score, material);
                game.result = result_by_lot(chances, random);
                game.expected = Some(chances.expectation());
                return Ok(Some(game));
            }
            match self.search_move(&line)? {
                Some(next) => found = next,
                None => return Ok(None),
            }
        }
    }
}

/// Draws a result with these probabilities of White's. It has no bias if the model of wins is
/// right.
fn result_by_lot(white: Chances, random: &mut Random) -> GameResult {
    let lot = random.below(1000) as u32;
    if lot < white.win {
        GameResult::White
    } else if lot < white.win + white.draw {
        GameResult::Draw
    } else {
        GameResult::Black
    }
}

/// Returns a game up to a random ply, continued with another move than the one played. Returns
/// `None` if there is no such move or it ends the game.
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

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::position::notation::parse_fen;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        recipe: Recipe,
    }

    #[test]
    fn a_first_iteration_beyond_the_limit_is_finished() {
        let Cli { recipe } = Cli::parse_from(["x", "--nodes", "1"]);
        let control = Control::default();
        let mut play = SelfPlay::new(&recipe, &control, None, None).unwrap();
        let fen = "qqqqkqqq/qqqqqqqq/8/8/8/8/QQQQQQQQ/QQQQKQQQ w - - 0 1";
        let game = GameState::new(parse_fen(fen, false).unwrap().position);
        let limits = Limits {
            nodes: Some(HARD_LIMIT),
            ..Limits::default()
        };
        let limited = play.analyse(&game, &limits).unwrap().unwrap();
        assert_eq!(limited.score, None, "another position is needed here");
        assert!(play.search_move(&game).unwrap().is_some());
    }

    #[test]
    fn lots_have_the_probabilities_of_the_score() {
        let white = Chances {
            win: 500,
            draw: 300,
            loss: 200,
        };
        let mut random = Random::new(1);
        let lots: Vec<GameResult> = (0..10_000)
            .map(|_| result_by_lot(white, &mut random))
            .collect();
        for (result, thousandths) in [
            (GameResult::White, white.win),
            (GameResult::Draw, white.draw),
            (GameResult::Black, white.loss),
        ] {
            let count = lots.iter().filter(|&&lot| lot == result).count();
            let error = count as f64 / 10.0 - f64::from(thousandths);
            assert!(error.abs() < 20.0, "{result:?}: {count}");
        }
        let lost = Chances {
            win: 0,
            draw: 0,
            loss: 1000,
        };
        assert!((0..1_000).all(|_| result_by_lot(lost, &mut random) == GameResult::Black));
    }
}
