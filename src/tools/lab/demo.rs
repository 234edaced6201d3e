//! `quevedo lab demo`: lessons that can be run.

use std::io::Write;

use clap::ValueEnum;
use serde_json::{Value as Json, json};

use super::{LabError, print_json, print_table};
use crate::lab::algorithms::expectiminimax::expectiminimax;
use crate::lab::catalogue::Algorithm;
use crate::lab::game::{Game, value_text};
use crate::lab::games::dilemma::{Strategy, tournament};
use crate::lab::games::explicit::ExplicitTree;
use crate::lab::games::matrix::{
    CHICKEN, DILEMMA, MatrixGame, PENNIES, mixed_value, pure_maximin, pure_minimax,
};
use crate::lab::games::random_tree::RandomTree;
use crate::lab::run::{Settings, run as run_algorithm};
use crate::lab::search::{Budget, Search, TO_THE_END};

/// The lessons.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Lesson {
    /// The scale of an evaluation does not matter to minimax, and does to expectiminimax
    Scale,
    /// How chance multiplies the tree
    Chance,
    /// Maximin against minimax in 2 x 2 games
    Matrix,
    /// The prisoner's dilemma, again and again
    Dilemma,
}

/// Which lesson.
#[derive(Clone, Debug, clap::Args)]
pub struct DemoArgs {
    #[arg(value_enum)]
    lesson: Lesson,
    /// The dilemma: rounds of each match
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rounds: u32,
    /// The dilemma: what the random strategy's coins follow from
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// Runs the sub-command.
pub(super) fn run(args: &DemoArgs, out: &mut dyn Write) -> Result<(), LabError> {
    let (text, rows, json) = match args.lesson {
        Lesson::Scale => scale()?,
        Lesson::Chance => chance()?,
        Lesson::Matrix => matrix(),
        Lesson::Dilemma => dilemma(args),
    };
    if args.json {
        return print_json(out, &json);
    }
    writeln!(out, "{text}\n")?;
    print_table(out, &rows)
}

/// What a lesson says, its table, and the same as JSON.
type Shown = (&'static str, Vec<Vec<String>>, Json);

fn row(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

/// Two evaluations that put four positions into the same order.
const SCALES: [(&str, [u32; 4]); 2] =
    [("1 2 3 4", [1, 2, 3, 4]), ("1 20 30 400", [1, 20, 30, 400])];

fn scale() -> Result<Shown, LabError> {
    let mut rows = vec![row(&["evaluations", "minimax", "expectiminimax", ""])];
    let mut json = Vec::new();
    for (name, [a, b, c, d]) in SCALES {
        // The second and third position behind the first move, the first and last behind the second.
        let fixed = best_move(&format!("max(min({b} {c}) min({a} {d}))"))?;
        let thrown = best_move(&format!("max(chance(9*{b} 1*{c}) chance(9*{a} 1*{d}))"))?;
        json.push(
            json!({ "evaluations": [a, b, c, d], "minimax": fixed.0, "expectiminimax": thrown.0,
            "value_minimax": fixed.1, "value_expectiminimax": thrown.1 }),
        );
        let cell = |(best, value): (usize, String)| format!("move {best} ({value})");
        rows.push(vec![
            name.to_owned(),
            cell(fixed),
            cell(thrown),
            String::new(),
        ]);
    }
    let text = "Two moves lead to two positions each. The evaluations put the four positions into the same order, and minimax,\n\
        which only compares, chooses the same move. Expectiminimax, with 9 to 1 for the first position behind each move,\n\
        takes means, and chooses another one. With chance an evaluation should be a positive linear transform of the\n\
        chance to win.";
    Ok((text, rows, json!(json)))
}

/// The best move of a tree, from 1, and its value.
fn best_move(text: &str) -> Result<(usize, String), LabError> {
    let game = ExplicitTree::parse(text).map_err(|error| LabError::Usage(error.to_string()))?;
    let mut search = Search::new(&game);
    let root = search.root(TO_THE_END);
    let found = expectiminimax(&mut search, &root).map_err(|halt| LabError::Halt {
        algorithm: Algorithm::Expectiminimax.entry().name,
        halt,
    })?;
    let best = found.line.first().map_or(0, |child| child + 1);
    Ok((best, value_text(found.value, game.unit())))
}

/// Backgammon: throws that differ, and moves for each, about.
const THROWS: u32 = 21;
const MOVES: u32 = 20;
/// The deepest tree that is searched here; one move more has 74 million leaves.
const SEARCHED: u32 = 2;

fn chance() -> Result<Shown, LabError> {
    let mut rows = vec![row(&[
        "moves",
        "(n b)^d",
        "b^d",
        "searched leaves",
        "Star1",
        "Star2",
        "",
    ])];
    let mut json = Vec::new();
    for depth in 1..=3 {
        let with_chance = u64::from(THROWS * MOVES).pow(depth);
        let without = u64::from(MOVES).pow(depth);
        let mut cells = vec![
            depth.to_string(),
            with_chance.to_string(),
            without.to_string(),
        ];
        let mut searched = Vec::new();
        if depth <= SEARCHED {
            for algorithm in [
                Algorithm::Expectiminimax,
                Algorithm::Star1,
                Algorithm::Star2,
            ] {
                searched.push(dice_leaves(algorithm, depth)?);
            }
        }
        cells.extend(searched.iter().map(u64::to_string));
        cells.resize(7, String::new());
        rows.push(cells);
        json.push(json!({ "moves": depth, "with_chance": with_chance, "without_chance": without,
            "searched": { "expectiminimax": searched.first(), "star1": searched.get(1), "star2": searched.get(2) } }));
    }
    let text = "Backgammon has n = 21 different throws and about b = 20 moves for each: every move multiplies the tree by 420.\n\
        Of the first two depths a uniform tree with random values is searched here, and its leaves are counted.";
    Ok((text, rows, json!(json)))
}

fn dice_leaves(algorithm: Algorithm, depth: u32) -> Result<u64, LabError> {
    let tree = RandomTree {
        branching: MOVES,
        throws: THROWS,
        depth,
        ..RandomTree::default()
    };
    let settings = Settings::default();
    let report = run_algorithm(
        algorithm,
        &tree,
        &tree.start(),
        TO_THE_END,
        &settings,
        Budget::default(),
    );
    match report.result {
        Ok(_) => Ok(report.counters.distinct_leaves),
        Err(halt) => Err(LabError::Halt {
            algorithm: algorithm.entry().name,
            halt,
        }),
    }
}

fn matrix() -> Shown {
    let games = [
        ("matching pennies", PENNIES),
        ("prisoner's dilemma", DILEMMA),
        ("chicken", CHICKEN),
    ];
    let titles = [
        "game",
        "zero-sum",
        "pure maximin",
        "pure minimax",
        "mixed value",
        "cautious move",
        "hostile move",
        "",
    ];
    let mut rows = vec![row(&titles)];
    let mut json = Vec::new();
    for (name, game) in games {
        let MatrixGame { first, .. } = game;
        let (value, probability) = mixed_value(&first);
        let zero_sum = if game.is_zero_sum() { "yes" } else { "no" };
        let (cautious, hostile) = (game.cautious_move() + 1, game.hostile_move() + 1);
        let (maximin, minimax) = (pure_maximin(&first), pure_minimax(&first));
        rows.push(vec![
            name.to_owned(),
            zero_sum.to_owned(),
            maximin.to_string(),
            minimax.to_string(),
            format!("{value} (move 1: {probability})"),
            cautious.to_string(),
            hostile.to_string(),
            String::new(),
        ]);
        json.push(json!({ "game": name, "zero_sum": game.is_zero_sum(), "pure_maximin": maximin, "pure_minimax": minimax,
            "mixed_value": value.to_string(), "probability_of_first_move": probability.to_string(),
            "cautious_move": cautious, "hostile_move": hostile }));
    }
    let text = "Maximin is what the first player makes sure of, minimax what the other player can hold him to. Mixed strategies close\n\
        the gap between them. The cautious move makes the own payoff sure; the hostile one holds the other's down. In a\n\
        zero-sum game these are one and the same aim. In the dilemma both mean to defect, and make 1 sure, where two\n\
        who trust each other get 3; in chicken they are different moves.";
    (text, rows, json!(json))
}

fn dilemma(args: &DemoArgs) -> Shown {
    let table = tournament(args.rounds, args.seed);
    let mut rows = Vec::new();
    let mut json = Vec::new();
    for (strategy, payoffs) in Strategy::ALL.into_iter().zip(&table) {
        let total: i64 = payoffs.iter().sum();
        let mut cells = vec![strategy.name().to_owned(), total.to_string()];
        cells.extend(payoffs.iter().map(i64::to_string));
        cells.push(String::new());
        rows.push((total, cells));
        json.push(json!({ "strategy": strategy.name(), "total": total, "payoffs": payoffs }));
    }
    rows.sort_by_key(|(total, _)| std::cmp::Reverse(*total));
    let mut titles = row(&["strategy", "total"]);
    titles.extend(
        Strategy::ALL
            .iter()
            .map(|strategy| format!("v. {}", strategy.name())),
    );
    titles.push(String::new());
    let table = std::iter::once(titles)
        .chain(rows.into_iter().map(|(_, cells)| cells))
        .collect();
    let text = "The prisoner's dilemma: 3 for both who cooperate, 1 for both who defect, 5 and 0 if only one does. Each strategy\n\
        plays each, itself included; the number is what the one on the left gets.";
    (text, table, json!(json))
}
