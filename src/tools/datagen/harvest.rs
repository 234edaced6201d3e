//! `quevedo datagen harvest`: makes a suite of positions from recorded games in which a shallow and
//! a deep search disagree.
//!
//! Every search begins with an empty hash table and a position without history, so the suite
//! follows from the games, the limits and the engine, and `quevedo epd` gets the same results with
//! the same limits.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;

use shakmaty::CastlingMode;

use super::DatagenError;
use super::files::each_whole_game;
use crate::engine::{GameState, Limits, Silent};
use crate::games::{GameError, RecordedGame, filter::Filter};
use crate::plural::count;
use crate::position::{Move, Position, notation};
use crate::random::Random;
use crate::score::{Bound, Score};
use crate::tools::Exit;
use crate::tools::epd::moves::san;
use crate::tools::epd::record::{Operation, Record};
use crate::tools::kit::IoContext as _;
use crate::tools::kit::args::file_path;
use crate::tools::kit::args::{EngineSpec, LimitArgs, ResourceArgs, parse_option};
use crate::tools::kit::engines::{Builtin, EngineFailure, SearchEngine as _, Setup};
use crate::tools::kit::interrupt::Interrupt;
use crate::tools::kit::progress::Progress;
use crate::wdl::{centipawns, material};

/// The fewest pieces of a position; tablebases know the rest.
const MIN_PIECES: u32 = 8;

/// Make a suite of positions from recorded games in which a shallow search and a deep one disagree
///
/// Each game contributes at most one position: the undecided, quiet position of standard chess
/// after whose move the score fell most. It is kept if a search of --nodes prefers another move to
/// that of a search to --depth, finds the latter worse by --margin, and a search of --check-nodes
/// confirms both. It is written with the best move (bm), the shallow one (am), and the results of
/// the longest search (acd, acn, ce). An interrupted run keeps the positions found so far.
#[derive(Clone, Debug, clap::Args)]
pub struct HarvestArgs {
    /// Files of games
    #[arg(required = true, value_name = "GAMES")]
    games: Vec<PathBuf>,
    /// The file to write, which must not exist; standard output if not given
    #[arg(long, value_name = "FILE", value_parser = file_path())]
    out: Option<PathBuf>,
    /// Stop after this many positions
    #[arg(long, value_name = "N")]
    positions: Option<usize>,
    /// The seed of the order of games
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Depth of the shallow search in plies
    #[arg(long, value_name = "PLIES", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// Nodes of the deep search
    #[arg(long, value_name = "N", default_value_t = 2_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Nodes of the search that confirms it
    #[arg(long, value_name = "N", default_value_t = 20_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    check_nodes: u64,
    /// The least difference between the two moves, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 40, value_parser = clap::value_parser!(i32).range(1..=10_000))]
    margin: i32,
    /// Leave out positions with a larger score for either side, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 600, value_parser = clap::value_parser!(i32).range(1..=10_000))]
    max_score: i32,
    /// Hash table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// Set an option of the engine
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    options: Vec<(String, String)>,
    /// Prefix of the ids of positions
    #[arg(long, value_name = "NAME", default_value = "QVD")]
    name: String,
}

/// Makes a suite until the games are used up, there are enough positions, or a signal arrives.
///
/// The calling thread searches, which needs [`STACK_BYTES`](crate::search::STACK_BYTES) of stack.
///
/// # Errors
/// Fails when a file cannot be read or written, or the engine fails.
pub fn run(args: &HarvestArgs, standard_output: &mut dyn Write) -> Result<Exit, DatagenError> {
    let interrupt = Interrupt::on_signal()?;
    let setup = Setup {
        limits: &LimitArgs::default(),
        resources: &ResourceArgs {
            threads: 1,
            hash: args.hash,
        },
        timeout: None,
        interrupt: &interrupt,
    };
    let spec = EngineSpec {
        command: None,
        options: args.options.clone(),
    };
    let engine = Builtin::new(&spec, setup).map_err(DatagenError::Engine)?;
    let (candidates, exit) = candidates(args)?;
    match &args.out {
        None => harvest(args, &candidates, engine, standard_output, "output")?,
        Some(path) => {
            let mut file = File::create_new(path).of_file(path)?;
            harvest(
                args,
                &candidates,
                engine,
                &mut file,
                &path.display().to_string(),
            )?;
            // Nothing is in the way of the same command when there is nothing to keep.
            if interrupt.is_set() && file.metadata().of_file(path)?.len() == 0 {
                fs::remove_file(path).of_file(path)?;
            }
        }
    }
    Ok(match interrupt.is_set() {
        true => Exit::Interrupted,
        false => exit,
    })
}

/// Examines the candidates in turn. Positions are written as soon as they are found.
fn harvest(
    args: &HarvestArgs,
    candidates: &[String],
    engine: Builtin,
    out: &mut dyn Write,
    name: &str,
) -> Result<(), DatagenError> {
    let mut examiner = Examiner { args, engine };
    let (mut searched, mut doubted, mut kept) = (0, 0, 0);
    let total = candidates.len() as u64;
    let progress = Progress::new(Some(total), 0);
    for epd in candidates {
        if args.positions.is_some_and(|positions| kept >= positions) {
            break;
        }
        let failed = |reason: String| DatagenError::Search {
            epd: epd.clone(),
            reason,
        };
        let record = Record::parse(epd).map_err(|error| failed(error.to_string()))?;
        match examiner.examine(&record.position) {
            Err(EngineFailure::Interrupted) => break,
            Err(EngineFailure::Fault(reason)) => return Err(failed(reason)),
            Ok(Examination::Agreement) => {}
            Ok(Examination::Doubt) => doubted += 1,
            Ok(Examination::Problem { shallow, checked }) => {
                (doubted, kept) = (doubted + 1, kept + 1);
                let id = format!("{}.{kept:03}", args.name);
                let line = problem(record, id, shallow, &checked);
                progress
                    .aside(|| writeln!(out, "{line}").and_then(|()| out.flush()))
                    .of(name)?;
            }
        }
        searched += 1;
        let message = format!("{searched}/{total} positions, {kept} kept");
        progress.set(searched, message);
    }
    progress.say(&format!(
        "{} searched: the deep search preferred another move in {doubted}, confirmed in {kept} of them",
        count(searched, "position")
    ));
    Ok(())
}

/// Returns the line of the suite.
fn problem(mut record: Record, id: String, shallow: Move, checked: &HarvestMove) -> Record {
    let name = |m| san(&record.position, m);
    record.operations = vec![
        Operation::new("acd", [checked.depth.to_string()]),
        Operation::new("acn", [checked.nodes.to_string()]),
        Operation::new("am", [name(shallow)]),
        Operation::new("bm", [name(checked.m)]),
        Operation::new("ce", [checked.score.to_string()]),
        Operation::new("id", [id]),
    ];
    record
}

/// Returns at most one position of each game, as the four fields of an EPD, in random order, and
/// whether all games could be read.
fn candidates(args: &HarvestArgs) -> Result<(Vec<String>, Exit), DatagenError> {
    let mut seen = HashSet::new();
    let mut candidates = Vec::new();
    let exit = each_whole_game(&args.games, |location, bytes| {
        let found =
            RecordedGame::from_bytes(bytes).and_then(|game| candidate(&game, args.max_score));
        if let Some(position) = found.map_err(|error| location.fault(error))? {
            let epd = notation::epd(&position);
            if seen.insert(epd.clone()) {
                candidates.push(epd);
            }
        }
        Ok(())
    })?;
    Random::new(args.seed).shuffle(&mut candidates);
    Ok((candidates, exit))
}

/// Returns the position after whose move the score fell most for the side that made it: a short
/// search has missed something there.
fn candidate(game: &RecordedGame, max_score: i32) -> Result<Option<Position>, GameError> {
    let (mut most, mut found) = (0, None);
    let mut filter = Filter::default();
    game.replay(|ply, position, scored| {
        let is_usable = filter.is_usable(ply, position, scored);
        let Some(next) = game.moves.get(ply + 1) else {
            return;
        };
        let normalised = |score: i16| centipawns(Score::from_raw(score.into()), material(position));
        let (before, after) = (normalised(scored.score), normalised(next.score));
        let fall = position.turn().fold_wb(1, -1) * (before - after);
        if fall > most
            && before.abs() <= max_score
            && is_usable
            && position.castling_mode() == CastlingMode::Standard
            && position.piece_count() >= MIN_PIECES
            && position.legal_moves().len() > 1
        {
            (most, found) = (fall, Some(position.clone()));
        }
    })?;
    Ok(found)
}

/// The result of the examination of a position.
enum Examination {
    /// The searches agree, the difference is below the margin, or the position is decided.
    Agreement,
    /// The deep search's move is better by the margin, but was not confirmed.
    Doubt,
    /// The deep search's move is better by the margin, and was confirmed.
    Problem {
        /// The shallow search's move.
        shallow: Move,
        /// The result of the confirming search.
        checked: HarvestMove,
    },
}

/// The result of a search.
#[derive(Clone, Copy, Debug)]
struct HarvestMove {
    m: Move,
    /// The score for the side to move, in normalised centipawns.
    score: i32,
    /// In plies.
    depth: u32,
    nodes: u64,
}

/// Searches positions until there is a verdict.
struct Examiner<'a> {
    args: &'a HarvestArgs,
    engine: Builtin,
}

impl Examiner<'_> {
    fn examine(&mut self, position: &Position) -> Result<Examination, EngineFailure> {
        let limits = Limits {
            depth: Some(self.args.depth),
            ..Limits::default()
        };
        let shallow = self.undecided(position, &limits)?;
        let Some(HarvestMove { m: shallow, .. }) = shallow else {
            return Ok(Examination::Agreement);
        };
        let (nodes, check_nodes) = (self.args.nodes, self.args.check_nodes);
        let Some(deep) = self.improvement(position, shallow, nodes, |m| m != shallow)? else {
            return Ok(Examination::Agreement);
        };
        let checked = self.improvement(position, shallow, check_nodes, |m| m == deep.m)?;
        Ok(
            checked.map_or(Examination::Doubt, |checked| Examination::Problem {
                shallow,
                checked,
            }),
        )
    }

    /// Searches with a limit of nodes. Returns the result if its move is wanted and better than
    /// `on` by the margin.
    fn improvement(
        &mut self,
        position: &Position,
        on: Move,
        nodes: u64,
        is_wanted: impl Fn(Move) -> bool,
    ) -> Result<Option<HarvestMove>, EngineFailure> {
        let mut limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let best = self.undecided(position, &limits)?;
        let Some(best) = best.filter(|best| is_wanted(best.m)) else {
            return Ok(None);
        };
        limits.searchmoves = vec![on];
        let other = self.best_move(position, &limits)?;
        let is_better = other.is_some_and(|other| best.score - other.score >= self.args.margin);
        Ok(Some(best).filter(|_| is_better))
    }

    fn undecided(
        &mut self,
        position: &Position,
        limits: &Limits,
    ) -> Result<Option<HarvestMove>, EngineFailure> {
        let max_score = self.args.max_score;
        let best = self.best_move(position, limits)?;
        Ok(best.filter(|best| best.score.abs() <= max_score))
    }

    /// Searches a position. Returns `None` if the search was stopped before its best move had a
    /// score.
    fn best_move(
        &mut self,
        position: &Position,
        limits: &Limits,
    ) -> Result<Option<HarvestMove>, EngineFailure> {
        self.engine.new_game()?;
        let game = GameState::new(position.clone());
        let analysis = self.engine.analyse(&game, limits, &Silent)?;
        let best = analysis.best_move;
        let line = analysis.lines.first();
        let line = line.filter(|line| {
            line.bound == Bound::Exact && best.is_some() && line.moves.first() == best.as_ref()
        });
        Ok(line.zip(best).map(|(line, m)| HarvestMove {
            m,
            score: centipawns(line.score, material(position)),
            depth: line.depth,
            nodes: analysis.nodes,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::{GameResult, ScoredMove};

    /// A game from the initial position: UCI moves, each with White's score before it.
    fn game(moves: &[(&str, i16)]) -> RecordedGame {
        let start = Position::initial();
        let mut position = start.clone();
        let mut scored = Vec::new();
        for &(text, score) in moves {
            let m = notation::parse_uci(&position, text).unwrap();
            scored.push(ScoredMove { m, score });
            position = position.play(m);
        }
        RecordedGame {
            start,
            result: GameResult::Draw,
            expected: None,
            moves: scored,
        }
    }

    /// The ply of the position that is taken.
    fn ply(game: &RecordedGame, max_score: i32) -> Option<usize> {
        let found = candidate(game, max_score).unwrap()?;
        let mut ply = None;
        game.replay(|number, position, _| {
            if position.key() == found.key() {
                ply = Some(number);
            }
        })
        .unwrap();
        ply
    }

    #[test]
    fn the_greatest_surprise_of_a_game_is_taken() {
        let mut moves = [
            ("e2e4", 200),
            ("e7e5", 30),
            ("g1f3", 30),
            ("b8c6", 30),
            ("f1b5", 90),
            ("a7a6", 20),
            ("b5c6", 300),
            ("d7c6", -300),
        ];
        // Not the first move, nor the last; and Black's surprise at ply 5 is that White's score
        // rises.
        assert_eq!(ply(&game(&moves), 600), Some(5));
        moves[6].1 = 70;
        moves[7].1 = 70;
        assert_eq!(ply(&game(&moves), 600), Some(4));
        // Too good for one side.
        let less = centipawns(Score::cp(90), 78) - 1;
        assert_eq!(ply(&game(&moves), less), Some(3));
        assert_eq!(ply(&game(&moves), 10), None);
        // A capture is no quiet move, and nobody is surprised elsewhere.
        let moves = moves.map(|(text, _)| (text, if text == "d7c6" { 0 } else { 50 }));
        assert_eq!(ply(&game(&moves), 600), None);
        assert_eq!(ply(&game(&moves[..1]), 600), None);
    }

    #[test]
    fn illegal_games_are_refused() {
        let mut game = game(&[("e2e4", 0), ("e7e5", 0)]);
        game.moves.swap(0, 1);
        assert!(candidate(&game, 600).is_err());
    }
}
