//! Lessons that are computed: scale, chance, size, matrix games and the dilemma.

use std::collections::HashSet;

use serde_json::json;

use super::{DemoArgs, LabError, Shown};
use crate::lab::algorithms::expectiminimax::expectiminimax;
use crate::lab::catalogue::Algorithm;
use crate::lab::counters::NodeCounts;
use crate::lab::examples;
use crate::lab::game::{Game, value_text};
use crate::lab::games::chess::Chess;
use crate::lab::games::dilemma::{Strategy, tournament};
use crate::lab::games::explicit::ExplicitTree;
use crate::lab::games::matrix::{
    CHICKEN, DILEMMA, Fraction, HAWK_DOVE, MatrixGame, PENNIES, mixed_value, pure_maximin,
    pure_minimax,
};
use crate::lab::games::random_tree::RandomTree;
use crate::lab::language::Language;
use crate::lab::run::{AlgorithmSettings, run as run_algorithm};
use crate::lab::search::{RunLimits, Search, TO_THE_END};
use crate::position::Position;

fn row(cells: &[&str]) -> Vec<String> {
    cells.iter().map(|cell| (*cell).to_owned()).collect()
}

/// The evaluations of four positions on three scales with the same order. The second is a positive
/// linear transformation of the first.
const SCALES: [(&str, [u32; 4]); 3] = [
    ("scale-1", [1, 2, 3, 4]),
    ("scale-linear", [15, 25, 35, 45]),
    ("scale-nonlinear", [1, 20, 30, 400]),
];

pub(super) fn scale(lang: Language) -> Result<Shown, LabError> {
    let mut rows = vec![row(&[
        lang.pick("evaluations", "evaluaciones"),
        "minimax",
        "expectiminimax",
        lang.pick("example", "ejemplo"),
    ])];
    let mut json = Vec::new();
    for (name, [a, b, c, d]) in SCALES {
        // The first move leads to the second and third position, the second move to the first
        // and last.
        let fixed = best_move(&format!("max(min({b} {c}) min({a} {d}))"))?;
        let thrown = best_move(examples::by_name(name).map_or("0", |example| example.text))?;
        json.push(
            json!({ "evaluations": [a, b, c, d], "minimax": fixed.0, "expectiminimax": thrown.0,
            "value_minimax": fixed.1, "value_expectiminimax": thrown.1, "example": name }),
        );
        let title = lang.pick("move", "jugada");
        let cell = |(best, value): (usize, String)| format!("{title} {best} ({value})");
        rows.push(vec![
            format!("{a} {b} {c} {d}"),
            cell(fixed),
            cell(thrown),
            name.to_owned(),
        ]);
    }
    Ok((rows, json!(json)))
}

/// Returns the best move of a tree, from 1, and its value.
fn best_move(text: &str) -> Result<(usize, String), LabError> {
    let game = ExplicitTree::parse(text).map_err(|error| LabError::Failed(error.to_string()))?;
    let mut search = Search::new(&game);
    let root = search.root(TO_THE_END);
    let found = expectiminimax(&mut search, &root).map_err(|halt| LabError::Halt {
        algorithm: Algorithm::Expectiminimax.entry().name,
        halt,
    })?;
    let best = found.line.first().map_or(0, |child| child + 1);
    Ok((best, value_text(found.value, game.unit())))
}

/// Backgammon: the number of different throws, and roughly that of the moves after each.
const THROWS: u32 = 21;
const MOVES: u32 = 20;
/// The depth of the largest tree that is searched; one move more has 74 million leaves.
const SEARCHED: u32 = 2;

pub(super) fn chance(lang: Language) -> Result<Shown, LabError> {
    let mut rows = vec![row(&[
        lang.pick("moves", "jugadas"),
        "(n b)^d",
        "b^d",
        lang.pick("leaves evaluated", "hojas evaluadas"),
        "Star1",
        "Star2",
        lang.pick("different", "distintas"),
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
                searched.push(dice_counts(algorithm, depth)?);
            }
        }
        cells.extend(searched.iter().map(|counts| counts.leaves.to_string()));
        let different = searched.last().map(|counts| counts.distinct_leaves);
        cells.extend(different.map(|leaves| leaves.to_string()));
        cells.resize(7, String::new());
        rows.push(cells);
        let leaves = |index: usize| searched.get(index).map(|counts| counts.leaves);
        json.push(json!({ "moves": depth, "with_chance": with_chance, "without_chance": without,
            "searched": { "expectiminimax": leaves(0), "star1": leaves(1), "star2": leaves(2), "star2_different": different } }));
    }
    Ok((rows, json!(json)))
}

fn dice_counts(algorithm: Algorithm, depth: u32) -> Result<NodeCounts, LabError> {
    let tree = RandomTree {
        branching: MOVES,
        throws: THROWS,
        depth,
        ..RandomTree::default()
    };
    let settings = AlgorithmSettings::default();
    let report = run_algorithm(
        algorithm,
        &tree,
        &tree.start(),
        TO_THE_END,
        &settings,
        RunLimits::default(),
    );
    match report.result {
        Ok(_) => Ok(report.counters),
        Err(halt) => Err(LabError::Halt {
            algorithm: algorithm.entry().name,
            halt,
        }),
    }
}

/// The branching factors and plies of chess in the lecture notes.
const CHESS_SIZES: [(u32, u32); 2] = [(35, 100), (30, 100)];
/// The number of plies of chess up to which lines and positions are counted.
const COUNTED_PLIES: u32 = 4;

pub(super) fn size(lang: Language) -> Shown {
    let mut rows = Vec::new();
    let mut sizes = Vec::new();
    for (branching, plies) in CHESS_SIZES {
        let exponent = f64::from(plies) * f64::from(branching).log10();
        let mantissa = 10_f64.powf(exponent.fract());
        let text = format!("{mantissa:.1} * 10^{}", exponent.floor());
        sizes.push(json!({ "branching": branching, "plies": plies, "log10": exponent }));
        rows.push(vec![format!("{branching}^{plies}"), text]);
    }
    let game = Chess::new(Position::initial());
    let mut games = vec![game.start()];
    let mut counts = Vec::new();
    for ply in 1..=COUNTED_PLIES {
        games = games
            .iter()
            .flat_map(|state| game.moves(state).into_iter().map(|m| game.apply(state, &m)))
            .collect();
        let positions = games.iter().collect::<HashSet<_>>().len();
        counts.push(json!({ "plies": ply, "lines": games.len(), "positions": positions }));
        rows.push(vec![
            format!("{} {ply}", lang.pick("chess, plies:", "ajedrez, plies:")),
            format!(
                "{} {}, {} {positions}",
                lang.pick("lines:", "líneas:"),
                games.len(),
                lang.pick("positions:", "posiciones:")
            ),
        ]);
    }
    let costs = [
        ("minimax, b^d", 10_u32.pow(4)),
        ("alpha-beta, b^(3d/4)", 10_u32.pow(3)),
        ("alpha-beta, b^(d/2)", 10_u32.pow(2)),
        ("alpha-beta, b^⌈d/2⌉ + b^⌊d/2⌋ - 1", 2 * 10_u32.pow(2) - 1),
    ];
    for (name, cost) in costs {
        rows.push(vec![format!("b = 10, d = 4: {name}"), cost.to_string()]);
    }
    (rows, json!({ "chess": sizes, "counted": counts }))
}

pub(super) fn matrix(lang: Language) -> Shown {
    let games = [
        (lang.pick("matching pennies", "pares y nones"), PENNIES),
        (
            lang.pick("prisoner's dilemma", "dilema del prisionero"),
            DILEMMA,
        ),
        (lang.pick("chicken", "gallina"), CHICKEN),
        (
            lang.pick("hawk (1) and dove (2)", "halcón (1) y paloma (2)"),
            HAWK_DOVE,
        ),
    ];
    let titles = lang.pick(
        [
            "game",
            "zero-sum",
            "pure maximin",
            "pure minimax",
            "mixed value",
            "cautious",
            "hostile",
            "Nash equilibria",
            "ESS: share of move 1",
        ],
        [
            "juego",
            "suma cero",
            "maximin puro",
            "minimax puro",
            "valor mixto",
            "prudente",
            "hostil",
            "equilibrios de Nash",
            "EEE: parte de la jugada 1",
        ],
    );
    let mut rows = vec![row(&titles)];
    let mut json = Vec::new();
    for (name, game) in games {
        let MatrixGame { first, .. } = game;
        let (value, probability) = mixed_value(&first);
        let zero_sum = if game.is_zero_sum() {
            lang.pick("yes", "sí")
        } else {
            "no"
        };
        let (cautious, hostile) = (game.cautious_move() + 1, game.hostile_move() + 1);
        let (maximin, minimax) = (pure_maximin(&first), pure_minimax(&first));
        let pure = game.pure_equilibria().into_iter();
        let mut equilibria: Vec<String> = pure
            .map(|(a, b)| format!("({}, {})", a + 1, b + 1))
            .collect();
        if let Some((p, q)) = game.mixed_equilibrium() {
            equilibria.push(format!("p = ({p}, {q})"));
        }
        let stable: Vec<String> = game
            .evolutionarily_stable()
            .iter()
            .map(Fraction::to_string)
            .collect();
        rows.push(vec![
            name.to_owned(),
            zero_sum.to_owned(),
            maximin.to_string(),
            minimax.to_string(),
            format!("{value} (1: {probability})"),
            cautious.to_string(),
            hostile.to_string(),
            equilibria.join(" "),
            stable.join(" "),
        ]);
        json.push(json!({ "game": name, "zero_sum": game.is_zero_sum(), "pure_maximin": maximin, "pure_minimax": minimax,
            "mixed_value": value.to_string(), "probability_of_first_move": probability.to_string(),
            "cautious_move": cautious, "hostile_move": hostile, "equilibria": equilibria, "stable": stable }));
    }
    (rows, json!(json))
}

pub(super) fn dilemma(args: &DemoArgs, lang: Language) -> Shown {
    let table = tournament(args.rounds, args.noise, args.seed);
    let mut rows = Vec::new();
    let mut json = Vec::new();
    for (strategy, payoffs) in Strategy::ALL.into_iter().zip(&table) {
        let name = strategy.name(lang);
        let total: i64 = payoffs.iter().sum();
        let mut cells = vec![name.to_owned(), total.to_string()];
        cells.extend(payoffs.iter().map(i64::to_string));
        cells.push(String::new());
        rows.push((total, cells));
        json.push(json!({ "strategy": name, "total": total, "payoffs": payoffs }));
    }
    rows.sort_by_key(|(total, _)| std::cmp::Reverse(*total));
    let mut titles = row(&[lang.pick("strategy", "estrategia"), "total"]);
    titles.extend(
        Strategy::ALL
            .iter()
            .map(|strategy| format!("v. {}", strategy.name(lang))),
    );
    titles.push(String::new());
    let table = std::iter::once(titles)
        .chain(rows.into_iter().map(|(_, cells)| cells))
        .collect();
    (table, json!(json))
}
