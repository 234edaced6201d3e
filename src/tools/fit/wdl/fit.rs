//! Maximum-likelihood fits: the model of wins, draws and losses, and the scale K.
//!
//! With u = (x - a) / b, v = (-x - a) / b and softplus(z) = ln(1 + e^z), the logarithms of the
//! chances are
//!
//! ```text
//! ln win = u - softplus(u)    ln loss = v - softplus(v)    ln draw = ln(1 - e^(u + v)) - softplus(u) - softplus(v)
//! ```
//!
//! Their sum over all positions is maximised by Fisher scoring, which is Newton's method with the
//! expected curvature instead of the observed one, with Levenberg-Marquardt damping: a step that
//! does not improve the likelihood, or makes a or b negative, is repeated with more damping.

#![allow(clippy::indexing_slicing)] // Small matrices of a fixed size.

use super::FitError;
use super::histogram::OutcomeCell;
use crate::train::scale::golden_section;
use crate::wdl::{Model, TERMS, logistic};

/// The number of coefficients of both polynomials.
const SIZE: usize = 2 * TERMS;
/// The limit of steps, more than any fit has needed.
const MOST_STEPS: usize = 500;
/// The expected gain of a step in nats per game below which the fit has converged.
const ENOUGH: f64 = 1e-12;
/// The expected gain above which the fit has failed.
const TOO_MUCH: f64 = 1e-7;
/// The range of the scale K in centipawns.
const SCALES: (f64, f64) = (20.0, 2000.0);
/// The share of games outside the range of material, at either end.
const OUTSIDE: f64 = 0.01;
/// The reciprocal of the precision of the written coefficients.
const DECIMALS: f64 = 1e3;

type Vector = [f64; SIZE];
type Matrix = [Vector; SIZE];

/// A fitted model.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fitted {
    /// The model, with coefficients rounded as they are written.
    pub model: Model,
    /// The mean cross-entropy of the results, in nats.
    pub loss: f64,
    /// K in `points = 1 / (1 + exp(-score / K))`, in centipawns of the search.
    pub scale: f64,
}

/// Fits a model.
///
/// # Errors
/// Fails when one of the three results is missing, or the best model makes no sense.
pub fn fit(cells: &[OutcomeCell]) -> Result<Fitted, FitError> {
    let totals = totals(cells);
    for (total, name) in totals.into_iter().zip(["won", "drawn", "lost"]) {
        if total <= 0.0 {
            return Err(FitError::NoSuchResult(name));
        }
    }
    let weight: f64 = totals.iter().sum();
    let model = rounded(maximise(start(cells), cells, weight)?);
    if let Some(material) = model.fault() {
        return Err(no_fit(&model, material));
    }
    Ok(Fitted {
        model,
        loss: loss(&model, cells) / weight,
        scale: fit_scale(cells),
    })
}

/// Returns the weights of the games that the side ahead won, drew and lost.
pub fn totals(cells: &[OutcomeCell]) -> [f64; 3] {
    cells.iter().fold([0.0; 3], |mut sums, cell| {
        for (sum, weight) in sums.iter_mut().zip(cell.outcomes.weights) {
            *sum += weight;
        }
        sums
    })
}

/// Returns the initial model: constant in the material, of the size of the scores.
fn start(cells: &[OutcomeCell]) -> Model {
    let (mut weight, mut scores) = (0.0, 0.0);
    for cell in cells {
        weight += cell.outcomes.weight();
        scores += cell.outcomes.weight() * f64::from(cell.score);
    }
    let usual = (scores / weight).max(1.0);
    let (least, most) = range(cells, OUTSIDE * weight);
    let mut model = Model {
        least,
        most,
        a: [0.0; TERMS],
        b: [0.0; TERMS],
    };
    model.a[0] = usual;
    model.b[0] = usual / 2.0;
    model
}

/// Returns the range of material that covers the games, except for this weight at either end.
fn range(cells: &[OutcomeCell], outside: f64) -> (u32, u32) {
    // The cells are ordered by material.
    let end = |cells: &mut dyn Iterator<Item = &OutcomeCell>| {
        let mut sum = 0.0;
        let mut last = 0;
        for cell in cells {
            last = cell.material;
            sum += cell.outcomes.weight();
            if sum > outside {
                break;
            }
        }
        last
    };
    (end(&mut cells.iter()), end(&mut cells.iter().rev()))
}

/// Maximises the likelihood.
fn maximise(mut model: Model, cells: &[OutcomeCell], weight: f64) -> Result<Model, FitError> {
    let mut now = loss(&model, cells);
    let mut damping = 1e-3;
    let mut expected_gain = f64::INFINITY;
    for _ in 0..MOST_STEPS {
        let (slope, curvature) = derivatives(&model, cells);
        let step = solve(&curvature, &slope, 1e-9);
        expected_gain = step
            .iter()
            .zip(slope)
            .map(|(step, slope)| step * slope)
            .sum::<f64>()
            / weight;
        if expected_gain < ENOUGH {
            break;
        }
        while damping < 1e9 {
            let next = moved(&model, &solve(&curvature, &slope, damping));
            let after = loss(&next, cells);
            // The loss is NaN where the model makes no sense.
            if next.fault().is_none() && after < now {
                (model, now) = (next, after);
                break;
            }
            damping *= 10.0;
        }
        if damping >= 1e9 {
            break;
        }
        damping = (damping / 10.0).max(1e-9);
    }
    if expected_gain < TOO_MUCH {
        Ok(model)
    } else {
        let narrowest = (model.least..=model.most).min_by(|&m, &n| {
            let least = |material| {
                let (a, b) = model.at(material);
                a.min(b)
            };
            least(m).total_cmp(&least(n))
        });
        Err(no_fit(&model, narrowest.unwrap_or(model.least)))
    }
}

/// Returns the error, with the material at which the model is worst.
fn no_fit(model: &Model, material: u32) -> FitError {
    let (a, b) = model.at(material);
    FitError::NoFit(format!(
        "with {material} pawns of material the best found is a = {a:.1}, b = {b:.1}"
    ))
}

/// Fits K in `points = 1 / (1 + exp(-score / K))`, in which a draw is half a point.
pub fn fit_scale(cells: &[OutcomeCell]) -> f64 {
    golden_section(SCALES, 0.05, |scale| {
        cells
            .iter()
            .map(|cell| {
                let exponent = f64::from(cell.score) / scale;
                let [won, drawn, _] = cell.outcomes.weights;
                cell.outcomes.weight() * softplus(exponent) - (won + drawn / 2.0) * exponent
            })
            .sum()
    })
}

/// Returns the negative log-likelihood of all results, in nats.
pub fn loss(model: &Model, cells: &[OutcomeCell]) -> f64 {
    cells
        .iter()
        .map(|cell| {
            let (a, b) = model.at(cell.material);
            let score = f64::from(cell.score);
            let (u, v) = ((score - a) / b, (-score - a) / b);
            let [won, drawn, lost] = cell.outcomes.weights;
            let draw = (-(u + v).exp_m1()).ln();
            (won + drawn) * softplus(u) - won * u + (lost + drawn) * softplus(v)
                - lost * v
                - drawn * draw
        })
        .sum()
}

/// Returns ln(1 + e^z).
fn softplus(z: f64) -> f64 {
    z.max(0.0) + (-z.abs()).exp().ln_1p()
}

/// Returns the gradient of the log-likelihood by the coefficients, and the Fisher information.
fn derivatives(model: &Model, cells: &[OutcomeCell]) -> (Vector, Matrix) {
    let mut slope = [0.0; SIZE];
    let mut curvature = [[0.0; SIZE]; SIZE];
    for cell in cells {
        let slopes = slopes(model, cell);
        let powers = powers(model.share(cell.material));
        // By a and b: the observed slope, and the expected products of slopes.
        let mut seen = [0.0; 2];
        let mut expected = [[0.0; 2]; 2];
        for ((chance, by), weight) in slopes.into_iter().zip(cell.outcomes.weights) {
            for i in 0..2 {
                seen[i] += weight * by[i];
                for j in 0..2 {
                    expected[i][j] += cell.outcomes.weight() * chance * by[i] * by[j];
                }
            }
        }
        for row in 0..SIZE {
            slope[row] += seen[row / TERMS] * powers[row % TERMS];
            for column in 0..SIZE {
                curvature[row][column] += expected[row / TERMS][column / TERMS]
                    * powers[row % TERMS]
                    * powers[column % TERMS];
            }
        }
    }
    (slope, curvature)
}

/// Returns the chances of a win, a draw and a loss, each with the slope of its logarithm by a and
/// b.
fn slopes(model: &Model, cell: &OutcomeCell) -> [(f64, [f64; 2]); 3] {
    let (a, b) = model.at(cell.material);
    let score = f64::from(cell.score);
    let (u, v) = ((score - a) / b, (-score - a) / b);
    let (win, loss) = (logistic(u), logistic(v));
    // du/da = dv/da = -1/b, du/db = -u/b, dv/db = -v/b.
    let by = |by_u: f64, by_v: f64| [-(by_u + by_v) / b, -(by_u * u + by_v * v) / b];
    let rest = 1.0 / (-(u + v)).exp_m1();
    [
        (win, by(1.0 - win, 0.0)),
        (1.0 - win - loss, by(-win - rest, -loss - rest)),
        (loss, by(0.0, 1.0 - loss)),
    ]
}

/// Returns 1, x, x^2, ..
fn powers(x: f64) -> [f64; TERMS] {
    let mut powers = [1.0; TERMS];
    for i in 1..TERMS {
        powers[i] = powers[i - 1] * x;
    }
    powers
}

/// Returns the model after a step.
fn moved(model: &Model, by: &Vector) -> Model {
    let mut moved = *model;
    for i in 0..TERMS {
        moved.a[i] += by[i];
        moved.b[i] += by[TERMS + i];
    }
    moved
}

/// Returns the model with its coefficients as they are written.
fn rounded(mut model: Model) -> Model {
    for term in model.a.iter_mut().chain(&mut model.b) {
        // Adding zero turns -0 into 0.
        *term = (*term * DECIMALS).round() / DECIMALS + 0.0;
    }
    model
}

/// Solves `(matrix + damping * diagonal) x = vector` by Gaussian elimination, which needs no
/// pivoting for a symmetric positive matrix.
fn solve(matrix: &Matrix, vector: &Vector, damping: f64) -> Vector {
    let mut rows = *matrix;
    let mut x = *vector;
    for (i, row) in rows.iter_mut().enumerate() {
        row[i] = row[i] * (1.0 + damping) + f64::MIN_POSITIVE;
    }
    for pivot in 0..SIZE {
        let pivots = rows[pivot];
        for row in pivot + 1..SIZE {
            let factor = rows[row][pivot] / pivots[pivot];
            for (entry, above) in rows[row].iter_mut().zip(pivots).skip(pivot) {
                *entry -= factor * above;
            }
            x[row] -= factor * x[pivot];
        }
    }
    for row in (0..SIZE).rev() {
        for column in row + 1..SIZE {
            x[row] -= rows[row][column] * x[column];
        }
        x[row] /= rows[row][row];
    }
    x
}
