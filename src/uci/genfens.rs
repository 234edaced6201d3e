//! The arguments of `genfens`, a command of OpenBench's clients:
//!
//! ```text
//! genfens N seed S book None|FILE [plies P] [chess960 SHARE]
//! ```
//!
//! It asks for N positions after P random moves, or P + 1 in half of them, from the initial
//! position or from random lines of a book; with `chess960`, a share of them from double Chess960.

use std::str::FromStr;

use thiserror::Error;

use crate::engine::genfens::GenFens;
use crate::engine::shorten;
use crate::games::openings::OpeningRules;

/// The arguments of `genfens` cannot be parsed.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("genfens: {0}; usage: genfens N seed S book None|FILE [plies P] [chess960 SHARE]")]
pub struct ParseGenFensError(String);

/// Parses the arguments of `genfens`.
///
/// # Errors
/// Fails when a value is missing or invalid, or a word is unknown.
pub fn parse(text: &str) -> Result<GenFens, ParseGenFensError> {
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
                let word = shorten(word);
                return Err(ParseGenFensError(format!("unknown argument {word:?}")));
            }
        }
    }
    Ok(request)
}

/// Parses the value of an argument.
fn value<T, E>(
    name: &str,
    text: Option<&str>,
    parse: impl Fn(&str) -> Result<T, E>,
) -> Result<T, ParseGenFensError> {
    let text = text.ok_or_else(|| ParseGenFensError(format!("missing value for {name}")))?;
    parse(text).map_err(|_| {
        let text = shorten(text);
        ParseGenFensError(format!("invalid {name}: {text:?}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_parsed() {
        let request = parse("5 seed 42 book None plies 200 chess960 7").unwrap();
        assert_eq!((request.count, request.seed, request.book), (5, 42, None));
        assert_eq!(request.rules.random_plies, 100);
        assert!((request.rules.chess960_share - 1.0).abs() < f64::EPSILON);
        let request = parse("5 book a.epd").unwrap();
        assert_eq!(request.book, Some("a.epd".into()));
    }

    #[test]
    fn invalid_arguments_are_named() {
        for (text, part) in [
            ("", "missing value for N"),
            ("x", "invalid N: \"x\""),
            ("3 seed", "missing value for seed"),
            ("3 seed -1", "invalid seed"),
            ("3 frob 1", "unknown argument \"frob\""),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
