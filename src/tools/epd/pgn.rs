//! Puzzles in PGN: the position of the `FEN` tag, and the first move of the game as its best move. A game that ends in
//! mate asks for that mate.

use std::ops::ControlFlow;

use pgn_reader::{RawTag, SanPlus, Skip, Visitor};

use super::moves;
use super::record::{Operation, Record};
use super::suite::{Place, Suite};
use crate::position::{Move, Position, notation};
use crate::tools::kit::pgn_splitter::Splitter;

/// Whether the text begins like a game.
pub fn looks_like_it(text: &str) -> bool {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    lines
        .next()
        .is_some_and(|line| line.starts_with('[') && line.ends_with("\"]"))
}

/// Adds the puzzles of a file.
pub fn add(suite: &mut Suite, file: &str, text: &str) {
    let mut splitter = Splitter::new(text.as_bytes());
    let mut number = 0_u64;
    loop {
        let next = splitter.lines() + 1;
        let place = |line: u64| Place {
            file: file.to_owned(),
            line: usize::try_from(line).unwrap_or(usize::MAX),
        };
        let game = match splitter.next_game() {
            Ok(Some(game)) => game,
            Ok(None) => return,
            Err(error) => {
                suite.add_record(place(next), Err(error.to_string()));
                return;
            }
        };
        number += 1;
        let record = match game.read(&mut Puzzles) {
            Ok(Some(record)) => record.map(|mut record| {
                if record.operation("id").is_none() {
                    record.set(Operation::new("id", [format!("{file} {number}")]));
                }
                record
            }),
            Ok(None) => continue,
            Err(error) => Err(error.to_string()),
        };
        suite.add_record(place(game.line), record);
    }
}

struct Puzzles;

/// What the tags say.
#[derive(Default)]
struct Tags {
    fen: Option<String>,
    players: [String; 2],
    date: String,
}

/// The game so far.
struct Line {
    tags: Tags,
    start: Position,
    position: Position,
    moves: Vec<Move>,
}

impl Visitor for Puzzles {
    type Tags = Tags;
    type Movetext = Line;
    type Output = Result<Record, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Tags> {
        ControlFlow::Continue(Tags::default())
    }

    fn tag(
        &mut self,
        tags: &mut Tags,
        name: &[u8],
        value: RawTag<'_>,
    ) -> ControlFlow<Self::Output> {
        let text = value.decode_utf8_lossy().into_owned();
        let [white, black] = &mut tags.players;
        match name {
            b"FEN" => tags.fen = Some(text),
            b"White" => *white = text,
            b"Black" => *black = text,
            b"Date" => tags.date = text,
            _ => {}
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Tags) -> ControlFlow<Self::Output, Line> {
        let start = match &tags.fen {
            None => Ok(Position::initial()),
            // Move numbers from 0 are common in puzzles, and no FEN.
            Some(fen) => Record::parse(fen).map(|record| record.position),
        };
        match start {
            Ok(start) => ControlFlow::Continue(Line {
                tags,
                position: start.clone(),
                start,
                moves: Vec::new(),
            }),
            Err(error) => ControlFlow::Break(Err(error.to_string())),
        }
    }

    fn san(&mut self, line: &mut Line, san: SanPlus) -> ControlFlow<Self::Output> {
        match san.san.to_move(line.position.chess()) {
            Ok(m) => {
                let m = Move::from_shakmaty(m);
                line.position = line.position.play(m);
                line.moves.push(m);
                ControlFlow::Continue(())
            }
            Err(error) => ControlFlow::Break(Err(format!(
                "move {}: {san}: {error}",
                line.moves.len() + 1
            ))),
        }
    }

    fn begin_variation(&mut self, _line: &mut Line) -> ControlFlow<Self::Output, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn end_game(&mut self, line: Line) -> Self::Output {
        line.record()
    }
}

impl Line {
    fn record(self) -> Result<Record, String> {
        let fen = notation::fen(&self.start);
        let mut record = Record::parse(&fen).map_err(|error| error.to_string())?;
        if let Some(&first) = self.moves.first() {
            record.set(Operation::new("bm", [moves::san(&self.start, first)]));
        }
        let is_mate =
            !self.position.checkers().is_empty() && self.position.legal_moves().is_empty();
        if is_mate && self.moves.len() % 2 == 1 {
            record.set(Operation::new(
                "dm",
                [self.moves.len().div_ceil(2).to_string()],
            ));
        }
        let known = |text: &&str| !text.is_empty() && !text.starts_with('?');
        let [white, black] = &self.tags.players;
        if let (Some(white), Some(black)) = (
            Some(white.as_str()).filter(known),
            Some(black.as_str()).filter(known),
        ) {
            let year = self.tags.date.split('.').next().filter(known).unwrap_or("");
            let comment = format!("{white}-{black} {year}");
            record.set(Operation::new("c0", [comment.trim()]));
        }
        Ok(record)
    }
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
            text.ends_with(" bm Nf6+; c0 \"Henry Buckle-NN 1840\"; dm 2; id \"x 1\";"),
            "{text}"
        );
        let [unread] = suite.unread.as_slice() else {
            panic!("{:?}", suite.unread);
        };
        assert_eq!(unread.place.line, 8);
        assert!(unread.reason.contains("move 1: Nh6+"), "{}", unread.reason);
    }

    #[test]
    fn a_name_in_quotes_of_its_own_hides_no_puzzle() {
        let text = format!("[White \"\"Mirage\"\"]\n{PUZZLE}");
        let mut suite = Suite::default();
        suite.add("x", text.as_bytes());
        assert_eq!(suite.positions.len(), 1, "{:?}", suite.unread);
        assert_eq!(suite.positions[0].goal.mate, Some(2));
    }

    #[test]
    fn an_empty_line_ends_no_puzzle() {
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
