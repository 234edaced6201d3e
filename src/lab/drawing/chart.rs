//! A chart of growth on a logarithmic scale, against depth.

use crate::lab::growth::{Curve, Measure, Reference};
use crate::lab::language::Language;
use crate::svg::{Anchor, Canvas, Font, Pen};

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 600.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 270.0;
const TOP: f64 = 56.0;
const BOTTOM: f64 = 62.0;
const INK: &str = "#222222";
const GRID: &str = "#e4e4e4";
const GREY: &str = "#8a8a8a";
/// A palette that is safe for all kinds of colour blindness (Okabe and Ito).
const COLOURS: [&str; 8] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a4b00", "#000000",
];
/// Dash patterns: once all colours are used, they repeat with dashed lines.
const DASHES: [&str; 4] = ["", "8 4", "3 3", "10 3 2 3"];
const REFERENCE_DASHES: [&str; 3] = ["12 4", "6 5", "2 4"];

/// The contents of a chart.
pub struct Chart<'c> {
    /// The title.
    pub title: &'c str,
    /// The curves that growth is compared with.
    pub references: &'c [Reference],
    /// The largest depth.
    pub deepest: u32,
    /// The curves.
    pub curves: &'c [Curve],
    /// The quantity of the vertical axis.
    pub measure: Measure,
    /// The language of the axes.
    pub language: Language,
}

/// Draws curves beside those that growth is compared with.
pub fn draw(chart: &Chart<'_>) -> String {
    let Chart {
        title,
        references,
        deepest,
        curves,
        measure,
        language,
    } = *chart;
    let values = |curve: &'_ Curve| curve.values(measure).to_vec();
    let most = curves.iter().flat_map(values).max().unwrap_or(1) as f64;
    let largest = references.iter().flat_map(|reference| &reference.leaves);
    let largest = largest.copied().fold(most, f64::max);
    let axes = Axes {
        deepest,
        decades: largest.log10().ceil().max(1.0),
    };
    let mut canvas = Canvas::default();
    let middle = (LEFT + WIDTH - RIGHT) / 2.0;
    canvas.text(
        (middle, 30.0),
        Font::new(16.0, INK, Anchor::Middle, true),
        title,
    );
    axes.draw(&mut canvas, measure, language);
    let mut legend = Legend { y: TOP + 6.0 };
    for (Reference { name, leaves }, dashes) in references.iter().zip(REFERENCE_DASHES) {
        let pen = Pen {
            dashes,
            ..Pen::new(GREY, 1.5)
        };
        canvas.line(&axes.points(leaves.iter().copied()), pen);
        legend.entry(&mut canvas, Some(pen), name);
    }
    // Equal curves hide each other, so they share a line of the legend.
    let mut drawn: Vec<(&Curve, Vec<&str>)> = Vec::new();
    for curve in curves.iter().filter(|curve| !values(curve).is_empty()) {
        match drawn
            .iter_mut()
            .find(|(other, _)| values(other) == values(curve))
        {
            Some((_, names)) => names.push(curve.algorithm.as_str()),
            None => drawn.push((curve, vec![curve.algorithm.as_str()])),
        }
    }
    for (number, (curve, names)) in drawn.iter().enumerate() {
        let colour = COLOURS.iter().cycle().nth(number).copied().unwrap_or(INK);
        let dashes = DASHES
            .iter()
            .cycle()
            .nth(number / COLOURS.len())
            .copied()
            .unwrap_or("");
        let pen = Pen {
            dashes,
            ..Pen::new(colour, 2.2)
        };
        let points = axes.points(values(curve).into_iter().map(|value| value as f64));
        canvas.line(&points, pen);
        for point in points {
            canvas.circle(point, 3.2, colour, Pen::new(colour, 1.0));
        }
        for (number, name) in names.iter().enumerate() {
            legend.entry(&mut canvas, (number == 0).then_some(pen), name);
        }
    }
    let height = HEIGHT.max(legend.y + 20.0);
    canvas.finish(WIDTH, height, title, &description(chart))
}

/// Writes the curves as numbers, for those who do not see them.
fn description(chart: &Chart<'_>) -> String {
    let curve = |curve: &Curve| {
        let values: Vec<String> = curve
            .values(chart.measure)
            .iter()
            .map(u64::to_string)
            .collect();
        format!("{}: {}", curve.algorithm, values.join(" "))
    };
    let curves: Vec<String> = chart.curves.iter().map(curve).collect();
    let measure = measure_text(chart.measure, chart.language);
    format!("{measure}; {}", curves.join("; "))
}

struct Axes {
    deepest: u32,
    /// The number of powers of ten on the vertical axis.
    decades: f64,
}

impl Axes {
    fn x(&self, depth: f64) -> f64 {
        let steps = f64::from(self.deepest.max(2) - 1);
        LEFT + 16.0 + (WIDTH - LEFT - RIGHT - 32.0) * (depth - 1.0) / steps
    }

    fn y(&self, leaves: f64) -> f64 {
        let share = leaves.max(1.0).log10() / self.decades;
        HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share
    }

    /// Returns the points of values at depths 1, 2 and so on.
    fn points(&self, values: impl Iterator<Item = f64>) -> Vec<(f64, f64)> {
        let place = |(index, leaves)| (self.x(index as f64 + 1.0), self.y(leaves));
        values.enumerate().map(place).collect()
    }

    fn draw(&self, canvas: &mut Canvas, measure: Measure, language: Language) {
        let right = WIDTH - RIGHT;
        // About ten lines at most, whatever the range.
        let step = (self.decades / 10.0).ceil().max(1.0);
        let mut decade = 0.0;
        while decade <= self.decades {
            let y = self.y(10_f64.powf(decade));
            canvas.line(&[(LEFT, y), (right, y)], Pen::new(GRID, 1.0));
            let label = with_separators(decade, language);
            canvas.text(
                (LEFT - 8.0, y + 4.0),
                Font::new(11.0, INK, Anchor::End, false),
                &label,
            );
            decade += step;
        }
        let bottom = HEIGHT - BOTTOM;
        for depth in 1..=self.deepest {
            let x = self.x(f64::from(depth));
            canvas.line(&[(x, bottom), (x, bottom + 5.0)], Pen::new(INK, 1.0));
            let label = depth.to_string();
            canvas.text(
                (x, bottom + 20.0),
                Font::new(11.0, INK, Anchor::Middle, false),
                &label,
            );
        }
        canvas.line(
            &[(LEFT, TOP), (LEFT, bottom), (right, bottom)],
            Pen::new(INK, 1.2),
        );
        let middle = (LEFT + right) / 2.0;
        canvas.text(
            (middle, bottom + 44.0),
            Font::new(12.0, INK, Anchor::Middle, false),
            language.pick("depth d, in plies", "profundidad d, en plies"),
        );
        canvas.text(
            (LEFT - 8.0, TOP - 14.0),
            Font::new(12.0, INK, Anchor::Middle, false),
            measure_text(measure, language),
        );
    }
}

/// Returns the name of a quantity.
pub fn measure_text(measure: Measure, language: Language) -> &'static str {
    match measure {
        Measure::Leaves => language.pick("different leaves", "hojas distintas"),
        Measure::Evaluations => language.pick("leaves evaluated", "hojas evaluadas"),
        Measure::Nodes => language.pick("nodes visited", "nodos visitados"),
        Measure::Time => language.pick("microseconds", "microsegundos"),
    }
}

/// Writes a power of ten: small ones in digits, others as 10^n.
fn with_separators(exponent: f64, language: Language) -> String {
    let english = match exponent as u32 {
        0 => "1",
        1 => "10",
        2 => "100",
        3 => "1,000",
        4 => "10,000",
        5 => "100,000",
        6 => "1,000,000",
        exponent => return format!("10^{exponent}"),
    };
    language.pick(english.to_owned(), english.replace(',', "\u{a0}"))
}

struct Legend {
    y: f64,
}

impl Legend {
    /// Writes a name in the legend; its line is left out if it shares that of the name above.
    fn entry(&mut self, canvas: &mut Canvas, pen: Option<Pen>, name: &str) {
        let x = WIDTH - RIGHT + 24.0;
        if let Some(pen) = pen {
            canvas.line(&[(x, self.y), (x + 34.0, self.y)], pen);
        }
        canvas.text(
            (x + 42.0, self.y + 4.0),
            Font::new(12.0, INK, Anchor::Start, false),
            name,
        );
        self.y += 19.0;
    }
}
