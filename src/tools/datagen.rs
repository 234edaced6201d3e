//! `quevedo datagen`: games of the engine against itself, as labelled positions for tuning the evaluation.
//!
//! Each line is `FEN;RESULT;SCORE`: a quiet position, the game's result for White (`1.0`, `0.5`, `0.0`) and White's score
//! in centipawns. An empty line ends a game. A game follows from the seed and its number alone, whatever the number of
//! threads; only the order in which games are written depends on that.

#![cfg_attr(
    not(test),
    deny(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::panic,
        clippy::indexing_slicing
    )
)]

use std::fmt::Write as _;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use shakmaty::Color;

use super::{ToolError, available_threads};
use crate::engine::Engine;
use crate::position::notation::{fen, uci};
use crate::position::{Move, Position};
use crate::score::Score;
use crate::search::control::{Control, Go};
use crate::search::limits::Limits;
use crate::search::report::Silent;

/// A search is fast on a table that stays in the processor's cache, and these searches are short.
const HASH_MIB: usize = 4;

/// A game starts with this many random plies, or one more so that either side may be the first to think.
const RANDOM_PLIES: usize = 8;

/// Positions before this ply are too random to learn from.
const FIRST_PLY: usize = 16;

/// A game is drawn when it is this long.
const MAX_PLIES: usize = 400;

/// A score of this size ...
const WIN_SCORE: i32 = 1_500;
/// ... for this many plies ends the game.
const WIN_PLIES: usize = 6;

/// A score no larger than this ...
const DRAW_SCORE: i32 = 8;
/// ... for this many plies ...
const DRAW_PLIES: usize = 12;
/// ... after this ply ends the game.
const DRAW_FIRST_PLY: usize = 80;

/// How often to say how far it has got.
const REPORT_EVERY: Duration = Duration::from_secs(10);

/// The search recurses; test and platform defaults are smaller.
const STACK: usize = 16 << 20;

/// Plays games against itself and writes quiet positions with scores and results
#[derive(Clone, Debug, clap::Args)]
pub struct Args {
    /// How many games to play
    #[arg(long)]
    pub games: u64,
    /// Nodes to search for each move
    #[arg(long, default_value_t = 5_000)]
    pub nodes: u64,
    /// Games to play at once; as many as the machine has threads if not given
    #[arg(long)]
    pub threads: Option<usize>,
    /// What the random openings follow from
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// The number of the first game, to go on where an earlier run with the same seed has ended
    #[arg(long, default_value_t = 0)]
    pub first_game: u64,
    /// The file that games are added to
    #[arg(long)]
    pub out: PathBuf,
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum GameResult {
    White,
    Draw,
    Black,
}

impl GameResult {
    const fn won_by(color: Color) -> GameResult {
        match color {
            Color::White => GameResult::White,
            Color::Black => GameResult::Black,
        }
    }

    /// White's points.
    const fn as_str(self) -> &'static str {
        match self {
            GameResult::White => "1.0",
            GameResult::Draw => "0.5",
            GameResult::Black => "0.0",
        }
    }
}

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Game {
    result: GameResult,
    /// Quiet positions and White's score in centipawns.
    positions: Vec<(String, i32)>,
}

impl Game {
    /// The game's lines in the output file, and the empty line after them.
    fn to_text(&self) -> String {
        let mut text = String::with_capacity(self.positions.len() * 80);
        for (fen, score) in &self.positions {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{fen};{};{score}", self.result.as_str());
        }
        text.push('\n');
        text
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
struct Random(u64);

impl Random {
    /// The stream of one game. Neighbouring games have streams that share nothing.
    fn of_game(seed: u64, number: u64) -> Random {
        let mut outer = Random(seed);
        let mut inner = Random(outer.next().wrapping_add(number));
        Random(inner.next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `n`, every one equally likely but for 1 in 2^64 / n.
    fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next()) * n as u128) >> 64) as usize
    }
}

/// A position in a game and what the engine needs to know it with its history: the moves since the last capture or pawn
/// move. Nothing before that can come back.
#[derive(Clone, Debug)]
struct Board {
    position: Position,
    base: String,
    moves: Vec<String>,
    keys: Vec<u64>,
}

impl Board {
    fn new(position: Position) -> Board {
        Board {
            base: fen(&position),
            moves: Vec::new(),
            keys: vec![position.key()],
            position,
        }
    }

    fn play(&mut self, m: Move) {
        let child = self.position.play(m);
        if child.halfmoves() == 0 {
            *self = Board::new(child);
        } else {
            self.moves.push(uci(&self.position, m).to_string());
            self.keys.push(child.key());
            self.position = child;
        }
    }

    /// The result if the rules end the game here.
    fn result(&self) -> Option<GameResult> {
        let position = &self.position;
        if !position.has_legal_move() {
            return Some(if position.in_check() {
                GameResult::won_by(!position.turn())
            } else {
                GameResult::Draw
            });
        }
        let key = position.key();
        let occurrences = self.keys.iter().filter(|&&other| other == key).count();
        (occurrences >= 3 || position.halfmoves() >= 100 || position.is_insufficient_material())
            .then_some(GameResult::Draw)
    }
}

/// Ends games whose result is clear, from White's scores of successive plies.
#[derive(Clone, Debug, Default)]
struct Adjudicator {
    winning: usize,
    losing: usize,
    level: usize,
}

impl Adjudicator {
    fn add(&mut self, ply: usize, white_score: i32) -> Option<GameResult> {
        let count = |counter: &mut usize, holds: bool| {
            *counter = if holds { *counter + 1 } else { 0 };
            *counter
        };
        if count(&mut self.winning, white_score >= WIN_SCORE) >= WIN_PLIES {
            Some(GameResult::White)
        } else if count(&mut self.losing, white_score <= -WIN_SCORE) >= WIN_PLIES {
            Some(GameResult::Black)
        } else if count(
            &mut self.level,
            ply >= DRAW_FIRST_PLY && white_score.abs() <= DRAW_SCORE,
        ) >= DRAW_PLIES
        {
            Some(GameResult::Draw)
        } else {
            None
        }
    }
}

/// Random legal moves from the initial position that do not end the game.
fn random_opening(random: &mut Random) -> (Board, usize) {
    loop {
        let plies = RANDOM_PLIES + random.below(2);
        let mut board = Board::new(Position::initial());
        for _ in 0..plies {
            let moves = board.position.legal_moves();
            if let Some(&m) = moves.get(random.below(moves.len())) {
                board.play(m);
            }
        }
        if board.result().is_none() {
            return (board, plies);
        }
    }
}

/// Plays one game. `None` when the engine refuses a position or has no move, which is an error in the engine.
fn play_game(engine: &mut Engine, seed: u64, number: u64, nodes: u64) -> Option<Game> {
    let (mut board, opening) = random_opening(&mut Random::of_game(seed, number));
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let control = Control::default();
    let mut adjudicator = Adjudicator::default();
    let mut positions = Vec::new();
    engine.new_game();
    for ply in opening..MAX_PLIES {
        if let Some(result) = board.result() {
            return Some(Game { result, positions });
        }
        let moves = board.moves.iter().map(String::as_str);
        engine.set_position(Some(&board.base), moves).ok()?;
        let go = Go {
            control: &control,
            number: 1,
            received: Instant::now(),
        };
        let outcome = engine.go(&limits, go, &Silent);
        let best = outcome.best?;
        let position = &board.position;
        let white_score = match position.turn() {
            Color::White => outcome.score,
            Color::Black => -outcome.score,
        };
        if is_worth_learning(position, ply, best, white_score) {
            positions.push((fen(position), white_score.raw()));
        }
        if let Some(result) = adjudicator.add(ply, white_score.raw()) {
            return Some(Game { result, positions });
        }
        board.play(best);
    }
    Some(Game {
        result: board.result().unwrap_or(GameResult::Draw),
        positions,
    })
}

/// Whether a static evaluation can be held to the score: nothing hangs, no check, no mate.
fn is_worth_learning(position: &Position, ply: usize, best: Move, score: Score) -> bool {
    ply >= FIRST_PLY && !position.in_check() && !position.is_noisy(best) && !score.is_decisive()
}

/// What all workers share.
#[derive(Debug)]
struct Shared<W> {
    next_game: AtomicU64,
    end: u64,
    failed: AtomicBool,
    output: Mutex<Output<W>>,
    start: Instant,
}

/// The file, and what has been written to it.
#[derive(Debug)]
struct Output<W> {
    file: W,
    games: u64,
    draws: u64,
    positions: u64,
    reported: Instant,
}

impl<W: Write> Shared<W> {
    /// Writes a whole game at once, so that an interrupted run leaves whole games behind.
    fn write(&self, game: &Game) -> io::Result<()> {
        let text = game.to_text();
        let mut output = self.output.lock().unwrap_or_else(PoisonError::into_inner);
        output.file.write_all(text.as_bytes())?;
        output.games += 1;
        output.draws += u64::from(game.result == GameResult::Draw);
        output.positions += game.positions.len() as u64;
        if output.reported.elapsed() >= REPORT_EVERY {
            output.reported = Instant::now();
            output.report(self.start);
        }
        Ok(())
    }

    /// Plays games until there are no more to play.
    fn work(&self, args: &Args) -> Result<(), ToolError> {
        let mut engine = Engine::new(HASH_MIB)?;
        while !self.failed.load(Ordering::Relaxed) {
            let number = self.next_game.fetch_add(1, Ordering::Relaxed);
            if number >= self.end {
                break;
            }
            let game =
                play_game(&mut engine, args.seed, number, args.nodes).ok_or(ToolError::Worker)?;
            self.write(&game).map_err(|source| ToolError::Io {
                what: args.out.display().to_string(),
                source,
            })?;
        }
        Ok(())
    }
}

impl<W> Output<W> {
    fn report(&self, start: Instant) {
        let seconds = start.elapsed().as_secs_f64().max(1e-9);
        let draws = 100.0 * self.draws as f64 / self.games.max(1) as f64;
        // Nobody may be reading; the games matter more.
        let _ = writeln!(
            io::stderr(),
            "{} games, {} positions, {:.0} positions/s, {draws:.1} % draws, {seconds:.0} s",
            self.games,
            self.positions,
            self.positions as f64 / seconds,
        );
    }
}

/// Runs the sub-command.
///
/// # Errors
/// When the file cannot be written or a thread fails. The games written until then are whole.
pub fn run(args: &Args) -> Result<(), ToolError> {
    let file: File = OpenOptions::new()
        .append(true)
        .create(true)
        .open(&args.out)
        .map_err(|source| ToolError::Io {
            what: args.out.display().to_string(),
            source,
        })?;
    let start = Instant::now();
    generate(args, file)?.report(start);
    Ok(())
}

/// Plays the games on threads of their own, since a search may not wait inside of a work-stealing pool.
fn generate<W: Write + Send>(args: &Args, file: W) -> Result<Output<W>, ToolError> {
    let start = Instant::now();
    let shared = Shared {
        next_game: AtomicU64::new(args.first_game),
        end: args.first_game.saturating_add(args.games),
        failed: AtomicBool::new(false),
        output: Mutex::new(Output {
            file,
            games: 0,
            draws: 0,
            positions: 0,
            reported: start,
        }),
        start,
    };
    let threads = args.threads.unwrap_or_else(available_threads).max(1);
    let outcome = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                thread::Builder::new()
                    .stack_size(STACK)
                    .spawn_scoped(scope, || {
                        let outcome = shared.work(args);
                        if outcome.is_err() {
                            shared.failed.store(true, Ordering::Relaxed);
                        }
                        outcome
                    })
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| match worker {
                Ok(handle) => handle.join().unwrap_or(Err(ToolError::Worker)),
                Err(source) => Err(ToolError::Io {
                    what: "thread".to_owned(),
                    source,
                }),
            })
            // All of them are waited for, also behind one that failed.
            .fold(Ok(()), Result::and)
    });
    let output = shared
        .output
        .into_inner()
        .unwrap_or_else(PoisonError::into_inner);
    outcome.map(|()| output)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::notation::parse_fen;

    fn args(threads: usize, games: u64) -> Args {
        Args {
            games,
            nodes: 50,
            threads: Some(threads),
            seed: 7,
            first_game: 0,
            out: PathBuf::from("memory"),
        }
    }

    /// The games of a run, sorted.
    fn games(args: &Args) -> Vec<String> {
        let bytes = generate(args, Vec::new()).unwrap().file;
        let text = String::from_utf8(bytes).unwrap();
        // A game without a quiet position leaves an empty line only.
        let mut games: Vec<String> =
            text.split_inclusive("\n")
                .fold(vec![String::new()], |mut games, line| {
                    games.last_mut().unwrap().push_str(line);
                    if line == "\n" {
                        games.push(String::new());
                    }
                    games
                });
        assert_eq!(games.pop().as_deref(), Some(""));
        games.sort();
        games
    }

    #[test]
    fn games_follow_from_seed_and_number() {
        let one = games(&args(1, 4));
        assert_eq!(one.len(), 4);
        assert_eq!(games(&args(2, 4)), one);
        let mut parts = games(&args(1, 3));
        parts.extend(games(&Args {
            games: 1,
            first_game: 3,
            ..args(1, 1)
        }));
        parts.sort();
        assert_eq!(parts, one);
        assert_ne!(
            games(&Args {
                seed: 8,
                ..args(1, 4)
            }),
            one
        );
    }

    #[test]
    fn lines_have_a_position_a_result_and_a_score() {
        for line in games(&args(1, 6))
            .concat()
            .lines()
            .filter(|line| !line.is_empty())
        {
            let parts: Vec<&str> = line.split(';').collect();
            let [fen, result, score] = parts[..] else {
                panic!("{line}");
            };
            assert!(!parse_fen(fen, false).unwrap().position.in_check());
            assert!(["1.0", "0.5", "0.0"].contains(&result), "{line}");
            assert!(score.parse::<i32>().is_ok(), "{line}");
        }
    }

    #[test]
    fn openings_are_of_both_lengths_and_playable() {
        let mut lengths = [0; 2];
        for number in 0..200 {
            let (board, plies) = random_opening(&mut Random::of_game(1, number));
            assert!(board.result().is_none());
            assert_eq!(
                board.position.turn(),
                if plies % 2 == 0 {
                    Color::White
                } else {
                    Color::Black
                }
            );
            lengths[plies - RANDOM_PLIES] += 1;
        }
        assert!(lengths.iter().all(|&count| count > 60), "{lengths:?}");
    }

    #[test]
    fn the_rules_end_games() {
        let result = |fen| Board::new(parse_fen(fen, false).unwrap().position).result();
        assert_eq!(
            result("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
            Some(GameResult::Draw)
        );
        assert_eq!(
            result("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"),
            Some(GameResult::White)
        );
        assert_eq!(
            result("k7/8/8/8/8/8/8/KN6 w - - 0 1"),
            Some(GameResult::Draw)
        );
        assert_eq!(
            result("k7/8/8/8/8/8/8/KR6 w - - 100 90"),
            Some(GameResult::Draw)
        );
        assert_eq!(result("k7/8/8/8/8/8/8/K1R5 w - - 99 90"), None);
        let mut board = Board::new(Position::initial());
        for (index, text) in ["g1f3", "g8f6", "f3g1", "f6g8"]
            .repeat(2)
            .iter()
            .enumerate()
        {
            assert_eq!(board.result(), None, "{index}");
            board.play(crate::position::notation::parse_uci(&board.position, text).unwrap());
        }
        assert_eq!(board.result(), Some(GameResult::Draw));
        board.play(crate::position::notation::parse_uci(&board.position, "e2e4").unwrap());
        assert!(board.moves.is_empty());
        assert_eq!(board.result(), None);
    }

    #[test]
    fn clear_games_are_adjudicated() {
        let run = |first_ply: usize, scores: &[i32]| {
            let mut adjudicator = Adjudicator::default();
            scores.iter().enumerate().find_map(|(index, &score)| {
                Some((index, adjudicator.add(first_ply + index, score)?))
            })
        };
        assert_eq!(run(20, &[1_600; 6]), Some((5, GameResult::White)));
        assert_eq!(run(20, &[-31_990; 6]), Some((5, GameResult::Black)));
        assert_eq!(
            run(20, &[1_600, 1_600, 1_600, 1_400, 1_600, 1_600, 1_600]),
            None
        );
        assert_eq!(run(20, &[0; 40]), None);
        assert_eq!(run(80, &[5; 40]), Some((11, GameResult::Draw)));
        assert_eq!(run(75, &[-8; 40]), Some((16, GameResult::Draw)));
    }
}
