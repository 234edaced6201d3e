//! `quevedo lab compare`: algorithms on one position, in one table.

use std::io::Write;

use serde::Serialize;

use super::algorithm_args::{TuningArgs, chosen, parser};
use super::game_args::{DepthArg, GameArgs, Visitor, line_text};
use super::{LabError, Verdict, print_json, print_table};
use crate::lab::catalogue::{Algorithm, Promise};
use crate::lab::counters::Counters;
use crate::lab::game::{Game, Value, value_text};
use crate::lab::run::{Report, run as run_algorithm};
use crate::lab::search::TO_THE_END;

/// What is compared.
#[derive(Clone, Debug, clap::Args)]
pub struct CompareArgs {
    #[command(flatten)]
    game: GameArgs,
    #[command(flatten)]
    depth: DepthArg,
    /// Which algorithms, with commas between; all that suit the game if not given
    #[arg(long, value_name = "NAME,..", value_delimiter = ',', value_parser = parser())]
    algorithms: Vec<Algorithm>,
    #[command(flatten)]
    tuning: TuningArgs,
    /// As JSON
    #[arg(long)]
    json: bool,
}

/// One algorithm's line of the table.
#[derive(Clone, Debug, Serialize)]
struct Row {
    algorithm: &'static str,
    spanish: &'static str,
    exact: bool,
    /// None if the algorithm was given up.
    value: Option<f64>,
    #[serde(skip)]
    units: Option<Value>,
    #[serde(skip)]
    value_text: String,
    line: String,
    #[serde(flatten)]
    counters: Counters,
    milliseconds: f64,
    /// What is to be known about the value.
    note: String,
}

/// All of the table.
#[derive(Clone, Debug, Serialize)]
struct Comparison {
    position: String,
    /// None for to the end of the game.
    depth: Option<u32>,
    rows: Vec<Row>,
    /// The values of exact algorithms are equal.
    agree: bool,
}

/// Runs the sub-command.
pub(super) fn run(args: &CompareArgs, out: &mut dyn Write) -> Result<Verdict, LabError> {
    let comparison = args.game.visit(Compare { args })?;
    if args.json {
        print_json(out, &comparison)?;
    } else {
        print(&comparison, out)?;
    }
    Ok(verdict(&comparison))
}

fn verdict(comparison: &Comparison) -> Verdict {
    if comparison.agree {
        Verdict::Agreement
    } else {
        Verdict::Disagreement
    }
}

struct Compare<'a> {
    args: &'a CompareArgs,
}

impl Visitor for Compare<'_> {
    type Output = Comparison;

    fn visit<G: Game>(self, game: &G) -> Result<Comparison, LabError> {
        let args = self.args;
        let depth = args.game.depth(args.depth)?;
        let settings = args.tuning.settings(game);
        let start = game.start();
        let mut rows = Vec::new();
        for algorithm in chosen(game, &args.algorithms)? {
            let budget = args.tuning.budget();
            let report = run_algorithm(algorithm, game, &start, depth, &settings, budget);
            rows.push(row(game, report));
        }
        let agree = mark_differences(&mut rows);
        Ok(Comparison {
            position: game.state_text(&start),
            depth: (depth != TO_THE_END).then_some(depth),
            rows,
            agree,
        })
    }
}

fn row<G: Game>(game: &G, report: Report<G::Move>) -> Row {
    let entry = report.algorithm.entry();
    let unit = game.unit();
    let outcome = report.result.as_ref().ok();
    let note = match (&report.result, report.only_depth) {
        (Err(halt), _) => halt.to_string(),
        (Ok(_), Some(depth)) => format!("out of time, depth {depth} only"),
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

/// Compares all values with that of the first exact algorithm. Whether all exact ones have it.
fn mark_differences(rows: &mut [Row]) -> bool {
    let exact = rows
        .iter()
        .filter(|row| row.exact)
        .find_map(|row| row.units);
    let mut agree = true;
    for row in rows {
        let differs = row.units.is_some() && exact.is_some() && row.units != exact;
        if differs && row.exact {
            agree = false;
            row.note = "WRONG: exact algorithms must agree".to_owned();
        } else if differs && row.note.is_empty() {
            row.note = "differs, as it may".to_owned();
        }
    }
    agree
}

fn print(comparison: &Comparison, out: &mut dyn Write) -> Result<(), LabError> {
    writeln!(out, "{}", comparison.position)?;
    match comparison.depth {
        Some(depth) => writeln!(out, "depth {depth}; values for Max\n")?,
        None => writeln!(out, "to the end of the game; values for Max\n")?,
    }
    let titles = [
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
    ];
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
        writeln!(out, "\n~ its value may differ from that of minimax")?;
    }
    if !comparison.agree {
        writeln!(out, "\nexact algorithms disagree: one of them is wrong")?;
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
            counters: Counters::default(),
            milliseconds: 0.0,
            note: String::new(),
        }
    }

    #[test]
    fn exact_algorithms_that_disagree_are_found_out() {
        let mut rows = vec![
            row("futility", false, Some(1)),
            row("given-up", true, None),
            row("minimax", true, Some(3)),
            row("alpha-beta", true, Some(3)),
        ];
        assert!(mark_differences(&mut rows));
        assert_eq!(rows[0].note, "differs, as it may");
        assert!(rows[1..].iter().all(|row| row.note.is_empty()));
        rows.push(row("broken", true, Some(4)));
        let agree = mark_differences(&mut rows);
        assert!(!agree);
        let comparison = Comparison {
            position: String::new(),
            depth: None,
            rows,
            agree,
        };
        assert_eq!(verdict(&comparison), Verdict::Disagreement);
        let mut out = Vec::new();
        print(&comparison, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        let wrong: Vec<&str> = text.lines().filter(|line| line.contains("WRONG")).collect();
        assert!(
            wrong.len() == 1 && wrong[0].starts_with("broken "),
            "{text}"
        );
        assert!(text.ends_with("exact algorithms disagree: one of them is wrong\n"));
    }
}
