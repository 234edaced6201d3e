//! The numbers of inputs and of perspectives.

use std::collections::HashSet;

use shakmaty::{Color, Square};

use super::super::features::InputDiff;
use super::super::samples::{crowded, suite};
use super::super::{BoardInputs, Perspective};

/// Returns the only input of a perspective on a board with kings and one other piece that is not on
/// the board without it.
fn input(perspective: Perspective, fen: &str, piece: &str, with_marks: bool) -> u16 {
    let board = |fen: &str| BoardInputs::of_board(&fen.parse().expect("a board"), with_marks);
    let without = fen.replacen(piece, "1", 1);
    let mut diff = InputDiff::EMPTY;
    diff.compute(&board(&without), &board(fen), &[perspective]);
    let [adds, subs] = [&diff.adds, &diff.subs].map(|lists| lists.of(0));
    assert_eq!((adds.len(), subs.len()), (1, 0), "{fen}");
    adds[0]
}

#[test]
fn inputs_are_numbered_as_documented() {
    let white = Perspective::new(Color::White, Square::B1);
    assert_eq!(input(white, "7k/8/8/8/8/8/P7/1K6", "P", false), 768 + 8);
    assert_eq!(
        input(white, "7k/8/8/8/8/8/8/1K6", "k", false),
        768 + 384 + 5 * 64 + 63
    );
    let white = Perspective::new(Color::White, Square::E1);
    assert_eq!(
        input(white, "7k/8/8/8/8/8/8/4K3", "K", false),
        3 * 768 + 5 * 64 + 3
    );
    let black = Perspective::new(Color::Black, Square::E7);
    let fen = "8/4k3/8/8/8/8/8/K2Q4";
    assert_eq!(input(black, fen, "k", false), 5 * 768 + 5 * 64 + 11);
    assert_eq!(input(black, fen, "Q", false), 5 * 768 + 384 + 4 * 64 + 60);
    let last = Perspective::new(Color::Black, Square::A1);
    assert_eq!(input(last, "8/8/8/8/8/8/8/k6K", "K", false), 8 * 768 - 1);
}

#[test]
fn marked_pieces_have_an_input_for_each_mark() {
    let white = Perspective::new(Color::White, Square::A1);
    let board = BoardInputs::of_board(&"7k/8/8/8/2pP4/8/2r5/K7".parse().expect("a board"), true);
    let mut diff = InputDiff::EMPTY;
    diff.compute(&BoardInputs::EMPTY, &board, &[white]);
    let mut inputs = diff.adds.of(0).to_vec();
    inputs.sort_unstable();
    let pieces = [27, 5 * 64, 384 + 26, 384 + 3 * 64 + 10, 384 + 5 * 64 + 63];
    // Both pawns are passed, and the white king can be checked by the rook.
    let marked = [9 * 768 + 5 * 64, 10 * 768 + 27, 10 * 768 + 384 + 26];
    assert_eq!(inputs[..], [&pieces[..], &marked].concat());
}

#[test]
fn a_board_and_its_position_have_the_same_inputs() {
    for position in suite().iter().chain(&crowded()) {
        for with_marks in [false, true] {
            let inputs = BoardInputs::of_position(position, with_marks);
            let of_board = BoardInputs::of_board(position.board(), with_marks);
            let perspective = Perspective::new(Color::White, position.king(Color::White));
            let mut diff = InputDiff::EMPTY;
            diff.compute(&inputs, &of_board, &[perspective]);
            assert!(
                diff.adds.of(0).is_empty() && diff.subs.of(0).is_empty(),
                "{position:?}"
            );
        }
    }
}

#[test]
fn perspectives_have_numbers_of_their_own() {
    let perspectives: HashSet<_> = Color::ALL
        .into_iter()
        .flat_map(|color| Square::ALL.map(|king| Perspective::new(color, king).number()))
        .collect();
    assert_eq!(perspectives, (0..Perspective::COUNT).collect());
}
