//! Answers of several lines: identification, board, help, best move.

use std::fmt::Write as _;

use shakmaty::{File, Rank, Square};

use super::command::COMMANDS;
use super::options;
use crate::engine::Analysis;
use crate::engine::options::OPTIONS;
use crate::position::{Position, notation};
#[cfg(feature = "tuning")]
use crate::search::params;

/// Returns the greeting for a person at a terminal.
pub fn greeting() -> String {
    format!(
        "Quevedo {}, a UCI chess engine. Type help for the commands, quit to leave.",
        env!("CARGO_PKG_VERSION")
    )
}

/// Returns the answer to `uci`.
pub fn identification() -> String {
    let mut text = format!(
        "id name Quevedo {}\nid author the Quevedo authors\n",
        env!("CARGO_PKG_VERSION")
    );
    for option in OPTIONS {
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{}", options::option_line(option));
    }
    #[cfg(feature = "tuning")]
    for (name, value, min, max) in params::tuning::TABLE {
        let _ = writeln!(
            text,
            "option name {name} type spin default {value} min {min} max {max}"
        );
    }
    text.push_str("uciok");
    text
}

/// Returns the answer to `go`.
pub fn best_move(position: &Position, analysis: &Analysis) -> String {
    let Some(best) = analysis.best_move else {
        return "bestmove (none)".to_owned();
    };
    let mut text = format!("bestmove {}", notation::uci(position, best));
    let child = position.play(best);
    if let Some(reply) = analysis.ponder_move.filter(|&reply| child.is_legal(reply)) {
        let _ = write!(text, " ponder {}", notation::uci(&child, reply));
    }
    text
}

/// Returns the position as a diagram, with its FEN, key and checkers.
pub fn diagram(position: &Position) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    for rank in Rank::ALL.into_iter().rev() {
        let _ = write!(text, "{}  ", rank.char());
        for file in File::ALL {
            let piece = position
                .piece_at(Square::from_coords(file, rank))
                .map_or('.', shakmaty::Piece::char);
            let _ = write!(text, " {piece}");
        }
        text.push('\n');
    }
    text.push_str("\n    a b c d e f g h\n\n");
    let checkers: Vec<String> = position
        .checkers()
        .into_iter()
        .map(|square| square.to_string())
        .collect();
    let _ = write!(
        text,
        "Fen: {}\nKey: {:016X}\nCheckers: {}",
        notation::fen(position),
        position.key(),
        checkers.join(" ")
    );
    text
}

/// Returns the commands and options as a help text.
pub fn help() -> String {
    let mut text = String::from("Commands:\n");
    for (usage, what) in COMMANDS {
        let _ = writeln!(text, "  {usage}\n      {what}");
    }
    let _ = write!(text, "\nOptions:\n{}", options::help().trim_end());
    text
}
