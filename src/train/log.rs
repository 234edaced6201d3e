//! The log of losses, as a table and as a chart.

use std::io;

use serde::{Deserialize, Serialize};

use crate::svg::{Anchor, Canvas, Font, Pen};

/// A row of the log.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
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
    #[serde(rename = "training_loss")]
    pub training: f64,
    /// The mean loss over the validation positions, at the end of a superbatch.
    #[serde(rename = "validation_loss")]
    pub validation: Option<f64>,
}

/// The losses of a run.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Log {
    /// The rows.
    pub rows: Vec<LogRow>,
}

impl Log {
    /// Formats the log as CSV.
    ///
    /// # Errors
    /// Never fails in practice; the signature is that of the CSV writer.
    pub fn to_csv(&self) -> io::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in &self.rows {
            writer.serialize(row)?;
        }
        let bytes = writer.into_inner();
        bytes.map_err(|error| io::Error::other(error.to_string()))
    }

    /// Reads the rows up to a step from CSV, skipping damaged lines.
    pub fn from_csv(text: &[u8], last_step: u64) -> Log {
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text);
        let rows = reader.deserialize::<LogRow>().filter_map(Result::ok);
        Log {
            rows: rows.filter(|row| row.step <= last_step).collect(),
        }
    }
}

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 450.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 50.0;
/// The colours and names of the curves.
const CURVES: [(&str, &str); 2] = [("#1f77b4", "training"), ("#d62728", "held out")];
/// The share of the run whose losses may exceed the chart. The first ones are so high that the rest
/// would look flat.
const SHARE_OF_START: f64 = 0.1;
/// The number of grid lines in each direction.
const TICKS: u32 = 5;

impl Log {
    /// Draws the losses over the positions visited, as SVG.
    pub fn to_svg(&self, title: &str) -> String {
        let rows = self.rows.iter();
        let training = rows.clone().map(|row| (row.visits, row.training)).collect();
        let validation = rows
            .filter_map(|row| Some((row.visits, row.validation?)))
            .collect();
        let curves: [Vec<(u64, f64)>; 2] = [training, validation];
        let frame = ChartFrame::new(curves.iter().flatten());
        let mut canvas = Canvas::default();
        canvas.text((WIDTH / 2.0, 22.0), font(Anchor::Middle), title);
        frame.draw_grid(&mut canvas);
        for ((points, (colour, name)), number) in curves.iter().zip(CURVES).zip(1_u8..) {
            let pen = Pen::new(colour, 2.0);
            let points: Vec<(f64, f64)> = points
                .iter()
                .filter(|(_, loss)| loss.is_finite())
                .map(|&(visits, loss)| (frame.x(visits as f64), frame.y(loss)))
                .collect();
            canvas.line(&points, pen);
            // Validation losses are few.
            for &point in points.iter().filter(|_| number == 2) {
                canvas.circle(point, 3.0, colour, pen);
            }
            let (x, y) = (WIDTH - RIGHT - 110.0, TOP + 18.0 * f64::from(number));
            canvas.line(&[(x, y), (x + 24.0, y)], pen);
            canvas.text((x + 30.0, y + 4.0), font(Anchor::Start), name);
        }
        let last = |(points, (_, name)): (&Vec<(u64, f64)>, (&str, &str))| {
            let (visits, loss) = points.last()?;
            Some(format!("{name}: {loss} after {visits} positions"))
        };
        let losses: Vec<String> = curves.iter().zip(CURVES).filter_map(last).collect();
        canvas.finish(WIDTH, HEIGHT, title, &losses.join("; "))
    }
}

/// The visible range of the chart.
struct ChartFrame {
    most_visits: f64,
    low: f64,
    high: f64,
}

impl ChartFrame {
    fn new<'a>(points: impl Iterator<Item = &'a (u64, f64)>) -> ChartFrame {
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
        ChartFrame {
            most_visits: visits as f64,
            low: low - 0.05 * (high - low),
            high,
        }
    }

    fn x(&self, visits: f64) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * visits / self.most_visits
    }

    fn y(&self, loss: f64) -> f64 {
        let height = (loss.min(self.high) - self.low) / (self.high - self.low);
        HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * height
    }

    fn draw_grid(&self, canvas: &mut Canvas) {
        for tick in 0..=TICKS {
            let share = f64::from(tick) / f64::from(TICKS);
            let loss = self.low + (self.high - self.low) * share;
            let y = self.y(loss);
            canvas.line(&[(LEFT, y), (WIDTH - RIGHT, y)], Pen::new("#dddddd", 1.0));
            let label = format!("{loss:.5}");
            canvas.text((LEFT - 8.0, y + 4.0), font(Anchor::End), &label);
            let visits = self.most_visits * share;
            let label = format!("{:.*}", usize::from(self.most_visits < 1e8), visits / 1e6);
            let below = (self.x(visits), HEIGHT - BOTTOM + 18.0);
            canvas.text(below, font(Anchor::Middle), &label);
        }
        let bottom = (WIDTH / 2.0, HEIGHT - 12.0);
        canvas.text(bottom, font(Anchor::Middle), "million positions visited");
    }
}

fn font(anchor: Anchor) -> Font {
    Font::new(13.0, "#000000", anchor, false)
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
        let csv = log.to_csv().unwrap();
        let header = b"step,visits,rate,result_share,training_loss,validation_loss\n";
        assert!(csv.starts_with(header));
        assert_eq!(Log::from_csv(&csv, 200), log);
        assert_eq!(Log::from_csv(&csv, 99).rows[..], log.rows[..9]);
        let damaged = [&csv[..], b"1,2,x\n\0"].concat();
        assert_eq!(Log::from_csv(&damaged, 200), log);
        assert_eq!(Log::from_csv(b"step,\n1,2,x\n\0", 9), Log::default());
    }

    #[test]
    fn the_picture_has_two_curves_within_the_frame() {
        let svg = log().to_svg("a < b");
        // Two curves, their lines in the legend, and the grid.
        assert_eq!(svg.matches("<polyline").count(), 2 + 2 + 6);
        assert_eq!(svg.matches("<circle").count(), 4);
        assert!(svg.contains("a &lt; b") && !svg.contains("NaN") && !svg.contains("inf"));
        assert!(!Log::default().to_svg("nothing").contains("NaN"));
    }
}
