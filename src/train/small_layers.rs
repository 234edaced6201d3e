//! The second and third layer of an output bucket: where their parameters are, and their loops,
//! which are compiled twice like those of [`kernel`](super::kernel).

use std::ops::Range;

use super::kernel::{add_lanes, multiply_add, scale_add, twins};
use super::network::{Shape, TILE, TileRow};
use crate::eval::nnue::{SECOND, THIRD};

/// The rows of one bucket's small layers, for 2N / [`TILE`] rows of activations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SmallRows {
    /// The number of rows of activations.
    activations: usize,
}

impl SmallRows {
    /// Returns the rows for a network of this size.
    pub const fn of(shape: Shape) -> SmallRows {
        SmallRows {
            activations: 2 * shape.tiles(),
        }
    }

    /// Returns the rows of the weights from the activations to a neuron of the second layer.
    pub const fn second(self, neuron: usize) -> Range<usize> {
        neuron * self.activations..(neuron + 1) * self.activations
    }

    /// Returns the first of two times [`SECOND`] rows of weights to the third layer: from the
    /// clamped values of the second layer, then from their squares.
    pub const fn third(self) -> usize {
        SECOND * self.activations
    }

    /// Returns the row of the second layer's biases.
    pub const fn second_biases(self) -> usize {
        self.third() + 2 * SECOND
    }

    /// Returns the row of the third layer's biases.
    pub const fn third_biases(self) -> usize {
        self.second_biases() + 1
    }

    /// Returns the row of the weights from the third layer to the output.
    pub const fn output(self) -> usize {
        self.second_biases() + 2
    }

    /// Returns the number of rows.
    pub const fn count(self) -> usize {
        self.second_biases() + 3
    }

    /// Returns the number of lanes of a row that hold parameters.
    pub const fn lanes(self, row: usize) -> usize {
        if row < self.third() {
            TILE
        } else if row == self.second_biases() {
            SECOND
        } else {
            THIRD
        }
    }

    /// Returns true for a row of biases.
    pub const fn is_bias(self, row: usize) -> bool {
        row == self.second_biases() || row == self.third_biases()
    }
}

/// The second and third layer before their activations.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SmallValues {
    second: TileRow,
    third: TileRow,
}

impl SmallValues {
    /// Zeros.
    pub const ZERO: SmallValues = SmallValues {
        second: TileRow::ZERO,
        third: TileRow::ZERO,
    };
}

/// The maximum number of rows of activations.
const MAX_ACTIVATIONS: usize = 32;

twins! {
    /// Adds the output of the small layers, and keeps their values. `hidden` is a position's first
    /// layer before the activation, and `layers` the bucket's parameters.
    pub fn add_output / add_output_portable / add_output_avx2(
        hidden: &[TileRow],
        layers: &[TileRow],
        values: &mut SmallValues,
        output: &mut f32,
    ) {
        let rows = SmallRows { activations: hidden.len() };
        let mut activations = [TileRow::ZERO; MAX_ACTIVATIONS];
        let activations = &mut activations[..hidden.len()];
        for (activation, hidden) in activations.iter_mut().zip(hidden) {
            square(hidden, activation);
        }
        values.second = layers[rows.second_biases()];
        values.third = layers[rows.third_biases()];
        for neuron in 0..SECOND {
            let mut lanes = TileRow::ZERO;
            for (activation, weights) in activations.iter().zip(&layers[rows.second(neuron)]) {
                multiply_add(&mut lanes, activation, weights);
            }
            values.second.0[neuron] += add_lanes(&mut lanes);
            let value = values.second.0[neuron];
            let (clamped, square) = (value.clamp(0.0, 1.0), (value * value).min(1.0));
            let of_clamped = &layers[rows.third() + neuron];
            let of_square = &layers[rows.third() + SECOND + neuron];
            for lane in 0..THIRD {
                values.third.0[lane] += clamped * of_clamped.0[lane] + square * of_square.0[lane];
            }
        }
        let weights = &layers[rows.output()];
        let mut sum = 0.0;
        for lane in 0..THIRD {
            sum += values.third.0[lane].clamp(0.0, 1.0) * weights.0[lane];
        }
        *output += sum;
    }
}

twins! {
    /// Reverses [`add_output`], given the derivative by the output: adds to the gradient of the
    /// small layers, and sets `slopes` to the derivatives by the activations.
    pub fn spread / spread_portable / spread_avx2(
        slope: f32,
        hidden: &[TileRow],
        layers: &[TileRow],
        values: &SmallValues,
        gradient: &mut [TileRow],
        slopes: &mut [TileRow],
    ) {
        let rows = SmallRows { activations: hidden.len() };
        let weights = &layers[rows.output()];
        let mut of_third = TileRow::ZERO;
        for lane in 0..THIRD {
            let value = values.third.0[lane];
            let is_open = value > 0.0 && value < 1.0;
            of_third.0[lane] = if is_open { slope * weights.0[lane] } else { 0.0 };
            gradient[rows.output()].0[lane] += slope * value.clamp(0.0, 1.0);
            gradient[rows.third_biases()].0[lane] += of_third.0[lane];
        }
        let mut of_second = [0.0; SECOND];
        for (neuron, of_neuron) in of_second.iter_mut().enumerate() {
            let value = values.second.0[neuron];
            let (clamped, square) = (value.clamp(0.0, 1.0), (value * value).min(1.0));
            let [first, second] = [rows.third() + neuron, rows.third() + SECOND + neuron];
            let (mut by_clamped, mut by_square) = (0.0, 0.0);
            for lane in 0..THIRD {
                by_clamped += of_third.0[lane] * layers[first].0[lane];
                by_square += of_third.0[lane] * layers[second].0[lane];
                gradient[first].0[lane] += clamped * of_third.0[lane];
                gradient[second].0[lane] += square * of_third.0[lane];
            }
            let is_open = value > 0.0 && value < 1.0;
            let of_clamped = if is_open { by_clamped } else { 0.0 };
            let of_square = if square < 1.0 { 2.0 * value * by_square } else { 0.0 };
            *of_neuron = of_clamped + of_square;
            gradient[rows.second_biases()].0[neuron] += *of_neuron;
        }
        for (number, hidden) in hidden.iter().enumerate() {
            let mut activation = TileRow::ZERO;
            square(hidden, &mut activation);
            let mut sum = TileRow::ZERO;
            for (neuron, &slope) in of_second.iter().enumerate() {
                let row = rows.second(neuron).start + number;
                scale_add(&mut gradient[row], slope, &activation);
                scale_add(&mut sum, slope, &layers[row]);
            }
            slopes[number] = sum;
        }
    }
}

/// The activation of the first layer.
#[inline(always)]
fn square(hidden: &TileRow, activation: &mut TileRow) {
    for (activation, value) in activation.0.iter_mut().zip(hidden.0) {
        let clamped = value.clamp(0.0, 1.0);
        *activation = clamped * clamped;
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::super::network::Parameters;
    use super::*;

    #[test]
    fn twins_give_the_same_numbers() {
        if !is_x86_feature_detected!("avx2") {
            return;
        }
        let shape = Shape {
            hidden: TILE,
            king_buckets: 1,
            has_marks: false,
            buckets: 1,
            small_layers: 1,
        };
        let network = Parameters::random(shape, 3);
        let mut layers = network.rows[shape.small_layers_of(0)].to_vec();
        let rows = SmallRows::of(shape);
        layers[rows.output()] = layers[rows.third()];
        let wide = |row: &TileRow| TileRow(row.0.map(|number| number * 4.0));
        let hidden: Vec<TileRow> = network.rows[..2].iter().map(wide).collect();
        let [mut one, mut two] = [(SmallValues::ZERO, 0.5); 2];
        add_output_portable(&hidden, &layers, &mut one.0, &mut one.1);
        add_output(&hidden, &layers, &mut two.0, &mut two.1);
        assert_eq!(one, two);
        assert_ne!(one.1, 0.5);
        let before = (layers.clone(), vec![TileRow::ZERO; 2]);
        let [mut first, mut second] = [before.clone(), before.clone()];
        spread_portable(0.3, &hidden, &layers, &one.0, &mut first.0, &mut first.1);
        spread(0.3, &hidden, &layers, &one.0, &mut second.0, &mut second.1);
        assert!(first == second && first.0 != before.0 && first.1 != before.1);
    }
}
