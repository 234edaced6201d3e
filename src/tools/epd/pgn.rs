//! Puzzles in PGN: the first position of each game, with its first move as the best move. If the
//! game ends in mate, the goal is any mate that is as short.

use super::record::{Operation, Record};
use super::suite::{LinePlace, Suite};
use crate::pgn::{PgnGame, PgnReader};
use crate::position::notation::{fen, san};

/// Returns whether the text begins like a PGN game.
pub fn looks_like_it(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .next()
        .is_some_and(|line| line.starts_with('[') && line.ends_with("\"]"))
}

/// Adds the puzzles of a file.
pub fn add(suite: &mut Suite, file: &str, text: &str) {
    let mut reader = PgnReader::main_lines(text.as_bytes());
    let place = |line: u64| LinePlace {
        file: file.to_owned(),
        line: usize::try_from(line).unwrap_or(usize::MAX),
    };
    loop {
        let next = reader.lines() + 1;
        let mut complaints = Vec::new();
        let game = reader.next_game(&mut |text| complaints.push(text.to_owned()));
        // Text in memory can always be read.
        let Ok(game) = game else {
            return;
        };
        for complaint in complaints {
            let (line, reason) = split_line(&complaint).unwrap_or((next, &complaint));
            suite.add_record(place(line), Err(reason.to_owned()));
        }
        let Some((game, raw)) = game else {
            return;
        };
        suite.add_record(place(raw.line), record(file, &game));
    }
}

/// Splits `line 5: reason`.
fn split_line(complaint: &str) -> Option<(u64, &str)> {
    let (line, reason) = complaint.strip_prefix("line ")?.split_once(": ")?;
    Some((line.parse().ok()?, reason))
}

/// Converts a game to a record. The error says why that is impossible.
fn record(file: &str, game: &PgnGame) -> Result<Record, String> {
    if let Some(fault) = game.faults.first() {
        return Err(fault.clone());
    }
    let mut record = Record::parse(&fen(&game.start)).map_err(|error| error.to_string())?;
    let moves = &game.main_line.moves;
    let is_mate = game
        .positions()
        .last()
        .is_some_and(|last| last.in_check() && !last.has_legal_move());
    if is_mate && moves.len() % 2 == 1 {
        // Another mate of the same length is as good.
        let mate = moves.len().div_ceil(2).to_string();
        record.set(Operation::new("dm", [mate]));
    } else if let Some(first) = moves.first() {
        let best = san(&game.start, first.m).to_string();
        record.set(Operation::new("bm", [best]));
    }
    let known = |name: &str| {
        game.tag(name)
            .filter(|text| !text.starts_with(['?']) && !text.is_empty())
    };
    if let (Some(white), Some(black)) = (known("White"), known("Black")) {
        let year = known("Date").and_then(|date| date.split('.').next());
        let comment = format!("{white}-{black} {}", year.unwrap_or_default());
        record.set(Operation::new("c0", [comment.trim()]));
    }
    record.set(Operation::new("id", [format!("{file} {}", game.number)]));
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUZZLE: &str = "[White \"Henry Buckle\"]\n[Black \"NN\"]\n[Date \"1840.??.??\"]\n\
        [FEN \"r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 1 0\"]\n\n\
        1. Nf6+ gxf6 (1... Kf8) 2. Bxf7# *\n\n";

    #[test]
    fn a_puzzle_asks_for_its_mate() {
        let mut suite = Suite::default();
        let bad = PUZZLE.replace("Nf6+", "Nh6+");
        suite.add("x", format!("{PUZZLE}{bad}{PUZZLE}").as_bytes());
        let lines: Vec<usize> = suite
            .positions
            .iter()
            .map(|position| position.place.line)
            .collect();
        assert_eq!(lines, [1, 15]);
        let [first, ..] = suite.positions.as_slice() else {
            panic!("no puzzle");
        };
        assert_eq!(first.goal.mate, Some(2));
        let text = first.record.to_string();
        assert!(
            text.ends_with("- c0 \"Henry Buckle-NN 1840\"; dm 2; id \"x 1\";"),
            "{text}"
        );
        let [unread] = suite.unread.as_slice() else {
            panic!("{:?}", suite.unread);
        };
        assert_eq!(unread.place.line, 8);
        assert!(
            unread.reason.contains("move 1. Nh6+: illegal"),
            "{}",
            unread.reason
        );
    }

    #[test]
    fn text_that_is_not_a_puzzle_is_reported() {
        let mut suite = Suite::default();
        let long = format!("{{{}}}\n\n", "x".repeat(20 << 20));
        let text = format!("Dear reader,\n\n{PUZZLE}{long}{PUZZLE}");
        suite.add("x.pgn", text.as_bytes());
        assert_eq!(suite.positions.len(), 2);
        let unread = suite.unread.iter();
        let unread: Vec<_> = unread
            .map(|unread| (unread.place.line, unread.reason.as_str()))
            .collect();
        assert_eq!(unread[0], (1, "not a game: \"Dear reader,\""));
        assert_eq!(unread[1], (10, "the game is too long"));
    }

    #[test]
    fn quotes_inside_a_name_do_not_hide_a_puzzle() {
        let text = format!("[White \"\"Mirage\"\"]\n{PUZZLE}");
        let mut suite = Suite::default();
        suite.add("x", text.as_bytes());
        assert_eq!(suite.positions.len(), 1, "{:?}", suite.unread);
        assert_eq!(suite.positions[0].goal.mate, Some(2));
    }

    #[test]
    fn an_empty_line_does_not_end_a_puzzle() {
        let text = PUZZLE.replace(" gxf6", "\n\ngxf6");
        let mut suite = Suite::default();
        suite.add("x", format!("{text}{text}").as_bytes());
        assert!(suite.unread.is_empty(), "{:?}", suite.unread);
        let mates: Vec<_> = suite
            .positions
            .iter()
            .map(|position| position.goal.mate)
            .collect();
        assert_eq!(mates, [Some(2), Some(2)]);
    }
}
