//! Tests that all kernels agree with the portable one, on random and on extreme numbers.

use super::super::format::{SECOND, THIRD};
use super::super::samples::within;
use super::super::small_layers::SmallLayers;
use super::{Block, InstructionSet, Kernel, LANES, WeightBlock};
use crate::random::Random;

const PORTABLE: Kernel = Kernel(InstructionSet::Portable);

/// Widths in blocks, with and without a remainder after whole tiles.
const WIDTHS: [usize; 7] = [1, 2, 3, 4, 8, 13, 32];

/// Creates random blocks with extreme values among them, all within `limit`.
fn blocks(count: usize, limit: i16, random: &mut Random) -> Vec<Block> {
    let mut value = || match random.below(8) {
        0 => limit,
        1 => -limit,
        2 if limit == i16::MAX => i16::MIN,
        _ => within(limit, random),
    };
    (0..count)
        .map(|_| Block(std::array::from_fn(|_| value())))
        .collect()
}

#[test]
fn the_best_kernel_is_available() {
    assert!(Kernel::available().contains(&Kernel::best()));
    assert!(Kernel::available().contains(&PORTABLE));
}

#[test]
fn updates_agree() {
    let mut random = Random::new(2);
    for width in WIDTHS {
        let weights = blocks(40 * width, i16::MAX, &mut random);
        let parent = blocks(width, i16::MAX, &mut random);
        for (adds, subs) in [(0, 0), (1, 0), (0, 1), (1, 2), (7, 3), (32, 0), (64, 64)] {
            let mut rows =
                |count| -> Vec<u16> { (0..count).map(|_| random.below(40) as u16).collect() };
            let (adds, subs) = (rows(adds), rows(subs));
            let updated = |kernel: Kernel| {
                let mut child = vec![Block::ZERO; width];
                kernel.update(&parent, &mut child, &weights, &adds, &subs);
                child
            };
            let expected = updated(PORTABLE);
            let (block, lane) = (width - 1, 5);
            let weight = |row: &u16| i64::from(weights[usize::from(*row) * width + block].0[lane]);
            let sum = i64::from(parent[block].0[lane]) + adds.iter().map(weight).sum::<i64>()
                - subs.iter().map(weight).sum::<i64>();
            assert_eq!(expected[block].0[lane], sum as i16);
            for kernel in Kernel::available() {
                assert_eq!(updated(kernel), expected, "{kernel:?} {width}");
            }
        }
    }
}

#[test]
fn outputs_agree() {
    let mut random = Random::new(3);
    for width in WIDTHS {
        for limit in [300, i16::MAX] {
            let us = blocks(width, limit, &mut random);
            let them = blocks(width, limit, &mut random);
            let weights = blocks(2 * width, 127, &mut random);
            let expected = PORTABLE.forward(&us, &them, &weights);
            for kernel in Kernel::available() {
                assert_eq!(kernel.forward(&us, &them, &weights), expected, "{kernel:?}");
            }
        }
    }
}

/// Creates random small layers for accumulators of this width in blocks.
fn small_layers(width: usize, random: &mut Random) -> SmallLayers {
    let mut weight = || match random.below(8) {
        0 => 127,
        1 => -127,
        _ => within(127, random) as i8,
    };
    let mut block = || WeightBlock(std::array::from_fn(|_| weight()));
    let second_weights = (0..width)
        .map(|_| std::array::from_fn(|_| block()))
        .collect();
    let mut number = || f32::from(within(1000, random)) / 999.0;
    SmallLayers {
        second_weights,
        second_biases: std::array::from_fn(|_| number()),
        third_weights: std::array::from_fn(|_| {
            std::array::from_fn(|_| std::array::from_fn(|_| number()))
        }),
        third_biases: std::array::from_fn(|_| number()),
        output_weights: std::array::from_fn(|_| number()),
    }
}

#[test]
fn small_layers_agree_to_the_bit() {
    let mut random = Random::new(5);
    for width in WIDTHS {
        for limit in [300, i16::MAX] {
            let us = blocks(width, limit, &mut random);
            let them = blocks(width, limit, &mut random);
            let layers = small_layers(width, &mut random);
            let expected = PORTABLE.small_layers(&us, &them, &layers);
            for kernel in Kernel::available() {
                let output = kernel.small_layers(&us, &them, &layers);
                assert_eq!(output.to_bits(), expected.to_bits(), "{kernel:?} {width}");
            }
        }
    }
}

#[test]
fn the_largest_products_of_the_second_layer_do_not_saturate() {
    let full = vec![Block([i16::MAX; LANES]); 2];
    let mut layers = small_layers(2, &mut Random::new(6));
    layers.third_weights = [[[0.0; THIRD]; SECOND]; 2];
    // Two weights of 127 follow each other, then two of -127 of which one is 1 less.
    for block in layers.second_weights.as_flattened_mut() {
        for four in block.0.as_chunks_mut::<4>().0 {
            *four = [127, 127, -127, -126];
        }
    }
    layers.second_biases = [0.0; SECOND];
    layers.third_biases = [0.0; THIRD];
    layers.output_weights = [0.0; THIRD];
    layers.third_weights[0][3][0] = 1.0;
    layers.output_weights[0] = 1.0;
    // 32 groups of four with 127 * (127 + 127 - 127 - 126) each.
    let expected = 32.0 * 127.0 / (127.0 * 128.0);
    for kernel in Kernel::available() {
        let output = kernel.small_layers(&full, &full, &layers);
        assert!((output - expected).abs() < 1e-6, "{kernel:?} {output}");
    }
}

#[test]
fn the_output_is_what_the_formula_says() {
    let mut random = Random::new(4);
    let us = blocks(4, 400, &mut random);
    let them = blocks(4, 400, &mut random);
    let weights = blocks(8, 127, &mut random);
    let values = us.iter().chain(&them).flat_map(|block| block.0);
    let sum: i64 = values
        .zip(weights.iter().flat_map(|block| block.0))
        .map(|(value, weight)| i64::from(value.clamp(0, 255)).pow(2) * i64::from(weight))
        .sum();
    assert_eq!(i64::from(PORTABLE.forward(&us, &them, &weights)), sum);
}

#[test]
fn the_largest_sums_wrap_alike() {
    // 2 * 1024 neurons at the maximum, all with the largest weight: the sum exceeds 32 bits.
    let full = vec![Block([i16::MAX; LANES]); 32];
    for weight in [127, -127] {
        let weights = vec![Block([weight; LANES]); 64];
        let sum = 2048 * 255 * 255 * i64::from(weight);
        assert!(i32::try_from(sum).is_err());
        for kernel in Kernel::available() {
            assert_eq!(kernel.forward(&full, &full, &weights), sum as i32);
        }
    }
}
