//! Trees built for what lectures say about the algorithms.

use crate::lab::algorithms::alpha_beta::fail_soft;
use crate::lab::algorithms::continuation::continuation;
use crate::lab::algorithms::expectiminimax::expectiminimax;
use crate::lab::algorithms::futility::futility;
use crate::lab::algorithms::minimax::minimax;
use crate::lab::algorithms::opponent::{Opponent, opponent};
use crate::lab::algorithms::quiescence::{Unrest, quiescence};
use crate::lab::algorithms::secondary::secondary;
use crate::lab::algorithms::sss_star::sss_star;
use crate::lab::algorithms::star::{star1, star2};
use crate::lab::games::explicit::{ExplicitTree, UNIT};
use crate::lab::search::{Search, SearchResult, TO_THE_END, TreeNode, Window};
use crate::lab::trace::{Action, TraceEvent};

fn tree(text: &str) -> ExplicitTree {
    ExplicitTree::parse(text).unwrap()
}

#[test]
fn minimax_5() {
    let game = tree("max(min(max(3 5) max(6 9)) min(max(1 2) max(0 7)) min(4 8))");
    let mut search = Search::new(&game);
    let root = search.root(TO_THE_END);
    let found = minimax(&mut search, &root).unwrap();
    assert_eq!((found.value, found.line), (5 * UNIT, vec![0, 0, 1]));
    let counters = search.counters();
    assert_eq!(
        (counters.interior, counters.leaves, counters.cutoffs),
        (8, 10, 0)
    );
}

#[test]
fn alpha_beta_8_with_the_branch_under_6_cut() {
    // Min's 6 bounds the second move below the 8 that Max has, so the rest of that branch is cut.
    let game = tree("max(min(8 11) min(6 min(1 2)) min(9 3))");
    let mut search = Search::new(&game);
    let root = search.root(TO_THE_END);
    search.record();
    let found = fail_soft(&mut search, &root, Window::FULL).unwrap();
    assert_eq!((found.value, found.line), (8 * UNIT, vec![0, 0]));
    assert_eq!(
        (search.counters().leaves, search.counters().cutoffs),
        (5, 1)
    );
    let children: Vec<_> = search.children(&root).collect();
    let below: Vec<_> = search.children(&children[1]).collect();
    let trace = search.trace().unwrap();
    assert_eq!(trace.at(below[0].path).unwrap().value, Some(6 * UNIT));
    assert_eq!(trace.at(below[1].path), None);
    assert_eq!(
        trace.at(children[1].path).unwrap().window,
        Some(Window::new(8 * UNIT, Window::FULL.beta))
    );
}

#[test]
fn berliners_minus_5_against_minus_4() {
    // The first move loses 5 if the opponent finds the only reply, and wins 2 otherwise. The second
    // one always loses 4.
    let game = tree("max(min(2 2 -5) min(-4 -4 -4))");
    let choice = |model| {
        let mut search = Search::new(&game);
        let root = search.root(TO_THE_END);
        let found = opponent(&mut search, &root, model).unwrap();
        (found.line[0], found.value)
    };
    let errs = |per_mille| choice(Opponent::Errs { per_mille });
    assert_eq!(errs(0), (1, -4 * UNIT));
    // The mean of the replies to the first move is -1/3, so it is better from an error rate of 3/14
    // on.
    assert_eq!(errs(214).0, 1);
    assert_eq!(errs(215).0, 0);
    assert_eq!(errs(1_000), (0, (-UNIT).div_euclid(3)));
}

#[test]
fn a_winning_move_is_chosen_by_the_opponents_errors_too() {
    // 3 for certain, or 2, and 9 if the opponent errs.
    let game = tree("max(min(3 3) min(2 9))");
    let choice = |per_mille| {
        let mut search = Search::new(&game);
        let root = search.root(TO_THE_END);
        opponent(&mut search, &root, Opponent::Errs { per_mille })
            .unwrap()
            .line[0]
    };
    assert_eq!((choice(0), choice(500)), (0, 1));
}

#[test]
fn an_opponent_who_sees_less_falls_into_a_trap() {
    // At a depth of one move the trap looks good to Min (-3). Behind it Max wins 9.
    let game = tree("max(1 min(max@-3(9 4) max@0(-2 0)))");
    let choice = |depth| {
        let mut search = Search::new(&game);
        let root = search.root(TO_THE_END);
        let found = opponent(&mut search, &root, Opponent::Sees { depth }).unwrap();
        (found.line[0], found.value)
    };
    assert_eq!(choice(1), (1, 9 * UNIT));
    assert_eq!(choice(2), (0, UNIT));
}

#[test]
fn the_mean_of_many_large_values_is_no_larger() {
    // Nine in ten are a billion, the others nothing.
    let children = |weight: &str| {
        let ten = format!("{weight}0 {}", format!("{weight}1000000000 ").repeat(9));
        ten.repeat(2_000)
    };
    let expected = 900_000_000 * UNIT;
    let chance = tree(&format!("chance({})", children("1000*")));
    let mut search = Search::new(&chance);
    let root = search.root(TO_THE_END);
    let found = [
        expectiminimax(&mut search, &root).unwrap(),
        star1(&mut search, &root, Window::FULL).unwrap(),
        star2(&mut search, &root, Window::FULL).unwrap(),
    ];
    assert_eq!(found.map(|found| found.value), [expected; 3]);
    let errs = tree(&format!("min({})", children("")));
    let mut search = Search::new(&errs);
    let root = search.root(TO_THE_END);
    let found = opponent(&mut search, &root, Opponent::Errs { per_mille: 1_000 }).unwrap();
    assert_eq!(found.value, expected);
}

#[test]
fn star_bounds_a_mean_by_what_it_can_meet() {
    // With all leaves from 14 to 18, the first throw settles the first chance node below Min. The
    // estimate of an interior node, 0 if it is not written, counts at a depth limit only.
    type Star = fn(
        &mut Search<'_, ExplicitTree>,
        &TreeNode<ExplicitTree>,
        Window,
    ) -> SearchResult<ExplicitTree>;
    let game = tree("max(chance(min(chance(2*17 14) chance(2*17 15)) 2*18))");
    let leaves = |star: Star, depth: u32| {
        let mut search = Search::new(&game);
        let root = search.root(depth);
        let found = star(&mut search, &root, Window::FULL);
        found.unwrap();
        search.counters().leaves
    };
    assert_eq!(leaves(star1, TO_THE_END), 4);
    assert_eq!(leaves(star2, TO_THE_END), 6);
    assert_eq!(leaves(star1, 100), 5);
}

#[test]
fn futility_3_against_3_1() {
    let game = tree("max(min(3 4) min(3.1 min(3.2 8)))");
    let search_with = |margin| {
        let mut search = Search::new(&game);
        let root = search.root(TO_THE_END);
        let found = futility(&mut search, &root, margin).unwrap();
        (found.value, found.line[0], search.counters().leaves)
    };
    // A gain of 0.1 is cut if it must be more than half a point.
    assert_eq!(search_with(UNIT / 2), (3 * UNIT, 0, 3));
    assert_eq!(search_with(0), (3_100, 1, 5));
}

#[test]
fn quiescence_looks_behind_a_capture() {
    // A queen takes a protected pawn: it looks good until it is taken back.
    let game = tree("max(min@1!(max@-8(-8)) min@0(max@0(0)))");
    let mut search = Search::new(&game);
    let root = search.root(1);
    assert_eq!(
        fail_soft(&mut search, &root, Window::FULL).unwrap().line,
        [0]
    );
    assert_eq!(
        quiescence(&mut search, &root, Unrest::NoisyMoves)
            .unwrap()
            .line,
        [1]
    );
    let found = continuation(&mut search, &root, 1).unwrap();
    assert_eq!((found.value, found.line), (0, vec![1]));
}

#[test]
fn secondary_search_takes_the_next_move_if_the_best_disappoints() {
    let game = tree("max(min@5(max@5(1) max@6(2)) min@4(max@4(4) max@7(7)) min@3(max@3(3)))");
    let mut search = Search::new(&game);
    let root = search.root(1);
    assert_eq!(
        fail_soft(&mut search, &root, Window::FULL).unwrap().line,
        [0]
    );
    let found = secondary(&mut search, &root, 2).unwrap();
    assert_eq!((found.value, found.line[0]), (4 * UNIT, 1));
}

#[test]
fn the_scale_of_an_evaluation_matters_to_chance_only() {
    let small = "(chance(9*2 1*3) chance(9*1 1*4))";
    let large = "(chance(9*20 1*30) chance(9*1 1*400))";
    let choice = |text: &str| {
        let game = tree(text);
        let mut search = Search::new(&game);
        let root = search.root(TO_THE_END);
        expectiminimax(&mut search, &root).unwrap()
    };
    assert_eq!((choice(small).value, choice(small).line), (2_100, vec![0]));
    assert_eq!((choice(large).value, choice(large).line), (40_900, vec![1]));
    let minimax_choice = |text: &str| {
        choice(
            &text
                .replace("chance", "min")
                .replace("9*", "")
                .replace("1*", ""),
        )
        .line
    };
    assert_eq!(minimax_choice(small), minimax_choice(large));
}

/// Lists the states that SSS* takes from OPEN: Dewey number, L or S, merit.
fn sss_star_states(text: &str) -> Vec<String> {
    let game = tree(text);
    let mut search = Search::new(&game);
    search.record();
    let root = search.root(TO_THE_END);
    sss_star(&mut search, &root).unwrap();
    let events = search.trace().unwrap().events();
    let selected = events.iter().filter(|event| event.action == Action::Select);
    let state = |event: &TraceEvent| {
        let (dewey, is_solved, merit) = &event.open[0];
        assert_eq!(event.value, Some(*merit));
        let dewey: Vec<String> = dewey.iter().map(u32::to_string).collect();
        let letter = if *is_solved { 'S' } else { 'L' };
        let merit = crate::lab::game::value_text(*merit, UNIT);
        format!("{} {letter} {merit}", dewey.join("."))
    };
    selected.map(state).collect()
}

#[test]
fn an_sss_star_trace_checked_by_hand() {
    // Below Max's moves, Min's replies are searched one after the other, each bounded by those
    // before. The second move drops to 5 and waits. The first one keeps 6, and solves the root with
    // its last reply.
    let expected = [
        " L +∞", // all of Max's moves go on OPEN
        "1 L +∞",
        "1.1 L +∞", // a leaf: 7
        "2 L +∞",
        "2.1 L +∞", // a leaf: 5
        "1.1 S 7",
        "1.2 L 7", // a leaf: 6
        "1.2 S 6", // the last reply: the move is solved
        "1 S 6",   // and with it the root; the second move is purged
        " S 6",
    ];
    assert_eq!(sss_star_states("max(min(7 6) min(5 9))"), expected);
}

#[test]
fn chance_is_nobodys_opponent() {
    // The inner nodes without a name are Min's, although chance stands between them and Max.
    for text in [
        "max(chance((2 4) (7 4)) chance((6 0) (5 8)))",
        "max(chance(chance((2 4) (7 4))) chance((6 0) (5 8)))",
        "max(chance(min(2 4) min(7 4)) chance(min(6 0) min(5 8)))",
    ] {
        let game = tree(text);
        let mut search = Search::new(&game);
        let root = search.root(TO_THE_END);
        let found = expectiminimax(&mut search, &root).unwrap();
        assert_eq!(found.value, 3 * UNIT, "{text}");
    }
    // Below chance at the root, Max begins.
    let game = tree("chance((2 4) (7 (5 9)))");
    let mut search = Search::new(&game);
    let root = search.root(TO_THE_END);
    assert_eq!(expectiminimax(&mut search, &root).unwrap().value, 5_500);
}

#[test]
fn futility_keeps_a_value_that_was_searched_in_full() {
    let value_of = |text: &str| {
        let game = tree(text);
        let mut search = Search::new(&game);
        let root = search.root(TO_THE_END);
        let found = futility(&mut search, &root, UNIT).unwrap();
        (found.value, search.counters().leaves)
    };
    // The last leaf makes the branch futile, and there is nothing left to cut.
    assert_eq!(value_of("max(min(3 5) min(7 3.1))"), (3_100, 4));
    assert_eq!(value_of("max(min(3 5) min(3.1 7))"), (3_000, 3));
}
