//! The values of the heuristic algorithms, and B* and belief states.

use std::collections::BTreeSet;

use super::outcome;
use crate::lab::algorithms::belief::{BeliefSearch, HiddenGame};
use crate::lab::algorithms::biased::{Narrowing, biased};
use crate::lab::algorithms::opponent::ErrorRate;
use crate::lab::algorithms::quiescence::{Unrest, quiescence};
use crate::lab::catalogue::Algorithm;
use crate::lab::game::{Game, Value};
use crate::lab::games::chess::{Chess, ChessEvaluation};
use crate::lab::games::explicit::{ExplicitTree, UNIT};
use crate::lab::games::hidden_tic_tac_toe::{HiddenTicTacToe, first_belief};
use crate::lab::games::nim::Nim;
use crate::lab::games::random_tree::RandomTree;
use crate::lab::games::tic_tac_toe::{Board, TicTacToe};
use crate::lab::search::{Meter, RunLimits, Search, TO_THE_END};
use crate::position::Position;
use crate::position::notation::parse_fen;
use crate::random::Random;

fn chess(fen: &str) -> Chess {
    Chess::new(parse_fen(fen, false).unwrap().position)
}

fn value_of<G: Game>(algorithm: Algorithm, game: &G, depth: u32) -> Value {
    outcome(algorithm, game, &game.start(), depth).value
}

/// Three moves with estimates 6, 5 and 4. The best is the last.
const MISLEADING: &str = "max(min@6(1 2) min@5(3 4) min@4(9 9))";

#[test]
fn biased_search_leaves_out_what_promises_little() {
    let game = ExplicitTree::parse(MISLEADING).unwrap();
    let found = |width| {
        let mut search = Search::new(&game);
        let root = search.root(TO_THE_END);
        let found = biased(&mut search, &root, width, Narrowing::Level).unwrap();
        (found.value, found.line[0], search.counters().cutoffs)
    };
    // The second move is the best of two, the third of three.
    assert_eq!(found(2), (3 * UNIT, 1, 1));
    assert_eq!(found(3), (9 * UNIT, 2, 0));
    // Only one node is left before its last child.
    let game = ExplicitTree::parse("max(min(4 3) min(5 2))").unwrap();
    let mut search = Search::new(&game);
    let root = search.root(TO_THE_END);
    biased(&mut search, &root, 8, Narrowing::Level).unwrap();
    assert_eq!(search.counters().cutoffs, 1);
}

#[test]
fn biased_search_counts_a_node_once() {
    // The lesson's tree, where both the width and the window cut.
    let game = RandomTree {
        branching: 6,
        depth: 5,
        correlation: 90,
        seed: 1,
        ..RandomTree::default()
    };
    for width in [2, 4, 6] {
        let mut search = Search::new(&game);
        let root = search.root(TO_THE_END);
        biased(&mut search, &root, width, Narrowing::Level).unwrap();
        let counters = search.counters();
        assert!(counters.cutoffs <= counters.interior, "{counters:?}");
    }
}

#[test]
fn biased_search_looks_at_fewer_moves_behind_less_promise() {
    // Two moves of Max with four replies each. The second move promises 5 less.
    let text = "max(min@9(9 8 7 6) min@4(9 9 9 1))";
    let game = ExplicitTree::parse(text).unwrap();
    let leaves = |narrowing| {
        let mut search = Search::new(&game);
        let root = search.root(TO_THE_END);
        let found = biased(&mut search, &root, 5, narrowing).unwrap();
        (found.value, search.counters().leaves)
    };
    // Min searches its most promising replies first, the smallest: 6, then 1.
    assert_eq!(leaves(Narrowing::Level), (6 * UNIT, 5));
    let game =
        ExplicitTree::parse("max(min@9(9 8 7 6) min@4(max@9(9) max@9(9) max@9(9) max@9(1)))")
            .unwrap();
    let leaves = |narrowing| {
        let mut search = Search::new(&game);
        let root = search.root(TO_THE_END);
        let found = biased(&mut search, &root, 5, narrowing).unwrap();
        (found.value, search.counters().leaves)
    };
    // Width 4 sees the trap at the end; width 3 by rank and width 2 by estimate do not.
    assert_eq!(leaves(Narrowing::Level), (6 * UNIT, 8));
    assert_eq!(leaves(Narrowing::Rank), (9 * UNIT, 7));
    assert_eq!(
        leaves(Narrowing::Estimate { step: 2 * UNIT }),
        (9 * UNIT, 6)
    );
}

#[test]
fn book_moves_are_played_and_the_rest_is_searched() {
    let game = TicTacToe::default();
    let found = outcome(Algorithm::Book, &game, &game.start(), 3);
    assert_eq!(found.line[0], 4);
    let after = game.apply(&game.start(), &4);
    let searched = outcome(Algorithm::AlphaBeta, &game, &after, 2);
    assert_eq!(
        (found.value, &found.line[1..]),
        (searched.value, &searched.line[..])
    );
    // Nim's book knows the winning moves; where there is none, alpha-beta searches.
    for heap in 1..=12 {
        let nim = Nim { heap };
        let found = outcome(Algorithm::Book, &nim, &nim.start(), TO_THE_END);
        assert_eq!(found.value, if heap % 4 == 1 { -1 } else { 1 }, "{heap}");
    }
    let start = Chess::new(Position::initial());
    let found = outcome(Algorithm::Book, &start, &start.start(), 2);
    assert_eq!(start.move_text(&start.start(), &found.line[0]), "e2e4");
}

#[test]
fn quiescence_goes_on_while_the_value_changes() {
    let game = ExplicitTree::parse("max(min@4(-5 -3) min@2(2 3))").unwrap();
    let value = |swing, plies| {
        let mut search = Search::new(&game);
        let root = search.root(1);
        let rule = Unrest::Swing { swing, plies };
        quiescence(&mut search, &root, rule).unwrap().value
    };
    assert_eq!(value(UNIT, 2), 2 * UNIT);
    // A change of 9 is allowed, or no plies are left: the evaluation stands.
    assert_eq!(value(9 * UNIT, 2), 4 * UNIT);
    assert_eq!(value(UNIT, 0), 4 * UNIT);
    // Nothing changes: the value is that of alpha-beta.
    for seed in 0..200 {
        let tree = RandomTree {
            correlation: 100,
            seed,
            ..RandomTree::default()
        };
        let alpha_beta = value_of(Algorithm::AlphaBeta, &tree, 2);
        let mut search = Search::new(&tree);
        let root = search.root(2);
        let rule = Unrest::Swing {
            swing: 1_000,
            plies: 3,
        };
        assert_eq!(
            quiescence(&mut search, &root, rule).unwrap().value,
            alpha_beta
        );
    }
}

#[test]
fn null_moves_save_work_in_the_middle_game_and_find_the_same() {
    let game = chess("r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4");
    let value = value_of(Algorithm::AlphaBeta, &game, 4);
    for algorithm in [Algorithm::NullMove, Algorithm::NullMoveVerified] {
        let mut search = Search::new(&game);
        let root = search.root(4);
        let settings = crate::lab::run::AlgorithmSettings::default();
        let found = crate::lab::run::search_with(algorithm, &mut search, &root, &settings).unwrap();
        assert_eq!(found.value, value, "{}", algorithm.entry().name);
    }
}

#[test]
fn without_passes_null_move_is_alpha_beta() {
    for seed in 0..200 {
        let tree = RandomTree {
            depth: 4,
            seed,
            ..RandomTree::default()
        };
        let found = outcome(Algorithm::AlphaBeta, &tree, &tree.start(), TO_THE_END);
        for algorithm in [Algorithm::NullMove, Algorithm::NullMoveVerified] {
            assert_eq!(outcome(algorithm, &tree, &tree.start(), TO_THE_END), found);
        }
    }
}

#[test]
fn verification_repairs_what_a_pass_misses() {
    // Endings with what a full search and plain null move find, by material. In the first a pass
    // is better than any move, in the others the shallower search after it misses something.
    let endings = [
        ("8/8/8/3Kp3/4P3/1p4k1/1P6/B7 b - - 0 1", 7, 300, 400),
        ("8/8/kP6/7R/4r3/3K4/8/8 b - - 0 1", 4, 0, 100),
        ("3k4/8/4P3/8/8/2n1NK2/8/8 b - - 0 1", 4, 0, 100),
        ("1N6/8/8/1k5P/8/1p6/6K1/8 b - - 0 1", 4, -500, 300),
        ("6nB/8/4P3/K7/6k1/8/8/8 w - - 0 1", 5, 0, 100),
        ("3n4/8/1K6/3B4/3k4/8/B7/8 b - - 0 1", 5, 600, 300),
        ("5n2/8/2P5/8/8/8/k7/1N1K4 b - - 0 1", 5, 100, -200),
    ];
    for (fen, depth, exact, plain) in endings {
        let mut game = chess(fen);
        game.evaluation = ChessEvaluation::Material;
        assert_eq!(value_of(Algorithm::AlphaBeta, &game, depth), exact, "{fen}");
        assert_eq!(value_of(Algorithm::NullMove, &game, depth), plain, "{fen}");
        assert_eq!(
            value_of(Algorithm::NullMoveVerified, &game, depth),
            exact,
            "{fen}"
        );
    }
}

#[test]
fn the_zugzwang_of_the_lesson_is_one() {
    let value = |to_move, depth| {
        let mut game = chess(&format!("8/8/8/3Kp3/4Pk2/1p6/1P6/B7 {to_move} - - 0 1"));
        game.evaluation = ChessEvaluation::Material;
        value_of(Algorithm::AlphaBeta, &game, depth)
    };
    // White is better off after a pass, which takes a ply, than after any move.
    for depth in 3..=6 {
        assert_eq!((value("w", depth), value("b", depth - 1)), (300, 400));
    }
}

#[test]
fn the_error_rate_is_learnt_from_moves() {
    let mut rate = ErrorRate::new(200);
    assert_eq!(rate.per_mille(), 200);
    // If all moves are equally good, there is nothing to learn.
    rate.observe(&[1, 1, 1], 0);
    assert_eq!(rate.per_mille(), 200);
    // An opponent who moves at random with a probability of 0.6.
    let mut random = Random::new(3);
    for _ in 0..5_000 {
        let count = 2 + random.below(4);
        let values: Vec<Value> = (0..count).map(|_| random.below(6) as Value).collect();
        let best = values.iter().max().unwrap();
        let best = values.iter().position(|value| value == best).unwrap();
        let chosen = if random.chance(0.6) {
            random.below(count)
        } else {
            best
        };
        rate.observe(&values, chosen);
    }
    assert!(
        (560..=640).contains(&rate.per_mille()),
        "{}",
        rate.per_mille()
    );
}

#[test]
fn b_star_finds_a_best_move_and_true_bounds() {
    let game = ExplicitTree::parse(crate::lab::examples::by_name("b-star").unwrap().text).unwrap();
    let found = outcome(Algorithm::BStar, &game, &game.start(), TO_THE_END);
    let exact = outcome(Algorithm::Minimax, &game, &game.start(), TO_THE_END);
    assert_eq!(found.line[0], exact.line[0]);
    assert!(found.value <= exact.value);
    // It stops before all leaves are known.
    let mut search = Search::new(&game);
    let root = search.root(TO_THE_END);
    crate::lab::algorithms::b_star::b_star(&mut search, &root).unwrap();
    assert!(search.counters().leaves < 11, "{:?}", search.counters());
    for seed in 0..500 {
        let tree = RandomTree {
            largest: 9,
            seed,
            ..RandomTree::default()
        };
        let found = outcome(Algorithm::BStar, &tree, &tree.start(), TO_THE_END);
        let value = value_of(Algorithm::Minimax, &tree, TO_THE_END);
        let after = tree.apply(&tree.start(), &found.line[0]);
        assert_eq!(
            outcome(Algorithm::Minimax, &tree, &after, TO_THE_END).value,
            value
        );
        assert!(found.value <= value);
    }
    // Tic-tac-toe has true bounds: a player without an open line cannot win.
    let game = TicTacToe {
        start: Board::parse("XO./.X./..O", None).unwrap(),
    };
    let value = value_of(Algorithm::Minimax, &game, TO_THE_END);
    let found = outcome(Algorithm::BStar, &game, &game.start(), TO_THE_END);
    let after = game.apply(&game.start(), &found.line[0]);
    assert_eq!(
        outcome(Algorithm::Minimax, &game, &after, TO_THE_END).value,
        value
    );
}

#[test]
fn figure_10_depth_2_the_centre() {
    let game = TicTacToe::default();
    let found = outcome(Algorithm::Minimax, &game, &game.start(), 2);
    assert_eq!((found.value, found.line[0]), (1, 4));
}

#[test]
fn boards_are_read_with_the_player_to_move() {
    use crate::lab::game::Mover;
    // The three results of the lecture notes.
    for (board, result) in [
        ("XOX/OXO/XOX", 100),
        ("OOX/OXO/OXX", -100),
        ("XOX/OXO/OXO", 0),
    ] {
        let start = Board::parse(board, None).unwrap();
        assert_eq!(TicTacToe { start }.utility(&start), Some(result), "{board}");
    }
    let mover = |text: &str, to_move| {
        let start = Board::parse(text, to_move).unwrap();
        TicTacToe { start }.player(&start)
    };
    assert_eq!(mover("X../.../...", None), Mover::Min);
    assert_eq!(mover("X../.../...", Some(Mover::Max)), Mover::Max);
    // With the move, Max completes the line; without it, Min does.
    for (to_move, value) in [(Mover::Max, 100), (Mover::Min, -100)] {
        let start = Board::parse("XX./OO./...", Some(to_move)).unwrap();
        assert_eq!(
            value_of(Algorithm::AlphaBeta, &TicTacToe { start }, TO_THE_END),
            value
        );
    }
    assert!(Board::parse("XX./OO.", None).is_err());
    assert!(Board::parse("XXX/OOO/...", None).is_err());
    assert!(Board::parse("XZ./.../...", None).is_err());
    // A zero is probably meant for a nought.
    assert!(Board::parse("X0X/0X0/..X", None).is_err());
    assert!(Board::parse("X2X/4X6/78X", None).is_ok());
}

#[test]
fn material_counts_pieces() {
    let mut game = chess("4k3/8/8/3q4/8/8/PPR5/4K3 w - - 0 1");
    game.evaluation = ChessEvaluation::Material;
    assert_eq!(game.evaluate(&game.start()), 200 + 500 - 900);
}

/// Returns what Max can guarantee, by trying all strategies without memory or cuts.
fn guaranteed(game: &HiddenTicTacToe, belief: &BTreeSet<(Board, u16)>) -> Value {
    let mut best = -1;
    for m in game.moves(belief) {
        let mut worst = 1;
        let mut groups: Vec<(_, BTreeSet<(Board, u16)>)> = Vec::new();
        for state in belief {
            let (seen, next) = game.outcomes(state, m);
            for next in next {
                match game.utility(&next) {
                    Some(value) => worst = worst.min(value),
                    None => match groups.iter_mut().find(|(other, _)| *other == seen) {
                        Some((_, group)) => {
                            group.insert(next);
                        }
                        None => groups.push((seen, BTreeSet::from([next]))),
                    },
                }
            }
        }
        for (_, group) in groups {
            worst = worst.min(guaranteed(game, &group));
        }
        best = best.max(worst);
    }
    best
}

#[test]
fn belief_states_give_what_max_can_guarantee() {
    let value = |board: &str| {
        let start = Board::parse(board, None).unwrap();
        let (belief, _) = first_belief(&start);
        let mut search = BeliefSearch::new(&HiddenTicTacToe, Meter::new(RunLimits::default()));
        let found = search.solve(&belief).unwrap().value;
        assert_eq!(found, guaranteed(&HiddenTicTacToe, &belief), "{board}");
        let seen = value_of(Algorithm::AlphaBeta, &TicTacToe { start }, TO_THE_END).signum();
        assert!(found <= seen, "{board}: not seeing cannot help");
        (found, seen)
    };
    // A line can be completed at once.
    assert_eq!(value("XX./OO./..."), (1, 1));
    // Two threats: one square must be free, and naming a taken one costs nothing.
    assert_eq!(value("X.X/.O./X.O"), (1, 1));
    // Hidden marks cost Max something on some boards, and never help.
    let game = TicTacToe::default();
    let mut differences = 0;
    let boards = crate::lab::reachable(&game, usize::MAX).into_iter();
    for start in boards.filter(|start| {
        let taken = start.crosses().count_ones() + start.noughts().count_ones();
        taken == 4 && game.utility(start).is_none()
    }) {
        let seen = value_of(Algorithm::AlphaBeta, &TicTacToe { start }, TO_THE_END).signum();
        let (belief, _) = first_belief(&start);
        let mut search = BeliefSearch::new(&HiddenTicTacToe, Meter::new(RunLimits::default()));
        let found = search.solve(&belief).unwrap().value;
        assert!(found <= seen);
        assert_eq!(found, guaranteed(&HiddenTicTacToe, &belief));
        differences += u32::from(found < seen);
    }
    assert!(differences > 0);
}
