//! Positions from text files, as features.

use std::io::BufRead as _;
use std::path::{Path, PathBuf};

use rayon::prelude::*;

use super::FitError;
use crate::eval::classical::{Features, features};
use crate::plural::count;
use crate::position::notation::parse_fen;
use crate::random::Random;
use crate::tools::kit::progress::say;
use crate::tools::kit::{IoContext as _, input};

/// The lines that are read before all cores parse them.
const LINES_AT_ONCE: usize = 1 << 16;
/// The bad lines that are reported one by one.
const BAD_LINES_SHOWN: usize = 5;
/// The number of held-out games in a thousand.
const HELD_OUT: u64 = 50;

/// Positions as rows of a sparse matrix.
#[derive(Default)]
pub struct FitSamples {
    /// The features of all positions in sequence.
    counts: Vec<(u16, i16)>,
    rows: Vec<SampleRow>,
}

/// A position: the end of its features, and its targets.
struct SampleRow {
    end: usize,
    phase: f32,
    scale: f32,
    result: f32,
    /// NaN if there is none.
    score: f32,
}

/// A position for the fit.
pub struct FitSample<'a> {
    /// Feature numbers, and the difference between White's and Black's count of each.
    pub counts: &'a [(u16, i16)],
    /// The share of the middlegame weights.
    pub phase: f64,
    /// The factor of the value for drawish material.
    pub scale: f64,
    /// The result for White, 0 to 1.
    pub result: f64,
    /// The search score for White, in centipawns.
    pub score: Option<f64>,
}

impl FitSamples {
    /// Returns the number of positions.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Adds a position with its result and search score for White.
    pub fn push(&mut self, features: &Features, result: f32, score: Option<f32>) {
        self.counts.extend_from_slice(&features.counts);
        self.rows.push(SampleRow {
            end: self.counts.len(),
            phase: features.phase,
            scale: features.scale,
            result,
            score: score.unwrap_or(f32::NAN),
        });
    }

    /// Returns a position.
    pub fn get(&self, index: usize) -> FitSample<'_> {
        let start = index
            .checked_sub(1)
            .map_or(0, |before| self.rows[before].end);
        let row = &self.rows[index];
        FitSample {
            counts: &self.counts[start..row.end],
            phase: f64::from(row.phase),
            scale: f64::from(row.scale),
            result: f64::from(row.result),
            score: (!row.score.is_nan()).then(|| f64::from(row.score)),
        }
    }
}

/// Training and validation positions, from different games.
#[derive(Default)]
pub struct PositionData {
    /// Positions to fit to.
    pub training: FitSamples,
    /// Positions of held-out games.
    pub validation: FitSamples,
    /// The number of lines that are not positions.
    pub bad_lines: usize,
    /// The number of positions whose value does not depend on weights.
    pub known: usize,
    /// The number of games.
    pub games: usize,
}

/// A line with a position.
struct PositionLine {
    text: String,
    number: usize,
    held_out: bool,
}

/// A parsed line.
struct Parsed {
    features: Option<Features>,
    result: f32,
    score: Option<f32>,
}

impl PositionData {
    /// Reads all files. The held-out games follow from the seed.
    ///
    /// # Errors
    /// Fails when a file cannot be read.
    pub fn read(paths: &[PathBuf], seed: u64) -> Result<PositionData, FitError> {
        let mut data = PositionData::default();
        let mut choice = Random::new(seed);
        for path in paths {
            data.read_file(path, &mut choice)?;
        }
        Ok(data)
    }

    /// Returns the counts as a sentence.
    pub fn summary(&self) -> String {
        format!(
            "{}: {}, {} held out, {} of known endings left out, {}",
            count(self.games, "game"),
            count(self.training.len(), "training position"),
            self.validation.len(),
            self.known,
            count(self.bad_lines, "bad line")
        )
    }

    fn read_file(&mut self, path: &Path, choice: &mut Random) -> Result<(), FitError> {
        let mut reader = input::open(path).of_file(path)?;
        let mut lines = Vec::with_capacity(LINES_AT_ONCE);
        let mut buffer = Vec::new();
        let (mut number, mut between_games, mut held_out) = (0, true, false);
        loop {
            buffer.clear();
            if reader.read_until(b'\n', &mut buffer).of_file(path)? == 0 {
                break;
            }
            number += 1;
            // A line that is not UTF-8 is a bad line, not a failure.
            let text = String::from_utf8_lossy(&buffer);
            let text = text.trim_start_matches('\u{feff}').trim().to_owned();
            if text.is_empty() {
                between_games = true;
                continue;
            }
            if between_games {
                between_games = false;
                held_out = choice.next() % 1000 < HELD_OUT;
                self.games += 1;
            }
            lines.push(PositionLine {
                text,
                number,
                held_out,
            });
            if lines.len() == LINES_AT_ONCE {
                self.add_lines(path, &lines);
                lines.clear();
            }
        }
        self.add_lines(path, &lines);
        Ok(())
    }

    /// Parses lines on all cores and adds them in order.
    fn add_lines(&mut self, path: &Path, lines: &[PositionLine]) {
        let parsed: Vec<_> = lines.par_iter().map(|line| parse(&line.text)).collect();
        for (line, parsed) in lines.iter().zip(parsed) {
            match parsed {
                Err(problem) => {
                    self.bad_lines += 1;
                    if self.bad_lines <= BAD_LINES_SHOWN {
                        let path = path.display();
                        say(&format!("{path}: line {}: {problem}", line.number));
                    }
                }
                Ok(Parsed { features: None, .. }) => self.known += 1,
                Ok(Parsed {
                    features: Some(features),
                    result,
                    score,
                }) => {
                    let samples = if line.held_out {
                        &mut self.validation
                    } else {
                        &mut self.training
                    };
                    samples.push(&features, result, score);
                }
            }
        }
    }
}

/// Parses `FEN;RESULT[;SCORE]`.
fn parse(text: &str) -> Result<Parsed, String> {
    let mut fields = text.split(';').map(str::trim);
    let fen = fields.next().unwrap_or_default();
    let position = parse_fen(fen, false)
        .map_err(|error| error.to_string())?
        .position;
    let result = match fields.next() {
        None => return Err("no result".to_owned()),
        Some(field) => field
            .parse()
            .ok()
            .filter(|result| [0.0, 0.5, 1.0].contains(result))
            .ok_or_else(|| format!("{field:?} is not a result: 1.0, 0.5 or 0.0"))?,
    };
    let score = match fields.next() {
        None | Some("") => None,
        Some(field) => Some(
            field
                .parse()
                .ok()
                .filter(|score: &f32| score.is_finite())
                .ok_or_else(|| format!("{field:?} is not a score in centipawns"))?,
        ),
    };
    if let Some(more) = fields.next() {
        return Err(format!("unexpected field {more:?}"));
    }
    Ok(Parsed {
        features: features(&position),
        result,
        score,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEN: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";

    #[test]
    fn lines_are_read_and_bad_ones_say_why() {
        let read = |rest: &str| parse(&format!("{FEN}{rest}")).map(|p| (p.result, p.score));
        assert_eq!(read(";1.0"), Ok((1.0, None)));
        assert_eq!(read("; 0.5 ; -31"), Ok((0.5, Some(-31.0))));
        for (rest, problem) in [
            ("", "no result"),
            (";2", "\"2\""),
            (";1-0", "\"1-0\""),
            (";0.0;x", "\"x\""),
            (";0.0;NaN", "\"NaN\""),
            (";0.0;1;2", "\"2\""),
        ] {
            let error = read(rest).expect_err(rest);
            assert!(error.contains(problem), "{rest}: {error}");
        }
        assert!(parse("8/8/8 w;1.0").is_err());
    }

    #[test]
    fn files_are_split_by_game() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("positions.txt");
        let mut text = "\u{feff}".to_owned();
        for _ in 0..400 {
            text.push_str(&format!("{FEN};0.5;10\r\n{FEN};0.5\r\n\r\n"));
        }
        text.push_str("nonsense\n8/8/4k3/8/8/3K4/8/8 w - - 0 1;0.5\n");
        std::fs::write(&path, text).expect("temporary file");
        let data = PositionData::read(std::slice::from_ref(&path), 7).expect("data");
        assert_eq!((data.games, data.bad_lines, data.known), (401, 1, 1));
        assert_eq!(data.training.len() + data.validation.len(), 800);
        assert!((10..80).contains(&data.validation.len()));
        assert_eq!(data.validation.len() % 2, 0);
        assert_eq!(data.training.get(0).score, Some(10.0));
        assert_eq!(data.training.get(1).score, None);
    }
}
