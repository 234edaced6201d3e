//! Text output: a line for each failure, and a table that compares the engines.

use std::fmt::Write as _;

use super::comparison::{self, Total, seconds};
use super::report::{Attempt, EngineReport, Moment, PositionReport, SuiteReport};
use crate::plural::count;

/// Returns a line about an attempt that failed or has a fault.
pub fn failure(position: &PositionReport, engine: Option<&str>, attempt: &Attempt) -> String {
    let what = if attempt.solved { "solved" } else { "failed" };
    let mut text = format!("{what} {}", position.id);
    if let Some(engine) = engine {
        let _ = write!(text, " [{engine}]");
    }
    let played = attempt.san.as_deref().unwrap_or("nothing");
    let _ = write!(text, ": played {played}, best {}", position.goal);
    if let Some(points) = attempt.points {
        let _ = write!(
            text,
            ", {points} of {} points",
            position.max_points.unwrap_or(0)
        );
    }
    if let Some(score) = attempt.score {
        let _ = write!(text, ", {score} at depth {}", attempt.depth);
    }
    match attempt.found {
        Some(Moment { time_us, depth, .. }) if !attempt.solved => {
            let _ = write!(
                text,
                ", found after {} at depth {depth} but dropped",
                seconds(time_us)
            );
        }
        _ => {}
    }
    if let Some(fault) = &attempt.fault {
        let _ = write!(text, "; fault: {fault}");
    }
    text
}

/// Returns the summary of a run: the limits, the suite, and the tables.
pub fn summary(report: &SuiteReport) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "{}", settings(report));
    let _ = writeln!(text, "{}", extent(report));
    text.push('\n');
    text.push_str(&engine_table(report));
    let themes = comparison::themes(&report.positions);
    if !themes.is_empty() {
        text.push('\n');
        text.push_str(&theme_table(&report.engines, &themes));
    }
    for engine in &report.engines {
        if let Some(first) = engine.faults.first() {
            let _ = writeln!(
                text,
                "\n{}: {} with a fault; first fault: {first}",
                engine.name,
                count(engine.faults.len() as u64, "position"),
            );
        }
    }
    text
}

/// Describes the settings of all searches, and the options of each engine, which take precedence.
pub fn settings(report: &SuiteReport) -> String {
    let mut text = report.search.describe();
    for engine in &report.engines {
        if !engine.options.is_empty() {
            let _ = write!(text, "; {} with {}", engine.name, engine.options.join(", "));
        }
    }
    text
}

/// Describes the suite: the positions searched, and the lines skipped.
pub fn extent(report: &SuiteReport) -> String {
    let mut text = count(report.positions.len() as u64, "position");
    if report.positions.len() < report.suite_size {
        let _ = write!(text, " of {}", report.suite_size);
    }
    if report.without_goal > 0 {
        let _ = write!(
            text,
            ", {} with nothing to solve",
            count(report.without_goal as u64, "more line")
        );
    }
    if !report.unread.is_empty() {
        let _ = write!(
            text,
            ", {} unreadable",
            count(report.unread.len() as u64, "line")
        );
    }
    if report.interrupted {
        text.push_str(", interrupted");
    }
    text
}

/// Formats the comparison table, with a row for each engine.
fn engine_table(report: &SuiteReport) -> String {
    let columns = comparison::rows(report);
    let mut header = vec!["engine".to_owned()];
    header.extend(columns.iter().map(|column| column.name.clone()));
    let mut rows = vec![header];
    for (number, engine) in report.engines.iter().enumerate() {
        let cells = columns.iter().map(|column| {
            let cell = column.cells.get(number).cloned().flatten();
            cell.unwrap_or("-".to_owned())
        });
        rows.push(std::iter::once(engine.name.clone()).chain(cells).collect());
    }
    table(&rows)
}

fn theme_table(engines: &[EngineReport], themes: &[(String, Vec<&PositionReport>)]) -> String {
    let mut header = vec!["theme".to_owned(), "positions".to_owned()];
    header.extend(engines.iter().map(|engine| engine.name.clone()));
    let mut rows = vec![header];
    for (theme, positions) in themes {
        let mut row = vec![theme.clone(), positions.len().to_string()];
        for engine in 0..engines.len() {
            row.push(Total::of_engine(positions.iter().copied(), engine).brief());
        }
        rows.push(row);
    }
    table(&rows)
}

/// Formats a table with the first column left-aligned and the others right-aligned.
fn table(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            let cells = rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        })
        .collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let gap = " ".repeat(width.saturating_sub(cell.chars().count()));
            if column == 0 {
                line.push_str(&format!("{cell}{gap}"));
            } else {
                line.push_str(&format!("  {gap}{cell}"));
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_aligned() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        assert_eq!(
            table(&[row(["a", "bcd"]), row(["efg", "h"])]),
            "a    bcd\nefg    h\n"
        );
    }
}
