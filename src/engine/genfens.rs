//! Random openings, which OpenBench's clients request by the command `genfens`: positions after
//! random moves from the initial position, from double Chess960, or from random lines of a book of
//! FENs or EPDs. Half of them have a random move more than requested, so that either side may be to
//! move. Decided positions are left out.

use std::path::PathBuf;

use thiserror::Error;

use super::{GameState, Go, Limits, MemoryError, SearchError, Searcher, Silent};
use crate::eval::nnue::Network;
use crate::games::openings::{OpeningError, OpeningFile, OpeningRules};
use crate::position::notation::fen;
use crate::random::Random;
use crate::regular_file;
use crate::wdl::{centipawns, material};

/// Soft node limit of the search that tells whether an opening is decided. It is low because
/// clients wait.
const EXIT_NODES: u64 = 2_000;
/// Hard node limit of that search.
const HARD_NODES: u64 = 8 * EXIT_NODES;
/// Score beyond which an opening is decided, in normalised centipawns: 100 is an even chance to
/// win.
const EXIT_SCORE: i32 = 100;
/// Size of the hash table in MiB.
const HASH: usize = 4;
/// Attempts for each opening, in case a book has nothing but decided positions.
const ATTEMPTS: usize = 1_000;

/// A request for openings.
#[derive(Clone, PartialEq, Debug)]
pub struct GenFens {
    /// Number of positions.
    pub count: u64,
    /// Seed of the random moves.
    pub seed: u64,
    /// A file with a FEN or EPD in each line.
    pub book: Option<PathBuf>,
    /// Number of random moves and share of double Chess960.
    pub rules: OpeningRules,
}

/// Errors of generating openings.
#[derive(Debug, Error)]
pub enum GenFensError {
    /// The book cannot be read.
    #[error("genfens: {book}: {source}")]
    Book {
        /// The file.
        book: String,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A line of the book is not a position.
    #[error("genfens: {0}")]
    Line(#[from] OpeningError),
    /// All attempts gave decided positions.
    #[error("genfens: all openings tried are already decided")]
    Decided,
    /// There is not enough memory.
    #[error("genfens: {0}")]
    Memory(#[from] MemoryError),
    /// A search failed.
    #[error("genfens: {0}")]
    Search(#[from] SearchError),
}

impl GenFens {
    /// Passes one FEN after the other to `report`, until there are enough or `go` is stopped. A
    /// position is judged by searches with this network, or with the hand-written evaluation
    /// without one.
    ///
    /// # Errors
    /// Fails when the book cannot be used or has only decided positions, or a search
    /// fails.
    pub fn run(
        &self,
        network: Option<Network>,
        go: Go<'_>,
        report: &mut dyn FnMut(&str),
    ) -> Result<(), GenFensError> {
        let book = self.read_book()?;
        let mut searcher = Searcher::new(HASH)?;
        searcher.set_network(network);
        let mut random = Random::new(self.seed);
        for _ in 0..self.count {
            let opening = self.opening(&mut random, book.as_ref(), &mut searcher, go)?;
            let Some(game) = opening else {
                break;
            };
            report(&fen(&game.position));
        }
        Ok(())
    }

    /// Returns an opening, or nothing when `go` is stopped.
    fn opening(
        &self,
        random: &mut Random,
        book: Option<&OpeningFile>,
        searcher: &mut Searcher,
        go: Go<'_>,
    ) -> Result<Option<GameState>, GenFensError> {
        for _ in 0..ATTEMPTS {
            if let Some(game) = self.rules.draw(book, random)?
                && is_undecided(&game, searcher, go)?
            {
                return Ok(Some(game));
            }
            if go.is_stopped() {
                return Ok(None);
            }
        }
        Err(GenFensError::Decided)
    }

    fn read_book(&self) -> Result<Option<OpeningFile>, GenFensError> {
        let Some(path) = &self.book else {
            return Ok(None);
        };
        let text = regular_file::read(path).map_err(|source| GenFensError::Book {
            book: path.display().to_string(),
            source,
        })?;
        Ok(Some(OpeningFile::new(&text)))
    }
}

/// Searches a position in a new game and tells whether neither side is winning. Of a search that is
/// stopped nothing is known.
fn is_undecided(
    game: &GameState,
    searcher: &mut Searcher,
    go: Go<'_>,
) -> Result<bool, SearchError> {
    let limits = Limits {
        nodes: Some(HARD_NODES),
        soft_nodes: Some(EXIT_NODES),
        ..Limits::default()
    };
    searcher.new_game();
    let analysis = searcher.search(game, &limits, go, &Silent);
    let score = analysis.completed()?.and_then(|analysis| analysis.score);
    let material = material(&game.position);
    Ok(score.is_some_and(|score| centipawns(score, material).abs() <= EXIT_SCORE))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Control;
    use crate::position::notation::parse_fen;

    fn request(count: u64, seed: u64) -> GenFens {
        GenFens {
            count,
            seed,
            book: None,
            rules: OpeningRules {
                chess960_share: 0.0,
                random_plies: 8,
            },
        }
    }

    fn run(request: &GenFens) -> Result<Vec<String>, GenFensError> {
        run_until(request, Control::default())
    }

    fn run_until(request: &GenFens, control: Control) -> Result<Vec<String>, GenFensError> {
        let request = request.clone();
        // Searches need more stack than a test has.
        let work = move || {
            let mut fens = Vec::new();
            let mut keep = |fen: &str| fens.push(fen.to_owned());
            request.run(Some(Network::embedded()), Go::now(&control), &mut keep)?;
            Ok(fens)
        };
        std::thread::Builder::new()
            .stack_size(crate::search::STACK_BYTES)
            .spawn(work)
            .unwrap()
            .join()
            .unwrap()
    }

    #[test]
    fn openings_follow_from_the_seed() {
        let fens = run(&request(5, 42)).unwrap();
        assert_eq!(fens.len(), 5);
        assert_eq!(fens, run(&request(5, 42)).unwrap());
        assert_ne!(fens, run(&request(5, 43)).unwrap());
        assert!(fens.iter().all(|fen| parse_fen(fen, false).is_ok()));
        let mut chess960 = request(5, 42);
        chess960.rules.chess960_share = 1.0;
        let is_chess960 = |fen: &String| parse_fen(fen, false).unwrap().detected_chess960;
        assert!(run(&chess960).unwrap().iter().any(is_chess960));
        assert!(run(&request(0, 1)).unwrap().is_empty());
    }

    #[test]
    fn books_are_used() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("openings.epd");
        let run_book = |text: &str| {
            std::fs::write(&path, text).unwrap();
            let mut request = request(2, 1);
            request.book = Some(path.clone());
            request.rules.random_plies = 0;
            run(&request)
        };
        let ending = "8/5k2/5p2/8/8/2P5/2K5/8";
        let fens = run_book(&format!(
            "{ending} w - - 0 1\n\n{ending} b - - hmvc 0; c0 \"x\";\n"
        ))
        .unwrap();
        assert_eq!(fens.len(), 2);
        assert!(fens.iter().all(|fen| fen.starts_with("8/5k2/")), "{fens:?}");
        assert!(matches!(run_book("x\n"), Err(GenFensError::Line(_))));
        assert!(matches!(run_book(""), Err(GenFensError::Line(_))));
        let won = "8/5k2/8/8/8/2Q5/2K5/8 w - - 0 1\n";
        assert!(matches!(run_book(won), Err(GenFensError::Decided)));
        let mut only_won = request(2, 1);
        only_won.book = Some(path.clone());
        let stopped = Control::default();
        stopped.stop(1);
        assert!(run_until(&only_won, stopped).unwrap().is_empty());
        std::fs::remove_file(&path).unwrap();
        let mut missing = request(1, 1);
        missing.book = Some(path);
        assert!(matches!(run(&missing), Err(GenFensError::Book { .. })));
    }
}
