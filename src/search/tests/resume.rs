//! Lines that a resumed search takes from the table.

use super::super::control::Control;
use super::super::limits::Limits;
use super::with_worker;
use crate::position::notation;
use crate::score::{Bound, Score};
use crate::tt::TtEntry;

/// Stores a line as the best moves of its positions and returns the number of moves that come back.
fn moves_taken(fen: &str, line: &[&str]) -> usize {
    let root = notation::parse_fen(fen, false).unwrap().position;
    with_worker(&root, &Limits::default(), &Control::default(), |worker| {
        let mut moves = Vec::new();
        let mut position = root.clone();
        for text in line {
            let m = notation::parse_uci(&position, text).unwrap();
            let entry = TtEntry::new(Some(m), Score::cp(50), 0, None, 9, Bound::Exact, true);
            worker.shared.request.tt.store(position.search_key(), entry);
            moves.push(m);
            position = position.play(m);
        }
        let taken = worker.exact_line(moves[0], 9);
        assert!(moves.starts_with(&taken));
        taken.len()
    })
}

#[test]
fn lines_end_where_the_game_would() {
    let back_and_forth = ["g1f3", "g8f6", "f3g1", "f6g8", "e2e4"];
    let initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(moves_taken(initial, &back_and_forth), 3);
    assert_eq!(moves_taken(initial, &back_and_forth[..3]), 3);
    let fifty = initial.replace("- 0 1", "- 97 80");
    assert_eq!(moves_taken(&fifty, &["g1f3", "g8f6", "b1c3", "e7e5"]), 2);
    let last_pawn = "8/8/8/4k3/8/3p4/8/4K2N w - - 0 1";
    assert_eq!(moves_taken(last_pawn, &["h1f2", "e5f4", "f2d3", "f4f3"]), 2);
    let last_pawn = "8/8/8/4k3/8/8/4p3/4K2N w - - 0 1";
    assert_eq!(moves_taken(last_pawn, &["e1e2", "e5f4"]), 0);
}
