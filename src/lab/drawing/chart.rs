//! Growth as a chart: leaves, on a logarithmic scale, against depth.

use super::svg::{Anchor, Canvas, Font, Pen};
use crate::lab::growth::{Curve, REFERENCES, reference};

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 600.0;
const LEFT: f64 = 84.0;
const RIGHT: f64 = 270.0;
const TOP: f64 = 56.0;
const BOTTOM: f64 = 62.0;
const INK: &str = "#222222";
const GRID: &str = "#e4e4e4";
const GREY: &str = "#8a8a8a";
/// Colours that people with any kind of colour vision can tell apart (Okabe and Ito).
const COLOURS: [&str; 8] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a4b00", "#000000",
];
/// After the last colour they come again with gaps in their lines.
const DASHES: [&str; 4] = ["", "8 4", "3 3", "10 3 2 3"];
const REFERENCE_DASHES: [&str; 3] = ["12 4", "6 5", "2 4"];

/// Draws curves beside the powers of `branching` that growth is compared with.
pub fn draw(title: &str, branching: f64, deepest: u32, curves: &[Curve]) -> String {
    let leaves = curves.iter().flat_map(|curve| curve.leaves.iter().copied());
    let most = leaves.max().unwrap_or(1) as f64;
    let axes = Axes {
        deepest,
        decades: most
            .max(reference(branching, deepest, 1.0))
            .log10()
            .ceil()
            .max(1.0),
    };
    let mut canvas = Canvas::default();
    let middle = (LEFT + WIDTH - RIGHT) / 2.0;
    canvas.text((middle, 30.0), font(16.0, INK, Anchor::Middle, true), title);
    axes.draw(&mut canvas);
    let mut legend = Legend { y: TOP + 6.0 };
    for ((name, share), dashes) in REFERENCES.iter().zip(REFERENCE_DASHES) {
        let values = (1..=deepest).map(|depth| reference(branching, depth, *share));
        let pen = Pen {
            dashes,
            ..Pen::new(GREY, 1.5)
        };
        canvas.line(&axes.points(values), pen);
        legend.entry(&mut canvas, Some(pen), name);
    }
    // Equal curves hide each other, so they share a line of the legend.
    let mut drawn: Vec<(&Curve, Vec<&str>)> = Vec::new();
    for curve in curves.iter().filter(|curve| !curve.leaves.is_empty()) {
        match drawn
            .iter_mut()
            .find(|(other, _)| other.leaves == curve.leaves)
        {
            Some((_, names)) => names.push(curve.algorithm),
            None => drawn.push((curve, vec![curve.algorithm])),
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
        let points = axes.points(curve.leaves.iter().map(|leaves| *leaves as f64));
        canvas.line(&points, pen);
        for point in points {
            canvas.circle(point, 3.2, colour, Pen::new(colour, 1.0));
        }
        for (number, name) in names.iter().enumerate() {
            legend.entry(&mut canvas, (number == 0).then_some(pen), name);
        }
    }
    canvas.finish(WIDTH, HEIGHT.max(legend.y + 20.0))
}

struct Axes {
    deepest: u32,
    /// Powers of ten from 1 to the top.
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

    /// The points of values at depth 1, 2 and so on.
    fn points(&self, values: impl Iterator<Item = f64>) -> Vec<(f64, f64)> {
        let place = |(index, leaves)| (self.x(index as f64 + 1.0), self.y(leaves));
        values.enumerate().map(place).collect()
    }

    fn draw(&self, canvas: &mut Canvas) {
        let right = WIDTH - RIGHT;
        // At most about ten lines, whatever the range.
        let step = (self.decades / 10.0).ceil().max(1.0);
        let mut decade = 0.0;
        while decade <= self.decades {
            let y = self.y(10_f64.powf(decade));
            canvas.line(&[(LEFT, y), (right, y)], Pen::new(GRID, 1.0));
            let label = with_separators(decade);
            canvas.text(
                (LEFT - 8.0, y + 4.0),
                font(11.0, INK, Anchor::End, false),
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
                font(11.0, INK, Anchor::Middle, false),
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
            font(12.0, INK, Anchor::Middle, false),
            "depth d, in plies",
        );
        canvas.text(
            (LEFT - 8.0, TOP - 14.0),
            font(12.0, INK, Anchor::Middle, false),
            "different leaves",
        );
    }
}

/// A power of ten: written out while it is short.
fn with_separators(exponent: f64) -> String {
    match exponent as u32 {
        0 => "1".to_owned(),
        1 => "10".to_owned(),
        2 => "100".to_owned(),
        3 => "1,000".to_owned(),
        4 => "10,000".to_owned(),
        5 => "100,000".to_owned(),
        6 => "1,000,000".to_owned(),
        exponent => format!("10^{exponent}"),
    }
}

struct Legend {
    y: f64,
}

impl Legend {
    /// A name with its line, or without one if it shares that of the name above.
    fn entry(&mut self, canvas: &mut Canvas, pen: Option<Pen>, name: &str) {
        let x = WIDTH - RIGHT + 24.0;
        if let Some(pen) = pen {
            canvas.line(&[(x, self.y), (x + 34.0, self.y)], pen);
        }
        canvas.text(
            (x + 42.0, self.y + 4.0),
            font(12.0, INK, Anchor::Start, false),
            name,
        );
        self.y += 19.0;
    }
}

fn font(size: f64, colour: &'static str, anchor: Anchor, bold: bool) -> Font {
    Font {
        size,
        colour,
        anchor,
        bold,
    }
}
