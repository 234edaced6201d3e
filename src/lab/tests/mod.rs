//! Tests of the algorithms against each other and against the lecture notes.

mod agreement;
mod dominance;
mod examples;
mod games;
mod heuristics;
mod textbook;
mod traces;

use super::catalogue::{ALL, Algorithm, Promise};
use super::game::{Game, Value};
use super::language::Language;
use super::run::{AlgorithmSettings, search_with};
use super::search::{Search, TreeNode, Valuation};

/// Returns the exact algorithms, for games with chance or for those without.
fn exact(with_chance: bool) -> Vec<Algorithm> {
    ALL.iter()
        .filter(|entry| entry.promise == Promise::Exact && (entry.knows_chance || !with_chance))
        .map(|entry| entry.algorithm)
        .collect()
}

/// Runs an algorithm on a position.
fn outcome<G: Game>(
    algorithm: Algorithm,
    game: &G,
    state: &G::State,
    depth: u32,
) -> Valuation<G::Move> {
    let mut search = Search::new(game);
    let root = search.node_of(state.clone(), depth);
    search_with(algorithm, &mut search, &root, &AlgorithmSettings::default()).unwrap()
}

/// Returns the value at the end of a line. Without chance that is the value of the position where
/// it starts.
fn value_after<G: Game>(game: &G, state: &G::State, depth: u32, line: &[G::Move]) -> Value {
    let search = Search::new(game);
    let mut node: TreeNode<G> = search.node_of(state.clone(), depth);
    for m in line {
        let next = search
            .children(&node)
            .find(|child| child.via.as_ref() == Some(m));
        node = next.expect("a line of legal moves");
    }
    assert!(
        node.depth == 0 || search.is_end(&node),
        "the line ends early"
    );
    let end = game.utility(&node.state);
    end.unwrap_or_else(|| game.evaluate(&node.state))
}

/// Checks that all exact algorithms return one value, and lines that lead to it.
fn assert_agreement<G: Game>(game: &G, state: &G::State, depth: u32) {
    let algorithms = exact(game.has_chance());
    assert_agreement_of(game, state, depth, &algorithms);
}

fn assert_agreement_of<G: Game>(game: &G, state: &G::State, depth: u32, algorithms: &[Algorithm]) {
    let first = if game.has_chance() {
        Algorithm::Expectiminimax
    } else {
        Algorithm::AlphaBeta
    };
    let value = outcome(first, game, state, depth).value;
    for algorithm in algorithms {
        let found = outcome(*algorithm, game, state, depth);
        let name = algorithm.entry().name;
        let position = game.state_text(state, Language::English);
        assert_eq!(found.value, value, "{name}, depth {depth}: {position}");
        if !game.has_chance() {
            let reached = value_after(game, state, depth, &found.line);
            assert_eq!(reached, value, "line of {name}, depth {depth}: {position}");
        }
    }
}
