//! The games' known values.

use rayon::prelude::*;

use super::outcome;
use crate::lab::algorithms::expectiminimax::expectiminimax;
use crate::lab::algorithms::max_n::{ManyPlayers, TieRule, max_n};
use crate::lab::catalogue::Algorithm;
use crate::lab::game::{Game, Mover};
use crate::lab::games::grundy::Grundy;
use crate::lab::games::nim::Nim;
use crate::lab::games::race::{Pieces, Race, RaceSolution, RaceStep};
use crate::lab::games::three_players::{ThreePlayers, Turn};
use crate::lab::games::tic_tac_toe::TicTacToe;
use crate::lab::reachable;
use crate::lab::search::{Meter, RunLimits, Search, TO_THE_END};

#[test]
fn tic_tac_toe_is_a_draw() {
    let game = TicTacToe::default();
    let found = outcome(Algorithm::Minimax, &game, &game.start(), TO_THE_END);
    assert_eq!((found.value, found.line.len()), (0, 9));
}

#[test]
fn grundys_lost_heaps() {
    let lost: Vec<u32> = (1..=53_u32)
        .into_par_iter()
        .filter(|heap| {
            let game = Grundy { heap: *heap };
            outcome(Algorithm::MtdF, &game, &game.start(), TO_THE_END).value < 0
        })
        .collect();
    assert_eq!(lost, [1, 2, 4, 7, 10, 20, 23, 26, 50, 53]);
}

#[test]
fn nims_lost_heaps() {
    for heap in 1..=60 {
        let game = Nim { heap };
        let found = outcome(Algorithm::MtdF, &game, &game.start(), TO_THE_END);
        assert_eq!(found.value < 0, heap % 4 == 1, "{heap}");
        // The book has a winning move wherever one exists.
        if let Some(taken) = game.book(&game.start()) {
            let left = game.apply(&game.start(), &taken);
            let reply = outcome(Algorithm::MtdF, &game, &left, TO_THE_END);
            assert_eq!(reply.value, 1, "{heap}");
        } else {
            assert_eq!(heap % 4, 1);
        }
    }
}

#[test]
fn the_race_from_3_4_against_1_2() {
    let start = Pieces::new([3, 4], [1, 2], true).unwrap();
    let game = Race { start };
    let unit = game.unit();
    assert_eq!(game.evaluate(&start), 10 * unit);
    let value = |depth| outcome(Algorithm::Expectiminimax, &game, &start, depth).value;
    assert_eq!(value(0), 10 * unit);
    // Heads: one field more, 11. Tails: from 3 to 5, since 4 to 6 goes too far, 12.
    assert_eq!(value(1), 23 * unit / 2);
    // Then Min: one field less with heads. With tails, from 2 to 0, two less: Max closes no field
    // there.
    assert_eq!(value(2), 23 * unit / 2 - 3 * unit / 2);
}

#[test]
fn deeper_searches_of_the_race_come_closer_to_its_solution() {
    let start = Pieces::new([3, 4], [1, 2], true).unwrap();
    let game = Race { start };
    let solution = RaceSolution::new(&game, 1e-12, 10_000);
    assert!(solution.change <= 1e-12, "{}", solution.change);
    let exact = solution.value(&start).unwrap();
    let error = |depth| {
        let mut search = Search::new(&game);
        let root = search.root(depth);
        let value = expectiminimax(&mut search, &root).unwrap().value;
        (value as f64 / game.unit() as f64 - exact).abs()
    };
    let errors = [error(2), error(8)];
    assert!(
        errors[1] < errors[0] && errors[1] < 0.5,
        "{exact} {errors:?}"
    );
    // Both need three steps, and Max moves first.
    assert!(exact > 10.0 && exact < 20.0, "{exact}");
}

#[test]
fn the_races_rules() {
    let at = |max, min, max_turn| Pieces::new(max, min, max_turn).unwrap();
    let game = Race {
        start: at([3, 4], [5, 5], true),
    };
    let thrown = |distance| game.apply(&game.start(), &RaceStep::Throw(distance));
    // The enemy's field is closed, and no piece goes beyond the goal.
    assert_eq!(game.moves(&thrown(1)), [RaceStep::Walk(3, 4)]);
    assert_eq!(game.moves(&thrown(2)), [RaceStep::Pass]);
    let passed = game.apply(&thrown(2), &RaceStep::Pass);
    assert_eq!(game.player(&passed), Mover::Chance);
    // Own pieces may share a field.
    let shared = game.apply(&thrown(1), &RaceStep::Walk(3, 4));
    assert_eq!(game.evaluate(&shared), 18 * game.unit());
    let won = Race {
        start: at([5, 5], [1, 2], false),
    };
    assert_eq!(won.utility(&won.start), Some(20 * won.unit()));
    assert!(Pieces::new([1, 2], [2, 3], true).is_err());
    assert!(Pieces::new([1, 6], [2, 3], true).is_err());
}

#[test]
fn every_position_of_the_race_has_a_value() {
    let game = Race {
        start: Pieces::default(),
    };
    let solution = RaceSolution::new(&game, 1e-12, 10_000);
    assert!(solution.change <= 1e-12);
    for state in reachable(&game, usize::MAX) {
        let value = solution.value(&state).unwrap();
        assert!((0.0..=20.0).contains(&value));
    }
    // The first player has the advantage in a symmetrical position.
    assert!(solution.value(&game.start).unwrap() > 10.0);
}

fn shares(left: u32, ties: TieRule) -> Vec<i64> {
    let game = ThreePlayers { heap: left };
    let mut meter = Meter::new(RunLimits::default());
    let found = max_n(&game, &game.start(), TO_THE_END, ties, &mut meter).unwrap();
    let mut turn: Turn = game.start();
    for taken in &found.line {
        turn = game.apply(&turn, taken);
    }
    assert_eq!(game.payoff(&turn), Some(found.values.clone()));
    found.values
}

#[test]
fn with_three_players_the_rule_for_ties_matters() {
    // A player who faces four must let the next player win.
    for left in 1..=3 {
        assert_eq!(shares(left, TieRule::First), [1, 0, 0]);
    }
    assert_eq!(shares(4, TieRule::First), [0, 1, 0]);
    // A player who faces five loses, but decides who wins: leaving four lets the third player win,
    // leaving two or three the next.
    assert_eq!(shares(5, TieRule::First), [0, 0, 1]);
    assert_eq!(shares(5, TieRule::Last), [0, 1, 0]);
}
