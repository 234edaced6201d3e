//! `quevedo lab solve`: the value of a game, and how it is played best.

use std::io::Write;

use clap::ValueEnum;
use serde::Serialize;

use super::algorithm_args::{TuningArgs, one, parser};
use super::game_args::{DepthArg, GameArgs, GameName, Visitor, line_text, text_of};
use super::{LabError, print_json};
use crate::lab::algorithms::belief::BeliefSearch;
use crate::lab::algorithms::max_n::{ManyPlayers, TieRule, max_n};
use crate::lab::algorithms::one_player::{Puzzle, a_star, ida_star};
use crate::lab::catalogue::Algorithm;
use crate::lab::counters::NodeCounts;
use crate::lab::game::{Game, value_text};
use crate::lab::games::eight_puzzle::{EightPuzzle, tiles_text};
use crate::lab::games::hidden_tic_tac_toe::{HiddenTicTacToe, first_belief};
use crate::lab::games::race::{RaceSolution, RaceStep};
use crate::lab::games::three_players::ThreePlayers;
use crate::lab::language::Language;
use crate::lab::run::run as run_algorithm;
use crate::lab::search::{Meter, TO_THE_END};

/// The change of values at which value iteration stops.
const TOLERANCE: f64 = 1e-12;
const MOST_ROUNDS: u32 = 100_000;
/// The 8-puzzle by default, which takes as many moves as any.
const TILES: &str = "867254301";

/// Games that are not for two players with perfect information.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum OtherGame {
    /// Three players take one, two or three from a heap; the player who takes the last one wins
    /// (max^n)
    ThreePlayers,
    /// The 8-puzzle, by A* and IDA*
    EightPuzzle,
    /// Tic-tac-toe in which Max does not see Min's marks, by search over belief states
    HiddenTicTacToe,
}

/// The arguments of `lab solve`.
#[derive(Clone, Debug, clap::Args)]
pub struct SolveArgs {
    #[command(flatten)]
    game: GameArgs,
    /// A game for one player, for three, or with hidden marks, instead of --game
    #[arg(long, value_enum, value_name = "GAME")]
    other: Option<OtherGame>,
    /// The 8-puzzle: the tiles row by row, 0 for the empty square; 867254301 by default
    #[arg(long, value_name = "TILES")]
    tiles: Option<String>,
    #[command(flatten)]
    depth: DepthArg,
    /// The algorithm; by default MTD(f), Star2 where chance decides, value iteration for the race
    #[arg(long, value_name = "NAME", value_parser = parser())]
    algorithm: Option<Algorithm>,
    #[command(flatten)]
    tuning: TuningArgs,
    /// As JSON
    #[arg(long)]
    json: bool,
}

impl SolveArgs {
    /// Returns the game named by `--other` or implied by `--tiles`, if there is one.
    ///
    /// # Errors
    /// Fails when an option belongs to another game.
    fn other(&self) -> Result<Option<OtherGame>, LabError> {
        let puzzle = self.tiles.as_ref().map(|_| OtherGame::EightPuzzle);
        let Some(game) = self.other.or(puzzle) else {
            return Ok(None);
        };
        let own: &[&str] = match game {
            OtherGame::ThreePlayers => &["--heap", "--depth"],
            OtherGame::EightPuzzle => &["--tiles"],
            OtherGame::HiddenTicTacToe => &["--board"],
        };
        let more = [
            (self.tiles.is_some(), "--tiles"),
            (self.depth.depth.is_some(), "--depth"),
            (self.algorithm.is_some(), "--algorithm"),
        ];
        let more = more.into_iter().filter(|(is_given, _)| *is_given);
        let mut given = self.game.given().chain(more.map(|(_, option)| option));
        match given.find(|option| !own.contains(option)) {
            None => Ok(Some(game)),
            Some(option) => {
                let game = text_of(game);
                Err(LabError::usage(
                    format!("{option} does not belong to the game {game}"),
                    format!("{option} no es del juego {game}"),
                ))
            }
        }
    }
}

/// The solution of a game.
#[derive(Clone, Debug, Serialize)]
struct Solved {
    position: String,
    method: &'static str,
    /// The value for Max, or for each player; the number of moves of a puzzle.
    values: Vec<String>,
    /// The moves.
    line: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    counters: Option<NodeCounts>,
    /// A remark on the values.
    note: String,
    /// The moves for each throw of the race, with their values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    throws: Vec<ThrowMoves>,
}

/// Runs the sub-command.
pub(super) fn run(args: &SolveArgs, lang: Language, out: &mut dyn Write) -> Result<(), LabError> {
    let other = args.other()?;
    let is_exact_race = other.is_none()
        && args.game.name()? == GameName::Race
        && args.algorithm.is_none()
        && args.depth.depth.is_none();
    let solved = match other {
        Some(OtherGame::ThreePlayers) => three_players(args, lang)?,
        Some(OtherGame::EightPuzzle) => eight_puzzle(args, lang)?,
        Some(OtherGame::HiddenTicTacToe) => vec![hidden(args, lang)?],
        None if is_exact_race => vec![race(args, lang)?],
        None => vec![args.game.visit(Solve { args, lang })?],
    };
    if args.json {
        return print_json(out, &solved);
    }
    solved
        .iter()
        .try_for_each(|solved| print(solved, lang, out))
}

struct Solve<'a> {
    args: &'a SolveArgs,
    lang: Language,
}

impl Visitor for Solve<'_> {
    type Output = Solved;

    fn visit<G: Game>(self, game: &G) -> Result<Solved, LabError> {
        let Solve { args, lang } = self;
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
            args.tuning.limits(),
        );
        let found = report.result.map_err(|halt| LabError::Halt {
            algorithm: method,
            halt,
        })?;
        let note = match report.only_depth.or((depth != TO_THE_END).then_some(depth)) {
            Some(depth) => format!("{} {depth}", lang.pick("at depth", "a profundidad")),
            None => lang
                .pick("to the end of the game", "hasta el final de la partida")
                .to_owned(),
        };
        Ok(Solved {
            position: game.state_text(&start, lang),
            method,
            values: vec![value_text(found.value, game.unit())],
            line: line_text(game, &start, &found.line),
            counters: Some(report.counters),
            note,
            throws: Vec::new(),
        })
    }
}

/// The moves after a throw, the best first.
#[derive(Clone, Debug, Serialize)]
struct ThrowMoves {
    throw: String,
    moves: Vec<(String, f64)>,
}

/// Returns the exact value of the race, by value iteration, and the moves for each throw.
fn race(args: &SolveArgs, lang: Language) -> Result<Solved, LabError> {
    let race = args.game.race()?;
    let solution = RaceSolution::new(&race, TOLERANCE, MOST_ROUNDS);
    let value = solution.value(&race.start).unwrap_or(f64::NAN);
    let moves = |throw: u8| {
        let pieces = race.start.thrown(throw);
        let mut moves = solution.moves(&race, &pieces);
        moves.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let text = |(step, value): (RaceStep, f64)| (race.move_text(&pieces, &step), value);
        ThrowMoves {
            throw: throw.to_string(),
            moves: moves.into_iter().map(text).collect(),
        }
    };
    let throws = match (race.utility(&race.start), args.game.throw) {
        // Nobody moves after the end.
        (Some(_), _) => Vec::new(),
        (None, Some(throw)) => vec![moves(throw)],
        (None, None) => vec![moves(1), moves(2)],
    };
    Ok(Solved {
        position: race.state_text(&race.start, lang),
        method: lang.pick("value iteration", "iteración de valores"),
        throws,
        values: vec![format!("{value:.9}")],
        line: String::new(),
        counters: None,
        note: format!(
            "{} {}, {} {:.1e}",
            lang.pick("rounds:", "rondas:"),
            solution.rounds,
            lang.pick("last change", "último cambio"),
            solution.change
        ),
    })
}

/// Returns what Max can guarantee without seeing Min's marks.
fn hidden(args: &SolveArgs, lang: Language) -> Result<Solved, LabError> {
    let game = args.game.tic_tac_toe()?;
    let (belief, ended) = first_belief(&game.start);
    let mut search = BeliefSearch::new(&HiddenTicTacToe, Meter::new(args.tuning.limits()));
    let found = match belief.is_empty() {
        true => None,
        false => Some(search.solve(&belief).map_err(|halt| LabError::Halt {
            algorithm: "belief-states",
            halt,
        })?),
    };
    let value = ended
        .into_iter()
        .chain(found.map(|found| found.value))
        .min();
    // Where the games that are over are worse, it does not matter what Max plays.
    let best = found
        .filter(|found| Some(found.value) == value)
        .and_then(|found| found.best);
    Ok(Solved {
        position: game.state_text(&game.start, lang),
        method: lang.pick("belief states", "estados de creencia"),
        values: vec![value.unwrap_or(0).to_string()],
        line: best.map_or(String::new(), |square| (square + 1).to_string()),
        counters: None,
        note: format!(
            "{}; {} {}",
            lang.pick("guaranteed to Max", "garantizado a Max"),
            lang.pick("belief states met:", "estados de creencia vistos:"),
            search.beliefs()
        ),
        throws: Vec::new(),
    })
}

fn three_players(args: &SolveArgs, lang: Language) -> Result<Vec<Solved>, LabError> {
    let game = ThreePlayers {
        heap: args.game.heap(),
    };
    let depth = args.depth.depth.unwrap_or(TO_THE_END);
    let rules = [
        (
            TieRule::First,
            lang.pick(
                "max-n, the first of equal moves",
                "max-n, la primera de las jugadas iguales",
            ),
        ),
        (
            TieRule::Last,
            lang.pick(
                "max-n, the last of equal moves",
                "max-n, la última de las jugadas iguales",
            ),
        ),
    ];
    let solve = |(ties, method)| {
        let mut meter = Meter::new(args.tuning.limits());
        let shares = max_n(&game, &game.start(), depth, ties, &mut meter);
        let shares = shares.map_err(|halt| LabError::Halt {
            algorithm: "max-n",
            halt,
        })?;
        let line: Vec<String> = shares.line.iter().map(u32::to_string).collect();
        Ok(Solved {
            position: format!(
                "{} {}",
                args.game.heap(),
                lang.pick("left, three players", "quedan, tres jugadores")
            ),
            throws: Vec::new(),
            method,
            values: shares.values.iter().map(i64::to_string).collect(),
            line: line.join(" "),
            counters: Some(meter.counters),
            note: lang
                .pick("payoffs of the players", "lo que recibe cada jugador")
                .to_owned(),
        })
    };
    rules.into_iter().map(solve).collect()
}

fn eight_puzzle(args: &SolveArgs, lang: Language) -> Result<Vec<Solved>, LabError> {
    let tiles = args.tiles.as_deref().unwrap_or(TILES);
    let puzzle = EightPuzzle::parse(tiles).map_err(|source| LabError::Puzzle {
        tiles: tiles.to_owned(),
        source,
    })?;
    let ways = [("A*", a_star(&puzzle)), ("IDA*", ida_star(&puzzle))];
    let solved = ways.into_iter().filter_map(|(method, way)| {
        let way = way?;
        let slides = way.states.windows(2).map(|pair| match pair {
            // The tile slides to the empty square.
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
            note: format!(
                "{} {}",
                lang.pick(
                    "moves; positions expanded:",
                    "jugadas; posiciones expandidas:"
                ),
                way.expanded
            ),
            throws: Vec::new(),
        })
    });
    Ok(solved.collect())
}

fn print(solved: &Solved, lang: Language, out: &mut dyn Write) -> Result<(), LabError> {
    writeln!(out, "{}", solved.position)?;
    writeln!(
        out,
        "{}: {} ({})",
        solved.method,
        solved.values.join(", "),
        solved.note
    )?;
    if !solved.line.is_empty() {
        writeln!(
            out,
            "{}: {}",
            lang.pick("best play", "juego óptimo"),
            solved.line
        )?;
    }
    if let Some(counters) = solved.counters {
        writeln!(
            out,
            "{}: {}; {}: {}; {}: {}",
            lang.pick("interior nodes", "nodos interiores"),
            counters.interior,
            lang.pick("leaves", "hojas"),
            counters.leaves,
            lang.pick("cut-offs", "podas"),
            counters.cutoffs
        )?;
    }
    for throw in &solved.throws {
        let title = lang.pick("after throw", "tras la tirada");
        let moves = throw
            .moves
            .iter()
            .map(|(m, value)| format!("{m} ({value:.4})"));
        let moves: Vec<String> = moves.collect();
        writeln!(out, "{title} {}: {}", throw.throw, moves.join(", "))?;
    }
    writeln!(out)?;
    Ok(())
}
