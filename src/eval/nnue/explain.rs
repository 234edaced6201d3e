//! The network's evaluation as text: a board with the value of each piece.

use std::fmt::Write as _;

use shakmaty::{Color, File, Rank, Role, Square};

use super::format::{SECOND, THIRD};
use super::network::Network;
use crate::position::Position;

/// Returns the value of the piece on each square (a1, b1, .. h8), in centipawns from White's point
/// of view: the value of the position minus its value without the piece. Kings, which cannot be
/// removed, and empty squares have none.
pub fn piece_values(network: &Network, position: &Position) -> [Option<i32>; 64] {
    let turn = position.turn();
    let total = network.evaluate(position);
    Square::ALL.map(|square| {
        let piece = position.piece_at(square)?;
        if piece.role == Role::King {
            return None;
        }
        let mut board = position.board().clone();
        board.discard_piece_at(square);
        let difference = total - network.evaluate_board(&board, turn);
        Some(turn.fold_wb(difference, -difference))
    })
}

/// Draws the board with the value of each piece, followed by the value of the position, in pawns.
pub fn explain(network: &Network, position: &Position) -> String {
    let values = piece_values(network, position);
    let rule = format!("+{}\n", "-------+".repeat(8));
    let mut text = String::from("What each piece is worth to the network, in pawns for White:\n");
    text.push_str(&rule);
    for rank in Rank::ALL.into_iter().rev() {
        let squares = File::ALL.map(|file| Square::from_coords(file, rank));
        for square in squares {
            let piece = position.piece_at(square).map_or(' ', |piece| piece.char());
            let _ = write!(text, "|   {piece}   ");
        }
        text.push_str("|\n");
        for square in squares {
            let value = values[square.to_usize()].map_or_else(String::new, pawns);
            let _ = write!(text, "|{value:^7}");
        }
        text.push_str("|\n");
        text.push_str(&rule);
    }
    conclusion(&mut text, network, position);
    text
}

/// Appends a description of the network and the value of the position.
fn conclusion(text: &mut String, network: &Network, position: &Position) {
    let value = network.evaluate(position);
    let pieces = position.occupied().count();
    let mover = match position.turn() {
        Color::White => "White",
        Color::Black => "Black",
    };
    let _ = writeln!(
        text,
        "Network {:016x}: {} x 768 -> {} x 2 -> {}, output bucket {} of {} ({} pieces), {}",
        network.checksum(),
        network.input_sets(),
        network.width(),
        if network.bucket(pieces) < network.small_layers() {
            format!("(1 + {SECOND} -> {THIRD} -> 1)")
        } else {
            String::from("1")
        },
        network.bucket(pieces) + 1,
        network.buckets(),
        pieces,
        network.kernel().name()
    );
    let _ = writeln!(
        text,
        "In internal pawns: {} for White, {} for the side to move ({mover})",
        pawns(position.turn().fold_wb(value, -value)),
        pawns(value)
    );
}

/// Formats centipawns as pawns, always with a sign, in at most the width of a square.
fn pawns(centipawns: i32) -> String {
    format!("{:+.2}", f64::from(centipawns) / 100.0)
}
