//! A chart of the positions solved over time.

use maud::{Markup, html};

use super::super::comparison::solution_times;
use super::super::report::SuiteReport;
use super::colour;
use crate::plural::count;

/// The size of the chart and its margins, in SVG units.
const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 210.0;
const LEFT: f64 = 34.0;
const RIGHT: f64 = 14.0;
const TOP: f64 = 8.0;
const BOTTOM: f64 = 28.0;

/// The shortest time on the scale, in microseconds.
const SHORTEST_US: f64 = 1_000.0;

/// The dash patterns of the engines' lines. Where lines coincide, the gaps show those below.
const DASHES: [&str; 4] = ["none", "9 6", "3 5", "12 4 3 4"];

/// Renders a chart with a line for each engine: the positions solved, over a logarithmic scale of
/// time. Renders nothing if nothing was solved.
pub fn picture(report: &SuiteReport) -> Markup {
    let times: Vec<Vec<u64>> = (0..report.engines.len())
        .map(|engine| solution_times(&report.positions, engine))
        .collect();
    let Some(&last) = times.iter().filter_map(|times| times.last()).max() else {
        return Markup::default();
    };
    let axes = CurveAxes {
        decades: (last as f64 / SHORTEST_US).log10().ceil().max(1.0),
        most: report.positions.len(),
    };
    html! {
        figure.curve {
            (svg(report, &axes, &times))
            figcaption { ul.legend {
                @for (number, (engine, times)) in report.engines.iter().zip(&times).enumerate() {
                    li { (swatch(number)) (engine.name) ": " (times.len()) " solved" }
                }
            } }
        }
    }
}

/// A logarithmic scale of time and a linear one of positions.
struct CurveAxes {
    /// The powers of ten that the scale of time spans.
    decades: f64,
    /// The number of positions at the top.
    most: usize,
}

impl CurveAxes {
    fn x(&self, micros: u64) -> f64 {
        let decades = (micros as f64 / SHORTEST_US).max(1.0).log10();
        LEFT + (WIDTH - LEFT - RIGHT) * decades / self.decades
    }

    fn y(&self, solved: usize) -> f64 {
        let height = HEIGHT - TOP - BOTTOM;
        HEIGHT - BOTTOM - height * solved as f64 / self.most.max(1) as f64
    }

    /// Returns the powers of ten on the scale of time, in microseconds.
    fn times(&self) -> impl Iterator<Item = u64> {
        (0..=self.decades as u32).map(|decade| SHORTEST_US as u64 * 10_u64.pow(decade))
    }
}

/// Renders the scales and a line for each engine.
fn svg(report: &SuiteReport, axes: &CurveAxes, times: &[Vec<u64>]) -> Markup {
    html! {
        svg xmlns="http://www.w3.org/2000/svg" viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" {
            title { "Positions solved over time" }
            desc { (description(report, axes, times)) }
            @for time in axes.times() {
                @let x = format!("{:.1}", axes.x(time));
                path.rule d={ "M" (x) " " (TOP) "V" (axes.y(0)) } {}
                text x=(x) y=(HEIGHT - 10.0) text-anchor="middle" { (time as f64 / 1e6) " s" }
            }
            @for solved in marks(axes.most) {
                @let y = axes.y(solved);
                path.rule d=(format!("M{LEFT} {y:.1}H{}", WIDTH - RIGHT)) {}
                text x=(LEFT - 4.0) y=(format!("{:.1}", y + 3.5)) text-anchor="end" { (solved) }
            }
            @for (number, times) in times.iter().enumerate() {
                (line(number, &steps(axes, times)))
            }
        }
    }
}

/// Returns the path of a line that rises by one position at each of these times.
fn steps(axes: &CurveAxes, times: &[u64]) -> String {
    let rises = times.iter().zip(1..);
    let rises = rises.map(|(&time, solved)| format!("H{:.1}V{:.1}", axes.x(time), axes.y(solved)));
    let (left, bottom) = (axes.x(0), axes.y(0));
    let rises: String = rises.collect();
    format!("M{left:.1} {bottom:.1}{rises}H{:.1}", WIDTH - RIGHT)
}

/// Renders a path in the style of an engine.
fn line(engine: usize, path: &str) -> Markup {
    let dashes = DASHES.iter().cycle().nth(engine).unwrap_or(&"none");
    html! { path.engine stroke=(colour(engine)) stroke-dasharray=(dashes) d=(path) {} }
}

/// Renders a sample of an engine's line.
fn swatch(engine: usize) -> Markup {
    html! { svg.swatch viewBox="0 0 30 6" aria-hidden="true" { (line(engine, "M0 3H30")) } " " }
}

/// Returns about five round numbers from 0 to `most`.
fn marks(most: usize) -> impl Iterator<Item = usize> {
    let steps = [
        1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500, 1_000, 2_500, 10_000,
    ];
    let step = steps.into_iter().find(|step| most / step <= 5);
    (0..=most).step_by(step.unwrap_or(100_000))
}

/// Describes the chart: the number of positions that each engine has solved at each time on the
/// scale.
fn description(report: &SuiteReport, axes: &CurveAxes, times: &[Vec<u64>]) -> String {
    let engines = report.engines.iter().zip(times).map(|(engine, solved)| {
        let counts = axes.times().map(|time| {
            let count = solved.partition_point(|&found| found <= time);
            format!("{count} in {} s", time as f64 / 1e6)
        });
        let counts: Vec<String> = counts.collect();
        format!("{}: {}", engine.name, counts.join(", "))
    });
    let engines: Vec<String> = engines.collect();
    format!(
        "{}. The suite has {}.",
        engines.join(". "),
        count(report.positions.len(), "position")
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::epd::test_support::report;

    #[test]
    fn lines_rise_at_the_times_of_solutions() {
        let report = report(&[&[Some(10), Some(100), None], &[Some(10), None, None]]);
        let html = picture(&report).into_string();
        let axes = CurveAxes {
            decades: 2.0,
            most: 3,
        };
        let (ten, hundred) = (axes.x(10_000), axes.x(100_000));
        let path = format!(
            "M{LEFT:.1} {:.1}H{ten:.1}V{:.1}H{hundred:.1}V{:.1}H{:.1}\"",
            axes.y(0),
            axes.y(1),
            axes.y(2),
            WIDTH - RIGHT
        );
        assert!(html.contains(&path), "{path}\n{html}");
        assert!(
            html.contains("<desc>A: 0 in 0.001 s, 1 in 0.01 s, 2 in 0.1 s. B: "),
            "{html}"
        );
        assert_eq!(html.matches("class=\"swatch\"").count(), 2);
        assert_eq!((ten - LEFT) * 2.0, hundred - LEFT);
    }

    #[test]
    fn nothing_solved_is_no_picture() {
        assert_eq!(picture(&report(&[&[None]])).into_string(), "");
    }

    #[test]
    fn scales_have_few_round_numbers() {
        assert_eq!(marks(3).collect::<Vec<_>>(), [0, 1, 2, 3]);
        assert_eq!(marks(300).collect::<Vec<_>>(), [0, 100, 200, 300]);
        assert!((0..=20_000).all(|most| marks(most).count() <= 6));
    }
}
