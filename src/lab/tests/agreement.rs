//! Checks that all exact algorithms return one value, and a line that leads to it.

use rayon::prelude::*;

use super::{assert_agreement, assert_agreement_of, exact};
use crate::lab::catalogue::Algorithm;
use crate::lab::game::{Game, Mover};
use crate::lab::games::chess::Chess;
use crate::lab::games::explicit::ExplicitTree;
use crate::lab::games::grundy::Grundy;
use crate::lab::games::nim::Nim;
use crate::lab::games::race::{Pieces, Race};
use crate::lab::games::random_tree::{ChildOrder, RandomTree};
use crate::lab::games::tic_tac_toe::TicTacToe;
use crate::lab::reachable;
use crate::lab::search::TO_THE_END;
use crate::position::Position;
use crate::position::notation::parse_fen;
use crate::random::Random;

const RANDOM_TREES: u64 = 10_000;

/// Returns a random tree: with small values, so that ties are frequent, or large ones; with
/// dependent or independent leaves; ordered or not.
fn random_tree(seed: u64) -> RandomTree {
    let mut random = Random::of_item(6, seed);
    let orders = [
        ChildOrder::Random,
        ChildOrder::Random,
        ChildOrder::BestFirst,
        ChildOrder::BestLast,
    ];
    RandomTree {
        branching: 1 + random.below(4) as u32,
        depth: 1 + random.below(5) as u32,
        largest: [1, 5, 1_000][random.below(3)],
        correlation: [0, 50, 100][random.below(3)],
        order: orders[random.below(4)],
        throws: 1,
        seed,
    }
}

#[test]
fn on_random_trees() {
    (0..RANDOM_TREES).into_par_iter().for_each(|seed| {
        let tree = random_tree(seed);
        assert_agreement(&tree, &tree.start(), TO_THE_END);
        // Cut off before the leaves, values are evaluations.
        assert_agreement(&tree, &tree.start(), tree.depth - 1);
    });
}

#[test]
fn on_random_trees_with_dice() {
    (0..RANDOM_TREES).into_par_iter().for_each(|seed| {
        let tree = RandomTree {
            order: ChildOrder::Random,
            throws: 2 + (seed % 3) as u32,
            depth: 1 + (seed % 3) as u32,
            ..random_tree(seed)
        };
        assert!(tree.has_chance());
        assert_agreement(&tree, &tree.start(), TO_THE_END);
        assert_agreement(&tree, &tree.start(), tree.depth - 1);
    });
}

/// Writes a tree of any shape, with players who move twice in a row and leaves at all levels.
fn irregular(random: &mut Random, levels: usize, with_chance: bool) -> String {
    if levels == 0 || random.chance(0.2) {
        return (random.below(21) as i64 - 10).to_string();
    }
    let kinds = if with_chance { 3 } else { 2 };
    let kind = ["max", "min", "chance"][random.below(kinds)];
    let mut text = format!("{kind}@{}(", random.below(21) as i64 - 10);
    for _ in 0..=random.below(3) {
        if kind == "chance" {
            text += &format!(" {}*", 1 + random.below(5));
        }
        text += " ";
        text += &irregular(random, levels - 1, with_chance);
    }
    text + ")"
}

#[test]
fn on_irregular_trees() {
    (0..RANDOM_TREES).into_par_iter().for_each(|seed| {
        let mut random = Random::of_item(7, seed);
        let with_chance = seed % 2 == 0;
        let text = irregular(&mut random, 5, with_chance);
        let tree = ExplicitTree::parse(&text).unwrap();
        for depth in [TO_THE_END, 3] {
            assert_agreement(&tree, &tree.start(), depth);
        }
    });
}

#[test]
fn on_tic_tac_toe() {
    let game = TicTacToe::default();
    // With more than six empty squares the algorithms that examine every line take too long.
    let all = reachable(&game, usize::MAX);
    assert_eq!(all.len(), 5_478);
    let moves_left = |board: &_| game.moves(board).len();
    all.par_iter().for_each(|board| {
        if moves_left(board) <= 6 {
            assert_agreement(&game, board, TO_THE_END);
        }
        assert_agreement(&game, board, 3);
    });
    let pruning: Vec<Algorithm> = exact(false)
        .into_iter()
        .filter(|algorithm| {
            use Algorithm::{Expectiminimax, MaxN, Negamax};
            !matches!(algorithm, Negamax | MaxN | Expectiminimax)
        })
        .collect();
    assert_agreement_of(&game, &game.start(), TO_THE_END, &pruning);
}

#[test]
fn on_nim_and_on_grundys_game() {
    (1..=12_u32).into_par_iter().for_each(|heap| {
        let nim = Nim { heap };
        for state in reachable(&nim, usize::MAX) {
            assert_agreement(&nim, &state, TO_THE_END);
        }
        let grundy = Grundy { heap };
        for state in reachable(&grundy, usize::MAX) {
            assert_agreement(&grundy, &state, TO_THE_END);
        }
    });
}

#[test]
fn on_the_race_from_everywhere() {
    let game = Race {
        start: Pieces::default(),
    };
    let states = reachable(&game, usize::MAX);
    assert!(states.len() > 300);
    states.par_iter().for_each(|state| {
        for depth in 0..=3 {
            assert_agreement(&game, state, depth);
        }
    });
}

/// Returns positions reached by random moves from endings with few pieces, on which minimax at
/// depth 4 is fast enough.
fn endings() -> Vec<Position> {
    let starts = [
        "8/8/4k3/8/8/3PK3/8/8 w - - 0 1",
        "8/5k2/8/8/2R5/8/4K3/7r w - - 0 1",
        "8/2p5/3p1k2/8/1P6/4K3/6P1/8 b - - 0 1",
        "4k3/8/2n5/8/8/5B2/3P4/4K3 w - - 0 1",
        "8/P4k2/8/8/8/8/5K1p/8 w - - 0 1",
        "8/8/1k6/8/5q2/8/6K1/8 w - - 0 1",
        "5k2/3p4/8/2P5/8/8/8/4K3 b - - 0 1",
        "8/8/8/1pk5/8/P1K5/8/8 w - - 0 1",
        "8/8/8/8/4k3/8/3p4/3K2N1 b - - 0 1",
        "k7/2K5/8/1P6/8/8/7p/8 w - - 0 1",
    ];
    let mut random = Random::new(64);
    let mut positions = Vec::new();
    for start in starts {
        let mut position = parse_fen(start, false).unwrap().position;
        for _ in 0..11 {
            positions.push(position.clone());
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[random.below(moves.len())]);
        }
    }
    positions
}

/// Returns positions from the middle of games, where only algorithms that prune are fast enough.
fn middlegames() -> Vec<Position> {
    let mut random = Random::new(65);
    let mut positions = Vec::new();
    while positions.len() < 8 {
        let mut position = Position::initial();
        for _ in 0..6 + random.below(30) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[random.below(moves.len())]);
        }
        if position.has_legal_move() {
            positions.push(position);
        }
    }
    positions
}

#[test]
fn on_chess_positions_at_depth_4() {
    let endings = endings();
    assert!(endings.len() >= 100, "{}", endings.len());
    endings.par_iter().for_each(|position| {
        let game = Chess::new(position.clone());
        assert!(game.player(&game.start()) != Mover::Chance);
        assert_agreement(&game, &game.start(), 4);
    });
}

#[test]
fn on_positions_from_the_middle_of_games() {
    use Algorithm::{AlphaBetaHard, DualStar, MtdF, Negascout, Scout, SssStar};
    let pruning = [AlphaBetaHard, Negascout, Scout, SssStar, DualStar, MtdF];
    middlegames().par_iter().for_each(|position| {
        let game = Chess::new(position.clone());
        assert_agreement_of(&game, &game.start(), 3, &pruning);
    });
}
