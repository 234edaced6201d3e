//! Timings of updates and evaluations for each kernel: `cargo test --release --lib nnue::timing --
//! --ignored --nocapture`.

use std::hint::black_box;
use std::time::Instant;

use super::samples::{random_network, suite};
use super::simd::Kernel;
use super::{AccumulatorStack, Network};
use crate::position::{Move, Position};

/// Returns positions with their moves and the resulting positions.
fn families() -> Vec<(Position, Vec<(Move, Position)>)> {
    suite()
        .into_iter()
        .step_by(20)
        .map(|parent| {
            let moves = parent.legal_moves();
            let children = moves.iter().map(|&m| (m, parent.play(m))).collect();
            (parent, children)
        })
        .collect()
}

/// Measures `f` and returns the nanoseconds for each of `count` items in the fastest of several
/// rounds.
fn nanoseconds(count: usize, mut f: impl FnMut()) -> f64 {
    let rounds = (0..100).map(|_| {
        let start = Instant::now();
        f();
        start.elapsed().as_nanos()
    });
    rounds.min().unwrap_or(0) as f64 / count as f64
}

/// Prints the timings of one network.
fn time(network: &Network, families: &[(Position, Vec<(Move, Position)>)]) {
    let count = families.iter().map(|(_, children)| children.len()).sum();
    let mut stack = AccumulatorStack::new(network);
    // The reset at each parent is timed separately and subtracted.
    let mut each_child = |push: bool, evaluate: bool| {
        for (parent, children) in families {
            stack.reset(network);
            black_box(stack.evaluate(network, parent));
            for (_, child) in children.iter().filter(|_| push) {
                stack.push();
                if evaluate {
                    black_box(stack.evaluate(network, child));
                }
                stack.pop();
            }
        }
    };
    let resets = nanoseconds(count, || each_child(false, false));
    let noted = nanoseconds(count, || each_child(true, false)) - resets;
    let evaluated = nanoseconds(count, || each_child(true, true)) - resets;
    let fresh = nanoseconds(count, || {
        for (_, child) in families.iter().flat_map(|(_, children)| children) {
            black_box(network.evaluate(child));
        }
    });
    println!(
        "N = {:4} {:9} push + pop {noted:5.1} ns, with update and forward {evaluated:6.1} ns, from nothing {fresh:7.1} ns",
        network.width(),
        network.kernel().name()
    );
}

#[test]
#[ignore = "prints times, checks nothing"]
fn updates_and_outputs() {
    let families = families();
    for width in [128, 256, 512, 1024] {
        for kernel in Kernel::available() {
            time(&random_network(width, 8, 1).with_kernel(kernel), &families);
        }
    }
}
