//! The inner loops of training.
//!
//! Each loop is written once, over rows of [`TILE`] floats, and compiled twice: for the target
//! processor and for one with AVX2, which is selected at run time. Both add in the same order and
//! return identical numbers.
//!
//! The form of the loops helps the compiler and was chosen by measurement (three times as fast as
//! iterators in one large function): the innermost loops index a fixed number of lanes, so that a
//! row of sums stays in registers, and rows are function arguments, because the compiler knows the
//! alignment of arguments only.

use super::network::{Group, TILE, TileRow, Treatment};
use super::sample::Active;

/// The constants of a step of AdamW.
#[derive(Clone, Copy, Debug)]
pub struct AdamStep {
    /// The learning rate.
    pub rate: f32,
    /// The learning rate of the marks' weights.
    pub mark_rate: f32,
    /// The learning rate of the small layers.
    pub small_rate: f32,
    /// The share of a weight that decays.
    pub decay: f32,
    /// 1 / (1 - 0.9^t), which corrects the bias of a mean that started at zero.
    pub mean_correction: f32,
    /// 1 / (1 - 0.999^t).
    pub square_correction: f32,
    /// Added to the root of the mean square, which limits the step.
    pub epsilon: f32,
}

/// The decay of the mean of the gradients.
pub const MEAN_KEPT: f32 = 0.9;
/// The decay of the mean of the squared gradients.
pub const SQUARE_KEPT: f32 = 0.999;

/// A tile's position in a hidden layer `[position][side][tile]`.
#[derive(Clone, Copy, Debug)]
pub struct Tile {
    /// The tile's index.
    pub number: usize,
    /// The number of tiles for each side.
    pub count: usize,
}

/// Defines a portable function and a version for AVX2 from one source.
macro_rules! twins {
    (
        $(#[$doc:meta])*
        pub fn $name:ident / $portable:ident / $avx2:ident($($argument:ident: $type:ty),* $(,)?) $body:block
    ) => {
        $(#[$doc])*
        pub fn $name($($argument: $type),*) {
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has AVX2.
                return unsafe { $avx2($($argument),*) };
            }
            $portable($($argument),*);
        }

        #[inline(never)]
        fn $portable($($argument: $type),*) $body

        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2")]
        fn $avx2($($argument: $type),*) $body
    };
}

pub(super) use twins;

twins! {
    /// Computes one tile of the hidden layer: the bias plus the weights of the active inputs.
    pub fn sum_inputs / sum_inputs_portable / sum_inputs_avx2(
        weights: &[TileRow],
        bias: &TileRow,
        inputs: &[Active],
        tile: Tile,
        hidden: &mut [TileRow],
    ) {
        for view in 0..inputs.len() {
            let mut sum = *bias;
            for &input in inputs[view].indices() {
                add(&mut sum, &weights[usize::from(input)]);
            }
            hidden[view * tile.count + tile.number] = sum;
        }
    }
}

twins! {
    /// Reverses [`sum_inputs`]: adds the gradient of a tile of the hidden layer to the gradients of
    /// the bias and of the active inputs' weights.
    pub fn spread_to_inputs / spread_to_inputs_portable / spread_to_inputs_avx2(
        hidden: &[TileRow],
        inputs: &[Active],
        tile: Tile,
        weights: &mut [TileRow],
        bias: &mut TileRow,
    ) {
        for view in 0..inputs.len() {
            let slope = hidden[view * tile.count + tile.number];
            add(bias, &slope);
            for &input in inputs[view].indices() {
                add(&mut weights[usize::from(input)], &slope);
            }
        }
    }
}

twins! {
    /// Adds the products of a position's squared, clipped hidden layer and the output weights to
    /// its output, lane by lane and then by halves.
    pub fn add_products / add_products_portable / add_products_avx2(
        hidden: &[TileRow],
        weights: &[TileRow],
        output: &mut f32,
    ) {
        let mut lanes = TileRow::ZERO;
        for row in 0..hidden.len().min(weights.len()) {
            for lane in 0..TILE {
                let clamped = hidden[row].0[lane].clamp(0.0, 1.0);
                lanes.0[lane] += clamped * clamped * weights[row].0[lane];
            }
        }
        *output += add_lanes(&mut lanes);
    }
}

twins! {
    /// Reverses [`add_products`], given the derivative by the output and those by the activations
    /// along other ways: adds to the gradient of the output weights, and replaces the hidden layer
    /// by its gradient.
    pub fn spread_to_hidden / spread_to_hidden_portable / spread_to_hidden_avx2(
        slope: f32,
        weights: &[TileRow],
        others: &[TileRow],
        hidden: &mut [TileRow],
        gradient: &mut [TileRow],
    ) {
        for row in 0..hidden.len().min(weights.len()).min(gradient.len()) {
            let (hidden, weights, gradient) = (&mut hidden[row], &weights[row], &mut gradient[row]);
            let others = &others[row];
            for lane in 0..TILE {
                let clamped = hidden.0[lane].clamp(0.0, 1.0);
                let is_open = clamped == hidden.0[lane];
                let inner = 2.0 * (slope * weights.0[lane] + others.0[lane]) * clamped;
                gradient.0[lane] += slope * clamped * clamped;
                hidden.0[lane] = if is_open { inner } else { 0.0 };
            }
        }
    }
}

twins! {
    /// Adds one row to another.
    pub fn add_row / add_row_portable / add_row_avx2(sum: &mut TileRow, row: &TileRow) {
        add(sum, row);
    }
}

twins! {
    /// Moves a row part of the way towards another. A row that is already there stays exactly as it
    /// is.
    pub fn move_towards / move_towards_portable / move_towards_avx2(
        goal: &TileRow,
        share: f32,
        row: &mut TileRow,
    ) {
        for lane in 0..TILE {
            row.0[lane] += share * (goal.0[lane] - row.0[lane]);
        }
    }
}

twins! {
    /// Takes a step of AdamW for a row.
    pub fn adam / adam_portable / adam_avx2(
        step: AdamStep,
        treatment: Treatment,
        gradient: &TileRow,
        weight: &mut TileRow,
        mean: &mut TileRow,
        square: &mut TileRow,
    ) {
        let rate = match treatment.group {
            Group::Main => step.rate,
            Group::Marks => step.mark_rate,
            Group::SmallLayers => step.small_rate,
        };
        let decay = if treatment.decays { step.decay } else { 0.0 };
        let bound = treatment.bound;
        for lane in 0..TILE {
            let slope = gradient.0[lane];
            let new_mean = MEAN_KEPT * mean.0[lane] + (1.0 - MEAN_KEPT) * slope;
            let new_square = SQUARE_KEPT * square.0[lane] + (1.0 - SQUARE_KEPT) * slope * slope;
            let deviation = (new_square * step.square_correction).sqrt() + step.epsilon;
            let old = weight.0[lane];
            let moved = rate * (new_mean * step.mean_correction) / deviation;
            let new = old - decay * old - moved;
            weight.0[lane] = if new > bound { bound } else if new < -bound { -bound } else { new };
            mean.0[lane] = new_mean;
            square.0[lane] = new_square;
        }
    }
}

/// Adds up the lanes of a row, by halves.
#[inline(always)]
pub(super) fn add_lanes(lanes: &mut TileRow) -> f32 {
    let mut width = TILE / 2;
    while width > 0 {
        for lane in 0..width {
            lanes.0[lane] += lanes.0[lane + width];
        }
        width /= 2;
    }
    lanes.0[0]
}

/// Adds the products of two rows to a third.
#[inline(always)]
pub(super) fn multiply_add(sum: &mut TileRow, a: &TileRow, b: &TileRow) {
    for lane in 0..TILE {
        sum.0[lane] += a.0[lane] * b.0[lane];
    }
}

/// Adds a multiple of a row to another.
#[inline(always)]
pub(super) fn scale_add(sum: &mut TileRow, factor: f32, row: &TileRow) {
    for lane in 0..TILE {
        sum.0[lane] += factor * row.0[lane];
    }
}

#[inline(always)]
fn add(sum: &mut TileRow, row: &TileRow) {
    for lane in 0..TILE {
        sum.0[lane] += row.0[lane];
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::super::network::{Parameters, Shape};
    use super::super::sample::Sample;
    use super::*;
    use crate::position::Position;

    const SHAPE: Shape = Shape {
        hidden: TILE,
        king_buckets: 8,
        has_marks: false,
        buckets: 1,
        small_layers: 0,
    };

    #[test]
    fn twins_of_the_first_layer_give_the_same_numbers() {
        if !is_x86_feature_detected!("avx2") {
            return;
        }
        let rows = Parameters::random(SHAPE, 1).rows;
        let game = crate::games::GameResult::Draw;
        let sample = Sample::new(&Position::initial(), 0, Some(game)).unwrap();
        let tile = Tile {
            number: 0,
            count: 1,
        };
        let inputs = sample.inputs(SHAPE);
        let [mut one, mut two] = [[TileRow::ZERO; 2]; 2];
        sum_inputs_portable(&rows[..SHAPE.inputs()], &rows[5], &inputs, tile, &mut one);
        sum_inputs(&rows[..SHAPE.inputs()], &rows[5], &inputs, tile, &mut two);
        assert_eq!(one, two);
        let [mut first, mut second] = [rows.clone(), rows];
        let [mut a, mut b] = [TileRow::ZERO; 2];
        spread_to_inputs_portable(&one, &inputs, tile, &mut first, &mut a);
        spread_to_inputs(&one, &inputs, tile, &mut second, &mut b);
        assert!(first == second && a == b && a != TileRow::ZERO);
    }

    #[test]
    fn twins_of_the_second_layer_and_of_adam_give_the_same_numbers() {
        if !is_x86_feature_detected!("avx2") {
            return;
        }
        let wide = |row: &TileRow| TileRow(row.0.map(|number| number * 12.0));
        let rows: Vec<TileRow> = Parameters::random(SHAPE, 2).rows.iter().map(wide).collect();
        let [mut one, mut two] = [0.25; 2];
        add_products_portable(&rows[..4], &rows[4..8], &mut one);
        add_products(&rows[..4], &rows[4..8], &mut two);
        assert_eq!(one.to_bits(), two.to_bits());
        let [mut one, mut two] = [rows.clone(), rows.clone()];
        let (hidden, gradient) = one.split_at_mut(4);
        spread_to_hidden_portable(0.3, &rows[8..12], &rows[12..16], hidden, &mut gradient[..4]);
        let (hidden, gradient) = two.split_at_mut(4);
        spread_to_hidden(0.3, &rows[8..12], &rows[12..16], hidden, &mut gradient[..4]);
        assert!(one == two && one != rows);

        let step = AdamStep {
            rate: 0.1,
            mark_rate: 0.2,
            small_rate: 0.3,
            decay: 0.001,
            mean_correction: 10.0,
            square_correction: 1000.0,
            epsilon: 1e-8,
        };
        let squares = TileRow(rows[0].0.map(|number| number * number));
        let [mut one, mut two] = [[rows[0], rows[1], squares]; 2];
        let [weight, mean, square] = &mut one;
        adam_portable(step, SHAPE.treatment(0), &rows[2], weight, mean, square);
        let [weight, mean, square] = &mut two;
        adam(step, SHAPE.treatment(0), &rows[2], weight, mean, square);
        assert_eq!(one, two);

        let [mut one, mut two] = [rows[3]; 2];
        move_towards_portable(&rows[4], 0.3, &mut one);
        move_towards(&rows[4], 0.3, &mut two);
        assert!(one == two && one != rows[3]);
    }
}
