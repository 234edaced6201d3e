//! `quevedo lab compare`: algorithms on one position, in one table.

use std::io::Write;

use serde::Serialize;

use super::algorithm_args::{TuningArgs, chosen, parser};
use super::game_args::{DepthArg, GameArgs, Visitor, line_text};
use super::{LabError, Verdict, print_json, print_table};
use crate::lab::catalogue::{Algorithm, Promise};
use crate::lab::counters::NodeCounts;
use crate::lab::game::{Game, Value, value_text};
use crate::lab::language::Language;
use crate::lab::run::{RunReport, run as run_algorithm};
use crate::lab::search::TO_THE_END;

/// The arguments of `lab compare`.
#[derive(Clone, Debug, clap::Args)]
pub struct CompareArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    depth: DepthArg,
    /// The algorithms, separated by commas; by default all that suit the game
    #[arg(long, value_name = "NAME,..", value_delimiter = ',', value_parser = parser())]
    algorithms: Vec<Algorithm>,
    #[command(flatten)]
    tuning: TuningArgs,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// A row of the table: one algorithm.
#[derive(Clone, Debug, Serialize)]
struct Row {
    algorithm: &'static str,
    spanish: &'static str,
    exact: bool,
    /// None if the algorithm was stopped.
    value: Option<f64>,
    #[serde(skip)]
    units: Option<Value>,
    #[serde(skip)]
    value_text: String,
    line: String,
    #[serde(flatten)]
    counters: NodeCounts,
    milliseconds: f64,
    /// A remark on the value.
    note: String,
}

/// The whole table.
#[derive(Clone, Debug, Serialize)]
struct Comparison {
    position: String,
    /// None if the search goes to the end of the game.
    depth: Option<u32>,
    rows: Vec<Row>,
    /// True if the values of all exact algorithms are equal.
    agree: bool,
}

/// Runs the sub-command.
pub(super) fn run(
    args: &CompareArgs,
    lang: Language,
    out: &mut dyn Write,
) -> Result<Verdict, LabError> {
    let comparison = args.game.visit(Compare { args, lang })?;
    if args.json {
        print_json(out, &comparison)?;
    } else {
        print(&comparison, lang, out)?;
    }
    Ok(verdict(&comparison))
}

fn verdict(comparison: &Comparison) -> Verdict {
    if !comparison.agree {
        Verdict::Disagreement
    } else if comparison.rows.iter().any(|row| row.units.is_none()) {
        Verdict::Unfinished
    } else {
        Verdict::Agreement
    }
}

struct Compare<'a> {
    args: &'a CompareArgs,
    lang: Language,
}

impl Visitor for Compare<'_> {
    type Output = Comparison;

    fn visit<G: Game>(self, game: &G) -> Result<Comparison, LabError> {
        let Compare { args, lang } = self;
        let depth = args.game.depth(args.depth)?;
        let settings = args.tuning.settings(game);
        let start = game.start();
        let mut rows = Vec::new();
        for algorithm in chosen(game, &args.algorithms)? {
            let limits = args.tuning.limits();
            let report = run_algorithm(algorithm, game, &start, depth, &settings, limits);
            rows.push(row(game, report, lang));
        }
        let agree = mark_differences(&mut rows, lang);
        Ok(Comparison {
            position: game.state_text(&start, lang),
            depth: (depth != TO_THE_END).then_some(depth),
            rows,
            agree,
        })
    }
}

fn row<G: Game>(game: &G, report: RunReport<G::Move>, lang: Language) -> Row {
    let entry = report.algorithm.entry();
    let unit = game.unit();
    let outcome = report.result.as_ref().ok();
    let note = match (&report.result, report.only_depth) {
        (Err(halt), _) => halt.text(lang),
        (Ok(_), Some(depth)) => format!(
            "{} {depth}",
            lang.pick(
                "out of time; depth reached:",
                "se acabó el tiempo; profundidad alcanzada:"
            )
        ),
        (Ok(_), None) => String::new(),
    };
    Row {
        algorithm: entry.name,
        spanish: entry.spanish,
        exact: entry.promise == Promise::Exact && report.only_depth.is_none(),
        value: outcome.map(|outcome| outcome.value as f64 / unit as f64),
        units: outcome.map(|outcome| outcome.value),
        value_text: outcome.map_or("-".to_owned(), |outcome| value_text(outcome.value, unit)),
        line: outcome.map_or(String::new(), |outcome| {
            line_text(game, &game.start(), &outcome.line)
        }),
        counters: report.counters,
        milliseconds: report.time.as_secs_f64() * 1_000.0,
        note,
    }
}

/// Compares all values with that of the first exact algorithm, and returns whether all exact ones
/// have it.
fn mark_differences(rows: &mut [Row], lang: Language) -> bool {
    let exact = rows
        .iter()
        .filter(|row| row.exact)
        .find_map(|row| row.units);
    let mut agree = true;
    for row in rows {
        let differs = row.units.is_some() && exact.is_some() && row.units != exact;
        if differs && row.exact {
            agree = false;
            row.note = lang
                .pick(
                    "WRONG: exact algorithms must agree",
                    "MAL: los algoritmos exactos deben coincidir",
                )
                .to_owned();
        } else if differs && row.note.is_empty() {
            row.note = lang
                .pick("differs, as it may", "difiere, y puede hacerlo")
                .to_owned();
        }
    }
    agree
}

fn print(comparison: &Comparison, lang: Language, out: &mut dyn Write) -> Result<(), LabError> {
    writeln!(out, "{}", comparison.position)?;
    let values = lang.pick("values for Max", "valores para Max");
    match comparison.depth {
        Some(depth) => {
            let title = lang.pick("depth", "profundidad");
            writeln!(out, "{title} {depth}; {values}\n")?;
        }
        None => {
            let title = lang.pick("to the end of the game", "hasta el final de la partida");
            writeln!(out, "{title}; {values}\n")?;
        }
    }
    let titles = lang.pick(
        [
            "algorithm",
            "value",
            "interior",
            "leaves",
            "distinct",
            "cut-offs",
            "table hits",
            "stored",
            "KiB",
            "ms",
            "",
        ],
        [
            "algoritmo",
            "valor",
            "interiores",
            "hojas",
            "distintas",
            "podas",
            "aciertos",
            "guardados",
            "KiB",
            "ms",
            "",
        ],
    );
    let mut rows = vec![titles.map(str::to_owned).to_vec()];
    for row in &comparison.rows {
        let counters = row.counters;
        let mark = if row.exact { "" } else { " ~" };
        let note = if row.note.is_empty() {
            row.line.clone()
        } else {
            format!("{} [{}]", row.line, row.note)
        };
        rows.push(vec![
            format!("{}{mark}", row.algorithm),
            row.value_text.clone(),
            counters.interior.to_string(),
            counters.leaves.to_string(),
            counters.distinct_leaves.to_string(),
            counters.cutoffs.to_string(),
            counters.table_hits.to_string(),
            counters.stored_entries.to_string(),
            counters.stored_bytes.div_ceil(1 << 10).to_string(),
            format!("{:.1}", row.milliseconds),
            note.trim().to_owned(),
        ]);
    }
    print_table(out, &rows)?;
    if comparison.rows.iter().any(|row| !row.exact) {
        let text = lang.pick(
            "~ its value may differ from that of minimax",
            "~ su valor puede diferir del de minimax",
        );
        writeln!(out, "\n{text}")?;
    }
    if !comparison.agree {
        let text = lang.pick(
            "exact algorithms disagree: one of them is wrong",
            "los algoritmos exactos no coinciden: uno de ellos está mal",
        );
        writeln!(out, "\n{text}")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(algorithm: &'static str, exact: bool, units: Option<Value>) -> Row {
        Row {
            algorithm,
            spanish: "",
            exact,
            value: None,
            units,
            value_text: String::new(),
            line: String::new(),
            counters: NodeCounts::default(),
            milliseconds: 0.0,
            note: String::new(),
        }
    }

    #[test]
    fn disagreement_of_exact_algorithms_is_reported() {
        let mut rows = vec![
            row("futility", false, Some(1)),
            row("given-up", true, None),
            row("minimax", true, Some(3)),
            row("alpha-beta", true, Some(3)),
        ];
        assert!(mark_differences(&mut rows, Language::English));
        assert_eq!(rows[0].note, "differs, as it may");
        assert!(rows[1..].iter().all(|row| row.note.is_empty()));
        rows.push(row("broken", true, Some(4)));
        let agree = mark_differences(&mut rows, Language::English);
        assert!(!agree);
        let comparison = Comparison {
            position: String::new(),
            depth: None,
            rows,
            agree,
        };
        assert_eq!(verdict(&comparison), Verdict::Disagreement);
        let mut out = Vec::new();
        print(&comparison, Language::English, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let wrong: Vec<&str> = text.lines().filter(|line| line.contains("WRONG")).collect();
        assert!(
            wrong.len() == 1 && wrong[0].starts_with("broken "),
            "{text}"
        );
        assert!(text.ends_with("exact algorithms disagree: one of them is wrong\n"));
    }
}
