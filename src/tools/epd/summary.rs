//! The results for the terminal: a line for each failure, and a table that compares the engines.

use std::fmt::Write as _;

use super::report::{Attempt, EngineReport, Moment, PositionReport, SuiteReport};
use crate::tools::kit::progress::count;

/// The total of an engine's attempts.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Total {
    /// Positions searched.
    pub positions: usize,
    /// Positions solved.
    pub solved: usize,
    /// Points for the moves.
    pub points: u64,
    /// Points for the best moves.
    pub max_points: u64,
    /// Nodes.
    pub nodes: u64,
    /// Time in microseconds.
    pub time_us: u64,
    /// Time to the solutions, in microseconds.
    pub solution_us: u64,
    /// Attempts with a fault.
    pub faults: usize,
}

impl Total {
    /// Adds up attempts, each with the points for the best move.
    pub fn of<'a>(attempts: impl Iterator<Item = (&'a Attempt, Option<u32>)>) -> Total {
        let mut total = Total::default();
        for (attempt, max_points) in attempts {
            total.positions += 1;
            total.solved += usize::from(attempt.solved);
            total.points += u64::from(attempt.points.unwrap_or(0));
            total.max_points += u64::from(max_points.unwrap_or(0));
            total.nodes = total.nodes.saturating_add(attempt.nodes);
            total.time_us = total.time_us.saturating_add(attempt.time_us);
            total.solution_us += attempt.solution().map_or(0, |moment| moment.time_us);
            total.faults += usize::from(attempt.fault.is_some());
        }
        total
    }

    /// Adds up the attempts of one engine.
    pub fn of_engine<'a>(
        positions: impl IntoIterator<Item = &'a PositionReport>,
        engine: usize,
    ) -> Total {
        Total::of(positions.into_iter().filter_map(|position| {
            let attempt = position.attempts.get(engine)?.as_ref()?;
            Some((attempt, position.max_points))
        }))
    }

    /// Returns the positions solved, with the share of points where there are points.
    pub fn brief(&self) -> String {
        if self.max_points > 0 {
            format!(
                "{} solved, {}",
                self.solved,
                percent(self.points, self.max_points)
            )
        } else {
            format!("{} solved", self.solved)
        }
    }

    /// Returns the mean time to a solution in microseconds.
    pub fn mean_solution_us(&self) -> Option<u64> {
        let solved = u64::try_from(self.solved).ok()?;
        self.solution_us.checked_div(solved)
    }
}

/// Returns a share in percent.
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    format!("{:.1} %", 100.0 * part as f64 / whole as f64)
}

/// Returns microseconds as seconds.
pub fn seconds(micros: u64) -> String {
    format!("{:.3} s", micros as f64 / 1e6)
}

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
            let _ = write!(text, ", had it after {} at depth {depth}", seconds(time_us));
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
    let _ = writeln!(text, "{}", report.search.describe());
    let _ = writeln!(text, "{}", extent(report));
    text.push('\n');
    let totals: Vec<Total> = (0..report.engines.len())
        .map(|engine| Total::of_engine(&report.positions, engine))
        .collect();
    text.push_str(&engine_table(&report.engines, &totals));
    let themes = themes(&report.positions);
    if !themes.is_empty() {
        text.push('\n');
        text.push_str(&theme_table(&report.engines, &themes));
    }
    for (engine, total) in report.engines.iter().zip(&totals) {
        if total.faults > 0 {
            let _ = writeln!(
                text,
                "\n{}: {} with a fault; the first: {}",
                engine.name,
                count(total.faults as u64, "position"),
                engine.faults.first().map_or("", String::as_str)
            );
        }
    }
    text
}

/// Describes the suite, and the part of it that was solved.
pub fn extent(report: &SuiteReport) -> String {
    let mut text = count(report.positions.len() as u64, "position");
    if report.positions.len() < report.suite_size {
        let _ = write!(text, " of {}", report.suite_size);
    }
    if report.without_goal > 0 {
        let _ = write!(
            text,
            ", {} without anything to solve",
            count(report.without_goal as u64, "more line")
        );
    }
    if !report.unread.is_empty() {
        let _ = write!(
            text,
            ", {} not read",
            count(report.unread.len() as u64, "line")
        );
    }
    if report.interrupted {
        text.push_str(", interrupted");
    }
    text
}

fn engine_table(engines: &[EngineReport], totals: &[Total]) -> String {
    let has_points = totals.iter().any(|total| total.max_points > 0);
    let has_faults = totals.iter().any(|total| total.faults > 0);
    let mut header = vec![
        "engine",
        "solved",
        "of",
        "%",
        "mean time to solution",
        "nodes",
        "time",
    ];
    if has_points {
        header.extend(["points", "of", "%"]);
    }
    if has_faults {
        header.push("faults");
    }
    let mut rows = vec![
        header
            .into_iter()
            .map(str::to_owned)
            .collect::<Vec<String>>(),
    ];
    for (engine, total) in engines.iter().zip(totals) {
        let mut row = vec![
            engine.name.clone(),
            total.solved.to_string(),
            total.positions.to_string(),
            percent(total.solved as u64, total.positions as u64),
            total.mean_solution_us().map_or("-".to_owned(), seconds),
            total.nodes.to_string(),
            seconds(total.time_us),
        ];
        if has_points {
            row.extend([
                total.points.to_string(),
                total.max_points.to_string(),
                percent(total.points, total.max_points),
            ]);
        }
        if has_faults {
            row.push(total.faults.to_string());
        }
        rows.push(row);
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

/// Groups the positions by theme. Returns nothing unless there are at least two themes, with two
/// positions each on average.
pub fn themes(positions: &[PositionReport]) -> Vec<(String, Vec<&PositionReport>)> {
    let mut themes: Vec<(String, Vec<&PositionReport>)> = Vec::new();
    for position in positions {
        let theme = theme(&position.id);
        match themes.iter_mut().find(|(known, _)| *known == theme) {
            Some((_, members)) => members.push(position),
            None => themes.push((theme, vec![position])),
        }
    }
    if themes.len() < 2 || themes.len() * 2 > positions.len() {
        themes.clear();
    }
    themes
}

/// Returns an id without its number: the theme of `STS(v1.0) Undermine.001` is `STS(v1.0)
/// Undermine`.
pub fn theme(id: &str) -> String {
    let is_digit = |c: char| c.is_ascii_digit();
    let Some(end) = id.rfind(is_digit).map(|last| last + 1) else {
        return id.trim().to_owned();
    };
    let (before, after) = id.split_at(end);
    let is_joint = |c: char| c.is_whitespace() || matches!(c, '.' | '-' | ':' | '#' | '_');
    let before = before.trim_end_matches(is_digit).trim_end_matches(is_joint);
    let after = after.trim_start_matches(is_joint);
    format!("{before} {after}").trim().to_owned()
}

/// Formats a table, with the first column aligned to the left and the others to the right.
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
    fn themes_are_ids_without_their_numbers() {
        for (id, expected) in [
            ("STS(v1.0) Undermine.001", "STS(v1.0) Undermine"),
            (
                "STS(v15.0) Avoid Pointless Exchange.100",
                "STS(v15.0) Avoid Pointless Exchange",
            ),
            ("WAC.300", "WAC"),
            ("E_E_T 001 - B vs B", "E_E_T B vs B"),
            ("no number", "no number"),
            ("12", ""),
        ] {
            assert_eq!(theme(id), expected);
        }
    }

    #[test]
    fn totals_add_up() {
        let attempt = |solved, points, time_us| Attempt {
            solved,
            points: Some(points),
            nodes: 10,
            time_us: 100,
            found: Some(Moment {
                time_us,
                depth: 3,
                nodes: 5,
            }),
            ..Attempt::default()
        };
        let attempts = [
            attempt(true, 10, 30),
            attempt(true, 10, 50),
            attempt(false, 3, 70),
        ];
        let total = Total::of(attempts.iter().map(|attempt| (attempt, Some(10))));
        assert_eq!((total.solved, total.points, total.max_points), (2, 23, 30));
        assert_eq!(total.mean_solution_us(), Some(40));
        assert_eq!((total.nodes, total.time_us), (30, 300));
        assert_eq!(Total::default().mean_solution_us(), None);
        assert_eq!(percent(1, 3), "33.3 %");
        assert_eq!(percent(0, 0), "-");
    }

    #[test]
    fn columns_stand_below_each_other() {
        let row = |cells: [&str; 2]| cells.map(str::to_owned).to_vec();
        assert_eq!(
            table(&[row(["a", "bcd"]), row(["efg", "h"])]),
            "a    bcd\nefg    h\n"
        );
    }
}
