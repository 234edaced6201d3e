//! Games out of PGN text: [`pgn_reader`] reads it, and `builder` applies the rules to it.
//!
//! What cannot be understood costs as little as possible and is always said. A move that is illegal ends the game there,
//! and the moves behind it are kept as text; in a variation it ends the variation. Words that are no moves (`N`, `e.p.`)
//! are left out. A game of a variant that Quevedo does not play is passed on as it is.

use std::borrow::Cow;
use std::io::{self, BufRead};

use pgn_reader::Reader;

use super::builder::Builder;
use super::game::Game;
use super::words;
use crate::tools::kit::pgn_splitter::{MAX_TAG_BYTES, RawGame, Splitter};

/// Reads games one after the other.
#[derive(Debug)]
pub struct Source<R> {
    splitter: Splitter<R>,
    games: u64,
    /// What has been read by who looked ahead.
    ahead: Option<Ahead>,
}

/// The next game, if there is one, and the complaints before it.
#[derive(Debug)]
struct Ahead {
    complaints: Vec<String>,
    game: Option<(Game, RawGame)>,
}

impl<R: BufRead> Source<R> {
    /// From the beginning of a stream.
    pub fn new(source: R) -> Source<R> {
        Source {
            splitter: Splitter::new(source),
            games: 0,
            ahead: None,
        }
    }

    /// Bytes read so far.
    pub fn offset(&self) -> u64 {
        self.splitter.offset()
    }

    /// The next game and its text; `None` at the end. Text that holds no game is told to `complain` and skipped.
    ///
    /// # Errors
    /// When the source cannot be read.
    pub fn next_game(
        &mut self,
        complain: &mut dyn FnMut(&str),
    ) -> io::Result<Option<(Game, RawGame)>> {
        let Some(ahead) = self.ahead.take() else {
            return self.read_next(complain);
        };
        for complaint in &ahead.complaints {
            complain(complaint);
        }
        Ok(ahead.game)
    }

    /// What [`next_game`](Source::next_game) will return.
    ///
    /// # Errors
    /// When the source cannot be read.
    pub fn peek(&mut self) -> io::Result<Option<&Game>> {
        if self.ahead.is_none() {
            let mut complaints = Vec::new();
            let game = self.read_next(&mut |complaint| complaints.push(complaint.to_owned()))?;
            self.ahead = Some(Ahead { complaints, game });
        }
        let ahead = self.ahead.as_ref().and_then(|ahead| ahead.game.as_ref());
        Ok(ahead.map(|(game, _)| game))
    }

    fn read_next(&mut self, complain: &mut dyn FnMut(&str)) -> io::Result<Option<(Game, RawGame)>> {
        while let Some(raw) = self.splitter.next_game()? {
            match read_game(&raw, self.games + 1) {
                Some(game) => {
                    self.games += 1;
                    return Ok(Some((game, raw)));
                }
                None => {
                    let text = decode(&raw.text);
                    let first = text.lines().next().unwrap_or_default();
                    let start: String = first.chars().take(60).collect();
                    complain(&format!("line {}: this is no game: {start:?}", raw.line));
                }
            }
        }
        Ok(None)
    }
}

/// Reads one game. `None` when there is neither a tag pair nor a move nor a result.
fn read_game(raw: &RawGame, number: u64) -> Option<Game> {
    let mut builder = Builder::default();
    let mut reader = Reader::build(&raw.text[..])
        .set_supported_tag_line_length(MAX_TAG_BYTES)
        .finish();
    // An empty line inside of movetext is an end for the reader, and here it is none.
    loop {
        match reader.read_game(&mut builder) {
            Ok(Some(())) => {}
            Ok(None) => break,
            // The reader has skipped what it does not understand.
            Err(error) if !raw.is_open => builder.faults.push(error.to_string()),
            Err(_) => break,
        }
    }
    if raw.is_open {
        builder.faults.push("a comment is never closed".to_owned());
    }
    if let Some(fault) = words::unknown(&raw.text) {
        builder.faults.push(fault);
    }
    builder.finish(raw, number)
}

/// Text in UTF-8, or in Latin-1, which older programs write, when it cannot be that.
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().copied().map(char::from).collect()),
    }
}

/// On one line, without control characters, and with single spaces.
pub fn tidy(text: &str) -> String {
    text.split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::analyse::game::move_number;

    fn games(pgn: &[u8]) -> (Vec<Game>, Vec<String>) {
        let mut source = Source::new(pgn);
        let mut complaints = Vec::new();
        let mut games = Vec::new();
        while let Some((game, _)) = source
            .next_game(&mut |text| complaints.push(text.to_owned()))
            .unwrap()
        {
            games.push(game);
        }
        (games, complaints)
    }

    fn game(pgn: &[u8]) -> Game {
        let (mut games, complaints) = games(pgn);
        assert!(complaints.is_empty(), "{complaints:?}");
        assert_eq!(games.len(), 1);
        games.remove(0)
    }

    #[test]
    fn moves_carry_what_is_said_about_them() {
        let game = game(
            b"{before} 1. e4! $14 {one}{two} (1. d4 d5 (1... Nf6 2. c4) 2. c4 {deep}) (1. c4) e5\n\n2. Nf3?! {[%clk 1]} 1-0",
        );
        assert!(game.faults.is_empty(), "{:?}", game.faults);
        assert_eq!(game.line.before, ["before"]);
        assert_eq!((game.line.moves.len(), &*game.result), (3, "1-0"));
        let first = &game.line.moves[0];
        assert_eq!(first.nags, [1, 14]);
        assert_eq!(first.comments, ["one", "two"]);
        assert_eq!(first.variations.len(), 2);
        let variation = &first.variations[0];
        assert_eq!(variation.moves.len(), 3);
        assert_eq!(variation.moves[1].variations[0].moves.len(), 2);
        assert_eq!(variation.moves[2].comments, ["deep"]);
        assert_eq!(game.line.moves[2].nags, [6]);
    }

    #[test]
    fn an_illegal_move_costs_only_what_is_behind_it() {
        let broken = game(b"1. e4 e5 2. Ke3 Nf6 {lost} (2... d5) 3. d4 1-0");
        assert_eq!(broken.line.moves.len(), 2);
        assert_eq!(broken.rest, ["Ke3", "Nf6", "d4"]);
        assert_eq!(broken.result, "1-0");
        assert_eq!(
            broken.faults,
            ["ply 3, move 2. Ke3: illegal; the game is analysed up to there"]
        );
        let variation = game(b"1. e4 (1. d4 d4 d5) e5 *");
        assert_eq!(variation.line.moves.len(), 2);
        assert_eq!(variation.line.moves[0].variations[0].moves.len(), 1);
        assert_eq!(
            variation.faults,
            ["move 1... d4 of a variation: illegal; the variation is cut off there"]
        );
    }

    #[test]
    fn nothing_unclosed_or_nested_does_harm() {
        let open = game(b"1. e4 (1. d4 (1. c4 *");
        assert_eq!(open.faults, ["a variation is never closed"]);
        assert_eq!(open.line.moves[0].variations[0].moves.len(), 1);
        let mut deep = b"1. e4 ".to_vec();
        deep.extend(b"(1. d4 ".repeat(100_000));
        deep.extend(b")".repeat(100_000));
        deep.extend(b" e5 *");
        let deep = game(&deep);
        assert!(deep.faults.is_empty());
        assert_eq!(deep.line.moves.len(), 2);
        let closed = game(b") 1. e4 ) e5 *");
        assert_eq!(closed.line.moves.len(), 2);
    }

    #[test]
    fn games_begin_where_their_tags_say() {
        let late = game(
            b"[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 30\"]\n\n30... Kd7 31. e4 *",
        );
        assert_eq!(late.line.moves.len(), 2);
        assert_eq!(move_number(&late.start), "30...");
        let fischer = game(
            b"[Variant \"Fischerandom\"]\n[FEN \"1r3k1r/8/8/8/8/8/8/1R3K1R w HBhb - 0 1\"]\n\n1. O-O-O O-O *",
        );
        assert_eq!(fischer.line.moves.len(), 2);
        for (tag, reason) in [
            (&b"[Variant \"Atomic\"]"[..], "the variant \"Atomic\""),
            (b"[FEN \"8/8 w\"]", "the FEN \"8/8 w\" cannot be used"),
        ] {
            let foreign = game(&[tag, b"\n\n1. e4 Kxe4 *"].concat());
            assert!(
                foreign.faults[0].starts_with(reason),
                "{:?}",
                foreign.faults
            );
            assert!(foreign.foreign.is_some());
        }
    }

    #[test]
    fn bytes_of_all_kinds_become_text() {
        let game = game(b"[White \"M\xfcller \\\"a\\\"\"]\r\n[Black \"M\xc3\xbcller\"]\r\n[Result \"0-1\"]\r\n\r\n1. e4 { j\xe4\x00 } e5\r\n");
        assert_eq!(game.tag("White"), Some("M\u{fc}ller \"a\""));
        assert_eq!(game.tag("Black"), Some("M\u{fc}ller"));
        assert_eq!(game.line.moves[0].comments, ["j\u{e4}"]);
        assert_eq!(game.result, "0-1");
    }

    #[test]
    fn text_without_a_game_is_told() {
        let (games, complaints) =
            games(b"Dear reader,\nthis is prose.\n\n[Event \"a\"]\n\n1. e4 *\n");
        assert_eq!(games.len(), 1);
        assert_eq!(complaints, ["line 1: this is no game: \"Dear reader,\""]);
    }
}
