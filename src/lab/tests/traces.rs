//! The log of searches and the outlines made from it.

use super::outcome;
use crate::lab::catalogue::Algorithm;
use crate::lab::game::{Game, Value};
use crate::lab::games::explicit::{ExplicitTree, UNIT};
use crate::lab::games::random_tree::RandomTree;
use crate::lab::outline::{OutlineNode, outline};
use crate::lab::run::{AlgorithmSettings, search_with};
use crate::lab::search::{Search, TO_THE_END};
use crate::lab::trace::{Action, ValueBound};

fn outlined(text: &str, algorithm: Algorithm, depth: u32) -> Vec<OutlineNode> {
    let game = ExplicitTree::parse(text).unwrap();
    let mut search = Search::new(&game);
    search.record();
    let root = search.root(depth);
    search_with(algorithm, &mut search, &root, &AlgorithmSettings::default()).unwrap();
    outline(&search, &root).unwrap()
}

fn at<'n>(nodes: &'n [OutlineNode], dewey: &str) -> &'n OutlineNode {
    nodes
        .iter()
        .find(|node| node.dewey_text() == dewey)
        .unwrap()
}

#[test]
fn sss_star_counts_more_children_than_65_536() {
    // The fourth of 66,000 leaves is the best. Child numbers once had 16 bits.
    for (algorithm, name, sign) in [
        (Algorithm::SssStar, "max", 1),
        (Algorithm::DualStar, "min", -1),
    ] {
        let leaf = format!("{sign} ");
        let text = format!(
            "{name}({}{} {})",
            leaf.repeat(3),
            9 * sign,
            leaf.repeat(65_996)
        );
        let game = ExplicitTree::parse(&text).unwrap();
        let found = outcome(algorithm, &game, &game.start(), TO_THE_END);
        assert_eq!((found.value, found.line), (9 * sign * UNIT, vec![3]));
    }
    let text = format!("max({}9)", "1 ".repeat(65_999));
    let game = ExplicitTree::parse(&text).unwrap();
    let found = outcome(Algorithm::SssStar, &game, &game.start(), TO_THE_END);
    assert_eq!((found.value, found.line), (9 * UNIT, vec![65_999]));
}

#[test]
fn visited_branches_are_not_cut_and_bounds_are_marked() {
    let nodes = outlined("max(min(7 6) min(5 9))", Algorithm::SssStar, TO_THE_END);
    // The leaf 5 was evaluated, although its parent was never finished.
    let leaf = at(&nodes, "2.1");
    assert_eq!(leaf.value_text(UNIT), "5");
    assert!(at(&nodes, "2").is_reached);
    assert!(!at(&nodes, "2.2").is_reached);
    let nodes = outlined("max(min(8 11) min(6 2))", Algorithm::AlphaBeta, TO_THE_END);
    assert_eq!(at(&nodes, "2").value_text(UNIT), "≤6");
    assert_eq!(at(&nodes, "1").value_text(UNIT), "8");
}

#[test]
fn star2_probes_below_throws_that_it_never_enters() {
    let mut seen = 0;
    for seed in 0..200 {
        let tree = RandomTree {
            branching: 3,
            depth: 2,
            throws: 3,
            seed,
            ..RandomTree::default()
        };
        let mut search = Search::new(&tree);
        search.record();
        let root = search.root(TO_THE_END);
        search_with(
            Algorithm::Star2,
            &mut search,
            &root,
            &AlgorithmSettings::default(),
        )
        .unwrap();
        let leaves = search.leaves().len();
        let nodes = outline(&search, &root).unwrap();
        seen += nodes
            .iter()
            .filter(|node| node.visits.is_none() && node.is_reached)
            .count();
        // No evaluated leaf hides below a node that counts as cut.
        let shown = nodes
            .iter()
            .filter(|node| node.children.is_empty() && node.is_reached);
        assert_eq!(shown.count(), leaves);
        for node in &nodes {
            let above = node.parent.map(|parent| &nodes[parent]);
            assert!(!node.is_reached || above.is_none_or(|above| above.is_reached));
        }
    }
    assert!(seen > 0);
}

#[test]
fn quiescence_and_continuation_show_what_lies_beyond_the_depth() {
    let text = "max(min@1!(max@-8(-8)) min@0(max@0(0)))";
    for algorithm in [Algorithm::Quiescence, Algorithm::Continuation] {
        let nodes = outlined(text, algorithm, 1);
        let beyond: Vec<String> = nodes
            .iter()
            .filter(|node| node.is_beyond)
            .map(OutlineNode::dewey_text)
            .collect();
        assert_eq!(beyond.first().map(String::as_str), Some("1.1"));
        assert_eq!(at(&nodes, "1.1").value_text(UNIT), "-8");
    }
    assert!(
        outlined(text, Algorithm::AlphaBeta, 1)
            .iter()
            .all(|node| !node.is_beyond)
    );
}

/// Returns the true value of every node, by plain recursion.
fn true_values(tree: &RandomTree) -> std::collections::HashMap<u64, Value> {
    let search = Search::new(tree);
    let root = search.root(TO_THE_END);
    fn value(
        search: &Search<'_, RandomTree>,
        node: &crate::lab::search::TreeNode<RandomTree>,
        values: &mut std::collections::HashMap<u64, Value>,
    ) -> Value {
        let found = match search.game().utility(&node.state) {
            Some(value) => value,
            None => {
                let sign = search.sign(node).unwrap();
                let children = search.children(node);
                sign * children
                    .map(|child| sign * value(search, &child, values))
                    .max()
                    .unwrap()
            }
        };
        values.insert(node.path, found);
        found
    }
    let mut values = std::collections::HashMap::new();
    value(&search, &root, &mut values);
    values
}

#[test]
fn every_bound_holds() {
    use Algorithm as A;
    let algorithms = [
        A::AlphaBeta,
        A::AlphaBetaHard,
        A::AlphaBetaShallow,
        A::AlphaBetaMemory,
        A::Negascout,
        A::Scout,
        A::SssStar,
        A::RecSssStar,
        A::DualStar,
        A::MtdF,
        A::MtdPlus,
        A::MtdMinus,
        A::Aspiration,
    ];
    for seed in 0..300 {
        let tree = RandomTree {
            depth: 4,
            largest: 9,
            seed,
            ..RandomTree::default()
        };
        let values = true_values(&tree);
        for algorithm in algorithms {
            let mut search = Search::new(&tree);
            search.record();
            let root = search.root(TO_THE_END);
            search_with(algorithm, &mut search, &root, &AlgorithmSettings::default()).unwrap();
            let trace = search.trace().unwrap();
            for (path, value) in &values {
                let Some(visits) = trace.at(*path) else {
                    continue;
                };
                let Some(found) = visits.value else { continue };
                let holds = match visits.bound {
                    ValueBound::Exact => found == *value,
                    ValueBound::Lower => found <= *value,
                    ValueBound::Upper => found >= *value,
                    ValueBound::Estimate => true,
                };
                let name = algorithm.entry().name;
                assert!(
                    holds,
                    "{name}, seed {seed}: {found} {:?} {value}",
                    visits.bound
                );
                // What was evaluated or proven is no mere bound, also after a table hit.
                if search.leaves().contains(path) || *path == root.path {
                    assert_eq!(visits.bound, ValueBound::Exact, "{name}, seed {seed}");
                }
            }
            let counted =
                |action| trace.events().iter().filter(|e| e.action == action).count() as u64;
            let counters = search.counters();
            assert_eq!(counted(Action::Leaf), counters.leaves);
            assert_eq!(counted(Action::Cut), counters.cutoffs);
            assert_eq!(counted(Action::TableHit), counters.table_hits);
            assert_eq!(counted(Action::Enter), counters.leaves + counters.interior);
        }
    }
}

#[test]
fn estimates_of_shallower_searches_are_marked() {
    let mut estimates = 0;
    for seed in 0..40 {
        let tree = RandomTree {
            depth: 4,
            largest: 100,
            seed,
            ..RandomTree::default()
        };
        let values = true_values(&tree);
        for algorithm in [Algorithm::Deepening, Algorithm::Aspiration] {
            let mut search = Search::new(&tree);
            search.record();
            let root = search.root(4);
            search_with(algorithm, &mut search, &root, &AlgorithmSettings::default()).unwrap();
            for node in outline(&search, &root).unwrap() {
                let Some(visits) = node.visits.filter(|visits| visits.value.is_some()) else {
                    continue;
                };
                match visits.bound {
                    ValueBound::Exact => assert_eq!(visits.value, values.get(&node.path).copied()),
                    ValueBound::Estimate => estimates += 1,
                    _ => {}
                }
            }
        }
    }
    assert!(estimates > 0);
}

#[test]
fn the_imaginary_game_has_the_values_of_the_notes() {
    let text = crate::lab::examples::by_name("minimax-5").unwrap().text;
    let nodes = outlined(text, Algorithm::Minimax, TO_THE_END);
    let level = |level: usize| -> Vec<String> {
        let nodes = nodes.iter().filter(|node| node.level == level);
        nodes.map(|node| node.value_text(UNIT)).collect()
    };
    assert_eq!(level(3), ["5", "2", "9", "1", "3", "7", "1", "6"]);
    assert_eq!(level(2), ["5", "9", "3", "7", "1", "6"]);
    assert_eq!(level(1), ["5", "3", "1"]);
    assert_eq!(level(0), ["5"]);
}
