//! `quevedo epd harvest`: a suite of positions from recorded games, in which a shallow search and a deep one disagree.
//!
//! Every search begins with an empty hash table and a position without a past, so that what comes out follows from the
//! games, the budgets and the engine alone, and is what `quevedo epd` finds with the same limits.

use std::collections::HashSet;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;

use shakmaty::CastlingMode;

use super::EpdError;
use super::moves::san;
use super::record::{Operation, Record};
use crate::engine::{GameState, Limits, Silent};
use crate::games::{Game, GameError, filter::is_usable};
use crate::position::{Move, Position, notation};
use crate::random::Random;
use crate::score::Bound;
use crate::tools::ToolError;
use crate::tools::datagen::files::each_whole_game;
use crate::tools::kit::args::{BUILTIN, EngineSpec, LimitArgs, ResourceArgs, parse_option};
use crate::tools::kit::engines::{Builtin, Failure, SearchEngine as _, Setup};
use crate::tools::kit::interrupt::Interrupt;
use crate::tools::kit::progress::Progress;
use crate::wdl::{centipawns, material};

/// Positions with fewer men are known endings: tablebases have up to seven.
const MIN_MEN: usize = 8;

/// Make a suite of positions from recorded games in which a shallow search and a deep one disagree
///
/// From each game (viriformat, as datagen writes it) comes at most one position: standard chess, undecided, quiet, and the
/// one after whose move the game's score fell most. It is kept when a search of --nodes finds another best move than the
/// search to --depth, a search of the latter's move alone by as many nodes finds it worse by --margin, and both hold for
/// --check-nodes. It is written with the best move (bm), the shallow search's (am), and what the longest search
/// said (acd, acn, ce). A run that is broken off keeps what it has found.
#[derive(Clone, Debug, clap::Args)]
pub struct HarvestArgs {
    /// Files of games
    #[arg(required = true, value_name = "GAMES")]
    games: Vec<PathBuf>,
    /// The file to write, which must not exist; standard output if not given
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Stop when there are so many positions
    #[arg(long, value_name = "N")]
    positions: Option<usize>,
    /// What the order follows from in which games are looked at
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// The shallow search, in plies
    #[arg(long, value_name = "PLIES", default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..))]
    depth: u32,
    /// The deep search, in nodes
    #[arg(long, value_name = "N", default_value_t = 2_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The search that checks it, in nodes
    #[arg(long, value_name = "N", default_value_t = 20_000_000, value_parser = clap::value_parser!(u64).range(1..))]
    check_nodes: u64,
    /// How much worse the shallow search's move has to be, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 40, value_parser = clap::value_parser!(i32).range(1..=10_000))]
    margin: i32,
    /// Leave out positions that a search finds to be better than this for one side, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 600, value_parser = clap::value_parser!(i32).range(1..=10_000))]
    max_score: i32,
    /// Hash table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    /// Set an option of the engine
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    options: Vec<(String, String)>,
    /// Name the positions by this and their number
    #[arg(long, value_name = "NAME", default_value = "QVD")]
    name: String,
}

/// Makes a suite until there is nothing left to look at, there are enough positions, or it is told to stop.
///
/// The calling thread searches, and needs [`STACK_BYTES`](crate::search::STACK_BYTES) of stack for that.
///
/// # Errors
/// When a file cannot be read or written, or the engine cannot be used or fails.
pub fn run(
    args: &HarvestArgs,
    interrupt: &Interrupt,
    standard_output: &mut dyn Write,
) -> Result<(), EpdError> {
    let setup = Setup {
        limits: &LimitArgs::default(),
        resources: &ResourceArgs {
            threads: 1,
            hash: args.hash,
        },
        timeout: None,
        interrupt,
    };
    let spec = EngineSpec {
        command: None,
        options: args.options.clone(),
    };
    let engine = Builtin::new(&spec, setup).map_err(|reason| EpdError::Engine {
        command: BUILTIN.to_owned(),
        reason,
    })?;
    let candidates = candidates(args)?;
    match &args.out {
        None => harvest(args, &candidates, engine, standard_output, "output"),
        Some(path) => {
            let name = path.display().to_string();
            let file = OpenOptions::new().write(true).create_new(true).open(path);
            let mut file = file.map_err(|source| ToolError::Io {
                what: name.clone(),
                source,
            })?;
            harvest(args, &candidates, engine, &mut file, &name)
        }
    }
}

/// Looks at one position after the other, and writes each that is kept at once.
fn harvest(
    args: &HarvestArgs,
    candidates: &[String],
    engine: Builtin,
    out: &mut dyn Write,
    name: &str,
) -> Result<(), EpdError> {
    let mut judge = Judge { args, engine };
    let (mut searched, mut doubted, mut kept) = (0, 0, 0);
    let total = candidates.len() as u64;
    let progress = Progress::new(Some(total), 0);
    for epd in candidates {
        if args.positions.is_some_and(|positions| kept >= positions) {
            break;
        }
        let failed = |reason: String| EpdError::Search {
            epd: epd.clone(),
            reason,
        };
        let record = Record::parse(epd).map_err(|error| failed(error.to_string()))?;
        match judge.judge(&record.position) {
            Err(Failure::Interrupted) => break,
            Err(Failure::Fault(reason)) => return Err(failed(reason)),
            Ok(Verdict::Agreement) => {}
            Ok(Verdict::Doubt) => doubted += 1,
            Ok(Verdict::Problem { shallow, checked }) => {
                (doubted, kept) = (doubted + 1, kept + 1);
                let id = format!("{}.{kept:03}", args.name);
                let line = problem(record, id, shallow, &checked);
                progress
                    .aside(|| writeln!(out, "{line}").and_then(|()| out.flush()))
                    .map_err(|source| ToolError::Io {
                        what: name.to_owned(),
                        source,
                    })?;
            }
        }
        searched += 1;
        let message = format!("{searched}/{total} positions, {kept} kept");
        progress.set(searched, message);
    }
    progress.say(&format!(
        "{searched} positions searched: the deep search knew better in {doubted}, and was confirmed in {kept} of them"
    ));
    Ok(())
}

/// The line of the suite.
fn problem(mut record: Record, id: String, shallow: Move, checked: &Opinion) -> Record {
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

/// At most one position of each game, as the four fields of an EPD, in an order that follows from the seed.
fn candidates(args: &HarvestArgs) -> Result<Vec<String>, EpdError> {
    let mut seen = HashSet::new();
    let mut candidates = Vec::new();
    each_whole_game(&args.games, |place, bytes| {
        let found = Game::from_bytes(bytes).and_then(|game| candidate(&game, args.max_score));
        if let Some(position) = found.map_err(|error| place.fault(error))? {
            let fen = notation::fen(&position);
            let fields: Vec<&str> = fen.split(' ').take(4).collect();
            let epd = fields.join(" ");
            if seen.insert(epd.clone()) {
                candidates.push(epd);
            }
        }
        Ok(())
    })?;
    Random::new(args.seed).shuffle(&mut candidates);
    Ok(candidates)
}

/// The position of a game after whose move the score fell most for the side that made it: there a short search has
/// overlooked something, which a longer one may see or not.
fn candidate(game: &Game, max_score: i32) -> Result<Option<Position>, GameError> {
    let (mut most, mut found) = (0, None);
    game.replay(|ply, position, scored| {
        let Some(next) = game.moves.get(ply + 1) else {
            return;
        };
        let (before, after) = (i32::from(scored.score), i32::from(next.score));
        let fall = position.turn().fold_wb(1, -1) * (before - after);
        if fall > most
            && before.abs() <= max_score
            && is_usable(ply, position, scored)
            && position.castling_mode() == CastlingMode::Standard
            && position.occupied().count() >= MIN_MEN
            && position.legal_moves().len() > 1
        {
            (most, found) = (fall, Some(position.clone()));
        }
    })?;
    Ok(found)
}

/// What is to be said about a position.
enum Verdict {
    /// The deep search's move is the shallow one's, or not better by the margin, or the position is decided.
    Agreement,
    /// The deep search's move is better by the margin; the check does not say so.
    Doubt,
    /// It is, and the check says so too.
    Problem {
        /// The shallow search's move.
        shallow: Move,
        /// What the check says.
        checked: Opinion,
    },
}

/// What a search thinks of a position.
#[derive(Clone, Copy, Debug)]
struct Opinion {
    m: Move,
    /// For the side to move, in centipawns as they are shown.
    score: i32,
    /// In plies.
    depth: u32,
    nodes: u64,
}

/// An engine that searches positions for as long as their verdict takes.
struct Judge<'a> {
    args: &'a HarvestArgs,
    engine: Builtin,
}

impl Judge<'_> {
    fn judge(&mut self, position: &Position) -> Result<Verdict, Failure> {
        let limits = Limits {
            depth: Some(self.args.depth),
            ..Limits::default()
        };
        let shallow = self.undecided(position, &limits)?;
        let Some(Opinion { m: shallow, .. }) = shallow else {
            return Ok(Verdict::Agreement);
        };
        let (nodes, check_nodes) = (self.args.nodes, self.args.check_nodes);
        let Some(deep) = self.improvement(position, shallow, nodes, |m| m != shallow)? else {
            return Ok(Verdict::Agreement);
        };
        let checked = self.improvement(position, shallow, check_nodes, |m| m == deep.m)?;
        Ok(checked.map_or(Verdict::Doubt, |checked| Verdict::Problem {
            shallow,
            checked,
        }))
    }

    /// The opinion of a search of so many nodes, if its move is wanted and better by the margin than the one given.
    fn improvement(
        &mut self,
        position: &Position,
        on: Move,
        nodes: u64,
        is_wanted: impl Fn(Move) -> bool,
    ) -> Result<Option<Opinion>, Failure> {
        let mut limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let best = self.undecided(position, &limits)?;
        let Some(best) = best.filter(|best| is_wanted(best.m)) else {
            return Ok(None);
        };
        limits.searchmoves = vec![on];
        let other = self.opinion(position, &limits)?;
        let is_better = other.is_some_and(|other| best.score - other.score >= self.args.margin);
        Ok(Some(best).filter(|_| is_better))
    }

    fn undecided(
        &mut self,
        position: &Position,
        limits: &Limits,
    ) -> Result<Option<Opinion>, Failure> {
        let max_score = self.args.max_score;
        let opinion = self.opinion(position, limits)?;
        Ok(opinion.filter(|opinion| opinion.score.abs() <= max_score))
    }

    /// What a search thinks. None when it ended while it was changing its mind: then its move has no score yet.
    fn opinion(
        &mut self,
        position: &Position,
        limits: &Limits,
    ) -> Result<Option<Opinion>, Failure> {
        self.engine.new_game()?;
        let game = GameState::new(position.clone());
        let analysis = self.engine.analyse(&game, limits, &Silent)?;
        let best = analysis.best_move;
        let line = analysis.lines.first();
        let line = line.filter(|line| {
            line.bound == Bound::Exact && best.is_some() && line.moves.first() == best.as_ref()
        });
        Ok(line.zip(best).map(|(line, m)| Opinion {
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
    fn game(moves: &[(&str, i16)]) -> Game {
        let start = Position::initial();
        let mut position = start.clone();
        let mut scored = Vec::new();
        for &(text, score) in moves {
            let m = notation::parse_uci(&position, text).unwrap();
            scored.push(ScoredMove { m, score });
            position = position.play(m);
        }
        Game {
            start,
            result: GameResult::Draw,
            moves: scored,
        }
    }

    /// The ply of the position that is taken.
    fn ply(game: &Game, max_score: i32) -> Option<usize> {
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
        // Not the first move, nor the last; and Black's surprise at ply 5 is that White's score rises.
        assert_eq!(ply(&game(&moves), 600), Some(5));
        moves[6].1 = 70;
        moves[7].1 = 70;
        assert_eq!(ply(&game(&moves), 600), Some(4));
        // Too good for one side.
        assert_eq!(ply(&game(&moves), 89), Some(3));
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
