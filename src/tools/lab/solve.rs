//! `quevedo lab solve`: what a game is worth, and how it is played best.

use std::io::Write;

use clap::ValueEnum;
use serde::Serialize;

use super::algorithm_args::{TuningArgs, one, parser};
use super::game_args::{DepthArg, GameArgs, GameName, Visitor, line_text};
use super::{LabError, print_json};
use crate::lab::algorithms::max_n::{ManyPlayers, TieRule, max_n};
use crate::lab::algorithms::one_player::{Puzzle, a_star, ida_star};
use crate::lab::catalogue::Algorithm;
use crate::lab::counters::Counters;
use crate::lab::game::{Game, value_text};
use crate::lab::games::eight_puzzle::{EightPuzzle, tiles_text};
use crate::lab::games::race::Solution;
use crate::lab::games::three_players::ThreePlayers;
use crate::lab::run::run as run_algorithm;
use crate::lab::search::{Meter, TO_THE_END};

/// The largest change in the last round of value iteration.
const TOLERANCE: f64 = 1e-12;
const MOST_ROUNDS: u32 = 100_000;

/// Games that are for one or for three.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum OtherGame {
    /// Three players take one, two or three from a heap; who takes the last wins (max^n)
    ThreePlayers,
    /// The 8-puzzle, by A* and IDA*
    EightPuzzle,
}

/// What is solved.
#[derive(Clone, Debug, clap::Args)]
pub struct SolveArgs {
    #[command(flatten)]
    game: GameArgs,
    /// A game for one or for three, instead of --game
    #[arg(long, value_enum, value_name = "GAME", conflicts_with = "game")]
    other: Option<OtherGame>,
    /// The 8-puzzle: the tiles row by row, 0 for the empty square
    #[arg(long, value_name = "TILES", default_value = "867254301")]
    tiles: String,
    #[command(flatten)]
    depth: DepthArg,
    /// The algorithm; MTD(f) if not given, Star2 where chance decides, value iteration for the race
    #[arg(long, value_name = "NAME", value_parser = parser())]
    algorithm: Option<Algorithm>,
    #[command(flatten)]
    tuning: TuningArgs,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// A game's solution.
#[derive(Clone, Debug, Serialize)]
struct Solved {
    position: String,
    method: &'static str,
    /// For Max, or for each player; the number of moves of a puzzle.
    values: Vec<String>,
    /// The moves.
    line: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    counters: Option<Counters>,
    /// What else there is to say.
    note: String,
}

/// Runs the sub-command.
pub(super) fn run(args: &SolveArgs, out: &mut dyn Write) -> Result<(), LabError> {
    let is_exact_race = args.game.name() == GameName::Race
        && args.algorithm.is_none()
        && args.depth.depth.is_none();
    let solved = match args.other {
        Some(OtherGame::ThreePlayers) => three_players(args)?,
        Some(OtherGame::EightPuzzle) => eight_puzzle(args)?,
        None if is_exact_race => vec![race(args)?],
        None => vec![args.game.visit(Solve { args })?],
    };
    if args.json {
        return print_json(out, &solved);
    }
    solved.iter().try_for_each(|solved| print(solved, out))
}

struct Solve<'a> {
    args: &'a SolveArgs,
}

impl Visitor for Solve<'_> {
    type Output = Solved;

    fn visit<G: Game>(self, game: &G) -> Result<Solved, LabError> {
        let args = self.args;
        let usual = [Algorithm::MtdF, Algorithm::Star2];
        let algorithm = one(game, args.algorithm, usual)?;
        let method = algorithm.entry().name;
        let depth = args.game.depth(args.depth)?;
        let start = game.start();
        let settings = args.tuning.settings(game);
        let report = run_algorithm(
            algorithm,
            game,
            &start,
            depth,
            &settings,
            args.tuning.budget(),
        );
        let found = report.result.map_err(|halt| LabError::Halt {
            algorithm: method,
            halt,
        })?;
        let note = match report.only_depth.or((depth != TO_THE_END).then_some(depth)) {
            Some(depth) => format!("at depth {depth}"),
            None => "to the end of the game".to_owned(),
        };
        Ok(Solved {
            position: game.state_text(&start),
            method,
            values: vec![value_text(found.value, game.unit())],
            line: line_text(game, &start, &found.line),
            counters: Some(report.counters),
            note,
        })
    }
}

/// The exact value, which no depth is enough for.
fn race(args: &SolveArgs) -> Result<Solved, LabError> {
    let race = args.game.race()?;
    let solution = Solution::new(&race, TOLERANCE, MOST_ROUNDS);
    let value = solution.value(&race.start).unwrap_or(f64::NAN);
    Ok(Solved {
        position: race.state_text(&race.start),
        method: "value iteration",
        values: vec![format!("{value:.9}")],
        line: String::new(),
        counters: None,
        note: format!(
            "{} rounds, last change {:.1e}",
            solution.rounds, solution.change
        ),
    })
}

fn three_players(args: &SolveArgs) -> Result<Vec<Solved>, LabError> {
    let game = ThreePlayers {
        heap: args.game.heap,
    };
    let depth = args.depth.depth.unwrap_or(TO_THE_END);
    let rules = [
        (TieRule::First, "max-n, the first of equal moves"),
        (TieRule::Last, "max-n, the last of equal moves"),
    ];
    let solve = |(ties, method)| {
        let mut meter = Meter::new(args.tuning.budget());
        let shares = max_n(&game, &game.start(), depth, ties, &mut meter);
        let shares = shares.map_err(|halt| LabError::Halt {
            algorithm: "max-n",
            halt,
        })?;
        let line: Vec<String> = shares.line.iter().map(u32::to_string).collect();
        Ok(Solved {
            position: format!("{} left, three players", args.game.heap),
            method,
            values: shares.values.iter().map(i64::to_string).collect(),
            line: line.join(" "),
            counters: Some(meter.counters),
            note: "what each player gets".to_owned(),
        })
    };
    rules.into_iter().map(solve).collect()
}

fn eight_puzzle(args: &SolveArgs) -> Result<Vec<Solved>, LabError> {
    let puzzle = EightPuzzle::parse(&args.tiles).map_err(|source| LabError::Puzzle {
        tiles: args.tiles.clone(),
        source,
    })?;
    let ways = [("A*", a_star(&puzzle)), ("IDA*", ida_star(&puzzle))];
    let solved = ways.into_iter().filter_map(|(method, way)| {
        let way = way?;
        let slides = way.states.windows(2).map(|pair| match pair {
            // The tile that slides comes to where the empty square was.
            [before, after] => {
                let empty = before.iter().position(|tile| *tile == 0).unwrap_or(0);
                after.get(empty).map_or(String::new(), u8::to_string)
            }
            _ => String::new(),
        });
        Some(Solved {
            position: tiles_text(&puzzle.start()),
            method,
            values: vec![(way.states.len() - 1).to_string()],
            line: slides.collect::<Vec<_>>().join(" "),
            counters: None,
            note: format!("moves; {} positions expanded", way.expanded),
        })
    });
    Ok(solved.collect())
}

fn print(solved: &Solved, out: &mut dyn Write) -> Result<(), LabError> {
    writeln!(out, "{}", solved.position)?;
    writeln!(
        out,
        "{}: {} ({})",
        solved.method,
        solved.values.join(", "),
        solved.note
    )?;
    if !solved.line.is_empty() {
        writeln!(out, "best play: {}", solved.line)?;
    }
    if let Some(counters) = solved.counters {
        writeln!(
            out,
            "{} interior nodes, {} leaves, {} cut-offs",
            counters.interior, counters.leaves, counters.cutoffs
        )?;
    }
    writeln!(out)?;
    Ok(())
}
