//! What the algorithms have to show together.

mod agreement;
mod dominance;
mod games;
mod textbook;

use super::catalogue::{ALL, Algorithm, Promise};
use super::game::{Game, Value};
use super::run::{Settings, search_with};
use super::search::{Node, Outcome, Search};

/// The exact algorithms, for games with chance or for those without.
fn exact(with_chance: bool) -> Vec<Algorithm> {
    ALL.iter()
        .filter(|entry| entry.promise == Promise::Exact && (entry.knows_chance || !with_chance))
        .map(|entry| entry.algorithm)
        .collect()
}

/// What an algorithm returns for a position.
fn outcome<G: Game>(
    algorithm: Algorithm,
    game: &G,
    state: &G::State,
    depth: u32,
) -> Outcome<G::Move> {
    let mut search = Search::new(game);
    let root = search.node_of(state.clone(), depth);
    search_with(algorithm, &mut search, &root, &Settings::default()).unwrap()
}

/// The value where a line ends that begins at a position. Without chance that is the value of the position.
fn value_after<G: Game>(game: &G, state: &G::State, depth: u32, line: &[G::Move]) -> Value {
    let search = Search::new(game);
    let mut node: Node<G> = search.node_of(state.clone(), depth);
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

/// Holds all exact algorithms to one value, and their lines to it.
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
        let position = game.state_text(state);
        assert_eq!(found.value, value, "{name}, depth {depth}: {position}");
        if !game.has_chance() {
            let reached = value_after(game, state, depth, &found.line);
            assert_eq!(reached, value, "line of {name}, depth {depth}: {position}");
        }
    }
}
