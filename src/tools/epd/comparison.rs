//! The engines compared: their totals, the positions solved over time, and the rows of the table.

use super::report::{Attempt, PositionReport, SuiteReport};

/// The times that may have a row in the table, in microseconds.
const TIMES_US: [u64; 7] = [
    10_000,
    100_000,
    1_000_000,
    5_000_000,
    10_000_000,
    60_000_000,
    600_000_000,
];

/// The totals of an engine's attempts.
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
    /// Time of the searches in microseconds.
    pub time_us: u64,
    /// Time that the engine took to get ready between searches, in microseconds.
    pub preparation_us: u64,
    /// Time to the solutions, in microseconds.
    pub solution_us: u64,
    /// Attempts with a fault.
    pub faults: usize,
}

impl Total {
    /// Adds up attempts. Each comes with the points for the best move of its position.
    pub fn of<'a>(attempts: impl Iterator<Item = (&'a Attempt, Option<u32>)>) -> Total {
        let mut total = Total::default();
        for (attempt, max_points) in attempts {
            total.positions += 1;
            total.solved += usize::from(attempt.solved);
            total.points += u64::from(attempt.points.unwrap_or(0));
            total.max_points += u64::from(max_points.unwrap_or(0));
            total.nodes = total.nodes.saturating_add(attempt.nodes);
            total.time_us = total.time_us.saturating_add(attempt.time_us);
            total.preparation_us = total.preparation_us.saturating_add(attempt.preparation_us);
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

    /// Formats the number of positions solved, and the share of points if there are any.
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

    /// Returns the share of points, or of positions solved if there are no points, from 0 to 1.
    pub fn share(&self) -> f64 {
        match (self.max_points, self.positions) {
            (0, 0) => 0.0,
            (0, positions) => self.solved as f64 / positions as f64,
            (max_points, _) => self.points as f64 / max_points as f64,
        }
    }

    /// Returns the mean time to a solution in microseconds.
    fn mean_solution_us(&self) -> Option<u64> {
        let solved = u64::try_from(self.solved).ok()?;
        self.solution_us.checked_div(solved)
    }
}

/// A row of the table that compares the engines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ComparisonRow {
    /// The quantity.
    pub name: String,
    /// The value for each engine, in order; `None` if it is unknown.
    pub cells: Vec<Option<String>>,
}

/// Returns the rows of the comparison table, leaving out empty ones.
pub fn rows(report: &SuiteReport) -> Vec<ComparisonRow> {
    let engines = report.engines.len();
    let totals: Vec<Total> = (0..engines)
        .map(|engine| Total::of_engine(&report.positions, engine))
        .collect();
    let times: Vec<Vec<u64>> = (0..engines)
        .map(|engine| solution_times(&report.positions, engine))
        .collect();
    let mut rows = Vec::new();
    let mut add = |name: &str, cells: Vec<Option<String>>| {
        if cells.iter().any(Option::is_some) {
            let name = name.to_owned();
            rows.push(ComparisonRow { name, cells });
        }
    };
    let of_totals = |cell: fn(&Total) -> Option<String>| totals.iter().map(cell).collect();
    add("solved", of_totals(|total| Some(total.solved.to_string())));
    add("of", of_totals(|total| Some(total.positions.to_string())));
    let share = |total: &Total| Some(percent(total.solved as u64, total.positions as u64));
    add("%", of_totals(share));
    if engines > 1 {
        let alone = |engine| Some(solved_alone(&report.positions, engine).to_string());
        add("only this one", (0..engines).map(alone).collect());
    }
    for limit in TIMES_US {
        let counts: Vec<usize> = times
            .iter()
            .map(|times| times.partition_point(|&time| time <= limit))
            .collect();
        let is_new = times.iter().zip(&counts).any(|(all, &n)| n < all.len());
        if is_new && counts.iter().any(|&count| count > 0) {
            let name = format!("in {} s", limit as f64 / 1e6);
            add(&name, counts.iter().map(|n| Some(n.to_string())).collect());
        }
    }
    let mean = |total: &Total| total.mean_solution_us().map(seconds);
    add("mean time to solution", of_totals(mean));
    let nodes = |total: &Total| (total.nodes > 0).then(|| total.nodes.to_string());
    add("nodes", of_totals(nodes));
    add("time", of_totals(|total| Some(seconds(total.time_us))));
    let with_preparation = |total: &Total| Some(seconds(total.time_us + total.preparation_us));
    add("with preparation", of_totals(with_preparation));
    let has_points = |total: &Total| total.max_points > 0;
    if totals.iter().any(has_points) {
        add("points", of_totals(|total| Some(total.points.to_string())));
        add("of", of_totals(|total| Some(total.max_points.to_string())));
        let share = |total: &Total| Some(percent(total.points, total.max_points));
        add("%", of_totals(share));
    }
    if totals.iter().any(|total| total.faults > 0) {
        add("faults", of_totals(|total| Some(total.faults.to_string())));
    }
    rows
}

/// Returns the times to an engine's solutions in microseconds, in ascending order.
pub fn solution_times(positions: &[PositionReport], engine: usize) -> Vec<u64> {
    let mut times: Vec<u64> = positions
        .iter()
        .filter_map(|position| position.attempts.get(engine)?.as_ref()?.solution())
        .map(|moment| moment.time_us)
        .collect();
    times.sort_unstable();
    times
}

/// Returns the number of positions that only this engine has solved.
fn solved_alone(positions: &[PositionReport], engine: usize) -> usize {
    let is_alone = |position: &&PositionReport| {
        let solvers = position.attempts.iter().enumerate();
        let mut solvers =
            solvers.filter(|(_, attempt)| attempt.as_ref().is_some_and(|attempt| attempt.solved));
        solvers.next().map(|(solver, _)| solver) == Some(engine) && solvers.next().is_none()
    };
    positions.iter().filter(is_alone).count()
}

/// Groups the positions by theme. Returns no groups unless there are at least two themes with an
/// average of two positions.
pub fn themes(positions: &[PositionReport]) -> Vec<(String, Vec<&PositionReport>)> {
    let mut themes = grouped(positions, |position| theme(&position.id));
    if themes.len() < 2 || themes.len() * 2 > positions.len() {
        themes.clear();
    }
    themes
}

/// Groups the positions by file.
pub fn suites(positions: &[PositionReport]) -> Vec<(String, Vec<&PositionReport>)> {
    grouped(positions, |position| position.place.file.clone())
}

fn grouped(
    positions: &[PositionReport],
    name: impl Fn(&PositionReport) -> String,
) -> Vec<(String, Vec<&PositionReport>)> {
    let mut groups: Vec<(String, Vec<&PositionReport>)> = Vec::new();
    for position in positions {
        let name = name(position);
        match groups.iter_mut().find(|(known, _)| *known == name) {
            Some((_, members)) => members.push(position),
            None => groups.push((name, vec![position])),
        }
    }
    groups
}

/// Returns an id without its number: the theme of `STS(v1.0) Undermine.001` is `STS(v1.0)
/// Undermine`. A letter directly behind the number, as in `ZPTS.21b`, belongs to it.
fn theme(id: &str) -> String {
    let is_digit = |c: char| c.is_ascii_digit();
    let is_joint = |c: char| c.is_whitespace() || matches!(c, '.' | '-' | ':' | '#' | '_');
    let Some(end) = id.rfind(is_digit).map(|last| last + 1) else {
        return id.trim().to_owned();
    };
    let (before, mut after) = id.split_at(end);
    let mut letters = after.chars();
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_lowercase());
    if is_letter(letters.next()) && letters.next().is_none_or(is_joint) {
        after = &after[1..];
    }
    let before = before.trim_end_matches(is_digit).trim_end_matches(is_joint);
    let after = after.trim_start_matches(is_joint);
    format!("{before} {after}").trim().to_owned()
}

/// Formats a share in percent.
pub fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return "-".to_owned();
    }
    format!("{:.1} %", 100.0 * part as f64 / whole as f64)
}

/// Formats microseconds as seconds.
pub fn seconds(micros: u64) -> String {
    format!("{:.3} s", micros as f64 / 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::epd::report::{EngineReport, Moment};
    use crate::tools::epd::test_support::report;

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
            ("ZPTS.21b", "ZPTS"),
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
        assert!((total.share() - 23.0 / 30.0).abs() < 1e-9);
        assert_eq!(Total::default().mean_solution_us(), None);
        assert_eq!(percent(1, 3), "33.3 %");
        assert_eq!(percent(0, 0), "-");
    }

    #[test]
    fn rows_compare_the_engines_and_are_never_empty() {
        // The times to the solution in milliseconds.
        let report = report(&[
            &[Some(5), Some(2_000), None, Some(7_000)],
            &[Some(50), None, None, Some(400)],
        ]);
        let rows = rows(&report);
        let row = |name: &str| {
            let row = rows.iter().find(|row| row.name == name);
            row.map(|row| {
                row.cells
                    .iter()
                    .flatten()
                    .cloned()
                    .collect::<Vec<_>>()
                    .join(" ")
            })
        };
        for (name, cells) in [
            ("solved", Some("3 2")),
            ("of", Some("4 4")),
            ("%", Some("75.0 % 50.0 %")),
            ("only this one", Some("1 0")),
            ("in 0.01 s", Some("1 0")),
            ("in 0.1 s", Some("1 1")),
            ("in 1 s", Some("1 2")),
            ("in 5 s", Some("2 2")),
            // By then everything is solved; the report has no points, nodes or faults.
            ("in 10 s", None),
            ("points", None),
            ("nodes", None),
            ("faults", None),
        ] {
            assert_eq!(row(name).as_deref(), cells, "{name}");
        }
        let alone = SuiteReport {
            engines: vec![EngineReport::default()],
            ..report
        };
        assert!(
            super::rows(&alone)
                .iter()
                .all(|row| row.name != "only this one")
        );
    }
}
