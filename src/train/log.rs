//! The log of losses, as a table and as a chart.

use std::fmt::Write as _;

/// A row of the log.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct LogRow {
    /// Steps done.
    pub step: u64,
    /// Positions visited.
    pub visits: u64,
    /// The learning rate of the last step.
    pub rate: f64,
    /// The share of the result in the target.
    pub result_share: f64,
    /// The mean loss over the steps since the previous row.
    pub training: f64,
    /// The mean loss over the validation positions, at the end of a superbatch.
    pub validation: Option<f64>,
}

/// The losses of a run.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Log {
    /// The rows.
    pub rows: Vec<LogRow>,
}

const HEADER: &str = "step,visits,rate,result_share,training_loss,validation_loss";

impl Log {
    /// Formats the log as CSV.
    pub fn to_csv(&self) -> String {
        let mut text = format!("{HEADER}\n");
        for row in &self.rows {
            let _ = writeln!(
                text,
                "{},{},{},{},{},{}",
                row.step,
                row.visits,
                row.rate,
                row.result_share,
                row.training,
                row.validation
                    .map_or(String::new(), |loss| loss.to_string())
            );
        }
        text
    }

    /// Reads the rows up to a step from CSV, skipping damaged lines.
    pub fn from_csv(text: &str, last_step: u64) -> Log {
        let rows = text.lines().filter_map(row);
        Log {
            rows: rows.filter(|row| row.step <= last_step).collect(),
        }
    }
}

fn row(line: &str) -> Option<LogRow> {
    let mut fields = line.split(',');
    let row = LogRow {
        step: fields.next()?.parse().ok()?,
        visits: fields.next()?.parse().ok()?,
        rate: fields.next()?.parse().ok()?,
        result_share: fields.next()?.parse().ok()?,
        training: fields.next()?.parse().ok()?,
        validation: match fields.next()? {
            "" => None,
            loss => Some(loss.parse().ok()?),
        },
    };
    fields.next().is_none().then_some(row)
}

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 450.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
/// The share of the run whose losses may exceed the chart. The first ones are so high that the rest
/// would look flat.
const SHARE_OF_START: f64 = 0.1;
/// The number of grid lines in each direction.
const TICKS: u32 = 5;

/// The visible range of the chart.
struct Frame {
    most_visits: f64,
    low: f64,
    high: f64,
}

impl Frame {
    fn x(&self, visits: f64) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * visits / self.most_visits
    }

    fn y(&self, loss: f64) -> f64 {
        let height = (loss.min(self.high) - self.low) / (self.high - self.low);
        HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * height
    }
}

impl Log {
    /// Draws the losses over the positions visited, as SVG.
    pub fn to_svg(&self, title: &str) -> String {
        let training = self.rows.iter().map(|row| (row.visits, row.training));
        let training: Vec<_> = training.collect();
        let validation = self
            .rows
            .iter()
            .filter_map(|row| Some((row.visits, row.validation?)));
        let validation: Vec<_> = validation.collect();
        let frame = frame(training.iter().chain(&validation));
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
             font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
        );
        text(&mut svg, WIDTH / 2.0, 22.0, "middle", title);
        grid(&mut svg, &frame);
        curve(&mut svg, &frame, &training, "#1f77b4", 0);
        curve(&mut svg, &frame, &validation, "#d62728", 1);
        for (line, (color, name)) in [("#1f77b4", "training"), ("#d62728", "held out")]
            .into_iter()
            .enumerate()
        {
            let y = TOP + 18.0 * (line as f64 + 1.0);
            let _ = writeln!(
                svg,
                "<path d=\"M{:.0} {y:.0}h24\" stroke=\"{color}\" stroke-width=\"2\"/>",
                WIDTH - RIGHT - 110.0
            );
            text(&mut svg, WIDTH - RIGHT - 80.0, y + 4.0, "start", name);
        }
        svg + "</svg>\n"
    }
}

fn frame<'a>(points: impl Iterator<Item = &'a (u64, f64)>) -> Frame {
    let points: Vec<_> = points.filter(|(_, loss)| loss.is_finite()).collect();
    let visits = points.iter().map(|point| point.0).max().unwrap_or(1).max(1);
    let start = (visits as f64 * SHARE_OF_START) as u64;
    let after_start = points.iter().filter(|point| point.0 > start);
    let (mut low, mut high) = (f64::INFINITY, 0_f64);
    for (_, loss) in after_start {
        low = low.min(*loss);
        high = high.max(*loss);
    }
    if low > high {
        (low, high) = (0.0, 1.0);
    }
    let high = high.max(low + 1e-6);
    Frame {
        most_visits: visits as f64,
        low: low - 0.05 * (high - low),
        high,
    }
}

fn text(svg: &mut String, x: f64, y: f64, anchor: &str, words: &str) {
    let words = words.replace('&', "&amp;").replace('<', "&lt;");
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{words}</text>"
    );
}

fn grid(svg: &mut String, frame: &Frame) {
    for tick in 0..=TICKS {
        let share = f64::from(tick) / f64::from(TICKS);
        let loss = frame.low + (frame.high - frame.low) * share;
        let y = frame.y(loss);
        let width = WIDTH - LEFT - RIGHT;
        let _ = writeln!(svg, "<path d=\"M{LEFT} {y:.1}h{width}\" stroke=\"#ddd\"/>");
        text(svg, LEFT - 8.0, y + 4.0, "end", &format!("{loss:.5}"));
        let visits = frame.most_visits * share;
        let label = format!("{:.*}", usize::from(frame.most_visits < 1e8), visits / 1e6);
        text(
            svg,
            frame.x(visits),
            HEIGHT - BOTTOM + 18.0,
            "middle",
            &label,
        );
    }
    text(
        svg,
        WIDTH / 2.0,
        HEIGHT - 12.0,
        "middle",
        "million positions visited",
    );
}

fn curve(svg: &mut String, frame: &Frame, points: &[(u64, f64)], color: &str, dots: u8) {
    let points = points.iter().filter(|(_, loss)| loss.is_finite());
    let places: Vec<String> = points
        .map(|&(visits, loss)| format!("{:.1},{:.1}", frame.x(visits as f64), frame.y(loss)))
        .collect();
    let _ = writeln!(
        svg,
        "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" points=\"{}\"/>",
        places.join(" ")
    );
    for (x, y) in places.iter().filter_map(|place| place.split_once(',')) {
        if dots > 0 {
            let _ = writeln!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"3\" fill=\"{color}\"/>"
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log() -> Log {
        let rows = (1..=20).map(|i| LogRow {
            step: i * 10,
            visits: i * 1000,
            rate: 0.1 / i as f64,
            result_share: 0.4,
            training: 0.02 + 0.1 / (i * i) as f64,
            validation: (i % 5 == 0).then_some(0.021),
        });
        Log {
            rows: rows.collect(),
        }
    }

    #[test]
    fn the_table_is_read_back_up_to_a_step() {
        let log = log();
        assert_eq!(Log::from_csv(&log.to_csv(), 200), log);
        assert_eq!(Log::from_csv(&log.to_csv(), 99).rows[..], log.rows[..9]);
        assert_eq!(Log::from_csv("step,\n1,2,x\n\u{0}", 9), Log::default());
    }

    #[test]
    fn the_picture_has_two_curves_within_the_frame() {
        let svg = log().to_svg("a < b");
        assert_eq!(svg.matches("<polyline").count(), 2);
        assert_eq!(svg.matches("<circle").count(), 4);
        assert!(svg.contains("a &lt; b") && !svg.contains("NaN") && !svg.contains("inf"));
        assert!(!Log::default().to_svg("nothing").contains("NaN"));
    }
}
