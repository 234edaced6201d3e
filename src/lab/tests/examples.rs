//! The trees of the lecture notes, held to what their comments say.

use crate::lab::catalogue::Algorithm;
use crate::lab::examples::{ALL, Example};
use crate::lab::game::{Game, value_text};
use crate::lab::games::explicit::ExplicitTree;
use crate::lab::run::{AlgorithmSettings, run};
use crate::lab::search::{RunLimits, TO_THE_END};

/// Returns the command's default settings in the units of trees.
fn settings() -> AlgorithmSettings {
    AlgorithmSettings {
        margin: 500,
        swing: 1_000,
        ..AlgorithmSettings::default()
    }
}

/// Returns the value and the number of leaves of an algorithm on a tree.
fn measured(tree: &ExplicitTree, algorithm: Algorithm, depth: u32) -> (String, String) {
    let report = run(
        algorithm,
        tree,
        &tree.start(),
        depth,
        &settings(),
        RunLimits::default(),
    );
    let value = value_text(report.result.unwrap().value, tree.unit());
    (value, report.counters.leaves.to_string())
}

/// Checks one comment such as `# depth 1 quiescence value: 0`. Returns whether it makes a claim,
/// and adds a wrong claim to `faults`.
fn check(example: &Example, comment: &str, faults: &mut Vec<String>) -> bool {
    let Some((subject, expected)) = comment.trim_start_matches("# ").split_once(": ") else {
        return false;
    };
    let mut words: Vec<&str> = subject.split(' ').collect();
    let quantity = words.pop();
    if !matches!(quantity, Some("value" | "leaves")) {
        return false;
    }
    let tree = ExplicitTree::parse(example.text).unwrap();
    let mut depth = TO_THE_END;
    if words.first() == Some(&"depth") {
        depth = words[1].parse().unwrap();
        words.drain(..2);
    }
    let usual = if tree.has_chance() {
        "expectiminimax"
    } else {
        "minimax"
    };
    let name = words.first().copied().unwrap_or(usual);
    let algorithm = Algorithm::by_name(name).unwrap();
    let (value, leaves) = measured(&tree, algorithm, depth);
    let found = if quantity == Some("value") {
        value
    } else {
        leaves
    };
    if found != expected {
        faults.push(format!("{}: {comment}, not {found}", example.name));
    }
    true
}

#[test]
fn every_example_is_what_its_comments_say() {
    let mut faults = Vec::new();
    for example in ALL {
        let comments = example.text.lines().filter(|line| line.starts_with('#'));
        let checked = comments
            .filter(|comment| check(example, comment, &mut faults))
            .count();
        assert!(
            checked > 0,
            "{} says nothing that can be checked",
            example.name
        );
    }
    assert_eq!(faults, Vec::<String>::new());
}

#[test]
fn every_file_is_listed() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lab/examples");
    let mut files: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .filter_map(|entry| {
            Some(
                entry
                    .unwrap()
                    .file_name()
                    .to_str()?
                    .strip_suffix(".tree")?
                    .to_owned(),
            )
        })
        .collect();
    files.sort_unstable();
    let mut names: Vec<&str> = ALL.iter().map(|example| example.name).collect();
    names.sort_unstable();
    assert_eq!(files, names);
}
