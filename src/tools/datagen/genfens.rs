//! `genfens`, the command of OpenBench's clients that ask an engine for openings:
//!
//! ```text
//! genfens N seed S book None|FILE [plies P] [chess960 SHARE]
//! ```
//!
//! N positions after random moves, from the initial position or from a random line of a book of FENs or EPDs; those that
//! are already decided are left out. With `chess960`, a share of them from double Chess960.

use std::path::PathBuf;
use std::str::FromStr;

use thiserror::Error;

use super::game::{PlayError, Searcher};
use crate::engine::{MemoryError, read_file};
use crate::games::openings::OpeningRules;
use crate::position::Position;
use crate::position::notation::{FenError, fen, parse_fen};
use crate::random::Random;
use crate::search::control::Control;
use crate::wdl::{centipawns, material};

/// The search that looks whether an opening is decided: clients wait for the openings.
const EXIT_NODES: u64 = 2_000;
/// Openings beyond this score are left out, in normalised centipawns: 100 is an even chance to win.
const EXIT_SCORE: i32 = 100;
/// The table of that search, in MiB.
const HASH: usize = 4;
/// So many openings are tried for each that is asked for, in case that a book has nothing but decided positions.
const ATTEMPTS: usize = 1_000;

/// What is asked for.
#[derive(Clone, PartialEq, Debug)]
pub struct GenFens {
    /// How many positions.
    pub count: u64,
    /// What they follow from.
    pub seed: u64,
    /// A file with a FEN or EPD in each line.
    pub book: Option<PathBuf>,
    rules: OpeningRules,
}

/// Why there are no openings.
#[derive(Debug, Error)]
pub enum GenFensError {
    /// The book cannot be read.
    #[error("genfens: {book}: {source}")]
    Book {
        /// The file.
        book: String,
        /// What the system says.
        source: std::io::Error,
    },
    /// A line of the book is no position.
    #[error("genfens: {line:?}: {source}")]
    Line {
        /// The line.
        line: String,
        /// What is wrong with it.
        source: FenError,
    },
    /// Nothing but decided positions.
    #[error("genfens: no opening that is not decided already")]
    Decided,
    /// There is no memory.
    #[error("genfens: {0}")]
    Memory(#[from] MemoryError),
    /// The engine failed.
    #[error("genfens: {0}")]
    Play(#[from] PlayError),
}

/// The words after `genfens` make no sense.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("genfens: {0}; written: genfens N seed S book None|FILE [plies P] [chess960 SHARE]")]
pub struct ParseGenFensError(String);

impl FromStr for GenFens {
    type Err = ParseGenFensError;

    fn from_str(text: &str) -> Result<GenFens, ParseGenFensError> {
        let mut words = text.split_whitespace();
        let mut request = GenFens {
            count: value("N", words.next(), u64::from_str)?,
            seed: 1,
            book: None,
            rules: OpeningRules {
                chess960_share: 0.0,
                random_plies: 8,
            },
        };
        while let Some(word) = words.next() {
            let next = words.next();
            match word {
                "seed" => request.seed = value("seed", next, u64::from_str)?,
                "book" => {
                    let book: String = value("book", next, String::from_str)?;
                    request.book = (!book.eq_ignore_ascii_case("none")).then(|| book.into());
                }
                "plies" => {
                    request.rules.random_plies = value("plies", next, u16::from_str)?.min(100);
                }
                "chess960" => {
                    let share: f64 = value("chess960", next, f64::from_str)?;
                    request.rules.chess960_share = share.clamp(0.0, 1.0);
                }
                _ => {
                    let word: String = word.chars().take(20).collect();
                    return Err(ParseGenFensError(format!("unknown word {word:?}")));
                }
            }
        }
        Ok(request)
    }
}

/// The value of a word.
fn value<T, E>(
    name: &str,
    text: Option<&str>,
    parse: impl Fn(&str) -> Result<T, E>,
) -> Result<T, ParseGenFensError> {
    let text = text.ok_or_else(|| ParseGenFensError(format!("no value for {name}")))?;
    parse(text).map_err(|_| {
        let text: String = text.chars().take(20).collect();
        ParseGenFensError(format!("{name} cannot be {text:?}"))
    })
}

impl GenFens {
    /// Says one FEN after the other, until there are enough or it is told to stop.
    ///
    /// # Errors
    /// When the book cannot be used, has no opening to offer, or the engine fails.
    pub fn run(
        &self,
        is_stopped: &dyn Fn() -> bool,
        say: &mut dyn FnMut(&str),
    ) -> Result<(), GenFensError> {
        let book = self.read_book()?;
        let control = Control::default();
        let mut searcher = Searcher::new(HASH, "", &control)?;
        let mut random = Random::new(self.seed);
        for _ in 0..self.count {
            if is_stopped() {
                break;
            }
            let text = self.opening(&mut random, book.as_deref(), &mut searcher)?;
            say(&text);
        }
        Ok(())
    }

    fn opening(
        &self,
        random: &mut Random,
        book: Option<&[String]>,
        searcher: &mut Searcher<'_>,
    ) -> Result<String, GenFensError> {
        for _ in 0..ATTEMPTS {
            let line = match book {
                None => Some(self.rules.draw(random)),
                Some(lines) => {
                    let line = lines.get(random.below(lines.len()));
                    let start = position(line.map_or("", String::as_str))?;
                    self.rules.play_randomly(start, random)
                }
            };
            let Some(line) = line else {
                continue;
            };
            searcher.forget();
            let found = searcher.search(&line, EXIT_NODES)?;
            let material = material(&line.position);
            if found.is_some_and(|found| centipawns(found.score, material).abs() <= EXIT_SCORE) {
                return Ok(fen(&line.position));
            }
        }
        Err(GenFensError::Decided)
    }

    fn read_book(&self) -> Result<Option<Vec<String>>, GenFensError> {
        let Some(path) = &self.book else {
            return Ok(None);
        };
        let text = read_file(path).map_err(|source| GenFensError::Book {
            book: path.display().to_string(),
            source,
        })?;
        let lines = String::from_utf8_lossy(&text)
            .lines()
            .filter(|line| !line.trim().is_empty())
            .map(str::to_owned)
            .collect();
        Ok(Some(lines))
    }
}

/// The position of a line: a FEN, or an EPD with its operations.
fn position(line: &str) -> Result<Position, GenFensError> {
    let is_counter = |word: &&str| word.bytes().all(|byte| byte.is_ascii_digit());
    let mut words = line.split_whitespace();
    let mut fields: Vec<&str> = words.by_ref().take(4).collect();
    fields.extend(words.take(2).take_while(is_counter));
    let parsed = parse_fen(&fields.join(" "), false).map_err(|source| GenFensError::Line {
        line: line.chars().take(100).collect(),
        source,
    })?;
    Ok(parsed.position)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str) -> Result<Vec<String>, GenFensError> {
        let request: GenFens = text.parse().unwrap();
        // Searches need more stack than a test has.
        let work = move || {
            let mut fens = Vec::new();
            request.run(&|| false, &mut |fen| fens.push(fen.to_owned()))?;
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
        let fens = run("5 seed 42 book None").unwrap();
        assert_eq!(fens.len(), 5);
        assert_eq!(fens, run("5 seed 42 book none").unwrap());
        assert_ne!(fens, run("5 seed 43 book None").unwrap());
        assert!(fens.iter().all(|fen| parse_fen(fen, false).is_ok()));
        let shifted = run("5 seed 42 book None chess960 1").unwrap();
        assert!(
            shifted
                .iter()
                .any(|fen| parse_fen(fen, false).unwrap().detected_chess960)
        );
        assert!(run("0 seed 1 book None").unwrap().is_empty());
    }

    #[test]
    fn books_are_used() {
        let path = std::env::temp_dir().join(format!("quevedo-genfens-{}", std::process::id()));
        let run_book = |text: &str| {
            std::fs::write(&path, text).unwrap();
            run(&format!("2 seed 1 book {} plies 0", path.display()))
        };
        let ending = "8/5k2/5p2/8/8/2P5/2K5/8";
        let fens = run_book(&format!(
            "{ending} w - - 0 1\n\n{ending} b - - hmvc 0; c0 \"x\";\n"
        ))
        .unwrap();
        assert!(fens.iter().all(|fen| parse_fen(fen, false).is_ok()));
        assert!(matches!(run_book("x\n"), Err(GenFensError::Line { .. })));
        assert!(matches!(run_book(""), Err(GenFensError::Line { .. })));
        let won = "8/5k2/8/8/8/2Q5/2K5/8 w - - 0 1\n";
        assert!(matches!(run_book(won), Err(GenFensError::Decided)));
        std::fs::remove_file(&path).unwrap();
        assert!(matches!(
            run("1 seed 1 book /nowhere"),
            Err(GenFensError::Book { .. })
        ));
    }

    #[test]
    fn what_makes_no_sense_is_named() {
        for (text, part) in [
            ("", "no value for N"),
            ("x", "N cannot be \"x\""),
            ("3 seed", "no value for seed"),
            ("3 seed -1", "seed cannot be"),
            ("3 frob 1", "unknown word \"frob\""),
        ] {
            let error = GenFens::from_str(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
