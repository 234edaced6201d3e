//! Tests of the leaves that the algorithms evaluate.
//!
//! With the same order of children at every node, a null window reaches a part of the leaves that
//! the full window reaches: a leaf is evaluated only if everything to the left of it, below Max's
//! nodes, is worth less than everything to the left below Min's. So an algorithm that searches with
//! null windows alone, or like SSS\* in their order, needs no leaf that alpha-beta does not. (SCOUT
//! may: it evaluates a branch that passed its test without any bounds.)

use std::collections::HashSet;

use proptest::prelude::*;

use crate::lab::algorithms::alpha_beta::fail_soft;
use crate::lab::algorithms::mtd::mtd;
use crate::lab::catalogue::Algorithm;
use crate::lab::game::{Game, INFINITY, Value};
use crate::lab::games::random_tree::{ChildOrder, RandomTree};
use crate::lab::run::{AlgorithmSettings, search_with};
use crate::lab::search::{Search, TO_THE_END, Window};
use crate::lab::trace::Action;

fn leaves(algorithm: Algorithm, tree: &RandomTree) -> HashSet<u64> {
    let mut search = Search::new(tree);
    let root = search.root(TO_THE_END);
    search_with(algorithm, &mut search, &root, &AlgorithmSettings::default()).unwrap();
    search.leaves().clone()
}

/// Returns the leaves in the order in which they are evaluated.
fn evaluated(algorithm: Algorithm, tree: &RandomTree) -> Vec<u64> {
    let mut search = Search::new(tree);
    search.record();
    let root = search.root(TO_THE_END);
    search_with(algorithm, &mut search, &root, &AlgorithmSettings::default()).unwrap();
    let events = search.trace().unwrap().events().iter();
    let leaves = events.filter(|event| event.action == Action::Leaf);
    leaves.map(|event| event.path).collect()
}

/// Returns true when a search with a window has found the value inside it, or a bound outside of it
/// on the value's side.
fn is_in_order(found: Value, value: Value, window: Window) -> bool {
    if value <= window.alpha {
        value <= found && found <= window.alpha
    } else if value >= window.beta {
        value >= found && found >= window.beta
    } else {
        found == value
    }
}

fn trees() -> impl Strategy<Value = RandomTree> {
    let shape = (1_u32..5, 1_u32..6, 1_i64..200);
    let orders = prop_oneof![
        3 => Just(ChildOrder::Random),
        1 => Just(ChildOrder::BestFirst),
        1 => Just(ChildOrder::BestLast),
    ];
    (shape, 0_u32..=100, orders, any::<u64>()).prop_map(
        |((branching, depth, largest), correlation, order, seed)| RandomTree {
            branching,
            depth,
            largest,
            correlation,
            order,
            throws: 1,
            seed,
        },
    )
}

proptest! {
    #[test]
    fn no_leaf_that_alpha_beta_does_not_need(tree in trees()) {
        use Algorithm::{AlphaBetaMemory, DualStar, MtdF, MtdMinus, MtdPlus, Negascout, RecSssStar, SssStar};
        let needed = leaves(Algorithm::AlphaBeta, &tree);
        let others = [SssStar, RecSssStar, DualStar, MtdF, MtdPlus, MtdMinus, Negascout, AlphaBetaMemory];
        for algorithm in others {
            let looked_at = leaves(algorithm, &tree);
            prop_assert!(looked_at.is_subset(&needed), "{}", algorithm.entry().name);
        }
    }

    #[test]
    fn mtd_with_any_guess_needs_no_other_leaf(tree in trees(), guess in -300_i64..300) {
        let needed = leaves(Algorithm::AlphaBeta, &tree);
        let mut search = Search::new(&tree);
        let root = search.root(TO_THE_END);
        mtd(&mut search, &root, guess).unwrap();
        prop_assert!(search.leaves().is_subset(&needed));
        // With memory for everything no leaf is looked at twice.
        prop_assert_eq!(search.counters().leaves, search.counters().distinct_leaves);
    }

    #[test]
    fn sss_star_is_mtd_from_above(tree in trees()) {
        prop_assert_eq!(
            leaves(Algorithm::SssStar, &tree),
            leaves(Algorithm::MtdPlus, &tree)
        );
        prop_assert_eq!(evaluated(Algorithm::SssStar, &tree), evaluated(Algorithm::RecSssStar, &tree));
        prop_assert_eq!(
            leaves(Algorithm::DualStar, &tree),
            leaves(Algorithm::MtdMinus, &tree)
        );
    }

    #[test]
    fn deep_cutoffs_only_spare_leaves(tree in trees()) {
        let deep = leaves(Algorithm::AlphaBeta, &tree);
        prop_assert_eq!(&deep, &leaves(Algorithm::AlphaBetaHard, &tree));
        let shallow = leaves(Algorithm::AlphaBetaShallow, &tree);
        prop_assert!(deep.is_subset(&shallow));
        prop_assert!(shallow.is_subset(&leaves(Algorithm::Minimax, &tree)));
    }

    #[test]
    fn a_window_gives_the_value_or_a_bound_on_its_side(
        tree in trees(),
        alpha in -250_i64..250,
        width in 1_i64..100,
    ) {
        let mut search = Search::new(&tree);
        let root = search.root(TO_THE_END);
        let value = fail_soft(&mut search, &root, Window::FULL).unwrap().value;
        let window = Window::new(alpha, alpha + width);
        let found = fail_soft(&mut search, &root, window).unwrap().value;
        prop_assert!(is_in_order(found, value, window), "{found} of {value} in {window:?}");
    }

    #[test]
    fn perfectly_ordered_trees_have_the_fewest_leaves(
        branching in 1_u32..7,
        depth in 1_u32..7,
        seed in any::<u64>(),
    ) {
        let tree = RandomTree {
            branching,
            depth,
            order: ChildOrder::BestFirst,
            seed,
            ..RandomTree::default()
        };
        let b = u64::from(branching);
        let fewest = b.pow(depth.div_ceil(2)) + b.pow(depth / 2) - 1;
        use Algorithm::{AlphaBeta, AlphaBetaHard, Negascout, SssStar};
        for algorithm in [AlphaBeta, AlphaBetaHard, Negascout, SssStar] {
            prop_assert_eq!(leaves(algorithm, &tree).len() as u64, fewest);
        }
        // With the value as its guess MTD has nothing to find out.
        let mut search = Search::new(&tree);
        let root = search.root(TO_THE_END);
        prop_assert_eq!(mtd(&mut search, &root, tree.utility(&tree.start()).unwrap_or(0)).unwrap().value, 0);
        prop_assert_eq!(search.counters().leaves, fewest);
        prop_assert_eq!(leaves(Algorithm::Minimax, &tree).len() as u64, b.pow(depth));
    }

    #[test]
    fn a_star_window_gives_the_value_or_a_bound_on_its_side(
        tree in trees(),
        throws in 2_u32..4,
        alpha in -250_i64..250,
        width in 1_i64..100,
        probes in any::<bool>(),
    ) {
        use crate::lab::algorithms::expectiminimax::expectiminimax;
        use crate::lab::algorithms::star::{star1, star2};
        let tree = RandomTree {
            order: ChildOrder::Random,
            throws,
            depth: tree.depth.min(3),
            branching: tree.branching.min(3),
            ..tree
        };
        let mut search = Search::new(&tree);
        let root = search.root(TO_THE_END);
        let value = expectiminimax(&mut search, &root).unwrap().value;
        let window = Window::new(alpha, alpha + width);
        let found = if probes {
            star2(&mut search, &root, window)
        } else {
            star1(&mut search, &root, window)
        };
        let found = found.unwrap().value;
        prop_assert!(is_in_order(found, value, window), "{found} of {value} in {window:?}");
        prop_assert!(found < INFINITY);
    }
}
