//! The model under which the results were likeliest.
//!
//! With u = (x - a) / b, v = (-x - a) / b and softplus(z) = ln(1 + e^z), the logarithms of the chances are
//!
//! ```text
//! ln win = u - softplus(u)    ln loss = v - softplus(v)    ln draw = ln(1 - e^(u + v)) - softplus(u) - softplus(v)
//! ```
//!
//! Their sum over all positions is climbed by Fisher's scoring, which is Newton's method with the expected curvature for the
//! actual one, with Levenberg's and Marquardt's damping: a step that does not help, or leads to where a or b is not positive,
//! is tried again shorter.

// Small matrices of a fixed size, by numbers that run over that size.
#![allow(clippy::indexing_slicing)]

use super::WdlError;
use super::histogram::Cell;
use crate::wdl::{Model, TERMS};

/// Coefficients of both polynomials.
const SIZE: usize = 2 * TERMS;
/// More steps than any fit has needed.
const MOST_STEPS: usize = 500;
/// A step that promises less than this, in nats a game, is not worth taking.
const ENOUGH: f64 = 1e-12;
/// A fit that ends where a step promises more than this is none.
const TOO_MUCH: f64 = 1e-7;
/// The share of the games that may lie outside the range of material, at either end.
const OUTSIDE: f64 = 0.01;
/// As many decimals of the coefficients are written.
const DECIMALS: f64 = 1e3;

type Vector = [f64; SIZE];
type Matrix = [Vector; SIZE];

/// A model and how well it explains what it was fitted to.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Fitted {
    /// The model, its coefficients rounded to what is written.
    pub model: Model,
    /// The mean of minus the logarithm of the chance that it gave to what happened, in nats.
    pub loss: f64,
}

/// Fits a model.
///
/// # Errors
/// When there are not all three results, or the best model makes no sense.
pub fn fit(cells: &[Cell]) -> Result<Fitted, WdlError> {
    let totals = totals(cells);
    for (total, name) in totals.into_iter().zip(["won", "drawn", "lost"]) {
        if total <= 0.0 {
            return Err(WdlError::NoSuchResult(name));
        }
    }
    let weight: f64 = totals.iter().sum();
    let model = rounded(climb(start(cells), cells, weight)?);
    if let Some(material) = model.fault() {
        return Err(no_fit(&model, material));
    }
    Ok(Fitted {
        model,
        loss: loss(&model, cells) / weight,
    })
}

/// How much the games weigh that the side ahead won, drew and lost.
pub fn totals(cells: &[Cell]) -> [f64; 3] {
    cells.iter().fold([0.0; 3], |mut sums, cell| {
        for (sum, weight) in sums.iter_mut().zip(cell.outcomes.weights) {
            *sum += weight;
        }
        sums
    })
}

/// Where the climb begins: the same numbers at all material, of the size of the scores.
fn start(cells: &[Cell]) -> Model {
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

/// The material from which to which the games lie, but for this weight at either end.
fn range(cells: &[Cell], outside: f64) -> (u32, u32) {
    // The cells are in the order of their material.
    let end = |cells: &mut dyn Iterator<Item = &Cell>| {
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

/// Goes up to the likeliest model.
fn climb(mut model: Model, cells: &[Cell], weight: f64) -> Result<Model, WdlError> {
    let mut now = loss(&model, cells);
    let mut damping = 1e-3;
    let mut promised = f64::INFINITY;
    for _ in 0..MOST_STEPS {
        let (slope, curvature) = derivatives(&model, cells);
        let step = solve(&curvature, &slope, 1e-9);
        promised = step
            .iter()
            .zip(slope)
            .map(|(step, slope)| step * slope)
            .sum::<f64>()
            / weight;
        if promised < ENOUGH {
            break;
        }
        while damping < 1e9 {
            let next = moved(&model, &solve(&curvature, &slope, damping));
            let after = loss(&next, cells);
            // Not a number where the model makes no sense.
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
    if promised < TOO_MUCH {
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

/// The error with the place where the model is worst.
fn no_fit(model: &Model, material: u32) -> WdlError {
    let (a, b) = model.at(material);
    WdlError::NoFit(format!(
        "with {material} pawns of material the best found is a = {a:.1}, b = {b:.1}"
    ))
}

/// Minus the logarithm of the likelihood of all results, in nats.
pub fn loss(model: &Model, cells: &[Cell]) -> f64 {
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

/// ln(1 + e^z).
fn softplus(z: f64) -> f64 {
    z.max(0.0) + (-z.abs()).exp().ln_1p()
}

fn logistic(z: f64) -> f64 {
    1.0 / (1.0 + (-z).exp())
}

/// The slope of the logarithm of the likelihood by the coefficients, and its expected curvature, which is Fisher's information.
fn derivatives(model: &Model, cells: &[Cell]) -> (Vector, Matrix) {
    let mut slope = [0.0; SIZE];
    let mut curvature = [[0.0; SIZE]; SIZE];
    for cell in cells {
        let slopes = slopes(model, cell);
        let powers = powers(model.share(cell.material));
        // By a and by b: the slope of what was seen, and the mean of the products of slopes of what may be.
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

/// For a win, a draw and a loss: the chance of it, and the slope of the chance's logarithm by a and by b.
fn slopes(model: &Model, cell: &Cell) -> [(f64, [f64; 2]); 3] {
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

/// 1, x, x^2, ..
fn powers(x: f64) -> [f64; TERMS] {
    let mut powers = [1.0; TERMS];
    for i in 1..TERMS {
        powers[i] = powers[i - 1] * x;
    }
    powers
}

/// The model some way off.
fn moved(model: &Model, by: &Vector) -> Model {
    let mut moved = *model;
    for i in 0..TERMS {
        moved.a[i] += by[i];
        moved.b[i] += by[TERMS + i];
    }
    moved
}

/// The model with its coefficients as they are written.
fn rounded(mut model: Model) -> Model {
    for term in model.a.iter_mut().chain(&mut model.b) {
        // Adding nothing turns -0 into 0.
        *term = (*term * DECIMALS).round() / DECIMALS + 0.0;
    }
    model
}

/// Solves `(matrix + damping * its diagonal) x = vector` for a matrix that is symmetric and positive, by Gaussian elimination,
/// which needs no pivoting for such.
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
