//! `datagen info`: statistics of recorded games, which show whether they suit training.

use std::collections::HashMap;
use std::fmt;
use std::io::Write;
use std::ops::RangeInclusive;

use super::DatagenError;
use super::files::{GameFiles, each_whole_game};
use super::filter::Filter;
use super::format::{GameError, GameResult, RecordedGame, ScoredMove};
use crate::position::Position;
use crate::score::Score;
use crate::tools::Exit;
use crate::tools::kit::IoContext as _;
use crate::wdl::{centipawns, material};

/// The normalised score beyond which a position counts as decided; at 100 the chance to win is
/// even.
const DECIDED: i32 = 200;

/// The least number of games whose statistics are judged. Those of fewer games vary too much.
const MIN_GAMES: u64 = 500;

/// The upper bounds of the histogram's columns, in the search's units for White.
const EDGES: [i16; 12] = [
    -1_000, -600, -300, -150, -50, -10, 10, 50, 150, 300, 600, 1_000,
];

/// Writes the statistics of all files together.
///
/// # Errors
/// Fails when a file cannot be read or is damaged.
pub fn run(args: &GameFiles, out: &mut dyn Write) -> Result<Exit, DatagenError> {
    let mut health = Health::default();
    let exit = each_whole_game(&args.files, |location, bytes| {
        RecordedGame::from_bytes(bytes)
            .and_then(|game| health.add(&game))
            .map_err(|error| location.fault(error))
    })?;
    write!(out, "{health}").of_output()?;
    Ok(exit)
}

/// An estimate of the share of distinct keys, from a sample that fits into memory: the keys with at
/// least `zeros` trailing zeros.
#[derive(Clone, Debug, Default)]
struct DuplicateSample {
    zeros: u32,
    seen: HashMap<u64, u32>,
}

impl DuplicateSample {
    /// The maximum size of the sample.
    const KEPT: usize = 1 << 22;

    fn add(&mut self, key: u64) {
        if key.trailing_zeros() < self.zeros {
            return;
        }
        *self.seen.entry(key).or_default() += 1;
        while self.seen.len() > Self::KEPT {
            self.zeros += 1;
            self.seen
                .retain(|key, _| key.trailing_zeros() >= self.zeros);
        }
    }

    /// Returns the share of keys that repeat earlier ones.
    fn duplicates(&self) -> f64 {
        let all: u64 = self.seen.values().map(|&count| u64::from(count)).sum();
        share(all - self.seen.len() as u64, all)
    }
}

/// Results of the games of positions in which a side is ahead by more than [`DECIDED`], for that
/// side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct DecidedResults {
    won: u64,
    drawn: u64,
    lost: u64,
}

/// The statistics of games.
#[derive(Clone, Debug, Default)]
struct Health {
    /// Games by result: Black won, drawn, White won.
    results: [u64; 3],
    positions: u64,
    usable: u64,
    /// Games that were cut off, their results drawn by lot.
    cut_off: u64,
    /// Games that begin from a Chess960 position.
    chess960: u64,
    shortest: Option<usize>,
    longest: usize,
    openings: DuplicateSample,
    usable_keys: DuplicateSample,
    decided: DecidedResults,
    /// Usable positions by White's score; see [`EDGES`].
    histogram: [u64; EDGES.len() + 1],
}

impl Health {
    fn games(&self) -> u64 {
        self.results.iter().sum()
    }

    fn add(&mut self, game: &RecordedGame) -> Result<(), GameError> {
        let mut filter = Filter::default();
        game.replay(|index, position, scored| {
            let is_usable = filter.is_usable(index, position, scored);
            self.add_position(position, scored, game.result, is_usable);
        })?;
        if let Some(count) = self.results.get_mut(game.result as usize) {
            *count += 1;
        }
        let plies = game.moves.len();
        self.shortest = Some(self.shortest.map_or(plies, |shortest| shortest.min(plies)));
        self.longest = self.longest.max(plies);
        self.cut_off += u64::from(game.expected.is_some());
        self.chess960 += u64::from(game.start.castling_mode().is_chess960());
        self.openings.add(game.start.key());
        Ok(())
    }

    fn add_position(
        &mut self,
        position: &Position,
        scored: ScoredMove,
        result: GameResult,
        is_usable: bool,
    ) {
        self.positions += 1;
        let score = centipawns(Score::from_raw(scored.score.into()), material(position));
        if score.abs() > DECIDED {
            let ahead = if scored.score > 0 {
                GameResult::White
            } else {
                GameResult::Black
            };
            let decided = &mut self.decided;
            if result == ahead {
                decided.won += 1;
            } else if result == GameResult::Draw {
                decided.drawn += 1;
            } else {
                decided.lost += 1;
            }
        }
        if is_usable {
            self.usable += 1;
            self.usable_keys.add(position.key());
            let column = EDGES.partition_point(|&edge| edge < scored.score);
            if let Some(count) = self.histogram.get_mut(column) {
                *count += 1;
            }
        }
    }
}

fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

/// A line of the report: a name, a value, its unit, and the range of the value in good data.
type ReportLine = (&'static str, f64, &'static str, Option<RangeInclusive<f64>>);

/// Writes lines of the report. With too few games, values outside their ranges are not marked.
fn write_lines(f: &mut fmt::Formatter<'_>, lines: &[ReportLine], games: u64) -> fmt::Result {
    for (name, value, unit, range) in lines {
        write!(f, "{name:<34} {value:>8.1} {unit:<6}")?;
        if let Some(range) = range {
            let verdict = match (range.contains(value), games >= MIN_GAMES) {
                (true, _) => "ok",
                (false, true) => "UNUSUAL",
                (false, false) => "expected",
            };
            write!(f, " {verdict} ({} to {})", range.start(), range.end())?;
        }
        writeln!(f)?;
    }
    Ok(())
}

impl fmt::Display for Health {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [black, drawn, white] = self.results;
        let (games, positions) = (self.games(), self.positions);
        writeln!(f, "{:<34} {games:>8}", "games")?;
        writeln!(f, "{:<34} {positions:>8}", "positions recorded")?;
        writeln!(f, "{:<34} {:>8}", "positions usable", self.usable)?;
        if games == 0 {
            return Ok(());
        }
        if games < MIN_GAMES {
            writeln!(
                f,
                "fewer than {MIN_GAMES} games: values outside the usual ranges mean little"
            )?;
        }
        let percent = |part, whole| 100.0 * share(part, whole);
        let plies = share(positions, games);
        let shortest = self.shortest.unwrap_or_default() as f64;
        let duplicates = 100.0 * self.usable_keys.duplicates();
        let first_seen = 100.0 * (1.0 - self.openings.duplicates());
        let points = percent(2 * white + drawn, 2 * games);
        let DecidedResults {
            won,
            drawn: drew,
            lost,
        } = self.decided;
        let clear = won + drew + lost;
        let lines = [
            ("usable share", percent(self.usable, positions), "%", None),
            ("White wins", percent(white, games), "%", None),
            ("draws", percent(drawn, games), "%", Some(30.0..=60.0)),
            ("Black wins", percent(black, games), "%", None),
            ("White's score", points, "%", Some(48.0..=56.0)),
            ("plies per game", plies, "", Some(80.0..=130.0)),
            ("  shortest", shortest, "", None),
            ("  longest", self.longest as f64, "", None),
            ("games cut off", percent(self.cut_off, games), "%", None),
            (
                "duplicates among usable positions",
                duplicates,
                "%",
                Some(0.0..=2.0),
            ),
            (
                "openings seen for the first time",
                first_seen,
                "%",
                Some(95.0..=100.0),
            ),
            (
                "games of Chess960",
                percent(self.chess960, games),
                "%",
                None,
            ),
            (
                "positions decided",
                percent(clear, positions),
                "%",
                Some(0.0..=20.0),
            ),
        ];
        write_lines(f, &lines, games)?;
        writeln!(
            f,
            "in these (beyond {DECIDED} cp; 100 cp is an even chance to win), the side ahead"
        )?;
        let results = [("  won", won), ("  drew", drew), ("  lost", lost)];
        let results = results.map(|(name, part)| (name, percent(part, clear), "%", None));
        write_lines(f, &results, games)?;
        writeln!(
            f,
            "White's score in usable positions, in units of the search"
        )?;
        let mut from = "  under".to_owned();
        for (index, &count) in self.histogram.iter().enumerate() {
            let to = EDGES.get(index).map_or("over".to_owned(), i16::to_string);
            let part = percent(count, self.usable);
            let bar = "#".repeat(part.round() as usize);
            writeln!(f, "{from:>7} .. {to:>5} {part:>5.1} % {bar}")?;
            from = to;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::{parse_fen, parse_uci};
    use crate::score::Score;

    fn game(start: &str, result: GameResult, moves: &[(&str, i32)]) -> RecordedGame {
        let start = parse_fen(start, false).unwrap().position;
        let mut position = start.clone();
        let moves = moves
            .iter()
            .map(|&(text, score)| {
                let m = parse_uci(&position, text).unwrap();
                position = position.play(m);
                ScoredMove::new(m, Score::from_raw(score))
            })
            .collect();
        RecordedGame {
            start,
            result,
            expected: None,
            moves,
        }
    }

    #[test]
    fn figures_of_a_few_games() {
        const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let mut health = Health::default();
        // Usable: c5 and Nf3; not e4 (the first), d5 (next is a capture), exd5 (captures), Qxd5.
        let white = [
            ("e2e4", 20),
            ("c7c5", 30),
            ("g1f3", 310),
            ("d7d5", 10),
            ("e4d5", 400),
            ("d8d5", -500),
        ];
        health.add(&game(START, GameResult::White, &white)).unwrap();
        // Usable: none; the queen's check, the reply to it, and a mate score.
        let drawn = [("e2e4", 0), ("e7e5", 31_990), ("d1h5", -31_990)];
        health.add(&game(START, GameResult::Draw, &drawn)).unwrap();
        // Usable: c5 again. Begins from Chess960.
        let shifted = "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w KQkq - 0 1";
        let black = [("e2e4", 0), ("c7c5", -1_001)];
        let mut cut_off = game(shifted, GameResult::Black, &black);
        cut_off.expected = Some(0.25);
        health.add(&cut_off).unwrap();
        assert_eq!(health.results, [1, 1, 1]);
        assert_eq!((health.positions, health.usable), (11, 4));
        assert_eq!((health.shortest, health.longest), (Some(2), 6));
        assert_eq!(health.chess960, 1);
        let expected = DecidedResults {
            won: 3,
            drawn: 2,
            lost: 1,
        };
        assert_eq!(health.decided, expected);
        assert_eq!(health.histogram, [1, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0]);
        assert_eq!(health.usable_keys.duplicates(), 0.0);
        assert!((health.openings.duplicates() - 1.0 / 3.0).abs() < 1e-9);
        let text = health.to_string();
        for part in [
            "games                                     3",
            "usable share                           36.4 %",
            "White's score                          50.0 %      ok",
            "plies per game                          3.7        expected (80 to 130)",
            "games cut off                          33.3 %",
            "positions decided                      54.5 %      expected (0 to 20)",
            "fewer than 500 games",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        for _ in health.games()..MIN_GAMES {
            health.add(&game(START, GameResult::White, &white)).unwrap();
        }
        let text = health.to_string();
        assert!(text.contains("UNUSUAL (80 to 130)"), "{text}");
        assert!(!text.contains("fewer than"), "{text}");
    }

    #[test]
    fn duplicates_are_estimated_when_there_are_too_many() {
        let mut sample = DuplicateSample::default();
        let mut random = crate::random::Random::new(1);
        for _ in 0..DuplicateSample::KEPT + 100_000 {
            let key = random.next();
            sample.add(key);
            if (key >> 32).is_multiple_of(10) {
                sample.add(key);
            }
        }
        assert!(sample.zeros > 0 && sample.seen.len() <= DuplicateSample::KEPT);
        assert!((sample.duplicates() - 1.0 / 11.0).abs() < 0.005);
    }
}
