//! The lesson on progressive deepening: what each iteration costs, and what the one before saves
//! it.

use std::time::{Duration, Instant};

use serde_json::json;

use super::{LabError, Shown};
use crate::lab::algorithms::deepening::{Deepened, iteration};
use crate::lab::catalogue::Algorithm;
use crate::lab::game::{Game, value_text};
use crate::lab::games::chess::Chess;
use crate::lab::language::Language;
use crate::lab::search::{Search, TreeNode};
use crate::position::Move;
use crate::position::notation::parse_fen;

/// A position from the Italian Game, in which the first moves of the list are not the best.
const POSITION: &str = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4";
/// The depth of the last iteration.
const DEEPEST: u32 = 5;
/// The number of runs of each search.
const RUNS: u32 = 3;

/// The cost of one search.
#[derive(Clone, Copy)]
struct Cost {
    evaluations: u64,
    time: Duration,
}

/// Returns the table of iterations: evaluations and time with the line of the iteration before, and
/// without it.
pub(super) fn iterations(lang: Language) -> Result<Shown, LabError> {
    let parsed = parse_fen(POSITION, false).map_err(|source| LabError::Fen {
        fen: POSITION.to_owned(),
        source,
    })?;
    let game = Chess::new(parsed.position);
    let titles = lang.pick(
        [
            "depth",
            "move",
            "value",
            "evaluations",
            "without line",
            "saved",
            "ms",
            "without line",
            "saved",
            "total ms",
            "",
        ],
        [
            "profundidad",
            "jugada",
            "valor",
            "evaluaciones",
            "sin línea",
            "ahorro",
            "ms",
            "sin línea",
            "ahorro",
            "ms en total",
            "",
        ],
    );
    let mut rows = vec![titles.map(str::to_owned).to_vec()];
    let mut json = Vec::new();
    let mut line: Vec<Move> = Vec::new();
    let mut total = Duration::ZERO;
    for depth in 1..=DEEPEST {
        let (_, plain) = measured(&game, depth, &[])?;
        let (found, guided) = measured(&game, depth, &line)?;
        line = found.outcome.line;
        total += guided.time;
        let best = line.first();
        let best = best.map_or(String::new(), |best| game.move_text(&game.start(), best));
        let value = value_text(found.outcome.value, game.unit());
        let milliseconds = |time: Duration| time.as_secs_f64() * 1_000.0;
        rows.push(vec![
            depth.to_string(),
            best.clone(),
            value.clone(),
            guided.evaluations.to_string(),
            plain.evaluations.to_string(),
            saved(guided.evaluations as f64, plain.evaluations as f64),
            format!("{:.1}", milliseconds(guided.time)),
            format!("{:.1}", milliseconds(plain.time)),
            saved(guided.time.as_secs_f64(), plain.time.as_secs_f64()),
            format!("{:.1}", milliseconds(total)),
            String::new(),
        ]);
        json.push(json!({ "depth": depth, "move": best, "value": value,
            "evaluations": guided.evaluations, "evaluations_without_line": plain.evaluations,
            "milliseconds": milliseconds(guided.time), "milliseconds_without_line": milliseconds(plain.time),
            "total_milliseconds": milliseconds(total) }));
    }
    Ok((rows, json!(json)))
}

/// Returns the saved share in percent; negative if the search cost more.
fn saved(cost: f64, without: f64) -> String {
    format!("{:.0} %", 100.0 * (1.0 - cost / without))
}

/// Runs one iteration several times. Its time is the shortest of them, since other programs disturb
/// it.
fn measured(game: &Chess, depth: u32, line: &[Move]) -> Result<(Deepened<Move>, Cost), LabError> {
    let run = || -> Result<(Deepened<Move>, Cost), LabError> {
        let mut search = Search::new(game);
        let root: TreeNode<Chess> = search.root(depth);
        let start = Instant::now();
        let found = iteration(&mut search, &root, line).map_err(|halt| LabError::Halt {
            algorithm: Algorithm::Deepening.entry().name,
            halt,
        })?;
        let cost = Cost {
            evaluations: search.counters().leaves,
            time: start.elapsed(),
        };
        Ok((found, cost))
    };
    let (found, mut cost) = run()?;
    for _ in 1..RUNS {
        cost.time = cost.time.min(run()?.1.time);
    }
    Ok((found, cost))
}
