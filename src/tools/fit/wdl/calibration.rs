//! A table of predicted and observed results.

use std::fmt;
use std::ops::RangeInclusive;

use super::fit::{Fitted, totals};
use super::histogram::{Histogram, OutcomeCell, Outcomes};
use super::source::terms_text;
use crate::plural::count;
use crate::wdl::Model;

/// The bands of material, in pawns.
const BANDS: [RangeInclusive<u32>; 5] = [0..=14, 15..=29, 30..=44, 45..=59, 60..=78];

/// The upper ends of the rows of a table, in centipawns of the search.
const EDGES: [u16; 13] = [
    10, 25, 50, 75, 100, 150, 200, 250, 300, 400, 500, 700, 1_000,
];

/// The amounts of material at which the model is printed.
const SHOWN: [u32; 9] = [78, 70, 60, 50, 40, 30, 20, 10, 5];

/// The weight below which the summary leaves out a row. A game weighs one at each amount of
/// material, so that it may weigh more than one in a row.
const MIN_WEIGHT: f64 = 100.0;

/// A row of the table.
#[derive(Clone, Copy, Default, Debug)]
struct CalibrationRow {
    seen: Outcomes,
    /// The predicted weights of games won, drawn and lost.
    expected: [f64; 3],
}

impl CalibrationRow {
    fn add(&mut self, cell: &OutcomeCell, model: &Model) {
        let (win, loss) = model.win_and_loss(f64::from(cell.score), cell.material);
        let weight = cell.outcomes.weight();
        let chances = [win, 1.0 - win - loss, loss];
        for (sum, chance) in self.expected.iter_mut().zip(chances) {
            *sum += weight * chance;
        }
        self.seen.add(&cell.outcomes);
    }

    /// Returns the largest difference between prediction and observation, as a share of the games.
    fn difference(&self) -> f64 {
        self.expected
            .iter()
            .zip(self.seen.weights)
            .map(|(expected, seen)| (expected - seen).abs() / self.seen.weight())
            .fold(0.0, f64::max)
    }
}

/// A model and the results that it was fitted to.
#[derive(Debug)]
pub struct Calibration<'a> {
    histogram: &'a Histogram,
    fitted: &'a Fitted,
    cells: Vec<OutcomeCell>,
}

impl<'a> Calibration<'a> {
    /// Returns the calibration of a model that was fitted to the histogram.
    pub fn new(histogram: &'a Histogram, fitted: &'a Fitted) -> Calibration<'a> {
        Calibration {
            histogram,
            fitted,
            cells: histogram.cells(),
        }
    }

    /// Returns the rows of a band. The last has all scores beyond the edges.
    fn rows(&self, band: &RangeInclusive<u32>) -> Vec<CalibrationRow> {
        let mut rows = vec![CalibrationRow::default(); EDGES.len() + 1];
        for cell in self
            .cells
            .iter()
            .filter(|cell| band.contains(&cell.material))
        {
            let row = EDGES.partition_point(|&edge| edge < cell.score);
            if let Some(row) = rows.get_mut(row) {
                row.add(cell, &self.fitted.model);
            }
        }
        rows
    }

    /// Writes the loss of the model, beside that of a prediction without scores, and the scale K.
    fn write_summary(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let totals = totals(&self.cells);
        let weight: f64 = totals.iter().sum();
        let shares = totals.map(|total| total / weight);
        let blind: f64 = shares.iter().map(|share| -share * share.ln()).sum();
        let [won, drawn, lost] = shares.map(|share| 100.0 * share);
        writeln!(
            f,
            "{}, {} used; the side ahead won {won:.1} %, drew {drawn:.1} %, lost {lost:.1} %",
            count(self.histogram.games, "game"),
            count(self.histogram.positions, "position")
        )?;
        writeln!(
            f,
            "loss {:.4} nats, {blind:.4} without knowing the score",
            self.fitted.loss
        )?;
        writeln!(
            f,
            "K = {:.0} in points = 1 / (1 + exp(-x / K)), x in centipawns of the search",
            self.fitted.scale
        )
    }

    fn write_model(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = &self.fitted.model;
        writeln!(
            f,
            "\nwin(x) = 1 / (1 + exp((a - x) / b)), loss(x) = win(-x), x in centipawns of the search"
        )?;
        writeln!(
            f,
            "a and b from the constant term up, by material / 78, for material from {} to {}:",
            model.least, model.most
        )?;
        writeln!(
            f,
            "a: {}\nb: {}",
            terms_text(&model.a),
            terms_text(&model.b)
        )?;
        writeln!(f, "\nmaterial      a      b  games there")?;
        for material in SHOWN {
            let (a, b) = model.at(material);
            let games: f64 = self
                .cells
                .iter()
                .filter(|cell| cell.material == material)
                .map(|cell| cell.outcomes.weight())
                .fold(0.0, |sum, weight| sum + weight); // The sum of nothing is -0.
            writeln!(f, "{material:>8} {a:>6.1} {b:>6.1} {games:>12.0}")?;
        }
        Ok(())
    }

    fn write_band(
        &self,
        f: &mut fmt::Formatter<'_>,
        band: &RangeInclusive<u32>,
        rows: &[CalibrationRow],
    ) -> fmt::Result {
        writeln!(
            f,
            "\nmaterial {} to {}: predicted | observed, in percent\n{:>12} {:>10} {:>9}   {:^13}   {:^13}   {:^13}",
            band.start(),
            band.end(),
            "score",
            "positions",
            "weight",
            "won",
            "drawn",
            "lost"
        )?;
        let mut from = 0;
        for (row, edge) in rows.iter().zip(EDGES.into_iter().map(Some).chain([None])) {
            let to = edge.map_or("..".to_owned(), |edge| edge.to_string());
            let weight = row.seen.weight();
            if row.seen.positions > 0 {
                write!(
                    f,
                    "{from:>5} - {to:>4} {:>10} {weight:>9.0}",
                    row.seen.positions
                )?;
                for (expected, seen) in row.expected.iter().zip(row.seen.weights) {
                    let percent = |part: f64| 100.0 * part / weight;
                    write!(f, "   {:>5.1} | {:>5.1}", percent(*expected), percent(seen))?;
                }
                writeln!(f)?;
            }
            from = edge.map_or(from, |edge| edge + 1);
        }
        Ok(())
    }
}

impl fmt::Display for Calibration<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_summary(f)?;
        self.write_model(f)?;
        let (mut worst, mut sum, mut weight) = (0.0_f64, 0.0, 0.0);
        for band in &BANDS {
            let rows = self.rows(band);
            if rows.iter().all(|row| row.seen.positions == 0) {
                continue;
            }
            self.write_band(f, band, &rows)?;
            for row in rows.iter().filter(|row| row.seen.weight() >= MIN_WEIGHT) {
                worst = worst.max(row.difference());
                sum += row.seen.weight() * row.difference();
                weight += row.seen.weight();
            }
        }
        if weight > 0.0 {
            writeln!(
                f,
                "\npredicted and observed differ by {:.1} percentage points on average, {:.1} at most (rows with a weight of {MIN_WEIGHT} or more)",
                100.0 * sum / weight,
                100.0 * worst
            )?;
        }
        Ok(())
    }
}
